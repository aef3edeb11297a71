// SPDX-License-Identifier: MIT
#include "executables.h"

#include <string_view>

namespace bench {
namespace {

/// Vulkan's calls that tell a count, then fill an array of that many structures.
template <typename Structure, typename Call>
std::vector<Structure> enumerate(VkStructureType type, const Call& call) {
  uint32_t count = 0;
  if (call(&count, nullptr) != VK_SUCCESS) return {};
  std::vector<Structure> all(count);
  for (Structure& each : all)
    each.sType = type;
  if (call(&count, all.data()) != VK_SUCCESS) return {};
  return all;
}

uint64_t number_of(const VkPipelineExecutableStatisticKHR& statistic) {
  return statistic.format == VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR ||
                 statistic.format == VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR
             ? statistic.value.u64
             : 0;
}

void read_statistics(const corpus::Gpu& gpu, const VkPipelineExecutableInfoKHR& info,
                     Executable& executable) {
  const auto all = enumerate<VkPipelineExecutableStatisticKHR>(
      VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR,
      [&](uint32_t* count, VkPipelineExecutableStatisticKHR* statistics) {
        return gpu.functions.vkGetPipelineExecutableStatisticsKHR(gpu.device, &info, count,
                                                                  statistics);
      });
  for (const VkPipelineExecutableStatisticKHR& statistic : all) {
    const std::string_view name = statistic.name;
    if (name == "Instructions") executable.instructions = number_of(statistic);
    if (name == "Latency") executable.latency = number_of(statistic);
  }
}

void read_code(const corpus::Gpu& gpu, const VkPipelineExecutableInfoKHR& info,
               Executable& executable) {
  const auto call = [&](uint32_t* count,
                        VkPipelineExecutableInternalRepresentationKHR* representations) {
    return gpu.functions.vkGetPipelineExecutableInternalRepresentationsKHR(gpu.device, &info, count,
                                                                           representations);
  };
  auto all = enumerate<VkPipelineExecutableInternalRepresentationKHR>(
      VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR, call);
  // They tell their sizes; a second call fills them.
  std::vector<std::string> texts(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    texts[i].resize(all[i].dataSize);
    all[i].pData = texts[i].data();
  }
  auto count = static_cast<uint32_t>(all.size());
  if (call(&count, all.data()) != VK_SUCCESS) return;
  for (size_t i = 0; i < all.size(); ++i)
    if (std::string_view(all[i].name) == "Assembly")
      executable.code = texts[i].c_str();  // ends with a 0
}

}  // namespace

std::vector<Executable> executables_of(const corpus::Gpu& gpu, VkPipeline pipeline) {
  const VkPipelineInfoKHR info{.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
  const auto all = enumerate<VkPipelineExecutablePropertiesKHR>(
      VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR,
      [&](uint32_t* count, VkPipelineExecutablePropertiesKHR* properties) {
        return gpu.functions.vkGetPipelineExecutablePropertiesKHR(gpu.device, &info, count,
                                                                  properties);
      });
  std::vector<Executable> executables;
  for (uint32_t i = 0; i < all.size(); ++i) {
    const VkPipelineExecutableInfoKHR which{.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                            .pipeline = pipeline,
                                            .executableIndex = i};
    Executable executable{.name = all[i].name, .stages = all[i].stages};
    read_statistics(gpu, which, executable);
    read_code(gpu, which, executable);
    if (!executable.code.empty() && executable.instructions != 0 && executable.latency != 0)
      executables.push_back(std::move(executable));
  }
  return executables;
}

}  // namespace bench
