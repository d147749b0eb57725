//! The resources that NVIDIA's compiler reports of a text, for machines that do not run its code. Kept on disk, because a compilation takes
//! seconds.

use crate::cuda::nvrtc::{Nvrtc, Options, flags};
use crate::language::digest;
use crate::resources::Resources;
use crate::source::Source;
use op2_cache::{Cache, Key};
use std::sync::OnceLock;

/// The resources of a kernel of a text, compiled for `arch`. `None` without NVRTC, and if it refuses the text or the architecture.
pub(crate) fn resources(source: &Source, kernel: &str, arch: &str, cache: &Cache) -> Option<Resources> {
    static NVRTC: OnceLock<Option<Nvrtc>> = OnceLock::new();
    let nvrtc = NVRTC.get_or_init(|| Nvrtc::load().ok()).as_ref()?;
    let options = Options::default();
    let (major, minor) = nvrtc.version();
    let key = Key::of(&[
        ("registers", format!("{major}.{minor}").as_bytes()),
        ("build", nvrtc.build().as_bytes()),
        ("flags", flags(arch, options).join("\n").as_bytes()),
        ("header", digest(source.target).as_ref()),
        ("text", source.behind_header().as_bytes()),
    ]);
    if let Some(known) = cache.get(&key) {
        return read(&String::from_utf8_lossy(&known), kernel);
    }
    let reports = nvrtc.compile(&source.name, &source.whole(), arch, options).ok()?.reports;
    let line = |report: &crate::cuda::nvrtc::Report| {
        let Resources { registers, local, shared } = report.resources();
        format!("{} {registers} {local} {shared}\n", report.kernel)
    };
    let lines: String = reports.iter().map(line).collect();
    // Without a cache, the next program compiles again.
    let _ = cache.put(&key, lines.as_bytes());
    read(&lines, kernel)
}

/// The line of a kernel: its name, registers, bytes of local and of shared memory.
fn read(lines: &str, kernel: &str) -> Option<Resources> {
    let of_kernel = |line: &&str| line.split(' ').next() == Some(kernel);
    let mut numbers = lines.lines().find(of_kernel)?.split(' ').skip(1).map(str::parse);
    let mut number = || numbers.next()?.ok();
    Some(Resources { registers: number()?, local: number()?, shared: number()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_kernels_are_read() {
        let lines = "flow_staged 48 0 16\nflow 32 8 0\n";
        assert_eq!(read(lines, "flow"), Some(Resources { registers: 32, local: 8, shared: 0 }));
        assert_eq!([read(lines, "flo"), read("flow 32", "flow"), read("", "flow")], [None; 3]);
    }
}
