//! The floors of a folder: a module stands above all that it reaches, unless it is part of a circle.

use super::names::Reach;
use super::tree::Tree;
use std::collections::{BTreeMap, BTreeSet};

/// From one module of a folder to another one in it.
pub(super) type Edge = (usize, usize);

/// The modules directly below another one, and how they reach each other.
#[derive(Debug)]
pub(super) struct Folder<'a> {
    pub module: usize,
    /// The lowest floor first.
    pub floors: Vec<Vec<usize>>,
    /// Modules that all reach each other, one way or another.
    pub circles: Vec<Vec<usize>>,
    /// Where the first module of an edge, or one below it, mentions the second or one below that.
    pub edges: BTreeMap<Edge, Vec<&'a Reach>>,
}

impl Folder<'_> {
    /// The edges inside of a circle: first those of which each closes it alone, so that without it there would be no circle.
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

/// The folder in which the ways of both ends part, and the two children of it. `None` if one end is above the other: a
/// module may use what those above it declare, and what is below it.
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
    // Whoever stands above another module reaches more than that one, itself counted.
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

/// All that `start` reaches over one edge or several; itself only in a circle.
fn reached_from(start: usize, edges: &BTreeSet<Edge>) -> BTreeSet<usize> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![start]);
    while let Some(from) = next.pop() {
        next.extend(edges.iter().filter(|edge| edge.0 == from && reached.insert(edge.1)).map(|edge| edge.1));
    }
    reached
}
