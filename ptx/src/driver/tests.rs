//! Calls of the driver's functions, as a program makes them.

use super::*;
use std::ffi::CStr;

/// Adds 1 to each word, reads past the end, or traps.
const TEXT: &CStr = c".version 9.0
    .target sm_90
    .address_size 64
    .global .align 4 .u32 step = 1;
    .visible .entry add(.param .u64 add_param_0, .param .u32 add_param_1)
    .maxntid 64, 1, 1
    {
        .reg .b32 %r<9>; .reg .b64 %rd<9>;
        ld.param.u64 %rd1, [add_param_0];
        ld.param.u32 %r4, [add_param_1];
        mov.u32 %r1, %tid.x;
        mul.wide.u32 %rd2, %r1, 4;
        add.s64 %rd3, %rd1, %rd2;
        ld.global.u32 %r2, [%rd3];
        ld.global.u32 %r5, [step];
        mad.lo.s32 %r3, %r4, %r5, %r2;
        st.global.u32 [%rd3], %r3;
        ret;
    }
    .visible .entry waits() { griddepcontrol.wait; ret; }
    .visible .entry stop() { trap; }";

const WORDS: usize = 64;

/// A context with a stream, a module and an array of words.
struct Device {
    context: Handle,
    stream: Handle,
    module: Handle,
    words: u64,
}

macro_rules! call {
    ($function:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: pointers lead to values of the right types.
        unsafe { $function($($arg),*) }
    };
}

impl Device {
    fn new() -> Self {
        let mut device = Device { context: 0, stream: 0, module: 0, words: 0 };
        assert_eq!(call!(cuInit(0)), 0);
        assert_eq!(call!(cuDevicePrimaryCtxRetain(&mut device.context, 0)), 0);
        assert_eq!(call!(cuCtxSetCurrent(device.context)), 0);
        assert_eq!(call!(cuStreamCreateWithPriority(&mut device.stream, 0, 0)), 0);
        device.module = device.load();
        assert_eq!(call!(cuMemAlloc_v2(&mut device.words, 4 * WORDS)), 0);
        assert_eq!(device.put(0), 0);
        device
    }

    fn load(&self) -> Handle {
        let mut module = 0;
        let null = ptr::null_mut();
        assert_eq!(call!(cuModuleLoadDataEx(&mut module, TEXT.as_ptr(), 0, null, ptr::null_mut())), 0);
        module
    }

    fn kernel(&self, name: &CStr) -> Handle {
        let mut kernel = 0;
        assert_eq!(call!(cuModuleGetFunction(&mut kernel, self.module, name.as_ptr())), 0);
        kernel
    }

    fn put(&self, value: u32) -> c_int {
        let words = [value; WORDS];
        call!(cuMemcpyHtoDAsync_v2(self.words, words.as_ptr().cast(), 4 * WORDS, self.stream))
    }

    fn words(&self) -> Result<[u32; WORDS], c_int> {
        let mut words = [0; WORDS];
        match call!(cuMemcpyDtoH_v2(words.as_mut_ptr().cast(), self.words, 4 * WORDS)) {
            0 => Ok(words),
            code => Err(code),
        }
    }

    /// Adds to each word of an array.
    fn add(&self, address: u64, by: u32) -> c_int {
        let (kernel, stream) = (self.kernel(c"add"), self.stream);
        let parameters = [ptr::from_ref(&address).cast(), ptr::from_ref(&by).cast()];
        call!(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, stream, parameters.as_ptr(), ptr::null_mut()))
    }

    fn wait(&self) -> c_int {
        call!(cuStreamSynchronize(self.stream))
    }

    /// The graph of what the stream does meanwhile.
    fn captured(&self, work: impl FnOnce()) -> Handle {
        let mut graph = 0;
        assert_eq!(call!(cuStreamBeginCapture_v2(self.stream, 0)), 0);
        work();
        assert_eq!(call!(cuStreamEndCapture(self.stream, &mut graph)), 0);
        graph
    }

    fn executable(&self, graph: Handle) -> Handle {
        let mut executable = 0;
        assert_eq!(call!(cuGraphInstantiateWithFlags(&mut executable, graph, 0)), 0);
        executable
    }

    fn capturing(&self) -> c_int {
        let mut status = 9;
        assert_eq!(call!(cuStreamIsCapturing(self.stream, &mut status)), 0);
        status
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        call!(cuCtxSetCurrent(self.context));
        call!(cuDevicePrimaryCtxRelease_v2(0));
    }
}

