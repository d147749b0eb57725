//! Streams, their work, and events.

use super::capture::Place;
use super::*;
use crate::driver::functions;

/// `CUlaunchConfig`.
#[repr(C)]
#[allow(missing_docs, reason = "the fields are the driver's")]
pub struct LaunchConfig {
    pub grid: [c_uint; 3],
    pub block: [c_uint; 3],
    pub shared: c_uint,
    pub stream: u64,
    pub attributes: *const LaunchAttribute,
    pub count: c_uint,
}

/// `CUlaunchAttribute`.
#[repr(C)]
#[allow(missing_docs, reason = "the fields are the driver's")]
pub struct LaunchAttribute {
    pub which: c_int,
    pub padding: [u8; 4],
    pub value: [u64; 8],
}

/// Attributes: that the launch may begin early, those that mean nothing here, and those of clusters.
const EARLY: c_int = 6;
const HARMLESS: [c_int; 3] = [0, 1, 8];

fn start(function: Handle, grid: [c_uint; 3], block: [c_uint; 3], shared: c_uint) -> std::result::Result<Start, c_int> {
    match (grid, block) {
        ([blocks, 1, 1], [threads, 1, 1]) => Ok(Start { function, blocks, threads, shared, early: false }),
        _ => Err(INVALID_VALUE),
    }
}

/// A kernel's launch of a size, in one dimension.
///
/// # Safety
/// There are as many parameters as the kernel has, of its sizes.
pub(super) unsafe fn launched(
    context: &Context,
    function: Handle,
    [grid, block]: [[c_uint; 3]; 2],
    shared: c_uint,
    parameters: *const *const c_void,
) -> std::result::Result<Work, c_int> {
    let start = start(function, grid, block, shared)?;
    // SAFETY: the caller's promise.
    unsafe { context.started(start, parameters) }
}

