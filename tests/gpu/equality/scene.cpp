// SPDX-License-Identifier: MIT
#include "scene.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <utility>

#include "reflect/program_interface.h"

namespace equality {
namespace {

using namespace heapsmith;
using reflect::Resource;

constexpr uint64_t kTailBytes = 16384;  // of a runtime array at a block's end
constexpr uint32_t kMostElements = 4096;

uint64_t buffer_bytes(const Resource& resource) {
  const uint64_t tail =
      resource.runtimeTailStride == 0
          ? 0
          : resource.runtimeTailOffset + std::max(kTailBytes, 4 * resource.runtimeTailStride);
  const uint64_t bytes = (std::max<uint64_t>({resource.blockSize, tail, 16}) + 15) / 16 * 16;
  return resource.type == DescriptorType::UniformBuffer ? std::min(bytes, kLargestUniform) : bytes;
}

uint32_t elements_of(const Resource& resource) {
  if (resource.count == 0) return kRuntimeElements;
  return static_cast<uint32_t>(std::min<uint64_t>(resource.count, kMostElements + 1));
}

bool same_image(const reflect::ImageFacts& a, const reflect::ImageFacts& b) {
  return a.dim == b.dim && a.arrayed == b.arrayed && a.multisampled == b.multisampled &&
         a.sampled == b.sampled && a.sampledType == b.sampledType;
}

// Addresses that numbers of ours would lead to nowhere.
bool makes_pointers_of_numbers(std::span<const uint32_t> words) {
  constexpr size_t kHeaderWords = 5;
  std::set<uint32_t> pointers;
  for (size_t at = kHeaderWords; at < words.size(); at += words[at] >> 16) {
    switch (static_cast<spv::Op>(words[at] & 0xFFFF)) {
      case spv::Op::OpTypePointer:
        if (static_cast<spv::StorageClass>(words[at + 2]) ==
            spv::StorageClass::PhysicalStorageBuffer)
          pointers.insert(words[at + 1]);
        break;
      case spv::Op::OpConvertUToPtr:
        return true;
      case spv::Op::OpBitcast:
        if (pointers.contains(words[at + 1])) return true;
        break;
      default:
        break;
    }
  }
  return false;
}

class Maker {
 public:
  explicit Maker(const driver::LoadedShader& shader)
      : words_(shader.words), interface_(shader.interface) {}

  std::expected<Scene, std::string> run() {
    if (interface_.entryPoints.size() != 1) return std::unexpected("it has several entry points");
    const reflect::EntryPoint& entry_point = interface_.entryPoints.front();
    scene_.stage = entry_point.stage;
    scene_.entryPoint = entry_point.name;
    scene_.interface = &interface_;
    scene_.pushConstants = entry_point.pushConstants;
    if (scene_.stage != ShaderStage::Compute && scene_.stage != ShaderStage::Fragment)
      return std::unexpected("its stage is neither compute nor fragment");
    if (interface_.usesResourceHeap || interface_.usesSamplerHeap)
      return std::unexpected("it reads the heaps itself");
    if (makes_pointers_of_numbers(words_))
      return std::unexpected("it makes addresses out of numbers");
    for (const uint32_t index : entry_point.usedResources)
      if (const char* reason = add(interface_.resources[index])) return std::unexpected(reason);
    for (const auto& [place, binding] : bindings_)
      scene_.bindings.push_back(binding);
    if (scene_.stage == ShaderStage::Fragment) add_variables(entry_point);
    return std::move(scene_);
  }

 private:
  // A reason, if it cannot be there.
  const char* add(const Resource& resource) {
    if (resource.type == DescriptorType::InputAttachment) return "it reads input attachments";
    if (resource.type == DescriptorType::AccelerationStructureKHR) return "it traces rays";
    if (resource.type == DescriptorType::TensorARM) return "it reads tensors";
    const uint32_t elements = elements_of(resource);
    if (elements > kMostElements) return "an array of descriptors is very long";
    const bool outside = std::ranges::any_of(resource.constantIndices,
                                             [&](uint64_t index) { return index >= elements; });
    if (outside) return "it picks a descriptor out of an array's bounds";
    if (resource.dynamicallyIndexed) scene_.numbersBelow = std::min(scene_.numbersBelow, elements);

    SceneBinding added{.set = resource.set,
                       .binding = resource.binding,
                       .type = resource.type,
                       .elements = elements,
                       .block = resource.block,
                       .bytes = buffer_bytes(resource),
                       .image = resource.image,
                       .comparison = resource.comparison,
                       .usesAtomics = resource.usesAtomics};
    const auto [known, is_new] = bindings_.try_emplace({resource.set, resource.binding}, added);
    return is_new ? nullptr : unite(known->second, added, resource);
  }

  static const char* unite(SceneBinding& known, const SceneBinding& alias,
                           const Resource& resource) {
    const auto type = reflect::common_type(known.type, resource.type);
    if (!type) return "variables of one binding need different descriptors";
    if (known.image && resource.image && !same_image(*known.image, *resource.image))
      return "variables of one binding need different images";
    known.type = *type;
    known.elements = std::max(known.elements, elements_of(resource));
    known.bytes = std::max(known.bytes, buffer_bytes(resource));
    if (!known.image) known.image = alias.image;
    known.comparison = known.comparison || resource.comparison;
    known.usesAtomics = known.usesAtomics || resource.usesAtomics;
    return nullptr;
  }

  void add_variables(const reflect::EntryPoint& entry_point) {
    for (const reflect::EntryPointVariable& listed : entry_point.variables) {
      const reflect::InterfaceVariable& variable = interface_.variables[listed.variable];
      if (!variable.location || variable.index.value_or(0) != 0) continue;
      Varying varying{*variable.location, variable.component.value_or(0), variable.type};
      if (variable.kind == reflect::InterfaceKind::Input) scene_.inputs.push_back(varying);
      if (variable.kind == reflect::InterfaceKind::Output) scene_.outputs.push_back(varying);
    }
  }

  std::span<const uint32_t> words_;
  const reflect::ShaderInterface& interface_;
  Scene scene_;
  std::map<std::pair<uint32_t, uint32_t>, SceneBinding> bindings_;
};

}  // namespace

std::expected<Scene, std::string> make_scene(const driver::LoadedShader& shader) {
  return Maker(shader).run();
}

}  // namespace equality