type Result<T, E> = std::result::Result<T, E>;

#[test]
fn a_fault_stays_in_its_context() {
    let (bad, good) = (Device::new(), Device::new());
    call!(cuCtxSetCurrent(bad.context));
    // The fault appears when it is waited for, and in all calls that follow.
    assert_eq!(bad.add(bad.words + 4, 1), 0);
    assert_eq!((bad.wait(), bad.put(3), bad.words()), (ILLEGAL_ADDRESS, ILLEGAL_ADDRESS, Err(ILLEGAL_ADDRESS)));
    call!(cuCtxSetCurrent(good.context));
    assert_eq!((good.add(good.words, 2), good.wait(), good.words()), (0, 0, Ok([2; WORDS])));
    assert_eq!(good.add(bad.words, 1), 0);
    assert_eq!(good.wait(), ILLEGAL_ADDRESS, "memory of another context");
    for (name, code) in [(c"stop", FAILED), (c"waits", 0)] {
        let device = Device::new();
        let kernel = device.kernel(name);
        let (none, stream) = (ptr::null(), device.stream);
        assert_eq!(call!(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, none, ptr::null_mut())), 0);
        assert_eq!(device.wait(), code);
    }
    let after = Device::new();
    assert_eq!((after.add(after.words, 2), after.wait()), (0, 0));
    let odd = Device::new();
    assert_eq!((odd.add(odd.words + 2, 2), odd.wait()), (0, MISALIGNED));
}

#[test]
fn handles_are_of_their_context() {
    let (one, other) = (Device::new(), Device::new());
    let kernel = other.kernel(c"add");
    call!(cuCtxSetCurrent(one.context));
    let none = ptr::null();
    assert_eq!(
        call!(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, one.stream, none, ptr::null_mut())),
        INVALID_HANDLE
    );
    assert_eq!(call!(cuStreamSynchronize(other.stream)), INVALID_HANDLE);
    assert_eq!(call!(cuMemFree_v2(other.words)), INVALID_VALUE);
    let context = other.context;
    drop(other);
    assert_eq!(call!(cuCtxSetCurrent(context)), INVALID_CONTEXT);
    call!(cuCtxSetCurrent(0));
    assert_eq!(one.wait(), INVALID_CONTEXT);
}

#[test]
fn modules_of_one_text_have_variables_of_their_own() {
    let device = Device::new();
    let second = Device { module: device.load(), ..Device::new() };
    drop(second);
    call!(cuCtxSetCurrent(device.context));
    let again = device.load();
    let address = |module| {
        let (mut address, mut bytes) = (0, 0);
        assert_eq!(call!(cuModuleGetGlobal_v2(&mut address, &mut bytes, module, c"step".as_ptr())), 0);
        assert_eq!(bytes, 4);
        address
    };
    assert_ne!(address(device.module), address(again));
    assert_eq!(call!(cuMemcpyHtoD_v2(address(device.module), [5_u32].as_ptr().cast(), 4)), 0);
    assert_eq!((device.add(device.words, 2), device.words().unwrap()[7]), (0, 10));
    assert_eq!(call!(cuModuleUnload(device.module)), 0);
    assert_eq!(call!(cuModuleUnload(device.module)), INVALID_HANDLE);
    let (mut address, mut bytes) = (0, 0);
    let name = c"nothing".as_ptr();
    assert_eq!(call!(cuModuleGetGlobal_v2(&mut address, &mut bytes, again, name)), NOT_FOUND);
}

