//! Values by seeds: a step holds only a seed, and prints its values in full.

use crate::kinds::{DatKind, GlobalKind, MapKind, NONE};
use crate::random::Random;
use crate::step::Wrong;

/// Values of a dat of `size` elements, component by component. If `wrong`, one row too many or too few.
pub fn values(kind: DatKind, size: usize, seed: u64, wrong: Option<Wrong>) -> Vec<f64> {
    let mut random = Random::new(seed);
    let rows = rows(size, wrong);
    if matches!(kind, DatKind::NodeCount | DatKind::EdgeFlag) {
        return flags(kind, rows, &mut random);
    }
    (0..rows * kind.dim()).map(|_| value(kind, &mut random)).collect()
}

/// Flags of all kinds: any, all but a few, and those of the first elements.
fn flags(kind: DatKind, rows: usize, random: &mut Random) -> Vec<f64> {
    let (pattern, first) = (random.below(4), 8.max(random.below(rows)));
    let flag = |e: usize| {
        let any = value(kind, random);
        match pattern {
            0 => any,
            1 if random.once_in(8) => 0.0,
            1 => 1.0,
            _ if e < first => any.max(1.0),
            _ => 0.0,
        }
    };
    (0..rows).map(flag).collect()
}

/// Rows for a set of `size` elements. If `wrong`, one too many or too few.
pub fn rows(size: usize, wrong: Option<Wrong>) -> usize {
    match wrong {
        Some(Wrong::Longer) => size + 1,
        Some(Wrong::Shorter) => size.saturating_sub(1),
        _ => size,
    }
}

fn value(kind: DatKind, random: &mut Random) -> f64 {
    match kind {
        DatKind::NodeFloat | DatKind::EdgeFloat => (random.below(257) as f64 - 128.0) * 0.25,
        DatKind::NodePair => (random.below(65) as f64 - 32.0) * 0.5,
        DatKind::NodeSingle => random.below(1000) as f64 * 0.01,
        DatKind::NodeInts => random.below(100) as f64 - 20.0,
        DatKind::EdgeWords => random.below(1000) as f64,
        DatKind::NodeCount => random.below(5) as f64,
        DatKind::EdgeFlag => random.below(2) as f64,
    }
}

/// A value of a global; for arg reductions with a candidate or without one.
pub fn global(kind: GlobalKind, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    let quarter = |random: &mut Random| (random.below(65) as f64 - 32.0) * 0.25;
    match kind {
        GlobalKind::Float => vec![quarter(&mut random)],
        GlobalKind::Int => vec![random.below(100) as f64 - 50.0],
        GlobalKind::Pair => vec![quarter(&mut random), quarter(&mut random)],
        GlobalKind::Least | GlobalKind::Most if random.once_in(2) => vec![0.0; 3],
        GlobalKind::Least | GlobalKind::Most => vec![1.0, quarter(&mut random), random.below(1000) as f64],
    }
}

/// Rows of a map. A wrong entry is the number of targets. Without targets, all rows are wrong.
pub fn entries(kind: MapKind, from: usize, to: usize, seed: u64, wrong: Option<Wrong>) -> Vec<Vec<usize>> {
    let mut random = Random::new(seed);
    let arity = kind.arity();
    // Patterns: rings, few targets for many rows, one target for all, rows without repetition, and random ones.
    let pattern = random.below(6);
    let spread = 1 + random.below(to.min(8));
    let row = |e: usize, random: &mut Random| -> Vec<usize> {
        let any = |random: &mut Random| random.below(to);
        match pattern {
            0 => (0..arity).map(|i| (e + i) % to.max(1)).collect(),
            1 => (0..arity).map(|_| random.below(spread)).collect(),
            2 if random.once_in(2) => vec![any(random); arity],
            3 => {
                let first = any(random);
                (0..arity).map(|i| (first + i * (1 + to / 4)) % to.max(1)).collect()
            }
            _ => (0..arity).map(|_| any(random)).collect(),
        }
    };
    let mut all: Vec<Vec<usize>> = (0..rows(from, wrong)).map(|e| row(e, &mut random)).collect();
    if kind == MapKind::Near {
        let mut hole = |entry: &mut usize| *entry = if to == 0 || random.once_in(4) { NONE } else { *entry };
        all.iter_mut().flatten().for_each(&mut hole);
    }
    if wrong == Some(Wrong::Beyond) && !all.is_empty() && arity > 0 {
        let (row, entry) = (random.below(all.len()), random.below(arity));
        all[row][entry] = to;
    }
    all
}

/// The target of all entries, or none where they may be missing. A wrong one is the number of targets.
pub fn target(kind: MapKind, to: usize, seed: u64, wrong: Option<Wrong>) -> usize {
    let mut random = Random::new(seed);
    match wrong {
        Some(Wrong::Beyond) => to,
        _ if kind == MapKind::Near && random.once_in(3) => NONE,
        _ => random.below(to),
    }
}

/// Distinct elements of a subset. If `wrong`, one that does not exist, or one twice.
pub fn elements(size: usize, seed: u64, wrong: Option<Wrong>) -> Vec<usize> {
    let mut random = Random::new(seed);
    let mut all: Vec<usize> = (0..size).collect();
    for n in (1..size).rev() {
        all.swap(n, random.below(n + 1));
    }
    all.truncate(random.below(size + 1));
    if random.once_in(2) {
        all.sort_unstable();
    }
    match wrong {
        Some(Wrong::Beyond | Wrong::Shorter) => all.push(size),
        Some(Wrong::Longer) => all.extend(all.first().copied()),
        None => {}
    }
    all
}
