// SPDX-License-Identifier: MIT
#include "heapsmith/generated_commands.h"

#include <catch2/catch_test_macros.hpp>
#include <type_traits>

using namespace heapsmith;

namespace {

using Range = VkIndirectCommandsPushConstantTokenEXT;

template <typename T>
concept TakesRange = requires(T range) {
  push_data_token(static_cast<T>(range), 0);
  push_sequence_index_token(static_cast<T>(range), 0);
};

}  // namespace

TEST_CASE("generated commands: a range of push data is for all stages") {
  constexpr Range range = push_data_range(24, 8);
  CHECK(range.updateRange.stageFlags == VK_SHADER_STAGE_ALL);
  CHECK(range.updateRange.offset == 24);
  CHECK(range.updateRange.size == 8);
}

TEST_CASE("generated commands: tokens point to their range") {
  const Range range = push_data_range(24, 4);
  const VkIndirectCommandsLayoutTokenEXT copied = push_data_token(range, 12);
  CHECK(copied.sType == VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT);
  CHECK(copied.pNext == nullptr);
  CHECK(copied.type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_EXT);
  CHECK(copied.data.pPushConstant == &range);
  CHECK(copied.offset == 12);

  const VkIndirectCommandsLayoutTokenEXT numbered = push_sequence_index_token(range, 16);
  CHECK(numbered.sType == VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT);
  CHECK(numbered.type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_SEQUENCE_INDEX_EXT);
  CHECK(numbered.data.pPushConstant == &range);
  CHECK(numbered.offset == 16);
}

TEST_CASE("generated commands: a range that dies at once is refused") {
  STATIC_CHECK(TakesRange<Range&>);
  STATIC_CHECK(TakesRange<const Range&>);
  STATIC_CHECK_FALSE(TakesRange<Range>);
  STATIC_CHECK_FALSE(TakesRange<const Range>);
}
