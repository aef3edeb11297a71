// SPDX-License-Identifier: MIT
#include "report.h"

#include <cstdio>
#include <cstdlib>

namespace foreign_device {

void Reporter::add(VkDebugUtilsMessengerEXT messenger,
                   const VkDebugUtilsMessengerCreateInfoEXT& info) {
  const std::scoped_lock lock(mutex_);
  messengers_[messenger] = info;
}

void Reporter::remove(VkDebugUtilsMessengerEXT messenger) {
  const std::scoped_lock lock(mutex_);
  messengers_.erase(messenger);
}

void Reporter::report(const char* rule, const std::string& text) const {
  const std::scoped_lock lock(mutex_);
  if (messengers_.empty()) {
    std::fprintf(stderr, "foreign device: %s: %s\n", rule, text.c_str());
    std::abort();
  }
  const std::string name = std::string("foreign_device:") + rule;
  const std::string message = "[ " + name + " ] " + text;
  const VkDebugUtilsMessengerCallbackDataEXT data{
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
      .pMessageIdName = name.c_str(),
      .pMessage = message.c_str()};
  // What a messenger asks for is not looked at: none may miss an error of the foreign device's.
  for (const auto& [handle, messenger] : messengers_) {
    messenger.pfnUserCallback(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                              VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, &data,
                              messenger.pUserData);
  }
}

}  // namespace foreign_device
