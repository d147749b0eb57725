//! Timing and tables that the benches share.
//!
//! The machines that these benches run on are shared and noisy. So every figure is a minimum, a median and a maximum
//! over rounds, and a ratio is taken inside a round, where its two sides run next to each other.

#[path = "samples.rs"]
mod samples;

pub(crate) use samples::Samples;

/// Whether the short form was asked for: `cargo bench --bench NAME -- --quick`, or the environment variable
/// `OP2_BENCH_QUICK` for all benches at once.
pub(crate) fn quick() -> bool {
    std::env::args().any(|arg| arg == "--quick") || std::env::var_os("OP2_BENCH_QUICK").is_some()
}
