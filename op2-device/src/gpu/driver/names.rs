//! HIP's names for the functions.

/// The name of a function of CUDA's driver in HIP, if HIP has it with the same parameters. It calls those of contexts deprecated, and has kept
/// them.
pub(super) fn of_hip(cuda: &'static str) -> Option<&'static str> {
    Some(match cuda {
        "cuCtxSetCurrent" => "hipCtxSetCurrent",
        "cuDeviceGet" => "hipDeviceGet",
        "cuDeviceGetAttribute" => "hipDeviceGetAttribute",
        "cuDeviceGetCount" => "hipGetDeviceCount",
        "cuDeviceGetName" => "hipDeviceGetName",
        "cuDevicePrimaryCtxRelease_v2" => "hipDevicePrimaryCtxRelease",
        "cuDevicePrimaryCtxRetain" => "hipDevicePrimaryCtxRetain",
        "cuEventCreate" => "hipEventCreateWithFlags",
        "cuEventDestroy_v2" => "hipEventDestroy",
        "cuEventElapsedTime" => "hipEventElapsedTime",
        "cuEventRecord" => "hipEventRecord",
        "cuEventSynchronize" => "hipEventSynchronize",
        "cuFuncGetAttribute" => "hipFuncGetAttribute",
        "cuInit" => "hipInit",
        "cuLaunchKernel" => "hipModuleLaunchKernel",
        "cuMemAlloc_v2" => "hipMalloc",
        "cuMemFree_v2" => "hipFree",
        "cuMemGetInfo_v2" => "hipMemGetInfo",
        "cuMemcpyDtoHAsync_v2" => "hipMemcpyDtoHAsync",
        "cuMemcpyHtoDAsync_v2" => "hipMemcpyHtoDAsync",
        "cuModuleGetFunction" => "hipModuleGetFunction",
        "cuModuleGetGlobal_v2" => "hipModuleGetGlobal",
        "cuModuleLoadDataEx" => "hipModuleLoadDataEx",
        "cuModuleUnload" => "hipModuleUnload",
        "cuStreamCreateWithPriority" => "hipStreamCreateWithPriority",
        "cuStreamDestroy_v2" => "hipStreamDestroy",
        "cuStreamSynchronize" => "hipStreamSynchronize",
        own if own.starts_with("hip") => own,
        _ => return None,
    })
}
