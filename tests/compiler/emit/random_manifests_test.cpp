// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emit/manifest_json.h"
#include "emit/sample_content.h"
#include "emit/sound_manifest.h"
#include "heapsmith/manifest_json.h"
#include "input/device_profile.h"
#include "plan/random_programs.h"

/// From random programs and policies to the numbers of mappings, on every device profile.
namespace heapsmith::emit {
namespace {

std::vector<DeviceLimits> all_profiles() {
  std::vector<DeviceLimits> all;
  Diagnostics diagnostics;
  for (const std::string_view name : input::built_in_profiles()) {
    const auto profile = input::load_device_profile(std::string(name), diagnostics);
    REQUIRE(profile);
    all.push_back(profile->limits);
    // Profiles know no tensors; the manifests do.
    all.back().tensorDescriptorSize = 128;
    all.back().tensorDescriptorAlignment = 64;
  }
  return all;
}

TEST_CASE("random plans: mappings keep Vulkan's rules on every device, and fields are apart") {
  const std::vector<DeviceLimits> profiles = all_profiles();
  uint32_t made = 0;
  uint32_t refused = 0;
  uint32_t fits = 0;
  std::set<MappingSource> sources;
  for (uint32_t seed = 0; seed < 1200; ++seed) {
    CAPTURE(seed);
    plan::sample::Random random(seed);
    const auto programs = plan::sample::random_programs(random);
    const auto content =
        sample::content_of(programs, plan::sample::random_policy(random, programs));
    if (!content) {
      ++refused;
      continue;
    }
    ++made;
    const ManifestStorage storage = make_manifest(*content);
    const Manifest& manifest = storage.manifest;
    REQUIRE(sample::names_what_is_there(manifest));
    for (const Program& program : manifest.programs)
      CHECK(sample::fields_are_apart(manifest, program));
    for (const Mapping& mapping : manifest.mappings)
      sources.insert(mapping.source);
    for (const DeviceLimits& limits : profiles)
      fits += sample::check_on(manifest, limits) ? 1 : 0;
  }
  // All of it must happen, or the test shows little.
  CHECK(made > 400);
  CHECK(refused > 50);
  CHECK(fits > 400 * profiles.size() / 2);
  CHECK(sources.size() == 11);
}

}  // namespace
}  // namespace heapsmith::emit
