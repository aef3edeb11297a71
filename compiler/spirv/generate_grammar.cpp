// SPDX-License-Identifier: MIT
// A build-time program: generate_grammar <spirv.core.grammar.json> <grammar_tables.inc>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::json;

struct Operand {
  std::string kind;        // an enumerator of OperandKind
  std::string quantifier;  // One, Optional, Any
  size_t enumeration = 0;
  bool oneWord = false;
  bool isId = false;
  bool isValue = false;    // of an enumeration that is no mask
  bool isMask = false;     // of one that is
  uint32_t plainBits = 0;  // of the mask: those without parameters
};

struct Generator {
  const Json& grammar;
  std::map<std::string, size_t> enumerations;  // those with parameters, and their index
  std::vector<const Json*> enumerationKinds;
  std::map<std::string, std::string> categories;
  std::ostringstream operands, enumerants, enumerationRows, instructions;
  size_t operandCount = 0, enumerantCount = 0;
  size_t largestOpcode = 0;
  std::map<uint32_t, size_t> rowOfOpcode;

  std::string run();
  void find_enumerations();
  void write_enumerations();
  [[nodiscard]] std::string names_of(const char* kind) const;
  void write_instruction(const Json& instruction);
  Operand classify(const Json& operand) const;
  size_t write_operands(const std::vector<Operand>& list);
};

// Types of young extensions have the class "Reserved", so the name counts too.
bool is_declaration(const Json& instruction) {
  static const std::set<std::string> kClasses = {"Type-Declaration", "Constant-Creation",
                                                 "Annotation", "Mode-Setting"};
  const std::string name = instruction.at("opname");
  return kClasses.contains(instruction.at("class").get<std::string>()) ||
         name.starts_with("OpType") || name.starts_with("OpConstant") ||
         name.starts_with("OpSpecConstant");
}

bool is_special(const Json& instruction) {
  static const std::set<std::string> kNames = {"OpFunction", "OpFunctionParameter", "OpFunctionEnd",
                                               "OpExtInstImport"};
  return kNames.contains(instruction.at("opname").get<std::string>());
}

bool is_type(const Json& instruction) {
  const std::string name = instruction.at("opname");
  return name.starts_with("OpType") && name != "OpTypeForwardPointer";
}

uint32_t enumerant_value(const Json& enumerant) {
  const Json& value = enumerant.at("value");
  if (value.is_number()) return value.get<uint32_t>();
  return static_cast<uint32_t>(std::stoul(value.get<std::string>(), nullptr, 0));
}

void Generator::find_enumerations() {
  for (const Json& kind : grammar.at("operand_kinds")) {
    const std::string name = kind.at("kind");
    categories[name] = kind.at("category");
    for (const Json& enumerant : kind.value("enumerants", Json::array())) {
      if (!enumerant.contains("parameters") || enumerations.contains(name)) continue;
      enumerations[name] = enumerationKinds.size();
      enumerationKinds.push_back(&kind);
    }
  }
}

/// The bits of a mask that have no parameters.
uint32_t plain_bits(const Json& kind) {
  uint32_t known = 0;
  uint32_t withParameters = 0;
  for (const Json& enumerant : kind.at("enumerants")) {
    known |= enumerant_value(enumerant);
    if (enumerant.contains("parameters")) withParameters |= enumerant_value(enumerant);
  }
  return known & ~withParameters;
}

