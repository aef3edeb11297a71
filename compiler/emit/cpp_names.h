// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace heapsmith::emit {

/// The name as a C++ identifier: other characters become '_', reserved forms and keywords are
/// avoided. "$Globals" gives "Globals", "class" gives "class_", "" gives "unnamed".
[[nodiscard]] std::string cpp_identifier(std::string_view name);

/// A declarative region: hands out each identifier once.
class CppScope {
 public:
  /// cpp_identifier(name), with "_2", "_3", ... where that is taken.
  [[nodiscard]] std::string declare(std::string_view name);

 private:
  std::set<std::string> taken_;
  std::map<std::string, int> last_number_;  // tried behind each stem
};

/// The text as a C++ string literal, quotes included; what is not printable ASCII is escaped.
[[nodiscard]] std::string cpp_string(std::string_view text);

/// "a::b" of identifiers that are no keywords: what may follow `namespace`.
[[nodiscard]] bool is_cpp_namespace(std::string_view name);

}  // namespace heapsmith::emit
