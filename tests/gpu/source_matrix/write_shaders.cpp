// SPDX-License-Identifier: MIT
#include <algorithm>
#include <format>

#include "case.h"

namespace source_matrix {
namespace {

std::string dimension(Dim dim) {
  switch (dim) {
    case Dim::D2Array:
      return "2DArray";
    case Dim::Cube:
      return "Cube";
    case Dim::CubeArray:
      return "CubeArray";
    case Dim::D3:
      return "3D";
    case Dim::Multisampled:
      return "2DMS";
    case Dim::None:
    case Dim::D2:
    case Dim::Shadow:
      break;
  }
  return "2D";
}

std::string brackets(Array array) {
  constexpr std::string_view kBrackets[kArrays] = {"", "[3]", "[kCount]", "[]"};
  return std::string(kBrackets[static_cast<size_t>(array)]);
}

/// Element `e` of a variable.
std::string element(const Case& test, uint32_t index) {
  const bool alone = test.resources[index].array == Array::None;
  return alone ? variable(index)
               : variable(index) + (test.divergent ? "[nonuniformEXT(e)]" : "[e]");
}

std::string declaration(const Case& test, uint32_t index, uint32_t attachment) {
  const Resource& resource = test.resources[index];
  const std::string name = variable(index) + brackets(resource.array) + ";\n";
  const std::string place = std::format("set = {}, binding = {}", resource.set, resource.number);
  const std::string plain = std::format("layout({}) uniform ", place);
  const std::string format = std::format("layout({}, r32ui) ", place);
  const std::string access = resource.written ? "" : "readonly ";
  switch (resource.kind) {
    case Kind::UniformBuffer:
      return std::format("layout({}, std140) uniform Block{} {{ uvec4 head; uint tail;{} }} {}",
                         place, index, resource.large ? " uvec4 more[4];" : "", name);
    case Kind::StorageBuffer:
      if (resource.role == Role::Results)
        return std::format("layout({}, std430) buffer Results {{ uint words[]; }} {}", place, name);
      return std::format(
          "layout({}, std430) {}buffer Buffer{} {{ uint head; uint written; uint rest[]; }} {}",
          place, access, index, name);
    case Kind::SampledImage:
      return plain + "texture" + dimension(resource.dim) + " " + name;
    case Kind::StorageImage:
      return format + access + "uniform uimage" + dimension(resource.dim) + " " + name;
    case Kind::Sampler:
      return plain + (resource.dim == Dim::Shadow ? "samplerShadow " : "sampler ") + name;
    case Kind::Combined:
      return plain + "sampler" + dimension(resource.dim) +
             (resource.dim == Dim::Shadow ? "Shadow " : " ") + name;
    case Kind::UniformTexelBuffer:
      // GLSL has two ways to say it, which become different types.
      return plain + (index % 2 == 0 ? "utextureBuffer " : "usamplerBuffer ") + name;
    case Kind::StorageTexelBuffer:
      return format + access + "uniform uimageBuffer " + name;
    case Kind::InputAttachment:
      return std::format("layout({}, input_attachment_index = {}) uniform subpassInput {}", place,
                         attachment, name);
    case Kind::AccelerationStructure:
      return plain + "accelerationStructureEXT " + name;
  }
  return {};
}

/// Texel coordinates: of layer 1 of an array, of the second face of a cube or of its second
/// element.
std::string texel(Dim dim, uint32_t x) {
  switch (dim) {
    case Dim::D2Array:
    case Dim::Cube:
      return std::format("ivec3({}, 0, 1)", x);
    case Dim::CubeArray:
      return std::format("ivec3({}, 0, 7)", x);
    case Dim::D3:
      return std::format("ivec3({}, 0, 0)", x);
    default:
      return std::format("ivec2({}, 0)", x);
  }
}

/// The same place for a sampler.
std::string coordinates(Dim dim) {
  switch (dim) {
    case Dim::D2Array:
      return "vec3(0.5, 0.5, 1)";
    case Dim::Cube:
      return "vec3(-1, 0, 0)";
    case Dim::CubeArray:
      return "vec4(-1, 0, 0, 1)";
    case Dim::D3:
      return "vec3(0.5)";
    default:
      return "vec2(0.5)";
  }
}

std::string note(uint32_t offset, const std::string& value) {
  return std::format("    results.words[at + {}] = {};\n", offset, value);
}

/// Reads a sampler and a texture together. Of a comparison the value is found bit by bit: what is
/// stored lies between two references.
std::string sample(Dim dim, const std::string& texture) {
  if (dim != Dim::Shadow)
    return note(0, std::format("uint(textureLod({}, {}, 0.0).x)", texture, coordinates(dim)));
  const auto compare = [&](std::string_view reference) {
    return std::format("textureLod({}, vec3(0.5, 0.5, {}), 0.0)", texture, reference);
  };
  return std::format(
             "    bool less = {} < 0.5;\n    uint found = 0;\n"
             "    for (uint bit = 128; bit != 0; bit /= 2) {{\n"
             "      bool below = {} < 0.5;\n"
             "      if (below != less) found += bit;\n    }}\n",
             compare("1.0"), compare("(float(found + bit) - 0.5) / 256.0")) +
         note(0, "found") + note(1, "uint(less)");
}

std::string partner_of(const Case& test, const Resource& resource) {
  return element(test, resource.partner);
}

std::string read_image(const Case& test, const Resource& resource, const std::string& name) {
  if (resource.partner != kNobody) {
    const bool lone_sampler = resource.kind == Kind::Sampler;
    const std::string shadow = resource.dim == Dim::Shadow ? "Shadow" : "";
    return sample(resource.dim, std::format("sampler{}{}({}, {})", dimension(resource.dim), shadow,
                                            lone_sampler ? partner_of(test, resource) : name,
                                            lone_sampler ? name : partner_of(test, resource)));
  }
  if (resource.kind == Kind::Combined) return sample(resource.dim, name);
  const uint32_t last = resource.dim == Dim::Multisampled ? 3 : 0;  // a sample or a level
  return note(0, std::format("uint(texelFetch({}, {}, {}).x)", name, texel(resource.dim, 0), last));
}

std::string read(const Case& test, uint32_t index) {
  const Resource& resource = test.resources[index];
  const std::string name = element(test, index);
  switch (resource.kind) {
    case Kind::UniformBuffer:
      return note(0, name + ".head.w") + note(1, name + ".tail");
    case Kind::StorageBuffer: {
      const std::string length = reads_length(test, resource) ? name + ".rest.length()" : "0";
      const std::string noted = note(0, name + ".head") + note(1, std::format("uint({})", length));
      return resource.written
                 ? noted + std::format("    {}.written = {}.head + 7777;\n", name, name)
                 : noted;
    }
    case Kind::StorageImage: {
      const std::string load = std::format("imageLoad({}, {}).x", name, texel(resource.dim, 0));
      if (!resource.written) return note(0, load);
      return note(0, load) + std::format("    imageStore({}, {}, uvec4({} + 7777));\n", name,
                                         texel(resource.dim, 1), load);
    }
    case Kind::SampledImage:
    case Kind::Sampler:
    case Kind::Combined:
      return read_image(test, resource, name);
    case Kind::UniformTexelBuffer:
      return note(0, std::format("texelFetch({}, 0).x", name)) +
             note(1, std::format("uint(textureSize({}))", name));
    case Kind::StorageTexelBuffer: {
      const std::string load = std::format("imageLoad({}, 0).x", name);
      if (!resource.written) return note(0, load);
      return note(0, load) + std::format("    imageStore({}, 1, uvec4({} + 7777));\n", name, load);
    }
    case Kind::InputAttachment:
      return note(0, std::format("uint(subpassLoad({}).x)", name));
    case Kind::AccelerationStructure:
      return "    rayQueryEXT query;\n" +
             std::format(
                 "    rayQueryInitializeEXT(query, {}, gl_RayFlagsOpaqueEXT, 0xFF, vec3(0), 0.0, "
                 "vec3(1, 0, 0), 1000.0);\n",
                 name) +
             "    while (rayQueryProceedEXT(query)) {}\n" +
             note(0,
                  "rayQueryGetIntersectionTypeEXT(query, true) == 0 ? 0 : "
                  "uint(rayQueryGetIntersectionTEXT(query, true))");
  }
  return {};
}

std::string head(const Case& test) {
  const bool queries = std::ranges::any_of(test.resources, [](const Resource& resource) {
    return resource.role == Role::Subject && resource.kind == Kind::AccelerationStructure;
  });
  std::string text =
      "#version 460\n"
      "#extension GL_EXT_nonuniform_qualifier : require\n"
      "#extension GL_EXT_samplerless_texture_functions : require\n";
  if (is_ray_stage(test.stage)) text += "#extension GL_EXT_ray_tracing : require\n";
  if (test.stage == Stage::Task || test.stage == Stage::Mesh)
    text += "#extension GL_EXT_mesh_shader : require\n";
  if (queries) text += "#extension GL_EXT_ray_query : require\n";
  return text +
         "layout(constant_id = 0) const uint kCount = 4;\n"
         "layout(push_constant) uniform Own { uint key; uint record; } own;\n";
}

/// Everything before the reading, and after it.
struct Frame {
  std::string before;
  std::string after;
};

Frame frame(const Case& test) {
  switch (test.stage) {
    case Stage::Compute:
      if (test.divergent) return {"layout(local_size_x = 8) in;\nvoid main() {\n", "}\n"};
      return {"layout(local_size_x = 1) in;\nvoid main() {\n", "}\n"};
    case Stage::Vertex:
      return {"void main() {\n  gl_Position = vec4(0);\n  if (gl_VertexIndex != 0) return;\n",
              "}\n"};
    case Stage::Fragment:
      return {"void main() {\n", "}\n"};
    case Stage::Task:
      return {"layout(local_size_x = 1) in;\nvoid main() {\n", "  EmitMeshTasksEXT(0, 0, 0);\n}\n"};
    case Stage::Mesh:
      return {
          "layout(local_size_x = 1) in;\nlayout(triangles, max_vertices = 3, max_primitives = 1) "
          "out;\nvoid main() {\n",
          "  SetMeshOutputsEXT(0, 0);\n}\n"};
    case Stage::RayGeneration:
      return {"void main() {\n", "}\n"};
    case Stage::Miss:
    case Stage::ClosestHit:
      return {"layout(location = 0) rayPayloadInEXT uint payload;\nvoid main() {\n", "}\n"};
    case Stage::Callable:
      return {"layout(location = 0) callableDataInEXT uint payload;\nvoid main() {\n", "}\n"};
  }
  return {};
}

std::string subject_shader(const Case& test) {
  std::string text = head(test);
  std::string reading = "  results.words[0] = own.key;\n  uint at;\n";
  uint32_t attachment = 0;
  for (uint32_t index = 0; index < test.resources.size(); ++index) {
    const Resource& resource = test.resources[index];
    if (resource.role == Role::Scene) continue;
    text += declaration(test, index, attachment);
    if (resource.kind == Kind::InputAttachment) attachment += elements(resource.array);
    if (resource.role == Role::Results)
      text += std::format("#define results {}\n", variable(index));
    if (resource.role != Role::Subject) continue;
    const std::string loop = test.divergent ? "int e = int(gl_LocalInvocationIndex); if (e < {})"
                                            : "for (int e = 0; e < {}; ++e)";
    const uint32_t count = elements(resource.array);
    reading += "  {" + std::vformat(loop, std::make_format_args(count)) +
               std::format(" {{\n    at = {} + e * {};\n{}  }}}}\n", word_index(test, index, 0),
                           words_of(test, index), read(test, index));
  }
  const Frame around = frame(test);
  return text + around.before + reading + around.after;
}

// One triangle over the one fragment there is.
constexpr const char* kCover =
    "#version 460\n"
    "void main() {\n"
    "  gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1);\n"
    "}\n";

constexpr const char* kEmptyMesh =
    "#version 460\n"
    "#extension GL_EXT_mesh_shader : require\n"
    "layout(local_size_x = 1) in;\n"
    "layout(triangles, max_vertices = 3, max_primitives = 1) out;\n"
    "void main() { SetMeshOutputsEXT(0, 0); }\n";

// Ray generation that leads to the record under test.
std::string raygen(const Case& test) {
  std::string text = head(test);
  if (test.stage == Stage::Callable) {
    return text +
           "layout(location = 0) callableDataEXT uint payload;\n"
           "void main() { executeCallableEXT(own.record, 0); }\n";
  }
  std::string scene;
  for (uint32_t index = 0; index < test.resources.size(); ++index) {
    if (test.resources[index].role != Role::Scene) continue;
    text += declaration(test, index, 0);
    scene = variable(index);
  }
  const bool miss = test.stage == Stage::Miss;
  return text + "layout(location = 0) rayPayloadEXT uint payload;\n" +
         std::format(
             "void main() {{\n  traceRayEXT({}, gl_RayFlagsOpaqueEXT, 0xFF, {}, 0, {}, vec3(0), "
             "0.0, vec3({}, 0, 0), 1000.0, 0);\n}}\n",
             scene, miss ? "0" : "own.record", miss ? "own.record" : "0", miss ? "-1" : "1");
}

}  // namespace

std::vector<ShaderText> write_shaders(const Case& test) {
  std::vector<ShaderText> shaders = {
      {std::format("{}.{}", test.name, name_of(test.stage)), subject_shader(test)}};
  switch (test.stage) {
    case Stage::Fragment:
      shaders.push_back({test.name + ".vert", kCover});
      break;
    case Stage::Task:
      shaders.push_back({test.name + ".mesh", kEmptyMesh});
      break;
    case Stage::Miss:
    case Stage::ClosestHit:
    case Stage::Callable:
      shaders.push_back({test.name + ".rgen", raygen(test)});
      break;
    case Stage::Compute:
    case Stage::Vertex:
    case Stage::Mesh:
    case Stage::RayGeneration:
      break;
  }
  return shaders;
}

}  // namespace source_matrix
