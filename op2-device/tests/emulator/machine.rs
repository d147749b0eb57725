//! The emulator as a device: memory, orders, invalid launches, several launches at once.

use crate::support::{buffer, emulator, emulator_with, launch, needs_cxx, scalars, source};
use op2_device::{Arg, Device, Emulator, Error, Launch, Options, Source};
use std::process::Command;
use std::thread;

/// Records the order in which blocks and threads run.
fn tickets() -> Source {
    source(
        &["tickets"],
        "extern \"C\" __global__ void tickets(unsigned* next, unsigned* before, unsigned* behind) {
            const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
            before[i] = atomicAdd(next, 1u);
            __syncthreads();
            behind[i] = atomicAdd(next, 1u);
        }",
    )
}

/// The orders of two launches.
fn orders(options: Options) -> [Vec<u32>; 2] {
    let device = emulator_with(options);
    [(); 2].map(|()| {
        let next = buffer(&device, "next", &[0u32]);
        let before = buffer(&device, "before", &[0u32; 4 * 64]);
        let behind = buffer(&device, "behind", &[0u32; 4 * 64]);
        let args = [&next, &before, &behind].map(|buffer| Arg::Buffer(Some(buffer)));
        launch(&device, &tickets(), "tickets", (4, 64, 0), &args).expect("no fault");
        [scalars::<u32>(&device, &before), scalars::<u32>(&device, &behind)].concat()
    })
}

#[test]
fn orders_are_random_and_reproducible() {
    needs_cxx!();
    for checks in [true, false] {
        let of = |seed| orders(Options { checks, seed, ..Options::default() });
        let [first, second] = of(1);
        assert_eq!(of(1), [first.clone(), second.clone()]);
        assert_ne!(first, second, "launches differ");
        assert_ne!(of(2)[0], first, "seeds differ");
        let (before, behind) = first.split_at(4 * 64);
        let sorted = |part: &[u32]| part.windows(2).all(|pair| pair[0] < pair[1]);
        for order in [before, behind] {
            let blocks: Vec<u32> = order.chunks(64).map(|block| block[0] / 128).collect();
            assert!(!sorted(&blocks) || checks, "{blocks:?}");
            assert!(order.chunks(64).all(|block| !sorted(block)));
        }
    }
}

#[test]
fn without_checks_a_kernel_does_the_same() {
    needs_cxx!();
    let text = "extern \"C\" __global__ void race(double* x) {
            double* shared = reinterpret_cast<double*>(op2_arena);
            shared[threadIdx.x] = x[threadIdx.x];
            __syncthreads();
            x[threadIdx.x] = shared[31 - threadIdx.x];
            x[40] = 7.0;
        }";
    let race = source(&["race"], text);
    let x: Vec<f64> = (0..41).map(f64::from).collect();
    let mut expected: Vec<f64> = (0..32).rev().chain(32..41).map(f64::from).collect();
    expected[40] = 7.0;
    let device = emulator_with(Options { checks: false, ..Options::default() });
    let data = buffer(&device, "x", &x);
    launch(&device, &race, "race", (1, 32, 256), &[Arg::Buffer(Some(&data))]).expect("nothing is checked");
    assert_eq!(scalars::<f64>(&device, &data), expected);
    // A barrier that is not reached would wait forever, so it is found even without checks.
    let stuck = "extern \"C\" __global__ void stuck() { if (threadIdx.x) __syncthreads(); }";
    let done = launch(&device, &source(&["stuck"], stuck), "stuck", (1, 32, 0), &[]);
    assert!(matches!(done, Err(Error::Fault(_))), "{done:?}");
}

#[test]
fn memory_has_a_limit_and_comes_back() {
    needs_cxx!();
    let device = emulator_with(Options { memory: 1000, ..Options::default() });
    let first = device.allocate("map `a`", 600, 4).expect("room");
    let error = device.allocate("map `b`", 401, 4).expect_err("there is no room");
    let (device_name, what) = ("emulator".into(), "map `b`".into());
    assert_eq!(error, Error::OutOfMemory { device: device_name, what, bytes: 401, free: 400 });
    drop(first);
    device.allocate("map `b`", 1000, 4).expect("room");
    assert!(emulator_with(Options::default()).allocate("all", usize::MAX - 7, 8).is_err());
}

