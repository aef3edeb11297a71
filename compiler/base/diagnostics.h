// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heapsmith {

/// Every diagnostic the compiler can give, with a stable code ("HS2003").
enum class Code : uint32_t {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name in parentheses is no enumerator.
#define HEAPSMITH_DIAGNOSTIC(name, number, summary) name = number,
#include "base/diagnostic_codes.def"
#undef HEAPSMITH_DIAGNOSTIC
};

/// "HS2003"
[[nodiscard]] std::string code_text(Code code);

enum class Severity : uint8_t { Error, Warning, Note };

/// Where a diagnostic points. Only what is known is set.
struct Place {
  std::string file{};              ///< as the user wrote it; "<stdin>" for standard input
  uint32_t line = 0;               ///< 1-based; 0: unknown
  uint32_t column = 0;             ///< 1-based; 0: unknown
  std::optional<uint64_t> byte{};  ///< offset in a binary file
  std::string entryPoint{};
  std::string resource{};  ///< variable name, or "%12" where it has none
  std::optional<uint32_t> set{};
  std::optional<uint32_t> binding{};
};

struct Diagnostic {
  Severity severity{};
  Code code{};
  Place place;
  std::string text;  ///< one sentence, lower-case start, no full stop
};

/// The proof that a diagnostic was given. Only Diagnostics::error makes one, so nothing can fail in
/// silence.
class Failed {
  Failed() = default;
  friend class Diagnostics;
};

/// A value, or the word that an error was reported. (heapsmith::Result is the runtime's, with its
/// own Error.)
template <typename T>
using Diagnosed = std::expected<T, Failed>;

/// Collects what a run has to say; printing is cli's affair. Not thread-safe: one per worker, then
/// append().
class Diagnostics {
 public:
  /// Records an error. `return diagnostics.error(...)` is the way to fail.
  std::unexpected<Failed> error(Code code, Place place, std::string text);
  void warning(Code code, Place place, std::string text);
  void note(Code code, Place place, std::string text);

  /// The token for an error that was recorded before. Must not be called without one.
  [[nodiscard]] std::unexpected<Failed> failed() const;

  void append(Diagnostics&& other);

  [[nodiscard]] bool has_errors() const { return errors_ != 0; }
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }

 private:
  std::vector<Diagnostic> all_;
  size_t errors_ = 0;
};

}  // namespace heapsmith
