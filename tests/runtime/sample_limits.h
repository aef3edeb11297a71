// SPDX-License-Identifier: MIT
#pragma once

#include "heapsmith/device_limits.h"

/// Devices that differ where it matters.
namespace sample {

/// Software: no reserved ranges, small alignments, images four times as large as buffers.
inline constexpr heapsmith::DeviceLimits kLavapipe = {.samplerHeapAlignment = 4,
                                                      .resourceHeapAlignment = 4,
                                                      .maxSamplerHeapSize = 131072,
                                                      .maxResourceHeapSize = 67108864,
                                                      .minSamplerHeapReservedRange = 0,
                                                      .minSamplerHeapReservedRangeWithEmbedded = 0,
                                                      .minResourceHeapReservedRange = 0,
                                                      .samplerDescriptorSize = 32,
                                                      .imageDescriptorSize = 64,
                                                      .bufferDescriptorSize = 16,
                                                      .tensorDescriptorSize = 0,
                                                      .samplerDescriptorAlignment = 4,
                                                      .imageDescriptorAlignment = 4,
                                                      .bufferDescriptorAlignment = 4,
                                                      .tensorDescriptorAlignment = 0,
                                                      .maxPushDataSize = 256,
                                                      .maxDescriptorHeapEmbeddedSamplers = 4096,
                                                      .samplerYcbcrConversionCount = 3};

/// The largest sizes, alignments and reserved ranges that the specification allows, and the
/// smallest maxima.
inline constexpr heapsmith::DeviceLimits kWorstCase = {
    .samplerHeapAlignment = 65536,
    .resourceHeapAlignment = 65536,
    .maxSamplerHeapSize = 4096 * 32,
    .maxResourceHeapSize = uint64_t{1 << 20} * 128,
    .minSamplerHeapReservedRange = 96 * 32,
    .minSamplerHeapReservedRangeWithEmbedded = 2048 * 32,
    .minResourceHeapReservedRange = (1 << 15) * 128,
    .samplerDescriptorSize = 32,
    .imageDescriptorSize = 64,
    .bufferDescriptorSize = 128,
    .tensorDescriptorSize = 0,
    .samplerDescriptorAlignment = 32,
    .imageDescriptorAlignment = 64,
    .bufferDescriptorAlignment = 128,
    .tensorDescriptorAlignment = 0,
    .maxPushDataSize = 256,
    .maxDescriptorHeapEmbeddedSamplers = 2032,
    .samplerYcbcrConversionCount = 3};

/// As RADV: maxima that are no maxima.
inline constexpr heapsmith::DeviceLimits kUnlimited = {.samplerHeapAlignment = 64,
                                                       .resourceHeapAlignment = 64,
                                                       .maxSamplerHeapSize = UINT64_MAX,
                                                       .maxResourceHeapSize = UINT64_MAX,
                                                       .minSamplerHeapReservedRange = 0,
                                                       .minSamplerHeapReservedRangeWithEmbedded = 0,
                                                       .minResourceHeapReservedRange = 0,
                                                       .samplerDescriptorSize = 16,
                                                       .imageDescriptorSize = 32,
                                                       .bufferDescriptorSize = 16,
                                                       .tensorDescriptorSize = 0,
                                                       .samplerDescriptorAlignment = 16,
                                                       .imageDescriptorAlignment = 32,
                                                       .bufferDescriptorAlignment = 16,
                                                       .tensorDescriptorAlignment = 0,
                                                       .maxPushDataSize = 256,
                                                       .maxDescriptorHeapEmbeddedSamplers = 4000,
                                                       .samplerYcbcrConversionCount = 3};

}  // namespace sample
