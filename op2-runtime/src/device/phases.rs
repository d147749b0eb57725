//! The work of a block of a loop, phase by phase, in the order of the emitted code: how often it waits, and for what.
//!
//! The one place that knows this. It mirrors `op2_staged.cuh`, `op2_collected.cuh`, `op2_loop.cuh` and
//! `op2-codegen/src/emit/cuda/wrapper.rs`: whoever changes what they emit changes a few lines here. `cargo xtask cuda-check --sections
//! KERNEL` shows the same from the machine code, where loads that wait together are one number in the last column.

use op2_device::{Join, Trips, Waits};

/// Instructions of a thread around one load from global memory: its address, the place in shared memory, the end of the loop. Of a load
/// that it keeps in registers, the address.
const AROUND_A_LOAD: f64 = 14.0;
const ADDRESS: f64 = 3.0;
/// The same before and behind all loads, and for each operand of the kernel in shared memory.
const AROUND_AN_ELEMENT: f64 = 60.0;
const PER_OPERAND: f64 = 2.0;
/// Cycles from one operation of the kernel to the next, most of which need each other's results.
const PER_OPERATION: f64 = 4.0;
/// Cycles in which a thread looks up the contributions to a target, takes one of them (its place, then its words), and adds each of its
/// components.
const PER_TARGET: f64 = 60.0;
const PER_CONTRIBUTION: f64 = 60.0;
const PER_COMPONENT: f64 = 8.0;
/// Instructions before and behind the sum of a target.
const AROUND_A_SUM: f64 = 25.0;
/// Words of a view whose places, or old values, a thread loads at once.
const FIRST: f64 = 4.0;
/// Cycles of a reduction by the threads of a warp and the warps of a block, for each slot of 8 bytes.
const PER_SLOT: f64 = 300.0;
/// Cycles in which a thread of the last block adds a slot of a partial result.
const PER_PARTIAL: f64 = 10.0;

/// A part of a block's work.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Phase {
    /// Loads that wait for each other, in their order.
    pub(super) loads: Vec<Loads>,
    pub(super) barriers: f64,
    /// Cycles of instructions that need each other's results.
    pub(super) cycles: f64,
    /// Instructions of a thread that are neither loads nor operations of the kernel.
    pub(super) instructions: f64,
    /// Words that threads share out and sum: their number, and cycles and instructions of each.
    pub(super) summed: Vec<(f64, f64, f64)>,
}

/// Loads from global memory by all threads of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Loads {
    /// Loads of a block that its threads share out, on average.
    pub(super) shared_out: f64,
    /// Loads of a thread that are in flight at once.
    pub(super) at_once: f64,
    /// How often all of this is done, one after the other.
    pub(super) sweeps: f64,
    /// The loads that each trip waits for, one after the other.
    pub(super) chain: Chain,
}

/// Loads that need each other's results, by where they find them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Chain {
    pub(super) memory: f64,
    /// The level 2 cache.
    pub(super) cache: f64,
    /// The multiprocessor's own cache, which has what the block has loaded before.
    pub(super) near: f64,
}

impl Chain {
    pub(super) fn memory(memory: f64) -> Self {
        Chain { memory, ..Chain::default() }
    }

    pub(super) fn cache(cache: f64) -> Self {
        Chain { cache, ..Chain::default() }
    }
}

/// A view whose rows a block stages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Staged {
    /// Rows of a block, on average.
    pub(super) rows: f64,
    /// Loads for a row.
    pub(super) words: f64,
    /// Whether the words of a row are neighbours, so that threads share them out like rows.
    pub(super) adjacent: bool,
    /// Components.
    pub(super) components: f64,
    /// Arguments of the kernel that lead to it.
    pub(super) arguments: f64,
}

/// A view whose contributions a block sums.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Summed {
    /// The targets that get sums.
    pub(super) rows: Staged,
    /// Contributions to a target, on average.
    pub(super) each: f64,
    /// The share of targets whose old values the block waits for.
    pub(super) added: f64,
    /// The share of contributions that have a place of their own.
    pub(super) stored: f64,
}

impl Summed {
    /// Batches of words, each of which a thread sums at once: those of a target that different threads sum, and those that one sums one
    /// after the other.
    pub(super) fn batches(&self) -> (f64, f64) {
        let batches = (self.rows.words / FIRST).ceil();
        if self.rows.adjacent { (batches, 1.0) } else { (1.0, batches) }
    }
}