#[test]
fn kernels_reach_memory_of_the_host() {
    let device = Device::new();
    let mut memory = ptr::null_mut();
    assert_eq!(call!(cuMemAllocHost_v2(&mut memory, 4 * WORDS)), 0);
    // SAFETY: the memory has so many words, and nobody else uses it while they are borrowed.
    let words = || unsafe { std::slice::from_raw_parts_mut(memory.cast::<u32>(), WORDS) };
    words().fill(40);
    let mut address = 0;
    assert_eq!(call!(cuMemHostGetDevicePointer_v2(&mut address, memory, 0)), 0);
    assert_eq!((device.add(address, 2), device.wait(), words()[63]), (0, 0, 42));
    let (from, to) = (memory.cast_const().cast(), device.words);
    assert_eq!(call!(cuMemcpyHtoDAsync_v2(to, from, 4 * WORDS, device.stream)), 0);
    assert_eq!(device.words(), Ok([42; WORDS]));
    assert_eq!((call!(cuMemFreeHost(memory)), call!(cuMemFreeHost(memory))), (0, INVALID_VALUE));
    device.add(address, 1);
    assert_eq!(device.wait(), ILLEGAL_ADDRESS);
}

#[test]
fn copies_and_fills_stay_inside() {
    let device = Device::new();
    let (words, stream, bytes) = (device.words, device.stream, 4 * WORDS);
    assert_eq!(call!(cuMemsetD8Async(words, 1, bytes, stream)), 0);
    assert_eq!(device.words(), Ok([0x0101_0101; WORDS]));
    let mut more = 0;
    assert_eq!(call!(cuMemAlloc_v2(&mut more, bytes)), 0);
    assert_eq!(call!(cuMemcpyDtoDAsync_v2(more, words, bytes, stream)), 0);
    assert_eq!(device.put(7), 0);
    assert_eq!(call!(cuMemcpyDtoDAsync_v2(words + 128, more + 128, 128, stream)), 0);
    let found = device.words().unwrap();
    assert_eq!((found[31], found[32]), (7, 0x0101_0101));
    assert_eq!(call!(cuMemcpyDtoDAsync_v2(words + 4, more, bytes, stream)), INVALID_VALUE);
    assert_eq!(call!(cuMemsetD8Async(words, 1, bytes + 1, stream)), INVALID_VALUE);
    // What nobody has written stays so when it is copied.
    let mut fresh = 0;
    assert_eq!(call!(cuMemAlloc_v2(&mut fresh, bytes)), 0);
    assert_eq!(call!(cuMemcpyDtoDAsync_v2(words, fresh, bytes, stream)), 0);
    assert_eq!((device.add(words, 1), device.wait()), (0, FAILED));
}

