// SPDX-License-Identifier: MIT

// Samplers that the policy describes: with custom border colours, which must be in the heap, with
// minima and maxima, embedded and in the heap, and with a YCbCr conversion, which must be embedded.

#include <heapsmith/fields.h>

#include "common/commands.h"
#include "session.h"

using namespace mapped_shaders;

namespace {

constexpr uint32_t kPictures = 2;
constexpr float kTexels[kPictures][2] = {{3, 11}, {20, 60}};
// Luma of two by two texels, and one pair of blue and red.
constexpr uint8_t kVideos[kPictures][6] = {{50, 50, 50, 50, 100, 200}, {60, 60, 60, 60, 90, 210}};

void barrier(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to) {
  const VkImageMemoryBarrier2 all{
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
      .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
      .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
      .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
      .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
      .oldLayout = from,
      .newLayout = to,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image,
      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  const VkDependencyInfo dependency{.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                    .imageMemoryBarrierCount = 1,
                                    .pImageMemoryBarriers = &all};
  vkCmdPipelineBarrier2(commands, &dependency);
}

template <typename T>
example::Image upload(Session& session, VkFormat format, VkExtent2D extent,
                      std::span<const T> bytes, std::span<const VkBufferImageCopy> regions) {
  const example::Image image =
      session.image({.format = format,
                     .extent = extent,
                     .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT});
  const example::Buffer buffer = session.buffer(bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  const VkCommandBuffer commands = example::begin_commands(session.gpu());
  barrier(commands, image.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  vkCmdCopyBufferToImage(commands, buffer.buffer, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                         static_cast<uint32_t>(regions.size()), regions.data());
  barrier(commands, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
          VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL);
  example::submit_and_wait(session.gpu(), commands);
  return image;
}

example::Image picture(Session& session, const float (&texels)[2]) {
  const VkBufferImageCopy region{.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                 .imageExtent = {2, 1, 1}};
  return upload(session, VK_FORMAT_R32_SFLOAT, {2, 1}, std::span<const float>(texels),
                {&region, 1});
}

example::Image video(Session& session, const uint8_t (&bytes)[6]) {
  const VkBufferImageCopy regions[] = {
      {.imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT, 0, 0, 1}, .imageExtent = {2, 2, 1}},
      {.bufferOffset = 4,
       .imageSubresource = {VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 0, 1},
       .imageExtent = {1, 1, 1}}};
  return upload(session, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, {2, 2},
                std::span<const uint8_t>(bytes), regions);
}

void write(Session& session, heapsmith::BindingId binding, uint32_t element, uint32_t instance,
           const VkImageViewCreateInfo& view) {
  check(session.writer().image(binding, element, instance, view, VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL),
        "writing a descriptor");
}

}  // namespace

TEST_CASE("mapped shaders: immutable samplers") {
  namespace bindings = shaders::bindings::pictures;
  Session session;
  const uint32_t videoSampler = heapsmith::immutable_sampler(shaders::manifest, bindings::video, 0);
  for (uint32_t instance = 0; instance < kPictures; ++instance) {
    const VkImageViewCreateInfo plain = example::view_info(picture(session, kTexels[instance]));
    for (const heapsmith::BindingId binding :
         {bindings::white, bindings::least, bindings::most, bindings::mean})
      write(session, binding, 0, instance, plain);
    for (uint32_t element = 0; element < 2; ++element)
      write(session, bindings::bordered, element, instance, plain);
    const VkSamplerYcbcrConversionInfo conversion{
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO,
        .conversion = session.samplers().conversions[videoSampler]};
    VkImageViewCreateInfo converted = example::view_info(video(session, kVideos[instance]));
    converted.pNext = &conversion;
    write(session, bindings::video, 0, instance, converted);
  }
  // The one sampler that is not immutable.
  heapsmith::SamplerTuples tuples(shaders::manifest, session.layout(), shaders::tables::pictures);
  const VkSamplerCreateInfo nearest{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  VkSamplerCreateInfo linear = nearest;
  linear.magFilter = linear.minFilter = VK_FILTER_LINEAR;
  const uint32_t other = checked(tuples.add(session.writer(), {&nearest, 1}), "adding a tuple");
  const uint32_t wanted = checked(tuples.add(session.writer(), {&linear, 1}), "adding a tuple");
  CHECK(other != wanted);

  const VkPipeline pipeline = session.pipeline(shaders::programs::sampled);
  for (uint32_t instance = 0; instance < kPictures; ++instance) {
    gpu_test::PushData push;
    heapsmith::set_index(push.bytes, shaders::manifest, shaders::push::pictures, instance);
    heapsmith::set_index(push.bytes, shaders::manifest, shaders::push::picturesSampler, wanted);
    const auto least = static_cast<uint32_t>(kTexels[instance][0]);
    const auto most = static_cast<uint32_t>(kTexels[instance][1]);
    const uint8_t (&bytes)[6] = kVideos[instance];
    // The conversion makes blue and red signed, and no colours.
    const auto red = static_cast<uint32_t>(bytes[5] - 128);
    const auto blue = static_cast<uint32_t>(bytes[4] - 128);
    CHECK(session.run(pipeline, push, 9) ==
          std::vector<uint32_t>{21, 22, 1, least, most, (least + most) / 2, red, bytes[0], blue});
  }
}
