// SPDX-License-Identifier: MIT
#include "emit/diagnostics_text.h"

#include <format>
#include <nlohmann/json.hpp>

namespace heapsmith::emit {
namespace {

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
  }
  return {};
}

// Names come from shaders: they may not break the line, nor command the terminal.
std::string visible(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      result += c;
    } else {
      result += std::format("\\x{:02x}", byte);
    }
  }
  return result;
}

}  // namespace

std::string diagnostic_text(const Diagnostic& diagnostic) {
  const Place& place = diagnostic.place;
  std::string text = place.file.empty() ? "heapsmith" : place.file;
  if (place.line != 0) text += std::format(":{}", place.line);
  if (place.line != 0 && place.column != 0) text += std::format(":{}", place.column);
  text += std::format(": {}: ", severity_name(diagnostic.severity));
  if (place.byte) text += std::format("byte {}: ", *place.byte);
  // The same words as the validation layer's.
  if (place.set && place.binding) {
    text += std::format("[Set {}, Binding {}", *place.set, *place.binding);
    if (!place.resource.empty()) text += std::format(", variable \"{}\"", place.resource);
    text += "] ";
  }
  return visible(text + diagnostic.text) + std::format(" [{}]\n", code_text(diagnostic.code));
}

std::string diagnostic_json(const Diagnostic& diagnostic) {
  using Json = nlohmann::ordered_json;
  const Place& place = diagnostic.place;
  Json json = {{"severity", severity_name(diagnostic.severity)},
               {"code", code_text(diagnostic.code)},
               {"text", diagnostic.text}};
  if (!place.file.empty()) json["file"] = place.file;
  if (place.line != 0) json["line"] = place.line;
  if (place.column != 0) json["column"] = place.column;
  if (place.byte) json["byte"] = *place.byte;
  if (!place.entryPoint.empty()) json["entryPoint"] = place.entryPoint;
  if (!place.resource.empty()) json["resource"] = place.resource;
  if (place.set) json["set"] = *place.set;
  if (place.binding) json["binding"] = *place.binding;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heapsmith::emit
