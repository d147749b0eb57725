//! `cargo xtask layers`: orders the modules of every crate into floors, by the paths in their code.

mod attributes;
mod code;
mod floors;
mod names;
mod targets;
#[cfg(test)]
mod tests;
mod tokens;
mod tree;
mod unsafe_list;

use crate::{Error, Result, file_error};
use code::Location;
use floors::Folder;
use names::Reach;
use op2_apps::terminal::say;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use tree::Tree;

/// The number of files printed for each edge of a circle.
const EXAMPLES: usize = 2;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Show the floors of every folder, not of the top-level modules alone
    #[arg(long)]
    all: bool,
}

/// Prints the floors of every crate, and fails on circles and on `unsafe` in unexpected places.
pub(crate) fn run(args: &Args) -> Result<()> {
    let (workspace, targets) = targets::all()?;
    let read = |path: &Path| fs::read_to_string(workspace.join(path));
    let (mut circles, mut unsafe_at) = (0, BTreeSet::new());
    for target in &targets {
        let root = tree::plain_path(&target.root);
        let tree = Tree::read(root.strip_prefix(&workspace).unwrap_or(&root), &read)?;
        let shown = Floors::of(&tree);
        if tree.modules.len() > 1 {
            say(shown.text(&target.title, args.all).trim_end())?;
        }
        circles += shown.circles();
        if !target.bench {
            unsafe_at.extend(tree.modules.into_iter().flat_map(|module| module.code.unsafe_at));
        }
    }
    let faults = unsafe_faults(&workspace, &unsafe_at)?;
    for fault in &faults {
        say(fault)?;
    }
    match (circles, faults.len()) {
        (0, 0) => Ok(()),
        (0, faults) => Err(Error::Unsafe { faults }),
        (circles, _) => Err(Error::Circles { circles }),
    }
}

fn unsafe_faults(workspace: &Path, unsafe_at: &BTreeSet<Location>) -> Result<Vec<String>> {
    let path = workspace.join(unsafe_list::LIST);
    let text = fs::read_to_string(&path).map_err(file_error(&path))?;
    let entries = unsafe_list::entries(&text)
        .ok_or(Error::NoUnsafeList { file: unsafe_list::LIST, heading: unsafe_list::HEADING })?;
    Ok(unsafe_list::faults(&entries, unsafe_at))
}

/// The floors of a crate.
struct Floors<'a> {
    tree: &'a Tree,
    reaches: BTreeSet<Reach>,
}

impl<'a> Floors<'a> {
    fn of(tree: &'a Tree) -> Self {
        Self { tree, reaches: names::reaches(tree) }
    }

    fn folders(&self) -> Vec<Folder<'_>> {
        floors::folders(self.tree, &self.reaches)
    }

    fn circles(&self) -> usize {
        self.folders().iter().map(|folder| folder.circles.len()).sum()
    }

    /// The floors of the top-level modules, those of all other folders if `all`, and every circle.
    fn text(&self, title: &str, all: bool) -> String {
        let mut text = format!("{title}\n");
        for folder in self.folders() {
            if folder.module == 0 {
                self.write_floors(&mut text, "  ", &folder);
            } else if all {
                let _ = writeln!(text, "  {}", self.tree.path(folder.module));
                self.write_floors(&mut text, "    ", &folder);
            }
            for circle in &folder.circles {
                self.write_circle(&mut text, &folder, circle);
            }
        }
        text
    }

    fn write_floors(&self, text: &mut String, indent: &str, folder: &Folder<'_>) {
        for (n, floor) in folder.floors.iter().enumerate() {
            let _ = writeln!(text, "{indent}floor {:<2} {}", n + 1, self.listed(floor));
        }
    }

    fn listed(&self, modules: &[usize]) -> String {
        let mut names: Vec<&str> = modules.iter().map(|&module| &*self.tree.modules[module].name).collect();
        names.sort_unstable();
        names.join(", ")
    }

    /// Writes the members of a circle, and the paths by which they use each other.
    fn write_circle(&self, text: &mut String, folder: &Folder<'_>, circle: &[usize]) {
        let inside = match folder.module {
            0 => String::new(),
            module => format!(" in {}", self.tree.path(module)),
        };
        let _ = writeln!(text, "  circle of {}{inside}: {}", circle.len(), self.listed(circle));
        let (alone, together) = folder.edges_of(circle);
        // In a circle of two, each edge closes it alone, so the mark would add nothing.
        let mark = if circle.len() > 2 { " (closes the circle alone)" } else { "" };
        let edges = alone.into_iter().map(|edge| (edge, mark));
        for (edge, mark) in edges.chain(together.into_iter().map(|edge| (edge, ""))) {
            let (from, to) = (&self.tree.modules[edge.0].name, &self.tree.modules[edge.1].name);
            let reaches = &folder.edges[&edge];
            let mut used: Vec<&str> =
                reaches.iter().map(|reach| reach.path.rsplit("::").next().unwrap_or("")).collect();
            used.sort_unstable();
            used.dedup();
            let _ = writeln!(text, "    {from} -> {to}{mark}: {}", used.join(", "));
            let mut files = BTreeSet::new();
            for reach in reaches.iter().filter(|reach| files.insert(&reach.at.file)).take(EXAMPLES) {
                let (at, to) = (&reach.at, self.tree.modules[reach.to].file.display());
                let _ = writeln!(text, "      {}:{} -> {to}, `{}`", at.file.display(), at.line, reach.path);
            }
        }
    }
}
