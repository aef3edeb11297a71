// SPDX-License-Identifier: MIT
#include "emit/glsl.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <format>
#include <optional>
#include <set>
#include <spirv_cross/spirv_glsl.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace heapsmith::emit {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The text cut into words and what stands between them.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin + 1;
    while (end < text.size() && is_word(text[end]) == is_word(text[begin]))
      ++end;
    parts.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return parts;
}

// "spvResult_262ResourceHeap" holds blocks "Result", read with the pointer 262, and
// "spv_7SamplerHeap" what the type 7 says.
struct ArrayName {
  std::string_view content;  // empty: the type's name
  uint32_t id = 0;
};

// Nothing if it is no name of an array in a heap.
std::optional<ArrayName> read_array_name(std::string_view name) {
  if (!name.starts_with("spv")) return std::nullopt;
  name.remove_prefix(3);
  if (name.ends_with("ResourceHeap")) {
    name.remove_suffix(12);
  } else if (name.ends_with("SamplerHeap")) {
    name.remove_suffix(11);
  } else {
    return std::nullopt;
  }
  size_t digits = name.size();
  while (digits != 0 && is_digit(name[digits - 1]))
    --digits;
  ArrayName read;
  const auto parsed = std::from_chars(name.data() + digits, name.data() + name.size(), read.id);
  if (parsed.ec != std::errc() || digits == 0 || name[digits - 1] != '_') return std::nullopt;
  read.content = name.substr(0, digits - 1);
  return read;
}

// In a heap they are textures without a sampler, whatever SPIRV-Cross calls them.
const std::map<std::string_view, std::string> kTexelBuffers = {
    {"samplerBuffer", "textureBuffer"},
    {"isamplerBuffer", "itextureBuffer"},
    {"usamplerBuffer", "utextureBuffer"},
};

// Names the arrays anew: as their content, with a number where that is taken; and lets their
// declarations say all that they must, of which SPIRV-Cross leaves out what images say and
// `volatile`:
//
//   layout(descriptor_heap, r32ui) uniform uimage2D spv_7ResourceHeap[];
// →
//   layout(descriptor_heap, r32ui) coherent uniform uimage2D uimage2DHeap[];
//
// A declaration comes before all uses, and there the word in front of an array without a block is
// its type.
class ArrayWriter {
 public:
  ArrayWriter(std::string_view text, const std::map<uint32_t, reflect::Qualifiers>& qualifiers)
      : parts_(split(text)),
        qualifiers_(qualifiers),
        taken_(parts_.begin(), parts_.end()),
        names_(kTexelBuffers) {}

  std::string run() {
    for (const std::string_view part : parts_) {
      if (is_word(part.front())) {
        write_word(part);
      } else {
        result_ += part;
        if (in_layout_ && part.contains(')')) begin_declaration();
      }
    }
    return std::move(result_);
  }

 private:
  void begin_declaration() {
    in_layout_ = false;
    said_.clear();
    declaration_ = result_.size();
  }

  void write_word(std::string_view word) {
    if (!names_.contains(word)) {
      const auto array = read_array_name(word);
      if (array) declare(array->id);
      names_.emplace(word, array ? name_of(*array) : std::string(word));
    }
    in_layout_ |= word == "descriptor_heap";
    said_.insert(word);
    last_ = names_.at(word);
    result_ += last_;
  }

  std::string name_of(const ArrayName& array) {
    const std::string content(array.content.empty() ? last_ : array.content);
    std::string name = content + "Heap";
    for (int n = 2; !taken_.insert(name).second; ++n)
      name = std::format("{}Heap{}", content, n);
    return name;
  }

  void declare(uint32_t id) {
    const auto found = qualifiers_.find(id);
    if (found == qualifiers_.end()) return;
    const reflect::Qualifiers& wanted = found->second;
    const std::pair<bool, std::string_view> words[] = {{wanted.coherent, "coherent"},
                                                       {wanted.isVolatile, "volatile"},
                                                       {wanted.isRestrict, "restrict"},
                                                       {wanted.nonWritable, "readonly"},
                                                       {wanted.nonReadable, "writeonly"}};
    std::string missing;
    for (const auto& [is_wanted, word] : words) {
      if (is_wanted && !said_.contains(word)) missing += std::format("{} ", word);
    }
    result_.insert(declaration_, missing);
  }

