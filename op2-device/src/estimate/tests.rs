//! Estimates against what was measured, and what each property changes.

use super::*;

/// A loop over a million elements of 100 bytes in blocks of 128.
const WORK: Work = Work {
    launches: 4,
    blocks: 8_000,
    threads: 128,
    shared: 10_000,
    bytes: 1e8,
    cached: 0.0,
    again: 0.0,
    footprint: 1e8,
    doubles: 1e8,
    singles: 0.0,
    others: 0.0,
    lines: 0.0,
    gathers: Gathers { of_block: 0.0, again: 0.0 },
    sums: Sums { targets: 0.0, handed: 0.0, batches: 0.0, each: 0.0, longest: 0.0 },
    trips: Trips { wave: 0.0, longest: 0.0 },
    atomics: Adds { sectors: 0.0, values: 0.0, bytes: 0.0 },
    waits: Waits { memory: 2.0, cache: 0.0, near: 0.0, barriers: 0.0, cycles: 0.0 },
    strides: false,
    join: None,
};

fn seconds(work: &Work, taken: Resources) -> f64 {
    work.estimate(&h200(), Some(&taken)).expect("a block fits").seconds()
}

/// As all loops were measured: without graphs.
fn h200() -> Performance {
    Performance::of("sm_90").expect("a known GPU").with_single_launches()
}

const LIGHT: Resources = Resources { registers: 32, local: 0, shared: 0 };

#[test]
fn each_bound_counts() {
    let before = seconds(&WORK, LIGHT);
    let waits = |waits: Waits| Work { waits, ..WORK };
    let more = [
        Work { bytes: 2e8, ..WORK },
        Work { cached: 1e9, ..WORK },
        Work { again: 1e8, ..WORK },
        Work { lines: 1e7, ..WORK },
        Work { gathers: Gathers { of_block: 1e5, again: 1e9 }, ..WORK },
        Work { doubles: 1e10, ..WORK },
        Work { others: 1e11, ..WORK },
        Work { atomics: Adds { sectors: 1e7, ..Adds::default() }, ..WORK },
        Work { atomics: Adds { values: 4e7, ..Adds::default() }, ..WORK },
        waits(Waits { memory: 40.0, ..WORK.waits }),
        waits(Waits { cache: 40.0, ..WORK.waits }),
        waits(Waits { barriers: 600.0, ..WORK.waits }),
        waits(Waits { cycles: 2e4, ..WORK.waits }),
        Work { launches: 8, ..WORK },
    ];
    for work in more {
        assert!(seconds(&work, LIGHT) > 1.05 * before, "{work:?}");
    }
    let single = Work { doubles: 0.0, singles: 1e10, ..WORK };
    assert!(seconds(&single, LIGHT) < seconds(&Work { doubles: 1e10, ..WORK }, LIGHT));
}

#[test]
fn what_takes_resources_is_slower() {
    let before = seconds(&WORK, LIGHT);
    assert!(seconds(&WORK, Resources { registers: 168, ..LIGHT }) > before, "fewer blocks are resident");
    assert!(seconds(&Work { shared: 60_000, ..WORK }, LIGHT) > before, "of shared memory, too");
    assert!(seconds(&WORK, Resources { local: 200, ..LIGHT }) > before, "spills are traffic");
    let free = WORK.estimate(&h200(), None).expect("a block fits").seconds();
    assert!(free <= before, "no compiler could do better");
}

#[test]
fn what_does_not_fit_has_no_estimate() {
    assert_eq!(Work { shared: 228 * 1024, ..WORK }.estimate(&h200(), None), None);
    let heavy = Resources { registers: 255, ..LIGHT };
    assert_eq!(Work { threads: 512, ..WORK }.estimate(&h200(), Some(&heavy)), None);
}

/// With one resident block nothing overlaps; with many, the largest bound counts most.
#[test]
fn resident_blocks_fill_each_others_waits() {
    let none = Estimate {
        memory: 0.0,
        cache: 0.0,
        near: 0.0,
        atomics: 0.0,
        arithmetic: 0.0,
        waiting: 0.0,
        launching: 0.5,
        resident: 1,
    };
    assert_eq!(none.seconds(), 0.5);
    let bounds = Estimate { memory: 4.0, waiting: 3.0, ..none };
    assert_eq!((bounds.seconds(), bounds.binds()), (7.5, "memory"));
    assert_eq!(Estimate { resident: 2, ..bounds }.seconds(), 5.5, "the exponent is two");
    let many = Estimate { resident: 32, ..bounds }.seconds();
    assert!(4.5 < many && many < 5.1, "{many}");
}