/// The data of an element, or those that are its own: loads of a thread, all at once, and whether the element itself is looked up first.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Data {
    pub(super) loads: f64,
    pub(super) ordered: bool,
}

/// The needs of an element beside data.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Element {
    /// Operations of the kernel.
    pub(super) operations: f64,
    /// Scalars that the kernel takes from shared memory.
    pub(super) operands: f64,
}

/// A block begins: it loads its number, if it is one of a launch's own. All of its lists are where that says, and their lengths come with
/// them.
pub(super) fn begins(numbered: bool) -> Phase {
    let first = Loads { shared_out: 1.0, at_once: 1.0, sweeps: 1.0, chain: Chain::memory(1.0) };
    let loads = numbered.then_some(first).into_iter().collect();
    Phase { loads, instructions: AROUND_AN_ELEMENT, ..Phase::default() }
}

/// Each thread loads the places of what it copies first, those of its element's targets and its element, then starts all copies and loads
/// the element's own data. The rest is copied word by word. Then all threads meet.
pub(super) fn fetch(read: &[Staged], own: &Data, threads: f64) -> Phase {
    let once = |shared_out: f64| Loads { shared_out, at_once: 1.0, sweeps: 1.0, chain: Chain::memory(1.0) };
    let words: f64 = own.loads * threads + read.iter().map(|view| view.rows * view.words).sum::<f64>();
    let together = |shared_out: f64| Loads { at_once: (shared_out / threads).max(1.0), ..once(shared_out) };
    let lists: f64 = 1.0 + read.iter().map(|view| view.rows + view.arguments * threads).sum::<f64>();
    let mut loads = vec![together(lists)];
    loads.extend((words > 0.0).then(|| together(words)));
    for view in read {
        let (shared_out, first) = match view.adjacent {
            true => (view.rows * view.words, threads * view.words.min(FIRST)),
            false => (view.rows, threads),
        };
        let left = (shared_out - first).max(0.0);
        loads.extend((left > 0.0).then(|| Loads { chain: Chain::memory(2.0), ..once(left) }));
    }
    Phase { loads, barriers: 1.0, ..Phase::default() }
}

/// Each thread loads its element and the targets of it, and the block its lists of contributions, all at once; in the share `far` of blocks
/// the targets once more from another list; then all data to which they lead.
pub(super) fn gather(read: &[Staged], own: &Data, far: f64) -> Phase {
    let entries: f64 = read.iter().map(|view| view.arguments).sum();
    let words: f64 = own.loads + read.iter().map(|view| view.arguments * view.words).sum::<f64>();
    let lists = entries + f64::from(u8::from(own.ordered));
    let again = if entries > 0.0 { far } else { 0.0 };
    let once = |(at_once, memory)| Loads { shared_out: 1.0, at_once, sweeps: 1.0, chain: Chain::memory(memory) };
    let loads = [(lists, 1.0 + again), (words, 1.0)].into_iter().filter(|(loads, _)| *loads > 0.0).map(once).collect();
    Phase { loads, instructions: ADDRESS * (lists + words), ..Phase::default() }
}

/// The kernel runs.
pub(super) fn element(of: &Element) -> Phase {
    let cycles = PER_OPERATION * of.operations + PER_OPERAND * of.operands;
    Phase { cycles, instructions: PER_OPERAND * of.operands, ..Phase::default() }
}

/// All threads meet. Then one thread adds the contributions to each of the block's own targets, and its old values, which the cache has by
/// then, a batch of words at once. The sums of other targets leave the block word by word. Blocks that stage what they read load targets by a list
/// that they have loaded before; of others the lists of contributions say them.
pub(super) fn collect(summed: &[Summed], staged: bool) -> Phase {
    let mut phase = Phase { barriers: 1.0, ..Phase::default() };
    for of_view in summed {
        let Summed { rows, each, added, stored } = of_view;
        let (own, others) = (rows.rows * added, rows.rows * (1.0 - added));
        let (shared_out, sweeps) = of_view.batches();
        let at_once = rows.words / (shared_out * sweeps).max(1.0);
        let of_word = rows.components / rows.words;
        let of = |words: f64| {
            let cycles = PER_TARGET + each * (PER_CONTRIBUTION + PER_COMPONENT * words * of_word);
            (cycles, AROUND_A_SUM + each * (PER_OPERAND * 3.0 + words * (PER_OPERAND + of_word)))
        };
        if own > 0.0 {
            let chain = Chain { cache: 1.0, near: f64::from(u8::from(staged)), ..Chain::default() };
            phase.loads.push(Loads { shared_out: own * shared_out, at_once: 1.0, sweeps, chain });
            let (cycles, instructions) = of(at_once);
            phase.summed.push((own * shared_out, sweeps * cycles, sweeps * instructions));
        }
        if others > 0.0 {
            let (cycles, instructions) = of(1.0);
            phase.summed.push((others * rows.words, cycles, instructions));
        }
        phase.instructions += 2.0 * rows.arguments * stored * rows.words;
    }
    phase
}

