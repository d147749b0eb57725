//! Helpers that launch one kernel on its data.

use op2_device::{Arg, Buffer, Device, Emulator, Error, Launch, Options, Result, Source, Target};

/// An emulator with checks.
pub(crate) fn emulator(seed: u64) -> Emulator {
    emulator_with(Options { seed, ..Options::default() })
}

/// Skips the test where there is no C++ compiler. Every test that launches a kernel begins with it.
macro_rules! needs_cxx {
    () => {
        if !op2_test_support::has_cxx() {
            return;
        }
    };
}
pub(crate) use needs_cxx;

/// An emulator.
pub(crate) fn emulator_with(options: Options) -> Emulator {
    Emulator::new(options).unwrap_or_else(|e| panic!("{e}"))
}

/// A source with kernels of these names.
pub(crate) fn source(kernels: &[&str], text: &'static str) -> Source {
    Source {
        target: Target::Cuda,
        name: kernels[0].into(),
        definitions: Vec::new(),
        text: text.into(),
        kernels: kernels.iter().map(ToString::to_string).collect(),
    }
}

/// Scalars as bytes.
pub(crate) trait Scalar: Copy {
    /// The bytes of one.
    fn bytes(self) -> Vec<u8>;
    /// One from its bytes.
    fn of(bytes: &[u8]) -> Self;
}

macro_rules! scalars {
    ($($t:ty)*) => {$(
        impl Scalar for $t {
            fn bytes(self) -> Vec<u8> { self.to_ne_bytes().to_vec() }
            fn of(bytes: &[u8]) -> Self { Self::from_ne_bytes(bytes.try_into().expect("bytes of one scalar")) }
        }
    )*};
}
scalars!(i8 u8 i16 u16 u32 i32 u64 i64 f32 f64);

/// A buffer with these scalars.
pub(crate) fn buffer<T: Scalar>(device: &dyn Device, what: &str, scalars: &[T]) -> Buffer {
    let bytes: Vec<u8> = scalars.iter().flat_map(|x| x.bytes()).collect();
    let buffer = device.allocate(what, bytes.len(), size_of::<T>()).expect("room");
    device.upload(&buffer, &bytes).expect("it fits");
    buffer
}

/// The scalars in a buffer.
pub(crate) fn scalars<T: Scalar>(device: &dyn Device, buffer: &Buffer) -> Vec<T> {
    let mut bytes = vec![0; buffer.bytes()];
    device.download(buffer, &mut bytes).expect("it fits");
    bytes.chunks(size_of::<T>()).map(T::of).collect()
}

/// Blocks, threads per block, bytes of shared memory.
pub(crate) type Shape = (u32, u32, u32);

/// Launches a kernel of a source.
pub(crate) fn launch(device: &dyn Device, source: &Source, kernel: &str, shape: Shape, args: &[Arg<'_>]) -> Result<()> {
    let (grid, block, shared) = shape;
    let module = &device.load(source)?;
    device.launch(&Launch { module, kernel, grid, block, shared, args, values: &source.values() })
}

/// The message of a launch that must fail.
pub(crate) fn fault(done: Result<()>) -> String {
    match done {
        Err(Error::Fault(fault)) => fault,
        Err(panic @ Error::Panic { .. }) => panic.to_string(),
        Err(other) => panic!("another error: {other}"),
        Ok(()) => panic!("no fault was found"),
    }
}

/// Launches a kernel of `text`, which has the parameter `unsigned* x`, on 64 scalars of dat `q`.
pub(crate) fn run(seed: u64, text: &'static str, kernel: &str, shape: Shape) -> Result<()> {
    let device = emulator(seed);
    let x = buffer(&device, "dat `q`", &[1u32; 64]);
    launch(&device, &both(text), kernel, shape, &[Arg::Buffer(Some(&x))])
}

/// A text with the kernels `bad` and `good`.
pub(crate) fn both(text: &'static str) -> Source {
    source(&["bad", "good"], text)
}

/// Runs `bad` and `good` in several orders; every message about `bad` contains all of `parts`.
pub(crate) fn check(text: &'static str, shape: Shape, parts: &[&str]) {
    for seed in 0..6 {
        let message = fault(run(seed, text, "bad", shape));
        for part in parts.iter().chain(&["kernel `bad`: "]) {
            assert!(message.contains(part), "`{part}` is missing in: {message}");
        }
        if let Err(e) = run(seed, text, "good", shape) {
            panic!("{e}");
        }
    }
}
