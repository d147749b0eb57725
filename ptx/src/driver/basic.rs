//! Devices, contexts, memory, modules and their functions.

use super::*;
use crate::driver::functions;
use std::ffi::{CStr, c_char};

/// The property of a kernel: the most bytes of shared memory that its launch may ask for.
const MOST_SHARED: c_int = 8;

functions! {
    /// Makes the device ready.
    fn cuInit(_flags: c_uint) {
        STARTED.store(true, Ordering::Relaxed);
        0
    }

    /// The version of CUDA that the driver supports.
    fn cuDriverGetVersion(version: *mut c_int) {
        *version = 13000;
        0
    }

    /// The name of a result.
    fn cuGetErrorName(code: c_int, name: *mut *const c_char) {
        let found = match code {
            INVALID_VALUE => c"CUDA_ERROR_INVALID_VALUE",
            NO_MEMORY => c"CUDA_ERROR_OUT_OF_MEMORY",
            NOT_INITIALISED => c"CUDA_ERROR_NOT_INITIALIZED",
            INVALID_DEVICE => c"CUDA_ERROR_INVALID_DEVICE",
            INVALID_CONTEXT => c"CUDA_ERROR_INVALID_CONTEXT",
            INVALID_TEXT => c"CUDA_ERROR_INVALID_PTX",
            INVALID_HANDLE => c"CUDA_ERROR_INVALID_HANDLE",
            ILLEGAL_STATE => c"CUDA_ERROR_ILLEGAL_STATE",
            NOT_FOUND => c"CUDA_ERROR_NOT_FOUND",
            ILLEGAL_ADDRESS => c"CUDA_ERROR_ILLEGAL_ADDRESS",
            TOO_MUCH => c"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
            MISALIGNED => c"CUDA_ERROR_MISALIGNED_ADDRESS",
            FAILED => c"CUDA_ERROR_LAUNCH_FAILED",
            NOT_SUPPORTED => c"CUDA_ERROR_NOT_SUPPORTED",
            NOT_IN_CAPTURE => c"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
            CAPTURE_INVALID => c"CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
            CAPTURED_EVENT => c"CUDA_ERROR_CAPTURED_EVENT",
            NO_UPDATE => c"CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
            _ => return INVALID_VALUE,
        };
        *name = found.as_ptr();
        0
    }

    /// There is one device.
    fn cuDeviceGetCount(count: *mut c_int) {
        *count = 1;
        if STARTED.load(Ordering::Relaxed) { 0 } else { NOT_INITIALISED }
    }

    /// The device.
    fn cuDeviceGet(device: *mut c_int, ordinal: c_int) {
        *device = ordinal;
        if ordinal == 0 { 0 } else { INVALID_DEVICE }
    }

    /// Its name.
    fn cuDeviceGetName(name: *mut c_char, length: c_int, _device: c_int) {
        let text = c"PTX on the CPU".to_bytes_with_nul();
        let len = text.len().min(usize::try_from(length).unwrap_or(0));
        ptr::copy_nonoverlapping(text.as_ptr().cast(), name, len);
        0
    }

    /// Its properties: those of an H200, but a compute capability that no compiler has machine code for.
    fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, _device: c_int) {
        *value = match attribute {
            13 => 1_980_000,
            16 => 132,
            36 => 3_201_000,
            37 => 6144,
            75 => 9,
            76 => 1,
            87 => 2,
            97 => SHARED as c_int,
            _ => return INVALID_VALUE,
        };
        0
    }

    /// A context of the caller's own.
    fn cuDevicePrimaryCtxRetain(context: *mut Handle, _device: c_int) {
        if !STARTED.load(Ordering::Relaxed) {
            return NOT_INITIALISED;
        }
        let new = Context::new();
        *context = new.number << 32;
        contexts().push((new.number << 32, Arc::new(Mutex::new(new))));
        0
    }

    /// Ends the context that is current.
    fn cuDevicePrimaryCtxRelease_v2(_device: c_int) {
        let Some(current) = CURRENT.take() else { return INVALID_CONTEXT };
        contexts().retain(|(_, context)| !Arc::ptr_eq(context, &current));
        0
    }

    /// Makes a context that of the thread's next calls.
    fn cuCtxSetCurrent(context: Handle) {
        let found = contexts().iter().find(|(handle, _)| *handle == context).map(|(_, context)| context.clone());
        match found {
            None if context != 0 => INVALID_CONTEXT,
            found => {
                CURRENT.set(found);
                0
            }
        }
    }

    /// All work is done; a kernel may have failed.
    fn cuCtxSynchronize() {
        with(|context| context.waits(None).err().unwrap_or(0))
    }

    /// Memory of the device.
    fn cuMemAlloc_v2(address: *mut u64, bytes: usize) {
        with(|context| {
            if let Err(code) = context.waits(None) {
                return code;
            }
            if bytes == 0 {
                return INVALID_VALUE;
            }
            if bytes > MEMORY - context.memory.used().min(MEMORY) {
                return NO_MEMORY;
            }
            let Some(found) = context.memory.allocate(bytes) else { return NO_MEMORY };
            *address = found;
            0
        })
    }

    /// Frees memory.
    fn cuMemFree_v2(address: u64) {
        with(|context| match context.waits(None) {
            Err(code) => code,
            Ok(()) if context.memory.free(address) => 0,
            Ok(()) => INVALID_VALUE,
        })
    }

    /// Free bytes, and all.
    fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) {
        with(|context| {
            (*free, *total) = (MEMORY - context.memory.used().min(MEMORY), MEMORY);
            0
        })
    }

    /// Memory of the host that stays where it is, and that kernels reach at the same address.
    fn cuMemAllocHost_v2(memory: *mut *mut c_void, bytes: usize) {
        cuMemHostAlloc(memory, bytes, 0)
    }

    /// The same.
    fn cuMemHostAlloc(memory: *mut *mut c_void, bytes: usize, _flags: c_uint) {
        with(|context| match context.waits(None) {
            Err(code) => code,
            Ok(()) if bytes == 0 => INVALID_VALUE,
            Ok(()) => {
                *memory = context.memory.allocate_on_host(bytes) as *mut c_void;
                0
            }
        })
    }

    /// Its address for kernels.
    fn cuMemHostGetDevicePointer_v2(address: *mut u64, memory: *mut c_void, _flags: c_uint) {
        with(|context| match context.memory.bytes(memory as u64, 1) {
            None => INVALID_VALUE,
            Some(_) => {
                *address = memory as u64;
                0
            }
        })
    }

    /// Frees it.
    fn cuMemFreeHost(memory: *mut c_void) {
        with(|context| match context.waits(None) {
            Err(code) => code,
            Ok(()) if context.memory.free_other(memory as u64) => 0,
            Ok(()) => INVALID_VALUE,
        })
    }

    /// Reads PTX, which ends with a zero.
    fn cuModuleLoadDataEx(module: *mut Handle, image: *const c_char, _options: c_uint, _names: *mut c_int, _values: *mut *mut c_void) {
        let Ok(text) = CStr::from_ptr(image).to_str() else { return INVALID_TEXT };
        with(|context| {
            if let Err(code) = context.waits(None) {
                return code;
            }
            match context.load(text) {
                Ok(found) => {
                    *module = found;
                    0
                }
                Err(error) => {
                    eprintln!("op2-ptx: {error}");
                    INVALID_TEXT
                }
            }
        })
    }

    /// Frees a module and its variables.
    fn cuModuleUnload(module: Handle) {
        with(|context| {
            let place = context.place(module);
            let taken = place.and_then(|n| context.modules.get_mut(n)?.take());
            let Some(program) = taken else { return INVALID_HANDLE };
            for variable in &program.variables {
                context.memory.free_other(variable.address);
            }
            0
        })
    }

    /// A variable of a module.
    fn cuModuleGetGlobal_v2(address: *mut u64, bytes: *mut usize, module: Handle, name: *const c_char) {
        let name = CStr::from_ptr(name).to_string_lossy();
        with(|context| {
            let Some(program) = context.module(module) else { return INVALID_HANDLE };
            let Some(found) = program.variables.iter().find(|variable| variable.name == name) else {
                return NOT_FOUND;
            };
            (*address, *bytes) = (found.address, found.bytes.len());
            0
        })
    }

    /// A kernel of a module.
    fn cuModuleGetFunction(function: *mut Handle, module: Handle, name: *const c_char) {
        let name = CStr::from_ptr(name).to_string_lossy();
        with(|context| {
            let Some(program) = context.module(module) else { return INVALID_HANDLE };
            let is_it = |routine: &crate::program::Routine| routine.head.is_kernel && routine.head.name == name;
            let Some(kernel) = program.functions.iter().position(is_it) else { return NOT_FOUND };
            let Some(number) = context.place(module) else { return INVALID_HANDLE };
            context.functions.push((number, kernel));
            *function = context.handle(context.functions.len());
            0
        })
    }

    /// Properties of a kernel: the most threads, bytes of shared and of local memory, registers. Here a kernel has as many registers as a
    /// thread may have.
    fn cuFuncGetAttribute(value: *mut c_int, attribute: c_int, function: Handle) {
        with(|context| {
            let Some((program, kernel)) = context.function(function) else { return INVALID_HANDLE };
            let routine = &program.functions[kernel];
            *value = match attribute {
                0 => routine.head.most_threads.unwrap_or(1024) as c_int,
                1 => program.shared as c_int,
                3 => routine.local_bytes as c_int,
                4 => 64,
                5 | 6 => 90,
                MOST_SHARED => (SHARED - program.shared) as c_int,
                _ => return INVALID_VALUE,
            };
            0
        })
    }

    /// Any property may be requested.
    fn cuFuncSetAttribute(_function: Handle, _attribute: c_int, _value: c_int) {
        with(|_| 0)
    }
}