/// A launch goes through more than the cache holds: then it holds nothing of an earlier one.
#[test]
fn small_data_stay_in_the_cache() {
    let work = Work { again: 1e8, ..WORK };
    let of = |footprint: f64| Work { footprint, ..work }.estimate(&h200(), None).expect("a block fits");
    assert_eq!(of(4e7).memory, of(1e6).memory);
    assert_eq!(of(1e8).memory, 2.0 * of(1e6).memory);
}

/// Blocks that are resident at once share the cache of their multiprocessor with what they stage.
#[test]
fn what_is_gathered_again_misses_where_there_is_no_room() {
    let of = |of_block: f64, shared: u32| {
        let work = Work { gathers: Gathers { of_block, again: 5.5e12 }, shared, ..WORK };
        let estimate = work.estimate(&h200(), Some(&LIGHT)).expect("a block fits");
        (estimate.cache - WORK.estimate(&h200(), Some(&LIGHT)).expect("a block fits").cache, estimate.resident)
    };
    assert_eq!(of(10_000.0, 1_000).0, 0.0);
    let (missed, resident) = of(30_000.0, 1_000);
    let room = f64::from(256 * 1024 - 1_000 * resident);
    assert!((missed - (1.0 - room / (30_000.0 * f64::from(resident)))).abs() < 1e-9, "{missed}");
    assert!(of(30_000.0, 4_000).0 > missed);
    // Registers may keep all other blocks out: then nothing misses.
    let work = Work { gathers: Gathers { of_block: 30_000.0, again: 5.5e12 }, ..WORK };
    assert_eq!(work.estimate(&h200(), None).map(|of| of.cache), WORK.estimate(&h200(), None).map(|of| of.cache));
}

/// The bench `gpu_constants` on an H200: blocks of 128 threads, each with a load of 16 bytes in flight, in a loop; all bytes of 1 GiB.
#[test]
fn loads_in_flight_fill_the_bandwidth() {
    for (blocks, measured) in [(1u32, 688.6e9), (2, 1327e9), (4, 2436e9), (8, 3808e9)] {
        let (bytes, grid) = (f64::from(1 << 30), f64::from(132 * blocks));
        let rounds = bytes / (grid * 128.0 * 16.0);
        let work = Work {
            launches: 1,
            blocks: u64::from(132 * blocks),
            threads: 128,
            shared: (220 * 1024 / blocks).min(200 * 1024),
            bytes,
            footprint: bytes,
            waits: Waits { memory: rounds, ..Waits::default() },
            ..Work::default()
        };
        let estimate = work.estimate(&h200(), None).expect("a block fits");
        assert_eq!(estimate.resident, blocks);
        let share = bytes / estimate.seconds() / measured;
        assert!((0.75..1.1).contains(&share), "{blocks} blocks: {share}");
    }
}

/// The same bench adds 16.8 million values, one to a sector: to a small array in 153 microseconds, to a large one in 195.
#[test]
fn additions_wait_for_memory() {
    let values = 4.0 * f64::from(4 << 20);
    let of = |bytes: f64| {
        let atomics = Adds { sectors: values, values, bytes };
        let work = Work { launches: 1, blocks: 32_768, threads: 128, bytes, atomics, ..Work::default() };
        work.estimate(&h200(), None).expect("a block fits").seconds()
    };
    for (bytes, measured) in [(0.0, 153e-6), (2.0 * 8.0 * values, 195e-6)] {
        let share = of(bytes) / measured;
        assert!((0.9..1.2).contains(&share), "{bytes}: {share}");
    }
}

/// airfoil's `save_soln` copies 2.88 million rows of 32 bytes. On an H200 it took 57.7 microseconds where components lie apart, and 66.3 where
/// threads stored rows in halves of sectors (the mean of the strategies in `benches/results/2026-11-26-nvidia-h200.md`).
#[test]
fn sectors_that_are_stored_in_parts_keep_the_cache_busy() {
    let rows = 32.0 * 2.88e6;
    let of = |cached: f64| {
        let waits = Waits { memory: 1.0, ..Waits::default() };
        let work = Work {
            launches: 1,
            blocks: 22_500,
            threads: 128,
            strides: true,
            bytes: 2.0 * rows,
            cached,
            waits,
            ..Work::default()
        };
        work.estimate(&h200(), Some(&LIGHT)).expect("a block fits").seconds()
    };
    for (cached, measured) in [(0.0, 57.7e-6), (rows, 66.3e-6)] {
        let share = of(cached) / measured;
        assert!((0.88..1.0).contains(&share), "{cached}: {share}");
    }
}

