// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "json_value.h"
#include "text.h"

namespace heapsmith::detail {

/// A value of the document and how it was reached. `parent` must outlive it; `value` is null where
/// a member is missing.
struct Place {
  const JsonValue* value = nullptr;
  const Place* parent = nullptr;
  std::string_view key;
  size_t index = 0;
};

/// Typed access to a document. The first failure is kept, with its place as a JSON pointer; after
/// it, and for values that are missing or of another type, everything reads as 0 or empty. So
/// callers may read on and ask once.
class Reader {
 public:
  /// `strict`: members that check_keys() does not name are refused.
  explicit Reader(bool strict) : strict_(strict) {}

  [[nodiscard]] bool failed() const { return error_.code != ErrorCode::None; }
  [[nodiscard]] Error take_error() { return std::move(error_); }

  template <typename... Parts>
  void fail(const Place& place, const Parts&... parts) {
    if (failed()) return;
    const std::string where = place.parent == nullptr ? "the document" : pointer(place);
    error_ = error(ErrorCode::InvalidManifest, where, ": ", parts...);
  }

  /// A member that must be there.
  [[nodiscard]] Place member(const Place& object, std::string_view key);
  [[nodiscard]] bool has(const Place& object, std::string_view key) const;
  void check_keys(const Place& object, std::initializer_list<std::string_view> known);

  [[nodiscard]] size_t length(const Place& array);
  [[nodiscard]] Place element(const Place& array, size_t index);

  [[nodiscard]] uint64_t number(const Place& place, uint64_t minimum, uint64_t maximum);
  [[nodiscard]] uint32_t number32(const Place& place, uint32_t minimum = 0);
  [[nodiscard]] bool boolean(const Place& place);
  [[nodiscard]] double real(const Place& place);

  /// Without NUL inside. The view lives as long as the document.
  [[nodiscard]] std::string_view text(const Place& place);
  [[nodiscard]] std::string_view name(const Place& place);  ///< text that is not empty

  /// The one of `all` whose name (to_string) the text is.
  template <typename T, size_t N>
  [[nodiscard]] T choice(const Place& place, const T (&all)[N]) {
    const std::string_view wanted = text(place);
    for (const T value : all) {
      if (to_string(value) == wanted) return value;
    }
    if (place.value != nullptr) fail(place, "'", wanted, "' is not known here");
    return all[0];
  }

  /// A list of different names, as the union of their bits.
  template <typename T, size_t N>
  [[nodiscard]] uint32_t bits(const Place& array, const T (&all)[N]) {
    uint32_t found = 0;
    for (size_t i = 0; i < length(array); ++i) {
      const Place name = element(array, i);
      const auto bit = static_cast<uint32_t>(choice(name, all));
      if ((found & bit) != 0) fail(name, "is repeated");
      found |= bit;
    }
    return found;
  }

 private:
  [[nodiscard]] static std::string pointer(const Place& place);

  bool strict_;
  Error error_;
};

}  // namespace heapsmith::detail
