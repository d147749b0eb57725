//! The build of a loaded library. The versions that libraries report lack the patch level, and compilers that differ
//! only in it generate different code.

use std::path::Path;
use std::time::UNIX_EPOCH;

/// The file that contains the code at an address: its path with all links resolved, its size and its modification time.
/// Empty where the system does not tell.
pub(super) fn of(address: usize) -> String {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    mapped(&maps, address).and_then(|file| told(Path::new(file))).unwrap_or_default()
}

fn told(file: &Path) -> Option<String> {
    let file = file.canonicalize().ok()?;
    let about = file.metadata().ok()?;
    let written = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{}, {} bytes of {}", file.file_name()?.display(), about.len(), written.as_nanos()))
}

/// The file mapped at an address, from the text of `/proc/self/maps`.
fn mapped(maps: &str, address: usize) -> Option<&str> {
    let line = maps.lines().find(|line| {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let ends = range.map(|(start, end)| [start, end].map(|text| usize::from_str_radix(text, 16)));
        matches!(ends, Some([Ok(start), Ok(end)]) if (start..end).contains(&address))
    })?;
    line.find('/').map(|at| &line[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_to_files() {
        let maps = "\
5581a000-5581b000 r--p 00000000 08:01 11 /usr/bin/some program
5581b000-5581c000 r-xp 00001000 08:01 11 /usr/lib/libnvrtc.so.13.0.88
7f000000-7f001000 rw-p 00000000 00:00 0
";
        assert_eq!(mapped(maps, 0x5581a000), Some("/usr/bin/some program"));
        assert_eq!(mapped(maps, 0x5581bfff), Some("/usr/lib/libnvrtc.so.13.0.88"));
        assert_eq!([0, 0x5581c000, 0x7f000000].map(|address| mapped(maps, address)), [None; 3]);
        assert_eq!(mapped("", 1), None);
    }

    #[cfg(unix)]
    #[test]
    fn builds_differ_where_the_file_does() {
        let folder = tempfile::tempdir().unwrap();
        let (first, other, link) =
            (folder.path().join("l.so.13.0.88"), folder.path().join("l.so.13.0.89"), folder.path().join("l.so"));
        std::fs::write(&first, "code").unwrap();
        std::fs::write(&other, "code").unwrap();
        std::os::unix::fs::symlink(&first, &link).unwrap();
        let build = told(&link).unwrap();
        assert!(build.starts_with("l.so.13.0.88, 4 bytes of "), "{build}");
        assert_eq!(told(&first), Some(build.clone()));
        assert_ne!(told(&other), Some(build.clone()));
        std::fs::write(&first, "other code").unwrap();
        assert_ne!(told(&link), Some(build));
        assert_eq!(told(&folder.path().join("absent")), None);
    }
}
