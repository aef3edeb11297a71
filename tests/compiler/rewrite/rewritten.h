// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/rewrite/sample_placements.h"
#include "compiler/spirv/module_text.h"
#include "reflect/reflect_module.h"
#include "rewrite/rewrite_module.h"

/// Rewrites of assembly text, for tests.
namespace heapsmith::rewrite::test {

/// The parts of a compute shader, or of a ray-generation shader, that differ from test to test.
struct Parts {
  bool rays = false;
  std::string capabilities{};  ///< and extensions
  std::string interface{};     ///< of the entry point, from SPIR-V 1.4 on
  std::string decorations{};   ///< and names
  std::string declarations{};
  std::string functions{};
  std::string body{};
  std::string memoryModel = "GLSL450";
};

/// Names must come before decorations.
inline std::string names_first(const std::string& lines) {
  std::string names;
  std::string others;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);)
    (line.find("OpName") != std::string::npos ? names : others) += line + "\n";
  return names + others;
}

inline std::string shader(const Parts& parts) {
  const std::string capabilities = parts.rays
                                       ? "OpCapability RayTracingKHR\n" + parts.capabilities +
                                             "\nOpExtension \"SPV_KHR_ray_tracing\"\n"
                                       : "OpCapability Shader\n" + parts.capabilities;
  return capabilities + "\nOpMemoryModel Logical " + parts.memoryModel + "\nOpEntryPoint " +
         (parts.rays ? "RayGenerationKHR" : "GLCompute") + " %main \"main\" " + parts.interface +
         (parts.rays ? "\n" : "\nOpExecutionMode %main LocalSize 1 1 1\n") +
         "OpName %main \"main\"\n" + names_first(parts.decorations) +
         "\n%void = OpTypeVoid\n%voidFunction = OpTypeFunction %void\n" + parts.declarations +
         "\n" + parts.functions +
         "\n%main = OpFunction %void None %voidFunction\n%start = OpLabel\n" + parts.body +
         "\nOpReturn\nOpFunctionEnd\n";
}

/// "OpDecorate %id DescriptorSet set", and Binding, and a name.
inline std::string place(const std::string& id, int set, int binding) {
  return "OpName %" + id + " \"" + id + "\"\nOpDecorate %" + id + " DescriptorSet " +
         std::to_string(set) + "\nOpDecorate %" + id + " Binding " + std::to_string(binding) + "\n";
}

struct Outcome {
  std::vector<uint32_t> words;  ///< empty: refused
  std::vector<Diagnostic> diagnostics;
};

inline Outcome rewrite_words(const std::vector<uint32_t>& words, const Placements* placements,
                             const sample::Options& options) {
  const spirv::Module module = spirv::test::parsed(words);
  Outcome outcome;
  Diagnostics diagnostics;
  const auto interface = reflect::reflect_module(module, "test.spv", diagnostics);
  REQUIRE(interface.has_value());
  const Placements all =
      placements != nullptr ? *placements : sample::place_all(*interface, options);
  const auto first = rewrite_module(module, *interface, all, "test.spv", diagnostics);
  outcome.diagnostics = diagnostics.all();
  if (!first) return outcome;
  const auto again = rewrite_module(module, *interface, all, "test.spv", diagnostics);
  REQUIRE(again.has_value());
  CHECK(*first == *again);
  outcome.words = *first;
  return outcome;
}

/// The module must be valid before, and after for devices with descriptors of several sizes.
inline std::vector<uint32_t> rewritten_words(const std::string& text, uint32_t version,
                                             const Placements* placements = nullptr,
                                             const sample::Options& options = {}) {
  const auto words = spirv::test::words_of(text, version);
  spirv::test::require_valid(words);
  const Outcome outcome = rewrite_words(words, placements, options);
  for (const Diagnostic& diagnostic : outcome.diagnostics)
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE_FALSE(outcome.words.empty());
  struct Sizes {
    uint32_t buffer, image, sampler;
  };
  for (const Sizes sizes : {Sizes{16, 32, 16}, {64, 64, 32}, {128, 64, 32}}) {
    spirv::ValidationOptions validation;
    validation.buffer = {.size = sizes.buffer, .alignment = sizes.buffer};
    validation.image = {.size = sizes.image, .alignment = sizes.image};
    validation.sampler = {.size = sizes.sampler, .alignment = sizes.sampler};
    spirv::test::require_valid(outcome.words, validation);
  }
  return outcome.words;
}

inline std::string rewritten(const std::string& text, const sample::Options& options = {},
                             uint32_t version = 0x00010300) {
  return spirv::test::text_of(rewritten_words(text, version, nullptr, options));
}

/// The lines behind the one that holds `from`, up to the one that holds `to`, without both.
inline std::string between(const std::string& text, const std::string& from,
                           const std::string& to) {
  const size_t line = text.find(from);
  REQUIRE(line != std::string::npos);
  const size_t begin = text.find('\n', line) + 1;
  const size_t end = text.find(to, begin);
  REQUIRE(end != std::string::npos);
  return text.substr(begin, text.rfind('\n', end) + 1 - begin);
}

/// How the names begin that spirv-dis gives to ids without one: "", "_struct_", "_ptr_Uniform_",
/// "_ptr_Uniform__struct_".
inline bool is_given_prefix(std::string_view prefix) {
  if (prefix.starts_with("_ptr_")) {
    const size_t letters = prefix.find_first_not_of(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", std::string_view("_ptr_").size());
    if (letters == prefix.npos || letters == 5 || prefix[letters] != '_') return false;
    prefix.remove_prefix(letters + 1);
  }
  return prefix.empty() || prefix == "_runtimearr_" || prefix == "_struct_";
}

/// Numbers the ids without a name from 1 on, in order of appearance.
inline std::string numbered(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::string_view kWord =
      "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::map<std::string, std::string> numbers;
  std::string result;
  for (size_t at = text.find('%'); at != text.npos; at = text.find('%')) {
    result += text.substr(0, at + 1);
    text.remove_prefix(at + 1);
    const std::string_view name = text.substr(0, text.find_first_not_of(kWord));
    const size_t digits = name.find_last_not_of(kDigits) + 1;
    const std::string_view number = name.substr(digits);
    text.remove_prefix(name.size());
    result += name.substr(0, digits);
    if (number.empty() || !is_given_prefix(name.substr(0, digits))) {
      result += number;
      continue;
    }
    const auto [entry, isNew] = numbers.try_emplace(std::string(number));
    if (isNew) entry->second = std::to_string(numbers.size());
    result += entry->second;
  }
  return result.append(text);
}

/// What a function does: its parameters, labels and all.
inline std::string function_of(const std::string& text, const std::string& name) {
  return numbered(between(text, "%" + name + " = OpFunction", "OpFunctionEnd"));
}

/// What the entry point does in its only block.
inline std::string main_of(const std::string& text) {
  return numbered(
      between(between(text, "%main = OpFunction", "OpFunctionEnd"), "OpLabel", "OpReturn"));
}

inline bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace heapsmith::rewrite::test
