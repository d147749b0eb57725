//! Memory, launches and time, and their errors.

use crate::process::{Folder, add, downloaded, is_parent, part, source, start, uploaded};
use op2_device::cuda::{gpu, gpu_with, nvrtc};
use op2_device::{Arg, Buffer, Definition, Device, Error, Launch, Mark, Module, Panic, Source};

/// A GPU with the stand-in's kernels.
fn ready() -> (Box<dyn Device>, Module) {
    let gpu = gpu(0).unwrap();
    let module = gpu.load(&source()).unwrap();
    (gpu, module)
}

/// Grid, block and dynamic shared memory, as the stand-in's kernel sees them.
fn shape(gpu: &dyn Device, module: &Module, grid: u32, block: u32, shared: u32) -> Result<[u32; 3], Error> {
    let out = gpu.allocate("the shape", 12, 4)?;
    let args = [Arg::Buffer(Some(&out))];
    gpu.launch(&Launch { module, kernel: "shape", grid, block, shared, args: &args, values: &[] })?;
    let mut bytes = [0; 12];
    gpu.download(&out, &mut bytes)?;
    let number = |n: usize| u32::from_ne_bytes(bytes[4 * n..][..4].try_into().unwrap());
    Ok([number(0), number(1), number(2)])
}

#[test]
fn properties_come_from_the_driver() {
    part("running::properties_come_from_the_driver", "all", &Folder::new(), &[], || {
        let gpu = gpu(0).unwrap();
        let info = gpu.info();
        assert_eq!((info.name.as_str(), info.emulated), ("Fake 0", false));
        assert_eq!(info.shared_per_block, 232448);
        let performance = info.performance.expect("all that they are made of is known");
        assert_eq!((performance.multiprocessors, performance.limits.shared), (132, 228 * 1024));
        // The stand-in has the clocks and widths of an H200, whose data sheet the constants are from.
        let of_data_sheet = op2_device::Performance::of("sm_90").expect("a known GPU");
        let pairs = [
            (performance.bandwidth, of_data_sheet.bandwidth),
            (performance.doubles, of_data_sheet.doubles),
            (performance.singles, of_data_sheet.singles),
        ];
        assert!(pairs.iter().all(|(found, stated)| (found / stated - 1.0).abs() < 0.03), "{pairs:?}");
    });
}

#[test]
fn a_gpu_that_does_not_tell_has_no_figures() {
    part("running::a_gpu_that_does_not_tell_has_no_figures", "all", &Folder::new(), &[("FAKE_RATIO", "0")], || {
        assert_eq!(gpu(0).unwrap().info().performance, None);
    });
}

/// Sizes are no part of the text, and each user of a text has a table of its own.
#[test]
fn growth_compiles_nothing() {
    let folder = Folder::new();
    part("running::growth_compiles_nothing", "all", &folder, &[], || {
        let gpu = gpu(0).unwrap();
        let sized = |size| {
            let definitions = vec![
                Definition::Size("A".into(), size),
                Definition::Value("B".into(), 5),
                Definition::Size("C".into(), 7),
            ];
            let text = "extern \"C\" __global__ void sizes();\n".into();
            Source { definitions, text, kernels: vec!["sizes".into()], ..source() }
        };
        let out = gpu.allocate("sizes", 16, 8).unwrap();
        let seen = |module: &Module, values: [u64; 3]| {
            let args = [Arg::Buffer(Some(&out))];
            let launch =
                Launch { module, kernel: "sizes", grid: 1, block: 32, shared: 0, args: &args, values: &values };
            gpu.launch(&launch).unwrap();
            let mut bytes = [0; 16];
            gpu.download(&out, &mut bytes).unwrap();
            [0, 8].map(|n| u64::from_ne_bytes(bytes[n..][..8].try_into().unwrap()))
        };
        let (first, second) = (gpu.load(&sized(3)).unwrap(), gpu.load(&sized(4)).unwrap());
        for size in [3, 10, 10, 20] {
            assert_eq!(seen(&first, [size, 5, 7]), [size, 7]);
            assert_eq!(seen(&second, [4, 5, 8]), [4, 8]);
        }
        drop(second);
        assert_eq!(seen(&gpu.load(&sized(9)).unwrap(), [9, 5, 1]), [9, 1]);
    });
    if is_parent() {
        assert_eq!((folder.count("compile"), folder.count("load")), (1, 2));
    }
}