#[test]
fn buffers_are_aligned_and_copied() {
    needs_cxx!();
    let device = emulator(0);
    for bytes in [0, 1, 100, 5000] {
        let buffer = device.allocate("dat `a`", bytes, 1).expect("room");
        assert_eq!((buffer.address() % 256, buffer.bytes()), (0, bytes));
        let data: Vec<u8> = (0..bytes).map(|i| i as u8).collect();
        device.upload(&buffer, &data).expect("room");
        let mut back = vec![0; bytes];
        device.download(&buffer, &mut back).expect("room");
        assert_eq!(back, data);
        let error = device.upload(&buffer, &vec![0; bytes + 1]).expect_err("there is no room");
        assert_eq!(error.to_string(), format!("an upload: {} bytes do not fit into the {bytes} of dat `a`", bytes + 1));
        assert!(device.download(&buffer, &mut vec![0; bytes + 1]).is_err());
        assert!(emulator(0).upload(&buffer, &data).is_err());
    }
}

#[test]
fn launches_that_cannot_be_are_refused() {
    needs_cxx!();
    let source = source(&["two"], "extern \"C\" __global__ void two(double x, unsigned* out) {}");
    let device = emulator(0);
    let module = device.load(&source).expect("it compiles");
    let out = buffer(&device, "out", &[0u32; 4]);
    let x = 1f64.to_ne_bytes();
    let args = [Arg::Bytes(&x), Arg::Buffer(Some(&out))];
    let fits = Launch { module: &module, kernel: "two", grid: 1, block: 32, shared: 0, args: &args, values: &[] };
    device.launch(&fits).expect("it fits");
    let refused = |launch: Launch<'_>, reason: &str| {
        let error = device.launch(&launch).expect_err("it does not fit").to_string();
        assert_eq!(error, format!("`{}` failed on emulator: {reason}", launch.kernel));
    };
    refused(Launch { kernel: "three", ..fits }, "there is no kernel of that name in `two`");
    let wide = emulator_with(Options { wide_waves: true, ..Options::default() });
    let module = wide.load(&source).expect("it compiles");
    wide.launch(&Launch { module: &module, block: 128, ..fits }).expect("two waves");
    let error =
        wide.launch(&Launch { module: &module, block: 96, ..fits }).expect_err("one wave and a half").to_string();
    assert!(error.contains("96 threads: it takes at least one block, and 64, 128, … 1024 threads"), "{error}");
    let shape = |grid, block| {
        format!("{grid} blocks of {block} threads: it takes at least one block, and 32, 64, … 1024 threads")
    };
    refused(Launch { grid: 0, ..fits }, &shape(0, 32));
    for block in [0, 31, 48, 1056] {
        refused(Launch { block, ..fits }, &shape(1, block));
    }
    refused(Launch { shared: 232_449, ..fits }, "232449 bytes of shared memory, a block has 232448 at most");
    refused(Launch { args: &args[..1], ..fits }, "1 parameters were given, it takes 2");
    let short = [Arg::Bytes(&x[..4]), args[1]];
    refused(Launch { args: &short, ..fits }, "parameter 0 was given as 4 bytes, it takes 8");
    refused(Launch { values: &[1], ..fits }, "1 values were given, the text looks up 0");
}

#[test]
fn a_text_that_does_not_compile_says_why() {
    needs_cxx!();
    let broken = source(&["broken"], "extern \"C\" __global__ void broken(unsigned* x) { x[0] = missing; }");
    let Err(Error::Compile { name, log }) = emulator(0).load(&broken) else { panic!("it does not compile") };
    assert_eq!(name, "broken");
    assert!(log.contains("missing") && log.contains("text.cpp"), "{log}");
    // The emulator has no shared memory of a fixed size: a variable would be each thread's own.
    let fixed = "extern \"C\" __global__ void fixed() { __shared__ double x[4]; x[0] = 1.0; }";
    let error = emulator(0).load(&source(&["fixed"], fixed)).expect_err("there is no such memory");
    assert!(error.to_string().contains("op2_has_dynamic_shared_memory_only"), "{error}");
}

