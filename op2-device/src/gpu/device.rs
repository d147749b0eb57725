//! A GPU as a [`Device`].

use super::compiler::Compiler;
use super::context::{Allocation, Context, Point};
use super::driver::{self, Answer, Vendor};
use super::module::{Kernel, Loaded};
use super::properties::{Ask, Properties, natural};
use crate::compile_options::Options;
use crate::device::{Arg, Buffer, Device, Info, Launch, Mark, Module};
use crate::error::{Error, Result};
use crate::resources::Resources;
use crate::source::Source;
use op2_cache::Key;
use op2_core::Target;
use std::collections::HashMap;
use std::ffi::{CStr, c_int, c_void};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of a block's shared memory that checked code uses itself: `op2_elements` in `op2_device.cuh`.
const ELEMENTS: u32 = 4096;

/// A GPU.
pub(crate) struct Gpu {
    info: Info,
    context: Arc<Context>,
    compiler: Compiler,
    /// Bytes of a block's shared memory that loops cannot use.
    reserved: u32,
    compiled: Mutex<HashMap<Key, Compiled>>,
}

/// Machine code, and the modules that were loaded from it: one, or where it looks sizes up, one for each user, so that loops over several
/// sets need not take turns with the table.
struct Compiled {
    image: Arc<[u8]>,
    modules: Vec<Module>,
}

impl Gpu {
    /// The GPU of a vendor with this number.
    pub(crate) fn open(vendor: &'static Vendor, ask: Ask, ordinal: usize, options: Options) -> Result<Self> {
        driver::turn_to(vendor).map_err(no_device)?;
        let failed = |code| no_device(format!("the driver answers {}", driver::words(code)));
        let count = started().map_err(failed)?;
        let device = u32::try_from(ordinal).ok().filter(|number| *number < count);
        let number = device.ok_or_else(|| no_device(missing(vendor, ordinal, count)))?;
        let (device, name) = found(number).map_err(failed)?;
        let context = Context::new(vendor, device, name.clone())
            .map_err(|code| no_device(format!("{name} does not let this process in: {}", driver::words(code))))?;
        let Properties { performance, shared_per_block, wave, compiler } = ask(device, &context, options)?;
        let reserved = if options.kernel_checks { ELEMENTS } else { 0 };
        let shared_per_block = shared_per_block.saturating_sub(reserved);
        let info = Info { name, target: Target::Cuda, performance, shared_per_block, wave, emulated: false };
        let compiler = Compiler::new(compiler, options.kernel_checks);
        Ok(Gpu { info, context, compiler, reserved, compiled: Mutex::default() })
    }

    /// The kernel with this name in a module.
    fn kernel<'a>(&self, module: &'a Module, name: &str) -> Result<(&'a Loaded, &'a Kernel)> {
        let loaded = module.get::<Loaded>().filter(|loaded| loaded.is_of(&self.context));
        loaded.and_then(|loaded| Some((loaded, loaded.kernel(name)?))).ok_or_else(|| Error::Launch {
            kernel: name.to_owned(),
            device: self.info.name.clone(),
            reason: "the module is of another machine, or its source does not list the kernel".to_owned(),
        })
    }
}

impl Device for Gpu {
    fn info(&self) -> &Info {
        &self.info
    }

    fn allocate(&self, what: &str, bytes: usize, _granule: usize) -> Result<Buffer> {
        let memory = Allocation::new(&self.context, what, bytes)?;
        Ok(Buffer::new(memory.address(), bytes, Arc::new(memory)))
    }

    fn upload(&self, to: &Buffer, bytes: &[u8]) -> Result<()> {
        fits("copying to the GPU", to, bytes.len())?;
        if bytes.is_empty() { Ok(()) } else { self.context.upload(to.address(), bytes) }
    }

    fn download(&self, from: &Buffer, bytes: &mut [u8]) -> Result<()> {
        fits("copying from the GPU", from, bytes.len())?;
        if bytes.is_empty() { self.context.wait() } else { self.context.download(from.address(), bytes) }
    }

    fn load(&self, source: &Source) -> Result<Module> {
        let text = self.compiler.written(source.whole());
        let key = self.compiler.key(&text);
        let lock = || self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let alone = !source.places_of_sizes().is_empty();
        let free = |modules: &[Module]| modules.iter().find(|module| !(alone && module.is_shared())).cloned();
        let known = match lock().get(&key) {
            Some(Compiled { image, modules }) => match free(modules) {
                Some(module) => return Ok(module),
                None => Some(image.clone()),
            },
            None => None,
        };
        // Two threads may compile the same text at once, which only wastes time.
        let image = match known {
            Some(image) => image,
            None => self.compiler.compiled(&source.name, &text, &key)?.into(),
        };
        let shared = self.info.shared_per_block + self.reserved;
        let module = Module::new(Loaded::new(&self.context, &self.compiler, source, &image, shared)?);
        let mut all = lock();
        let compiled = all.entry(key).or_insert_with(|| Compiled { image, modules: Vec::new() });
        if !alone && let Some(module) = free(&compiled.modules) {
            return Ok(module);
        }
        compiled.modules.push(module.clone());
        Ok(module)
    }

