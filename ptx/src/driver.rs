//! The functions of NVIDIA's driver that op2 calls, and some that it may call, with the meaning that the driver's manual gives them. A
//! stream's work is done at once, unless the stream captures it.
//!
//! One thing differs. Each retaining of the primary context makes a context of its own, which the release by a thread in which it is current
//! ends. So a fault stays for whoever retained that context, and everybody else goes on: the tests of one process, of which each has
//! contexts of its own. A program that uses what belongs to a context while another one is current gets an error, where the driver, with
//! one primary context for all, would let it.
//!
//! Handles are numbers, with the number of their context above.

mod basic;
mod capture;
mod graphs;
mod streams;

use crate::decode;
use crate::error::{Error, Fault, Result};
use crate::launch::{Clock, Launch};
use crate::memory::Memory;
use crate::program::Program;
use capture::{Graph, Stream, Work};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{c_int, c_uint, c_void};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

pub use basic::*;
pub use graphs::*;
pub use streams::*;

type Handle = u64;
type Contexts = Vec<(Handle, Arc<Mutex<Context>>)>;

const INVALID_VALUE: c_int = 1;
const NO_MEMORY: c_int = 2;
const NOT_INITIALISED: c_int = 3;
const INVALID_DEVICE: c_int = 101;
const INVALID_CONTEXT: c_int = 201;
const INVALID_TEXT: c_int = 218;
const INVALID_HANDLE: c_int = 400;
const ILLEGAL_STATE: c_int = 401;
const NOT_FOUND: c_int = 500;
const ILLEGAL_ADDRESS: c_int = 700;
const TOO_MUCH: c_int = 701;
const MISALIGNED: c_int = 716;
const FAILED: c_int = 719;
const NOT_SUPPORTED: c_int = 801;
const NOT_IN_CAPTURE: c_int = 900;
const CAPTURE_INVALID: c_int = 901;
const CAPTURED_EVENT: c_int = 907;
const NO_UPDATE: c_int = 910;

/// Bytes of the device's memory, and of shared memory that a block may have. Meshes of tests are small; a measurement of the bandwidth finds
/// no room, and would take minutes.
const MEMORY: usize = 256 << 20;
const SHARED: usize = 232_448;

/// Modules that are kept beyond those in use: tests load the same texts again and again.
const KEPT: usize = 256;

static STARTED: AtomicBool = AtomicBool::new(false);
static CONTEXTS: Mutex<Contexts> = Mutex::new(Vec::new());
static PROGRAMS: Mutex<Option<HashMap<u64, Arc<Program>>>> = Mutex::new(None);

thread_local! {
    static CURRENT: RefCell<Option<Arc<Mutex<Context>>>> = const { RefCell::new(None) };
}

struct Context {
    number: u64,
    memory: Memory,
    clock: Clock,
    modules: Vec<Option<Arc<Program>>>,
    /// The module and the function in it.
    functions: Vec<(usize, usize)>,
    events: Vec<Event>,
    streams: Vec<Option<Stream>>,
    graphs: Vec<Option<Graph>>,
    /// Nodes of all graphs.
    nodes: u64,
    /// Decides the order of blocks and warps.
    seed: u64,
    /// The first fault; all calls fail from then on.
    failed: c_int,
}

#[derive(Clone, Copy)]
enum Event {
    New,
    At(Instant),
    Captured,
}

/// A kernel and the size of its launch.
#[derive(Clone, Copy)]
struct Start {
    function: Handle,
    blocks: c_uint,
    threads: c_uint,
    shared: c_uint,
    /// Whether it may begin before the end of the launch before.
    early: bool,
}

