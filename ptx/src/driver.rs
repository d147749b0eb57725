//! The functions of NVIDIA's driver that op2 calls, with the meaning that the driver's manual gives them. A stream's work is done at once.
//!
//! Handles are numbers: a context and a stream are 1; events, modules and functions count from 1.

use crate::decode::{self, Addresses};
use crate::error::{Error, Result, Space};
use crate::launch::{Clock, Launch};
use crate::memory::Memory;
use crate::program::Program;
use crate::text::Text;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

type Handle = usize;

const INVALID_VALUE: c_int = 1;
const NO_MEMORY: c_int = 2;
const NOT_INITIALISED: c_int = 3;
const INVALID_DEVICE: c_int = 101;
const INVALID_TEXT: c_int = 218;
const NOT_FOUND: c_int = 500;
const FAULT: c_int = 700;
const TOO_MUCH: c_int = 701;

/// Bytes of the device's memory, and of shared memory that a block may have. Meshes of tests are small; a measurement of the bandwidth finds
/// no room, and would take minutes.
const MEMORY: usize = 256 << 20;
const SHARED: usize = 232_448;
const LOCAL: c_int = 8;

static STATE: Mutex<Option<State>> = Mutex::new(None);

struct State {
    memory: Memory,
    clock: Clock,
    modules: Vec<Option<Program>>,
    /// The module and the function in it.
    functions: Vec<(usize, usize)>,
    events: Vec<Option<Instant>>,
    /// The first fault; all calls fail from then on.
    failed: c_int,
}

impl State {
    fn new() -> Self {
        let seed = std::env::var("OP2_PTX_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
        State {
            memory: Memory::default(),
            clock: Clock::new(seed),
            modules: Vec::new(),
            functions: Vec::new(),
            events: Vec::new(),
            failed: 0,
        }
    }

    /// Reads a module's text, and gives its variables memory.
    fn load(&mut self, text: &str) -> Result<usize> {
        let text = Text::of(text)?;
        let (mut addresses, mut variables) = (Addresses::new(), Vec::new());
        for variable in text.variables.iter().filter(|variable| matches!(variable.space, "global" | "const")) {
            let bytes = decode::initial(variable).ok_or_else(|| Error::text(0, variable.name))?;
            let address = self.memory.allocate(bytes.len());
            if let Some(to) = self.memory.bytes(address, bytes.len()) {
                to.copy_from_slice(&bytes);
            }
            addresses.insert(variable.name.to_owned(), (Space::Global, address));
            variables.push((variable.name.to_owned(), address, bytes.len()));
        }
        self.modules.push(Some(decode::program(&text, addresses, variables)?));
        Ok(self.modules.len())
    }

    fn function(&self, handle: Handle) -> Option<(&Program, usize)> {
        let &(module, function) = self.functions.get(handle.checked_sub(1)?)?;
        Some((self.modules.get(module)?.as_ref()?, function))
    }

    /// # Safety
    /// There are as many parameters as the kernel has, of its sizes.
    unsafe fn launch(
        &mut self,
        handle: Handle,
        [blocks, threads, shared]: [c_uint; 3],
        parameters: *const *const c_void,
    ) -> c_int {
        let State { memory, clock, modules, functions, .. } = self;
        let found = handle.checked_sub(1).and_then(|n| functions.get(n));
        let Some((program, kernel)) = found.and_then(|&(m, f)| Some((modules.get(m)?.as_ref()?, f))) else {
            return INVALID_VALUE;
        };
        let code = &program.functions[kernel];
        if blocks == 0 || threads == 0 || program.shared + shared as usize > SHARED {
            return INVALID_VALUE;
        }
        if threads as usize > code.most_threads.unwrap_or(1024) {
            return TOO_MUCH;
        }
        let mut params = vec![0; code.params.iter().map(|(at, bytes)| at + bytes).max().unwrap_or(0)];
        for (n, &(at, bytes)) in code.params.iter().enumerate() {
            // SAFETY: the caller gives a pointer to each parameter.
            unsafe { ptr::copy_nonoverlapping((*parameters.add(n)).cast::<u8>(), params[at..].as_mut_ptr(), bytes) };
        }
        let launch = Launch { program, kernel, blocks, threads, shared: shared as usize, params };
        match launch.run(memory, clock) {
            Ok(()) => 0,
            Err(error) => {
                eprintln!("op2-ptx: {error}");
                self.failed = FAULT;
                // The fault of a kernel appears when it is waited for.
                0
            }
        }
    }
}

fn lock() -> MutexGuard<'static, Option<State>> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `f` with the state of the device.
fn with(f: impl FnOnce(&mut State) -> c_int) -> c_int {
    match &mut *lock() {
        None => NOT_INITIALISED,
        Some(state) if state.failed != 0 => state.failed,
        Some(state) => f(state),
    }
}

macro_rules! functions {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) $body:block)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// The conditions of the driver's manual.
        // SAFETY: nothing else in a program has the name, unless it loads another driver.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, clippy::too_many_arguments, reason = "the driver's names and parameters")]
        pub unsafe extern "C" fn $name($($arg: $type),*) -> c_int {
            // SAFETY: pointers are as the manual wants them.
            #[allow(unused_unsafe, reason = "some have no pointers")]
            unsafe { $body }
        }
    )*};
}

