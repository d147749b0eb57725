//! Finds NVRTC.

use super::{Nvrtc, Own, WORDS};
use crate::error::{Error, Result};
use crate::library::told;
use crate::rtc::Rtc;
use libloading::Library;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Major versions with suitable machine code and options, newest first.
const MAJORS: [u32; 2] = [13, 12];

/// The places to search.
pub(super) struct Places {
    /// The file or folder that the user named; no other place is searched then.
    pub(super) named: Option<PathBuf>,
    /// Whether to search by name on the loader's path.
    pub(super) loader: bool,
    /// Folders of toolkits, best first.
    pub(super) folders: Vec<PathBuf>,
}

impl Places {
    pub(super) fn of_this_machine() -> Self {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let mut toolkits: Vec<PathBuf> = ["CUDA_PATH", "CUDA_HOME"].into_iter().filter_map(variable).collect();
        toolkits.push("/usr/local/cuda".into());
        toolkits.extend(versions("/usr/local".as_ref()));
        toolkits.push("/opt/cuda".into());
        let folders = toolkits.into_iter().map(|toolkit| toolkit.join("lib64")).collect();
        Places { named: variable("OP2_NVRTC"), loader: true, folders }
    }
}

/// The toolkits in a folder, later versions first.
fn versions(folder: &Path) -> Vec<PathBuf> {
    let number = |path: &Path| -> Option<Vec<u32>> {
        let version = path.file_name()?.to_str()?.strip_prefix("cuda-")?;
        version.split('.').map(|part| part.parse().ok()).collect()
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<(Vec<u32>, PathBuf)> =
        entries.filter_map(|entry| Some((number(&entry.path())?, entry.path()))).collect();
    found.sort();
    found.into_iter().rev().map(|(_, path)| path).collect()
}

/// Names of the library, versions up to `major` first, and newer before older ones.
fn names(major: u32) -> Vec<String> {
    let (fit, later): (Vec<u32>, Vec<u32>) = MAJORS.into_iter().partition(|version| *version <= major);
    let numbered = fit.into_iter().chain(later).map(|version| format!("libnvrtc.so.{version}"));
    numbered.chain(["libnvrtc.so".to_owned()]).collect()
}

/// The best NVRTC in these places.
pub(super) fn load(places: &Places, major: u32) -> Result<Nvrtc> {
    let names = names(major);
    let missing = |cure| Error::NoCompiler { what: "NVRTC", cure };
    if let Some(named) = &places.named {
        let file = if named.is_dir() { within(named, &names) } else { Some(named.clone()) };
        let file = file.ok_or_else(|| {
            missing(format!("`OP2_NVRTC` names the folder {}, which has no `{}`", named.display(), names.join("`, `")))
        })?;
        return load_file(&file).map_err(|reason| missing(format!("`OP2_NVRTC` leads to {reason}")));
    }
    let mut refused = Vec::new();
    for name in &names {
        // The loader's path goes before folders, because the administrator chose it. But a version that fits the
        // driver, even from a toolkit, goes before one that does not.
        let files = places.folders.iter().map(|folder| folder.join(name)).filter(|file| file.is_file());
        let by_name = places.loader.then(|| PathBuf::from(name));
        for file in by_name.into_iter().chain(files) {
            match load_file(&file) {
                Ok(nvrtc) => return Ok(nvrtc),
                Err(reason) if file.is_absolute() => refused.push(reason),
                Err(_) => {}
            }
        }
    }
    let folders: Vec<_> = places.folders.iter().map(|folder| folder.display().to_string()).collect();
    let refused: String = refused.into_iter().map(|reason| format!("; {reason}")).collect();
    Err(missing(format!(
        "looked for `{}` on the loader's path and in {}{refused}. It is a part of the CUDA toolkit (a package of its own \
         in most distributions, and on PyPI); set `OP2_NVRTC` to the library or its folder if it is elsewhere",
        names.join("`, `"),
        folders.join(", ")
    )))
}

/// The first of these names that exists in a folder.
fn within(folder: &Path, names: &[String]) -> Option<PathBuf> {
    names.iter().map(|name| folder.join(name)).find(|file| file.is_file())
}

/// Loads NVRTC from a file, or by name from the loader's path. The error is the reason as text.
pub(super) fn load_file(file: &Path) -> Result<Nvrtc, String> {
    preload_builtins(file);
    let (rtc, library) = Rtc::load(file, &WORDS)?;
    let oldest = MAJORS[MAJORS.len() - 1];
    let (major, minor) = rtc.version;
    if major < oldest {
        return Err(format!("{}, which is NVRTC {major}.{minor}, but {oldest} is the oldest that will do", rtc.file));
    }
    let reason = |e: libloading::Error| format!("{}, which is not usable: {}", rtc.file, told(&e));
    // SAFETY: the library is NVRTC, and these are the types that `nvrtc.h` declares.
    let own = unsafe { own(library) }.map_err(reason)?;
    Ok(Nvrtc { rtc, own })
}

unsafe fn own(library: &Library) -> Result<Own, libloading::Error> {
    // SAFETY: the caller knows that the types are these.
    unsafe {
        Ok(Own {
            count_architectures: *library.get(c"nvrtcGetNumSupportedArchs")?,
            architectures: *library.get(c"nvrtcGetSupportedArchs")?,
            ptx_size: *library.get(c"nvrtcGetPTXSize")?,
            ptx: *library.get(c"nvrtcGetPTX")?,
        })
    }
}

/// NVRTC loads a second library, `libnvrtc-builtins`, by name alone. The loader finds it only on its own path, or if it
/// is loaded already. So this loads it from NVRTC's folder, and keeps it.
fn preload_builtins(nvrtc: &Path) {
    let Some(folder) = nvrtc.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return };
    let builtins = |path: &Path| {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        name.starts_with("libnvrtc-builtins.so.")
    };
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    for file in files.filter(|file| builtins(file)) {
        // SAFETY: the library holds data and its initialisers do nothing else. If it cannot be loaded, NVRTC reports
        // that when it compiles.
        if let Ok(library) = unsafe { Library::new(file) } {
            std::mem::forget(library);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_the_driver_goes_first() {
        assert_eq!(names(u32::MAX), ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"]);
        assert_eq!(names(13), ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"]);
        assert_eq!(names(12), ["libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc.so"]);
    }

    #[test]
    fn toolkits_are_tried_from_new_to_old() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["cuda-12.9", "cuda-12.10", "cuda-13", "cuda", "cuda-beta", "cudnn-9"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        let found = versions(folder.path());
        let names: Vec<_> = found.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["cuda-13", "cuda-12.10", "cuda-12.9"]);
        assert!(versions(&folder.path().join("absent")).is_empty());
    }

    fn message(places: &Places) -> String {
        load(places, u32::MAX).unwrap_err().to_string()
    }

    #[test]
    fn what_is_not_there_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_path_buf();
        let nowhere = message(&Places { named: None, loader: false, folders: vec![path.clone()] });
        assert!(nowhere.contains("libnvrtc.so.12") && nowhere.contains(&path.display().to_string()), "{nowhere}");
        assert!(nowhere.contains("OP2_NVRTC"), "{nowhere}");
        let named = |named: PathBuf| Places { named: Some(named), loader: true, folders: vec![] };
        let empty = message(&named(path.clone()));
        assert!(empty.contains("names the folder") && empty.contains("libnvrtc.so.13"), "{empty}");
        let absent = message(&named(path.join("absent.so")));
        assert!(absent.contains("absent.so") && absent.contains("OP2_NVRTC"), "{absent}");
        std::fs::write(path.join("libnvrtc.so.12"), "no library").unwrap();
        let foreign = message(&Places { named: None, loader: false, folders: vec![path.clone()] });
        assert!(foreign.contains("is not usable"), "{foreign}");
        let foreign = message(&named(path));
        assert!(foreign.contains("libnvrtc.so.12, which is not usable"), "{foreign}");
    }
}