  std::vector<std::string_view> parts_;
  const std::map<uint32_t, reflect::Qualifiers>& qualifiers_;
  std::set<std::string, std::less<>> taken_;
  std::map<std::string_view, std::string> names_;
  std::string result_;
  bool in_layout_ = false;           // of an array in a heap
  size_t declaration_ = 0;           // where the last such layout ends
  std::set<std::string_view> said_;  // since then
  std::string_view last_;
};

// An item of a list, in lines that are not too long.
std::string comment(std::string_view text) {
  constexpr size_t kLongest = 90;
  std::string lines;
  for (std::string_view indent = "//   "; !text.empty(); indent = "//     ") {
    size_t end = text.size();
    if (end > kLongest) end = text.rfind(' ', kLongest);
    if (end == std::string_view::npos) end = std::min(text.find(' '), text.size());
    lines += std::format("{}{}\n", indent, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string first_lines(const GlslRequest& request) {
  const std::vector<GlslConstant>& constants = request.constants;
  std::string lines =
      "// heapsmith: descriptors come from the heaps. An index counts descriptors of its class "
      "from "
      "the\n// heap's start; the manifest says which slots are whose.\n";
  const auto list = [&](bool always, std::string_view when) {
    if (!std::ranges::contains(constants, always, &GlslConstant::always)) return;
    lines += std::format("// {}, as vulkan_specialization() does:\n", when);
    for (const GlslConstant& constant : constants) {
      if (constant.always == always)
        lines += comment(std::format("constant_id {}: {}", constant.specId, constant.meaning));
    }
  };
  list(true, "To be set whenever a pipeline is created");
  list(false, "To be set if the heaps have other capacities or instances than the manifest says");
  for (const std::string& feature : request.furtherFeatures)
    lines += std::format("// The device must have the feature {}.\n", feature);
  return lines;
}

// Whether something may be asked of a texture without a sampler.
bool may_be_samplerless(std::string_view text) {
  constexpr std::string_view kSigns[] = {"textureBuffer", "textureSize", "textureQueryLevels",
                                         "textureSamples"};
  return std::ranges::any_of(kSigns, [&](std::string_view sign) { return text.contains(sign); });
}

// Behind the first line, which is the version's. SPIRV-Cross forgets an extension.
std::string with_first_lines(std::string text, const GlslRequest& request) {
  constexpr std::string_view kSamplerless = "GL_EXT_samplerless_texture_functions";
  std::string lines = first_lines(request);
  if (may_be_samplerless(text) && !text.contains(kSamplerless))
    lines += std::format("#extension {} : require\n", kSamplerless);
  text.insert(text.find('\n') + 1, lines);
  return text;
}

// Writes an expression where its value is used, but for these, which become variables.
class Translator : public spirv_cross::CompilerGLSL {
 public:
  explicit Translator(const GlslRequest& request)
      : CompilerGLSL(request.words.data(), request.words.size()) {
    forced_temporaries.insert(request.orderedLoads.begin(), request.orderedLoads.end());
  }
};

std::string translate(const GlslRequest& request) {
  Translator compiler(request);
  spirv_cross::CompilerGLSL::Options options = compiler.get_common_options();
  options.version = 460;
  options.es = false;
  options.vulkan_semantics = true;
  compiler.set_common_options(options);
  if (compiler.get_entry_points_and_stages().size() > 1) {
    compiler.set_entry_point(request.entryPoint,
                             static_cast<spv::ExecutionModel>(request.executionModel));
    compiler.set_enabled_interface_variables(compiler.get_active_interface_variables());
  }
  return compiler.compile();
}

}  // namespace

Diagnosed<std::string> glsl(const GlslRequest& request, const std::string& file,
                            Diagnostics& diagnostics) {
  try {
    const std::string text = translate(request);
    return with_first_lines(ArrayWriter(text, request.qualifiers).run(), request);
  } catch (const std::exception& thrown) {
    return diagnostics.error(
        Code::UnsupportedGlsl, {.file = file},
        std::format("cannot be written as GLSL; SPIRV-Cross says: {}", thrown.what()));
  }
}

}  // namespace heapsmith::emit
