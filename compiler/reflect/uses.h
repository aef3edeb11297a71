// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace heapsmith::reflect {

/// What is known about an id that stands for a resource or part of one, as bits.
enum Fact : uint8_t {
  kReads = 1,
  kWrites = 2,
  kAtomics = 4,
  kLength = 8,
  kComparison = 16,
  kDynamicIndex = 32,
  kNonUniform = 64,  ///< the id is decorated so
  kNonUniformIndex = 128,
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

struct Seed {
  uint32_t id = 0;
  uint8_t facts = 0;
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
};

/// What the functions do with the module's interface variables. Vectors are shared by all
/// functions.
struct ModuleUses {
  std::vector<FunctionUses> functions;  ///< in module order
  std::vector<uint32_t> variables;      ///< indices into the list of variables
  std::vector<uint32_t> calls;          ///< indices of functions
  std::vector<Flow> flows;
  std::vector<Seed> seeds;
};

}  // namespace heapsmith::reflect
