//! How a computation is set up.

use crate::data::layout::Layout;
use crate::data::workers::processors;
use crate::error::{Error, Result};
use crate::isa::{Isa, NoIsa};
use crate::plan::Hardware;
use crate::reorder::Ordering;
use crate::strategy::{Strategies, Strategy};
use std::path::PathBuf;

/// Where loops run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// One element after the other, in the order of the set: the reference.
    Seq,
    /// Coloured blocks on this many threads; results do not depend on the number. As many threads as there are processors stay on one
    /// each.
    Threads(usize),
    /// The generated CUDA code on the NVIDIA GPU of this number. Needs the feature `cuda`; programs built
    /// with it start on machines without a GPU too.
    Cuda(usize),
    /// The same code on the AMD GPU of this number. Needs the feature `hip`; programs built with it start on machines without a GPU too.
    /// No AMD GPU has run it yet.
    Hip(usize),
    /// The generated CUDA code on the CPU, in an emulator that checks every access. It is slow and needs the feature `emulator`
    /// and a C++ compiler; its purpose is to find faults.
    CudaEmu,
}

impl Backend {
    /// The name of a backend of the host and its threads; none of a device, which has a name of its own.
    pub(crate) const fn on_host(self) -> Option<(&'static str, usize)> {
        match self {
            Backend::Seq => Some(("seq", 1)),
            Backend::Threads(threads) => Some(("threads", threads)),
            Backend::Cuda(_) | Backend::Hip(_) | Backend::CudaEmu => None,
        }
    }
}

/// How an [`Op2`](crate::Op2) is set up.
///
/// ```
/// use op2_runtime::{Backend, Config, Layout, Op2};
/// let op = Op2::with(Config::default().backend(Backend::Threads(2)).layout(Layout::Soa))?;
/// # Ok::<(), op2_runtime::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Config {
    pub(crate) backend: Backend,
    pub(crate) layout: Layout,
    pub(crate) ordering: Ordering,
    pub(crate) strategy: Strategy,
    pub(crate) strategies: Strategies,
    pub(crate) cache_dir: Option<PathBuf>,
    pub(crate) verify: bool,
    pub(crate) short_loops: u64,
    pub(crate) patch_devices: usize,
    pub(crate) ahead_from: usize,
    pub(crate) emulation: op2_device::Options,
    pub(crate) device_checks: bool,
    pub(crate) shuffle: Option<u64>,
    pub(crate) hardware: Hardware,
    pub(crate) isa: Option<Isa>,
}

/// Nanoseconds to hand a loop to sleeping threads and to wait for them, as the bench `overhead` shows
/// with this set to 0.
const WAKING: u64 = 15_000;

/// Rows of fewer bytes stay in the caches.
const LARGE_ROWS: usize = 4 << 20;

impl Default for Config {
    /// As many threads as the machine offers, AoS, predicted order and strategies.
    fn default() -> Self {
        let threads = processors();
        Config {
            backend: Backend::Threads(threads),
            layout: Layout::Aos,
            ordering: Ordering::Predicted,
            strategy: Strategy::Predicted,
            strategies: Strategies::default(),
            cache_dir: None,
            verify: false,
            short_loops: WAKING,
            patch_devices: 1,
            ahead_from: LARGE_ROWS,
            emulation: op2_device::Options::default(),
            device_checks: false,
            shuffle: None,
            hardware: Hardware::here(),
            isa: None,
        }
    }
}

impl Config {
    /// Where loops run.
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// Layout of the dats that are declared; `op.set_layout` changes single ones.
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// How the mesh is numbered inside. [`Op2::prepare`](crate::Op2::prepare) applies it, or else the first loop that goes through
    /// a map. Users never see inner numbers: data, maps, subsets, indices and files keep the numbering of the declarations.
    ///
    /// By default the order is predicted: maps are sampled, and the mesh gets new numbers if this saves more time in a hundred
    /// loops than it takes. The mesh and the dats alone decide, so that a run repeats bit for bit everywhere. Additions change
    /// their order with the numbers, and so their rounding. [`Backend::Seq`] keeps the numbers of the declarations unless an
    /// ordering is named; [`Ordering::None`] keeps them everywhere. A call of [`Op2::reorder`](crate::Op2::reorder) replaces
    /// this setting.
    pub fn ordering(mut self, ordering: Ordering) -> Self {
        self.ordering = ordering;
        self
    }

    /// The strategy of all loops for which no stronger source states one. In rising order, the stronger sources are
    /// [`Op2::pin`](crate::Op2::pin), the environment variable `OP2_STRATEGY` and [`Config::strategies`].
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// Strategies of all or of single loops, chosen by whoever started the program, for example on its command line.
    /// They override all other sources: the environment variable `OP2_STRATEGY` (a text that [`Strategies`] parses),
    /// [`Op2::pin`](crate::Op2::pin) and [`Config::strategy`].
    ///
    /// ```
    /// use op2_runtime::{Config, Strategies};
    /// let strategies: Strategies = "res_calc=tiles:4096,auto".parse()?;
    /// let config = Config::default().strategies(strategies);
    /// # Ok::<(), op2_runtime::NoStrategies>(())
    /// ```
    pub fn strategies(mut self, strategies: Strategies) -> Self {
        self.strategies = strategies;
        self
    }

