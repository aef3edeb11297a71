// SPDX-License-Identifier: MIT
#include "plan/choose_residences.h"

#include <format>
#include <optional>
#include <string_view>
#include <utility>

namespace heapsmith::plan {
namespace {

using reflect::ProgramBinding;

std::string_view to_string(Frequency frequency) {
  switch (frequency) {
    case Frequency::Frame:
      return "frame";
    case Frequency::View:
      return "view";
    case Frequency::Material:
      return "material";
    case Frequency::Draw:
      return "draw";
  }
  return "";
}

std::string_view to_string(LegacyType type) {
  switch (type) {
    case LegacyType::UniformBufferDynamic:
      return "UNIFORM_BUFFER_DYNAMIC";
    case LegacyType::StorageBufferDynamic:
      return "STORAGE_BUFFER_DYNAMIC";
    case LegacyType::InlineUniformBlock:
      return "INLINE_UNIFORM_BLOCK";
  }
  return "";
}

DescriptorType type_in_shaders(LegacyType type) {
  return type == LegacyType::StorageBufferDynamic ? DescriptorType::StorageBuffer
                                                  : DescriptorType::UniformBuffer;
}

// Where the policy gives a frequency, but no number. All can be overridden when the manifest is
// resolved.
uint32_t usual_instances(Frequency frequency) {
  switch (frequency) {
    case Frequency::Frame:
      return 1;
    case Frequency::View:
      return 8;
    case Frequency::Material:
      return 1024;
    case Frequency::Draw:
      return 4096;
  }
  return 1;
}

// Whether there is nothing to pick: another buffer is another address.
bool has_one_instance(Residence residence) {
  return residence == Residence::Static ||
         (!is_table_residence(residence) && residence != Residence::HeapData);
}

class State {
 public:
  State(const SetRequest& request, Squeeze squeeze, Diagnostics& diagnostics)
      : request_(request), squeeze_(squeeze), diagnostics_(diagnostics) {}

  Diagnosed<SetResidences> run() {
    SetResidences chosen;
    chosen.table = table();
    for (size_t i = 0; i < request_.bindings.size(); ++i)
      chosen.bindings.push_back(binding(i, chosen.table));
    if (failed_) return diagnostics_.failed();
    return chosen;
  }

 private:
  Residency table() {
    const SetPolicy& wish = *request_.wish;
    if (wish.residence && is_table_residence(*wish.residence)) {
      Residency table = {.residence = *wish.residence, .reason = "the policy says so"};
      table.instances = wish.instances.value_or(
          wish.frequency && table.residence != Residence::Static ? usual_instances(*wish.frequency)
                                                                 : 1);
      if (has_one_instance(table.residence) && table.instances != 1) {
        failed_ = true;
        diagnostics_.error(Code::InvalidPolicy, {.file = request_.policyFile, .set = request_.set},
                           std::format("a static table has one instance, not {}", table.instances));
      }
      return table;
    }
    // Whole sets of addresses or bytes: what else there is of the table has one instance.
    if (wish.residence) return {.reason = "none of its bindings needs a descriptor"};
    return usual_table(wish.frequency, wish.instances);
  }

  Residency usual_table(std::optional<Frequency> frequency,
                        std::optional<uint32_t> instances) const {
    Residency table;
    table.instances = instances.value_or(frequency ? usual_instances(*frequency) : 1);
    if (table.instances == 1) {
      table.reason =
          frequency == Frequency::Frame || !frequency
              ? "one instance: a constant address is the fastest"
              : std::format("changes with every {}, but has one instance", to_string(*frequency));
      return table;
    }
    table.reason =
        frequency ? std::format("{} instances, one a {}", table.instances, to_string(*frequency))
                  : std::format("{} instances", table.instances);
    table.refused.push_back({Residence::Static, "has one instance only"});
    if (squeeze_ >= Squeeze::PushedIndices) {
      table.residence = Residence::Indirect;
      table.indirectBlock = kSharedBlock;
      table.refused.push_back({Residence::Indexed, "push data has no room for all words"});
      return table;
    }
    table.residence = Residence::Indexed;
    table.refused.push_back({Residence::Indirect, "one more load than a pushed word"});
    return table;
  }

  Residency binding(size_t index, const Residency& table) {
    const ProgramBinding& binding = request_.bindings[index];
    const BindingPolicy& wish = request_.wishes[index];
    const SetPolicy& set = *request_.wish;
    if (wish.legacyType && type_in_shaders(*wish.legacyType) != binding.type) {
      report(binding, std::format("descriptorType {} does not fit '{}', which is {}",
                                  to_string(*wish.legacyType), binding.name,
                                  heapsmith::to_string(binding.type)));
    }
    if (wish.residence) return explicit_binding(binding, *wish.residence, wish, table);
    if (set.residence && !is_table_residence(*set.residence) && !wish.frequency) {
      BindingPolicy inherited = wish;
      if (!inherited.instances) inherited.instances = set.instances;
      if (!inherited.frequency) inherited.frequency = set.frequency;
      return explicit_binding(binding, *set.residence, inherited, table);
    }
    const bool own = wish.frequency.has_value() || wish.instances.has_value();
    // What the set says outright holds for its bindings, as long as they say nothing.
    if (set.residence && !own && !wish.legacyType) return checked(binding, table);

    const auto frequency = wish.frequency ? wish.frequency : set.frequency;
    std::vector<Refusal> refused;
    if (auto direct = without_descriptor(binding, wish, frequency, refused)) return *direct;
    Residency chosen = own || (wish.legacyType && is_dynamic(*wish.legacyType))
                           ? own_table(wish, frequency)
                           : checked(binding, table);
    chosen.refused.insert(chosen.refused.begin(), refused.begin(), refused.end());
    return chosen;
  }

