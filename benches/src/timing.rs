//! Settings of a bench from outside: how much it measures, and where its figures go.

use crate::Samples;
use std::io::Write;

/// Whether the short form was asked for: `cargo bench --bench NAME -- --quick`, or the environment variable
/// `OP2_BENCH_QUICK` for all benches at once.
pub fn quick() -> bool {
    std::env::args().any(|arg| arg == "--quick") || std::env::var_os("OP2_BENCH_QUICK").is_some() || smoke()
}

/// Whether the bench should only run through, on meshes so small that its times are meaningless: the environment variable
/// `OP2_BENCH_SMOKE`.
pub fn smoke() -> bool {
    std::env::var_os("OP2_BENCH_SMOKE").is_some()
}

/// Keeps a figure for `cargo xtask figures`: adds a line with name, minimum, median and maximum to the file that the environment
/// variable `OP2_FIGURES` names, if it does.
///
/// # Panics
/// If the file cannot be written.
pub fn figure(name: &str, samples: &Samples) {
    let Some(path) = std::env::var_os("OP2_FIGURES") else { return };
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    let [min, median, max] = [samples.min(), samples.median(), samples.max()];
    let written = file.and_then(|mut file| writeln!(file, "{name}\t{min:e}\t{median:e}\t{max:e}"));
    written.unwrap_or_else(|e| panic!("`{}` of OP2_FIGURES: {e}", path.display()));
}
