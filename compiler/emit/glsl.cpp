// SPDX-License-Identifier: MIT
#include "emit/glsl.h"

#include <algorithm>
#include <exception>
#include <format>
#include <map>
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

// "spvResult_262ResourceHeap" holds blocks "Result", and "spv_7SamplerHeap" is named after nothing:
// then it holds what `type` says. Nothing if it is no name of an array in a heap.
std::string content_of(std::string_view name, std::string_view type) {
  if (!name.starts_with("spv")) return {};
  name.remove_prefix(3);
  if (name.ends_with("ResourceHeap")) {
    name.remove_suffix(12);
  } else if (name.ends_with("SamplerHeap")) {
    name.remove_suffix(11);
  } else {
    return {};
  }
  const size_t before_id = name.size();
  while (!name.empty() && is_digit(name.back()))
    name.remove_suffix(1);
  if (name.size() == before_id || !name.ends_with('_')) return {};
  name.remove_suffix(1);
  return std::string(name.empty() ? type : name);
}

// In a heap they are textures without a sampler, whatever SPIRV-Cross calls them.
const std::map<std::string_view, std::string> kTexelBuffers = {
    {"samplerBuffer", "textureBuffer"},
    {"isamplerBuffer", "itextureBuffer"},
    {"usamplerBuffer", "utextureBuffer"},
};

// Names the arrays anew: as their content, with a number where that is taken. A declaration comes
// before all uses, and there the word in front of an array without a block is its type.
std::string name_arrays(std::string_view text) {
  const std::vector<std::string_view> parts = split(text);
  std::set<std::string, std::less<>> taken(parts.begin(), parts.end());
  std::map<std::string_view, std::string> names = kTexelBuffers;
  std::string result;
  std::string_view last;
  for (const std::string_view part : parts) {
    if (!is_word(part.front())) {
      result += part;
      continue;
    }
    if (!names.contains(part)) {
      const std::string content = content_of(part, last);
      std::string name = content.empty() ? std::string(part) : content + "Heap";
      for (int n = 2; !content.empty() && !taken.insert(name).second; ++n)
        name = std::format("{}Heap{}", content, n);
      names.emplace(part, std::move(name));
    }
    result += names.at(part);
    last = names.at(part);
  }
  return result;
}

std::string first_lines(const GlslConstants& constants) {
  std::string lines =
      "// heapsmith: descriptors come from the heaps. An index counts descriptors of its class "
      "from "
      "the\n// heap's start; the manifest says which slots are whose.\n";
  if (constants.firstBufferId) {
    lines += std::format(
        "// firstBuffer (constant_id = {}) must be set when the pipeline is created, to the first "
        "slot"
        " of\n// the buffer region: ({} * imageDescriptorSize + bufferDescriptorSize - 1) / "
        "bufferDescriptorSize.\n// Its default holds where both sizes are the same.\n",
        *constants.firstBufferId, constants.imageSlots);
  }
  return lines;
}

// Behind the first line, which is the version's.
std::string with_first_lines(std::string text, const GlslConstants& constants) {
  constexpr std::string_view kSamplerless = "GL_EXT_samplerless_texture_functions";
  std::string lines = first_lines(constants);
  if (text.contains("textureBuffer") && !text.contains(kSamplerless))
    lines += std::format("#extension {} : require\n", kSamplerless);
  text.insert(text.find('\n') + 1, lines);
  return text;
}

std::string translate(std::span<const uint32_t> words) {
  spirv_cross::CompilerGLSL compiler(words.data(), words.size());
  spirv_cross::CompilerGLSL::Options options = compiler.get_common_options();
  options.version = 460;
  options.es = false;
  options.vulkan_semantics = true;
  compiler.set_common_options(options);
  return compiler.compile();
}

}  // namespace

Diagnosed<std::string> glsl(std::span<const uint32_t> words, const GlslConstants& constants,
                            const std::string& file, Diagnostics& diagnostics) {
  try {
    return with_first_lines(name_arrays(translate(words)), constants);
  } catch (const std::exception& thrown) {
    return diagnostics.error(
        Code::UnsupportedGlsl, {.file = file},
        std::format("cannot be written as GLSL; SPIRV-Cross says: {}", thrown.what()));
  }
}

}  // namespace heapsmith::emit
