// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reflect/shader_interface.h"

/// The words that several forms of reflections and reports use.
namespace heapsmith::emit {

/// "1.6"
[[nodiscard]] std::string version_text(uint32_t spirvVersion);
/// "2D"
[[nodiscard]] std::string_view dim_word(uint32_t dim);
/// "Rgba8"
[[nodiscard]] std::string_view format_word(uint32_t format);
/// "read", "write", "readWrite", "none"
[[nodiscard]] std::string_view access_word(bool isRead, bool isWritten);
/// "sizeOf"
[[nodiscard]] std::string_view size_kind_word(reflect::HeapSizeKind kind);
/// "constant"
[[nodiscard]] std::string_view indexing_word(reflect::HeapIndexing indexing);
/// "RayPayloadKHR": the storage class.
[[nodiscard]] std::string_view interface_kind_word(reflect::InterfaceKind kind);
/// {"NonWritable", "Coherent"}
[[nodiscard]] std::vector<std::string> qualifier_words(const reflect::Qualifiers& qualifiers);

}  // namespace heapsmith::emit
