//! The floors of a folder: a module is above all modules that it uses, unless it is part of a circle.

use super::names::Reach;
use super::tree::Tree;
use std::collections::{BTreeMap, BTreeSet};

/// An edge from one module of a folder to another, which it uses.
pub(super) type Edge = (usize, usize);

/// The modules directly below another one, and the edges between them.
#[derive(Debug)]
pub(super) struct Folder<'a> {
    pub module: usize,
    /// The lowest floor first.
    pub floors: Vec<Vec<usize>>,
    /// Sets of modules that all use each other, directly or through others.
    pub circles: Vec<Vec<usize>>,
    /// The uses behind each edge: the first module, or one below it, mentions the second or one below that.
    pub edges: BTreeMap<Edge, Vec<&'a Reach>>,
}

impl Folder<'_> {
    /// The edges in a circle: first those without which there would be no circle, then all others.
    pub(super) fn edges_of(&self, circle: &[usize]) -> (Vec<Edge>, Vec<Edge>) {
        let inside: BTreeSet<Edge> =
            self.edges.keys().copied().filter(|(from, to)| circle.contains(from) && circle.contains(to)).collect();
        inside.iter().partition(|edge| {
            let others: BTreeSet<_> = inside.iter().copied().filter(|other| other != *edge).collect();
            circle.iter().all(|&member| !reached_from(member, &others).contains(&member))
        })
    }
}

/// The folders of a crate, from the root downwards.
pub(super) fn folders<'a>(tree: &Tree, reaches: &'a BTreeSet<Reach>) -> Vec<Folder<'a>> {
    let mut edges: BTreeMap<usize, BTreeMap<Edge, Vec<&Reach>>> = BTreeMap::new();
    for reach in reaches {
        if let Some((folder, edge)) = siblings(tree, reach) {
            edges.entry(folder).or_default().entry(edge).or_default().push(reach);
        }
    }
    let with_children = (0..tree.modules.len()).filter(|&module| !tree.modules[module].children.is_empty());
    with_children.map(|module| folder(tree, module, edges.remove(&module).unwrap_or_default())).collect()
}

/// The folder in which the paths of both ends part, and the two children of it. `None` if one end is above the other: a
/// module may use the items of those above and below it.
fn siblings(tree: &Tree, reach: &Reach) -> Option<(usize, Edge)> {
    let line = |module| {
        let mut line: Vec<usize> = tree.upwards(module).collect();
        line.reverse();
        line
    };
    let (from, to) = (line(reach.from), line(reach.to));
    let parted = from.iter().zip(&to).position(|(from, to)| from != to)?;
    Some((from[parted - 1], (from[parted], to[parted])))
}

fn folder<'a>(tree: &Tree, module: usize, edges: BTreeMap<Edge, Vec<&'a Reach>>) -> Folder<'a> {
    let children = &tree.modules[module].children;
    let ways: BTreeSet<Edge> = edges.keys().copied().collect();
    let reached: BTreeMap<usize, BTreeSet<usize>> =
        children.iter().map(|&child| (child, reached_from(child, &ways))).collect();
    let mut circles: Vec<Vec<usize>> = Vec::new();
    let mut levels: BTreeMap<usize, usize> = BTreeMap::new();
    let mut waiting = children.clone();
    // In this order every module comes after those that it uses, since it reaches more modules, itself included.
    waiting.sort_by_key(|child| reached[child].len() + usize::from(!reached[child].contains(child)));
    for child in waiting {
        let circle = |other: &usize| reached[&child].contains(other) && reached[other].contains(&child);
        let below = reached[&child].iter().filter(|other| !circle(other)).map(|other| levels[other] + 1).max();
        levels.insert(child, below.unwrap_or(0));
        if reached[&child].contains(&child) && !circles.iter().any(|known| known.contains(&child)) {
            circles.push(children.iter().copied().filter(circle).collect());
        }
    }
    let highest = levels.values().max().map_or(0, |highest| highest + 1);
    let floors = (0..highest).map(|floor| children.iter().copied().filter(|child| levels[child] == floor).collect());
    Folder { module, floors: floors.collect(), circles, edges }
}

/// All modules that `start` reaches over one or more edges; itself only if it is in a circle.
fn reached_from(start: usize, edges: &BTreeSet<Edge>) -> BTreeSet<usize> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![start]);
    while let Some(from) = next.pop() {
        next.extend(edges.iter().filter(|edge| edge.0 == from && reached.insert(edge.1)).map(|edge| edge.1));
    }
    reached
}
