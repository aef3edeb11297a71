// SPDX-License-Identifier: MIT
#include "driver/compare_interfaces.h"

#include "compiler/driver/glsl_forms.h"

namespace heapsmith::driver {
namespace {

using test::compiled;
using test::loaded;

constexpr ShaderStage kFragment = ShaderStage::Fragment;

reflect::ShaderInterface interface_of(const std::string& source,
                                      ShaderStage stage = ShaderStage::Compute) {
  return loaded(compiled(source, stage)).interface;
}

std::string difference(const std::string& wanted, const std::string& found) {
  return compare_interfaces(interface_of(wanted), 0, interface_of(found));
}

std::string fragment_difference(const std::string& wanted, const std::string& found) {
  return compare_interfaces(interface_of(wanted, kFragment), 0, interface_of(found, kFragment));
}

const std::string kHeaps = "#extension GL_EXT_descriptor_heap : require\n";

}  // namespace

TEST_CASE("names and what is not used make no difference", "[glsl]") {
  CHECK(difference("layout(set = 0, binding = 0) buffer A { uint n; } a;\n"
                   "layout(set = 0, binding = 1) buffer B { uint n; } b;\n"
                   "layout(push_constant) uniform P { uint n; } p;\n"
                   "void main() { a.n = p.n; }",
                   "layout(set = 0, binding = 0) buffer C { uint m; } c;\n"
                   "layout(push_constant) uniform Q { uint m; } q;\n"
                   "void main() { c.m = q.m; }")
            .empty());
}

TEST_CASE("every part of an interface can make a difference", "[glsl]") {
  CHECK(compare_interfaces(interface_of("void main() {}"), 0,
                           interface_of("void main() {}", kFragment)) == "stage");
  const std::string out = "layout(location = 0) out vec4 c;\n";
  CHECK(fragment_difference(out + "layout(location = 1) in vec4 v;\nvoid main() { c = v; }",
                            out + "layout(location = 2) in vec4 v;\nvoid main() { c = v; }") ==
        "inputs or outputs");
  CHECK(fragment_difference(out + "layout(location = 1) flat in vec4 v;\nvoid main() { c = v; }",
                            out + "layout(location = 1) in vec4 v;\nvoid main() { c = v; }") ==
        "inputs or outputs");
  const std::string body = " { uint n; } b;\nvoid main() { b.n = 1; }";
  CHECK(difference("layout(set = 0, binding = 0) buffer B" + body,
                   "layout(set = 0, binding = 1) buffer B" + body) == "resources that stay mapped");
  CHECK(difference("layout(set = 0, binding = 0) buffer B { uint n; uint m; } b;\n"
                   "void main() { b.m = 1; }",
                   "layout(set = 0, binding = 0) buffer B { uint n; uvec2 m; } b;\n"
                   "void main() { b.m.x = 1; }") == "resources that stay mapped");
  CHECK(difference(kHeaps + "layout(descriptor_heap) buffer B { uint n; } b[];\n"
                            "void main() { b[0].n = 1; }",
                   kHeaps + "layout(descriptor_heap) buffer B { float n; } b[];\n"
                            "void main() { b[0].n = 1; }") == "descriptors in the heaps");
  CHECK(difference(kHeaps + "layout(descriptor_heap, r32ui) uniform uimage2D i[];\n"
                            "void main() { imageStore(i[0], ivec2(0), uvec4(0)); }",
                   kHeaps + "layout(descriptor_heap, r8ui) uniform uimage2D i[];\n"
                            "void main() { imageStore(i[0], ivec2(0), uvec4(0)); }") ==
        "descriptors in the heaps");
  const std::string result = "layout(set = 0, binding = 0) buffer B { uint n; } b;\n";
  CHECK(difference(result + "layout(push_constant) uniform P { uint x; uint y; } p;\n"
                            "void main() { b.n = p.y; }",
                   result + "layout(push_constant) uniform P { uint x; uint z; uint y; } p;\n"
                            "void main() { b.n = p.y; }") == "push constants");
  CHECK(
      difference(result + "layout(constant_id = 1) const uint k = 3;\nvoid main() { b.n = k; }",
                 result + "layout(constant_id = 1) const uint k = 4;\nvoid main() { b.n = k; }") ==
      "specialization constants");
  CHECK(fragment_difference("layout(early_fragment_tests) in;\nvoid main() {}", "void main() {}") ==
        "execution modes");
  CHECK(difference("layout(local_size_x = 4) in;\nvoid main() {}",
                   "layout(local_size_x = 8) in;\nvoid main() {}") == "workgroup size");
}

TEST_CASE("only further features count", "[glsl]") {
  const std::string heap = "layout(set = 0, binding = 0) buffer B { uint n; } b;\n";
  const auto plain = interface_of(heap + "void main() { b.n = 1; }");
  const auto wide =
      interface_of("#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n" + heap +
                   "void main() { uint64_t n = b.n; b.n = uint(n * n); }");
  CHECK(further_features(plain, wide) == std::vector<std::string>{"shaderInt64"});
  CHECK(further_features(wide, plain).empty());
  CHECK(further_features(wide, wide).empty());
}

}  // namespace heapsmith::driver
