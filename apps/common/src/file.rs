//! Output files that are written completely or not at all.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// An output cannot be written, or two options name one file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or a folder cannot be opened, made or written.
    #[error("cannot {action} `{}`: {reason}", path.display())]
    Failed {
        /// The operation, as a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why it failed.
        reason: String,
    },
    /// Two options name one file.
    #[error("`{option}` and `{other}` both name `{}`: choose another file for one of them", path.display())]
    Twice {
        /// The later one.
        option: &'static str,
        /// The one before.
        other: &'static str,
        /// The file, as the later option names it.
        path: PathBuf,
    },
    /// Standard output cannot be written.
    #[error("cannot write standard output: {reason}")]
    Standard {
        /// Why it failed.
        reason: String,
    },
    /// Standard output is a pipe whose reader has gone away, as `head` does.
    #[error("cannot write standard output: nobody reads it any more")]
    ReaderGone,
    /// Several outputs cannot be written.
    #[error("{}", listed(.0))]
    Several(Vec<Error>),
}

/// The exit status of a program whose reader has gone away: the one by which shells show that SIGPIPE ended a program.
pub const READER_GONE: u8 = 141;

impl Error {
    /// The exit status of a program that ends with this error: [`READER_GONE`], or 2 as for invalid input.
    pub fn exit_status(&self) -> u8 {
        if matches!(self, Self::ReaderGone) { READER_GONE } else { 2 }
    }
}

type Result<T> = std::result::Result<T, Error>;

/// Checks whether `path` can be written, without touching an existing file: its folder must exist and take new files.
///
/// Returns the path of the output, with links resolved, or `None` for a device or a pipe such as `/dev/stdout`.
///
/// # Errors
///
/// [`Error::Failed`] with the reason.
pub fn check(path: &Path) -> Result<Option<PathBuf>> {
    let checked = write_mode(path).and_then(|mode| match mode {
        WriteMode::Stream => Ok(None),
        WriteMode::Replace { folder, place } => new_beside(&folder).map(|_| Some(place)),
    });
    checked.map_err(|e| failed(path, &e))
}

/// Fails if an output could not be written in the end, or would overwrite one of the `inputs` or another output. Each
/// file comes with the option that names it.
///
/// # Errors
///
/// [`Error::Failed`], [`Error::Twice`].
pub fn check_all<'a>(
    inputs: impl IntoIterator<Item = (&'static str, &'a Path)>,
    outputs: impl IntoIterator<Item = (&'static str, &'a Path)>,
) -> Result<()> {
    let known = |(option, path): (&'static str, &Path)| path.canonicalize().ok().map(|path| (option, path));
    let mut files: Vec<_> = inputs.into_iter().filter_map(known).collect();
    for (option, path) in outputs {
        let Some(place) = check(path)? else {
            continue;
        };
        if let Some(&(other, _)) = files.iter().find(|(_, p)| *p == place) {
            return Err(Error::Twice { option, other, path: path.into() });
        }
        files.push((option, place));
    }
    Ok(())
}

/// Writes a file by `fill`: into a temporary file in the same folder first, which takes the place of `path` once all
/// of it is on the disk. A device or a pipe is written to directly.
///
/// # Errors
///
/// [`Error::Failed`] with the system's reason if anything fails; a file at `path` is then what it was before.
pub fn write_atomically(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let write = || -> io::Result<()> {
        match write_mode(path)? {
            WriteMode::Stream => {
                let mut out = BufWriter::new(File::options().write(true).open(path)?);
                fill_all(&mut out, fill)
            }
            WriteMode::Replace { folder, place } => {
                let mut out = BufWriter::new(new_beside(&folder)?);
                fill_all(&mut out, fill)?;
                let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                // Some systems report a full disk only here.
                file.as_file().sync_all()?;
                file.persist(place)?;
                Ok(())
            }
        }
    };
    write().map_err(|e| failed(path, &e))
}

/// The errors of several outputs, all of which were tried.
///
/// # Errors
///
/// The one that failed, or [`Error::Several`].
pub fn all(outcomes: impl IntoIterator<Item = Result<()>>) -> Result<()> {
    let mut failed: Vec<Error> = outcomes.into_iter().filter_map(Result::err).collect();
    match failed.len() {
        0 => Ok(()),
        1 => Err(failed.remove(0)),
        _ => Err(Error::Several(failed)),
    }
}

/// Fills `out` to the last byte. The system's own error takes precedence, because writers of formats may replace or
/// drop it.
fn fill_all(out: &mut dyn Write, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut watched = Watched { out, failed: None };
    let filled = fill(&mut watched).and_then(|()| watched.flush());
    watched.failed.map_or(filled, Err)
}

/// A writer that keeps the error of its first failure.
struct Watched<'a> {
    out: &'a mut dyn Write,
    failed: Option<io::Error>,
}