#[test]
fn work_is_done_in_order() {
    part("running::work_is_done_in_order", "all", &Folder::new(), &[], || {
        let (gpu, module) = ready();
        let x = uploaded(&*gpu, &[1.0, 2.0, 3.0]);
        add(&*gpu, &module, &x, 10.0, 3).unwrap();
        add(&*gpu, &module, &x, 100.0, 2).unwrap();
        assert_eq!(downloaded(&*gpu, &x).unwrap(), [111.0, 112.0, 13.0]);
        gpu.upload(&x, &7.5f64.to_ne_bytes()).unwrap();
        add(&*gpu, &module, &x, 0.25, 1).unwrap();
        gpu.wait().unwrap();
        assert_eq!(downloaded(&*gpu, &x).unwrap(), [7.75, 112.0, 13.0], "an upload may be of the start alone");
        let mut first = [0; 8];
        gpu.download(&x, &mut first).unwrap();
        assert_eq!(f64::from_ne_bytes(first), 7.75, "and so may a download");
    });
}

#[test]
fn parameters_are_copied_when_a_kernel_is_started() {
    part("running::parameters_are_copied_when_a_kernel_is_started", "all", &Folder::new(), &[], || {
        let (gpu, module) = ready();
        let x = uploaded(&*gpu, &[0.0; 8]);
        // The parameters of a launch are gone long before it runs.
        for n in 1..=8 {
            add(&*gpu, &module, &x, f64::from(n), n).unwrap();
        }
        let sums = [36.0, 35.0, 33.0, 30.0, 26.0, 21.0, 15.0, 8.0];
        assert_eq!(downloaded(&*gpu, &x).unwrap(), sums);
    });
}

#[test]
fn a_launch_has_the_shape_that_was_asked_for() {
    part("running::a_launch_has_the_shape_that_was_asked_for", "all", &Folder::new(), &[], || {
        let (gpu, module) = ready();
        assert_eq!(shape(&*gpu, &module, 5, 96, 0), Ok([5, 96, 0]));
        let most = 232448 - 1000;
        assert_eq!(shape(&*gpu, &module, 70000, 512, most), Ok([70000, 512, most]), "all but the static part");
        let refused = |grid, block, shared| match shape(&*gpu, &module, grid, block, shared) {
            Err(Error::Launch { kernel, device, reason }) if (&*kernel, &*device) == ("shape", "Fake 0") => reason,
            other => panic!("{other:?}"),
        };
        let said = refused(1, 32, most + 1);
        assert!(said.starts_with("CUDA_ERROR_INVALID_VALUE (1)"), "{said}");
        assert!(said.contains("1000 + 231449 bytes of shared memory") && said.contains("232448"), "{said}");
        let said = refused(3, 1024, 0);
        assert!(said.starts_with("CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701)"), "{said}");
        assert!(said.contains("3 blocks of 1024 threads") && said.contains("at most 512 threads"), "{said}");
        refused(0, 32, 0);
        assert_eq!(shape(&*gpu, &module, 1, 32, 0), Ok([1, 32, 0]), "a refusal does not last");
    });
}

