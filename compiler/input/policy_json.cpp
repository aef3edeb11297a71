// SPDX-License-Identifier: MIT
#include "input/policy_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "input/json_object.h"
#include "input/json_text.h"
#include "input/sampler_json.h"

namespace heapsmith::input {
namespace {

constexpr uint64_t kUint32Max = UINT32_MAX;

// Behind "auto" in the order of heapsmith::Residence.
constexpr std::array<std::string_view, 12> kResidences = {
    "auto",     "static",   "indexed",     "indirect",        "scattered",  "record",
    "heapData", "pushData", "pushAddress", "indirectAddress", "recordData", "recordAddress"};

// In the order of plan::Frequency.
constexpr std::array<std::string_view, 4> kFrequencies = {"frame", "view", "material", "draw"};

// In the order of plan::LegacyType.
constexpr std::array<std::string_view, 3> kLegacyTypes = {
    "UNIFORM_BUFFER_DYNAMIC", "STORAGE_BUFFER_DYNAMIC", "INLINE_UNIFORM_BLOCK"};

// Behind "auto" in the order of plan::Form.
constexpr std::array<std::string_view, 3> kForms = {"auto", "mapped", "rewritten"};

constexpr std::array kDescriptorTypes = {
    DescriptorType::Sampler,
    DescriptorType::CombinedImageSampler,
    DescriptorType::SampledImage,
    DescriptorType::StorageImage,
    DescriptorType::UniformTexelBuffer,
    DescriptorType::StorageTexelBuffer,
    DescriptorType::UniformBuffer,
    DescriptorType::StorageBuffer,
    DescriptorType::InputAttachment,
    DescriptorType::AccelerationStructureKHR,
    DescriptorType::TensorARM,
};

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
    if (const JsonValue* rules = in.array_or_null("rules")) {
      for (const JsonValue& rule : rules->children)
        read_rule(rule);
    }
    if (const JsonValue* samplers = in.object_or_null("samplers")) {
      for (const JsonValue& sampler : samplers->children)
        policy_.samplers[sampler.key] = read_sampler(sampler, errors_);
    }
    policy_.robustBufferAccess = in.boolean_or("robustBufferAccess", false);
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
    JsonObject in(value, errors_);
    plan::SetPolicy policy = read_set_members(in);
    if (const JsonValue* bindings = in.object_or_null("bindings")) {
      for (const JsonValue& binding : bindings->children) {
        JsonObject members(binding, errors_);
        policy.bindings[binding.key] = read_binding_members(members);
        members.finish();
      }
    }
    in.finish();
    policy_.sets[set] = std::move(policy);
  }

  plan::SetPolicy read_set_members(JsonObject& in) {
    plan::SetPolicy policy;
    bool unreadable = false;
    read_residence(in, policy.residence, unreadable);
    read_choice_or_nothing(in, "frequency", kFrequencies, policy.frequency);
    policy.instances = count_or_nothing(in, "instances");
    policy.samplerInstances = count_or_nothing(in, "samplerInstances");
    if (in.find("packedIndex") != nullptr) policy.packedIndex = in.boolean("packedIndex");
    if (const JsonValue* block = in.find("indirectBlock")) policy.indirectBlock = read_name(*block);
    if (const JsonValue* table = in.find("table")) policy.table = read_name(*table);
    read_form(in, policy.form);
    if (in.find("shared") != nullptr) policy.shared = in.boolean("shared");
    // What is wrong with the residence is no reason to complain of the instances too.
    if (policy.residence != Residence::Static || unreadable) return policy;
    for (const std::string_view key : {"instances", "samplerInstances"}) {
      const JsonValue* count = in.find(key);
      if (count != nullptr && count->number > 1)
        errors_.at(*count, "a static table has one instance");
    }
    return policy;
  }

