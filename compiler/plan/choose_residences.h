// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "plan/heap_plan.h"
#include "plan/policy.h"
#include "plan/residence_rules.h"
#include "reflect/program_interface.h"

namespace heapsmith::plan {

/// What automatic choices give up, one after another, to need less push data. Each includes those
/// before it. What the policy says outright stays.
enum class Squeeze : uint8_t {
  Nothing,
  PushedBlocks,     ///< uniform blocks leave push data: their addresses are pushed
  PushedAddresses,  ///< buffers get descriptors
  PushedIndices,    ///< the words of all tables move to memory, behind one address
};
inline constexpr Squeeze kMostSqueezed = Squeeze::PushedIndices;

/// The block that Squeeze::PushedIndices moves words to.
inline constexpr const char* kSharedBlock = "drawIndices";

/// Uniform blocks up to this size (bytes) are pushed whole, if they change with every draw.
inline constexpr uint64_t kLargestPushedBlock = 64;

/// How a table or a binding is reached, with what is said of it.
struct Residency {
  Residence residence = Residence::Static;
  uint32_t instances = 1;
  std::string indirectBlock;  ///< set where the choice itself names one
  std::string reason;
  std::vector<Refusal> refused;
};

/// A set as the programs that share it see it, and what the policy says of it.
struct SetRequest {
  uint32_t set = 0;
  const SetPolicy* wish = nullptr;
  std::span<const reflect::ProgramBinding> bindings;
  std::span<const BindingPolicy> wishes;  ///< parallel to bindings
  ResidenceContext context;
  std::string policyFile;
};

struct SetResidences {
  Residency table;                  ///< of the bindings that have descriptors and no other wish
  std::vector<Residency> bindings;  ///< parallel to SetRequest::bindings
};

/// Keeps what the policy says outright, and refuses what the rules forbid (InvalidPolicy). Chooses
/// the rest: what drivers reach fastest first (README.md of the compiler says what was measured),
/// never what the rules forbid, and no address for a buffer that shaders write.
[[nodiscard]] Diagnosed<SetResidences> choose_residences(const SetRequest& request, Squeeze squeeze,
                                                         Diagnostics& diagnostics);

}  // namespace heapsmith::plan
