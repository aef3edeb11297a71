// SPDX-License-Identifier: MIT
#include "spirv/assemble.h"

#include <spirv-tools/libspirv.hpp>

namespace heapsmith::spirv {
namespace {

spv_target_env environment_of_version(uint32_t version) {
  switch (version) {
    case 0x00010000:
      return SPV_ENV_UNIVERSAL_1_0;
    case 0x00010100:
      return SPV_ENV_UNIVERSAL_1_1;
    case 0x00010200:
      return SPV_ENV_UNIVERSAL_1_2;
    case 0x00010300:
      return SPV_ENV_UNIVERSAL_1_3;
    case 0x00010400:
      return SPV_ENV_UNIVERSAL_1_4;
    case 0x00010500:
      return SPV_ENV_UNIVERSAL_1_5;
    default:  // the newest reads and writes all of them
      return SPV_ENV_UNIVERSAL_1_6;
  }
}

}  // namespace

Diagnosed<std::vector<uint32_t>> assemble(std::string_view text, const AssembleOptions& options,
                                          const std::string& file, Diagnostics& diagnostics) {
  spvtools::SpirvTools tools(environment_of_version(options.version));
  bool reported = false;
  tools.SetMessageConsumer(
      [&](spv_message_level_t, const char*, const spv_position_t& position, const char* message) {
        reported = true;
        Place place;
        place.file = file;
        place.line = static_cast<uint32_t>(position.line + 1);
        place.column = static_cast<uint32_t>(position.column + 1);
        (void)diagnostics.error(Code::MalformedSpirv, std::move(place), message);
      });
  std::vector<uint32_t> words;
  const uint32_t flags = options.preserveNumericIds ? SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS
                                                    : SPV_TEXT_TO_BINARY_OPTION_NONE;
  // The assembler also complains of ids that are defined twice, and goes on.
  if (tools.Assemble(text.data(), text.size(), &words, flags) && !reported) return words;
  if (!reported)
    return diagnostics.error(Code::MalformedSpirv, {.file = file}, "the text does not assemble");
  return diagnostics.failed();
}

Diagnosed<std::string> disassemble(std::span<const uint32_t> words, bool friendlyNames,
                                   const std::string& file, Diagnostics& diagnostics) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  std::string reason = "the module does not disassemble";
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t&,
                               const char* message) { reason = message; });
  std::string text;
  const uint32_t flags = SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_NO_HEADER |
                         (friendlyNames ? uint32_t{SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES} : 0u);
  const std::vector<uint32_t> copy(words.begin(), words.end());
  if (tools.Disassemble(copy, &text, flags)) return text;
  return diagnostics.error(Code::MalformedSpirv, {.file = file}, reason);
}

}  // namespace heapsmith::spirv