functions! {
    /// A stream.
    fn cuStreamCreateWithPriority(stream: *mut Handle, _flags: c_uint, _priority: c_int) {
        with(|context| {
            context.streams.push(Some(Stream::default()));
            *stream = context.handle(context.streams.len());
            0
        })
    }

    /// The end of a stream.
    fn cuStreamDestroy_v2(stream: Handle) {
        with(|context| match context.place(stream).and_then(|n| context.streams.get_mut(n)?.take()) {
            Some(_) => 0,
            None => INVALID_HANDLE,
        })
    }

    /// All work of the stream is done; a kernel may have failed.
    fn cuStreamSynchronize(stream: Handle) {
        with(|context| context.waits(Some(stream)).err().unwrap_or(0))
    }

    /// From now on, the stream captures its work. Mode 2 allows calls that may wait.
    fn cuStreamBeginCapture_v2(stream: Handle, mode: c_uint) {
        with(|context| context.begin_capture(stream, mode == 2))
    }

    /// The graph of what it captured.
    fn cuStreamEndCapture(stream: Handle, graph: *mut Handle) {
        with(|context| match context.end_capture(stream) {
            Ok(nodes) => {
                *graph = context.graph(nodes, false);
                0
            }
            Err(code) => {
                *graph = 0;
                code
            }
        })
    }

    /// Whether it captures.
    fn cuStreamIsCapturing(stream: Handle, status: *mut c_int) {
        with(|context| match context.captures(stream) {
            Some(found) => {
                *status = found;
                0
            }
            None => INVALID_HANDLE,
        })
    }

    /// Copies to the device.
    fn cuMemcpyHtoDAsync_v2(to: u64, from: *const u8, bytes: usize, stream: Handle) {
        let work = Work::Copy { to: Place::Device(to), from: Place::Host(from as usize), bytes };
        with(|context| context.submit(stream, work))
    }

    /// Copies from the device.
    fn cuMemcpyDtoHAsync_v2(to: *mut u8, from: u64, bytes: usize, stream: Handle) {
        let work = Work::Copy { to: Place::Host(to as usize), from: Place::Device(from), bytes };
        with(|context| context.submit(stream, work))
    }

    /// Copies inside of the device.
    fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: Handle) {
        let work = Work::Copy { to: Place::Device(to), from: Place::Device(from), bytes };
        with(|context| context.submit(stream, work))
    }

    /// Copies to the device, and waits.
    fn cuMemcpyHtoD_v2(to: u64, from: *const u8, bytes: usize) {
        let work = Work::Copy { to: Place::Device(to), from: Place::Host(from as usize), bytes };
        with(|context| context.waits(None).err().unwrap_or_else(|| context.work(&work)))
    }

    /// Copies from the device, and waits.
    fn cuMemcpyDtoH_v2(to: *mut u8, from: u64, bytes: usize) {
        let work = Work::Copy { to: Place::Host(to as usize), from: Place::Device(from), bytes };
        with(|context| context.waits(None).err().unwrap_or_else(|| context.work(&work)))
    }

    /// Gives bytes of the device one value.
    fn cuMemsetD8Async(to: u64, byte: u8, bytes: usize, stream: Handle) {
        with(|context| context.submit(stream, Work::Fill { to, byte, bytes }))
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
        stream: Handle,
        parameters: *const *const c_void,
        _extra: *mut *mut c_void,
    ) {
        let size = [[grid_x, grid_y, grid_z], [block_x, block_y, block_z]];
        with(|context| match launched(context, function, size, shared, parameters) {
            Ok(work) => context.submit(stream, work),
            Err(code) => code,
        })
    }

    /// The same with attributes, of which one lets it begin before the end of the launch before.
    fn cuLaunchKernelEx(
        config: *const LaunchConfig,
        function: Handle,
        parameters: *const *const c_void,
        _extra: *mut *mut c_void,
    ) {
        let LaunchConfig { grid, block, shared, stream, attributes, count } = &*config;
        let mut early = false;
        for n in 0..*count as usize {
            let attribute = &*attributes.add(n);
            match attribute.which {
                EARLY => early = attribute.value[0] as u32 != 0,
                which if HARMLESS.contains(&which) => {}
                _ => return NOT_SUPPORTED,
            }
        }
        with(|context| match launched(context, function, [*grid, *block], *shared, parameters) {
            Ok(Work::Launch { start, params }) => {
                context.submit(*stream, Work::Launch { start: Start { early, ..start }, params })
            }
            Ok(work) => context.submit(*stream, work),
            Err(code) => code,
        })
    }

    /// A moment to come.
    fn cuEventCreate(event: *mut Handle, _flags: c_uint) {
        with(|context| {
            context.events.push(Event::New);
            *event = context.handle(context.events.len());
            0
        })
    }

    /// Events are numbers, which end with the context.
    fn cuEventDestroy_v2(_event: Handle) {
        with(|_| 0)
    }

    /// The moment.
    fn cuEventRecord(event: Handle, stream: Handle) {
        with(|context| match context.event(event) {
            Some(_) => context.submit(stream, Work::Record(event)),
            None => INVALID_HANDLE,
        })
    }

    /// It has come.
    fn cuEventSynchronize(event: Handle) {
        with(|context| match context.event(event) {
            Some(Event::Captured) => context.waits(None).and(Err(CAPTURED_EVENT)).unwrap_or_else(|_| CAPTURED_EVENT),
            Some(_) => 0,
            None => INVALID_HANDLE,
        })
    }

    /// The time between two moments.
    fn cuEventElapsedTime(milliseconds: *mut f32, from: Handle, to: Handle) {
        with(|context| {
            let moments = [from, to].map(|event| context.event(event).copied());
            match moments {
                [Some(Event::At(from)), Some(Event::At(to))] => {
                    *milliseconds = 1e3 * to.saturating_duration_since(from).as_secs_f32();
                    0
                }
                [Some(Event::Captured), _] | [_, Some(Event::Captured)] => CAPTURED_EVENT,
                _ => INVALID_HANDLE,
            }
        })
    }
}
