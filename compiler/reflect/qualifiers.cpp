// SPDX-License-Identifier: MIT
#include "reflect/qualifiers.h"

namespace heapsmith::reflect {

void add_qualifier(spv::Decoration decoration, Qualifiers& qualifiers) {
  switch (decoration) {
    case spv::Decoration::NonWritable:
      qualifiers.nonWritable = true;
      break;
    case spv::Decoration::NonReadable:
      qualifiers.nonReadable = true;
      break;
    case spv::Decoration::Coherent:
      qualifiers.coherent = true;
      break;
    case spv::Decoration::Volatile:
      qualifiers.isVolatile = true;
      break;
    case spv::Decoration::Restrict:
      qualifiers.isRestrict = true;
      break;
    case spv::Decoration::Aliased:
      qualifiers.aliased = true;
      break;
    default:  // promises nothing about memory
      break;
  }
}

void add_qualifiers(const Context& context, uint32_t id, uint32_t member, Qualifiers& qualifiers) {
  for (const spirv::Annotation& annotation : context.annotations.of(id))
    if (annotation.member == member) add_qualifier(annotation.kind, qualifiers);
}

void unite(Qualifiers& a, const Qualifiers& b) {
  a.nonWritable |= b.nonWritable;
  a.nonReadable |= b.nonReadable;
  a.coherent |= b.coherent;
  a.isVolatile |= b.isVolatile;
  a.isRestrict |= b.isRestrict;
  a.aliased |= b.aliased;
}

void intersect(Qualifiers& a, const Qualifiers& b) {
  a.nonWritable &= b.nonWritable;
  a.nonReadable &= b.nonReadable;
  a.coherent &= b.coherent;
  a.isVolatile &= b.isVolatile;
  a.isRestrict &= b.isRestrict;
  a.aliased &= b.aliased;
}

}  // namespace heapsmith::reflect
