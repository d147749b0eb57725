//! The way through AMD's libraries: their names, their answers, and all that differs from NVIDIA's. The rest is the same code.

use crate::process::{Folder, add, downloaded, hiprtc, is_parent, part, source, start, uploaded};
use op2_device::hip::{Options, gpu, gpu_with};
use op2_device::{Arg, Definition, Device, Error, Launch, Panic, Performance, Resources, Source, cuda};

/// The reason why there is no device.
fn reason(ordinal: usize) -> String {
    match gpu(ordinal).map(|_| ()) {
        Err(Error::NoDevice { reason }) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn properties_come_from_the_driver_and_the_table() {
    let test = "hip::properties_come_from_the_driver_and_the_table";
    // The second one has another layout of properties.
    for (name, old) in [("new", "0"), ("old", "1")] {
        let folder = Folder::new();
        part(test, name, &folder, &[("FAKE_OLD", old)], || {
            let gpu = gpu(1).unwrap();
            let info = gpu.info();
            assert_eq!(
                (info.name.as_str(), info.emulated, info.wave, info.shared_per_block),
                ("Fake 1", false, 64, 65536)
            );
            let of_arch = Performance::of("gfx90a").expect("a known GPU");
            assert_eq!(info.performance, Some(Performance { multiprocessors: 104, ..of_arch }));
            gpu.load(&source()).unwrap();
        });
        if is_parent() {
            let compiled = "compile --offload-arch=gfx90a:sramecc+:xnack- -DOP2_WAVE=64 -ffp-contract=off -std=c++17 -O3 \
                            -fno-strict-aliasing -munsafe-fp-atomics";
            assert!(folder.trace().contains(&compiled.to_owned()), "{:?}", folder.trace());
        }
    }
}

#[test]
fn work_is_done_and_errors_are_told() {
    let folder = Folder::new();
    part("hip::work_is_done_and_errors_are_told", "all", &folder, &[], || {
        let gpu = gpu(0).unwrap();
        let module = gpu.load(&source()).unwrap();
        assert_eq!(gpu.resources(&module, "add"), Some(Resources { registers: 96, local: 24, shared: 1000 }));
        let x = uploaded(&*gpu, &[1.0, 2.0]);
        let from = gpu.mark().unwrap();
        add(&*gpu, &module, &x, 10.0, 2).unwrap();
        let to = gpu.mark().unwrap();
        assert_eq!(downloaded(&*gpu, &x).unwrap(), [11.0, 12.0]);
        assert_eq!(gpu.seconds(&from, &to), Ok(0.0005));
        // Kernels have all shared memory of a block without asking for it.
        let shape = |shared| {
            let args = [Arg::Buffer(Some(&x))];
            gpu.launch(&Launch {
                module: &module,
                kernel: "shape",
                grid: 3,
                block: 64,
                shared,
                args: &args,
                values: &[],
            })
        };
        shape(65536 - 1000).unwrap();
        let Err(Error::Launch { reason, .. }) = shape(65536 - 999) else { panic!() };
        assert!(reason.starts_with("hipErrorInvalidValue (1)"), "{reason}");
        let error = gpu.allocate("dat `q`", 1 << 21, 8).unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { bytes: 2_097_152, .. }), "{error}");
        start(&*gpu, &module, "fault").unwrap();
        let Err(Error::Launch { kernel, reason, .. }) = gpu.wait() else { panic!() };
        assert_eq!(kernel, "fault");
        assert!(reason.starts_with("hipErrorIllegalAddress (700)"), "{reason}");
        assert!(reason.contains("`AMD_SERIALIZE_KERNEL=3`"), "{reason}");
    });
    if is_parent() {
        assert_eq!((folder.count("compile"), folder.count("load ELF")), (1, 1));
    }
}

