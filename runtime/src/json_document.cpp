// SPDX-License-Identifier: MIT
#include "json_document.h"

#include <string>
#include <utility>
#include <vector>

#include "text.h"

namespace heapsmith::detail {
namespace {

/// A manifest needs 8 levels. More are allowed, so that a newer minor version may nest deeper.
constexpr size_t kMaxDepth = 32;

/// Builds the document while it is parsed. Pointers to open containers stay valid: only the
/// innermost one grows.
class Builder final : public nlohmann::json_sax<Json> {
 public:
  Json root;
  std::string problem;

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return refuse("binary data has no place in JSON text"); }
  bool start_object(size_t) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (open_.back()->contains(name)) return refuse(join("the key '", name, "' is repeated"));
    key_ = std::move(name);
    return true;
  }

  bool parse_error(size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    return refuse(join("byte ", uint64_t{position}, " breaks the rules of JSON"));
  }

 private:
  template <typename T>
  bool add(T&& value) {
    place(Json(std::forward<T>(value)));
    return true;
  }

  Json* place(Json value) {
    if (open_.empty()) {
      root = std::move(value);
      return &root;
    }
    Json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[key_] = std::move(value));
  }

  bool open(Json container) {
    if (open_.size() >= kMaxDepth) {
      return refuse(join("it is nested deeper than ", uint64_t{kMaxDepth}, " levels"));
    }
    open_.push_back(place(std::move(container)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  bool refuse(std::string why) {
    problem = std::move(why);
    return false;
  }

  std::vector<Json*> open_;
  std::string key_;
};

}  // namespace

Result<Json> parse_document(std::string_view text) {
  Builder builder;
  if (!Json::sax_parse(text.begin(), text.end(), &builder)) {
    return error(ErrorCode::InvalidManifest, "the manifest is not readable: ", builder.problem);
  }
  return std::move(builder.root);
}

}  // namespace heapsmith::detail