/// Threads of a block combine their results.
fn reduce(slots: f64) -> Phase {
    Phase { barriers: 2.0, cycles: PER_SLOT * slots, instructions: 40.0 * slots, ..Phase::default() }
}

/// A block counts itself, and learns whether it is the last one.
fn counted() -> Phase {
    let first = Loads { shared_out: 1.0, at_once: 1.0, sweeps: 1.0, chain: Chain::cache(1.0) };
    Phase { loads: vec![first], barriers: 1.0, instructions: 20.0, ..Phase::default() }
}

/// A reduction into `slots` slots: the last block loads the partial results of all in batches, as `Reducing` in `op2_reduce.cuh` does.
pub(super) fn join(slots: f64, threads: f64) -> Join {
    let round = Waits { cache: (slots / 4.0).clamp(0.25, 1.0), cycles: PER_PARTIAL * slots, ..Waits::default() };
    let [each, last] = [vec![reduce(slots), counted()], vec![reduce(slots)]].map(|phases| waits(&phases, threads).0);
    Join { each, round, last }
}

/// An element without staged data, all of which come at once: its number, its entries of maps, `data`, and what it adds to.
pub(super) fn at_once(data: &Data, entries: f64, operations: f64, changes: bool) -> Phase {
    let once = |at_once: f64, chain: Chain| Loads { shared_out: 1.0, at_once, sweeps: 1.0, chain };
    let mut loads = Vec::new();
    loads.extend(data.ordered.then(|| once(1.0, Chain::memory(1.0))));
    loads.extend((entries > 0.0).then(|| once(entries, Chain::memory(1.0))));
    loads.extend((data.loads > 0.0).then(|| once(data.loads, Chain::memory(1.0))));
    loads.extend(changes.then(|| once(1.0, Chain::cache(1.0))));
    let instructions = AROUND_AN_ELEMENT / 2.0 + 4.0 * (entries + data.loads);
    Phase { loads, cycles: PER_OPERATION * operations, instructions, ..Phase::default() }
}

/// A thread runs the elements that contribute to its target: it loads where its list begins, then the first word and entries of maps, then
/// for each element its data, while the next word and entries come. The old values of the target come with the lists.
pub(super) fn per_target(of: Trips, entries: f64, words: f64, operations: f64) -> Phase {
    let once = |at_once: f64, sweeps: f64| Loads { shared_out: 1.0, at_once, sweeps, chain: Chain::memory(1.0) };
    let loads = vec![once(2.0, 1.0), once(1.0 + entries, 1.0), once(words, of.longest)];
    let instructions = AROUND_AN_ELEMENT + of.wave * ADDRESS * (entries + words);
    Phase { loads, cycles: of.longest * PER_OPERATION * operations, instructions, ..Phase::default() }
}

fn trips(loads: f64, threads: f64) -> f64 {
    (loads / threads).ceil()
}

