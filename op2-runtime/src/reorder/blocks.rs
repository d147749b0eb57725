//! Blocks of elements by METIS, and points sorted by the blocks that touch them: Sulyok, Balogh, Reguly, Mudalige:
//! Locality optimized unstructured mesh algorithms on GPUs (JPDC 2019), "Partition based reordering".

mod elements;
mod kway;
mod points;
mod repair;

use super::follow::{Numbers, by_key, by_points, follow, inverse};
use super::graph::{Connected, Graph};
use super::shape::{Link, MeshShape};
use super::{gps, led};
use crate::error::reorder::ReorderError;
use elements::Weighted;

/// Numbers the elements of the leading map's source block by block, then its points and everything else accordingly.
/// Returns the offsets of the blocks, too.
///
/// GPS numbers the mesh first: METIS is several times faster on such a mesh than on an unordered one, and the choices
/// that METIS leaves open (the order in a block, ties) then follow a good numbering.
pub(super) fn numbers(
    mesh: &MeshShape<'_>,
    leader: &Link<'_>,
    block: usize,
    progress: &mut dyn FnMut(&'static str),
) -> Result<(Numbers, Vec<u32>), ReorderError> {
    let (set, n) = (leader.from, mesh.sets[leader.from]);
    let before = led(mesh, leader, gps::order, progress)?;
    let maps = mesh.maps.iter().filter(|map| map.from == set && !map.entries.is_empty());
    let rows: Vec<Rows> = maps.map(|map| Rows::of(map, mesh, &before)).collect();

    progress("element graph");
    let graph = Weighted::of(n, &rows)?;
    progress("partition");
    let mut parts = kway::cut(&graph, block)?;
    progress("repair");
    repair::repair(&graph, &mut parts, block);
    progress("blocks");
    let part = numbered(&graph, &parts)?;
    let blocks = part.iter().max().map_or(0, |&last| last as usize + 1);
    let (mut order, offsets) = by_key(blocks, n, |e| part[e]);
    drop(graph);

    progress("points");
    let mut numbers: Numbers = vec![None; mesh.sets.len()];
    for to in (0..mesh.sets.len()).filter(|&to| to != set && rows.iter().any(|rows| rows.to == to)) {
        let old = before[to].as_deref().map(inverse);
        let maps = rows.iter().filter(|rows| rows.to == to);
        numbers[to] = Some(points::numbers(maps, mesh.sets[to], old.as_deref(), &order, &offsets));
    }
    progress("elements");
    if let Some(new) = &numbers[leader.to]
        && leader.arity > 0
    {
        let entries = leader.renumbered(before[set].as_deref(), before[leader.to].as_deref());
        let rank = by_points(&Link { entries: &entries, ..*leader }, new);
        for ends in offsets.windows(2) {
            order[ends[0] as usize..ends[1] as usize].sort_unstable_by_key(|&e| rank[e as usize]);
        }
    }
    numbers[set] = Some(inverse(&order));
    for (new, before) in numbers.iter_mut().zip(before) {
        if let (Some(new), Some(before)) = (new, before) {
            *new = before.iter().map(|&e| new[e as usize]).collect();
        }
    }
    progress("other sets");
    follow(mesh, &mut numbers);
    Ok((numbers, offsets))
}

/// The points that each element accesses through one map, in the numbers of GPS.
#[derive(Debug)]
struct Rows {
    to: usize,
    targets: usize,
    arity: usize,
    entries: Vec<u32>,
}

impl Rows {
    /// Through a map from a set to itself, an element accesses its own data, too.
    fn of(map: &Link<'_>, mesh: &MeshShape<'_>, numbers: &Numbers) -> Rows {
        let mut entries = map.renumbered(numbers[map.from].as_deref(), numbers[map.to].as_deref());
        let mut arity = map.arity;
        if map.from == map.to && arity > 0 {
            let others = std::mem::take(&mut entries);
            for (e, row) in (0..).zip(others.chunks_exact(arity)) {
                entries.push(e);
                entries.extend_from_slice(row);
            }
            arity += 1;
        }
        Rows { to: map.to, targets: mesh.sets[map.to], arity, entries }
    }

    fn row(&self, e: usize) -> &[u32] {
        &self.entries[e * self.arity..(e + 1) * self.arity]
    }
}

/// Numbers the non-empty parts by GPS on their graph, so that neighbouring parts get close numbers. Returns the new
/// number of every element's part.
fn numbered(graph: &Weighted, parts: &[u32]) -> Result<Vec<u32>, ReorderError> {
    let count = parts.iter().max().map_or(0, |&last| last as usize + 1);
    let (members, starts) = by_key(count, parts.len(), |e| parts[e]);
    let mut seen = vec![u32::MAX; count];
    let mut between = Graph { offsets: vec![0], neighbours: Vec::new() };
    for (part, ends) in (0..).zip(starts.windows(2)) {
        seen[part as usize] = part;
        for &e in &members[ends[0] as usize..ends[1] as usize] {
            for (w, _) in graph.of_vertex(e as usize) {
                let other = parts[w];
                if std::mem::replace(&mut seen[other as usize], part) != part {
                    between.neighbours.push(other);
                }
            }
        }
        between.close()?;
    }
    let connected = Connected::of(&between);
    let full = |part: u32| starts[part as usize] < starts[part as usize + 1];
    let order = gps::order(&connected).into_iter().map(|v| connected.old[v as usize]).filter(|&part| full(part));
    let mut new = vec![u32::MAX; count];
    for (number, part) in (0..).zip(order) {
        new[part as usize] = number;
    }
    Ok(parts.iter().map(|&part| new[part as usize]).collect())
}
