//! Messages where something is missing.

use crate::process::{Folder, nvrtc, part, refusal};
use op2_device::Error;
use op2_device::cuda::gpu;

/// The reason why there is no device.
fn reason(ordinal: usize) -> String {
    match refusal(ordinal) {
        Error::NoDevice { reason } => reason,
        other => panic!("{other}"),
    }
}

#[test]
fn without_a_driver_there_is_no_device() {
    let test = "missing::without_a_driver_there_is_no_device";
    part(test, "absent", &Folder::new(), &[("OP2_CUDA_DRIVER", "/absent/libcuda.so.1")], || {
        let said = reason(0);
        assert!(said.contains("`/absent/libcuda.so.1` cannot be loaded"), "{said}");
        assert_eq!(reason(0), said, "the same every time");
    });
    let folder = Folder::new();
    let text = folder.path().join("libcuda.so.1");
    std::fs::write(&text, "no library").unwrap();
    part(test, "text", &folder, &[("OP2_CUDA_DRIVER", text.to_str().unwrap())], || {
        assert!(reason(0).contains("cannot be loaded"), "{}", reason(0));
    });
    let other = nvrtc().to_str().unwrap();
    part(test, "another library", &Folder::new(), &[("OP2_CUDA_DRIVER", other)], || {
        assert!(reason(0).contains("cuGetErrorName"), "{}", reason(0));
    });
}

#[test]
fn a_driver_that_does_not_start_is_quoted() {
    let test = "missing::a_driver_that_does_not_start_is_quoted";
    part(test, "none", &Folder::new(), &[("FAKE_INIT", "100")], || {
        assert_eq!(reason(0), "the driver answers CUDA_ERROR_NO_DEVICE (100)");
    });
    // An error for which the driver has no name.
    part(test, "unknown", &Folder::new(), &[("FAKE_INIT", "4711")], || {
        assert_eq!(reason(0), "the driver answers error 4711 of the driver");
    });
    part(test, "occupied", &Folder::new(), &[("FAKE_RETAIN", "46")], || {
        assert_eq!(reason(1), "Fake 1 does not let this process in: error 46 of the driver");
    });
}

#[test]
fn a_gpu_that_is_not_there_is_named() {
    let test = "missing::a_gpu_that_is_not_there_is_named";
    part(test, "none", &Folder::new(), &[("FAKE_DEVICES", "0")], || {
        assert!(reason(0).contains("CUDA_VISIBLE_DEVICES"), "{}", reason(0));
    });
    part(test, "two", &Folder::new(), &[], || {
        assert!(reason(2).starts_with("GPU 2 was asked for, and the driver shows GPUs 0 to 1"), "{}", reason(2));
        assert!(reason(usize::MAX).contains("GPUs 0 to 1"));
        assert_eq!(gpu(1).unwrap().info().name, "Fake 1");
    });
}

#[test]
fn without_nvrtc_there_is_no_compiler() {
    let test = "missing::without_nvrtc_there_is_no_compiler";
    part(test, "absent", &Folder::new(), &[("OP2_NVRTC", "/absent/libnvrtc.so.13")], || {
        let Error::NoCompiler { what, cure } = refusal(0) else { panic!() };
        assert_eq!(what, "NVRTC");
        assert!(cure.contains("/absent/libnvrtc.so.13"), "{cure}");
    });
    part(test, "too new", &Folder::new(), &[("FAKE_SM", "70")], || {
        let Error::NoCompiler { cure, .. } = refusal(0) else { panic!() };
        assert!(cure.contains("is version 13.0 and compiles for sm_75, sm_80, sm_90"), "{cure}");
    });
}
