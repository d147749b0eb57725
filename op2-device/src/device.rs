//! The interface that all machines implement.

use crate::error::Result;
use crate::performance::Performance;
use crate::resources::Resources;
use crate::source::Source;
use op2_core::Target;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A machine that compiles and runs the texts of one target. It has its own memory and one stream of work in order.
///
/// Uploads and launches may return before they are done; [`Device::download`] and [`Device::wait`] wait for all work
/// before them, and report its errors.
pub trait Device: Send + Sync {
    /// Properties of the machine.
    fn info(&self) -> &Info;

    /// Allocates `bytes` bytes, aligned to 256, with undefined content. `what` names them in messages (``dat `q` ``);
    /// `granule` is the size of the scalars in them, 1, 2, 4 or 8.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory).
    fn allocate(&self, what: &str, bytes: usize, granule: usize) -> Result<Buffer>;

    /// Copies `bytes` to the start of a buffer.
    ///
    /// # Errors
    /// Errors of the driver, from this or from earlier work.
    fn upload(&self, to: &Buffer, bytes: &[u8]) -> Result<()>;

    /// Copies the start of a buffer to `bytes`, after all work before.
    ///
    /// # Errors
    /// As [`Device::upload`].
    fn download(&self, from: &Buffer, bytes: &mut [u8]) -> Result<()>;

    /// Compiles a translation unit, or reads it from the cache on disk.
    ///
    /// # Errors
    /// [`Error::Compile`](crate::Error::Compile) with the compiler's message,
    /// [`Error::NoCompiler`](crate::Error::NoCompiler).
    fn load(&self, source: &Source) -> Result<Module>;

    /// Starts a kernel.
    ///
    /// # Errors
    /// [`Error::Launch`](crate::Error::Launch); for the emulator, [`Error::Fault`](crate::Error::Fault).
    fn launch(&self, launch: &Launch<'_>) -> Result<()>;

    /// The resources that a kernel takes, if this machine's compiler reports them.
    fn resources(&self, module: &Module, kernel: &str) -> Option<Resources>;

    /// Waits for all work.
    ///
    /// # Errors
    /// Errors of that work.
    fn wait(&self) -> Result<()>;

    /// Marks a point in the stream of work, without waiting for it.
    ///
    /// # Errors
    /// As [`Device::upload`].
    fn mark(&self) -> Result<Mark>;

    /// Seconds between two marks by the machine's own clock; waits for the later one.
    ///
    /// # Errors
    /// As [`Device::upload`].
    fn seconds(&self, from: &Mark, to: &Mark) -> Result<f64>;
}

/// A point in a machine's stream of work.
#[derive(Clone)]
pub struct Mark(Arc<dyn Any + Send + Sync>);

impl Mark {
    /// Wraps a machine's representation of the point; for implementations of [`Device`].
    pub fn new(point: impl Any + Send + Sync) -> Self {
        Mark(Arc::new(point))
    }

    /// The wrapped value, if it is of this type.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }
}

impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mark")
    }
}

/// Properties of a machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Info {
    /// Its name in reports: `NVIDIA H200`, `emulator`.
    pub name: String,
    /// The language of the texts that it compiles.
    pub target: Target,
    /// Performance, if it is known.
    pub performance: Option<Performance>,
    /// Bytes of shared memory that one block may have at most.
    pub shared_per_block: u32,
    /// Threads of a wave, which shuffles reach: 32 of NVIDIA's GPUs, where it is called a warp. Blocks consist of whole waves.
    pub wave: u32,
    /// Whether values that depend on the mesh are looked up rather than compiled in, so that one compiled text serves
    /// all meshes.
    pub emulated: bool,
}

/// Memory of a machine, freed with its last clone.
#[derive(Clone)]
pub struct Buffer {
    address: u64,
    bytes: usize,
    owner: Arc<dyn Memory>,
}

/// Owns memory of a machine and frees it when dropped.
pub trait Memory: Any + Send + Sync {}

impl Buffer {
    /// Memory at `address` that `owner` frees; for implementations of [`Device`].
    pub fn new(address: u64, bytes: usize, owner: Arc<dyn Memory>) -> Self {
        Buffer { address, bytes, owner }
    }

    /// Its address on the machine.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Its size.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The owner of the memory.
    pub fn owner(&self) -> &Arc<dyn Memory> {
        &self.owner
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({:#x}, {} bytes)", self.address, self.bytes)
    }
}

/// A compiled translation unit, loaded.
#[derive(Clone)]
pub struct Module(Arc<dyn Any + Send + Sync>);

impl Module {
    /// Wraps a machine's representation of a loaded unit; for implementations of [`Device`].
    pub fn new(loaded: impl Any + Send + Sync) -> Self {
        Module(Arc::new(loaded))
    }

    /// The wrapped value, if it is of this type.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }

    /// Whether it has clones.
    #[cfg(any(feature = "cuda", feature = "hip"))]
    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Module")
    }
}

/// One launch of a kernel.
#[derive(Debug, Clone, Copy)]
pub struct Launch<'a> {
    /// The module with the kernel.
    pub module: &'a Module,
    /// The kernel's name.
    pub kernel: &'a str,
    /// Number of blocks; not 0.
    pub grid: u32,
    /// Threads of a block, a multiple of [`Info::wave`].
    pub block: u32,
    /// Bytes of shared memory of a block.
    pub shared: u32,
    /// The parameters in order.
    pub args: &'a [Arg<'a>],
    /// Values of the source's definitions that depend on the mesh, in the order of
    /// [`Source::values`]; machines that compiled them in ignore them.
    pub values: &'a [u64],
}

/// A parameter of a kernel.
#[derive(Debug, Clone, Copy)]
pub enum Arg<'a> {
    /// The address of memory, or a null pointer.
    Buffer(Option<&'a Buffer>),
    /// A value, with the layout of C++.
    Bytes(&'a [u8]),
}
