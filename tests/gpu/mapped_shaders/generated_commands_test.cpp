// SPDX-License-Identifier: MIT
#include <heapsmith/generated_commands.h>

#include "session.h"
#include "support/generated_commands.h"

using namespace mapped_shaders;

namespace {

// Memory of one sequence: its tokens' words, and a dispatch.
struct Sequence {
  uint32_t slot = 0;
  uint32_t material = 0;
  uint32_t model = 0;
  uint32_t draw[4] = {};
  uint32_t groups[3] = {1, 1, 1};
};

constexpr auto offset_of(size_t offset) {
  return static_cast<uint32_t>(offset);
}

}  // namespace

TEST_CASE("mapped shaders: sequences of generated commands bring fields along") {
  Session session({.generatedCommands = true});
  for (uint32_t material = 0; material < 4; ++material)
    session.write_number(shaders::bindings::things_indexed::material, 0, material, 40 + material);
  check(session.writer().flush(), "writing descriptors");

  const heapsmith::Program& program =
      shaders::manifest.programs[shaders::programs::generated.index];
  const auto slot = heapsmith::push_data_range(program.pushConstantOffset, 4);
  const auto material =
      heapsmith::push_data_range(shaders::manifest, shaders::push::things_indexed);
  const auto model = heapsmith::push_data_range(shaders::manifest, shaders::push::model);
  const auto draw = heapsmith::push_data_range(shaders::manifest, shaders::push::draw);
  const std::array tokens{
      heapsmith::push_data_token(slot, offset_of(offsetof(Sequence, slot))),
      heapsmith::push_data_token(material, offset_of(offsetof(Sequence, material))),
      heapsmith::push_data_token(model, offset_of(offsetof(Sequence, model))),
      heapsmith::push_data_token(draw, offset_of(offsetof(Sequence, draw))),
      gpu_test::dispatch_token(offset_of(offsetof(Sequence, groups)))};
  const std::array sequences{Sequence{2, 3, 70, {1, 80, 3, 4}}, Sequence{0, 1, 71, {1, 81, 3, 4}},
                             Sequence{1, 2, 72, {1, 82, 3, 4}}};
  std::vector<uint32_t> words(sizeof sequences / sizeof(uint32_t));
  std::memcpy(words.data(), sequences.data(), sizeof sequences);
  gpu_test::run_generated(session, session.heaps(), {},
                          session.pipeline(shaders::programs::generated), tokens, words,
                          static_cast<uint32_t>(sequences.size()));

  std::vector<uint32_t> found = session.results.take();
  found.resize(9);
  CHECK(found == std::vector<uint32_t>{41, 71, 81, 42, 72, 82, 43, 70, 80});
}
