// SPDX-License-Identifier: MIT
#include "rewrite/rewrite_module.h"

#include <cstddef>
#include <span>
#include <utility>

#include "rewrite/block_words.h"
#include "rewrite/buffer_blocks.h"
#include "rewrite/context.h"
#include "rewrite/descriptor_array_capabilities.h"
#include "rewrite/heaps.h"
#include "rewrite/interface_lists.h"
#include "rewrite/objects.h"
#include "rewrite/read_only_blocks.h"
#include "rewrite/replace_uses.h"
#include "rewrite/specialize_functions.h"
#include "spirv/parse.h"
#include "spirv/sweep.h"

namespace heapsmith::rewrite {
namespace {

/// OpDecorateId needs SPIR-V 1.2, and the class StorageBuffer 1.3.
constexpr uint32_t kLeastVersion = 0x00010300;

Diagnosed<void> rewrite(const Context& context, const Objects& objects) {
  context.editor.raise_version(kLeastVersion);
  const auto words = Words::declare(context, objects);
  if (!words) return std::unexpected(words.error());
  const auto blocks = BufferBlocks::modernize(context, objects);
  if (!blocks) return std::unexpected(blocks.error());
  const ReadOnlyBlocks readOnly = ReadOnlyBlocks::find(context, objects);
  Heaps heaps(context);
  if (auto done = replace_uses(context, objects, heaps, *words, *blocks, readOnly); !done)
    return done;
  for (const Object& object : objects.all())
    if (object.placement != nullptr) context.editor.remove(context.module.definition(object.id));
  drop_descriptor_array_capabilities(context, objects);
  update_interface_lists(context, objects, heaps, *words);
  // Behind all that takes uses away or adds some.
  const std::vector<uint8_t> gone = spirv::sweep(context.editor, objects.uses());
  readOnly.mark(context, gone);
  return {};
}

/// Does so once: functions that are specialized are handed the same by all who call them.
Diagnosed<std::vector<uint32_t>> rewrite_specialized(const Context& context,
                                                     const std::vector<uint32_t>& words) {
  const auto module =
      spirv::parse_module(std::as_bytes(std::span(words)), context.file, context.diagnostics);
  if (!module) return std::unexpected(module.error());
  return rewrite_module(*module, context.shader, context.placements, context.file,
                        context.diagnostics);
}

/// `diagnostics` holds what this module is about and nothing else.
Diagnosed<std::vector<uint32_t>> rewrite(const Context& context) {
  const auto objects = Objects::find(context);
  if (!objects) return std::unexpected(objects.error());
  if (const auto specialized = specialize_functions(context, *objects))
    return rewrite_specialized(context, *specialized);
  if (!objects->all().empty())
    if (auto done = rewrite(context, *objects); !done) return std::unexpected(done.error());
  if (!context.editor.fits())
    return context.diagnostics.error(Code::UnsupportedSpirv, {.file = context.file},
                                     "the rewritten module would exceed a limit of SPIR-V");
  return context.editor.write();
}

}  // namespace

Diagnosed<std::vector<uint32_t>> rewrite_module(const spirv::Module& module,
                                                const reflect::ShaderInterface& shader,
                                                const Placements& placements,
                                                const std::string& file, Diagnostics& diagnostics) {
  const auto annotations = spirv::Annotations::collect(module, file, diagnostics);
  if (!annotations) return std::unexpected(annotations.error());
  spirv::Editor editor(module);
  spirv::Builder builder(editor);
  return rewrite({.module = module,
                  .annotations = *annotations,
                  .shader = shader,
                  .placements = placements,
                  .file = file,
                  .diagnostics = diagnostics,
                  .editor = editor,
                  .builder = builder});
}

}  // namespace heapsmith::rewrite
