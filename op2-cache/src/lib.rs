//! The cache of op2 on disk: compiled code of devices, and how long strategies took.
//!
//! An entry counts only as a whole: magic, version, key, length and a hash of the payload must all match. Any other
//! file (one cut short by a full disk, of another version, of another program) counts as absent: the caller compiles
//! again, and the next [`Cache::put`] replaces it. A cache that cannot be read or written makes a program slower, never
//! wrong.

mod fresh;

use fresh::Fresh;
use hmac_sha256::Hash;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// First bytes of an entry.
const MAGIC: &[u8; 8] = b"op2cache";
/// Version of the layout of an entry.
const VERSION: u32 = 1;
/// Bytes ahead of the payload: magic, version, key, length of the payload, hash of the payload.
const HEAD: usize = 8 + 4 + 32 + 8 + 32;

/// A folder of compiled texts, shared by all processes of a user.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: Option<PathBuf>,
}

/// Identifies an entry: a hash of everything that its payload depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key([u8; 32]);

impl Cache {
    /// The user's cache: the folder `OP2_CACHE_DIR`, else `op2` in `XDG_CACHE_HOME`, else
    /// `.cache/op2` in `HOME`, else one in the system's folder for temporary files. Nothing is created
    /// before the first [`Cache::put`].
    pub fn open() -> Self {
        match chosen(|name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)) {
            Some(folder) => Self::at(folder),
            None => Self { folder: temporary(&std::env::temp_dir()) },
        }
    }

    /// The cache in a folder of the caller's choice.
    pub fn at(folder: PathBuf) -> Self {
        Cache { folder: Some(folder) }
    }

    /// The payload under a key, if there is a valid entry.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let mut entry = std::fs::read(self.path(key)?).ok()?;
        let sound = entry.len() >= HEAD && entry[..HEAD] == head(key, &entry[HEAD..]);
        sound.then(|| entry.split_off(HEAD))
    }

    /// Stores a payload under a key and replaces the old one. Readers in other processes see the old entry or the new
    /// one, never a part of it.
    ///
    /// # Errors
    /// Any error of the file system; callers continue without the cache.
    pub fn put(&self, key: &Key, payload: &[u8]) -> io::Result<()> {
        let none = || io::Error::new(io::ErrorKind::NotFound, "there is no folder for the cache: set `OP2_CACHE_DIR`");
        let path = self.path(key).ok_or_else(none)?;
        replace(&path, &[&head(key, payload), payload])
    }

    /// The folder of the entries, if there is one; it need not exist yet.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    fn path(&self, key: &Key) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(key.to_string()))
    }
}

/// Writes a file from parts. Creates its folder for this user alone if it is missing. Other processes see the old file
/// or the whole new one.
///
/// # Errors
/// Any error of the file system; the old file then stays.
pub fn replace(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    create(folder)?;
    let mut new = Fresh::create(folder)?;
    parts.iter().try_for_each(|part| new.file().write_all(part))?;
    new.rename(path)
}

impl Key {
    /// The key for these named parts, in this order.
    pub fn of(parts: &[(&str, &[u8])]) -> Self {
        let mut hash = Hash::new();
        for (name, content) in parts {
            // Without the lengths ("ab", "c") and ("a", "bc") would be equal.
            for bytes in [name.as_bytes(), content] {
                hash.update((bytes.len() as u64).to_le_bytes());
                hash.update(bytes);
            }
        }
        Key(hash.finalize())
    }
}

impl AsRef<[u8]> for Key {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

/// The header of an entry with this payload.
fn head(key: &Key, payload: &[u8]) -> Vec<u8> {
    let mut head = Vec::with_capacity(HEAD);
    head.extend_from_slice(MAGIC);
    head.extend_from_slice(&VERSION.to_le_bytes());
    head.extend_from_slice(&key.0);
    head.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    head.extend_from_slice(&Hash::hash(payload));
    head
}

/// The folder that the environment names.
fn chosen(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    variable("OP2_CACHE_DIR")
        // The XDG specification demands that relative paths are ignored.
        .or_else(|| Some(variable("XDG_CACHE_HOME").filter(|path| path.is_absolute())?.join("op2")))
        .or_else(|| Some(variable("HOME")?.join(".cache").join("op2")))
}

/// The cache in a folder where everybody may write. A folder that another user created is not used, because machine
/// code is loaded from it.
fn temporary(below: &Path) -> Option<PathBuf> {
    let folder = below.join("op2-cache");
    match std::fs::symlink_metadata(&folder) {
        Ok(found) => (found.is_dir() && own(&found)).then_some(folder),
        Err(_) => Some(folder),
    }
}

/// Whether the folder belongs to this user and nobody else may write to it.
#[cfg(unix)]
fn own(found: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    // The owner of a new file is this user.
    let user = Fresh::create(&std::env::temp_dir()).and_then(|mut new| new.file().metadata()).map(|made| made.uid());
    user.is_ok_and(|user| user == found.uid()) && found.mode() & 0o022 == 0
}

/// Other systems have a temporary folder for each user.
#[cfg(not(unix))]
fn own(_: &std::fs::Metadata) -> bool {
    true
}

/// Creates a folder that only this user may access, unless it exists.
fn create(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables<'a>(set: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<PathBuf> + 'a {
        |name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| PathBuf::from(value))
    }

    #[test]
    fn the_folder_is_the_first_that_is_named() {
        let all = [("OP2_CACHE_DIR", "/a"), ("XDG_CACHE_HOME", "/b"), ("HOME", "/c")];
        assert_eq!(chosen(variables(&all)), Some(PathBuf::from("/a")));
        assert_eq!(chosen(variables(&all[1..])), Some(PathBuf::from("/b/op2")));
        assert_eq!(chosen(variables(&all[2..])), Some(PathBuf::from("/c/.cache/op2")));
        assert_eq!(chosen(variables(&[("XDG_CACHE_HOME", "b"), ("HOME", "/c")])), Some(PathBuf::from("/c/.cache/op2")));
        assert_eq!(chosen(variables(&[])), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_shared_temporary_folder_of_others_is_not_used() {
        use std::os::unix::fs::PermissionsExt;
        let below = tempfile::tempdir().unwrap();
        let folder = temporary(below.path()).unwrap();
        create(&folder).unwrap();
        assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(temporary(below.path()), Some(folder.clone()));
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(temporary(below.path()), None, "anyone may write to it");
        std::fs::remove_dir(&folder).unwrap();
        std::os::unix::fs::symlink(below.path(), &folder).unwrap();
        assert_eq!(temporary(below.path()), None, "it leads elsewhere");
        assert!(Cache { folder: None }.put(&Key::of(&[]), b"x").is_err());
    }
}