impl Watched<'_> {
    fn seen<T>(&mut self, outcome: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &outcome
            && error.kind() != io::ErrorKind::Interrupted
            && self.failed.is_none()
        {
            let same = error.raw_os_error().map(io::Error::from_raw_os_error);
            self.failed = Some(same.unwrap_or_else(|| io::Error::new(error.kind(), error.to_string())));
        }
        outcome
    }
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let outcome = self.out.write(bytes);
        self.seen(outcome)
    }

    fn flush(&mut self) -> io::Result<()> {
        let outcome = self.out.flush();
        self.seen(outcome)
    }
}

enum WriteMode {
    /// A device or a pipe: there is nothing to replace.
    Stream,
    /// A file in a folder, new or existing.
    Replace { folder: PathBuf, place: PathBuf },
}

fn write_mode(path: &Path) -> io::Result<WriteMode> {
    // Follows a link, so that its target is replaced instead of the link.
    let place = match fs::metadata(path) {
        Ok(there) if there.is_dir() => {
            return Err(io::Error::other("it is a folder, expected a file"));
        }
        Ok(there) if !there.is_file() => return Ok(WriteMode::Stream),
        Ok(_) => path.canonicalize()?,
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let Some(name) = path.file_name() else {
                return Err(io::Error::other("it has no file name"));
            };
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let folder =
                folder.canonicalize().map_err(|e| io::Error::other(format!("folder `{}`: {e}", folder.display())))?;
            folder.join(name)
        }
        Err(e) => return Err(e),
    };
    let folder = place.parent().unwrap_or(Path::new(".")).to_path_buf();
    Ok(WriteMode::Replace { folder, place })
}

/// A new temporary file in `folder` that is deleted unless it is persisted, with the permissions of an ordinary one.
fn new_beside(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".op2-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

fn failed(path: &Path, error: &io::Error) -> Error {
    Error::Failed { action: "write", path: path.into(), reason: error.to_string() }
}

/// One line for each error. All but the first begin with `error: `, as errors of programs do.
fn listed(errors: &[Error]) -> String {
    let mut text = String::new();
    for (n, error) in errors.iter().enumerate() {
        let between = if n == 0 { "" } else { "\nerror: " };
        let _ = write!(text, "{between}{error}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of the system behind that of a format's writer.
    fn foreign(_: io::Error) -> io::Error {
        io::Error::other("the document is not well formed")
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_systems_reason_is_told_whatever_the_format_says() {
        let full = Path::new("/dev/full");
        let large = vec![b'x'; 100_000];
        type Fill<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;
        let fills: [Fill; 4] = [
            &|out| out.write_all(b"short"),
            &|out| out.write_all(&large),
            &|out| out.write_all(&large).map_err(foreign),
            // A writer that loses errors.
            &|out| {
                let _ = out.write_all(&large);
                Ok(())
            },
        ];
        for (k, fill) in fills.into_iter().enumerate() {
            let said = write_atomically(full, fill).unwrap_err().to_string();
            assert!(said.starts_with("cannot write `/dev/full`: No space left on device"), "{k}: {said}");
        }
    }

    #[test]
    fn a_file_is_replaced_when_all_of_it_is_written_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        fs::write(&path, "precious").unwrap();
        let failing = |out: &mut dyn Write| {
            out.write_all(b"half")?;
            Err(io::Error::other("no more"))
        };
        let said = write_atomically(&path, failing).unwrap_err().to_string();
        assert!(said.ends_with("`: no more"), "{said}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        write_atomically(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left in the folder");
    }

    #[test]
    fn all_outputs_are_tried_and_all_failures_told() {
        let failed = |reason: &str| Err(Error::Standard { reason: reason.into() });
        assert!(all([Ok(()), Ok(())]).is_ok());
        assert_eq!(all([Ok(()), failed("a")]).unwrap_err().to_string(), "cannot write standard output: a");
        let both = all([failed("a"), Ok(()), failed("b")]).unwrap_err().to_string();
        assert_eq!(both, "cannot write standard output: a\nerror: cannot write standard output: b");
    }
}
