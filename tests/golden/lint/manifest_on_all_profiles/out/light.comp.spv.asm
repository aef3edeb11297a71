OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %1 "main" %2
OpExecutionMode %1 LocalSize 1 1 1
OpName %2 "result"
OpDecorate %3 Block
OpMemberDecorate %3 0 Offset 0
OpDecorate %2 DescriptorSet 0
OpDecorate %2 Binding 0
%4 = OpTypeVoid
%5 = OpTypeFunction %4
%6 = OpTypeInt 32 0
%7 = OpConstant %6 0
%3 = OpTypeStruct %6
%8 = OpTypePointer StorageBuffer %3
%9 = OpTypePointer StorageBuffer %6
%2 = OpVariable %8 StorageBuffer
%1 = OpFunction %4 None %5
%10 = OpLabel
%11 = OpAccessChain %9 %2 %7
OpStore %11 %7
OpReturn
OpFunctionEnd