#[test]
fn launches_of_one_text_run_at_the_same_time() {
    needs_cxx!();
    let source = source(
        &["slow"],
        "extern \"C\" __global__ void slow(unsigned* x, unsigned n) {
            unsigned* shared = reinterpret_cast<unsigned*>(op2_arena);
            shared[threadIdx.x] = STEP * threadIdx.x;
            for (unsigned i = 0; i < n; i += 1) {
                __syncthreads();
                const unsigned other = shared[(threadIdx.x + 1) % blockDim.x];
                __syncthreads();
                shared[threadIdx.x] = other;
            }
            x[threadIdx.x] = shared[threadIdx.x];
        }",
    );
    let run = |step: u32| {
        let mut source = source.clone();
        source.definitions.push(op2_device::Definition::Value("STEP".into(), u64::from(step)));
        let device = emulator(u64::from(step));
        for _ in 0..10 {
            let x = buffer(&device, "x", &[0u32; 64]);
            let args = [Arg::Buffer(Some(&x)), Arg::Bytes(&50u32.to_ne_bytes())];
            launch(&device, &source, "slow", (1, 64, 256), &args).expect("no fault");
            let expected: Vec<u32> = (0..64).map(|t| step * ((t + 50) % 64)).collect();
            assert_eq!(scalars::<u32>(&device, &x), expected);
        }
    };
    thread::scope(|scope| {
        for step in 1..9 {
            scope.spawn(move || run(step));
        }
    });
}

#[test]
fn blocks_have_up_to_1024_threads_with_stacks_of_their_own() {
    needs_cxx!();
    let source = source(
        &["deep"],
        "extern \"C\" __global__ void deep(double* x) {
            double local[4096];
            for (unsigned i = 0; i < 4096; i += 1) local[i] = i + threadIdx.x;
            __syncthreads();
            double sum = 0.0;
            for (unsigned i = 0; i < 4096; i += 1) sum += local[(i * 5 + threadIdx.x) % 4096];
            x[threadIdx.x] = sum;
        }",
    );
    let device = emulator_with(Options { checks: false, ..Options::default() });
    let x = buffer(&device, "x", &[0f64; 1024]);
    launch(&device, &source, "deep", (1, 1024, 0), &[Arg::Buffer(Some(&x))]).expect("no fault");
    let expected: Vec<f64> = (0..1024).map(|t| f64::from(4095 * 4096 / 2 + t * 4096)).collect();
    assert_eq!(scalars::<f64>(&device, &x), expected);
}

#[test]
fn marks_measure_time() {
    needs_cxx!();
    let device = emulator(0);
    let from = device.mark().expect("a mark");
    thread::sleep(std::time::Duration::from_millis(2));
    let to = device.mark().expect("a mark");
    assert!(device.seconds(&from, &to).expect("marks of this machine") >= 0.002);
    device.wait().expect("nothing is under way");
    assert!(device.info().emulated);
}

#[test]
fn a_missing_compiler_is_named() {
    const ASKED: &str = "OP2_TEST_COMPILER_IS_MISSING";
    if std::env::var_os(ASKED).is_some() {
        let Err(error) = Emulator::new(Options::default()) else { panic!("there is no such compiler") };
        println!("{error}");
        return;
    }
    let this = std::env::current_exe().expect("a test is a program");
    let mut child = Command::new(this);
    child.args(["--exact", "machine::a_missing_compiler_is_named", "--nocapture"]);
    let output = child.env(ASKED, "").env("CXX", "no-such-compiler -m64").output().expect("it starts");
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.contains("a C++ compiler was not found: `no-such-compiler -m64 --version` does not start"),
        "{output}"
    );
    assert!(output.contains("install g++ or clang++, or name the compiler in the variable CXX"), "{output}");
}

/// Compilers choose the number of registers for this number of threads; a GPU refuses more threads.
#[test]
fn more_threads_than_a_text_is_compiled_for_are_refused() {
    needs_cxx!();
    let mut text = source(
        &["k"],
        "extern \"C\" __global__ void __launch_bounds__(OP2_BLOCK) k(unsigned* x) { x[threadIdx.x] = 1; }",
    );
    text.definitions.push(op2_device::Definition::Value("OP2_BLOCK".to_owned(), 32));
    let device = emulator(0);
    let x = buffer(&device, "dat `q`", &[0u32; 64]);
    let args = [Arg::Buffer(Some(&x))];
    assert_eq!(launch(&device, &text, "k", (1, 32, 0), &args), Ok(()));
    let error = launch(&device, &text, "k", (1, 64, 0), &args).expect_err("64 threads are more than 32");
    assert!(error.to_string().contains("64 threads a block, it is compiled for 32 at most"), "{error}");
}
