// SPDX-License-Identifier: MIT
#pragma once

#include <vulkan/vulkan_core.h>

#include <map>
#include <mutex>
#include <string>

namespace foreign_device {

/// Rules that this layer checks itself. Their names are message ids, "foreign_device:NAME".
namespace rule {
inline constexpr const char* kWriteTarget = "write-target";  ///< not in the mapped bytes of a heap
inline constexpr const char* kWriteSize = "write-size";  ///< host range and descriptor size differ
inline constexpr const char* kWriteAlignment = "write-alignment";
inline constexpr const char* kWriteOverlap = "write-overlap";        ///< part of another descriptor
inline constexpr const char* kWriteReserved = "write-reserved";      ///< in a heap's reserved range
inline constexpr const char* kWriteOutside = "write-outside";        ///< in no heap's user range
inline constexpr const char* kReservedTouched = "reserved-touched";  ///< by anything else
inline constexpr const char* kBindAddress = "bind-address";
inline constexpr const char* kBindSize = "bind-size";
inline constexpr const char* kBindReserved = "bind-reserved";
inline constexpr const char* kMappingAlignment = "mapping-alignment";
inline constexpr const char* kPushData = "push-data";
inline constexpr const char* kEmbeddedReserved = "embedded-reserved";
inline constexpr const char* kOverflow = "overflow";        ///< the layer's own 32 bits are too few
inline constexpr const char* kUnsupported = "unsupported";  ///< what the layer cannot follow
}  // namespace rule

/// Says what is wrong to every messenger of the instance. Without one it ends the program, so that
/// no test can miss it.
class Reporter {
 public:
  void add(VkDebugUtilsMessengerEXT messenger, const VkDebugUtilsMessengerCreateInfoEXT& info);
  void remove(VkDebugUtilsMessengerEXT messenger);
  void report(const char* rule, const std::string& text) const;

 private:
  mutable std::mutex mutex_;
  std::map<VkDebugUtilsMessengerEXT, VkDebugUtilsMessengerCreateInfoEXT> messengers_;
};

}  // namespace foreign_device
