// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "heapsmith/device_limits.h"

namespace heapsmith::input {

/// What a device answered when it was asked for its descriptor heap properties
/// (schemas/profile.schema.json).
struct DeviceProfile {
  std::string name;         ///< "radv_navi31"
  std::string description;  ///< the device's name and driver, for people; may be empty
  DeviceLimits limits;
};

/// Reports every unknown key, missing key and wrong value as InvalidProfile, then the limits that
/// Vulkan forbids.
[[nodiscard]] Diagnosed<DeviceProfile> parse_device_profile(std::string_view json,
                                                            const std::string& file,
                                                            Diagnostics& diagnostics);

/// The built-in profile of that name, else the file: what has a '/', a '\' or ends in ".json" is a
/// file.
[[nodiscard]] Diagnosed<DeviceProfile> load_device_profile(const std::string& nameOrFile,
                                                           Diagnostics& diagnostics);

/// Names, ascending.
[[nodiscard]] std::vector<std::string_view> built_in_profiles();

}  // namespace heapsmith::input
