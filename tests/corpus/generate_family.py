#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a family of shaders: every kind of resource, as every kind of array, reached in every way, in several stages.

usage: generate_family.py OUTPUT_FOLDER

Real shaders use few combinations, and often the same ones. Each file is one combination; what glslang cannot express
(a subpass input in a vertex shader, a block as a function's parameter) is left out.
"""
import pathlib
import sys

# name: (declaration with the array's place marked by @, function body that reads element `#`, type of a parameter)
KINDS = {
    "ubo": ("layout(set = S, binding = B, std140) uniform Block { vec4 a; float b[3]; mat3 c; } x@;", "x#.a.x + x#.b[1] + x#.c[1].y", None),
    "ssbo": ("layout(set = S, binding = B, std430) buffer Block { uint head; vec3 tail[]; } x@;", "float(x#.head) + x#.tail[2].y", None),
    "ssbo_readonly": ("layout(set = S, binding = B, std430) readonly buffer Block { ivec4 a; mat4x3 b[2]; } x@;", "float(x#.a.y) + x#.b[1][2].x", None),
    "ssbo_atomic": ("layout(set = S, binding = B, std430) coherent buffer Block { uint a[]; } x@;", "float(atomicAdd(x#.a[1], 1u))", None),
    "ssbo_length": ("layout(set = S, binding = B, std430) buffer Block { vec4 a; uint b[]; } x@;", "float(x#.b.length())", None),
    "combined": ("layout(set = S, binding = B) uniform sampler2D x@;", "textureLod(x#, vec2(0.5), 0.0).x", "sampler2D"),
    "shadow": ("layout(set = S, binding = B) uniform samplerCubeShadow x@;", "textureGrad(x#, vec4(0.5), vec3(0.0), vec3(0.0))", "samplerCubeShadow"),
    "texture": ("layout(set = S, binding = B) uniform itexture2DArray x@;", "float(texelFetch(x#, ivec3(0), 0).x)", "itexture2DArray"),
    "multisampled": ("layout(set = S, binding = B) uniform texture2DMS x@;", "texelFetch(x#, ivec2(0), 1).x", "texture2DMS"),
    "sampler": ("layout(set = S, binding = B) uniform sampler x@; layout(set = S, binding = 7) uniform texture3D other;", "textureLod(sampler3D(other, x#), vec3(0.5), 0.0).x", "sampler"),
    "image": ("layout(set = S, binding = B) uniform image2D x@;", "imageLoad(x#, ivec2(0)).x", "image2D"),
    "image_writeonly": ("layout(set = S, binding = B) writeonly uniform uimage3D x@;", "store(x#)", None),
    "image_atomic": ("layout(set = S, binding = B, r32ui) uniform uimage2D x@;", "float(imageAtomicAdd(x#, ivec2(0), 1u))", None),
    "image_size": ("layout(set = S, binding = B, r32f) readonly uniform image1D x@;", "float(imageSize(x#))", None),
    "texel_buffer": ("layout(set = S, binding = B) uniform samplerBuffer x@;", "texelFetch(x#, 3).x", "samplerBuffer"),
    "texture_buffer": ("layout(set = S, binding = B) uniform utextureBuffer x@;", "float(texelFetch(x#, 3).x)", "utextureBuffer"),
    "image_buffer": ("layout(set = S, binding = B) uniform iimageBuffer x@;", "float(imageLoad(x#, 3).x)", "iimageBuffer"),
    "subpass": ("layout(set = S, binding = B, input_attachment_index = 1) uniform subpassInput x@;", "subpassLoad(x#).x", None),
}
ARRAYS = {"one": "", "array1": "[1]", "array3": "[3]", "specialised": "[COUNT]", "runtime": "[]"}
ACCESSES = ["constant", "dynamic", "nonuniform", "parameter", "unused"]
STAGES = {
    "vert": ("layout(location = 0) in float where;", "gl_Position = vec4(value());", ""),
    "frag": ("layout(location = 0) in float where; layout(location = 0) out vec4 colour;", "colour = vec4(value());", ""),
    "comp": ("layout(local_size_x_id = 4, local_size_y = 2) in; layout(set = 5, binding = 0) buffer Result { float r[]; } result;", "result.r[gl_GlobalInvocationID.x + 8 * gl_GlobalInvocationID.y] = value();", "float where = push.index * float(gl_GlobalInvocationID.x & 1);"),
    "geom": ("layout(points) in; layout(points, max_vertices = 1) out; layout(location = 0) in float wheres[]; float where = 0.0;", "gl_Position = vec4(value()); EmitVertex();", ""),
}


def shader(kind, array, access, stage):
    declaration, read, parameter = KINDS[kind]
    if kind == "subpass" and stage != "frag":
        return None
    if access == "parameter" and parameter is None:
        return None
    if array == "one" and access in ("dynamic", "nonuniform"):
        return None
    index = {"constant": "0", "dynamic": "int(push.index)", "nonuniform": "nonuniformEXT(int(where))",
             "parameter": "0", "unused": "0"}[access]
    element = "" if array == "one" else f"[{index}]"
    inputs, main, behind = STAGES[stage]
    lines = ["#version 460", "#extension GL_EXT_nonuniform_qualifier : require",
             "#extension GL_EXT_samplerless_texture_functions : require",
             "#extension GL_EXT_shader_image_load_formatted : require",
             "layout(constant_id = 2) const int COUNT = 5;", inputs,
             "layout(push_constant) uniform Push { layout(offset = 16) float index; } push;", behind,
             declaration.replace("@", ARRAYS[array]).replace("= S", "= 3").replace("= B", "= 2")]
    if kind == "image_writeonly":
        read = "(imageStore(x#, ivec3(0), uvec4(1)), 1.0)"
    if access == "parameter":
        lines.append(f"float through(float scale, {parameter} y) {{ return scale * {read.replace('x#', 'y')}; }}")
        lines.append(f"float again({parameter} z, float scale) {{ return through(scale, z); }}")
        lines.append(f"float value() {{ return again(x{element}, push.index); }}")
    elif access == "unused":
        lines.append(f"float never() {{ return {read.replace('#', element)}; }}")
        lines.append("float value() { return push.index; }")
    else:
        lines.append(f"float value() {{ return push.index + {read.replace('#', element)}; }}")
    lines.append(f"void main() {{ {main} }}")
    return "\n".join(lines) + "\n"


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for kind in KINDS:
        for array in ARRAYS:
            for access in ACCESSES:
                for stage in STAGES:
                    text = shader(kind, array, access, stage)
                    if text is not None:
                        (folder / f"{kind}_{array}_{access}.{stage}").write_text(text)
                        count += 1
    print(f"{count} shaders")


main()
