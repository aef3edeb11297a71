// SPDX-License-Identifier: MIT
#include <heapsmith/generated_commands.h>

#include "session.h"
#include "support/generated_commands.h"

using namespace mapping_sources;

namespace {

// Where the shader's block finds its index, and generated.comp its push constant.
constexpr uint32_t kIndexAt = 12;
constexpr uint32_t kSlotAt = 16;

constexpr uint32_t kResults = 4;

struct GeneratedCommands {
  Session session{{.generatedCommands = true}};
  HandHeaps heaps{session};
  Results results{session, kResults};
  Mapping resultMapping = map_results(heaps, results);
  NumberedBlocks blocks{session, heaps, 10};
  PushData push;

  VkPipeline pipeline() {
    const std::array mappings{
        gpu_test::map(0, 0, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT,
                      {.pushIndex = {.heapOffset = blocks.slots.at(1),
                                     .pushOffset = kIndexAt,
                                     .heapIndexStride = 2 * blocks.slots.size}}),
        resultMapping};
    return gpu_test::compute_pipeline(session, session.shader("generated.comp"), mappings);
  }

  // What the sequences in `words` write.
  std::vector<uint32_t> run(std::span<const VkIndirectCommandsLayoutTokenEXT> tokens,
                            const std::vector<uint32_t>& words, uint32_t sequences) {
    gpu_test::run_generated(session, heaps.heaps(), push, pipeline(), tokens, words, sequences);
    return results.take();
  }
};

}  // namespace

TEST_CASE_METHOD(GeneratedCommands, "generated commands: a sequence pushes index and slot") {
  const auto range = heapsmith::push_data_range(kIndexAt, 8);
  const std::array tokens{heapsmith::push_data_token(range, 0), gpu_test::dispatch_token(8)};
  CHECK(run(tokens,
            {
                4,
                2,
                1,
                1,
                1,  // block 1 + 2 * 4 to slot 2
                0,
                0,
                1,
                1,
                1,  //
                3,
                3,
                1,
                1,
                1,
            },
            3) == std::vector<uint32_t>{1, Results::kUnwritten, 9, 7});
}

TEST_CASE_METHOD(GeneratedCommands, "generated commands: a sequence pushes one word") {
  const auto range = heapsmith::push_data_range(kIndexAt, 4);
  const std::array tokens{heapsmith::push_data_token(range, 0), gpu_test::dispatch_token(4)};
  push.put(kSlotAt, uint32_t{1});  // stays as it was pushed
  CHECK(run(tokens, {2, 1, 1, 1}, 1) ==
        std::vector<uint32_t>{Results::kUnwritten, 5, Results::kUnwritten, Results::kUnwritten});
}

TEST_CASE_METHOD(GeneratedCommands, "generated commands: the sequence's number is pushed") {
  const auto range = heapsmith::push_data_range(kIndexAt, 4);
  const auto number = heapsmith::push_data_range(kSlotAt, 4);
  const std::array tokens{heapsmith::push_data_token(range, 0),
                          heapsmith::push_sequence_index_token(number, 4),
                          gpu_test::dispatch_token(4)};
  CHECK(run(tokens,
            {
                4,
                1,
                1,
                1,  // block 1 + 2 * 4 to slot 0
                1,
                1,
                1,
                1,  //
                3,
                1,
                1,
                1,  //
                0,
                1,
                1,
                1,
            },
            4) == std::vector<uint32_t>{9, 3, 7, 1});
}
