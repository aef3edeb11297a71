OpCapability Shader
OpCapability DescriptorHeapEXT
OpCapability Int8
OpExtension "SPV_KHR_untyped_pointers"
OpExtension "SPV_EXT_descriptor_heap"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %resources %samplers %pc
OpEntryPoint GLCompute %other "other" %resources
OpExecutionMode %main LocalSize 8 8 1
OpExecutionModeId %other LocalSizeId %width %n2 %n1
OpName %Lights "Lights"
OpName %STRIDE "STRIDE"
OpName %pc "push"
OpDecorate %resources BuiltIn ResourceHeapEXT
OpDecorate %samplers BuiltIn SamplerHeapEXT
OpDecorate %STRIDE SpecId 7
OpDecorate %width SpecId 8
OpDecorateId %imagesBySize ArrayStrideIdEXT %imageSize
OpDecorateId %imagesByMaximum ArrayStrideIdEXT %maximum
OpDecorateId %imagesBySpec ArrayStrideIdEXT %STRIDE
OpDecorateId %imagesByTwice ArrayStrideIdEXT %twice
OpDecorateId %samplersBySize ArrayStrideIdEXT %samplerSize
OpDecorateId %storagesBySize ArrayStrideIdEXT %storageSize
OpDecorateId %row ArrayStrideIdEXT %bufferSize
OpDecorateId %rows ArrayStrideIdEXT %fourBuffers
OpDecorate %bytes ArrayStride 1
OpDecorate %words ArrayStride 4
OpDecorate %Region Block
OpMemberDecorateIdEXT %Region 0 OffsetIdEXT %regionOffset
OpMemberDecorate %Region 0 NonWritable
OpDecorate %Fixed Block
OpMemberDecorate %Fixed 0 Offset 6400
OpDecorate %Lights Block
OpMemberDecorate %Lights 0 Offset 0
OpMemberDecorate %Lights 1 Offset 16
OpDecorate %tail ArrayStride 16
OpDecorate %PC Block
OpMemberDecorate %PC 0 Offset 0
OpMemberDecorate %PC 1 Offset 4
OpDecorate %lights Aliased
OpDecorate %lights NonWritable
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%u8 = OpTypeInt 8 0
%i32 = OpTypeInt 32 1
%f32 = OpTypeFloat 32
%bool = OpTypeBool
%v2 = OpTypeVector %f32 2
%v4 = OpTypeVector %f32 4
%i2 = OpTypeVector %i32 2
%n0 = OpConstant %u32 0
%n1 = OpConstant %u32 1
%n2 = OpConstant %u32 2
%n3 = OpConstant %u32 3
%n4 = OpConstant %u32 4
%n100 = OpConstant %u32 100
%f0 = OpConstant %f32 0
%i0 = OpConstant %i32 0
%middle = OpConstantComposite %v2 %f0 %f0
%texel = OpConstantComposite %i2 %i0 %i0
%STRIDE = OpSpecConstant %u32 64
%width = OpSpecConstant %u32 32
%uc = OpTypeUntypedPointerKHR UniformConstant
%resources = OpUntypedVariableKHR %uc UniformConstant
%samplers = OpUntypedVariableKHR %uc UniformConstant
%image = OpTypeImage %f32 2D 0 0 0 1 Unknown
%storage = OpTypeImage %f32 2D 0 0 0 2 Rgba8
%sampler = OpTypeSampler
%sampled = OpTypeSampledImage %image
%buffer = OpTypeBufferEXT StorageBuffer
%imageSize = OpConstantSizeOfEXT %u32 %image
%storageSize = OpConstantSizeOfEXT %u32 %storage
%samplerSize = OpConstantSizeOfEXT %u32 %sampler
%bufferSize = OpConstantSizeOfEXT %u32 %buffer
%isLarger = OpSpecConstantOp %bool UGreaterThan %imageSize %bufferSize
%maximum = OpSpecConstantOp %u32 Select %isLarger %imageSize %bufferSize
%twice = OpSpecConstantOp %u32 IMul %STRIDE %n2
%fourBuffers = OpSpecConstantOp %u32 IMul %bufferSize %n4
%regionOffset = OpSpecConstantOp %u32 IMul %n100 %storageSize
%imagesBySize = OpTypeRuntimeArray %image
%imagesByMaximum = OpTypeRuntimeArray %image
%imagesBySpec = OpTypeRuntimeArray %image
%imagesByTwice = OpTypeRuntimeArray %image
%samplersBySize = OpTypeRuntimeArray %sampler
%row = OpTypeArray %buffer %n4
%rows = OpTypeArray %row %n3
%storagesBySize = OpTypeRuntimeArray %storage
%Region = OpTypeStruct %storagesBySize
%Fixed = OpTypeStruct %imagesBySize
%bytes = OpTypeRuntimeArray %u8
%words = OpTypeRuntimeArray %u32
%tail = OpTypeRuntimeArray %v4
%Lights = OpTypeStruct %u32 %tail
%lightsPointer = OpTypePointer StorageBuffer %Lights
%countPointer = OpTypePointer StorageBuffer %u32
%PC = OpTypeStruct %u32 %u32
%pcPointer = OpTypePointer PushConstant %PC
%wordPointer = OpTypePointer PushConstant %u32
%pc = OpVariable %pcPointer PushConstant
%loader = OpTypeFunction %void %uc
%load = OpFunction %void None %loader
%parameter = OpFunctionParameter %uc
%loadLabel = OpLabel
%loaded = OpLoad %image %parameter
%fetched = OpImageFetch %v4 %loaded %texel Lod %i0
OpReturn
OpFunctionEnd
%main = OpFunction %void None %fn
%mainLabel = OpLabel
%indexPointer = OpAccessChain %wordPointer %pc %n1
%index = OpLoad %u32 %indexPointer
%bySize = OpUntypedAccessChainKHR %uc %imagesBySize %resources %n3
%nothing1 = OpFunctionCall %void %load %bySize
%copied = OpCopyObject %uc %bySize
%nothing2 = OpFunctionCall %void %load %copied
%byMaximum = OpUntypedAccessChainKHR %uc %imagesByMaximum %resources %index
%nothing3 = OpFunctionCall %void %load %byMaximum
%bySpec = OpUntypedAccessChainKHR %uc %imagesBySpec %resources %width
%nothing4 = OpFunctionCall %void %load %bySpec
%byTwice = OpUntypedAccessChainKHR %uc %imagesByTwice %resources %index
%nothing5 = OpFunctionCall %void %load %byTwice
%byFixed = OpUntypedAccessChainKHR %uc %Fixed %resources %n0 %index
%picture = OpLoad %image %byFixed
%bySampler = OpUntypedAccessChainKHR %uc %samplersBySize %samplers %n2
%smooth = OpLoad %sampler %bySampler
%both = OpSampledImage %sampled %picture %smooth
%color = OpImageSampleExplicitLod %v4 %both %middle Lod %f0
%byRegion = OpUntypedAccessChainKHR %uc %Region %resources %n0 %n1
%stored = OpLoad %storage %byRegion
%texels = OpImageRead %v4 %stored %texel
%byByte = OpUntypedAccessChainKHR %uc %bytes %resources %index
%fromByte = OpUntypedAccessChainKHR %uc %imagesBySize %byByte %n1
%third = OpLoad %image %fromByte
%again = OpImageFetch %v4 %third %texel Lod %i0
OpReturn
OpFunctionEnd
%other = OpFunction %void None %fn
%otherLabel = OpLabel
%grid = OpUntypedAccessChainKHR %uc %rows %resources %n2 %n1
%lights = OpBufferPointerEXT %lightsPointer %grid
%length = OpArrayLength %u32 %lights 1
%inner = OpUntypedAccessChainKHR %uc %Fixed %resources %n0
%last = OpUntypedAccessChainKHR %uc %imagesBySize %inner %n4
%nothing6 = OpFunctionCall %void %load %last
%word = OpUntypedAccessChainKHR %uc %words %resources %n4
%plain = OpLoad %u32 %word
OpReturn
OpFunctionEnd