/// The choice, and the alternatives that were compiled for it.
fn chosen(works: &[Work], usual: usize, registers: &[u32]) -> (Option<usize>, Vec<usize>) {
    let mut compiled = Vec::new();
    let taken = |n: usize| {
        compiled.push(n);
        Ok::<_, ()>(Some(Resources { registers: registers[n], ..LIGHT }))
    };
    let works: Vec<&[Work]> = works.iter().map(std::slice::from_ref).collect();
    let best = least(&works, Some(usual), &h200(), taken).expect("it compiles");
    (best, compiled)
}

#[test]
fn only_what_could_be_better_is_compiled() {
    let bytes = |bytes: f64| Work { bytes, doubles: 0.0, ..WORK };
    let works = [bytes(2e9), bytes(1.99e9), bytes(1e9), bytes(1.5e9), Work { shared: u32::MAX, ..bytes(1e8) }];
    assert_eq!(chosen(&works, 0, &[32; 5]), (Some(2), vec![0, 2]));
    // Its registers leave no room for a block.
    assert_eq!(chosen(&works, 0, &[32, 32, 10_000, 32, 32]), (Some(3), vec![0, 2, 3]));
    assert_eq!(chosen(&works, 2, &[32; 5]), (Some(2), vec![2]));
    assert_eq!(chosen(&works[..2], 0, &[32; 2]), (Some(0), vec![0]), "what is hardly better does not count");
    assert_eq!(chosen(&works, 4, &[32; 5]), (Some(2), vec![2]), "the usual one need not fit");
    assert_eq!(chosen(&works[4..], 0, &[32]), (None, vec![]));
}

#[test]
fn kernels_behind_each_other_add_up() {
    let alone = seconds(&WORK, LIGHT);
    assert_eq!(super::seconds(&[WORK, WORK], &h200(), Some(&LIGHT)), Some(2.0 * alone));
    assert_eq!(super::seconds(&[WORK, Work { shared: u32::MAX, ..WORK }], &h200(), None), None);
}

/// An alternative that spills is the last choice, however fast it seems; one whose time is its launches is not compiled.
#[test]
fn spilling_is_the_last_choice() {
    let half = Work { bytes: 1e9, ..WORK };
    let spilled = [0, 300];
    let works: [&[Work]; 2] = [&[Work { bytes: 2e9, ..WORK }], &[half]];
    let taken = |n: usize| Ok::<_, ()>(Some(Resources { local: spilled[n], ..LIGHT }));
    assert_eq!(least(&works, Some(0), &h200(), taken), Ok(Some(0)));
    let taken = |_| Ok::<_, ()>(Some(Resources { local: 300, ..LIGHT }));
    assert_eq!(least(&works, Some(0), &h200(), taken), Ok(Some(1)), "nothing else is there");
    let small = Work { bytes: 1e4, blocks: 10, doubles: 0.0, ..WORK };
    let works: [&[Work]; 2] = [&[small], &[Work { launches: 1, ..small }]];
    let taken = |_| Err("compiled");
    assert_eq!(least(&works, Some(0), &h200(), taken), Ok(Some(1)));
}

/// Loops whose threads stride have no more blocks than fill any GPU, and those that reduce no more than are resident, in rounds of equal
/// length.
#[test]
fn threads_stride_where_there_are_more_blocks() {
    let strides = Work { launches: 1, blocks: 10_000, strides: true, ..WORK };
    assert_eq!(strides.spread(1000), (4096, 10_000.0 / 4096.0));
    assert_eq!(Work { strides: false, ..strides }.spread(1000), (10_000, 1.0));
    let joins = Work { join: Some(Join::default()), ..strides };
    assert_eq!(joins.spread(1000), (1000, 10.0));
    assert_eq!(joins.spread(1001), (1000, 10.0));
    assert_eq!(Work { blocks: 1001, ..joins }.spread(1000), (501, 1001.0 / 501.0), "two rounds");
    assert_eq!(joins.spread(0).0, 1);
    // The last block takes a round for as many partial results as it has threads.
    let join = Join { round: Waits { cache: 1.0, ..Waits::default() }, ..Join::default() };
    let [before, after] = [joins, Work { join: Some(join), ..joins }]
        .map(|work| work.estimate(&h200(), Some(&LIGHT)).expect("a block fits").waiting);
    let round = Waits { cache: 1.0, ..Waits::default() }.seconds(&h200(), 128);
    let blocks = joins.spread(u64::from(16 * h200().multiprocessors)).0;
    assert!((after - before - blocks.div_ceil(128) as f64 * round).abs() < 1e-9, "{before} {after}");
}
