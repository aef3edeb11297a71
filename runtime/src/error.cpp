// SPDX-License-Identifier: MIT
#include "heapsmith/error.h"

namespace heapsmith {

std::string_view to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::None:
      return "None";
    case ErrorCode::MissingExtension:
      return "MissingExtension";
    case ErrorCode::MissingFeature:
      return "MissingFeature";
    case ErrorCode::InvalidLimits:
      return "InvalidLimits";
    case ErrorCode::ResourceHeapTooLarge:
      return "ResourceHeapTooLarge";
    case ErrorCode::SamplerHeapTooLarge:
      return "SamplerHeapTooLarge";
    case ErrorCode::MappingOffsetOverflow:
      return "MappingOffsetOverflow";
    case ErrorCode::PushDataTooLarge:
      return "PushDataTooLarge";
    case ErrorCode::UnsupportedClass:
      return "UnsupportedClass";
    case ErrorCode::InvalidOverride:
      return "InvalidOverride";
    case ErrorCode::InvalidManifest:
      return "InvalidManifest";
    case ErrorCode::UnsupportedVersion:
      return "UnsupportedVersion";
    case ErrorCode::UnknownName:
      return "UnknownName";
    case ErrorCode::TypeMismatch:
      return "TypeMismatch";
    case ErrorCode::ElementOutOfRange:
      return "ElementOutOfRange";
    case ErrorCode::InstanceOutOfRange:
      return "InstanceOutOfRange";
    case ErrorCode::SamplerTuplesExhausted:
      return "SamplerTuplesExhausted";
    case ErrorCode::InvalidDescriptor:
      return "InvalidDescriptor";
    case ErrorCode::NoSuitableMemory:
      return "NoSuitableMemory";
    case ErrorCode::Vulkan:
      return "Vulkan";
    case ErrorCode::ShaderRecordTooLarge:
      return "ShaderRecordTooLarge";
    case ErrorCode::TooManyEmbeddedSamplers:
      return "TooManyEmbeddedSamplers";
    case ErrorCode::InvalidPipeline:
      return "InvalidPipeline";
  }
  return "unknown";
}

}  // namespace heapsmith
