OpCapability Shader
OpCapability DescriptorHeapEXT
OpExtension "SPV_KHR_untyped_pointers"
OpExtension "SPV_EXT_descriptor_heap"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %heap
OpExecutionMode %main LocalSize 1 1 1
OpName %STRIDE "STRIDE"
OpDecorate %heap BuiltIn ResourceHeapEXT
OpDecorate %STRIDE SpecId 7
OpDecorateId %images ArrayStrideIdEXT %STRIDE
OpDecorate %words ArrayStride 4
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%i32 = OpTypeInt 32 1
%f32 = OpTypeFloat 32
%v4 = OpTypeVector %f32 4
%i2 = OpTypeVector %i32 2
%i0 = OpConstant %i32 0
%n4 = OpConstant %u32 4
%STRIDE = OpSpecConstant %u32 64
%texel = OpConstantComposite %i2 %i0 %i0
%uc = OpTypeUntypedPointerKHR UniformConstant
%heap = OpUntypedVariableKHR %uc UniformConstant
%image = OpTypeImage %f32 2D 0 0 0 1 Unknown
%images = OpTypeRuntimeArray %image
%words = OpTypeRuntimeArray %u32
%main = OpFunction %void None %fn
%label = OpLabel
%word = OpUntypedAccessChainKHR %uc %words %heap %n4
%index = OpLoad %u32 %word
%element = OpUntypedAccessChainKHR %uc %images %heap %index
%loaded = OpLoad %image %element
%fetched = OpImageFetch %v4 %loaded %texel Lod %i0
OpReturn
OpFunctionEnd
