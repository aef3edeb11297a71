// SPDX-License-Identifier: MIT
#pragma once

#include "heapsmith/manifest.h"

/// A manifest as a generated header holds it: one static table, one indexed one with combined image
/// samplers, one bindless table, and a block of slots for other people's code.
///
/// Slots:  image 0-3 imgui | 4-7 frame.environment | 8-10 material.albedo | 11-18 bindless.textures
///         buffer 0 frame.camera | 1-3 material.factors
///         sampler 0 frame.linear | 1-2 material.albedo
namespace sample {

using namespace heapsmith;

inline constexpr TableId kFrame{0};
inline constexpr TableId kMaterial{1};
inline constexpr TableId kBindless{2};
inline constexpr BindingId kCamera{0};
inline constexpr BindingId kEnvironment{1};
inline constexpr BindingId kLinear{2};
inline constexpr BindingId kAlbedo{3};
inline constexpr BindingId kFactors{4};
inline constexpr BindingId kTextures{5};
inline constexpr FieldId kMaterialField{0};
inline constexpr FieldId kMaterialSamplerField{1};
inline constexpr ProgramId kProgram{0};
inline constexpr ExternalRangeId kImgui{0};

inline constexpr Table kTables[] = {
    {.name = "frame",
     .set = 0,
     .residence = Residence::Static,
     .instances = 1,
     .samplerInstances = 1,
     .bindings = {0, 3},
     .indexField = kNone,
     .samplerIndexField = kNone},
    {.name = "material",
     .set = 2,
     .residence = Residence::Indexed,
     .instances = 3,
     .samplerInstances = 2,
     .bindings = {3, 2},
     .indexField = 0,
     .samplerIndexField = 1},
    {.name = "bindless",
     .set = 3,
     .residence = Residence::Static,
     .instances = 1,
     .samplerInstances = 1,
     .bindings = {5, 1},
     .indexField = kNone,
     .samplerIndexField = kNone},
};

inline constexpr Binding kBindings[] = {
    {"camera", 0, 0, DescriptorType::UniformBuffer, ArrayKind::None, 1, 0x11, 64},
    {"environment", 0, 1, DescriptorType::SampledImage, ArrayKind::Fixed, 4, 0x10, 0},
    {"linear", 0, 7, DescriptorType::Sampler, ArrayKind::None, 1, 0x10, 0},
    {"albedo", 1, 0, DescriptorType::CombinedImageSampler, ArrayKind::None, 1, 0x10, 0,
     Residence::Indexed},
    {"factors", 1, 1, DescriptorType::StorageBuffer, ArrayKind::None, 1, 0x10, 16,
     Residence::Indexed},
    {"textures", 2, 0, DescriptorType::SampledImage, ArrayKind::Runtime, 8, 0x10, 0},
};

inline constexpr Field kFields[] = {
    {"material", FieldKind::TableIndex, FieldSpace::PushData, 1, kNone, kNone, 64, 4},
    {"materialSampler", FieldKind::SamplerIndex, FieldSpace::PushData, 1, kNone, kNone, 68, 4},
};

inline constexpr Shader kShaders[] = {
    {"knot.vert.spv", "main", {}, ShaderStage::Vertex},
    {"knot.frag.spv", "main", {}, ShaderStage::Fragment},
};

inline constexpr MappingSource kConstant = MappingSource::HeapWithConstantOffset;
inline constexpr MappingSource kPushIndex = MappingSource::HeapWithPushIndex;

inline constexpr Mapping kMappings[] = {
    {0, 0, 0x20, kConstant, MappingPart::Resource, kNone, kNone},
    {0, 1, 0x02, kConstant, MappingPart::Resource, kNone, kNone},
    {0, 2, 0x01, kConstant, MappingPart::Sampler, kNone, kNone},
    {2, 3, 0x10, kPushIndex, MappingPart::Combined, 0, 1},
    {2, 4, 0xC0, kPushIndex, MappingPart::Resource, 0, kNone},
    {3, 5, 0x02, kConstant, MappingPart::Resource, kNone, kNone},
};

inline constexpr Program kPrograms[] = {{"knot", {0, 2}, {0, 6}, 0, 64}};

inline constexpr ExternalRange kExternalRanges[] = {{"imgui", DescriptorClass::Image, 4}};

inline constexpr Manifest kManifest = {.formatVersionMajor = kFormatVersionMajor,
                                       .formatVersionMinor = kFormatVersionMinor,
                                       .tables = kTables,
                                       .bindings = kBindings,
                                       .fields = kFields,
                                       .programs = kPrograms,
                                       .shaders = kShaders,
                                       .mappings = kMappings,
                                       .externalRanges = kExternalRanges};

}  // namespace sample
