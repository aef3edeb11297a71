// SPDX-License-Identifier: MIT
#include "spirv/builder.h"

#include <set>
#include <string>

#include "module_text.h"

namespace heapsmith::spirv {
namespace {

using test::parsed;
using test::text_of;
using test::words_of;

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

}  // namespace

TEST_CASE("types and constants are declared once", "[spirv]") {
  const Module module = parsed(words_of(R"(
      OpCapability Shader
      OpCapability Linkage
      OpMemoryModel Logical GLSL450
      %uint = OpTypeInt 32 0
      %two = OpConstant %uint 2
      %pointer = OpTypePointer Uniform %uint)"));
  Editor editor(module);
  Builder builder(editor);
  const uint32_t uint = builder.uint_type();
  CHECK(module.definition(uint).op() == spv::Op::OpTypeInt);
  CHECK(module.definition(builder.uint_constant(2)).op() == spv::Op::OpConstant);
  CHECK(module.definition(builder.pointer_type(spv::StorageClass::Uniform, uint)).op() ==
        spv::Op::OpTypePointer);
  CHECK(editor.bound() == module.bound());

  const uint32_t three = builder.uint_constant(3);
  CHECK(three >= module.bound());
  CHECK(builder.uint_constant(3) == three);
  const uint32_t sum = builder.uint_operation(spv::Op::OpIAdd, three, builder.uint_constant(2));
  CHECK(builder.uint_operation(spv::Op::OpIAdd, three, builder.uint_constant(2)) == sum);
  CHECK(builder.uint_operation(spv::Op::OpISub, three, builder.uint_constant(2)) != sum);
  CHECK(builder.pointer_type(spv::StorageClass::StorageBuffer, uint) !=
        builder.pointer_type(spv::StorageClass::Uniform, uint));
}

TEST_CASE("many declarations are told apart", "[spirv]") {
  std::string text =
      "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"
      "%uint = OpTypeInt 32 0\n";
  for (int i = 0; i < 300; ++i)
    text += "%c" + std::to_string(i) + " = OpConstant %uint " + std::to_string(i) + "\n";
  const Module module = parsed(words_of(text));
  Editor editor(module);
  Builder builder(editor);
  std::set<uint32_t> ids;
  for (uint32_t i = 0; i < 600; ++i)
    ids.insert(builder.uint_constant(i));
  CHECK(ids.size() == 600);
  CHECK(editor.bound() == module.bound() + 300);
  for (uint32_t i = 0; i < 600; ++i)
    ids.insert(builder.uint_constant(i));
  CHECK(ids.size() == 600);
}

TEST_CASE("arrays are never shared", "[spirv]") {
  const Module module = parsed(words_of(R"(
      OpCapability Shader
      OpCapability Linkage
      OpMemoryModel Logical GLSL450
      %uint = OpTypeInt 32 0
      %array = OpTypeRuntimeArray %uint)"));
  Editor editor(module);
  Builder builder(editor);
  const uint32_t a = builder.declare(spv::Op::OpTypeRuntimeArray, 0, {builder.uint_type()});
  const uint32_t b = builder.declare(spv::Op::OpTypeRuntimeArray, 0, {builder.uint_type()});
  CHECK(a >= module.bound());
  CHECK(a != b);
}

TEST_CASE("a type can be declared before others", "[spirv]") {
  const Module module = parsed(words_of(R"(
      OpCapability Shader
      OpCapability Linkage
      OpMemoryModel Logical GLSL450
      %float = OpTypeFloat 32
      %block = OpTypeStruct %float
      %uint = OpTypeInt 32 0
      %two = OpConstant %uint 2)"));
  Editor editor(module);
  Builder builder(editor);
  uint32_t block = 0;
  for (const Instruction instruction : module.declarations())
    if (instruction.op() == spv::Op::OpTypeStruct) block = module.word_index(instruction);
  const uint32_t uint = builder.declare_before(block, spv::Op::OpTypeInt, {32, 0});
  CHECK(builder.uint_type() == uint);
  const uint32_t half = builder.declare_before(block, spv::Op::OpTypeFloat, {16});
  CHECK(builder.declare_once(spv::Op::OpTypeFloat, 0, {16}) == half);
  (void)builder.declare_before(block, spv::Op::OpTypeFloat, {32});
  CHECK(text_of(editor.write()) == test::plain(R"(
      OpCapability Shader
      OpCapability Linkage
      OpMemoryModel Logical GLSL450
      %float = OpTypeFloat 32
      %uint = OpTypeInt 32 0
      %half = OpTypeFloat 16
      %_struct_2 = OpTypeStruct %float
      %uint_2 = OpConstant %uint 2)"));
}

TEST_CASE("capabilities and extensions are required once", "[spirv]") {
  const Module module = parsed(words_of(R"(
      OpCapability Shader
      OpCapability Linkage
      OpExtension "SPV_KHR_16bit_storage"
      OpMemoryModel Logical GLSL450)"));
  Editor editor(module);
  Builder builder(editor);
  for (int i = 0; i < 2; ++i) {
    builder.require(spv::Capability::Shader);
    builder.require(spv::Capability::Int64);
    builder.require(spv::Capability::Int16);
    builder.require_extension("SPV_KHR_16bit_storage");
    builder.require_extension("SPV_KHR_untyped_pointers");
    builder.require_extension("SPV_EXT_descriptor_heap");
  }
  const std::string text = text_of(editor.write());
  for (const char* part :
       {"OpCapability Shader", "OpCapability Int64", "OpCapability Int16", "SPV_KHR_16bit_storage",
        "SPV_KHR_untyped_pointers", "SPV_EXT_descriptor_heap"})
    CHECK(count(text, part) == 1);
}

}  // namespace heapsmith::spirv
