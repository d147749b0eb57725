//! The way from a text to a module: the compiler, the cache, the driver's loader.

use crate::process::{Folder, add, downloaded, is_parent, part, source, uploaded};
use op2_device::cuda::{gpu, gpu_with, nvrtc};
use op2_device::{Definition, Error, Resources, Source};
use std::sync::Mutex;

/// Loads the kernels and runs one.
fn works() {
    let gpu = gpu(0).unwrap();
    let module = gpu.load(&source()).unwrap();
    let x = uploaded(&*gpu, &[1.0]);
    add(&*gpu, &module, &x, 2.0, 1).unwrap();
    assert_eq!(downloaded(&*gpu, &x).unwrap(), [3.0]);
}

#[test]
fn a_text_is_compiled_once() {
    let test = "compiling::a_text_is_compiled_once";
    let folder = Folder::new();
    part(test, "first", &folder, &[], || {
        works();
        let gpu = gpu(0).unwrap();
        gpu.load(&source()).unwrap();
        gpu.load(&source()).unwrap();
    });
    if is_parent() {
        let flags = [
            "--gpu-architecture=sm_90",
            "--std=c++17",
            "--fmad=false",
            "--ptxas-options=-v",
            "--generate-line-info",
            "--minimal",
        ];
        assert_eq!(folder.count("compile"), 1);
        assert!(folder.trace().contains(&format!("compile {}", flags.join(" "))), "{:?}", folder.trace());
        assert_eq!(folder.count("load ELF"), 2, "once for each time that the GPU was opened");
    }
    part(test, "second", &folder, &[], works);
    if is_parent() {
        assert_eq!(folder.count("compile"), 1, "the second process finds it in the cache");
        let entries = std::fs::read_dir(folder.path().join("cache")).unwrap();
        entries.for_each(|entry| std::fs::write(entry.unwrap().path(), "damaged").unwrap());
    }
    part(test, "third", &folder, &[], works);
    if is_parent() {
        assert_eq!(folder.count("compile"), 2, "what was damaged is compiled again");
    }
}

#[test]
fn an_older_compiler_gets_no_flag_that_it_may_not_know() {
    let folder = Folder::new();
    let test = "compiling::an_older_compiler_gets_no_flag_that_it_may_not_know";
    part(test, "older", &folder, &[("FAKE_NVRTC", "12")], works);
    if is_parent() {
        let compiled = folder.trace().into_iter().find(|line| line.starts_with("compile")).expect("a compilation");
        assert!(compiled.ends_with("--generate-line-info"), "{compiled}");
    }
}

#[test]
fn the_log_tells_of_texts_that_are_compiled_and_not_of_those_in_the_cache() {
    static EVENTS: Mutex<Vec<String>> = Mutex::new(Vec::new());
    struct Capture;
    impl log::Log for Capture {
        fn enabled(&self, _: &log::Metadata<'_>) -> bool {
            true
        }

        fn log(&self, event: &log::Record<'_>) {
            EVENTS.lock().unwrap().push(format!("{} {} {}", event.level(), event.target(), event.args()));
        }

        fn flush(&self) {}
    }
    part(
        "compiling::the_log_tells_of_texts_that_are_compiled_and_not_of_those_in_the_cache",
        "all",
        &Folder::new(),
        &[],
        || {
            log::set_logger(&Capture).unwrap();
            log::set_max_level(log::LevelFilter::Debug);
            for _ in 0..2 {
                gpu(0).unwrap().load(&source()).unwrap();
            }
            let events = EVENTS.lock().unwrap();
            assert!(matches!(&events[..], [one] if one.starts_with("DEBUG op2::device compiled `")), "{events:?}");
            assert!(events[0].contains(" by NVRTC in "), "{events:?}");
        },
    );
}

