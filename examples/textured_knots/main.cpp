// SPDX-License-Identifier: MIT

// Draws one scene twice, from descriptor heaps and from classic descriptor sets, with the same
// SPIR-V, and demands the same picture to the byte.
//
// usage: demo [OUTPUT_FOLDER]

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>

#include "canvas.h"
#include "common/check.h"
#include "common/commands.h"
#include "common/files.h"
#include "heap_renderer.h"
#include "set_renderer.h"
#include "textured_knots.h"

namespace {

constexpr VkExtent2D kExtent{1280, 720};
constexpr size_t kPixelBytes = 4;

knots::Shaders load_shaders(const example::Gpu& gpu, const std::filesystem::path& folder) {
  return {.knotVertex = example::load_shader(gpu, folder / "knot.vert.spv"),
          .knotFragment = example::load_shader(gpu, folder / "knot.frag.spv"),
          .backdropVertex = example::load_shader(gpu, folder / "backdrop.vert.spv"),
          .backdropFragment = example::load_shader(gpu, folder / "backdrop.frag.spv")};
}

void destroy_shaders(const example::Gpu& gpu, const knots::Shaders& shaders) {
  for (const VkShaderModule module :
       {shaders.knotVertex, shaders.knotFragment, shaders.backdropVertex, shaders.backdropFragment})
    vkDestroyShaderModule(gpu.device, module, nullptr);
}

// A command buffer of its own for each renderer: sets and heaps forget each other's state.
template <typename Renderer>
std::vector<std::byte> render(const example::Gpu& gpu, const knots::Canvas& canvas,
                              const knots::Scene& scene, const Renderer& renderer) {
  const VkCommandBuffer commands = example::begin_commands(gpu);
  knots::begin_drawing(commands, canvas);
  knots::draw(commands, renderer, scene);
  knots::end_drawing(commands, canvas);
  example::submit_and_wait(gpu, commands);
  return knots::read_pixels(canvas);
}

size_t count_different_pixels(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  size_t count = 0;
  for (size_t offset = 0; offset < a.size(); offset += kPixelBytes)
    count += std::memcmp(&a[offset], &b[offset], kPixelBytes) != 0;
  return count;
}

// A picture of one colour would also be equal to itself.
bool is_blank(const std::vector<std::byte>& pixels) {
  return std::memcmp(pixels.data(), pixels.data() + kPixelBytes, pixels.size() - kPixelBytes) == 0;
}

void describe_shaders(const heapsmith::Manifest& manifest) {
  std::printf("shaders        ");
  for (const heapsmith::Program& program : manifest.programs) {
    for (uint32_t index = 0; index < program.shaders.count; ++index) {
      const auto file = manifest.shaders[program.shaders.first + index].file;
      std::printf(" %.*s", static_cast<int>(file.size()), file.data());
    }
  }
  std::printf(" (%zu programs, plain GLSL, SPIR-V unchanged)\n", manifest.programs.size());
}

void describe_tables(const heapsmith::Manifest& manifest) {
  for (const heapsmith::Table& table : manifest.tables) {
    const auto residence = heapsmith::to_string(table.residence);
    std::printf("table           %.*s: set %u, %.*s", static_cast<int>(table.name.size()),
                table.name.data(), table.set, static_cast<int>(residence.size()), residence.data());
    if (table.residence == heapsmith::Residence::Indexed)
      std::printf(", %u instances", table.instances);
    std::printf("\n");
  }
}

void describe_heap(const char* name, const heapsmith::HeapExtent& heap) {
  std::printf("%s  %llu bytes, the driver's %llu included\n", name,
              static_cast<unsigned long long>(heap.size),
              static_cast<unsigned long long>(heap.reservedRangeSize));
}

void describe_layout(const heapsmith::ResolvedLayout& layout) {
  describe_heap("resource heap ", layout.resourceHeap);
  describe_heap("sampler heap  ", layout.samplerHeap);
  for (uint32_t index = 0; index < heapsmith::kDescriptorClassCount; ++index) {
    const heapsmith::Region& region = layout.regions[index];
    if (region.slots == 0) continue;
    const auto name = heapsmith::to_string(static_cast<heapsmith::DescriptorClass>(index));
    std::printf("  %.*s%*s %llu descriptors of %llu bytes at %llu\n", static_cast<int>(name.size()),
                name.data(), static_cast<int>(13 - name.size()), "",
                static_cast<unsigned long long>(region.slots),
                static_cast<unsigned long long>(region.stride),
                static_cast<unsigned long long>(region.offset));
  }
}

void copy_output(const std::filesystem::path& from, const std::filesystem::path& to,
                 const char* name) {
  std::error_code error;
  std::filesystem::copy_file(from / name, to / name,
                             std::filesystem::copy_options::overwrite_existing, error);
  if (error) example::fail((to / name).string(), error.message());
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = example::program_folder(argv[0]);
  const std::filesystem::path output = argc > 1 ? argv[1] : "build/demo";
  std::error_code error;
  std::filesystem::create_directories(output, error);
  if (error) example::fail(output.string(), error.message());

  example::Gpu gpu = example::create_gpu("textured_knots");
  const knots::Shaders shaders = load_shaders(gpu, folder);
  const knots::Canvas canvas = knots::create_canvas(gpu, kExtent);
  const knots::Scene scene =
      knots::create_scene(gpu, static_cast<float>(kExtent.width) / kExtent.height);

  knots::HeapRenderer heapRenderer =
      knots::create_heap_renderer(gpu, shaders, scene, canvas.samples);
  const auto fromHeaps = render(gpu, canvas, scene, heapRenderer);
  const heapsmith::ResolvedLayout layout = heapRenderer.layout;
  knots::destroy_heap_renderer(gpu, heapRenderer);

  const knots::SetRenderer setRenderer =
      knots::create_set_renderer(gpu, shaders, scene, canvas.samples);
  const auto fromSets = render(gpu, canvas, scene, setRenderer);
  knots::destroy_set_renderer(gpu, setRenderer);

  knots::destroy_scene(gpu, scene);
  knots::destroy_canvas(gpu, canvas);
  destroy_shaders(gpu, shaders);
  const std::string deviceName = gpu.properties.deviceName;
  if (const int exitCode = example::destroy_gpu(gpu)) return exitCode;

  example::write_png(output / "textured_knots.png", kExtent, fromHeaps);
  copy_output(folder, output, "manifest.json");
  copy_output(folder, output, "resolved_layout.txt");

  const size_t different = count_different_pixels(fromHeaps, fromSets);
  std::printf("device          %s, validation layer silent\n", deviceName.c_str());
  describe_shaders(textured_knots::manifest);
  describe_tables(textured_knots::manifest);
  describe_layout(layout);
  std::printf("heaps and sets  %zu of %u pixels differ\n", different,
              kExtent.width * kExtent.height);
  for (const char* name : {"textured_knots.png", "manifest.json", "resolved_layout.txt"})
    std::printf("wrote           %s\n", (output / name).string().c_str());
  if (is_blank(fromHeaps)) example::fail("the picture", "is blank");
  if (different != 0) example::fail("the two pictures", "are not the same");
}