functions! {
    /// Makes the device ready.
    fn cuInit(_flags: c_uint) {
        lock().get_or_insert_with(State::new);
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
            INVALID_TEXT => c"CUDA_ERROR_INVALID_PTX",
            NOT_FOUND => c"CUDA_ERROR_NOT_FOUND",
            FAULT => c"CUDA_ERROR_ILLEGAL_ADDRESS",
            TOO_MUCH => c"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
            _ => return 1,
        };
        *name = found.as_ptr();
        0
    }

    /// There is one device.
    fn cuDeviceGetCount(count: *mut c_int) {
        *count = 1;
        if lock().is_some() { 0 } else { NOT_INITIALISED }
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

    /// The context, of which there is one.
    fn cuDevicePrimaryCtxRetain(context: *mut Handle, _device: c_int) {
        *context = 1;
        0
    }

    /// Nothing goes with the context.
    fn cuDevicePrimaryCtxRelease_v2(_device: c_int) {
        0
    }

    /// The context is current in all threads.
    fn cuCtxSetCurrent(_context: Handle) {
        0
    }

    /// The stream, of which there is one.
    fn cuStreamCreateWithPriority(stream: *mut Handle, _flags: c_uint, _priority: c_int) {
        *stream = 1;
        0
    }

    /// The stream needs no end.
    fn cuStreamDestroy_v2(_stream: Handle) {
        0
    }

    /// All work is done; a kernel may have failed.
    fn cuStreamSynchronize(_stream: Handle) {
        with(|_| 0)
    }

    /// Memory of the device.
    fn cuMemAlloc_v2(address: *mut u64, bytes: usize) {
        with(|state| {
            if bytes == 0 {
                return INVALID_VALUE;
            }
            if bytes > MEMORY - state.memory.used().min(MEMORY) {
                return NO_MEMORY;
            }
            *address = state.memory.allocate(bytes);
            0
        })
    }

    /// Frees memory.
    fn cuMemFree_v2(address: u64) {
        with(|state| if state.memory.free(address) { 0 } else { INVALID_VALUE })
    }

    /// Free bytes, and all.
    fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) {
        with(|state| {
            (*free, *total) = (MEMORY - state.memory.used().min(MEMORY), MEMORY);
            0
        })
    }

    /// Copies to the device.
    fn cuMemcpyHtoDAsync_v2(to: u64, from: *const u8, bytes: usize, _stream: Handle) {
        with(|state| match state.memory.bytes(to, bytes) {
            Some(to) => {
                ptr::copy_nonoverlapping(from, to.as_mut_ptr(), bytes);
                0
            }
            None => INVALID_VALUE,
        })
    }

    /// Copies from the device.
    fn cuMemcpyDtoHAsync_v2(to: *mut u8, from: u64, bytes: usize, _stream: Handle) {
        with(|state| match state.memory.bytes(from, bytes) {
            Some(from) => {
                ptr::copy_nonoverlapping(from.as_ptr(), to, bytes);
                0
            }
            None => INVALID_VALUE,
        })
    }

    /// Reads PTX, which ends with a zero.
    fn cuModuleLoadDataEx(module: *mut Handle, image: *const c_char, _options: c_uint, _names: *mut c_int, _values: *mut *mut c_void) {
        let Ok(text) = CStr::from_ptr(image).to_str() else { return INVALID_TEXT };
        with(|state| match state.load(text) {
            Ok(number) => {
                *module = number;
                0
            }
            Err(error) => {
                eprintln!("op2-ptx: {error}");
                INVALID_TEXT
            }
        })
    }

    /// Frees a module and its variables.
    fn cuModuleUnload(module: Handle) {
        with(|state| {
            let taken = module.checked_sub(1).and_then(|n| state.modules.get_mut(n)?.take());
            let Some(program) = taken else { return INVALID_VALUE };
            for (_, address, _) in program.variables {
                state.memory.free(address);
            }
            0
        })
    }

    /// A variable of a module.
    fn cuModuleGetGlobal_v2(address: *mut u64, bytes: *mut usize, module: Handle, name: *const c_char) {
        let name = CStr::from_ptr(name).to_string_lossy();
        with(|state| {
            let program = module.checked_sub(1).and_then(|n| state.modules.get(n)?.as_ref());
            let Some((_, at, size)) = program.and_then(|p| p.variables.iter().find(|v| v.0 == name)) else {
                return NOT_FOUND;
            };
            (*address, *bytes) = (*at, *size);
            0
        })
    }

    /// A kernel of a module.
    fn cuModuleGetFunction(function: *mut Handle, module: Handle, name: *const c_char) {
        let name = CStr::from_ptr(name).to_string_lossy();
        with(|state| {
            let Some(number) = module.checked_sub(1) else { return INVALID_VALUE };
            let Some(program) = state.modules.get(number).and_then(Option::as_ref) else { return INVALID_VALUE };
            let Some(kernel) = program.functions.iter().position(|code| code.is_kernel && code.name == name) else {
                return NOT_FOUND;
            };
            state.functions.push((number, kernel));
            *function = state.functions.len();
            0
        })
    }

    /// Properties of a kernel: the most threads, bytes of shared and of local memory, registers. Here a kernel has as many registers as a
    /// thread may have.
    fn cuFuncGetAttribute(value: *mut c_int, attribute: c_int, function: Handle) {
        with(|state| {
            let Some((program, kernel)) = state.function(function) else { return INVALID_VALUE };
            let code = &program.functions[kernel];
            *value = match attribute {
                0 => code.most_threads.unwrap_or(1024) as c_int,
                1 => program.shared as c_int,
                3 => code.local_bytes as c_int,
                4 => 64,
                5 | 6 => 90,
                LOCAL => (SHARED - program.shared) as c_int,
                _ => return INVALID_VALUE,
            };
            0
        })
    }

    /// Any property may be requested.
    fn cuFuncSetAttribute(_function: Handle, _attribute: c_int, _value: c_int) {
        with(|_| 0)
    }

    /// Runs a kernel.
    fn cuLaunchKernel(
        function: Handle,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared: c_uint,
        _stream: Handle,
        parameters: *const *const c_void,
        _extra: *mut *mut c_void,
    ) {
        if [grid_y, grid_z, block_y, block_z] != [1; 4] {
            return INVALID_VALUE;
        }
        with(|state| state.launch(function, [grid_x, block_x, shared], parameters))
    }

    /// A moment to come.
    fn cuEventCreate(event: *mut Handle, _flags: c_uint) {
        with(|state| {
            state.events.push(None);
            *event = state.events.len();
            0
        })
    }

    /// Events are numbers, which end with the process.
    fn cuEventDestroy_v2(_event: Handle) {
        with(|_| 0)
    }

    /// The moment.
    fn cuEventRecord(event: Handle, _stream: Handle) {
        with(|state| match event.checked_sub(1).and_then(|n| state.events.get_mut(n)) {
            Some(moment) => {
                *moment = Some(Instant::now());
                0
            }
            None => INVALID_VALUE,
        })
    }

    /// It has come.
    fn cuEventSynchronize(_event: Handle) {
        with(|_| 0)
    }

    /// The time between two moments.
    fn cuEventElapsedTime(milliseconds: *mut f32, from: Handle, to: Handle) {
        with(|state| {
            let moment = |event: Handle| event.checked_sub(1).and_then(|n| *state.events.get(n)?);
            match (moment(from), moment(to)) {
                (Some(from), Some(to)) => {
                    *milliseconds = 1e3 * to.saturating_duration_since(from).as_secs_f32();
                    0
                }
                _ => INVALID_VALUE,
            }
        })
    }
}
