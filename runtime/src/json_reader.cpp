// SPDX-License-Identifier: MIT
#include "json_reader.h"

#include <algorithm>
#include <limits>
#include <string>

namespace heapsmith::detail {

std::string Reader::pointer(const Place& place) {
  if (place.parent == nullptr) return "";
  const std::string_view key = place.key;
  std::string path = pointer(*place.parent) + '/';
  if (key.empty()) return path + std::to_string(place.index);
  for (const char c : key) {  // RFC 6901
    if (c == '~') {
      path += "~0";
    } else if (c == '/') {
      path += "~1";
    } else {
      path += c;
    }
  }
  return path;
}

bool Reader::has(const Place& object, std::string_view key) const {
  return object.value != nullptr && object.value->kind == JsonValue::Kind::Object &&
         object.value->find(key) != nullptr;
}

Place Reader::member(const Place& object, std::string_view key) {
  Place place{nullptr, &object, key, 0};
  if (object.value == nullptr) return place;
  if (object.value->kind != JsonValue::Kind::Object) {
    fail(object, "is no object");
    return place;
  }
  place.value = object.value->find(key);
  if (place.value == nullptr) fail(place, "is missing");
  return place;
}

void Reader::check_keys(const Place& object, std::initializer_list<std::string_view> known) {
  if (object.value == nullptr) return;
  if (object.value->kind != JsonValue::Kind::Object) {
    fail(object, "is no object");
    return;
  }
  if (!strict_) return;
  for (const JsonValue& value : object.value->elements) {
    if (std::find(known.begin(), known.end(), std::string_view(value.key)) != known.end()) continue;
    fail(Place{&value, &object, value.key, 0}, "is not known here");
  }
}

size_t Reader::length(const Place& array) {
  if (array.value == nullptr) return 0;
  if (array.value->kind == JsonValue::Kind::Array) return array.value->elements.size();
  fail(array, "is no array");
  return 0;
}

Place Reader::element(const Place& array, size_t index) {
  return {&array.value->elements[index], &array, {}, index};
}

uint64_t Reader::number(const Place& place, uint64_t minimum, uint64_t maximum) {
  if (place.value == nullptr) return minimum;
  if (place.value->kind != JsonValue::Kind::Whole) {
    fail(place, "is no whole number from 0 on");
    return minimum;
  }
  const uint64_t value = place.value->number;
  if (value >= minimum && value <= maximum) return value;
  fail(place, value, " is not between ", minimum, " and ", maximum);
  return minimum;
}

uint32_t Reader::number32(const Place& place, uint32_t minimum) {
  return static_cast<uint32_t>(number(place, minimum, std::numeric_limits<uint32_t>::max()));
}

double Reader::real(const Place& place) {
  if (place.value == nullptr) return 0;
  if (place.value->kind == JsonValue::Kind::Whole || place.value->kind == JsonValue::Kind::Number) {
    return place.value->real;
  }
  fail(place, "is no number");
  return 0;
}

bool Reader::boolean(const Place& place) {
  if (place.value == nullptr) return false;
  if (place.value->kind != JsonValue::Kind::Boolean) fail(place, "is neither true nor false");
  return place.value->number != 0;
}

std::string_view Reader::text(const Place& place) {
  if (place.value == nullptr) return {};
  if (place.value->kind != JsonValue::Kind::String) {
    fail(place, "is no string");
    return {};
  }
  const std::string_view value = place.value->text;
  if (value.find('\0') == std::string_view::npos) return value;
  fail(place, "has a NUL inside");
  return {};
}

std::string_view Reader::name(const Place& place) {
  const std::string_view value = text(place);
  if (value.empty()) fail(place, "is empty");
  return value;
}

}  // namespace heapsmith::detail
