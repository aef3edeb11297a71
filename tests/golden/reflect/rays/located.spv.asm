OpCapability RayTracingKHR
OpExtension "SPV_KHR_ray_tracing"
OpMemoryModel Logical GLSL450
OpEntryPoint MissKHR %main "main" %payload
OpName %payload "payload"
OpDecorate %payload Location 3
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%f0 = OpConstant %float 0
%pointer = OpTypePointer IncomingRayPayloadKHR %float
%payload = OpVariable %pointer IncomingRayPayloadKHR
%main = OpFunction %void None %fn
%label = OpLabel
OpStore %payload %f0
OpReturn
OpFunctionEnd
