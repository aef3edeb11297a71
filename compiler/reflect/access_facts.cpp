// SPDX-License-Identifier: MIT
#include "reflect/access_facts.h"

namespace heapsmith::reflect {
namespace {

/// Families of instructions are told by their names, so that those of future extensions are known
/// too.
AccessFacts by_name(std::string_view name) {
  const auto contains = [&](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  };
  if (name.starts_with("OpAtomic")) return {.first = kReads | kWrites | kAtomics};
  // The level of detail, and whether the sample compares, are two facts of one instruction.
  const uint16_t derivatives =
      contains("ImplicitLod") || name == "OpImageQueryLod" ? kDerivatives : 0;
  if (derivatives != 0 && contains("Query")) return {.first = derivatives};
  if (contains("Query") && !name.starts_with("OpRayQuery")) return {};
  if (contains("Dref")) return {.first = static_cast<uint16_t>(kReads | kComparison | derivatives)};
  if (contains("Write") || contains("Store")) return {.first = kWrites};
  if (name.starts_with("OpImage") || contains("Load") || contains("Read"))
    return {.first = static_cast<uint16_t>(kReads | derivatives)};
  if (name.starts_with("OpRayQuery") || name.starts_with("OpTrace") ||
      name.starts_with("OpHitObject"))
    return {.first = kReads};
  return {.first = kReads | kWrites};
}

}  // namespace

AccessFacts access_facts(spv::Op op, std::string_view name) {
  switch (op) {
    case spv::Op::OpLoad:
      return {.first = kReads};
    case spv::Op::OpStore:
      return {.word = 1, .first = kWrites};
    case spv::Op::OpCopyMemory:
    case spv::Op::OpCopyMemorySized:
      return {.word = 1, .first = kWrites, .others = kReads};
    case spv::Op::OpArrayLength:
    case spv::Op::OpUntypedArrayLengthKHR:
      return {.first = kLength};
    case spv::Op::OpAtomicLoad:
      return {.first = kReads | kAtomics};
    case spv::Op::OpAtomicStore:
      return {.word = 1, .first = kWrites | kAtomics};
    case spv::Op::OpPtrEqual:
    case spv::Op::OpPtrNotEqual:
    case spv::Op::OpPtrDiff:
      return {};
    default:
      return by_name(name);
  }
}

}  // namespace heapsmith::reflect
