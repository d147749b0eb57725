//! A machine without a GPU: runs generated text unchanged on the CPU and checks every access.
//!
//! The host's compiler gets the text with `-fsanitize=thread`, and the emulator supplies the functions of the sanitizer's library. So
//! the compiler itself reports every access before it happens. Numbers that depend on the mesh are looked up rather than
//! compiled in: one library serves all meshes.
//!
//! | part | home |
//! | --- | --- |
//! | text to library, by the host's C++ compiler | `compiler.rs` |
//! | a loaded library, and the data that it shares with the emulator | `library.rs` |
//! | memory, found by addresses | `memory.rs` |
//! | blocks in random order, threads as fibres | `run.rs`, `schedule.rs` |
//! | accesses to every scalar, and races between them | `shadow.rs` |
//! | checks of accesses, and messages for faults | `check.rs`, `fault.rs` |

mod check;
mod compiler;
mod fault;
mod library;
mod memory;
mod run;
mod schedule;
mod shadow;

use crate::device::{Arg, Buffer, Device, Info, Launch, Mark, Module};
use crate::error::{Error, Result};
use crate::options::Options;
use crate::performance::Performance;
use crate::resources::Resources;
use crate::source::Source;
use library::{Instance, Library};
use memory::Pool;
use op2_cache::Cache;
use op2_core::Target;
use run::{Order, Shape};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

const NAME: &str = "emulator";
/// Limits of the GPUs that op2 is made for. [`Info::performance`] is theirs, too, so that the emulator makes the same
/// choices.
const SHARED_PER_BLOCK: u32 = 232_448;
const THREADS_PER_BLOCK: u32 = 1024;

/// A machine that runs generated text on the CPU, on the calling thread.
///
/// Blocks run in a random order, and so do the threads of a block between barriers. With
/// [`Options::checks`], a launch ends with [`Error::Fault`] when
///
/// - two threads access the same scalar, one of them writes, at least one is not atomic, and neither a barrier nor
///   anything else orders them;
/// - a scalar is read that was never written: in memory since its allocation, in shared memory since the block began;
/// - an access is out of bounds, or misaligned;
/// - a barrier is not reached by all threads of the block, or a shuffle not by all threads in its mask.
///
/// The message names kernel, blocks, threads, elements and the data. An access that is out of bounds is skipped, so the
/// program continues. An index beyond its array ends a launch with [`Error::Panic`], with checks and without.
///
/// Needs a C++ compiler at run time: GCC from version 11 or Clang from version 14, named by `CXX`, or `c++`.
pub struct Emulator {
    info: Info,
    options: Options,
    cache: Cache,
    pool: Arc<Mutex<Pool>>,
    launches: AtomicU64,
}

impl Emulator {
    /// An emulator that keeps compiled texts in the user's cache.
    ///
    /// # Errors
    /// [`Error::NoCompiler`].
    pub fn new(options: Options) -> Result<Self> {
        Self::with_cache(options, Cache::open())
    }

    /// An emulator that keeps compiled texts in the given cache.
    ///
    /// # Errors
    /// [`Error::NoCompiler`].
    pub fn with_cache(options: Options, cache: Cache) -> Result<Self> {
        compiler::find()?;
        let (performance, shared_per_block) = (Performance::of("sm_90"), SHARED_PER_BLOCK);
        let info = Info {
            name: NAME.into(),
            target: Target::Cuda,
            performance,
            shared_per_block,
            wave: options.wave(),
            emulated: true,
        };
        let pool = Arc::new(Mutex::new(Pool::new(options.memory, options.checks)));
        Ok(Emulator { info, options, cache, pool, launches: AtomicU64::new(0) })
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        memory::lock(&self.pool)
    }

