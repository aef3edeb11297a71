// SPDX-License-Identifier: MIT
#include "input/policy_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <format>
#include <set>

#include "input/json_object.h"
#include "input/json_text.h"

namespace heapsmith::input {
namespace {

constexpr uint64_t kUint32Max = UINT32_MAX;

// Those that this version builds come first, in the order of heapsmith::Residence.
constexpr std::array<std::string_view, 11> kResidences = {
    "static",   "indexed",     "indirect",        "scattered",  "record",       "heapData",
    "pushData", "pushAddress", "indirectAddress", "recordData", "recordAddress"};
constexpr size_t kBuiltResidences = 2;

// In the order of heapsmith::DescriptorClass.
constexpr std::array<std::string_view, kDescriptorClassCount> kClasses = {"buffer", "image",
                                                                          "sampler", "tensor"};

class Reader {
 public:
  Reader(const std::string& file, Diagnostics& diagnostics)
      : errors_(file, Code::InvalidPolicy, diagnostics) {
    policy_.file = file;
  }

  Diagnosed<plan::Policy> run(const JsonValue& root) {
    JsonObject in(root, errors_);
    in.check_schema("urn:heapsmith:schema:policy:1");
    if (const JsonValue* sets = in.object_or_null("sets")) {
      for (const JsonValue& set : sets->children)
        read_set(set);
    }
    policy_.runtimeArrayCapacity = static_cast<uint32_t>(
        in.number_or("runtimeArrayCapacity", policy_.runtimeArrayCapacity, {1, kUint32Max}));
    if (const JsonValue* push_data = in.object_or_null("pushData")) read_push_data(*push_data);
    if (const JsonValue* ranges = in.array_or_null("externalRanges")) {
      for (const JsonValue& range : ranges->children)
        read_external_range(range);
    }
    if (const JsonValue* programs = in.object_or_null("programs")) {
      for (const JsonValue& program : programs->children)
        read_program(program);
    }
    in.finish();
    if (errors_.any()) return errors_.failed();
    return std::move(policy_);
  }

 private:
  void read_set(const JsonValue& value) {
    uint32_t set = 0;
    const char* end = value.key.data() + value.key.size();
    const auto parsed = std::from_chars(value.key.data(), end, set);
    if (parsed.ec != std::errc() || parsed.ptr != end || value.key != std::to_string(set)) {
      errors_.at_key(value, "is not a set number");
      return;
    }
    plan::SetPolicy policy;
    JsonObject in(value, errors_);
    read_residence(in, policy);
    if (const JsonValue* table = in.find("table")) policy.table = read_name(*table);
    policy.shared = in.boolean_or("shared", false);
    if (const JsonValue* bindings = in.object_or_null("bindings")) {
      for (const JsonValue& binding : bindings->children) {
        policy.bindings[binding.key] = read_binding(binding);
      }
    }
    in.finish();
    policy_.sets[set] = std::move(policy);
  }

  void read_residence(JsonObject& in, plan::SetPolicy& policy) {
    bool is_static = true;
    if (const JsonValue* value = in.find("residence")) {
      is_static = false;  // what is wrong with it is no reason to complain of the instances too
      const auto choice = read_choice(*value, errors_, kResidences);
      if (choice && *choice >= kBuiltResidences) {
        errors_.at(*value, Code::UnsupportedResidence,
                   std::format("residence '{}' is not built by this version; use 'static' or "
                               "'indexed'",
                               value->text));
      } else if (choice) {
        policy.residence = static_cast<Residence>(*choice);
        is_static = policy.residence == Residence::Static;
      }
    }
    const JsonValue* instances = in.find("instances");
    if (instances != nullptr) {
      policy.instances =
          static_cast<uint32_t>(read_number(*instances, errors_, {1, kUint32Max}).value_or(1));
    }
    if (const JsonValue* samplers = in.find("samplerInstances")) {
      policy.samplerInstances =
          static_cast<uint32_t>(read_number(*samplers, errors_, {1, kUint32Max}).value_or(1));
      if (is_static && *policy.samplerInstances != 1) {
        errors_.at(*samplers, "a static table has one instance");
      }
    }
    if (is_static && policy.instances != 1) {
      errors_.at(*instances, "a static table has one instance");
    }
  }

  plan::BindingPolicy read_binding(const JsonValue& value) {
    plan::BindingPolicy policy;
    JsonObject in(value, errors_);
    if (const JsonValue* name = in.find("name")) policy.name = read_name(*name);
    if (const JsonValue* capacity = in.find("capacity")) {
      policy.capacity =
          static_cast<uint32_t>(read_number(*capacity, errors_, {1, kUint32Max}).value_or(1));
    }
    in.finish();
    return policy;
  }

  // Names become C++ identifiers and JSON keys; what the user chooses freely had better be one
  // already.
  std::string read_name(const JsonValue& value) {
    std::string name = read_string(value, errors_).value_or("");
    const auto is_letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
    if (value.kind == JsonValue::Kind::String &&
        (name.empty() || !is_letter(name.front()) || !std::ranges::all_of(name, is_part))) {
      errors_.at(value, "a name is letters, digits and '_', and does not begin with a digit");
    }
    return name;
  }

  void read_push_data(const JsonValue& value) {
    JsonObject in(value, errors_);
    policy_.pushDataBudget =
        static_cast<uint32_t>(in.number_or("budget", policy_.pushDataBudget, {0, 65536}));
    policy_.pushDataHeadroom = static_cast<uint32_t>(
        in.number_or("headroom", policy_.pushDataHeadroom, {0, policy_.pushDataBudget}));
    in.finish();
  }

  void read_external_range(const JsonValue& value) {
    plan::ExternalRangePolicy range;
    JsonObject in(value, errors_);
    if (const JsonValue* name = in.find("name")) {
      range.name = read_name(*name);
      if (!external_names_.insert(range.name).second) {
        errors_.at(*name, "two external ranges have this name");
      }
    } else {
      range.name = in.string("name");
    }
    if (const JsonValue* kind = in.find("class")) {
      range.descriptorClass =
          static_cast<DescriptorClass>(read_choice(*kind, errors_, kClasses).value_or(0));
    } else {
      (void)in.string("class");
    }
    range.slots = static_cast<uint32_t>(in.number("slots", {1, kUint32Max}));
    in.finish();
    policy_.externalRanges.push_back(std::move(range));
  }

  void read_program(const JsonValue& value) {
    if (value.key.empty()) errors_.at_key(value, "a program needs a name");
    auto shaders = read_strings(value, errors_);
    if (!shaders) return;
    if (shaders->empty()) errors_.at(value, "a program needs at least one shader");
    policy_.programs[value.key] = std::move(*shaders);
  }

  JsonErrors errors_;
  plan::Policy policy_;
  std::set<std::string> external_names_;
};

}  // namespace

Diagnosed<plan::Policy> parse_policy(std::string_view text, const std::string& file,
                                     Diagnostics& diagnostics) {
  const auto root = parse_json(text, file, diagnostics);
  if (!root) return std::unexpected(root.error());
  return Reader(file, diagnostics).run(*root);
}

}  // namespace heapsmith::input
