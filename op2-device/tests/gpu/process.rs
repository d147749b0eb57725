//! Runs tests in their own processes.

use op2_device::cuda::gpu;
use op2_device::{Arg, Buffer, Device, Error, Launch, Module, Source, Target};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The environment variable that selects the part of a test that a process runs.
const PART: &str = "OP2_TEST_PART";

/// The folder of a part of a test, with its cache and its record of calls.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The recorded calls of the stand-ins.
    pub(crate) fn trace(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.path().join("trace")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The number of calls that begin with a word.
    pub(crate) fn count(&self, word: &str) -> usize {
        self.trace().iter().filter(|line| line.starts_with(word)).count()
    }
}

/// Runs one part of a test in its own process, with the stand-ins and these environment variables. `test` is the test's
/// path without the name of this program.
pub(crate) fn part(test: &str, part: &str, folder: &Folder, variables: &[(&str, &str)], body: impl FnOnce()) {
    match std::env::var(PART) {
        Ok(running) => {
            if running == part {
                body();
            }
        }
        Err(_) => {
            let mut process = Command::new(std::env::current_exe().unwrap());
            process.args([test, "--exact", "--nocapture", "--test-threads=1"]).env(PART, part);
            process.env("OP2_CUDA_DRIVER", driver()).env("OP2_NVRTC", nvrtc());
            process.env("OP2_HIP_DRIVER", hip_driver()).env("OP2_HIPRTC", hiprtc());
            process.env("OP2_CACHE_DIR", folder.path().join("cache")).env("FAKE_TRACE", folder.path().join("trace"));
            process.envs(variables.iter().copied());
            let output = process.output().unwrap();
            let words =
                format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(
                output.status.success() && words.contains("1 passed"),
                "{test}, {part}: {}\n{words}",
                output.status
            );
        }
    }
}

/// Whether this process starts the others.
pub(crate) fn is_parent() -> bool {
    std::env::var_os(PART).is_none()
}

/// The library of a stand-in, for NVIDIA's library or for AMD's.
fn built(name: &str, hip: bool, cell: &'static OnceLock<PathBuf>) -> &'static Path {
    cell.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let library = folder.join(format!("lib{}{name}.so", if hip { "hip" } else { "" }));
        if is_parent() {
            let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gpu").join(name).with_extension("c");
            // Other processes may use or build the same file.
            let fresh = tempfile::NamedTempFile::new_in(folder).unwrap();
            let mut command = Command::new(&compiler);
            command.args(["-std=c11", "-D_GNU_SOURCE", "-O1", "-shared", "-fPIC", "-pthread"]);
            command.args(hip.then_some("-DHIP")).arg("-o");
            let status = command.arg(fresh.path()).arg(source).status();
            let status = status.unwrap_or_else(|e| panic!("`{compiler}` is needed for the stand-ins: {e}"));
            assert!(status.success(), "the stand-in does not compile");
            fresh.persist(&library).unwrap();
        }
        library
    })
}

pub(crate) fn driver() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    built("driver", false, &LIBRARY)
}

pub(crate) fn nvrtc() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    built("nvrtc", false, &LIBRARY)
}

pub(crate) fn hip_driver() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    built("driver", true, &LIBRARY)
}

pub(crate) fn hiprtc() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    built("nvrtc", true, &LIBRARY)
}

/// The error from opening a GPU that must not open.
pub(crate) fn refusal(ordinal: usize) -> Error {
    gpu(ordinal).map(|_| ()).expect_err("there is no such GPU")
}

/// The kernels of the stand-in.
pub(crate) fn source() -> Source {
    let kernels = ["add", "shape", "fault", "panics", "late", "strange"];
    let text: String = kernels.iter().map(|name| format!("extern \"C\" __global__ void {name}();\n")).collect();
    let kernels = kernels.map(str::to_owned).to_vec();
    Source { target: Target::Cuda, name: "kernels".into(), definitions: vec![], text: text.into(), kernels }
}

/// `x[i] += number` for the first `count` entries, by the stand-in's kernel.
pub(crate) fn add(gpu: &dyn Device, module: &Module, x: &Buffer, number: f64, count: u32) -> Result<(), Error> {
    let (number, count) = (number.to_ne_bytes(), count.to_ne_bytes());
    let args = [Arg::Buffer(Some(x)), Arg::Bytes(&number), Arg::Bytes(&count)];
    gpu.launch(&Launch { module, kernel: "add", grid: 1, block: 32, shared: 0, args: &args, values: &[] })
}

/// Starts a kernel without parameters.
pub(crate) fn start(gpu: &dyn Device, module: &Module, kernel: &str) -> Result<(), Error> {
    gpu.launch(&Launch { module, kernel, grid: 2, block: 64, shared: 0, args: &[], values: &[] })
}

/// Uploads numbers and overwrites their memory on the host at once.
pub(crate) fn uploaded(gpu: &dyn Device, numbers: &[f64]) -> Buffer {
    let buffer = gpu.allocate("dat `x`", numbers.len() * 8, 8).unwrap();
    let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
    gpu.upload(&buffer, &bytes).unwrap();
    bytes.fill(0xee);
    std::hint::black_box(&bytes);
    buffer
}

pub(crate) fn downloaded(gpu: &dyn Device, buffer: &Buffer) -> Result<Vec<f64>, Error> {
    let mut bytes = vec![0; buffer.bytes()];
    gpu.download(buffer, &mut bytes)?;
    Ok(bytes.chunks_exact(8).map(|number| f64::from_ne_bytes(number.try_into().unwrap())).collect())
}