#[test]
fn panics_and_sizes_find_their_variables() {
    part("hip::panics_and_sizes_find_their_variables", "all", &Folder::new(), &[], || {
        let gpu = gpu_with(0, Options { kernel_checks: true, ..Options::default() }).unwrap();
        assert_eq!(gpu.info().shared_per_block, 65536 - 4096);
        let module = gpu.load(&source()).unwrap();
        let panic = Panic::Index { index: 7, length: 4 };
        assert_eq!(start(&*gpu, &module, "panics"), Err(Error::Panic { kernel: "panics".into(), element: 23, panic }));
        let definitions = ["A", "B"].map(|name| Definition::Size(name.into(), 0)).to_vec();
        let text = "extern \"C\" __global__ void sizes();\n".into();
        let sized = gpu.load(&Source { definitions, text, kernels: vec!["sizes".into()], ..source() }).unwrap();
        let out = gpu.allocate("sizes", 16, 8).unwrap();
        let args = [Arg::Buffer(Some(&out))];
        gpu.launch(&Launch {
            module: &sized,
            kernel: "sizes",
            grid: 1,
            block: 64,
            shared: 0,
            args: &args,
            values: &[3, 8],
        })
        .unwrap();
        let mut bytes = [0; 16];
        gpu.download(&out, &mut bytes).unwrap();
        assert_eq!([0, 8].map(|n| u64::from_ne_bytes(bytes[n..][..8].try_into().unwrap())), [3, 8]);
    });
}

#[test]
fn what_is_missing_is_named() {
    let test = "hip::what_is_missing_is_named";
    part(test, "driver", &Folder::new(), &[("OP2_HIP_DRIVER", "/absent/libamdhip64.so")], || {
        assert!(reason(0).contains("ROCm's `/absent/libamdhip64.so` cannot be loaded"), "{}", reason(0));
    });
    let other = hiprtc().to_str().unwrap();
    part(test, "another library", &Folder::new(), &[("OP2_HIP_DRIVER", other)], || {
        assert!(reason(0).contains("hipGetErrorName"), "{}", reason(0));
    });
    part(test, "compiler", &Folder::new(), &[("OP2_HIPRTC", "/absent/libhiprtc.so")], || {
        let Err(Error::NoCompiler { what, cure }) = gpu(0).map(|_| ()) else { panic!() };
        assert!(what == "hiprtc" && cure.contains("/absent/libhiprtc.so") && cure.contains("`OP2_HIPRTC`"), "{cure}");
    });
    part(test, "GPU", &Folder::new(), &[("FAKE_DEVICES", "0")], || {
        assert!(reason(0).contains("`HIP_VISIBLE_DEVICES` may hide them"), "{}", reason(0));
    });
    part(test, "start", &Folder::new(), &[("FAKE_INIT", "3")], || {
        assert_eq!(reason(0), "the driver answers hipErrorUnknown (3)");
    });
}

/// Each call goes to the library of its own GPU, from any thread, and all is given back there.
#[cfg(feature = "cuda")]
#[test]
fn both_vendors_work_side_by_side() {
    let folder = Folder::new();
    part("hip::both_vendors_work_side_by_side", "all", &folder, &[], || {
        let devices: [Box<dyn Device>; 2] = [cuda::gpu(0).unwrap(), gpu(0).unwrap()];
        assert_eq!(devices.each_ref().map(|device| device.info().wave), [32, 64]);
        let modules = devices.each_ref().map(|device| device.load(&source()).unwrap());
        let buffers = devices.each_ref().map(|device| uploaded(&**device, &[0.0]));
        for n in 0..6 {
            add(&*devices[n % 2], &modules[n % 2], &buffers[n % 2], 1.0 + n as f64, 1).unwrap();
        }
        for (n, sum) in [9.0, 12.0].into_iter().enumerate() {
            assert_eq!(downloaded(&*devices[n], &buffers[n]).unwrap(), [sum]);
        }
        let foreign = start(&*devices[0], &modules[1], "fault");
        assert!(matches!(foreign, Err(Error::Launch { .. })), "a module of another GPU");
        start(&*devices[1], &modules[1], "fault").unwrap();
        let told = devices[1].wait().unwrap_err().to_string();
        assert!(told.contains("hipErrorIllegalAddress"), "{told}");
        devices[0].wait().expect("the other one works on");
        std::thread::spawn(move || drop((buffers, modules, devices))).join().unwrap();
    });
    if is_parent() {
        assert!(folder.trace().contains(&"release 0 live 0".to_owned()), "{:?}", folder.trace());
    }
}
