// SPDX-License-Identifier: MIT
// Static use and accesses (scan_functions.cpp, static_use.cpp, trace_facts.cpp, access_facts.cpp).
#include <catch2/catch_test_macros.hpp>
#include <format>
#include <string>
#include <string_view>
#include <vector>

#include "reflect/reflect_module.h"
#include "spirv/assemble.h"
#include "spirv/parse.h"

namespace heapsmith::reflect {
namespace {

ShaderInterface reflected(const std::string& text, uint32_t version = 0x00010300) {
  Diagnostics diagnostics;
  const auto words = spirv::assemble(text, {.version = version}, "test.spvasm", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(words.has_value());
  const auto module =
      spirv::parse_module(std::as_bytes(std::span(*words)), "test.spv", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(module.has_value());
  auto shader = reflect_module(*module, "test.spv", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all())
    UNSCOPED_INFO(diagnostic.text);
  REQUIRE(shader.has_value());
  return std::move(*shader);
}

// One of everything, on set 0, named like their ids. `decorations` and `functions` come on top;
// %main is the entry point unless `entryPoints` says otherwise.
std::string module_with(std::string_view functions, std::string_view decorations = "",
                        std::string_view entryPoints = "OpEntryPoint GLCompute %main \"main\"\n") {
  std::string places;
  int binding = 0;
  for (const char* name :
       {"buf", "bufs", "tex", "texs", "smp", "smps", "img", "imgs", "comb", "grid"})
    places += std::format(
        "OpName %{0} \"{0}\"\nOpDecorate %{0} DescriptorSet 0\nOpDecorate %{0} Binding {1}\n", name,
        binding++);
  return std::format(R"(
               OpCapability Shader
      %dbg   = OpExtInstImport "NonSemantic.Test"
      %glsl  = OpExtInstImport "GLSL.std.450"
               OpMemoryModel Logical GLSL450
               {}
               {}
               {}
               OpDecorate %Buf Block
               OpMemberDecorate %Buf 0 Offset 0
               OpMemberDecorate %Buf 1 Offset 4
               OpDecorate %tail ArrayStride 4
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
      %float = OpTypeFloat 32
       %uint = OpTypeInt 32 0
         %v2 = OpTypeVector %float 2
         %v4 = OpTypeVector %float 4
        %uv2 = OpTypeVector %uint 2
       %bool = OpTypeBool
         %u0 = OpConstant %uint 0
         %u1 = OpConstant %uint 1
         %u4 = OpConstant %uint 4
         %s1 = OpSpecConstant %uint 1
       %true = OpConstantTrue %bool
         %f0 = OpConstant %float 0
       %zero = OpConstantComposite %v2 %f0 %f0
      %uzero = OpConstantComposite %uv2 %u0 %u0
      %four  = OpConstantComposite %v4 %f0 %f0 %f0 %f0
       %tail = OpTypeRuntimeArray %uint
        %Buf = OpTypeStruct %uint %tail
       %Bufs = OpTypeArray %Buf %u4
       %pBuf = OpTypePointer StorageBuffer %Buf
      %pBufs = OpTypePointer StorageBuffer %Bufs
      %puint = OpTypePointer StorageBuffer %uint
        %Tex = OpTypeImage %float 2D 0 0 0 1 Unknown
       %Texs = OpTypeRuntimeArray %Tex
       %pTex = OpTypePointer UniformConstant %Tex
      %pTexs = OpTypePointer UniformConstant %Texs
        %Smp = OpTypeSampler
       %Smps = OpTypeArray %Smp %u4
       %pSmp = OpTypePointer UniformConstant %Smp
      %pSmps = OpTypePointer UniformConstant %Smps
        %Img = OpTypeImage %uint 2D 0 0 0 2 R32ui
       %Imgs = OpTypeArray %Img %u4
       %pImg = OpTypePointer UniformConstant %Img
      %pImgs = OpTypePointer UniformConstant %Imgs
     %ptexel = OpTypePointer Image %uint
       %Comb = OpTypeSampledImage %Tex
      %pComb = OpTypePointer UniformConstant %Comb
       %Row  = OpTypeArray %Tex %u4
       %Grid = OpTypeArray %Row %u4
      %pGrid = OpTypePointer UniformConstant %Grid
       %pRow = OpTypePointer UniformConstant %Row
      %fnTex = OpTypeFunction %v4 %Tex %Smp
     %fnPtex = OpTypeFunction %v4 %pTex %pSmp
    %fnTexs  = OpTypeFunction %v4 %pTexs
     %fnPBuf = OpTypeFunction %void %pBuf
     %fnRet  = OpTypeFunction %pBuf
      %pfunc = OpTypePointer Function %uint
     %pppBuf = OpTypePointer Function %pBuf
        %buf = OpVariable %pBuf StorageBuffer
       %bufs = OpVariable %pBufs StorageBuffer
        %tex = OpVariable %pTex UniformConstant
       %texs = OpVariable %pTexs UniformConstant
        %smp = OpVariable %pSmp UniformConstant
       %smps = OpVariable %pSmps UniformConstant
        %img = OpVariable %pImg UniformConstant
       %imgs = OpVariable %pImgs UniformConstant
       %comb = OpVariable %pComb UniformConstant
       %grid = OpVariable %pGrid UniformConstant
               {}
)",
                     entryPoints, places, decorations, functions);
}

std::string main_with(std::string_view body) {
  return std::format(
      "%main = OpFunction %void None %fn\n%main0 = OpLabel\n{}\nOpReturn\nOpFunctionEnd\n", body);
}

const Resource& named(const ShaderInterface& shader, std::string_view name) {
  for (const Resource& resource : shader.resources)
    if (resource.name == name) return resource;
  FAIL("no resource " << name);
  return shader.resources[0];
}

std::vector<std::string> used(const ShaderInterface& shader, size_t entryPoint = 0) {
  std::vector<std::string> names;
  for (const uint32_t index : shader.entryPoints.at(entryPoint).usedResources)
    names.push_back(shader.resources[index].name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("what no instruction names is not used, whatever the interface list says", "[reflect]") {
  for (const uint32_t version : {0x00010000u, 0x00010300u, 0x00010600u}) {
    const ShaderInterface shader =
        reflected(module_with(main_with("%t = OpLoad %Tex %tex"), "",
                              "OpEntryPoint GLCompute %main \"main\" %buf %smp %img\n"),
                  version);
    CHECK(shader.resources.size() == 10);
    CHECK(used(shader) == Names{"tex"});
    CHECK_FALSE(named(shader, "buf").isRead);
  }
}

TEST_CASE("use follows calls, and only calls", "[reflect]") {
  const ShaderInterface shader =
      reflected(module_with("%dead = OpFunction %void None %fn\n%d0 = OpLabel\n%dt = OpLoad %Tex "
                            "%tex\nOpReturn\nOpFunctionEnd\n"
                            "%inner = OpFunction %void None %fn\n%i0 = OpLabel\n%is = OpLoad %Smp "
                            "%smp\nOpReturn\nOpFunctionEnd\n"
                            "%outer = OpFunction %void None %fn\n%o0 = OpLabel\n%oc = "
                            "OpFunctionCall %void %inner\nOpReturn\nOpFunctionEnd\n" +
                            main_with("%c = OpFunctionCall %void %outer")));
  CHECK(used(shader) == Names{"smp"});
}

TEST_CASE("each entry point has its own uses", "[reflect]") {
  const ShaderInterface shader = reflected(module_with(
      "%shared = OpFunction %void None %fn\n%s0 = OpLabel\n%st = OpLoad %Tex "
      "%tex\nOpReturn\nOpFunctionEnd\n"
      "%a = OpFunction %void None %fn\n%a0 = OpLabel\n%ac = OpFunctionCall %void %shared\n%as = "
      "OpLoad %Smp %smp\n"
      "OpReturn\nOpFunctionEnd\n"
      "%b = OpFunction %void None %fn\n%b0 = OpLabel\n%bc = OpFunctionCall %void %shared\n%bi = "
      "OpLoad %Img %img\n"
      "OpReturn\nOpFunctionEnd\n",
      "", "OpEntryPoint GLCompute %a \"first\"\nOpEntryPoint Fragment %b \"second\"\n"));
  REQUIRE(shader.entryPoints.size() == 2);
  CHECK(shader.entryPoints[0].name == "first");
  CHECK(used(shader, 0) == Names{"tex", "smp"});
  CHECK(used(shader, 1) == Names{"tex", "img"});
}

TEST_CASE("a branch that a specialization constant switches off is used", "[reflect]") {
  CHECK(used(reflected(module_with(
            main_with("OpSelectionMerge %m None\nOpBranchConditional %true %m %n\n%n = OpLabel\n"
                      "%t = OpLoad %Tex %tex\nOpBranch %m\n%m = OpLabel")))) == Names{"tex"});
}

TEST_CASE("handing a resource to a function is a use of it", "[reflect]") {
  const ShaderInterface shader =
      reflected(module_with("%f = OpFunction %v4 None %fnPtex\n%ft = OpFunctionParameter "
                            "%pTex\n%fs = OpFunctionParameter %pSmp\n"
                            "%fl = OpLabel\nOpReturnValue %four\nOpFunctionEnd\n" +
                            main_with("%c = OpFunctionCall %v4 %f %tex %smp")));
  CHECK(used(shader) == Names{"tex", "smp"});
  CHECK_FALSE(named(shader, "tex").isRead);
}

TEST_CASE("non-semantic instructions are no uses, semantic ones are", "[reflect]") {
  CHECK(used(reflected(module_with(main_with("%x = OpExtInst %void %dbg 1 %buf")))).empty());
  CHECK(used(reflected(module_with(main_with("%p = OpAccessChain %puint %buf %u0\n"
                                             "%x = OpExtInst %uint %glsl Modf %f0 %p")))) ==
        Names{"buf"});
}

TEST_CASE("call chains of any depth and call cycles are followed once", "[reflect]") {
  std::string functions =
      "%fun0 = OpFunction %void None %fn\n%l0 = OpLabel\n%t = OpLoad %Tex %tex\n"
      "%back = OpFunctionCall %void %fun5\nOpReturn\nOpFunctionEnd\n";
  for (int i = 1; i <= 5000; ++i)
    functions += std::format(
        "%fun{0} = OpFunction %void None %fn\n%l{0} = OpLabel\n%a{0} = OpFunctionCall %void "
        "%fun{1}\n"
        "%b{0} = OpFunctionCall %void %fun{1}\nOpReturn\nOpFunctionEnd\n",
        i, i - 1);
  CHECK(used(reflected(module_with(functions + main_with("%c = OpFunctionCall %void %fun5000")))) ==
        Names{"tex"});
}

TEST_CASE("accesses are told apart", "[reflect]") {
  struct Case {
    const char* body;
    const char* resource;
    bool read, written, atomics, length, comparison;
  };
  const Case cases[] = {
      {"%p = OpAccessChain %puint %buf %u0\n%x = OpLoad %uint %p", "buf", true, false, false, false,
       false},
      {"%p = OpAccessChain %puint %buf %u0\nOpStore %p %u1", "buf", false, true, false, false,
       false},
      {"%p = OpAccessChain %puint %buf %u1 %u0\n%x = OpAtomicIAdd %uint %p %u1 %u0 %u1", "buf",
       true, true, true, false, false},
      {"%p = OpAccessChain %puint %buf %u0\n%x = OpAtomicLoad %uint %p %u1 %u0", "buf", true, false,
       true, false, false},
      {"%p = OpAccessChain %puint %buf %u0\nOpAtomicStore %p %u1 %u0 %u1", "buf", false, true, true,
       false, false},
      {"%x = OpArrayLength %uint %buf 1", "buf", false, false, false, true, false},
      {"%p = OpAccessChain %pBuf %bufs %u1\n%x = OpArrayLength %uint %p 1", "bufs", false, false,
       false, true, false},
      {"%p = OpAccessChain %puint %buf %u0\n%q = OpAccessChain %puint %bufs %u0 %u0\nOpCopyMemory "
       "%p %q",
       "buf", false, true, false, false, false},
      {"%p = OpAccessChain %puint %buf %u0\n%q = OpAccessChain %puint %bufs %u0 %u0\nOpCopyMemory "
       "%p %q",
       "bufs", true, false, false, false, false},
      {"%i = OpLoad %Img %img\n%x = OpImageRead %v4 %i %uzero", "img", true, false, false, false,
       false},
      {"%i = OpLoad %Img %img\nOpImageWrite %i %uzero %four", "img", false, true, false, false,
       false},
      {"%i = OpLoad %Img %img\n%x = OpImageQuerySize %uv2 %i", "img", false, false, false, false,
       false},
      {"%p = OpImageTexelPointer %ptexel %img %uzero %u0\n%x = OpAtomicIAdd %uint %p %u1 %u0 %u1",
       "img", true, true, true, false, false},
      {"%e = OpAccessChain %pImg %imgs %u1\n%p = OpImageTexelPointer %ptexel %e %uzero %u0\n"
       "%x = OpAtomicExchange %uint %p %u1 %u0 %u1",
       "imgs", true, true, true, false, false},
      {"%t = OpLoad %Tex %tex\n%x = OpImageFetch %v4 %t %uzero", "tex", true, false, false, false,
       false},
      {"%t = OpLoad %Tex %tex\n%s = OpLoad %Smp %smp\n%c = OpSampledImage %Comb %t %s\n"
       "%x = OpImageSampleDrefExplicitLod %float %c %zero %f0 Lod %f0",
       "smp", true, false, false, false, true},
      {"%t = OpLoad %Tex %tex\n%s = OpLoad %Smp %smp\n%c = OpSampledImage %Comb %t %s\n"
       "%x = OpImageDrefGather %v4 %c %zero %f0",
       "tex", true, false, false, false, true},
      {"%t = OpLoad %Tex %tex\n%s = OpLoad %Smp %smp\n%c = OpSampledImage %Comb %t %s\n"
       "%x = OpImageSampleExplicitLod %v4 %c %zero Lod %f0",
       "smp", true, false, false, false, false},
      {"%c = OpLoad %Comb %comb\n%i = OpImage %Tex %c\n%x = OpImageFetch %v4 %i %uzero", "comb",
       true, false, false, false, false},
      {"%o = OpCopyObject %pBuf %buf\n%x = OpArrayLength %uint %o 1", "buf", false, false, false,
       true, false},
      {"%o = OpSelect %pBuf %true %buf %buf\n%p = OpAccessChain %puint %o %u0\nOpStore %p %u1",
       "buf", false, true, false, false, false},
      {"%v = OpVariable %pppBuf Function\nOpStore %v %buf\n%o = OpLoad %pBuf %v\n%x = "
       "OpArrayLength %uint %o 1",
       "buf", false, false, false, true, false},
  };
  for (const Case& each : cases) {
    INFO(each.body);
    const ShaderInterface shader = reflected(module_with(main_with(each.body)));
    const Resource& resource = named(shader, each.resource);
    CHECK(resource.isRead == each.read);
    CHECK(resource.isWritten == each.written);
    CHECK(resource.usesAtomics == each.atomics);
    CHECK(resource.usesLength == each.length);
    CHECK(resource.comparison == each.comparison);
    CHECK_FALSE(resource.dynamicallyIndexed);
    CHECK_FALSE(resource.nonUniformlyIndexed);
  }
}

TEST_CASE("what functions without callers do does not count", "[reflect]") {
  const ShaderInterface shader = reflected(module_with(
      "%store = OpFunction %void None %fnPBuf\n%sb = OpFunctionParameter %pBuf\n%s0 = OpLabel\n"
      "%sp = OpAccessChain %puint %sb %u0\nOpStore %sp %u1\nOpReturn\nOpFunctionEnd\n"
      "%dead = OpFunction %void None %fn\n%d0 = OpLabel\n%dl = OpArrayLength %uint %buf 1\n"
      "%db = OpAccessChain %pBuf %bufs %u0\n%dc = OpFunctionCall %void %store "
      "%db\nOpReturn\nOpFunctionEnd\n" +
      main_with("%c = OpFunctionCall %void %store %buf")));
  CHECK(named(shader, "buf").isWritten);
  CHECK_FALSE(named(shader, "buf").usesLength);
  CHECK_FALSE(named(shader, "bufs").isWritten);
}

TEST_CASE("accesses in functions are those of the arguments", "[reflect]") {
  // Two levels, the second with the arguments in the other order, and the callee below its caller.
  const ShaderInterface shader =
      reflected(module_with(main_with("%c = OpFunctionCall %v4 %outer %tex %smp") +
                            "%outer = OpFunction %v4 None %fnPtex\n%ot = OpFunctionParameter "
                            "%pTex\n%os = OpFunctionParameter %pSmp\n"
                            "%o0 = OpLabel\n%t = OpLoad %Tex %ot\n%s = OpLoad %Smp %os\n%oc = "
                            "OpFunctionCall %v4 %inner %t %s\n"
                            "OpReturnValue %oc\nOpFunctionEnd\n"
                            "%inner = OpFunction %v4 None %fnTex\n%it = OpFunctionParameter "
                            "%Tex\n%is = OpFunctionParameter %Smp\n"
                            "%i0 = OpLabel\n%ic = OpSampledImage %Comb %it %is\n"
                            "%x = OpImageSampleDrefExplicitLod %float %ic %zero %f0 Lod "
                            "%f0\nOpReturnValue %four\nOpFunctionEnd\n"));
  for (const char* name : {"tex", "smp"}) {
    CHECK(named(shader, name).comparison);
    CHECK(named(shader, name).isRead);
  }
}

TEST_CASE("what a function returns is followed to where it came from", "[reflect]") {
  const ShaderInterface shader = reflected(module_with(
      "%pick = OpFunction %pBuf None %fnRet\n%p0 = OpLabel\nOpReturnValue %buf\nOpFunctionEnd\n" +
      main_with("%b = OpFunctionCall %pBuf %pick\n%x = OpArrayLength %uint %b 1")));
  CHECK(used(shader) == Names{"buf"});
  CHECK(named(shader, "buf").usesLength);
}

TEST_CASE("pointers are followed through memory that they are stored in", "[reflect]") {
  const std::string memory =
      "%held = OpTypeArray %pBuf %u4\n%pHeld = OpTypePointer Function %held\n"
      "%fnHeld = OpTypeFunction %void %pHeld\n";
  const std::string write = "%d = OpAccessChain %puint %b %u0\nOpStore %d %u1";
  const std::string load = "%out = OpAccessChain %pppBuf %h %u1\n%b = OpLoad %pBuf %out\n" + write;
  const std::string store = "%in = OpAccessChain %pppBuf %h %u1\nOpStore %in %buf\n";
  SECTION("an element") {
    const std::string body = "%h = OpVariable %pHeld Function\n" + store + load;
    CHECK(named(reflected(module_with(memory + main_with(body))), "buf").isWritten);
  }
  SECTION("a copy of the array") {
    const std::string body = "%h = OpVariable %pHeld Function\n%k = OpVariable %pHeld Function\n" +
                             store +
                             "OpCopyMemory %k %h\n%out = OpAccessChain %pppBuf %k %u1\n"
                             "%b = OpLoad %pBuf %out\n" +
                             write;
    CHECK(named(reflected(module_with(memory + main_with(body))), "buf").isWritten);
  }
  SECTION("filled by a function") {
    const std::string fill =
        "%fill = OpFunction %void None %fnHeld\n%g = OpFunctionParameter %pHeld\n"
        "%fillStart = OpLabel\n%in = OpAccessChain %pppBuf %g %u1\nOpStore %in %buf\n"
        "OpReturn\nOpFunctionEnd\n";
    const std::string body =
        "%h = OpVariable %pHeld Function\n%c = OpFunctionCall %void %fill %h\n" + load;
    CHECK(named(reflected(module_with(memory + fill + main_with(body))), "buf").isWritten);
  }
  SECTION("an initializer") {
    const ShaderInterface shader = reflected(
        module_with("%pHeld = OpTypePointer Private %pBuf\n%h = OpVariable %pHeld Private %buf\n" +
                    main_with("%b = OpLoad %pBuf %h\n" + write)));
    CHECK(used(shader) == Names{"buf"});
    CHECK(named(shader, "buf").isWritten);
  }
}

TEST_CASE("facts go round loops", "[reflect]") {
  const ShaderInterface shader = reflected(module_with(main_with(
      "OpBranch %head\n%head = OpLabel\n%p = OpPhi %pBuf %buf %main0 %q %cont\n"
      "%q = OpPhi %pBuf %buf %main0 %p %cont\n%d = OpAccessChain %pBuf %bufs %u1\n"
      "OpLoopMerge %done %cont None\nOpBranchConditional %true %cont %done\n%cont = OpLabel\n"
      "%x = OpArrayLength %uint %q 1\nOpBranch %head\n%done = OpLabel")));
  CHECK(named(shader, "buf").usesLength);
  CHECK_FALSE(named(shader, "bufs").usesLength);
}

TEST_CASE("an index that is no constant is dynamic, in the right array", "[reflect]") {
  const std::string load = "%n0 = OpAccessChain %puint %buf %u0\n%n = OpLoad %uint %n0\n";
  struct Case {
    const char* body;
    const char* resource;
    bool dynamic;
  };
  const Case cases[] = {
      {"%e = OpAccessChain %pTex %texs %u1", "texs", false},
      {"%e = OpAccessChain %pTex %texs %s1", "texs", false},  // a specialization constant is one
      {"%e = OpAccessChain %pTex %texs %n", "texs", true},
      {"%e = OpInBoundsAccessChain %pTex %texs %n", "texs", true},
      {"%e = OpAccessChain %pTex %grid %u1 %n", "grid", true},
      {"%e = OpAccessChain %pTex %grid %n %u1", "grid", true},
      {"%r = OpAccessChain %pRow %grid %u1\n%e = OpAccessChain %pTex %r %n", "grid", true},
      {"%r = OpAccessChain %pRow %grid %u1\n%e = OpAccessChain %pTex %r %u1", "grid", false},
      // An index into a block's contents picks no descriptor.
      {"%e = OpAccessChain %puint %bufs %u1 %u1 %n", "bufs", false},
      {"%r = OpAccessChain %pBuf %bufs %u1\n%e = OpAccessChain %puint %r %u1 %n", "bufs", false},
      {"%e = OpAccessChain %puint %bufs %n %u1 %u0", "bufs", true},
      {"%e = OpAccessChain %puint %buf %u1 %n", "buf", false},
  };
  for (const Case& each : cases) {
    INFO(each.body);
    const ShaderInterface shader = reflected(module_with(main_with(load + each.body)));
    CHECK(named(shader, each.resource).dynamicallyIndexed == each.dynamic);
    CHECK_FALSE(named(shader, each.resource).nonUniformlyIndexed);
  }
}

TEST_CASE("an array handed to a function is indexed where the function does it", "[reflect]") {
  const ShaderInterface shader = reflected(module_with(
      "%f = OpFunction %v4 None %fnTexs\n%ft = OpFunctionParameter %pTexs\n%fl = OpLabel\n"
      "%n0 = OpAccessChain %puint %buf %u0\n%n = OpLoad %uint %n0\n%e = OpAccessChain %pTex %ft "
      "%n\n"
      "OpReturnValue %four\nOpFunctionEnd\n" +
          main_with("%c = OpFunctionCall %v4 %f %texs"),
      "OpDecorate %n NonUniform"));
  CHECK(named(shader, "texs").dynamicallyIndexed);
  CHECK(named(shader, "texs").nonUniformlyIndexed);
}

TEST_CASE("non-uniform is an index that is decorated, or whose results are", "[reflect]") {
  const std::string body =
      "%n0 = OpAccessChain %puint %buf %u0\n%n = OpLoad %uint %n0\n%m = OpIAdd %uint %n %u1\n"
      "%pe = OpAccessChain %pTex %texs %n\n%t = OpLoad %Tex %pe\n%ps = OpAccessChain %pSmp %smps "
      "INDEX\n"
      "%s = OpLoad %Smp %ps\n%c = OpSampledImage %Comb %t %s\n%x = OpImageSampleExplicitLod %v4 %c "
      "%zero Lod %f0\n"
      "%pb = OpAccessChain %puint %bufs %m %u0\n%b = OpLoad %uint %pb";
  struct Case {
    const char* decoration;
    const char* samplerIndex;
    bool texs, smps, bufs;
  };
  const Case cases[] = {
      {"", "%n", false, false, false},
      {"OpDecorate %n NonUniform", "%u1", true, false, false},
      {"OpDecorate %pe NonUniform", "%n", true, false, false},
      {"OpDecorate %t NonUniform", "%n", true, false, false},
      {"OpDecorate %m NonUniform", "%n", false, false, true},
      {"OpDecorate %pb NonUniform", "%n", false, false, true},
      {"OpDecorate %s NonUniform", "%n", false, true, false},
      {"OpDecorate %s NonUniform", "%u1", false, false,
       false},  // a constant index is the same everywhere
      {"OpDecorate %c NonUniform", "%u1", true, false, false},
      {"OpDecorate %c NonUniform", "%n", true, true, false},
      {"OpDecorate %g NonUniform\n%g = OpDecorationGroup\nOpGroupDecorate %g %t", "%n", true, false,
       false},
      {"OpDecorate %x NonUniform", "%n", false, false, false},
  };
  for (const Case& each : cases) {
    INFO(each.decoration << " " << each.samplerIndex);
    std::string with_index = body;
    with_index.replace(with_index.find("INDEX"), 5, each.samplerIndex);
    const ShaderInterface shader = reflected(module_with(main_with(with_index), each.decoration));
    CHECK(named(shader, "texs").nonUniformlyIndexed == each.texs);
    CHECK(named(shader, "smps").nonUniformlyIndexed == each.smps);
    CHECK(named(shader, "bufs").nonUniformlyIndexed == each.bufs);
  }
}

TEST_CASE("a deep chain of functions carries facts in linear time", "[reflect]") {
  std::string functions = main_with("%c = OpFunctionCall %void %fun3000 %buf");
  for (int i = 3000; i > 0; --i)
    functions += std::format(
        "%fun{0} = OpFunction %void None %fnPBuf\n%p{0} = OpFunctionParameter %pBuf\n%l{0} = "
        "OpLabel\n"
        "%a{0} = OpFunctionCall %void %fun{1} %p{0}\n%b{0} = OpFunctionCall %void %fun{1} %p{0}\n"
        "OpReturn\nOpFunctionEnd\n",
        i, i - 1);
  functions +=
      "%fun0 = OpFunction %void None %fnPBuf\n%p0 = OpFunctionParameter %pBuf\n%l0 = OpLabel\n"
      "%x = OpArrayLength %uint %p0 1\nOpReturn\nOpFunctionEnd\n";
  CHECK(named(reflected(module_with(functions)), "buf").usesLength);
}

}  // namespace heapsmith::reflect