Operand Generator::classify(const Json& operand) const {
  static const std::map<std::string, std::string> kSpecial = {
      {"IdResultType", "ResultType"},
      {"IdResult", "Result"},
      {"LiteralString", "String"},
      {"LiteralContextDependentNumber", "TypedLiteral"},
      {"LiteralSpecConstantOpInteger", "SpecOpcode"},
      {"PairLiteralIntegerIdRef", "LiteralIdPair"},
      {"PairIdRefLiteralInteger", "IdLiteralPair"},
      {"PairIdRefIdRef", "IdIdPair"},
  };
  const std::string kind = operand.at("kind");
  const std::string quantifier = operand.value("quantifier", "");
  Operand result;
  result.quantifier = quantifier == "?" ? "Optional" : quantifier == "*" ? "Any" : "One";
  const std::string& category = categories.at(kind);
  if (auto special = kSpecial.find(kind); special != kSpecial.end()) {
    result.kind = special->second;
  } else if (auto enumeration = enumerations.find(kind); enumeration != enumerations.end()) {
    result.kind = "Enumerant";
    result.enumeration = enumeration->second;
  } else {
    result.kind = category == "Id" ? "Id" : "Literal";
  }
  result.isId = category == "Id";
  result.isValue = result.kind == "Enumerant" && category == "ValueEnum";
  result.isMask = result.kind == "Enumerant" && category == "BitEnum";
  if (result.isMask) result.plainBits = plain_bits(*enumerationKinds[result.enumeration]);
  result.oneWord = result.isId || result.kind == "Literal";
  return result;
}

size_t Generator::write_operands(const std::vector<Operand>& list) {
  const size_t first = operandCount;
  for (const Operand& operand : list)
    operands << "    {OperandKind::" << operand.kind << ", Quantifier::" << operand.quantifier
             << ", " << operand.enumeration << "},\n";
  operandCount += list.size();
  return first;
}

void Generator::write_enumerations() {
  for (const Json* kind : enumerationKinds) {
    std::map<uint32_t, const Json*> byValue;  // aliases have the same parameters
    uint32_t knownBits = 0;
    const bool isMask = kind->at("category") == "BitEnum";
    for (const Json& enumerant : kind->at("enumerants")) {
      byValue.try_emplace(enumerant_value(enumerant), &enumerant);
      knownBits |= enumerant_value(enumerant);
    }
    enumerationRows << "    {\"" << kind->at("kind").get<std::string>() << "\", "
                    << (isMask ? "true, " : "false, ") << (isMask ? knownBits : 0) << "u, "
                    << enumerantCount << ", " << byValue.size() << "},\n";
    for (const auto& [value, enumerant] : byValue) {
      std::vector<Operand> parameters;
      for (const Json& parameter : enumerant->value("parameters", Json::array()))
        parameters.push_back(classify(parameter));
      const size_t first = write_operands(parameters);
      const bool plain = std::all_of(parameters.begin(), parameters.end(), [](const Operand& o) {
        return o.oneWord && !o.isId && o.quantifier == "One";
      });
      enumerants << "    {" << value << "u, " << first << ", " << parameters.size()
                 << (plain ? ", true},\n" : ", false},\n");
    }
    enumerantCount += byValue.size();
  }
}

/// What a last operand is that has more than one word.
const char* tail_of(const Operand& operand) {
  if (operand.isMask && operand.quantifier != "Any") return "Mask";
  if (operand.kind == "IdIdPair" && operand.quantifier == "Any") return "IdPairs";
  if (operand.quantifier != "One") return "Complex";
  if (operand.kind == "String" || operand.kind == "TypedLiteral") return operand.kind.c_str();
  return operand.isValue ? "Enumerant" : "Complex";
}

void Generator::write_instruction(const Json& instruction) {
  const uint32_t opcode = instruction.at("opcode");
  if (rowOfOpcode.contains(opcode)) return;
  std::vector<Operand> list;
  for (const Json& operand : instruction.value("operands", Json::array()))
    list.push_back(classify(operand));

  size_t minWords = 1, leadingWords = 1;
  uint32_t idMask = 0;
  std::string tail = "Nothing";
  for (const Operand& operand : list) {
    if (operand.quantifier == "One") ++minWords;
    if (tail != "Nothing") continue;
    if (operand.oneWord && operand.quantifier != "Any" && leadingWords < 32) {
      if (operand.isId) idMask |= 1u << leadingWords;
      ++leadingWords;
    } else if (operand.oneWord && operand.quantifier == "Any" && &operand == &list.back()) {
      tail = operand.isId ? "Ids" : "Literals";
    } else {
      tail = &operand == &list.back() ? tail_of(operand) : "Complex";
    }
  }
  const auto has = [&](const char* kind) {
    return std::any_of(list.begin(), list.end(), [&](const Operand& o) { return o.kind == kind; });
  };
  const size_t first = write_operands(list);
  rowOfOpcode[opcode] = rowOfOpcode.size() + 1;
  largestOpcode = std::max<size_t>(largestOpcode, opcode);
  instructions << "    {\"" << instruction.at("opname").get<std::string>() << "\", " << opcode
               << ", " << first << ", " << list.size() << ", "
               << (has("ResultType") ? "true" : "false") << ", "
               << (has("Result") ? "true" : "false") << ", "
               << (is_declaration(instruction) ? "true" : "false") << ", "
               << (is_type(instruction) ? "true" : "false") << ", "
               << (is_special(instruction) ? "true" : "false") << ", Tail::" << tail << ", "
               << minWords << ", " << leadingWords << ", " << idMask << "u, "
               << (list.empty() ? 0 : list.back().plainBits) << "u},\n";
}

