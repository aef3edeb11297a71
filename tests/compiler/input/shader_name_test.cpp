// SPDX-License-Identifier: MIT
#include "input/shader_name.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace heapsmith::input {
namespace {

TEST_CASE("shader names: stem and stage") {
  struct Case {
    std::string path;
    std::string fileName;
    std::string stem;
    std::optional<ShaderStage> stage;
  };
  const Case cases[] = {
      {"knot.vert", "knot.vert", "knot", ShaderStage::Vertex},
      {"a/b.c/knot.frag", "knot.frag", "knot", ShaderStage::Fragment},
      {"knot.frag.glsl", "knot.frag.glsl", "knot", ShaderStage::Fragment},
      {"knot.comp.spv", "knot.comp.spv", "knot", ShaderStage::Compute},
      {"knot.comp.glsl.spv", "knot.comp.glsl.spv", "knot", ShaderStage::Compute},
      {"knot.mesh.spvasm", "knot.mesh.spvasm", "knot", ShaderStage::Mesh},
      {"knot.spv", "knot.spv", "knot", {}},
      {"knot.glsl", "knot.glsl", "knot", {}},
      {"knot", "knot", "knot", {}},
      {"knot.v2.frag", "knot.v2.frag", "knot.v2", ShaderStage::Fragment},
      {"knot.txt", "knot.txt", "knot.txt", {}},
      {"knot.fragment", "knot.fragment", "knot", ShaderStage::Fragment},
      {"knot.FRAG", "knot.FRAG", "knot.FRAG", {}},
      {".vert", ".vert", ".vert", {}},
      {".spv", ".spv", ".spv", {}},
      {"./.vert.spv", ".vert.spv", ".vert", {}},
      {"-", "stdin", "stdin", {}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.path);
    const ShaderName name = parse_shader_name(c.path);
    CHECK(name.fileName == c.fileName);
    CHECK(name.stem == c.stem);
    CHECK(name.stage == c.stage);
  }
}

TEST_CASE("shader names: every stage by extension and by name") {
  const std::pair<const char*, const char*> names[] = {
      {"vert", "vertex"},       {"tesc", "tesscontrol"}, {"tese", "tesseval"},
      {"geom", "geometry"},     {"frag", "fragment"},    {"comp", "compute"},
      {"task", "task"},         {"mesh", "mesh"},        {"rgen", "raygen"},
      {"rahit", "anyhit"},      {"rchit", "closesthit"}, {"rmiss", "miss"},
      {"rint", "intersection"}, {"rcall", "callable"}};
  uint32_t bit = 1;
  for (const auto& [extension, name] : names) {
    CAPTURE(extension);
    CHECK(find_stage(extension) == static_cast<ShaderStage>(bit));
    CHECK(find_stage(name) == static_cast<ShaderStage>(bit));
    bit <<= 1;
  }
  CHECK_FALSE(find_stage(""));
  CHECK_FALSE(find_stage("glsl"));
  CHECK_FALSE(find_stage("Vertex"));
}

}  // namespace
}  // namespace heapsmith::input