    fn launch(&self, launch: &Launch<'_>) -> Result<()> {
        let (loaded, kernel) = self.kernel(launch.module, launch.kernel)?;
        self.context.bind()?;
        loaded.take_sizes(launch.values)?;
        let addresses: Vec<u64> = launch.args.iter().map(address).collect();
        let place = |(arg, address): (&Arg<'_>, &u64)| -> *mut c_void {
            match arg {
                Arg::Buffer(_) => ptr::from_ref(address).cast_mut().cast(),
                Arg::Bytes(bytes) => bytes.as_ptr().cast_mut().cast(),
            }
        };
        let mut places: Vec<*mut c_void> = launch.args.iter().zip(&addresses).map(place).collect();
        let (grid, block, shared) = (launch.grid, launch.block, launch.shared);
        let stream = self.context.stream();
        let params = places.as_mut_ptr();
        // SAFETY: the module is loaded. The driver copies the parameters before it returns and only reads them; the
        // caller guarantees that they match the kernel. Memory that they point to is freed only after the stream was
        // waited for.
        let result = unsafe {
            driver::cuLaunchKernel(kernel.function, grid, 1, 1, block, 1, 1, shared, stream, params, ptr::null_mut())
        };
        self.context.done("launching", result).map_err(|e| self.refused(e, kernel, launch))?;
        self.context.started(&kernel.name);
        loaded.checked(launch.kernel)
    }

    fn resources(&self, module: &Module, kernel: &str) -> Option<Resources> {
        self.kernel(module, kernel).ok().map(|(_, kernel)| kernel.resources)
    }

    fn wait(&self) -> Result<()> {
        self.context.wait()
    }

    fn mark(&self) -> Result<Mark> {
        Ok(Mark::new(Point::new(&self.context)?))
    }

    fn seconds(&self, from: &Mark, to: &Mark) -> Result<f64> {
        match (from.get::<Point>(), to.get::<Point>()) {
            (Some(from), Some(to)) => from.seconds_to(to),
            _ => Err(Error::Driver { call: "comparing events", reason: "a mark is of another machine".to_owned() }),
        }
    }
}

impl Gpu {
    /// The error for a kernel that the driver refused to start.
    fn refused(&self, error: Error, kernel: &Kernel, launch: &Launch<'_>) -> Error {
        let Error::Driver { reason, .. } = error else { return error };
        Error::Launch {
            kernel: kernel.name.to_string(),
            device: self.info.name.clone(),
            reason: format!(
                "{reason}, for {} blocks of {} threads with {} + {} bytes of shared memory; at most {} threads and {} \
                 bytes are possible ({} registers a thread)",
                launch.grid,
                launch.block,
                kernel.resources.shared,
                launch.shared,
                kernel.threads,
                self.info.shared_per_block,
                kernel.resources.registers,
            ),
        }
    }
}

fn no_device(reason: String) -> Error {
    Error::NoDevice { reason }
}

fn missing(vendor: &Vendor, ordinal: usize, count: u32) -> String {
    let hides = vendor.hides;
    match count {
        0 => format!("the driver shows none to this process (`{hides}` may hide them)"),
        _ => format!(
            "GPU {ordinal} was asked for, and the driver shows GPUs 0 to {} to this process (`{hides}` may hide more)",
            count - 1
        ),
    }
}

/// Starts the driver; the number of GPUs.
fn started() -> Answer<u32> {
    let mut count = 0;
    // SAFETY: the functions are the first that are called, and one number is written.
    unsafe { driver::cuInit(0).and_then(|()| driver::cuDeviceGetCount(&mut count)) }?;
    Ok(natural(count))
}

/// The driver's number for a GPU, and its name.
fn found(ordinal: u32) -> Answer<(c_int, String)> {
    let (mut device, mut name) = (0, [0; 256]);
    // SAFETY: the driver has started and writes one number.
    unsafe { driver::cuDeviceGet(&mut device, ordinal as c_int) }?;
    // SAFETY: the driver writes a string of this length at most, the zero at its end included.
    unsafe { driver::cuDeviceGetName(name.as_mut_ptr().cast(), name.len() as c_int, device) }?;
    let name = CStr::from_bytes_until_nul(&name).unwrap_or_default();
    Ok((device, name.to_string_lossy().into_owned()))
}

fn address(arg: &Arg<'_>) -> u64 {
    match arg {
        Arg::Buffer(Some(buffer)) => buffer.address(),
        Arg::Buffer(None) | Arg::Bytes(_) => 0,
    }
}

fn fits(call: &'static str, buffer: &Buffer, bytes: usize) -> Result<()> {
    if bytes <= buffer.bytes() {
        return Ok(());
    }
    let reason =
        format!("{bytes} bytes do not fit in a buffer of {}; this is a bug of op2, please report it", buffer.bytes());
    Err(Error::Driver { call, reason })
}
