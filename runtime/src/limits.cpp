// SPDX-License-Identifier: MIT
#include <bit>

#include "heapsmith/device_limits.h"
#include "text.h"

namespace heapsmith {
namespace {

struct NamedLimit {
  std::string_view name;
  uint64_t value;
};

Error not_a_power_of_two(const NamedLimit& limit) {
  return detail::error(ErrorCode::InvalidLimits, "the device's ", limit.name, " is ", limit.value,
                       ", which is no power of two");
}

Status check_class(const NamedLimit& size, const NamedLimit& alignment) {
  if (!std::has_single_bit(size.value)) return not_a_power_of_two(size);
  if (!std::has_single_bit(alignment.value)) return not_a_power_of_two(alignment);
  if (alignment.value > size.value) {
    return detail::error(ErrorCode::InvalidLimits, "the device's ", alignment.name, " is ",
                         alignment.value, ", more than its ", size.name, " of ", size.value);
  }
  return Done{};
}

}  // namespace

Status check_limits(const DeviceLimits& limits) {
  for (const NamedLimit& alignment :
       {NamedLimit{"samplerHeapAlignment", limits.samplerHeapAlignment},
        NamedLimit{"resourceHeapAlignment", limits.resourceHeapAlignment},
        NamedLimit{"minUniformBufferOffsetAlignment", limits.minUniformBufferOffsetAlignment},
        NamedLimit{"minStorageBufferOffsetAlignment", limits.minStorageBufferOffsetAlignment}}) {
    if (!std::has_single_bit(alignment.value)) return not_a_power_of_two(alignment);
  }
  if (Status status =
          check_class({"samplerDescriptorSize", limits.samplerDescriptorSize},
                      {"samplerDescriptorAlignment", limits.samplerDescriptorAlignment});
      !status) {
    return status;
  }
  if (Status status = check_class({"imageDescriptorSize", limits.imageDescriptorSize},
                                  {"imageDescriptorAlignment", limits.imageDescriptorAlignment});
      !status) {
    return status;
  }
  if (Status status = check_class({"bufferDescriptorSize", limits.bufferDescriptorSize},
                                  {"bufferDescriptorAlignment", limits.bufferDescriptorAlignment});
      !status) {
    return status;
  }
  const bool hasTensors = limits.tensorDescriptorSize != 0 || limits.tensorDescriptorAlignment != 0;
  if (!hasTensors) return Done{};
  return check_class({"tensorDescriptorSize", limits.tensorDescriptorSize},
                     {"tensorDescriptorAlignment", limits.tensorDescriptorAlignment});
}

}  // namespace heapsmith