    /// The cache folder. Its subfolder `decisions` keeps the decisions of [`Strategy::Auto`], one text file for each
    /// machine, loop and mesh. The default is the value of the environment variable `OP2_CACHE_DIR`, else `op2` in the
    /// user's folder for caches. The folder is created with the first decision; if that fails, nothing is kept, and the
    /// report says so.
    pub fn cache_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.cache_dir = Some(folder.into());
        self
    }

    /// Whether every new plan is checked by the independent verifier before it is used. The verifier is simple rather
    /// than fast and takes many times as long as building the plan, so this is for tests and for tracking down faults.
    pub fn verify_plans(mut self, verify: bool) -> Self {
        self.verify = verify;
        self
    }

    /// Options of [`Backend::CudaEmu`]: its checks, the order in which it runs threads, and the size of its memory.
    /// Without checks it is about three times as fast.
    ///
    /// ```
    /// use op2_runtime::{Backend, Config, devices};
    /// let small = devices::Options { memory: 1 << 20, ..Default::default() };
    /// let config = Config::default().backend(Backend::CudaEmu).emulator(small);
    /// ```
    pub fn emulator(mut self, options: op2_device::Options) -> Self {
        self.emulation = options;
        self
    }

    /// Whether loops on devices detect the faults for which their kernels panic on a CPU: an index beyond an array, an
    /// integer divided by zero, and the other panics that the table of the kernel language lists. The call then fails
    /// with [`Fault::Panic`](crate::Fault::Panic), which names the element; without checks a kernel goes on with a
    /// value, or reads and writes beyond an array. Off by default, because the host then waits for every launch, and
    /// kernels do more work. The emulator always checks indices and `debug_assert!`.
    pub fn device_checks(mut self, checks: bool) -> Self {
        self.device_checks = checks;
        self
    }

    /// The kind of machine that plans are predicted for; by default the one where the program runs. Plans determine the
    /// order of additions, so a program that names a kind gives the same bits on all machines.
    pub fn hardware(mut self, kind: Hardware) -> Self {
        self.hardware = kind;
        self
    }

    /// The instructions of all loops on the CPU that a [`Pin`](crate::Pin) names none for. The default is the value of the
    /// environment variable `OP2_ISA` (`scalar`, `baseline`, `avx2`, `avx512`). Otherwise the sequential executor, which is the
    /// reference, uses [`Isa::Scalar`], and on threads each loop uses [`Isa::best`] if it is predicted to be faster than
    /// [`Isa::Scalar`]: lanes divide the time of arithmetic, but rows that maps lead to take longer to collect and to add to.
    /// Under [`Strategy::Auto`] loops measure both. Results are the same to the last bit.
    pub fn isa(mut self, isa: Isa) -> Self {
        self.isa = Some(isa);
        self
    }

    /// Numbers the elements of every set at random internally, the worst possible ordering. Tests use it to show that
    /// users never see internal numbers. The numbering stays unless an ordering is named after this call.
    #[doc(hidden)]
    pub fn shuffled(mut self, seed: u64) -> Self {
        self.shuffle = Some(seed);
        self.ordering = Ordering::None;
        self
    }

    /// Loops over pairs that combine into elements inside, on threads: how many devices the threads play. Each has a stretch of the
    /// patches and memory of its own, adds the copies of its patches to one sum for each element that it reaches, and these sums are
    /// then added in the order of devices (King and Kirby, SC'13, section 4). 1, the default, is the machine itself. Results are
    /// the same on any number of threads; the number of devices changes the order of additions.
    ///
    /// # Panics
    /// If there are no devices.
    pub fn patch_devices(mut self, devices: usize) -> Self {
        assert!(devices > 0, "found 0 devices, expected 1 or more");
        self.patch_devices = devices;
        self
    }

    /// Loops shorter than this many nanoseconds run on the calling thread alone, because waking the other threads takes
    /// longer. The default is 15,000; 0 turns this off. How long a loop takes is estimated from its bytes and
    /// operations, not measured; results are the same to the last bit.
    pub fn short_loops(mut self, nanoseconds: u64) -> Self {
        self.short_loops = nanoseconds;
        self
    }

    /// Vectorised loops prefetch rows of dats with at least this many bytes, where the hardware would fetch them too late:
    /// - through maps, if the numbering is bad or the arrays are many; the bytes are those of all such dats together;
    /// - direct rows of 64 bytes and more that are read.
    ///
    /// The default is 4 MiB; 0 prefetches in all loops, `usize::MAX` in none. This affects speed only, and x86-64 only.
    pub fn ahead_from(mut self, bytes: usize) -> Self {
        self.ahead_from = bytes;
        self
    }
}

/// The instructions for all loops, if the program or the environment asks for some, or if the executor has a default.
pub(crate) fn instructions(asked: Option<Isa>, backend: Backend) -> Result<Option<Isa>> {
    const VARIABLE: &str = "OP2_ISA";
    let variable = std::env::var_os(VARIABLE).map(|text| text.to_string_lossy().into_owned());
    let (isa, origin) = match (asked, variable) {
        (Some(isa), _) => (isa, String::new()),
        (None, Some(text)) if !text.is_empty() => {
            let origin = format!("environment variable `{VARIABLE}`: ");
            let isa = text
                .parse()
                .map_err(|cause: NoIsa| Error::Isa { origin: origin.clone(), reason: cause.to_string() })?;
            (isa, origin)
        }
        _ => return Ok((backend == Backend::Seq).then_some(Isa::Scalar)),
    };
    has(isa, origin).map(|()| Some(isa))
}

/// Checks that the processor has these instructions, which `origin` asks for.
///
/// # Errors
/// [`Error::Isa`].
pub(crate) fn has(isa: Isa, origin: String) -> Result<()> {
    let best = Isa::best();
    if isa <= best {
        return Ok(());
    }
    Err(Error::Isa { origin, reason: format!("this processor does not have `{isa}`, expected at most `{best}`") })
}
