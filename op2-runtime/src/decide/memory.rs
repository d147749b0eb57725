//! Decisions on disk, one file each.
//!
//! A file is a text: the version, the words of machine, loop and mesh, the decision with its trials, and a hash of all of
//! this. It counts only if it is whole, has this version, and describes the same machine, loop and mesh. Any other file is
//! treated as absent and replaced. If the folder cannot be written, decisions are not kept, without further consequences.

use super::fingerprint::Fingerprint;
use super::lines::{line, read};
use super::trials::Trial;
use crate::strategy::Pin;
use op2_cache::{Cache, Key, replace};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Version of the files, in their first line.
const FORMAT: &str = "2";
/// The folder of decisions inside that of op2's cache.
const FOLDER: &str = "decisions";
/// The name of the last line.
const SEAL: &str = "whole";
/// More bytes than a decision has. Of a larger file, which is foreign, no more are read.
const MOST: u64 = 1 << 20;

/// The folder of decisions, if there is one.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    folder: Option<PathBuf>,
}

impl Memory {
    /// The decisions below `cache`, or below the folder of the user's cache. Nothing is created yet.
    pub(crate) fn below(cache: Option<&Path>) -> Self {
        let folder = cache.map(Path::to_owned).or_else(|| Cache::open().folder().map(Path::to_owned));
        Memory { folder: folder.map(|folder| folder.join(FOLDER)) }
    }

    /// The decision for this machine, loop and mesh, if there is one.
    pub(crate) fn recall(&self, about: &Fingerprint) -> Option<(Pin, Vec<Trial>)> {
        let file = File::open(self.path(&about.key())?).ok()?;
        let mut text = String::new();
        file.take(MOST).read_to_string(&mut text).ok()?;
        decision(&text, about)
    }

    /// Keeps a decision, in the place of an earlier one. Others see the old file or the new one, never a part of it.
    ///
    /// # Errors
    /// The reason why it is not kept, as text.
    pub(crate) fn keep(&self, about: &Fingerprint, pin: Pin, trials: &[Trial]) -> Result<(), String> {
        let path = self.path(&about.key()).ok_or("there is no folder for it: set `OP2_CACHE_DIR`")?;
        let text = text(about, pin, trials);
        replace(&path, &[text.as_bytes(), seal(&text).as_bytes()]).map_err(|e| format!("`{}`: {e}", path.display()))
    }

    fn path(&self, key: &Key) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{key}.txt")))
    }
}

/// The version, and what a decision holds for.
fn head(about: &Fingerprint) -> String {
    line("decision", FORMAT) + &about.text()
}

/// A decision as text, without the seal.
fn text(about: &Fingerprint, pin: Pin, trials: &[Trial]) -> String {
    let mut text = head(about);
    let mut add = |name, words: &str| text += &line(name, words);
    add("strategy", &pin.to_string());
    for trial in trials {
        add("trial", &trial.strategy);
        add("plan", &trial.plan_seconds.to_string());
        trial.seconds.iter().for_each(|seconds| add("ran", &seconds.to_string()));
        trial.refused.iter().for_each(|reason| add("refused", reason));
    }
    text
}

/// The last line: a hash of all others.
fn seal(text: &str) -> String {
    line(SEAL, &Key::of(&[(SEAL, text.as_bytes())]).to_string())
}