impl Context {
    fn new() -> Self {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let seed = std::env::var("OP2_PTX_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(number);
        Context {
            number,
            memory: Memory::new(number),
            clock: Clock::new(seed),
            modules: Vec::new(),
            functions: Vec::new(),
            events: Vec::new(),
            streams: Vec::new(),
            graphs: Vec::new(),
            nodes: 0,
            seed,
            failed: 0,
        }
    }

    /// The handle of the last one of some things.
    fn handle(&self, count: usize) -> Handle {
        self.number << 32 | count as u64
    }

    /// The place of a thing among its kind.
    fn place(&self, handle: Handle) -> Option<usize> {
        (handle >> 32 == self.number).then_some(())?;
        (handle as u32 as usize).checked_sub(1)
    }

    /// Makes a module of a text, and gives its variables memory.
    fn load(&mut self, text: &str) -> Result<Handle> {
        let mut program = program(text)?;
        if program.variables.iter().any(|variable| self.memory.bytes(variable.address, 1).is_some()) {
            // The text is loaded already: the variables of this module need addresses of their own.
            program = Arc::new(decode::program(text)?);
        }
        for variable in &program.variables {
            self.memory.place(variable.address, &variable.bytes);
        }
        self.modules.push(Some(program));
        Ok(self.handle(self.modules.len()))
    }

    fn module(&self, handle: Handle) -> Option<&Arc<Program>> {
        self.modules.get(self.place(handle)?)?.as_ref()
    }

    fn function(&self, handle: Handle) -> Option<(&Arc<Program>, usize)> {
        let &(module, function) = self.functions.get(self.place(handle)?)?;
        Some((self.modules.get(module)?.as_ref()?, function))
    }

    /// A launch with a copy of its parameters, or the driver's error.
    ///
    /// # Safety
    /// There are as many parameters as the kernel has, of its sizes.
    unsafe fn started(&self, start: Start, parameters: *const *const c_void) -> std::result::Result<Work, c_int> {
        let (program, kernel) = self.function(start.function).ok_or(INVALID_HANDLE)?;
        if start.blocks == 0 || start.threads == 0 || program.shared + start.shared as usize > SHARED {
            return Err(INVALID_VALUE);
        }
        if start.threads as usize > program.functions[kernel].head.most_threads.unwrap_or(1024) {
            return Err(TOO_MUCH);
        }
        let code = program.code(kernel).map_err(|error| {
            eprintln!("op2-ptx: {error}");
            INVALID_TEXT
        })?;
        let mut params = vec![0; code.params.iter().map(|(at, bytes)| at + bytes).max().unwrap_or(0)];
        for (n, &(at, bytes)) in code.params.iter().enumerate() {
            // SAFETY: the caller gives a pointer to each parameter.
            unsafe { ptr::copy_nonoverlapping((*parameters.add(n)).cast::<u8>(), params[at..].as_mut_ptr(), bytes) };
        }
        Ok(Work::Launch { start, params })
    }

    fn launch(&mut self, start: Start, params: &[u8]) -> c_int {
        let Some((program, kernel)) = self.function(start.function).map(|(program, n)| (program.clone(), n)) else {
            return INVALID_HANDLE;
        };
        let Start { blocks, threads, shared, early, .. } = start;
        let launch = Launch { program: &program, kernel, blocks, threads, shared: shared as usize, params, early };
        let Err(error) = launch.run(&mut self.memory, &mut self.clock) else { return 0 };
        eprintln!("op2-ptx: {error} (OP2_PTX_SEED={})", self.seed);
        let Error::Fault { line, fault, .. } = error else { return INVALID_TEXT };
        if let Some(statement) = program.text.lines().nth((line as usize).saturating_sub(1)) {
            eprintln!("op2-ptx: {line}: {}", statement.trim());
        }
        self.failed = match fault {
            Fault::Nowhere { .. } | Fault::Outside { .. } => ILLEGAL_ADDRESS,
            Fault::Unaligned { .. } => MISALIGNED,
            _ => FAILED,
        };
        // The fault of a kernel appears when it is waited for.
        0
    }
}

/// The module of a text.
fn program(text: &str) -> Result<Arc<Program>> {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let key = hasher.finish();
    let lock = || PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(program) = lock().as_ref().and_then(|known| known.get(&key)).filter(|known| known.text == text) {
        return Ok(program.clone());
    }
    let program = Arc::new(decode::program(text)?);
    let mut known = lock();
    let known = known.get_or_insert_default();
    if known.len() >= KEPT {
        known.clear();
    }
    known.insert(key, program.clone());
    Ok(program)
}

/// All contexts that have not ended.
fn contexts() -> MutexGuard<'static, Contexts> {
    CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `f` with the context that is current.
fn with(f: impl FnOnce(&mut Context) -> c_int) -> c_int {
    if !STARTED.load(Ordering::Relaxed) {
        return NOT_INITIALISED;
    }
    let Some(current) = CURRENT.with_borrow(Clone::clone) else { return INVALID_CONTEXT };
    let mut context = current.lock().unwrap_or_else(PoisonError::into_inner);
    if context.failed != 0 { context.failed } else { f(&mut context) }
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
use functions;

#[cfg(test)]
mod tests;