#[test]
fn a_fault_is_told_at_the_next_wait_and_ever_after() {
    let test = "running::a_fault_is_told_at_the_next_wait_and_ever_after";
    part(test, "address", &Folder::new(), &[], || {
        let (gpu, module) = ready();
        let x = uploaded(&*gpu, &[1.0]);
        start(&*gpu, &module, "fault").unwrap();
        let told = gpu.wait().unwrap_err();
        let Error::Launch { kernel, device, reason } = &told else { panic!("{told}") };
        assert_eq!((kernel.as_str(), device.as_str()), ("fault", "Fake 0"));
        assert!(reason.starts_with("CUDA_ERROR_ILLEGAL_ADDRESS (700)"), "{reason}");
        assert_eq!(gpu.wait().as_ref(), Err(&told));
        assert_eq!(downloaded(&*gpu, &x).as_ref(), Err(&told));
        assert_eq!(gpu.upload(&x, &[0; 8]).as_ref(), Err(&told));
        assert_eq!(add(&*gpu, &module, &x, 1.0, 1).as_ref(), Err(&told));
        assert_eq!(gpu.allocate("x", 8, 8).map(|_| ()).as_ref(), Err(&told));
        assert_eq!(gpu.mark().map(|_| ()).as_ref(), Err(&told));
    });
    part(test, "null", &Folder::new(), &[], || {
        let (gpu, module) = ready();
        let args = [Arg::Buffer(None)];
        let launch =
            Launch { module: &module, kernel: "shape", grid: 1, block: 32, shared: 0, args: &args, values: &[] };
        gpu.launch(&launch).unwrap();
        assert!(matches!(gpu.wait(), Err(Error::Launch { kernel, .. }) if kernel == "shape"), "null is no memory");
    });
    // An error that is newer than the functions that op2 calls.
    part(test, "young", &Folder::new(), &[], || {
        let (gpu, module) = ready();
        start(&*gpu, &module, "late").unwrap();
        let told = gpu.wait().unwrap_err().to_string();
        assert!(told.contains("`late` failed on Fake 0: CUDA_ERROR_TENSOR_MEMORY_LEAK (721)"), "{told}");
    });
    part(test, "strange", &Folder::new(), &[], || {
        let (gpu, module) = ready();
        let told = start(&*gpu, &module, "strange").unwrap_err().to_string();
        assert!(told.contains("`strange` failed on Fake 0: error 4711 of the driver"), "{told}");
        gpu.wait().unwrap();
    });
}

#[test]
fn a_panic_is_the_launch_s_own_and_does_not_last() {
    let test = "running::a_panic_is_the_launch_s_own_and_does_not_last";
    let checked = || gpu_with(0, nvrtc::Options { kernel_checks: true, ..Default::default() }).unwrap();
    let folder = Folder::new();
    part(test, "checked", &folder, &[], || {
        let gpu = checked();
        assert_eq!(gpu.info().shared_per_block, 232448 - 4096, "checked code has a list of elements there");
        let module = gpu.load(&source()).unwrap();
        let x = uploaded(&*gpu, &[1.0]);
        for _ in 0..2 {
            let panic = Panic::Index { index: 7, length: 4 };
            let told = Error::Panic { kernel: "panics".into(), element: 23, panic };
            assert_eq!(start(&*gpu, &module, "panics"), Err(told));
            add(&*gpu, &module, &x, 1.0, 1).unwrap();
        }
        assert_eq!(downloaded(&*gpu, &x).unwrap(), [3.0]);
        start(&*gpu, &module, "fault").expect_err("a launch is waited for");
    });
    if is_parent() {
        assert!(
            folder.trace().iter().any(|line| line.starts_with("compile ") && line.contains("-macro=OP2_KERNEL_CHECKS"))
        );
        assert_eq!(folder.count("asked"), 4);
    }
    let folder = Folder::new();
    part(test, "unchecked", &folder, &[], || {
        let (gpu, module) = ready();
        start(&*gpu, &module, "panics").unwrap();
        gpu.wait().unwrap();
    });
    if is_parent() {
        assert_eq!((folder.count("panics"), folder.count("asked")), (1, 0), "nothing is asked for that is not there");
    }
}

#[test]
fn memory_that_is_not_there_is_told_in_bytes() {
    let folder = Folder::new();
    part("running::memory_that_is_not_there_is_told_in_bytes", "all", &folder, &[], || {
        let gpu = gpu(0).unwrap();
        let most = gpu.allocate("dat `q`", (1 << 20) - 104, 8).unwrap();
        let error = gpu.allocate("dat `p`", 105, 1).unwrap_err();
        let told = "no memory on Fake 0 for dat `p`: it takes 105 bytes, 104 are free";
        assert_eq!(error.to_string(), told);
        let words = gpu.allocate("dat `r`", 97, 1).unwrap();
        let error = gpu.allocate("dat `p`", 1, 1).unwrap_err().to_string();
        assert!(error.ends_with("it takes 1 bytes, 0 are free"), "memory consists of whole words: {error}");
        drop(words);
        drop(most);
        gpu.allocate("dat `p`", 105, 1).expect("memory that was given back is free");
        assert!(gpu.allocate("dat `p`", usize::MAX, 1).is_err());
        let empty = gpu.allocate("an empty set", 0, 8).unwrap();
        assert!(empty.bytes() == 0 && empty.address() != 0);
        gpu.upload(&empty, &[]).unwrap();
        gpu.download(&empty, &mut []).unwrap();
    });
}

