//! `res_calc` of other codes: what was measured, and what the model says of them.

use op2_device::{Adds, Estimate, LINE, Performance, Resources, Waits, Work};
use std::fmt::Write;

/// Edges of a mesh of 2.88 million cells.
const EDGES: f64 = 5.76e6;
/// Bytes that an edge moves at least, in double precision.
const USEFUL: f64 = 76.0;

/// Measured useful bytes per second of OP2's `res_calc` of 2018, on 2.88 million cells: cuda_fot's scripts have 3.82 and 2.517 seconds for
/// 2000 calls of it.
pub(super) const MEASURED: [(&str, f64); 2] = [("P100", 229e9), ("V100", 348e9)];

/// OP2's `res_calc` before the locality library: structures, blocks of edges in the order of the mesh, two levels of colours. Increments are
/// staged in shared memory; what is read comes by the maps themselves.
fn two_levels() -> (Work, Resources) {
    const SIZE: f64 = 256.0;
    /// Cells and nodes that a block reaches: a strip of the mesh, in the order in which its generator numbers it. Counted on airfoil's.
    const REACHED: f64 = 257.0;
    const DIFFERENT: f64 = EDGES / 2.0;
    /// Colours of blocks, and of edges in a block.
    const COLOURS: f64 = 6.0;
    const TURNS: f64 = 5.0;
    let blocks = EDGES / SIZE;
    // State, time step, and residual, which is read and written; coordinates.
    let row = 32.0 + 8.0 + 64.0 + 16.0;
    // Four entries of maps, two places in shared memory, a colour; the list of cells.
    let lists = EDGES * (16.0 + 4.0 + 4.0) + blocks * REACHED * 4.0;
    let again = (blocks * REACHED - DIFFERENT) * row;
    let bytes = DIFFERENT * row + lists;
    // The flush goes component by component: as many trips as threads need for four values of each cell, of a list and a value each.
    let trips = (4.0 * REACHED / SIZE).ceil();
    // The block's description; entries, data and the colour of each edge.
    let waits = Waits {
        memory: 2.0 + 3.0 + trips,
        cache: trips,
        barriers: TURNS + 2.0,
        cycles: 500.0 + TURNS * 140.0,
        ..Waits::default()
    };
    let work = Work {
        launches: COLOURS as u32,
        blocks: blocks as u64,
        threads: SIZE as u32,
        shared: (REACHED * 32.0) as u32,
        bytes,
        again,
        footprint: (bytes + again) / COLOURS,
        // Operands and lists; each increment goes to shared memory and is added there; then the flush.
        lines: (EDGES * (112.0 + 24.0 + 3.0 * 64.0) + blocks * REACHED * 96.0) / LINE,
        doubles: EDGES * 120.0,
        others: EDGES * 300.0,
        waits,
        ..Work::default()
    };
    (work, Resources { registers: 56, ..Resources::default() })
}

/// OP2's template of today: each edge adds eight values to memory.
fn template() -> (Work, Resources) {
    let values = 8.0 * EDGES;
    let work = Work {
        launches: 1,
        blocks: (EDGES / 128.0) as u64,
        threads: 128,
        bytes: EDGES * USEFUL,
        cached: EDGES * 100.0,
        footprint: EDGES * USEFUL,
        lines: EDGES * (112.0 + 16.0 + 64.0) / LINE,
        doubles: EDGES * 120.0,
        others: EDGES * 150.0,
        // Of each cell, 32 bytes come from memory and go back.
        atomics: Adds { sectors: values, values, bytes: EDGES / 2.0 * 64.0 },
        waits: Waits { memory: 2.0, cycles: 500.0, ..Waits::default() },
        ..Work::default()
    };
    (work, Resources { registers: 48, ..Resources::default() })
}

/// The range of the rate at which a level 2 cache adds doubles: of an H200 109 and 86 · 10⁹ a second were measured, for data in the cache
/// and in memory. That of other GPUs is scaled, and half as uncertain again.
fn range(name: &str) -> [f64; 2] {
    if name == "H200" { [0.95, 1.27] } else { [0.7, 1.5] }
}

fn estimate(gpu: &Performance, (work, taken): &(Work, Resources)) -> Estimate {
    work.estimate(gpu, Some(taken)).expect("its blocks fit")
}

pub(super) fn page() -> String {
    let mut page = "\n## `res_calc` of other codes, 2.88 million cells, f64\n\n\
                    | code | GPU | measured, GB/s | model, GB/s | model, µs | binds |\n| --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    let rate = |seconds: f64| EDGES * USEFUL / seconds / 1e9;
    for (name, measured) in MEASURED {
        let gpu = Performance::named(name).expect("a known GPU").with_single_launches();
        let estimate = estimate(&gpu, &two_levels());
        let seconds = estimate.seconds();
        _ = writeln!(
            page,
            "| OP2, two levels of colours | {name} | {:.0} | {:.0} | {:.0} | {} |",
            measured / 1e9,
            rate(seconds),
            seconds * 1e6,
            estimate.binds()
        );
    }
    for name in ["A100", "H100", "H200"] {
        let gpu = Performance::named(name).expect("a known GPU").with_single_launches();
        let at = |times: f64| {
            let mut gpu = gpu;
            gpu.atomics.sector *= times;
            gpu.atomics.value *= times;
            estimate(&gpu, &template())
        };
        let [fast, slow] = range(name).map(at);
        _ = writeln!(
            page,
            "| OP2's template | {name} | | {:.0} to {:.0} | {:.0} to {:.0} | {} |",
            rate(slow.seconds()),
            rate(fast.seconds()),
            fast.seconds() * 1e6,
            slow.seconds() * 1e6,
            slow.binds()
        );
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_rates_are_reproduced() {
        for (name, measured) in MEASURED {
            let gpu = Performance::named(name).expect("a known GPU").with_single_launches();
            let share = EDGES * USEFUL / estimate(&gpu, &two_levels()).seconds() / measured;
            assert!((0.8..1.2).contains(&share), "{name}: {share}");
        }
    }

    /// Airfoil with `atomics:128` on an H200: 19.3 % of a copy (2026-11-26).
    #[test]
    fn the_template_takes_what_atomics_take() {
        let gpu = Performance::named("H200").expect("a known GPU").with_single_launches();
        let share = EDGES * USEFUL / estimate(&gpu, &template()).seconds() / (0.193 * 4.23e12);
        assert!((0.8..1.2).contains(&share), "{share}");
    }
}
