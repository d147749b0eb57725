//! Decisions on disk, one file each.
//!
//! A file counts only if it is complete, has this version, and describes the same machine, loop and mesh. Any other
//! file is treated as absent and replaced. If the folder cannot be written, decisions are not kept, without further
//! consequences.

use super::fingerprint::Fingerprint;
use super::trials::Trial;
use crate::strategy::Pin;
use op2_cache::{Cache, replace};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Version of the files.
const FORMAT: u32 = 1;
/// The folder of decisions inside that of op2's cache.
const FOLDER: &str = "decisions";

/// The folder of decisions, if there is one.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    folder: Option<PathBuf>,
}

/// A decision with its reasons.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Record {
    format: u32,
    key: String,
    strategy: String,
    trials: Vec<Trial>,
    #[serde(flatten)]
    about: Fingerprint,
}

impl Memory {
    /// The decisions below `cache`, or below the folder of the user's cache. Nothing is created yet.
    pub(crate) fn below(cache: Option<&Path>) -> Self {
        let folder = cache.map(Path::to_owned).or_else(|| Cache::open().folder().map(Path::to_owned));
        Memory { folder: folder.map(|folder| folder.join(FOLDER)) }
    }

    /// The decision for this machine, loop and mesh, if there is one.
    pub(crate) fn recall(&self, about: &Fingerprint) -> Option<(Pin, Vec<Trial>)> {
        let key = about.key().to_string();
        let record: Record = serde_json::from_slice(&std::fs::read(self.path(&key)?).ok()?).ok()?;
        let sound = record.format == FORMAT && record.key == key && record.about == *about;
        let pin: Pin = record.strategy.parse().ok().filter(|_| sound)?;
        Some((pin, record.trials))
    }

    /// Keeps a decision, in the place of an earlier one. Others see the old file or the new one, never a part of it.
    ///
    /// # Errors
    /// The reason why it is not kept, as text.
    pub(crate) fn keep(&self, about: &Fingerprint, pin: Pin, trials: &[Trial]) -> Result<(), String> {
        let key = about.key().to_string();
        let path = self.path(&key).ok_or("there is no folder for it: set `OP2_CACHE_DIR`")?;
        let (strategy, trials) = (pin.to_string(), trials.to_vec());
        let record = Record { format: FORMAT, key, strategy, trials, about: about.clone() };
        let text = serde_json::to_vec_pretty(&record).map_err(|e| e.to_string())?;
        replace(&path, &[&text]).map_err(|e| format!("`{}`: {e}", path.display()))
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{key}.json")))
    }
}

#[cfg(test)]
mod tests {
    use super::super::fingerprint::tests::sample;
    use super::*;
    use crate::isa::Isa;
    use crate::strategy::Strategy;

    const TILES: Pin = Strategy::tiles(512).by(Isa::Scalar);

    fn trials() -> Vec<Trial> {
        let trial = |strategy: &str, seconds: &[f64], refused: Option<&str>| Trial {
            strategy: strategy.to_owned(),
            seconds: seconds.to_vec(),
            plan_seconds: 0.25,
            refused: refused.map(str::to_owned),
        };
        vec![trial("blocks:64", &[2.0, 1.5e-3], None), trial("tiles:512", &[1.0], None), trial("x", &[], Some("no"))]
    }

    /// A folder with one decision in it, and the file of that.
    fn kept() -> (tempfile::TempDir, Memory, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let memory = Memory::below(Some(folder.path()));
        memory.keep(&sample(), TILES, &trials()).unwrap();
        let path = memory.path(&sample().key().to_string()).unwrap();
        (folder, memory, path)
    }

    #[test]
    fn what_is_kept_is_recalled() {
        let (folder, memory, path) = kept();
        assert!(path.starts_with(folder.path().join("decisions")), "{}", path.display());
        assert_eq!(memory.recall(&sample()), Some((TILES, trials())));
        memory.keep(&sample(), Strategy::owner(9).into(), &[]).unwrap();
        assert_eq!(memory.recall(&sample()), Some((Strategy::owner(9).into(), vec![])));
        let json: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        assert_eq!(
            (&json["strategy"], &json["loop"]["kernel"]),
            (&"owner:9".into(), &"k".into()),
            "people can read it"
        );
    }

    #[test]
    fn other_machines_loops_and_meshes_know_nothing_of_it() {
        let (_folder, memory, path) = kept();
        let mut other = sample();
        other.machine.cpus += 1;
        assert_eq!(memory.recall(&other), None);
        // A file of another decision under this one's name is foreign.
        std::fs::copy(&path, memory.path(&other.key().to_string()).unwrap()).unwrap();
        assert_eq!(memory.recall(&other), None);
        memory.keep(&other, TILES, &[]).unwrap();
        assert_eq!(memory.recall(&other), Some((TILES, vec![])));
    }

    #[test]
    fn damaged_and_old_files_are_ignored_and_replaced() {
        let (_folder, memory, path) = kept();
        let whole = std::fs::read_to_string(&path).unwrap();
        let half = whole[..whole.len() / 2].to_owned();
        let old = whole.replace("\"format\": 1", "\"format\": 0");
        let strange = whole.replace("\"tiles:512/scalar\",\n", "\"tails:512/scalar\",\n");
        let touched = whole.replace("\"flops\": 3", "\"flops\": 4");
        for text in [half, old, strange, touched, String::new(), "[]".to_owned(), "\0\u{ff}".to_owned()] {
            assert_ne!(text, whole);
            std::fs::write(&path, text).unwrap();
            assert_eq!(memory.recall(&sample()), None);
            memory.keep(&sample(), TILES, &trials()).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        }
        std::fs::remove_file(&path).unwrap();
        assert_eq!(memory.recall(&sample()), None);
    }

    #[test]
    fn a_folder_that_cannot_be_written_to_means_that_nothing_is_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "no folder").unwrap();
        let memory = Memory::below(Some(&file));
        let reason = memory.keep(&sample(), TILES, &[]).unwrap_err();
        assert!(reason.contains("file/decisions"), "{reason}");
        assert_eq!(memory.recall(&sample()), None);
        let none = Memory { folder: None };
        assert!(none.keep(&sample(), TILES, &[]).unwrap_err().contains("OP2_CACHE_DIR"));
        assert_eq!(none.recall(&sample()), None);
    }

    #[test]
    fn of_two_writers_one_wins_and_readers_see_whole_files() {
        let (folder, memory, _) = kept();
        let sizes = [1_usize, 2];
        std::thread::scope(|scope| {
            for size in sizes {
                let memory = memory.clone();
                let many = vec![trials()[0].clone(); 200 * size];
                let write = move || memory.keep(&sample(), Strategy::owner(size).into(), &many).unwrap();
                scope.spawn(move || (0..50).for_each(|_| write()));
            }
            for _ in 0..200 {
                let (pin, found) = memory.recall(&sample()).expect("there is always a whole file");
                let expected = pin
                    .strategy
                    .scheme()
                    .map(|scheme| scheme.size)
                    .filter(|_| pin != TILES)
                    .map_or(3, |size| 200 * size);
                assert_eq!(found.len(), expected);
            }
        });
        let files = std::fs::read_dir(folder.path().join("decisions")).unwrap().count();
        assert_eq!(files, 1, "nothing temporary is left");
    }
}