#[test]
fn what_does_not_fit_is_refused() {
    part("running::what_does_not_fit_is_refused", "all", &Folder::new(), &[], || {
        let (first, module) = ready();
        let x = uploaded(&*first, &[1.0]);
        assert!(first.upload(&x, &[0; 9]).unwrap_err().to_string().contains("9 bytes do not fit in a buffer of 8"));
        assert!(first.download(&x, &mut [0; 9]).is_err());
        let second = gpu(1).unwrap();
        assert!(matches!(start(&*second, &module, "fault"), Err(Error::Launch { .. })), "a module of another GPU");
        assert!(matches!(start(&*first, &module, "absent"), Err(Error::Launch { .. })));
        assert!(start(&*first, &Module::new("foreign"), "fault").is_err());
        assert!(first.seconds(&Mark::new("foreign"), &first.mark().unwrap()).is_err());
        first.wait().unwrap();
    });
}

#[test]
fn marks_tell_the_time_on_the_gpu() {
    part("running::marks_tell_the_time_on_the_gpu", "all", &Folder::new(), &[], || {
        let (gpu, module) = ready();
        let x = uploaded(&*gpu, &[1.0]);
        let from = gpu.mark().unwrap();
        for _ in 0..3 {
            add(&*gpu, &module, &x, 1.0, 1).unwrap();
        }
        let to = gpu.mark().unwrap();
        // In the stand-in, each kernel and each mark takes a quarter of a millisecond.
        assert_eq!(gpu.seconds(&from, &to), Ok(0.001));
        assert_eq!(gpu.seconds(&to, &from), Ok(-0.001));
    });
}

#[test]
fn every_thread_can_use_it_and_everything_is_given_back() {
    let test = "running::every_thread_can_use_it_and_everything_is_given_back";
    let folder = Folder::new();
    part(test, "all", &folder, &[], || {
        let (gpu, module) = ready();
        let other = op2_device::cuda::gpu(1).unwrap();
        let run = |n: u32| -> Buffer {
            let x = uploaded(&*gpu, &[f64::from(n)]);
            add(&*gpu, &module, &x, 1.0, 1).unwrap();
            let y = uploaded(&*other, &[2.0]);
            assert_eq!(downloaded(&*other, &y).unwrap(), [2.0], "calls for two GPUs may alternate");
            assert_eq!(downloaded(&*gpu, &x).unwrap(), [f64::from(n + 1)]);
            x
        };
        let mut buffers: Vec<Buffer> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|n| scope.spawn(move || run(n))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        // Kernels may still run when their memory and their module are dropped.
        add(&*gpu, &module, &buffers[3], 1.0, 1).unwrap();
        buffers.pop();
        let mark = gpu.mark().unwrap();
        add(&*gpu, &module, &buffers[0], 1.0, 1).unwrap();
        drop(gpu);
        std::thread::spawn(move || drop(mark)).join().unwrap();
        std::thread::spawn(move || drop((module, buffers))).join().unwrap();
        drop(other);
    });
    if is_parent() {
        let trace = folder.trace();
        assert_eq!(folder.count("free"), 8, "{trace:?}");
        assert_eq!(folder.count("early"), 0, "before the work was done: {trace:?}");
        assert_eq!(folder.count("unload"), 1, "{trace:?}");
        assert!(trace.contains(&"release 0 live 0".to_owned()), "{trace:?}");
        assert!(trace.contains(&"release 1 live 0".to_owned()), "{trace:?}");
    }
}
