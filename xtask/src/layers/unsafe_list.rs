//! Compares the list in docs/unsafe.md of files that may contain `unsafe` with the files that do.

use super::code::Location;
use std::collections::BTreeMap;
use std::path::{Component, Path};

/// The file with the list, and the heading above it. Each line below names a file, or a folder with a `/` at its end,
/// and gives a reason: ``- `op2-runtime/src/view.rs`: follows maps without checks``.
pub(super) const LIST: &str = "docs/unsafe.md";
pub(super) const HEADING: &str = "Where `unsafe` may stand";

/// One line of the list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub path: String,
    pub line: usize,
    pub reason: String,
}

impl Entry {
    fn covers(&self, file: &Path) -> bool {
        match self.path.strip_suffix('/') {
            Some(folder) => file.starts_with(folder),
            None => file == Path::new(&self.path),
        }
    }
}

/// The list in `text`; `None` without the heading.
pub(super) fn entries(text: &str) -> Option<Vec<Entry>> {
    let mut lines = text.lines().enumerate().skip_while(|(_, line)| line.trim_start_matches('#').trim() != HEADING);
    lines.next()?;
    let section = lines.take_while(|(_, line)| !line.starts_with('#'));
    Some(section.filter_map(|(n, line)| entry(n + 1, line)).collect())
}

fn entry(line: usize, text: &str) -> Option<Entry> {
    let (path, reason) = text.strip_prefix("- `")?.split_once('`')?;
    Some(Entry { path: path.to_owned(), line, reason: reason.trim_start_matches(':').trim().to_owned() })
}

/// Differences between list and code. `found` is every `unsafe` of the workspace.
pub(super) fn faults<'a>(entries: &[Entry], found: impl IntoIterator<Item = &'a Location>) -> Vec<String> {
    let mut files: BTreeMap<&Path, &Location> = BTreeMap::new();
    for location in found.into_iter().filter(|location| !exempt(&location.file)) {
        let first = files.entry(&location.file).or_insert(location);
        *first = (*first).min(location);
    }
    let unlisted = files.values().filter(|location| !entries.iter().any(|entry| entry.covers(&location.file)));
    let unlisted = unlisted.map(|location| {
        let (file, line) = (location.file.display(), location.line);
        format!(
            "{file}:{line}: `unsafe` in a file that is not in the list of {LIST}, \"{HEADING}\": write it without, move it to a \
             listed file, or list this one with the reason"
        )
    });
    let stale = entries.iter().filter(|entry| !files.keys().any(|file| entry.covers(file))).map(|entry| {
        let Entry { path, line, .. } = entry;
        format!("{LIST}:{line}: there is no `unsafe` in `{path}`: remove it from the list, or correct the path")
    });
    let unreasoned = entries.iter().filter(|entry| entry.reason.is_empty()).map(|entry| {
        let Entry { path, line, .. } = entry;
        format!("{LIST}:{line}: `{path}` has no reason: say behind it why it needs `unsafe`")
    });
    unlisted.chain(stale).chain(unreasoned).collect()
}

/// Whether a file is a test or a bench, which may use `unsafe` freely.
fn exempt(file: &Path) -> bool {
    file.components().any(|part| matches!(part, Component::Normal(name) if name == "tests" || name == "benches"))
}