#[test]
fn what_a_stream_captures_runs_when_its_graph_is_launched() {
    let device = Device::new();
    assert_eq!(device.capturing(), 0);
    let graph = device.captured(|| {
        assert_eq!(device.capturing(), 1);
        assert_eq!((device.add(device.words, 1), device.add(device.words, 2)), (0, 0));
    });
    assert_eq!((device.capturing(), device.words()), (0, Ok([0; WORDS])));
    let executable = device.executable(graph);
    assert_eq!(call!(cuGraphDestroy(graph)), 0);
    for round in 1..=3 {
        assert_eq!(call!(cuGraphLaunch(executable, device.stream)), 0);
        assert_eq!(device.words(), Ok([3 * round; WORDS]));
    }
    // The same with other parameters.
    let other = device.captured(|| {
        device.add(device.words, 10);
        device.add(device.words, 20);
    });
    let mut result = UpdateResult { result: 9, node: 0, from: 0 };
    assert_eq!((call!(cuGraphExecUpdate_v2(executable, other, &mut result)), result.result), (0, 0));
    assert_eq!(call!(cuGraphLaunch(executable, device.stream)), 0);
    assert_eq!(device.words(), Ok([39; WORDS]));
    let shorter = device.captured(|| assert_eq!(device.add(device.words, 10), 0));
    assert_eq!((call!(cuGraphExecUpdate_v2(executable, shorter, &mut result)), result.result), (NO_UPDATE, 2));
    let words = [4_u32; WORDS];
    let copy = device.captured(|| {
        device.add(device.words, 10);
        assert_eq!(
            call!(cuMemcpyHtoDAsync_v2(device.words, words.as_ptr().cast(), 4 * WORDS, device.stream)),
            0
        );
    });
    assert_eq!((call!(cuGraphExecUpdate_v2(executable, copy, &mut result)), result.result), (NO_UPDATE, 3));
    assert_eq!(call!(cuGraphLaunch(device.executable(copy), device.stream)), 0);
    assert_eq!(device.words(), Ok(words));
    assert_eq!((call!(cuGraphExecDestroy(executable)), call!(cuGraphLaunch(executable, 0))), (0, INVALID_VALUE));
}

#[test]
fn nothing_waits_while_a_stream_captures() {
    let device = Device::new();
    let mut event = 0;
    assert_eq!(call!(cuEventCreate(&mut event, 0)), 0);
    let (mut address, mut bytes) = (0, [0_u8; 4]);
    let null = ptr::null_mut();
    let mut module = 0;
    let mut host = ptr::null_mut();
    let mut refused = |call: &mut dyn FnMut() -> c_int, expected: c_int| {
        assert_eq!(call!(cuStreamBeginCapture_v2(device.stream, 0)), 0);
        assert_eq!((device.add(device.words, 1), call!(cuEventRecord(event, device.stream))), (0, 0));
        assert_eq!((call(), device.capturing()), (expected, 2));
        assert_eq!(device.add(device.words, 1), CAPTURE_INVALID);
        let mut graph = 7;
        assert_eq!((call!(cuStreamEndCapture(device.stream, &mut graph)), graph), (CAPTURE_INVALID, 0));
        assert_eq!((device.capturing(), device.words()), (0, Ok([0; WORDS])));
    };
    refused(&mut || device.wait(), NOT_IN_CAPTURE);
    refused(&mut || call!(cuCtxSynchronize()), NOT_IN_CAPTURE);
    refused(&mut || call!(cuMemcpyDtoH_v2(bytes.as_mut_ptr(), device.words, 4)), NOT_IN_CAPTURE);
    refused(&mut || call!(cuMemcpyHtoD_v2(device.words, [0].as_ptr(), 1)), NOT_IN_CAPTURE);
    refused(&mut || call!(cuMemAlloc_v2(&mut address, 4)), NOT_IN_CAPTURE);
    refused(&mut || call!(cuMemFree_v2(device.words)), NOT_IN_CAPTURE);
    refused(&mut || call!(cuMemAllocHost_v2(&mut host, 4)), NOT_IN_CAPTURE);
    refused(
        &mut || call!(cuModuleLoadDataEx(&mut module, TEXT.as_ptr(), 0, null, ptr::null_mut())),
        NOT_IN_CAPTURE,
    );
    refused(&mut || call!(cuEventSynchronize(event)), CAPTURED_EVENT);
    // Unless the capture allows it; its own stream never waits.
    assert_eq!(call!(cuStreamBeginCapture_v2(device.stream, 2)), 0);
    assert_eq!(call!(cuStreamBeginCapture_v2(device.stream, 2)), ILLEGAL_STATE);
    assert_eq!((call!(cuMemAlloc_v2(&mut address, 4)), device.capturing()), (0, 1));
    assert_eq!(device.wait(), NOT_IN_CAPTURE);
    let mut graph = 0;
    assert_eq!(call!(cuStreamEndCapture(device.stream, &mut graph)), CAPTURE_INVALID);
    assert_eq!(call!(cuStreamEndCapture(device.stream, &mut graph)), ILLEGAL_STATE);
    let mut time = 0.0;
    assert_eq!(call!(cuEventElapsedTime(&mut time, event, event)), CAPTURED_EVENT);
    assert_eq!(call!(cuEventRecord(event, device.stream)), 0);
    assert_eq!(call!(cuEventElapsedTime(&mut time, event, event)), 0);
    assert_eq!(call!(cuStreamBeginCapture_v2(0, 0)), NOT_IN_CAPTURE);
}