/// The waits of a block in all phases, and the instructions of one of its threads.
pub(super) fn waits(phases: &[Phase], threads: f64) -> (Waits, f64) {
    let mut waits = Waits::default();
    let mut instructions = 0.0;
    for phase in phases {
        for loads in &phase.loads {
            let trips = loads.sweeps * trips(loads.shared_out / loads.at_once, threads);
            waits.memory += trips * loads.chain.memory;
            waits.cache += trips * loads.chain.cache;
            waits.near += trips * loads.chain.near;
            instructions +=
                AROUND_A_LOAD * loads.sweeps * loads.shared_out.max(1.0) / threads.min(loads.shared_out.max(1.0));
        }
        for &(words, cycles, of_word) in &phase.summed {
            waits.cycles += trips(words, threads) * cycles;
            instructions += words / threads * of_word;
        }
        waits.barriers += phase.barriers;
        waits.cycles += phase.cycles;
        instructions += phase.instructions;
    }
    (waits, instructions)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: Staged = Staged { rows: 80.0, words: 2.0, adjacent: true, components: 4.0, arguments: 2.0 };

    const ORDERED: Data = Data { loads: 3.0, ordered: true };

    /// Loads from memory, from the cache, and from near.
    fn loads_of(phase: Phase) -> [f64; 3] {
        let (waits, _) = waits(&[phase], 128.0);
        [waits.memory, waits.cache, waits.near]
    }

    /// However many views there are: what is left of one that has more rows than there are threads takes trips of its own.
    #[test]
    fn lists_come_first_and_then_all_data() {
        assert_eq!(loads_of(begins(false)), [0.0, 0.0, 0.0]);
        assert_eq!(loads_of(begins(true)), [1.0, 0.0, 0.0]);
        let apart = Staged { adjacent: false, words: 4.0, ..ROWS };
        let none = Data::default();
        assert_eq!(loads_of(fetch(&[ROWS, apart], &none, 128.0)), [2.0, 0.0, 0.0]);
        assert_eq!(
            loads_of(fetch(&[ROWS, apart], &ORDERED, 128.0)),
            [2.0, 0.0, 0.0],
            "what is its own comes with the rest"
        );
        assert_eq!(loads_of(fetch(&[Staged { rows: 200.0, ..ROWS }], &none, 128.0)), [6.0, 0.0, 0.0]);
        assert_eq!(loads_of(fetch(&[], &none, 128.0)), [1.0, 0.0, 0.0]);
        assert_eq!(loads_of(fetch(&[], &ORDERED, 128.0)), [2.0, 0.0, 0.0]);
    }

    /// A thread has all words of a target, and another one a word that leaves the block.
    #[test]
    fn sums_wait_for_old_values() {
        let all = Summed { rows: ROWS, each: 4.0, added: 1.0, stored: 1.0 };
        assert_eq!(loads_of(collect(&[all], true)), [0.0, 1.0, 1.0]);
        assert_eq!(loads_of(collect(&[Summed { added: 0.0, ..all }], true)), [0.0, 0.0, 0.0]);
        let (own, _) = waits(&[collect(&[all], true)], 128.0);
        assert_eq!(own.cycles, 60.0 + 4.0 * (60.0 + 8.0 * 4.0));
        let (others, _) = waits(&[collect(&[Summed { added: 0.0, ..all }], true)], 128.0);
        assert_eq!(others.cycles, 2.0 * (60.0 + 4.0 * (60.0 + 8.0 * 2.0)));
        let wide = Summed { rows: Staged { words: 9.0, ..ROWS }, ..all };
        assert_eq!(
            loads_of(collect(&[wide], true)),
            [0.0, 2.0, 2.0],
            "128 threads share out three batches of 80 targets"
        );
        assert_eq!(loads_of(collect(&[wide], false)), [0.0, 2.0, 0.0]);
        let apart = Summed { rows: Staged { adjacent: false, ..wide.rows }, ..wide };
        assert_eq!(loads_of(collect(&[apart], false)), [0.0, 3.0, 0.0]);
    }

    /// Targets first, then their data, whatever their number.
    #[test]
    fn what_is_gathered_waits_twice() {
        let none = Data::default();
        assert_eq!(loads_of(gather(&[ROWS, Staged { words: 4.0, ..ROWS }], &none, 0.0)), [2.0, 0.0, 0.0]);
        assert_eq!(loads_of(gather(&[ROWS], &ORDERED, 0.0)), [2.0, 0.0, 0.0], "what is its own comes with the rest");
        // All blocks are far.
        assert_eq!(loads_of(gather(&[ROWS], &none, 1.0)), [3.0, 0.0, 0.0]);
        assert_eq!(loads_of(gather(&[], &ORDERED, 1.0)), [2.0, 0.0, 0.0]);
        assert_eq!(gather(&[], &none, 0.0), Phase::default());
    }

    #[test]
    fn loads_that_go_together_wait_once() {
        assert_eq!(loads_of(at_once(&ORDERED, 4.0, 10.0, true)), [3.0, 1.0, 0.0]);
    }
}
