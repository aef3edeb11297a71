// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "driver/decide.h"
#include "driver/rewrite_shaders.h"
#include "input/shader_source.h"
#include "reflect/reflect_module.h"
#include "spirv/parse.h"

/// GLSL of rewritten modules, for tests.
namespace heapsmith::driver::test {

inline std::vector<uint32_t> compiled(const std::string& source,
                                      ShaderStage stage = ShaderStage::Compute) {
  Diagnostics diagnostics;
  auto made = input::compile_glsl("#version 460\n" + source, "test.glsl", stage,
                                  {.includeFolders = {}, .defines = {}}, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(made.has_value());
  return std::move(made->words);
}

inline LoadedShader loaded(std::vector<uint32_t> words) {
  Diagnostics diagnostics;
  const auto module = spirv::parse_module(std::as_bytes(std::span(words)), "test.spv", diagnostics);
  REQUIRE(module.has_value());
  auto interface = reflect::reflect_module(*module, "test.spv", diagnostics);
  REQUIRE(interface.has_value());
  return {.path = "test.spv",
          .name = input::parse_shader_name("test.spv"),
          .words = std::move(words),
          .includes = {},
          .interface = std::move(*interface)};
}

struct GlslOutcome {
  std::vector<OutputText> texts;  ///< empty: refused
  std::vector<SlotConstant> constants;
  std::vector<std::string> warnings;  ///< "HS6003 ..."
  std::string error;                  ///< likewise
};

/// What `heapsmith rewrite --emit glsl` makes of one module.
inline GlslOutcome glsl_of(std::vector<uint32_t> words, const plan::Policy& policy = {},
                           bool validate = true) {
  const std::vector<LoadedShader> shaders = {loaded(std::move(words))};
  const std::string files[] = {"test.spv"};
  Diagnostics diagnostics;
  auto content = decide(shaders, files, {}, policy, diagnostics);
  REQUIRE(content.has_value());
  ShaderOptions options;
  options.threads = 1;
  options.validate = validate;
  auto outputs = rewrite_shaders(shaders, options, /*emitGlsl=*/true, *content, diagnostics);
  GlslOutcome outcome;
  for (const Diagnostic& said : diagnostics.all()) {
    std::string text = std::string(code_text(said.code)) + " " + said.text;
    if (said.severity == Severity::Warning)
      outcome.warnings.push_back(std::move(text));
    else if (outcome.error.empty())
      outcome.error = std::move(text);
  }
  if (outputs) {
    for (OutputModule& output : *outputs) {
      for (OutputText& text : output.glsl)
        outcome.texts.push_back(std::move(text));
    }
    outcome.constants = content->programs[0].shaders[0].slotConstants;
  }
  return outcome;
}

/// The text of a module with one entry point.
inline std::string glsl_text(const std::string& source, ShaderStage stage = ShaderStage::Compute) {
  const GlslOutcome outcome = glsl_of(compiled(source, stage));
  INFO(outcome.error);
  REQUIRE(outcome.texts.size() == 1);
  return outcome.texts[0].text;
}

/// Why it is refused.
inline std::string glsl_error(const std::string& source) {
  const GlslOutcome outcome = glsl_of(compiled(source));
  CHECK(outcome.texts.empty());
  return outcome.error;
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace heapsmith::driver::test