#[test]
fn graphs_are_made_of_nodes() {
    let device = Device::new();
    let (mut graph, mut nodes) = (0, [0; 2]);
    assert_eq!(call!(cuGraphCreate(&mut graph, 0)), 0);
    let function = device.kernel(c"add");
    let add = |by: &u32, add: &mut dyn FnMut(*const KernelNode) -> c_int| {
        let parameters = [ptr::from_ref(&device.words).cast(), ptr::from_ref(by).cast()];
        let (parameters, extra) = (parameters.as_ptr(), ptr::null_mut());
        add(&KernelNode { function, grid: [1; 3], block: [64, 1, 1], shared: 0, parameters, extra })
    };
    let none = ptr::null();
    let first = add(&1, &mut |kernel| call!(cuGraphAddKernelNode(&mut nodes[0], graph, none, 0, kernel)));
    let before = [nodes[0]];
    let second =
        add(&2, &mut |kernel| call!(cuGraphAddKernelNode(&mut nodes[1], graph, before.as_ptr(), 1, kernel)));
    assert_eq!((first, second), (0, 0));
    let unknown = [1];
    let third = add(&2, &mut |kernel| call!(cuGraphAddKernelNode(&mut 0, graph, unknown.as_ptr(), 1, kernel)));
    assert_eq!(third, INVALID_VALUE);
    let executable = device.executable(graph);
    assert_eq!((call!(cuGraphLaunch(executable, device.stream)), device.words()), (0, Ok([3; WORDS])));
    let mut set = |by| add(by, &mut |kernel| call!(cuGraphExecKernelNodeSetParams(executable, nodes[1], kernel)));
    assert_eq!(set(&50), 0);
    assert_eq!((call!(cuGraphLaunch(executable, device.stream)), device.words()), (0, Ok([54; WORDS])));
    assert_eq!(call!(cuGraphDestroy(graph)), 0);
    assert_eq!(set(&1), INVALID_VALUE, "the node has gone with its graph");
}

#[test]
fn launches_have_attributes() {
    let device = Device::new();
    let attribute = |which, value| LaunchAttribute { which, padding: [0; 4], value: [value, 0, 0, 0, 0, 0, 0, 0] };
    let launch = |name, attributes: &[LaunchAttribute]| {
        let (by, kernel) = (1_u32, device.kernel(name));
        let parameters = [ptr::from_ref(&device.words).cast(), ptr::from_ref(&by).cast()];
        let (stream, count) = (device.stream, attributes.len() as c_uint);
        let (grid, block, attributes) = ([1; 3], [64, 1, 1], attributes.as_ptr());
        let config = LaunchConfig { grid, block, shared: 0, stream, attributes, count };
        call!(cuLaunchKernelEx(&config, kernel, parameters.as_ptr(), ptr::null_mut()))
    };
    assert_eq!((launch(c"add", &[]), launch(c"add", &[attribute(6, 0)]), device.wait()), (0, 0, 0));
    assert_eq!((launch(c"waits", &[attribute(6, 1)]), device.wait()), (0, 0));
    assert_eq!(device.words(), Ok([2; WORDS]));
    assert_eq!(launch(c"add", &[attribute(4, 1)]), NOT_SUPPORTED);
    launch(c"add", &[]);
    assert_eq!((launch(c"add", &[attribute(6, 1)]), device.wait()), (0, FAILED), "it does not wait");
}
