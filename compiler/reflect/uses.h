// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace heapsmith::reflect {

/// What is known about an id that stands for a resource or part of one, as bits.
enum Fact : uint16_t {
  kReads = 1,
  kWrites = 2,
  kAtomics = 4,
  kLength = 8,
  kComparison = 16,
  kDynamicIndex = 32,
  kNonUniform = 64,  ///< the id is decorated so
  kNonUniformIndex = 128,
  kDerivatives = 256,
  kOtherIndex = 512,  ///< an element is picked in a way that is no Pick
};

/// Facts about `to` are facts about `from`, of which it was made.
struct Flow {
  uint32_t to = 0;
  uint32_t from = 0;
  /// Of an access chain that picks an array element: kNonUniform ends here. If what picks is no
  /// constant, it becomes kNonUniformIndex.
  bool picksElement = false;
  bool picksDynamically = false;
};

/// An element of a variable that literals pick.
struct Pick {
  uint32_t variable = 0;  ///< index into the list of variables
  uint64_t index = 0;     ///< flattened
};

/// The structure that an OpUntypedArrayLengthKHR finds behind a pointer.
struct UntypedBlock {
  uint32_t pointer = 0;
  uint32_t type = 0;
};

struct Seed {
  uint32_t id = 0;
  uint16_t facts = 0;
};

struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;
};

/// Ranges of the arrays of ModuleUses.
struct FunctionUses {
  Span variables;
  Span calls;
  Span flows;
  Span seeds;
  Span picks;
};

/// What the functions do with the module's interface variables. Vectors are shared by all
/// functions.
struct ModuleUses {
  std::vector<FunctionUses> functions;  ///< in module order
  std::vector<uint32_t> variables;      ///< indices into the list of variables
  std::vector<uint32_t> calls;          ///< indices of functions
  std::vector<Flow> flows;
  std::vector<Seed> seeds;
  std::vector<Pick> picks;
  std::vector<UntypedBlock> untypedBlocks;
};

}  // namespace heapsmith::reflect
