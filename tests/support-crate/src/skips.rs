//! Tests skip themselves if this machine lacks a tool that they need, and report it so that nobody overlooks it.
//!
//! Each says so on standard error when it happens, past the test harness, which shows what a test prints only if it
//! fails; and once more in a closing line behind the results of the whole program. Where `CI` is set nothing may be left
//! out: the test fails and names the tool.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Display;
use std::io::Write;
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

/// A tool that tests may have to do without, and the cure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tool {
    name: &'static str,
    cure: &'static str,
}

/// Runs the CUDA code of loops, in the emulator or as a program.
pub const CXX: Tool =
    Tool { name: "a C++ compiler", cure: "install g++ or clang++, or name the compiler in the variable CXX" };

/// Some systems keep them in packages of their own.
pub const SANITIZERS: Tool = Tool {
    name: "a C++ compiler with sanitizers",
    cure: "install g++ with libasan, libubsan and libtsan, or name another compiler in the variable CXX",
};

/// NVIDIA's run-time compiler, which needs no GPU.
pub const NVRTC: Tool =
    Tool { name: "NVRTC", cure: "install it, or name its folder or file in the variable OP2_NVRTC" };

/// A GPU with its driver.
pub const GPU: Tool = Tool { name: "a GPU", cure: "set the variable OP2_TEST_GPU where there is one" };

/// The compiler whose messages are expected.
pub const RUSTC: Tool =
    Tool { name: "the compiler of `rust-toolchain.toml`", cure: "install it with rustup, and call plain `cargo`" };

/// Whether there is a C++ compiler; if not, the test that asks is left out. The code under test has no part in the
/// answer: what goes wrong with a compiler that is there is a fault and no reason to skip.
pub fn has_cxx() -> bool {
    static FOUND: OnceLock<Result<(), String>> = OnceLock::new();
    let looked_for = FOUND.get_or_init(|| {
        let named = env::var("CXX").unwrap_or_default();
        let mut words = named.split_whitespace();
        let program = words.next().unwrap_or("c++");
        let output = Command::new(program).args(words).arg("--version").output();
        match output {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => Err(format!("`{program} --version` fails ({})", output.status)),
            Err(e) => Err(format!("`{program} --version` does not start ({e})")),
        }
    });
    found(CXX, looked_for.as_ref()).is_some()
}

/// The device on which the CUDA code of loops runs: the first GPU where `OP2_TEST_GPU` is set, else the emulator. Without a C++ compiler for
/// that, the test that asks is left out.
pub fn device<B>(gpu: B, emulator: B) -> Option<B> {
    match env::var_os("OP2_TEST_GPU") {
        Some(_) => Some(gpu),
        None => has_cxx().then_some(emulator),
    }
}

/// The tool that was looked for; without it the test that asks is left out.
pub fn found<T>(tool: Tool, looked_for: Result<T, impl Display>) -> Option<T> {
    looked_for.map_err(|reason| skip(tool, reason)).ok()
}

/// Says that the test that calls this is left out, in whole or in part, for want of a tool. It is told once a test,
/// however often the test calls.
///
/// # Panics
///
/// Where `CI` is set.
pub fn skip(tool: Tool, reason: impl Display) {
    let Tool { name, cure } = tool;
    assert!(env::var_os("CI").is_none(), "with `CI` set nothing is left out, and {name} is missing: {reason}; {cure}");
    let test = thread::current().name().unwrap_or("a thread of a test").to_owned();
    match Skipped::add(tool, &test) {
        // The reason is the same for all.
        Some(1) => say(&format!("skipped: {test}, for want of {name}: {reason}")),
        Some(_) => say(&format!("skipped: {test}, for want of {name}")),
        None => {}
    }
}

/// Tests by the tool that they lack.
struct Skipped(BTreeMap<Tool, Vec<String>>);

static SKIPPED: Mutex<Skipped> = Mutex::new(Skipped(BTreeMap::new()));

impl Skipped {
    /// How many tests lack the tool now; none if the test is no new one. The first of all sees to the closing line.
    fn add(tool: Tool, test: &str) -> Option<usize> {
        let mut skipped = SKIPPED.lock().unwrap_or_else(PoisonError::into_inner);
        if skipped.0.is_empty() {
            // SAFETY: `close` is an `extern "C"` function without arguments. It takes a lock that nobody holds while a
            // program ends, and does not panic.
            unsafe { libc::atexit(close) };
        }
        let tests = skipped.0.entry(tool).or_default();
        // Tests that run one after the other all run in the main thread, and cannot be told apart.
        if test != "main" && tests.iter().any(|t| t == test) {
            return None;
        }
        tests.push(test.to_owned());
        Some(tests.len())
    }
}

/// Behind the results: the harness, which ends the program, has printed them.
extern "C" fn close() {
    let skipped = SKIPPED.lock().unwrap_or_else(PoisonError::into_inner);
    for (Tool { name, cure }, tests) in &skipped.0 {
        let number = tests.len();
        let tests = if number == 1 { "test" } else { "tests" };
        say(&format!("skipped: {number} {tests}, in whole or in part, for want of {name}; {cure}"));
    }
}

/// Not by `eprintln`, which the harness keeps to itself.
fn say(line: &str) {
    // Nobody is left to be told where standard error is closed.
    let _ = writeln!(std::io::stderr(), "{line}");
}
