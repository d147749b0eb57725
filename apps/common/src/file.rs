//! Output files that are there completely or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file cannot be written, or what two options name cannot be.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or a folder cannot be opened, made or written.
    #[error("cannot {action} `{}`: {reason}", path.display())]
    Failed {
        /// What was tried, as a verb.
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
}

type Result<T> = std::result::Result<T, Error>;

/// Finds out whether `path` can be written, without touching what is there: its folder must exist and take new files.
///
/// Returns the place the output goes to, with links resolved, or `None` for a device or a pipe such as `/dev/stdout`.
///
/// # Errors
///
/// [`Error::Failed`] with the reason.
pub fn check(path: &Path) -> Result<Option<PathBuf>> {
    let checked = destination(path).and_then(|destination| match destination {
        Destination::Stream => Ok(None),
        Destination::Replace { folder, place } => new_beside(&folder).map(|_| Some(place)),
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
/// of it is written. A device or a pipe is written to directly.
///
/// # Errors
///
/// [`Error::Failed`] if anything fails; `path` is then what it was before.
pub fn write_atomically(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let write = || -> io::Result<()> {
        match destination(path)? {
            Destination::Stream => {
                let mut out = BufWriter::new(File::options().write(true).open(path)?);
                fill(&mut out)?;
                out.flush()
            }
            Destination::Replace { folder, place } => {
                let mut out = BufWriter::new(new_beside(&folder)?);
                fill(&mut out)?;
                let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.persist(place)?;
                Ok(())
            }
        }
    };
    write().map_err(|e| failed(path, &e))
}

enum Destination {
    /// A device or a pipe: there is nothing to replace.
    Stream,
    /// A file, there already or not, in a folder.
    Replace { folder: PathBuf, place: PathBuf },
}

fn destination(path: &Path) -> io::Result<Destination> {
    // A link stands for what it points to, so that the link itself is not replaced.
    let place = match fs::metadata(path) {
        Ok(there) if there.is_dir() => {
            return Err(io::Error::other("it is a folder, expected a file"));
        }
        Ok(there) if !there.is_file() => return Ok(Destination::Stream),
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
    Ok(Destination::Replace { folder, place })
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
