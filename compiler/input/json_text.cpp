// SPDX-License-Identifier: MIT
#include "input/json_text.h"

#include <algorithm>
#include <cstddef>
#include <format>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

namespace heapsmith::input {
namespace {

/// The parser's events do not say where they are, so the parser is fed through this, which counts.
class CountingIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator() = default;
  CountingIterator(std::string_view::const_iterator at, size_t* consumed)
      : at_(at), consumed_(consumed) {}

  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*consumed_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  std::string_view::const_iterator at_{};
  size_t* consumed_ = nullptr;
};

/// Byte offsets to lines and columns; offsets must not decrease.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}

  JsonMark mark(size_t offset) {
    for (; done_ < offset; ++done_) {
      if (text_[done_] == '\n') {
        ++line_;
        lineStart_ = done_ + 1;
      }
    }
    return {line_, static_cast<uint32_t>(offset - lineStart_ + 1)};
  }

 private:
  std::string_view text_;
  size_t done_ = 0;
  size_t lineStart_ = 0;
  uint32_t line_ = 1;
};

/// Control characters are written as in JSON, so that a message stays one line.
void append_pointer_token(std::string& pointer, std::string_view token) {
  pointer += '/';
  for (const char c : token) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else if (byte < 0x20 || byte == 0x7F) {
      pointer += std::format("\\u{:04x}", byte);
    } else {
      pointer += c;
    }
  }
}

/// nlohmann's message without its own head and without the bytes that it read last, which may be
/// any bytes.
std::string plain_message(std::string_view message) {
  if (const size_t head = message.find("] "); head != message.npos) message.remove_prefix(head + 2);
  if (message.starts_with("parse error")) {
    if (const size_t colon = message.find(": "); colon != message.npos)
      message.remove_prefix(colon + 2);
  }
  const size_t lastRead = message.find("; last read: '");
  std::string text(message.substr(0, lastRead));
  if (lastRead != message.npos) {
    const size_t expected = message.rfind("'; expected ");
    if (expected != message.npos && expected > lastRead) text += message.substr(expected + 1);
  }
  return text;
}

/// Receives the parser's events. Returning false ends the parse.
class TreeBuilder {
 public:
  using Text = nlohmann::json::string_t;

  TreeBuilder(std::string_view text, const size_t& consumed)
      : text_(text), consumed_(consumed), lines_(text) {}

  bool null() {
    add(JsonValue::Kind::Null);
    return true;
  }
  bool boolean(bool value) {
    add(JsonValue::Kind::Boolean).boolean = value;
    return true;
  }
  bool number_unsigned(uint64_t value) {
    JsonValue& added = add(JsonValue::Kind::Unsigned);
    added.number = value;
    added.real = static_cast<double>(value);
    return true;
  }
  bool number_integer(int64_t value) {  // the negative ones
    add(JsonValue::Kind::OtherNumber).real = static_cast<double>(value);
    return true;
  }
  bool number_float(double value, const Text&) {
    add(JsonValue::Kind::OtherNumber).real = value;
    return true;
  }
  bool string(Text& value) {
    add(JsonValue::Kind::String).text = std::move(value);
    return true;
  }
  bool binary(nlohmann::json::binary_t&) { return false; }  // never in text
  bool start_object(size_t) { return open(JsonValue::Kind::Object); }
  bool start_array(size_t) { return open(JsonValue::Kind::Array); }

  bool key(Text& name) {
    key_ = std::move(name);
    keyAt_ = begin_token();
    return true;
  }

  bool end_object() { return refuse_repeated_key(*open_.back()) ? false : close(); }
  bool end_array() { return close(); }

  bool parse_error(size_t offset, const std::string&, const nlohmann::json::exception& error) {
    const size_t lastRead = std::min(offset == 0 ? 0 : offset - 1, text_.size());
    return fail(lines_.mark(skip_to_token(lastRead)), plain_message(error.what()));
  }

  JsonValue root;
  JsonMark failedAt;
  std::string failure;

 private:
  bool fail(JsonMark at, std::string text) {
    failedAt = at;
    failure = std::move(text);
    return false;
  }

  /// Where the token begins that was read last: behind the one before it, white space and
  /// punctuation.
  size_t skip_to_token(size_t limit) const {
    size_t start = previousEnd_;
    while (start < limit && std::string_view(" \t\r\n,:").contains(text_[start]))
      ++start;
    return start;
  }

  JsonMark begin_token() {
    const size_t start = skip_to_token(text_.size());
    // Behind a number the parser has looked at one character more: punctuation, so that nothing is
    // lost.
    previousEnd_ = std::max(consumed_, start);
    return lines_.mark(start);
  }

  JsonValue& add(JsonValue::Kind kind) {
    JsonValue* value = &root;
    if (!open_.empty()) {
      // The vectors that this may move hold only siblings that are complete: open_ stays valid.
      JsonValue& parent = *open_.back();
      value = &parent.children.emplace_back();
      value->pointer = parent.pointer;
      if (parent.kind == JsonValue::Kind::Object) {
        append_pointer_token(value->pointer, key_);
        value->key = std::move(key_);
        value->keyAt = keyAt_;
      } else {
        append_pointer_token(value->pointer, std::to_string(parent.children.size() - 1));
      }
    }
    value->kind = kind;
    value->at = begin_token();
    return *value;
  }

  bool open(JsonValue::Kind kind) {
    JsonValue& value = add(kind);
    if (open_.size() == kMaxJsonDepth)
      return fail(value.at, std::format("nested deeper than {} levels", kMaxJsonDepth));
    open_.push_back(&value);
    return true;
  }

  bool close() {
    begin_token();
    open_.pop_back();
    return true;
  }

  bool refuse_repeated_key(const JsonValue& object) {
    std::vector<size_t> order(object.children.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(
        order, {}, [&](size_t i) -> const std::string& { return object.children[i].key; });
    size_t first = order.size();
    for (size_t i = 1; i < order.size(); ++i) {
      if (object.children[order[i - 1]].key == object.children[order[i]].key)
        first = std::min(first, order[i]);
    }
    if (first == order.size()) return false;
    const JsonValue& repeated = object.children[first];
    fail(repeated.keyAt, repeated.pointer + ": this key is there twice");
    return true;
  }

  std::string_view text_;
  const size_t& consumed_;
  LineCounter lines_;
  std::vector<JsonValue*> open_;
  std::string key_;
  JsonMark keyAt_;
  size_t previousEnd_ = 0;
};

}  // namespace

Diagnosed<JsonValue> parse_json(std::string_view text, const std::string& file,
                                Diagnostics& diagnostics) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  size_t consumed = 0;
  TreeBuilder builder(text, consumed);
  const CountingIterator begin(text.begin(), &consumed);
  const CountingIterator end(text.end(), &consumed);
  if (nlohmann::json::sax_parse(begin, end, &builder)) return std::move(builder.root);

  Place place;
  place.file = file;
  place.line = builder.failedAt.line;
  place.column = builder.failedAt.column;
  if (text.empty()) builder.failure = "the text is empty";
  return diagnostics.error(Code::MalformedJson, std::move(place), std::move(builder.failure));
}

}  // namespace heapsmith::input
