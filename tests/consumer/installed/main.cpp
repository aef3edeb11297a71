// SPDX-License-Identifier: MIT
#include <heapsmith/manifest_json.h>
#include <heapsmith/pipeline.h>
#include <heapsmith/resolve.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "tint.h"

// The manifest that was compiled in and the one in the file say the same.
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream stream(argv[1], std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  const auto loaded = heapsmith::load_manifest_json(text);
  if (!loaded) {
    std::printf("%s\n", loaded.error().text.c_str());
    return 1;
  }
  heapsmith::DeviceLimits limits;
  limits.samplerHeapAlignment = limits.resourceHeapAlignment = 64;
  limits.maxSamplerHeapSize = limits.maxResourceHeapSize = 1 << 20;
  limits.samplerDescriptorSize = limits.samplerDescriptorAlignment = 32;
  limits.imageDescriptorSize = limits.imageDescriptorAlignment = 64;
  limits.bufferDescriptorSize = limits.bufferDescriptorAlignment = 128;
  limits.maxPushDataSize = 256;
  const auto compiled = heapsmith::resolve(tint::manifest, limits);
  const auto read = heapsmith::resolve(loaded->manifest, limits);
  if (!compiled || !read) return 1;
  const auto mappings = heapsmith::vulkan_mappings(tint::manifest, *compiled, tint::programs::tint);
  const bool same = compiled->resourceHeap.size == read->resourceHeap.size;
  return same && mappings.size() == 2 && sizeof(tint::blocks::Tint) == 16 ? 0 : 1;
}
