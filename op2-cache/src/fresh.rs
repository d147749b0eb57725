//! New files that no other process has.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A new file that only this user may access. It is removed in the end unless it was renamed.
pub(crate) struct Fresh {
    file: File,
    path: PathBuf,
    renamed: bool,
}

impl Fresh {
    /// Creates a file in a folder. Nobody can put another one in its place beforehand: names that exist are passed over, links
    /// too.
    pub(crate) fn create(folder: &Path) -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!(".op2-{}-{number}", std::process::id()));
            match options.open(&path) {
                Ok(file) => return Ok(Fresh { file, path, renamed: false }),
                // Of an earlier process with this number that was killed, or of one on another machine.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
    }

    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives the file its name, in place of one that may have it.
    pub(crate) fn rename(mut self, to: &Path) -> io::Result<()> {
        std::fs::rename(&self.path, to)?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        if !self.renamed {
            // A file that stays is empty or of no use, and does no harm.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_file_is_new_and_goes_unless_it_is_renamed() {
        let folder = tempfile::tempdir().unwrap();
        let names = || std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let (first, mut second) = (Fresh::create(folder.path()).unwrap(), Fresh::create(folder.path()).unwrap());
        assert_eq!(names().count(), 2);
        second.file().write_all(b"new").unwrap();
        let kept = folder.path().join("kept");
        std::fs::write(&kept, "old").unwrap();
        second.rename(&kept).unwrap();
        drop(first);
        assert_eq!(names().collect::<Vec<_>>(), ["kept"]);
        assert_eq!(std::fs::read(&kept).unwrap(), b"new");
        assert!(Fresh::create(&folder.path().join("absent")).is_err());
        let failed = Fresh::create(folder.path()).unwrap();
        assert!(failed.rename(&folder.path().join("absent/kept")).is_err());
        assert_eq!(names().count(), 1, "a file that cannot be renamed goes, too");
    }
}