/// The decision in a file, if that is whole and holds for `about`.
fn decision(file: &str, about: &Fingerprint) -> Option<(Pin, Vec<Trial>)> {
    let (text, last) = file.split_at(file.rfind(SEAL)?);
    if last != seal(text) {
        return None;
    }
    let (mut pin, mut trials) = (None, Vec::<Trial>::new());
    for line in read(text.strip_prefix(&head(about))?) {
        let (name, words) = line?;
        match name {
            "strategy" => pin = Some(words.parse().ok()?),
            "trial" => trials.push(Trial { strategy: words, seconds: Vec::new(), plan_seconds: 0.0, refused: None }),
            "plan" => trials.last_mut()?.plan_seconds = words.parse().ok()?,
            "ran" => trials.last_mut()?.seconds.push(words.parse().ok()?),
            "refused" => trials.last_mut()?.refused = Some(words),
            _ => return None,
        }
    }
    Some((pin?, trials))
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
        let last = trial("x\\\ny", &[], Some("no \"memory\"\n  left: \u{e9}\\n\r"));
        vec![trial("blocks:64", &[2.0, 1.5e-3], None), trial("tiles:512", &[1.0 / 3.0, 1e-300], None), last]
    }

    /// A folder with one decision in it, and the file of that.
    fn kept() -> (tempfile::TempDir, Memory, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let memory = Memory::below(Some(folder.path()));
        memory.keep(&sample(), TILES, &trials()).unwrap();
        let path = memory.path(&sample().key()).unwrap();
        (folder, memory, path)
    }

    #[test]
    fn what_is_kept_is_recalled() {
        let (folder, memory, path) = kept();
        assert!(path.starts_with(folder.path().join("decisions")), "{}", path.display());
        assert_eq!(memory.recall(&sample()), Some((TILES, trials())));
        memory.keep(&sample(), Strategy::owner(9).into(), &[]).unwrap();
        assert_eq!(memory.recall(&sample()), Some((Strategy::owner(9).into(), vec![])));
    }

    #[test]
    fn people_can_read_it() {
        let (_folder, _, path) = kept();
        let text = std::fs::read_to_string(path).unwrap();
        let (text, seal) = text.rsplit_once("whole ").unwrap();
        let expected = "\
decision 2
op2 0.1.0
executor threads 2
cpu a model
cpus 2
settings avx2
loop k
flops 3
arg inc(a, m[0]): f64
elements 10 of edges
map m: 0f
strategy tiles:512/scalar
trial blocks:64
plan 0.25
ran 2
ran 0.0015
";
        assert!(text.starts_with(expected), "{text}");
        assert_eq!(seal.len(), 64 + 1);
    }

    #[test]
    fn other_machines_loops_and_meshes_know_nothing_of_it() {
        let (_folder, memory, path) = kept();
        let mut other = sample();
        other.machine.cpus += 1;
        assert_eq!(memory.recall(&other), None);
        // A file of another decision under this one's name is foreign.
        std::fs::copy(&path, memory.path(&other.key()).unwrap()).unwrap();
        assert_eq!(memory.recall(&other), None);
        memory.keep(&other, TILES, &[]).unwrap();
        assert_eq!(memory.recall(&other), Some((TILES, vec![])));
    }

    #[test]
    fn damaged_and_old_files_are_ignored_and_replaced() {
        let (_folder, memory, path) = kept();
        let whole = std::fs::read_to_string(&path).unwrap();
        let half = whole[..whole.len() / 2].to_owned();
        let large = whole.clone() + &"\n".repeat(MOST as usize);
        let mut texts = vec![half, large, whole.clone() + "\n", whole.repeat(2), String::new(), "[]".to_owned()];
        // Someone who knows the seal wrote them.
        let changes = [
            ("decision 2\n", "decision 1\n"),
            ("flops 3\n", "flops 4\n"),
            ("strategy tiles:512/scalar\n", "strategy tails:512/scalar\n"),
            ("strategy tiles:512/scalar\n", ""),
            ("trial blocks:64\n", ""),
            ("plan 0.25\n", "plan\n"),
            ("ran 2\n", "ran two\n"),
            ("ran 2\n", "walked 2\n"),
            ("ran 2\n", "\n"),
        ];
        texts.extend(changes.map(|(old, new)| {
            let text = text(&sample(), TILES, &trials());
            assert!(text.contains(old), "{old}");
            let text = text.replacen(old, new, 1);
            let seal = seal(&text);
            text + &seal
        }));
        for text in texts {
            assert_ne!(text, whole);
            std::fs::write(&path, &text).unwrap();
            assert_eq!(memory.recall(&sample()), None, "{text}");
            memory.keep(&sample(), TILES, &trials()).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        }
        std::fs::write(&path, b"\0\xff").unwrap();
        assert_eq!(memory.recall(&sample()), None);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(memory.recall(&sample()), None);
    }

    /// A file that is cut off, or differs in a byte, anywhere.
    #[test]
    fn every_byte_counts() {
        let (_folder, _, path) = kept();
        let whole = std::fs::read(&path).unwrap();
        let found = |bytes: &[u8]| std::str::from_utf8(bytes).ok().and_then(|file| decision(file, &sample()));
        for at in 0..whole.len() {
            assert_eq!(found(&whole[..at]), None, "cut off at {at}");
            for change in [1, 0x20, 0x80] {
                let mut changed = whole.clone();
                changed[at] ^= change;
                assert_eq!(found(&changed), None, "{change} at {at}");
            }
        }
        assert_eq!(found(&whole), Some((TILES, trials())));
    }

    /// A seal does not make a text sound.
    #[test]
    fn sealed_texts_of_any_kind_are_read_without_a_panic() {
        let sound = text(&sample(), TILES, &trials());
        for at in (head(&sample()).len()..=sound.len()).filter(|&at| sound.is_char_boundary(at)) {
            let (before, after) = sound.split_at(at);
            for words in ["", "\n", " ", "\\", "ran -1e999\n", "whole ", "9"] {
                for text in [format!("{before}{words}"), format!("{before}{words}{after}")] {
                    let found = decision(&format!("{text}{}", seal(&text)), &sample());
                    assert!(text != sound || found == Some((TILES, trials())), "{text}");
                }
            }
        }
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