#[test]
fn whatever_changes_the_code_is_in_the_key() {
    let folder = Folder::new();
    part("compiling::whatever_changes_the_code_is_in_the_key", "all", &folder, &[], || {
        let folder = std::env::var("FAKE_TRACE").unwrap();
        let compiled = || std::fs::read_to_string(&folder).unwrap().matches("compile").count();
        let gpu = gpu(0).unwrap();
        gpu.load(&source()).unwrap();
        let defined = |value| Source { definitions: vec![Definition::Value("N".into(), value)], ..source() };
        gpu.load(&defined(1)).unwrap();
        gpu.load(&defined(2)).unwrap();
        gpu.load(&defined(1)).unwrap();
        assert_eq!(compiled(), 3, "a text for each value");
        let fused = gpu_with(0, nvrtc::Options { fmad: true, ..Default::default() }).unwrap();
        fused.load(&source()).unwrap();
        assert_eq!(compiled(), 4, "another text with contraction");
    });
}

#[test]
fn a_cache_that_cannot_be_used_harms_nothing() {
    let folder = Folder::new();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let cache = [("OP2_CACHE_DIR", file.to_str().unwrap())];
    part("compiling::a_cache_that_cannot_be_used_harms_nothing", "all", &folder, &cache, works);
    if is_parent() {
        assert_eq!(folder.count("compile"), 1);
    }
}

#[test]
fn a_later_gpu_gets_ptx() {
    let folder = Folder::new();
    part("compiling::a_later_gpu_gets_ptx", "all", &folder, &[("FAKE_SM", "100")], works);
    if is_parent() {
        assert!(folder.trace().iter().any(|line| line.starts_with("compile --gpu-architecture=compute_90 ")));
        assert_eq!(folder.count("load // PTX"), 1);
    }
}

#[test]
fn what_the_compiler_says_is_told() {
    let test = "compiling::what_the_compiler_says_is_told";
    part(test, "error", &Folder::new(), &[], || {
        let wrong = Source { text: "#error \"wrong\"".into(), ..source() };
        let error = gpu(0).unwrap().load(&wrong).unwrap_err();
        let log = "fake.cu(1): error: there is an #error".to_owned();
        assert_eq!(error, Error::Compile { name: "kernels".into(), log });
    });
    part(test, "option", &Folder::new(), &[("FAKE_BROKEN", "5")], || {
        let Error::Driver { call, reason } = gpu(0).unwrap().load(&source()).unwrap_err() else { panic!() };
        assert_eq!((call, reason.as_str()), ("compiling", "NVRTC answers NVRTC_ERROR_INVALID_OPTION (5)"));
    });
    part(test, "builtins", &Folder::new(), &[("FAKE_BROKEN", "7")], || {
        assert!(matches!(gpu(0).unwrap().load(&source()), Err(Error::NoCompiler { .. })));
    });
}

#[test]
fn a_driver_older_than_the_compiler_is_found_out() {
    let test = "compiling::a_driver_older_than_the_compiler_is_found_out";
    let refused = || gpu(0).unwrap().load(&source()).unwrap_err().to_string();
    part(test, "older", &Folder::new(), &[("FAKE_REFUSE", "209"), ("FAKE_VERSION", "12080")], || {
        let said = refused();
        assert!(said.contains("loading machine code: CUDA_ERROR_NO_BINARY_FOR_GPU (209) on Fake 0"), "{said}");
        assert!(said.contains("NVRTC 13.0, and the driver knows CUDA up to 12.8"), "{said}");
    });
    part(test, "same", &Folder::new(), &[("FAKE_REFUSE", "209")], || {
        assert!(!refused().contains("NVRTC"), "{}", refused());
    });
}

#[test]
fn kernels_and_what_they_take_are_known() {
    part("compiling::kernels_and_what_they_take_are_known", "all", &Folder::new(), &[], || {
        let gpu = gpu(0).unwrap();
        let module = gpu.load(&source()).unwrap();
        let known = Resources { registers: 96, local: 24, shared: 1000 };
        assert_eq!(gpu.resources(&module, "add"), Some(known));
        assert_eq!(gpu.resources(&module, "absent"), None);
        let wrong = |name: &str| {
            let wrong = Source { kernels: vec![name.to_owned()], ..source() };
            gpu_with(0, nvrtc::Options { fmad: true, ..Default::default() })
                .unwrap()
                .load(&wrong)
                .unwrap_err()
                .to_string()
        };
        let said = wrong("absent_kernel");
        assert!(said.contains("`absent_kernel`: CUDA_ERROR_NOT_FOUND (500)"), "{said}");
        assert!(wrong("nu\0ll").contains("is no name"));
    });
}
