// SPDX-License-Identifier: MIT
#include "base/diagnostics.h"

#include <cstdio>
#include <cstdlib>
#include <format>
#include <iterator>
#include <utility>

#include "base/check.h"

namespace heapsmith {

std::string code_text(Code code) {
  return std::format("HS{:04}", static_cast<uint32_t>(code));
}

std::unexpected<Failed> Diagnostics::error(Code code, Place place, std::string text) {
  all_.push_back({Severity::Error, code, std::move(place), std::move(text)});
  ++errors_;
  return std::unexpected(Failed());
}

void Diagnostics::warning(Code code, Place place, std::string text) {
  all_.push_back({Severity::Warning, code, std::move(place), std::move(text)});
}

void Diagnostics::note(Code code, Place place, std::string text) {
  all_.push_back({Severity::Note, code, std::move(place), std::move(text)});
}

std::unexpected<Failed> Diagnostics::failed() const {
  HEAPSMITH_CHECK(has_errors());
  return std::unexpected(Failed());
}

void Diagnostics::append(Diagnostics&& other) {
  all_.insert(all_.end(), std::make_move_iterator(other.all_.begin()),
              std::make_move_iterator(other.all_.end()));
  errors_ += std::exchange(other.errors_, 0);
  other.all_.clear();
}

void internal_error(const char* file, int line, const char* what) {
  std::fprintf(stderr,
               "heapsmith: internal error at %s:%d: %s\n"
               "this is a bug in heapsmith, not in your input\n",
               file, line, what);
  std::exit(70);
}

}  // namespace heapsmith
