//! NVIDIA's compiler on the texts; `cargo xtask cuda-check` has those of the golden tests. Needs NVRTC, not a GPU; without
//! NVRTC, and unless `OP2_NVRTC` demands it, a line says that the test was skipped.

use std::sync::{Mutex, OnceLock};

use op2_device::cuda::nvrtc::{Nvrtc, Options, Report};
use op2_device::language::cuda::HEADER;
use op2_test_support::skips::{NVRTC, found};

/// The compiler, if this machine has one.
fn nvrtc() -> Option<&'static Mutex<Nvrtc>> {
    static FOUND: OnceLock<Result<Mutex<Nvrtc>, String>> = OnceLock::new();
    let load = || match Nvrtc::load() {
        Ok(nvrtc) => Ok(Mutex::new(nvrtc)),
        Err(e) if std::env::var_os("OP2_NVRTC").is_some() => panic!("{e}"),
        Err(e) => Err(e.to_string()),
    };
    found(NVRTC, FOUND.get_or_init(load).as_ref())
}

/// The image and the reports of a text for an architecture.
fn compiled(name: &str, text: &str, arch: &str) -> Option<(Vec<u8>, Vec<Report>)> {
    let nvrtc = nvrtc()?.lock().expect("no other test failed in the compiler");
    let compiled = nvrtc.compile(name, text, arch, Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(!compiled.log.contains("warning"), "{name}: {}", compiled.log);
    Some((compiled.image, compiled.reports))
}

/// Compiles a text. Values are kept in registers: what does not fit is a few words at most.
pub(crate) fn compiles(name: &str, text: &str, arch: &str) {
    for report in compiled(name, text, arch).into_iter().flat_map(|(_, reports)| reports) {
        let Report { stack, spill_stores, spill_loads, .. } = report;
        assert!(stack.max(spill_stores).max(spill_loads) <= 64, "{name} for {arch}: {report:?}");
    }
}

/// Rows of 16 bytes and more are read at once, what is only read through the cache for such data; and no
/// array of the kernel's is put into memory.
#[test]
fn rows_are_read_at_once() {
    let text = format!("{HEADER}{}", include_str!("../../../tests/golden/res_calc/cuda.cu"));
    let Some((image, _)) = compiled("res_calc", &text, "compute_80") else { return };
    let ptx = String::from_utf8_lossy(&image);
    assert!(ptx.contains("ld.global.nc.v2.f64") && ptx.contains("st.global.v2.f64"), "{ptx}");
    assert!(!ptx.contains(".local"), "{ptx}");
}