  plan::BindingPolicy read_binding_members(JsonObject& in) {
    plan::BindingPolicy policy;
    bool unreadable = false;
    read_residence(in, policy.residence, unreadable);
    read_choice_or_nothing(in, "frequency", kFrequencies, policy.frequency);
    read_choice_or_nothing(in, "descriptorType", kLegacyTypes, policy.legacyType);
    read_form(in, policy.form);
    policy.instances = count_or_nothing(in, "instances");
    policy.capacity = count_or_nothing(in, "capacity");
    if (const JsonValue* name = in.find("name")) policy.name = read_name(*name);
    if (in.find("embedSamplers") != nullptr) policy.embed = in.boolean("embedSamplers");
    if (const JsonValue* samplers = in.find("immutableSamplers")) {
      if (samplers->kind == JsonValue::Kind::String) {
        policy.immutableSamplers = {samplers->text};
      } else {
        policy.immutableSamplers =
            read_strings(*samplers, errors_).value_or(std::vector<std::string>());
      }
    }
    return policy;
  }

  void read_residence(JsonObject& in, std::optional<Residence>& residence, bool& unreadable) {
    const JsonValue* value = in.find("residence");
    if (value == nullptr) return;
    const auto choice = read_choice(*value, errors_, kResidences);
    unreadable = !choice;
    if (choice && *choice != 0) residence = static_cast<Residence>(*choice - 1);
  }

  void read_form(JsonObject& in, std::optional<plan::Form>& form) {
    const JsonValue* value = in.find("form");
    if (value == nullptr) return;
    const auto choice = read_choice(*value, errors_, kForms);
    if (choice && *choice != 0) form = static_cast<plan::Form>(*choice - 1);
  }

  template <typename Enum, size_t N>
  void read_choice_or_nothing(JsonObject& in, std::string_view key,
                              const std::array<std::string_view, N>& names,
                              std::optional<Enum>& choice) {
    const JsonValue* value = in.find(key);
    if (value == nullptr) return;
    if (const auto found = read_choice(*value, errors_, names)) choice = static_cast<Enum>(*found);
  }

  std::optional<uint32_t> count_or_nothing(JsonObject& in, std::string_view key) {
    const JsonValue* value = in.find(key);
    if (value == nullptr) return std::nullopt;
    return static_cast<uint32_t>(read_number(*value, errors_, {1, kUint32Max}).value_or(1));
  }

  // A rule that tells bindings apart is for bindings, another one for sets.
  void read_rule(const JsonValue& value) {
    JsonObject in(value, errors_);
    plan::Match match;
    bool for_bindings = false;
    if (const JsonValue* matched = in.object("match")) {
      match = read_match(*matched);
      for_bindings = match.binding || match.name || match.type;
    }
    if (for_bindings) {
      policy_.bindingRules.push_back({std::move(match), read_binding_members(in), value.at.line});
    } else {
      plan::SetPolicy wish = read_set_members(in);
      if (match.program && wish.shared) {
        errors_.at(*in.find("shared"), "a table that all programs share is not for some of them");
      }
      policy_.setRules.push_back({std::move(match), std::move(wish), value.at.line});
    }
    in.finish();
  }

  plan::Match read_match(const JsonValue& value) {
    plan::Match match;
    JsonObject in(value, errors_);
    const auto number = [&](std::string_view key, std::optional<uint32_t>& into) {
      if (const JsonValue* found = in.find(key))
        into = static_cast<uint32_t>(read_number(*found, errors_, {0, kUint32Max}).value_or(0));
    };
    number("set", match.set);
    number("binding", match.binding);
    if (in.find("name") != nullptr) match.name = in.string("name");
    if (in.find("program") != nullptr) match.program = in.string("program");
    if (const JsonValue* type = in.find("type")) {
      std::vector<std::string_view> names;
      for (const DescriptorType known : kDescriptorTypes)
        names.push_back(to_string(known));
      if (const auto choice = read_choice(*type, errors_, names))
        match.type = kDescriptorTypes[*choice];
    }
    in.finish();
    return match;
  }

  std::string read_name(const JsonValue& value) {
    std::string name = read_string(value, errors_).value_or("");
    if (value.kind == JsonValue::Kind::String && !plan::is_policy_name(name)) {
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
