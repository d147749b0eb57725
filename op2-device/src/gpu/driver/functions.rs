//! The functions of the drivers that op2 calls, as `cuda.h` declares them, with numbers for its enumerations. HIP has most of
//! them under other names, and two of its own.

use super::{Answer, Handle, answer};
use libloading::Library;
use std::ffi::{c_char, c_int, c_uint, c_void};

/// The code for a function that the driver lacks: `CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND`.
const MISSING: c_int = 302;

macro_rules! functions {
    ($($name:ident($($arg:ident: $type:ty),* $(,)?);)*) => {
        /// The addresses of the functions; old drivers lack some.
        #[allow(non_snake_case, reason = "they are called after the functions")]
        pub(super) struct Functions {
            $($name: Option<unsafe extern "C" fn($($type),*) -> c_int>,)*
        }

        impl Functions {
            /// Looks all functions up; `named` tells their names in the library, if they are there.
            ///
            /// # Safety
            /// The library must be the driver, and stay loaded.
            pub(super) unsafe fn of(library: &Library, named: fn(&'static str) -> Option<&'static str>) -> Self {
                Functions {
                    // SAFETY: these are the types that `cuda.h` declares, and HIP has the same.
                    $($name: named(stringify!($name)).and_then(|name| unsafe { library.get(name) }.ok()).map(|found| *found),)*
                }
            }
        }

        $(
            /// The driver's function of this name.
            ///
            /// # Safety
            /// The conditions of the driver's documentation.
            #[allow(non_snake_case, clippy::too_many_arguments, reason = "the driver's names and parameters")]
            #[allow(dead_code, reason = "each vendor leaves some of them out")]
            pub(crate) unsafe fn $name($($arg: $type),*) -> Answer {
                let function = super::found().and_then(|functions| functions.$name);
                // SAFETY: the caller fulfils the driver's conditions.
                answer(function.map_or(MISSING, |function| unsafe { function($($arg),*) }))
            }
        )*
    };
}

functions! {
    cuCtxSetCurrent(context: Handle);
    cuDeviceGet(device: *mut c_int, ordinal: c_int);
    cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int);
    cuDeviceGetCount(count: *mut c_int);
    cuDeviceGetName(name: *mut c_char, length: c_int, device: c_int);
    cuDevicePrimaryCtxRelease_v2(device: c_int);
    cuDevicePrimaryCtxRetain(context: *mut Handle, device: c_int);
    cuDriverGetVersion(version: *mut c_int);
    cuEventCreate(event: *mut Handle, flags: c_uint);
    cuEventDestroy_v2(event: Handle);
    cuEventElapsedTime(milliseconds: *mut f32, from: Handle, to: Handle);
    cuEventRecord(event: Handle, stream: Handle);
    cuEventSynchronize(event: Handle);
    cuFuncGetAttribute(value: *mut c_int, attribute: c_int, function: Handle);
    cuFuncSetAttribute(function: Handle, attribute: c_int, value: c_int);
    cuInit(flags: c_uint);
    cuLaunchKernel(function: Handle, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint,
        block_z: c_uint, shared: c_uint, stream: Handle, parameters: *mut *mut c_void, extra: *mut *mut c_void);
    cuMemAlloc_v2(address: *mut u64, bytes: usize);
    cuMemFree_v2(address: u64);
    cuMemGetInfo_v2(free: *mut usize, total: *mut usize);
    cuMemcpyDtoHAsync_v2(to: *mut c_void, from: u64, bytes: usize, stream: Handle);
    cuMemcpyHtoDAsync_v2(to: u64, from: *const c_void, bytes: usize, stream: Handle);
    cuModuleGetGlobal_v2(address: *mut u64, bytes: *mut usize, module: Handle, name: *const c_char);
    cuModuleGetFunction(function: *mut Handle, module: Handle, name: *const c_char);
    cuModuleLoadDataEx(module: *mut Handle, image: *const c_void, options: c_uint, names: *mut c_int,
        values: *mut *mut c_void);
    cuModuleUnload(module: Handle);
    cuStreamCreateWithPriority(stream: *mut Handle, flags: c_uint, priority: c_int);
    cuStreamDestroy_v2(stream: Handle);
    hipGetDeviceProperties(properties: *mut c_void, device: c_int);
    hipGetDevicePropertiesR0600(properties: *mut c_void, device: c_int);
    cuStreamSynchronize(stream: Handle);
}
