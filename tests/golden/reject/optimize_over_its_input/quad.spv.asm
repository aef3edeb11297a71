               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %3
               OpExecutionMode %main LocalSize 1 1 1
               OpDecorate %3 DescriptorSet 1
               OpDecorate %3 Binding 2
               OpDecorate %Block Block
               OpMemberDecorate %Block 0 Offset 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %uint = OpTypeInt 32 0
     %uint_0 = OpConstant %uint 0
      %Block = OpTypeStruct %uint
    %pBlock = OpTypePointer StorageBuffer %Block
     %pUint = OpTypePointer StorageBuffer %uint
          %3 = OpVariable %pBlock StorageBuffer
       %main = OpFunction %void None %fn
      %label = OpLabel
      %place = OpAccessChain %pUint %3 %uint_0
               OpStore %place %uint_0
               OpReturn
               OpFunctionEnd