  static bool is_dynamic(LegacyType type) { return type != LegacyType::InlineUniformBlock; }

  Residency own_table(const BindingPolicy& wish, std::optional<Frequency> frequency) const {
    auto instances = wish.instances;
    // A dynamic buffer that needs a descriptor has one for each offset.
    if (!instances && !frequency) instances = usual_instances(Frequency::View);
    return usual_table(frequency, instances);
  }

  Residency checked(const ProgramBinding& binding, const Residency& table) {
    if (const auto reason = forbidden(table.residence, binding, request_.context))
      refuse(binding, table.residence, *reason);
    return {.residence = table.residence,
            .instances = table.instances,
            .indirectBlock = table.indirectBlock,
            .reason = "as its table"};
  }

  Residency explicit_binding(const ProgramBinding& binding, Residence residence,
                             const BindingPolicy& wish, const Residency& table) {
    if (const auto reason = forbidden(residence, binding, request_.context))
      refuse(binding, residence, *reason);
    Residency chosen = {.residence = residence, .reason = "the policy says so"};
    if (residence == table.residence) chosen.instances = table.instances;
    if (wish.instances) {
      chosen.instances = *wish.instances;
      if (has_one_instance(residence) && chosen.instances != 1) {
        refuse(binding, residence, std::format("that has one instance, not {}", chosen.instances));
      }
    } else if (wish.frequency && !has_one_instance(residence)) {
      chosen.instances = usual_instances(*wish.frequency);
    }
    return chosen;
  }

  void refuse(const ProgramBinding& binding, Residence residence, const std::string& reason) {
    report(binding, std::format("'{}' cannot be {}: {}", binding.name,
                                heapsmith::to_string(residence), reason));
  }

  void report(const ProgramBinding& binding, const std::string& text) {
    failed_ = true;
    diagnostics_.error(Code::InvalidPolicy,
                       {.file = request_.policyFile,
                        .resource = binding.name,
                        .set = binding.set,
                        .binding = binding.binding},
                       text);
  }

  // Bytes or an address in place of a descriptor, where that is both allowed and wise.
  std::optional<Residency> without_descriptor(const ProgramBinding& binding,
                                              const BindingPolicy& wish,
                                              std::optional<Frequency> frequency,
                                              std::vector<Refusal>& refused) const {
    const bool is_inline = wish.legacyType == LegacyType::InlineUniformBlock;
    const bool dynamic = wish.legacyType && is_dynamic(*wish.legacyType);
    const bool each_draw = frequency == Frequency::Draw;
    if (!is_inline && !dynamic && !each_draw) return std::nullopt;
    const auto allowed = [&](Residence residence, bool fits, std::string_view why_not) {
      if (const auto reason = forbidden(residence, binding, request_.context)) {
        refused.push_back({residence, *reason});
        return false;
      }
      if (!fits) refused.push_back({residence, std::string(why_not)});
      return fits;
    };
    const bool block = binding.type == DescriptorType::UniformBuffer;
    if (block && (is_inline || each_draw)) {
      const bool room = squeeze_ < Squeeze::PushedBlocks;
      const bool small = binding.minBufferSize <= kLargestPushedBlock;
      const std::string why_not =
          room ? std::format("{} bytes, more than {}", binding.minBufferSize, kLargestPushedBlock)
               : "push data has no room for the block";
      if (allowed(Residence::PushData, small && room, why_not))
        return Residency{Residence::PushData, 1, {}, "a small block that is pushed whole", refused};
    }
    if (is_inline) {
      if (!allowed(Residence::HeapData, true, "")) return std::nullopt;
      const uint32_t copies = wish.instances.value_or(frequency ? usual_instances(*frequency) : 1);
      return Residency{Residence::HeapData, copies, {}, "an inline uniform block", refused};
    }
    const bool addressable = block || binding.type == DescriptorType::StorageBuffer;
    if (!addressable) return std::nullopt;
    const bool room = squeeze_ < Squeeze::PushedAddresses;
    const std::string_view why_not =
        room ? "shaders write to it, and nothing would bound their writes"
             : "push data has no room for the address";
    if (!allowed(Residence::PushAddress, room && !binding.isWritten, why_not)) return std::nullopt;
    return Residency{Residence::PushAddress,
                     1,
                     {},
                     dynamic ? "a dynamic buffer" : "a buffer that changes with every draw",
                     refused};
  }

  const SetRequest& request_;
  Squeeze squeeze_;
  Diagnostics& diagnostics_;
  bool failed_ = false;
};

}  // namespace

Diagnosed<SetResidences> choose_residences(const SetRequest& request, Squeeze squeeze,
                                           Diagnostics& diagnostics) {
  return State(request, squeeze, diagnostics).run();
}

}  // namespace heapsmith::plan
