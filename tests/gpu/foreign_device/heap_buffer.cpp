// SPDX-License-Identifier: MIT
#include "heap_buffer.h"

#include <algorithm>
#include <cstring>

namespace foreign_device {
namespace {

// What the foreign driver keeps in its reserved range.
constexpr std::byte kReserved{0xA7};

bool overlap(VkDeviceSize a, VkDeviceSize aSize, VkDeviceSize b, VkDeviceSize bSize) {
  return a < b + bSize && b < a + aSize;
}

std::string range_text(VkDeviceSize offset, VkDeviceSize size) {
  return "bytes " + std::to_string(offset) + " to " + std::to_string(offset + size);
}

std::string heap_text(const Heap& heap) {
  return (heap.kind == HeapKind::Samplers ? "the sampler heap in " : "the resource heap in ") +
         range_text(heap.start, heap.size) + " of the buffer";
}

}  // namespace

std::vector<std::byte> foreign_bytes(const std::vector<std::byte>& real, VkDeviceSize size) {
  uint64_t state = 0xCBF29CE484222325u;  // FNV-1a
  const auto mix = [&](std::byte byte) {
    state = (state ^ static_cast<uint64_t>(byte)) * 0x100000001B3u;
  };
  for (const std::byte byte : real)
    mix(byte);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) {
    mix(std::byte{0});
    byte = static_cast<std::byte>(state >> 32);
  }
  return bytes;
}

std::byte* HeapBuffer::real_place(const Heap& heap, VkDeviceSize offset) const {
  return host + heap.start + Numbers::distance(heap.kind) +
         numbers_->scale(heap.kind) * (offset - heap.start);
}

// A descriptor whose bytes the application has overwritten is dead.
bool HeapBuffer::is_intact(VkDeviceSize offset, const Descriptor& descriptor) const {
  return std::memcmp(host + offset, descriptor.foreign.data(), descriptor.foreign.size()) == 0;
}

// Overwriting a descriptor as a whole is an update. Overwriting a part of one is what wrong strides
// do.
void HeapBuffer::remove_overlapped(VkDeviceSize offset, VkDeviceSize size) {
  std::erase_if(descriptors_, [&](const auto& entry) {
    const auto& [other, descriptor] = entry;
    if (!overlap(offset, size, other, descriptor.foreign.size())) return false;
    if (other != offset && is_intact(other, descriptor)) {
      reporter_->report(rule::kWriteOverlap, "a descriptor in " + range_text(offset, size) +
                                                 " of its buffer overwrites a part of the one in " +
                                                 range_text(other, descriptor.foreign.size()));
    }
    return true;
  });
}

void HeapBuffer::write(VkDeviceSize offset, Descriptor descriptor) {
  remove_overlapped(offset, descriptor.foreign.size());
  std::memcpy(host + offset, descriptor.foreign.data(), descriptor.foreign.size());
  Descriptor& written = descriptors_[offset] = std::move(descriptor);
  for (const Heap& heap : heaps_)
    put_into(heap, offset, written);
}

void HeapBuffer::check(VkDeviceSize offset, const Descriptor& descriptor, const Heap& heap) const {
  const VkDeviceSize size = descriptor.foreign.size();
  const std::string where =
      "the descriptor in " + range_text(offset - heap.start, size) + " of " + heap_text(heap);
  const VkDeviceSize alignment = numbers_->class_alignment(descriptor.type);
  if ((offset - heap.start) % alignment != 0) {
    reporter_->report(rule::kWriteAlignment,
                      where + " is not aligned to " + std::to_string(alignment) + " bytes");
  }
  if (overlap(offset, size, heap.reservedStart, heap.reservedSize))
    reporter_->report(rule::kWriteReserved, where + " is in the reserved range");
  if (offset < heap.start || offset + size > heap.end())
    reporter_->report(rule::kWriteOutside, where + " crosses its end");
}

void HeapBuffer::put_into(const Heap& heap, VkDeviceSize offset, Descriptor& descriptor) {
  if (heap_kind(descriptor.type) != heap.kind ||
      !overlap(offset, descriptor.foreign.size(), heap.start, heap.size)) {
    return;
  }
  descriptor.isInHeap = true;
  check(offset, descriptor, heap);
  if (offset < heap.start) return;
  std::memcpy(real_place(heap, offset), descriptor.real.data(), descriptor.real.size());
}

void HeapBuffer::bind(const Heap& heap) {
  if (std::ranges::find(heaps_, heap) == heaps_.end()) {
    std::erase_if(heaps_, [&](const Heap& other) {
      return other.kind == heap.kind && other.start == heap.start;
    });
    const VkDeviceSize scale = numbers_->scale(heap.kind);
    for (const Heap& other : heaps_) {
      if (other.kind == heap.kind &&
          overlap(heap.start, scale * heap.size, other.start, scale * other.size)) {
        reporter_->report(rule::kUnsupported, heap_text(heap) +
                                                  " has its real descriptors where those of " +
                                                  heap_text(other) + " are");
      }
    }
    heaps_.push_back(heap);
    for (auto& [offset, descriptor] : descriptors_)
      put_into(heap, offset, descriptor);
  }
  std::memset(host + heap.reservedStart, static_cast<int>(kReserved), heap.reservedSize);
}

void HeapBuffer::check_before_run(const Heap& heap) {
  const std::byte* reserved = host + heap.reservedStart;
  const auto foreignByte = std::find_if(reserved, reserved + heap.reservedSize,
                                        [](std::byte byte) { return byte != kReserved; });
  if (foreignByte != reserved + heap.reservedSize) {
    reporter_->report(rule::kReservedTouched,
                      "byte " + std::to_string(foreignByte - host - heap.start) + " of " +
                          heap_text(heap) + " is reserved and was overwritten after the bind");
  }
  // Where the application has put something else, no shader may find the old descriptor.
  std::erase_if(descriptors_, [&](const auto& entry) {
    const auto& [offset, descriptor] = entry;
    if (is_intact(offset, descriptor)) return false;
    for (const Heap& other : heaps_) {
      if (heap_kind(descriptor.type) == other.kind && offset >= other.start && offset < other.end())
        std::memset(real_place(other, offset), 0, descriptor.real.size());
    }
    return true;
  });
}

void HeapBuffer::finish() {
  for (const auto& [offset, descriptor] : descriptors_) {
    if (heaps_.empty()) break;  // nothing was bound, so nothing is known of the heaps' places
    if (descriptor.isInHeap || !is_intact(offset, descriptor)) continue;
    reporter_->report(rule::kWriteOutside, "the descriptor in " +
                                               range_text(offset, descriptor.foreign.size()) +
                                               " of its buffer is in no heap of its kind");
  }
  descriptors_.clear();
  host = nullptr;
}

}  // namespace foreign_device
