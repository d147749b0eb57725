//! A GPU as a [`Device`].

use super::context::{Allocation, Context, Point};
use super::driver;
use super::module::{Compiler, Kernel, Loaded};
use crate::cuda::nvrtc::Options;
use crate::device::{Arg, Buffer, Device, Info, Launch, Mark, Module};
use crate::error::{Error, Result};
use crate::occupancy::Limits;
use crate::performance::Performance;
use crate::resources::Resources;
use crate::source::Source;
use cust::device::{Device as Ordinal, DeviceAttribute};
use cust::sys::{CUdevice_attribute, cuDeviceGetAttribute, cuLaunchKernel};
use op2_cache::Key;
use op2_core::Target;
use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of a block's shared memory that checked code uses itself: `op2_elements` in `op2_device.cuh`.
const ELEMENTS: u32 = 4096;

/// A GPU.
pub(super) struct Gpu {
    info: Info,
    context: Arc<Context>,
    compiler: Compiler,
    /// Bytes of a block's shared memory that loops cannot use.
    reserved: u32,
    modules: Mutex<HashMap<Key, Module>>,
}

impl Gpu {
    pub(super) fn open(ordinal: usize, options: Options) -> Result<Self> {
        driver::load().map_err(no_device)?;
        let failed = |()| no_device(format!("the driver answers {}", driver::words(driver::last())));
        cust::init(cust::CudaFlags::empty()).map_err(|_| failed(()))?;
        let count = Ordinal::num_devices().map_err(|_| failed(()))?;
        let device = u32::try_from(ordinal).ok().filter(|number| *number < count);
        let device = device.ok_or_else(|| no_device(missing(ordinal, count)))?;
        let device = Ordinal::get_device(device).map_err(|_| failed(()))?;
        let name = device.name().map_err(|_| failed(()))?;
        let context = Context::new(device, name.clone())
            .map_err(|code| no_device(format!("{name} does not let this process in: {}", driver::words(code))))?;
        let attribute = |which| Ok(number(context.done("asking for a property", device.get_attribute(which))?));
        let (major, minor) =
            (attribute(DeviceAttribute::ComputeCapabilityMajor)?, attribute(DeviceAttribute::ComputeCapabilityMinor)?);
        let reserved = if options.kernel_checks { ELEMENTS } else { 0 };
        let info = Info {
            name,
            target: Target::Cuda,
            performance: performance(&format!("sm_{major}{minor}"), |which| {
                device.get_attribute(which).ok().map(number)
            }),
            shared_per_block: most_shared(&context, device)?.saturating_sub(reserved),
            emulated: false,
        };
        let version = context.done("asking for the driver's version", cust::CudaApiVersion::get())?;
        let version = (number(version.major()), number(version.minor()));
        let compiler = Compiler::new(major * 10 + minor, version, options)?;
        Ok(Gpu { info, context, compiler, reserved, modules: Mutex::default() })
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
        let text = source.whole();
        let key = self.compiler.key(&text);
        let modules = || self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = modules().get(&key) {
            return Ok(module.clone());
        }
        // Two threads may compile the same text at once, which only wastes time.
        let image = self.compiler.compiled(&source.name, &text, &key)?;
        let shared = self.info.shared_per_block + self.reserved;
        let module = Module::new(Loaded::new(&self.context, &self.compiler, source, &image, shared)?);
        Ok(modules().entry(key).or_insert(module).clone())
    }

    fn launch(&self, launch: &Launch<'_>) -> Result<()> {
        let (loaded, kernel) = self.kernel(launch.module, launch.kernel)?;
        self.context.bind()?;
        let addresses: Vec<u64> = launch.args.iter().map(address).collect();
        let place = |(arg, address): (&Arg<'_>, &u64)| -> *mut c_void {
            match arg {
                Arg::Buffer(_) => ptr::from_ref(address).cast_mut().cast(),
                Arg::Bytes(bytes) => bytes.as_ptr().cast_mut().cast(),
            }
        };
        let mut places: Vec<*mut c_void> = launch.args.iter().zip(&addresses).map(place).collect();
        let (grid, block, shared) = (launch.grid, launch.block, launch.shared);
        let stream = self.context.stream().as_inner();
        let params = places.as_mut_ptr();
        // SAFETY: the module is loaded. The driver copies the parameters before it returns and only reads them; the
        // caller guarantees that they match the kernel. Memory that they point to is freed only after the stream was
        // waited for.
        let result = unsafe {
            cuLaunchKernel(kernel.function, grid, 1, 1, block, 1, 1, shared, stream, params, ptr::null_mut())
        };
        self.context.answered("launching", result).map_err(|e| self.refused(e, kernel, launch))?;
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

fn missing(ordinal: usize, count: u32) -> String {
    match count {
        0 => "the driver shows none to this process (`CUDA_VISIBLE_DEVICES` may hide them)".to_owned(),
        _ => format!(
            "GPU {ordinal} was asked for, and the driver shows GPUs 0 to {} to this process (`CUDA_VISIBLE_DEVICES` may \
             hide more)",
            count - 1
        ),
    }
}

/// Performance, from clocks and widths. `None` if the architecture or one of these is unknown.
fn performance(arch: &str, attribute: impl Fn(DeviceAttribute) -> Option<u32>) -> Option<Performance> {
    let limits = Limits::of(arch)?;
    let known = |which| attribute(which).filter(|value| *value > 0);
    let multiprocessors = known(DeviceAttribute::MultiprocessorCount)?;
    let hertz = |kilohertz: u32| f64::from(kilohertz) * 1e3;
    let singles = f64::from(multiprocessors * limits.singles) * hertz(known(DeviceAttribute::ClockRate)?);
    // Memory transfers data twice per cycle.
    let bytes_per_cycle = 2.0 * f64::from(known(DeviceAttribute::GlobalMemoryBusWidth)?) / 8.0;
    let bandwidth = bytes_per_cycle * hertz(known(DeviceAttribute::MemoryClockRate)?);
    let doubles = singles / f64::from(known(DeviceAttribute::SingleToDoublePrecisionPerfRatio)?);
    Some(Performance { multiprocessors, limits, bandwidth, doubles, singles })
}

/// Bytes of shared memory that a block may have if its kernel opts in.
fn most_shared(context: &Context, device: Ordinal) -> Result<u32> {
    let mut bytes: c_int = 0;
    let most = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
    // SAFETY: the function writes one number.
    let result = unsafe { cuDeviceGetAttribute(&mut bytes, most, device.as_raw()) };
    context.answered("asking for a property", result)?;
    Ok(number(bytes))
}

/// Properties are never negative.
fn number(property: i32) -> u32 {
    property.try_into().unwrap_or(0)
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