std::string Generator::names_of(const char* wanted) const {
  std::map<uint32_t, std::string> names;  // the first name of a value is the one that is no alias
  for (const Json& kind : grammar.at("operand_kinds"))
    if (kind.at("kind") == wanted)
      for (const Json& enumerant : kind.at("enumerants"))
        names.try_emplace(enumerant_value(enumerant), enumerant.at("enumerant"));
  std::ostringstream out;
  for (const auto& [value, name] : names)
    out << "    {" << value << "u, \"" << name << "\"},\n";
  return out.str();
}

std::string Generator::run() {
  find_enumerations();
  write_enumerations();
  for (const Json& instruction : grammar.at("instructions"))
    write_instruction(instruction);

  std::ostringstream out;
  out << "// Generated by generate_grammar.cpp from SPIR-V " << grammar.at("major_version") << '.'
      << grammar.at("minor_version") << " revision " << grammar.at("revision") << ".\n"
      << "constexpr OperandRule kOperandRules[] = {\n"
      << operands.str() << "};\n"
      << "constexpr EnumerantRule kEnumerantRules[] = {\n"
      << enumerants.str() << "};\n"
      << "constexpr EnumerationRule kEnumerationRules[] = {\n"
      << enumerationRows.str() << "};\n"
      << "constexpr InstructionRule kInstructionRules[] = {\n"
      << instructions.str() << "};\n"
      << "constexpr EnumerantName kCapabilityNames[] = {\n"
      << names_of("Capability") << "};\n"
      << "constexpr EnumerantName kImageFormatNames[] = {\n"
      << names_of("ImageFormat") << "};\n"
      << "constexpr EnumerantName kExecutionModeNames[] = {\n"
      << names_of("ExecutionMode") << "};\n"
      << "constexpr EnumerantName kBuiltInNames[] = {\n"
      << names_of("BuiltIn") << "};\n"
      << "// Row of an opcode in kInstructionRules, plus one; 0: unknown.\n"
      << "constexpr uint16_t kRowOfOpcode[] = {";
  for (uint32_t opcode = 0; opcode <= largestOpcode; ++opcode) {
    const auto row = rowOfOpcode.find(opcode);
    out << (opcode % 20 == 0 ? "\n    " : " ") << (row == rowOfOpcode.end() ? 0 : row->second)
        << ',';
  }
  out << "\n};\nconstexpr uint32_t kOpcodeCount = " << largestOpcode + 1 << ";\n";
  return out.str();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::fprintf(stderr, "usage: generate_grammar GRAMMAR.json OUTPUT.inc\n");
    return 2;
  }
  std::ifstream in(argv[1], std::ios::binary);
  const Json grammar = Json::parse(in);
  Generator generator{.grammar = grammar,
                      .enumerations = {},
                      .enumerationKinds = {},
                      .categories = {},
                      .operands = {},
                      .enumerants = {},
                      .enumerationRows = {},
                      .instructions = {},
                      .rowOfOpcode = {}};
  std::ofstream out(argv[2], std::ios::binary);
  out << generator.run();
  return out.good() ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "generate_grammar: %s\n", error.what());
  return 1;
}
