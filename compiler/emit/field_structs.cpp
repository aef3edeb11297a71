// SPDX-License-Identifier: MIT
#include "emit/field_structs.h"

#include <algorithm>
#include <format>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "emit/cpp_names.h"

namespace heapsmith::emit {
namespace {

// What a struct holds: bytes that shaders declare themselves, or a field.
struct Member {
  std::string_view name;
  FieldKind kind = FieldKind::Data;
  uint32_t offset = 0;
  uint32_t size = 0;
};

Member member_of(const Field& field) {
  return {field.name, field.kind, field.offset, field.size};
}

bool is_address(FieldKind kind) {
  return kind == FieldKind::BlockAddress || kind == FieldKind::BufferAddress;
}

class Writer {
 public:
  explicit Writer(const Manifest& manifest) : manifest_(manifest) {}

  std::string run() {
    write_programs("push_data", FieldSpace::PushData, "What the shaders of {} read of push data.");
    write_programs("shader_records", FieldSpace::ShaderRecord,
                   "What the shaders of {} read behind the shader group handle.");
    write_blocks();
    return std::move(text_);
  }

 private:
  template <typename... Arguments>
  void line(std::format_string<Arguments...> format, Arguments&&... arguments) {
    std::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  // The fields that a program's mappings read, an indirect block's address included.
  std::set<uint32_t> fields_of(const Program& program) const {
    std::set<uint32_t> fields;
    for (const Mapping& mapping :
         manifest_.mappings.subspan(program.mappings.first, program.mappings.count)) {
      for (const uint32_t index : {mapping.field, mapping.samplerField}) {
        if (index == kNone) continue;
        fields.insert(index);
        const Field& field = manifest_.fields[index];
        if (field.space == FieldSpace::Indirect)
          fields.insert(manifest_.indirectBlocks[field.block].addressField);
      }
    }
    return fields;
  }

  std::vector<Member> members_of(const Program& program, FieldSpace space) const {
    std::vector<Member> members;
    for (const uint32_t index : fields_of(program)) {
      const Field& field = manifest_.fields[index];
      if (field.space == space) members.push_back(member_of(field));
    }
    if (space == FieldSpace::PushData && !members.empty() && program.pushConstantSize != 0) {
      members.push_back({.name = "pushConstants",
                         .offset = program.pushConstantOffset,
                         .size = program.pushConstantSize});
    }
    if (space == FieldSpace::ShaderRecord && !members.empty() && program.recordBlockSize != 0) {
      members.push_back(
          {.name = "recordBlock", .offset = 0, .size = (program.recordBlockSize + 3) / 4 * 4});
    }
    std::ranges::sort(members, {}, &Member::offset);
    return members;
  }

  void write_programs(std::string_view scope_name, FieldSpace space, std::string_view what) {
    CppScope scope;
    bool open = false;
    for (const Program& program : manifest_.programs) {
      const std::vector<Member> members = members_of(program, space);
      if (members.empty()) continue;
      if (!std::exchange(open, true)) line("namespace {} {{", scope_name);
      const std::string name = cpp_string(program.name);
      line("/// {}", std::vformat(what, std::make_format_args(name)));
      write_struct(scope.declare(program.name), members);
    }
    if (!open) return;
    line("}}  // namespace {}", scope_name);
    line("");
  }

  void write_blocks() {
    if (manifest_.indirectBlocks.empty()) return;
    line("namespace indirect_layouts {{");
    CppScope scope;
    for (uint32_t i = 0; i < manifest_.indirectBlocks.size(); ++i) {
      std::vector<Member> members;
      for (const Field& field : manifest_.fields) {
        if (field.space == FieldSpace::Indirect && field.block == i)
          members.push_back(member_of(field));
      }
      line("/// The memory behind the address {}.",
           cpp_string(manifest_.fields[manifest_.indirectBlocks[i].addressField].name));
      write_struct(scope.declare(manifest_.indirectBlocks[i].name), members);
    }
    line("}}  // namespace indirect_layouts");
    line("");
  }

  void write_struct(const std::string& name, const std::vector<Member>& members) {
    CppScope scope;
    std::vector<std::pair<std::string, uint32_t>> offsets;
    uint32_t end = 0;
    uint32_t paddings = 0;
    line("struct {} {{", name);
    for (const Member& member : members) {
      if (member.offset > end)
        line("  std::byte {}[{}];", scope.declare(std::format("padding{}", paddings++)),
             member.offset - end);
      const std::string identifier = scope.declare(member.name);
      const std::string suffix =
          member.size > 4 ? std::format("[{}]", member.size / 4) : std::string();
      if (is_address(member.kind)) {
        line("  uint64_t {};", identifier);
      } else if (member.kind == FieldKind::Data) {
        line("  std::byte {}[{}];", identifier, member.size);
      } else {
        line("  uint32_t {}{};", identifier, suffix);
      }
      offsets.emplace_back(identifier, member.offset);
      end = member.offset + member.size;
    }
    line("}};");
    for (const auto& [identifier, offset] : offsets)
      line("static_assert(offsetof({}, {}) == {});", name, identifier, offset);
  }

  const Manifest& manifest_;
  std::string text_;
};

}  // namespace

std::string field_structs(const Manifest& manifest) {
  return Writer(manifest).run();
}

}  // namespace heapsmith::emit
