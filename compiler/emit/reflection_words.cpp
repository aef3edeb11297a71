// SPDX-License-Identifier: MIT
#include "emit/reflection_words.h"

#include <format>
#include <spirv/unified1/spirv.hpp11>

#include "spirv/grammar.h"

namespace heapsmith::emit {

std::string version_text(uint32_t spirvVersion) {
  return std::format("{}.{}", spirvVersion >> 16 & 0xff, spirvVersion >> 8 & 0xff);
}

std::string_view dim_word(uint32_t dim) {
  switch (static_cast<spv::Dim>(dim)) {
    case spv::Dim::Dim1D:
      return "1D";
    case spv::Dim::Dim2D:
      return "2D";
    case spv::Dim::Dim3D:
      return "3D";
    case spv::Dim::Cube:
      return "CUBE";
    case spv::Dim::Rect:
      return "RECT";
    case spv::Dim::Buffer:
      return "BUFFER";
    case spv::Dim::SubpassData:
      return "SUBPASS_DATA";
    default:  // of an extension
      return "unknown";
  }
}

std::string_view format_word(uint32_t format) {
  return spirv::image_format_name(format);
}

std::string_view access_word(bool isRead, bool isWritten) {
  if (isRead) return isWritten ? "readWrite" : "read";
  return isWritten ? "write" : "none";
}

std::string_view size_kind_word(reflect::HeapSizeKind kind) {
  switch (kind) {
    case reflect::HeapSizeKind::Literal:
      return "literal";
    case reflect::HeapSizeKind::SizeOf:
      return "sizeOf";
    case reflect::HeapSizeKind::Maximum:
      return "maximum";
    case reflect::HeapSizeKind::Specialization:
      return "specialization";
    case reflect::HeapSizeKind::Other:
      return "other";
    case reflect::HeapSizeKind::Dynamic:
      return "dynamic";
  }
  return {};
}

std::string_view indexing_word(reflect::HeapIndexing indexing) {
  switch (indexing) {
    case reflect::HeapIndexing::Constant:
      return "constant";
    case reflect::HeapIndexing::Specialization:
      return "specialization";
    case reflect::HeapIndexing::Dynamic:
      return "dynamic";
  }
  return {};
}

std::string_view interface_kind_word(reflect::InterfaceKind kind) {
  switch (kind) {
    case reflect::InterfaceKind::Input:
      return "Input";
    case reflect::InterfaceKind::Output:
      return "Output";
    case reflect::InterfaceKind::TaskPayload:
      return "TaskPayloadWorkgroupEXT";
    case reflect::InterfaceKind::RayPayload:
      return "RayPayloadKHR";
    case reflect::InterfaceKind::IncomingRayPayload:
      return "IncomingRayPayloadKHR";
    case reflect::InterfaceKind::HitAttribute:
      return "HitAttributeKHR";
    case reflect::InterfaceKind::CallableData:
      return "CallableDataKHR";
    case reflect::InterfaceKind::IncomingCallableData:
      return "IncomingCallableDataKHR";
    case reflect::InterfaceKind::ShaderRecord:
      return "ShaderRecordBufferKHR";
  }
  return {};
}

std::vector<std::string> qualifier_words(const reflect::Qualifiers& qualifiers) {
  std::vector<std::string> words;
  if (qualifiers.nonWritable) words.emplace_back("NonWritable");
  if (qualifiers.nonReadable) words.emplace_back("NonReadable");
  if (qualifiers.coherent) words.emplace_back("Coherent");
  if (qualifiers.isVolatile) words.emplace_back("Volatile");
  if (qualifiers.isRestrict) words.emplace_back("Restrict");
  if (qualifiers.aliased) words.emplace_back("Aliased");
  return words;
}

}  // namespace heapsmith::emit