    /// Checks a launch as a driver does, and more strictly, and sets the values that the text looks up.
    fn prepare(&self, library: &Library, instance: &Instance, launch: &Launch<'_>) -> Result<library::Entry, String> {
        let Some(kernel) = library.kernel(launch.kernel) else {
            return Err(format!("there is no kernel of that name in `{}`", library.name()));
        };
        let wave = self.info.wave;
        let threads = launch.block.is_multiple_of(wave) && (wave..=THREADS_PER_BLOCK).contains(&launch.block);
        if launch.grid == 0 || !threads {
            return Err(format!(
                "{} blocks of {} threads: it takes at least one block, and {wave}, {}, … {THREADS_PER_BLOCK} threads",
                launch.grid,
                launch.block,
                2 * wave
            ));
        }
        if launch.shared > SHARED_PER_BLOCK {
            return Err(format!("{} bytes of shared memory, a block has {SHARED_PER_BLOCK} at most", launch.shared));
        }
        let sizes = instance.sizes(kernel);
        if sizes.len() != launch.args.len() {
            return Err(format!("{} parameters were given, it takes {}", launch.args.len(), sizes.len()));
        }
        for (n, (&size, arg)) in sizes.iter().zip(launch.args).enumerate() {
            let given = match arg {
                Arg::Buffer(_) => 8,
                Arg::Bytes(bytes) => bytes.len(),
            };
            if given as u64 != size {
                return Err(format!("parameter {n} was given as {given} bytes, it takes {size}"));
            }
        }
        let values = library.values();
        if values != launch.values.len() {
            return Err(format!("{} values were given, the text looks up {values}", launch.values.len()));
        }
        if let Some(most) = library.bound().map(|n| launch.values[n]).filter(|most| *most < launch.block.into()) {
            return Err(format!("{} threads a block, it is compiled for {most} at most", launch.block));
        }
        instance.set_values(launch.values);
        Ok(instance.entry(kernel))
    }
}

impl Device for Emulator {
    fn info(&self) -> &Info {
        &self.info
    }

    fn allocate(&self, what: &str, bytes: usize, granule: usize) -> Result<Buffer> {
        Pool::allocate(&self.pool, what, bytes, granule)
    }

    fn upload(&self, to: &Buffer, bytes: &[u8]) -> Result<()> {
        self.pool().upload(to.address(), bytes)
    }

    fn download(&self, from: &Buffer, bytes: &mut [u8]) -> Result<()> {
        self.pool().download(from.address(), bytes)
    }

    fn load(&self, source: &Source) -> Result<Module> {
        Ok(Module::new(compiler::library(source, self.options, &self.cache)?))
    }

    fn launch(&self, launch: &Launch<'_>) -> Result<()> {
        let number = self.launches.fetch_add(1, Ordering::Relaxed);
        let refused = |reason: String| refuse(launch.kernel, reason);
        let Some(library) = launch.module.get::<Arc<Library>>() else {
            return Err(refused("the module was loaded by another machine".into()));
        };
        let instance = library.take()?;
        let call = self.prepare(library, &instance, launch).map_err(refused)?;
        let Launch { kernel, grid, block, shared, .. } = *launch;
        let shape = Shape { kernel, grid, block, shared, wave: self.info.wave };
        let order = Order::of(self.options.seed, number);
        let done = run::run(&instance, call, &parameters(launch.args), shape, order, &mut self.pool());
        library.give_back(instance);
        done
    }

    fn resources(&self, _: &Module, _: &str) -> Option<Resources> {
        None
    }

    fn wait(&self) -> Result<()> {
        Ok(())
    }

    fn mark(&self) -> Result<Mark> {
        Ok(Mark::new(Instant::now()))
    }

    fn seconds(&self, from: &Mark, to: &Mark) -> Result<f64> {
        let times = from.get::<Instant>().zip(to.get::<Instant>());
        let between = times.map(|(from, to)| to.saturating_duration_since(*from).as_secs_f64());
        between.ok_or_else(|| Error::Driver {
            call: "the time between two marks",
            reason: "a mark belongs to another machine".into(),
        })
    }
}

fn refuse(kernel: &str, reason: String) -> Error {
    Error::Launch { kernel: kernel.into(), device: NAME.into(), reason }
}

/// The bytes of every parameter, aligned for any type.
fn parameters(args: &[Arg<'_>]) -> Vec<Vec<u128>> {
    let aligned = |bytes: &[u8]| {
        let words = bytes.chunks(16).map(|chunk| {
            let mut word = [0; 16];
            word[..chunk.len()].copy_from_slice(chunk);
            u128::from_ne_bytes(word)
        });
        words.collect()
    };
    let parameter = |arg: &Arg<'_>| match arg {
        Arg::Buffer(buffer) => aligned(&buffer.map_or(0, Buffer::address).to_ne_bytes()),
        Arg::Bytes(bytes) => aligned(bytes),
    };
    args.iter().map(parameter).collect()
}
