//! Texts through ROCm's compiler library, where there is one. It needs no GPU.

use op2_device::hip::hiprtc::Hiprtc;
use op2_device::hip::{Options, flags, text};
use op2_device::{Definition, Error, Result, Source, Target, between};

/// hiprtc; `None` where there is none.
fn hiprtc() -> Option<Hiprtc> {
    Hiprtc::load().ok()
}

/// Machine code of a source for an architecture that every version knows.
fn compiled(hiprtc: &Hiprtc, source: &Source, options: Options) -> Result<Vec<u8>> {
    hiprtc.compile(&source.name, &text(&source.whole()), &flags("gfx90a", 64, options))
}

fn source(text: &'static str) -> Source {
    let definitions = vec![Definition::Size("ROWS".into(), 7)];
    let kernels = vec!["k".into()];
    Source { target: Target::Cuda, name: "k".into(), definitions, text: text.into(), kernels }
}

#[test]
fn texts_are_compiled_and_linked() {
    let Some(hiprtc) = hiprtc() else { return };
    let checked = Options { kernel_checks: true, ..Options::default() };
    let mathematics = "extern \"C\" __global__ void __launch_bounds__(256) k(double* x, float* y) {
        const op2::usize n = op2::thread() % ROWS;
        x[n] = op2::powf(x[n], 1.5) + op2::cbrt(x[n]) + op2::rem(x[n], 3.0);
        y[n] = op2::sin(y[n]) + op2::hypot(y[n], 2.0f);
        op2::Inc::atomic(x, 1.0);
        op2::Min::atomic(y, 1.0f);
    }";
    for source in [source(mathematics), between::source(Target::Cuda)] {
        for options in [Options::default(), checked] {
            let code = compiled(&hiprtc, &source, options).unwrap_or_else(|e| panic!("{e}"));
            assert!(source.kernels.iter().all(|name| code.windows(name.len()).any(|found| found == name.as_bytes())));
        }
    }
}

#[test]
fn what_the_compiler_says_is_told() {
    let Some(hiprtc) = hiprtc() else { return };
    let wrong = compiled(&hiprtc, &source("void k() { return 5; }"), Options::default());
    let Err(Error::Compile { name, log }) = wrong else { panic!("{wrong:?}") };
    assert!(name == "k" && log.contains("should not return a value"), "{log}");
    let narrow = hiprtc.compile("k", &text(&source("").whole()), &flags("gfx90a", 32, Options::default()));
    let Err(Error::Compile { log, .. }) = narrow else { panic!("{narrow:?}") };
    assert!(log.contains("OP2_WAVE is not the width"), "{log}");
}
