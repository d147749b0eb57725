//! The order in which a device runs the elements of a loop: along a curve in space, where blocks reach fewer targets so. Data stay where
//! they are.

use super::planned::ELEMENTS;
use crate::data::place::leads;
use crate::data::room;
use crate::desc::LoopDesc;
use crate::inspect::{Elements, LoopShape, Through};
use crate::plan::key::Inputs;

/// The fewest elements of a loop for which it matters: fewer do not fill a device.
pub(crate) const LEAST: usize = 4096;
/// Blocks that are looked at, at most.
const SAMPLED: usize = 512;

/// All elements of a loop whose blocks stage data, along a curve that goes through the targets of one of its maps; none if blocks of
/// consecutive elements reach hardly more targets, or there is no memory for it.
pub(crate) fn order(desc: &LoopDesc, inputs: Inputs<'_>, shape: &LoopShape<'_>) -> Option<Vec<u32>> {
    let Elements::All(n) = shape.elements else { return None };
    if n < LEAST || shape.is_free() || desc.by_rows || inputs.pairs().is_some() {
        return None;
    }
    let most = shape.touches.iter().map(|touch| touch.targets).max().unwrap_or(0);
    if !room::has(12 * n as u128 + 8 * most as u128) {
        return None;
    }
    let (through, places) = inputs.dats().iter().find_map(|bound| {
        let (map, used) = bound.through.as_ref()?;
        Some((inputs.through(*map, used.clone()), inputs.places(bound)?))
    })?;
    let order = along(n, &through, places);
    let [before, after] = [None, Some(&order[..])].map(|order| reached(shape, n, order));
    (10 * after <= 9 * before).then_some(order)
}

/// Elements by the first place of their targets.
fn along(n: usize, through: &Through<'_>, places: &[u32]) -> Vec<u32> {
    let place = |e: usize| {
        let targets = through.used.clone().map(|k| through.entries[e * through.arity + k]).filter(|&t| leads(t));
        targets.map(|t| places[t as usize]).min().unwrap_or(u32::MAX)
    };
    let mut keys: Vec<(u32, u32)> = (0..n).map(|e| (place(e), e as u32)).collect();
    keys.sort_unstable();
    keys.into_iter().map(|(_, e)| e).collect()
}

/// The targets that a sample of blocks reaches through all arguments, each counted once in a block.
fn reached(shape: &LoopShape<'_>, n: usize, order: Option<&[u32]>) -> usize {
    let step = n.div_ceil(ELEMENTS).div_ceil(SAMPLED) * ELEMENTS;
    let mut all = 0;
    for touch in &shape.touches {
        let Some(through) = &touch.through else { continue };
        let mut last = vec![0; touch.targets];
        for (block, first) in (0..n).step_by(step).enumerate() {
            let positions = first..n.min(first + ELEMENTS);
            let elements = positions.map(|p| order.map_or(p, |order| order[p] as usize));
            let targets =
                elements.flat_map(|e| through.used.clone().map(move |k| through.entries[e * through.arity + k]));
            for target in targets.filter(|&t| leads(t)) {
                all += usize::from(std::mem::replace(&mut last[target as usize], block + 1) != block + 1);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::Touch;
    use crate::reorder::order_of;
    use op2_core::Access;

    /// The edges of a grid of squares, row after row: their nodes.
    fn grid(side: u32) -> Vec<u32> {
        let node = |x: u32, y: u32| y * side + x;
        let edges = |x: u32, y: u32| {
            let right = (x + 1 < side).then(|| [node(x, y), node(x + 1, y)]);
            right.into_iter().chain((y + 1 < side).then(|| [node(x, y), node(x, y + 1)]))
        };
        (0..side * side).flat_map(|n| edges(n % side, n / side)).flatten().collect()
    }

    #[test]
    fn blocks_along_a_curve_reach_fewer_targets() {
        let (side, ends) = (160, grid(160));
        let (n, targets) = (ends.len() / 2, (side * side) as usize);
        let through = Through { map: 0, entries: &ends, arity: 2, offsets: None, used: 0..2 };
        let positions: Vec<f64> = (0..side * side).flat_map(|n| [f64::from(n % side), f64::from(n / side)]).collect();
        let mut places = vec![0; targets];
        for (place, node) in order_of(2, &positions).into_iter().enumerate() {
            places[node as usize] = place as u32;
        }
        let order = along(n, &through, &places);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..n as u32), "each element once");
        let touch =
            Touch { arg: 0, dat: 0, targets, bytes: 8, access: Access::Inc, through: Some(through), own: false };
        let shape = LoopShape { elements: Elements::All(n), touches: vec![touch] };
        let [rows, curve] = [None, Some(&order[..])].map(|order| reached(&shape, n, order));
        // Of 128 edges, which lead from 64 nodes, a strip reaches two rows of nodes and a square of 8 x 8 about 81.
        let blocks = n.div_ceil(ELEMENTS);
        assert!(blocks <= SAMPLED, "all of them are looked at");
        let blocks = blocks as f64;
        let [rows, curve] = [rows, curve].map(|all| all as f64 / blocks);
        assert!((126.0..131.0).contains(&rows) && (75.0..92.0).contains(&curve), "{rows} {curve}");
    }
}
