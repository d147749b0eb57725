//! Damaged colourings and plans: the emulator reports which elements of generated code collide.
//!
//! 128 edges in two blocks of 64; edge `e` leads to node `(e + 1) / 2`, so that edges 9 and 10 meet in node 5, and both
//! blocks reach node 32.

use op2_device::{Arg, Buffer, Device, Emulator, Error, Launch, Options, Result, Source, Target};

const EDGES: usize = 128;
const NODES: usize = 65;
const BLOCK: usize = 64;
/// The number of nodes that a block reaches.
const STAGED: usize = 33;

fn node(edge: usize) -> usize {
    edge.div_ceil(2)
}

/// The emulator, if there is a C++ compiler.
fn emulator() -> Option<Emulator> {
    op2_test_support::has_cxx().then(|| Emulator::new(Options::default()).unwrap_or_else(|e| panic!("{e}")))
}

/// A golden text with the sizes of this mesh.
fn golden(case: &str, kernel: &str, variants: &[&str]) -> Source {
    let path = format!("{}/../tests/golden/{case}/cuda.cu", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    Source {
        target: Target::Cuda,
        name: kernel.to_owned(),
        definitions: Vec::new(),
        text: text.replace(" 1000\n", &format!(" {EDGES}\n")).into(),
        kernels: variants.iter().map(|v| format!("{kernel}_{v}")).collect(),
    }
}

/// Everything that a plan of two blocks provides; tests damage it.
struct Plan {
    /// Positions that one launch runs, for the variants without blocks.
    order: Vec<u32>,
    ends: Vec<u32>,
    /// Blocks that one launch runs.
    ids: Vec<u32>,
    /// The edge at each position of the blocks, if it is another number.
    edges: Option<Vec<u32>>,
    offsets: [u32; 3],
    colours: Vec<u32>,
    /// The nodes that the blocks stage, one block after the other.
    list: Vec<u32>,
    local: Vec<u16>,
    /// The number of targets of each block that get sums.
    summed: [usize; 2],
    /// The place of edge 7's contribution in the first block's list, if it is wrong.
    place: Option<u16>,
    /// The first copy of each block, and the number of copies.
    copies: [u32; 3],
    /// The copies that are added to node 32, if there are any.
    added: Option<Vec<u32>>,
}

impl Plan {
    /// A correct plan, with both blocks in one launch.
    fn right() -> Self {
        let nodes = (0..EDGES).map(node);
        Plan {
            order: (0..EDGES as u32).step_by(2).collect(),
            ends: nodes.clone().map(|n| n as u32).collect(),
            ids: vec![0, 1],
            edges: None,
            offsets: [0, BLOCK as u32, EDGES as u32],
            list: (0..STAGED as u32).chain(32..NODES as u32).collect(),
            copies: [0; 3],
            added: None,
            colours: (0..EDGES as u32).map(|e| e % 2).collect(),
            local: (0..EDGES).map(|e| (node(e) - node(e / BLOCK * BLOCK)) as u16).collect(),
            summed: [STAGED; 2],
            place: None,
        }
    }

    /// A plan for tiles: both blocks stage node 32 last, and each has a copy of it.
    fn tiles() -> Self {
        Plan {
            list: (0..STAGED as u32).chain(33..NODES as u32).chain([32]).collect(),
            local: (0..EDGES).map(|e| if e == BLOCK { 32 } else { (node(e) - e / BLOCK * STAGED) as u16 }).collect(),
            copies: [0, 1, 2],
            added: Some(vec![0, 1]),
            ..Plan::right()
        }
    }

    /// A plan for owners: both blocks run edge 64, whose node 32 belongs to the first.
    fn owners() -> Self {
        let edges: Vec<u32> = (0..=64).chain(64..EDGES as u32).collect();
        let local = |(p, &e): (usize, &u32)| match p {
            0..=64 => node(e as usize) as u16,
            65 => 32,
            _ => (node(e as usize) - STAGED) as u16,
        };
        Plan {
            local: edges.iter().enumerate().map(local).collect(),
            colours: edges.iter().map(|e| e % 2).collect(),
            offsets: [0, 65, EDGES as u32 + 1],
            edges: Some(edges),
            summed: [STAGED, STAGED - 1],
            copies: [0, 0, 1],
            added: None,
            ..Plan::tiles()
        }
    }

    /// Targets of a block that are its own.
    fn own(&self, block: usize) -> usize {
        STAGED - (self.copies[block + 1] - self.copies[block]) as usize
    }

    /// The contributions to the targets of each block of `threads` threads, and the units of 16 bytes that each block has.
    fn incoming(&self, threads: usize) -> (Vec<u16>, u32) {
        let mut blocks = Vec::new();
        for (block, &count) in self.summed.iter().enumerate() {
            let copy = self.copies[block];
            let own = self.own(block);
            let local = &self.local[self.offsets[block] as usize..self.offsets[block + 1] as usize];
            // The words before the contributions.
            let ahead = 8 + 2 * (count + 1);
            let (mut of_targets, mut list) = (vec![2 * ahead as u16, 0], Vec::new());
            for target in 0..count as u16 {
                list.extend((0..threads as u16).zip(local).filter(|(_, to)| **to == target).map(|(place, _)| place));
                of_targets.extend([2 * (ahead + list.len()) as u16, 0]);
            }
            if let Some(place) = self.place.filter(|_| block == 0) {
                list[7] = place;
            }
            let words: Vec<u16> = [(count - own) as u16, own as u16, copy as u16, 0, 0, 0, 0, 0]
                .into_iter()
                .chain(of_targets)
                .chain(list)
                .collect();
            blocks.push(words);
        }
        let most = blocks.iter().map(Vec::len).max().unwrap_or(0).next_multiple_of(8);
        blocks.iter_mut().for_each(|words| words.resize(most, 0));
        (blocks.concat(), most as u32 / 8)
    }

    /// Positions that each block has room for.
    fn stride(&self) -> usize {
        (self.offsets[1].max(self.offsets[2] - self.offsets[1])) as usize
    }

    /// A list by position, with as much room for each block as the larger one needs, and `threads` more positions.
    fn placed<T: Copy + Default>(&self, list: &[T], threads: usize) -> Vec<T> {
        let blocks = self.offsets.windows(2).flat_map(|block| {
            let mut own = list[block[0] as usize..block[1] as usize].to_vec();
            own.resize(self.stride(), T::default());
            own
        });
        blocks.chain(std::iter::repeat_n(T::default(), threads)).collect()
    }
}

/// A device with the plan, and the buffers that must stay alive.
struct Bench<'a> {
    device: &'a Emulator,
    held: Vec<Buffer>,
}

impl Bench<'_> {
    fn keep(&mut self, what: &str, bytes: Vec<u8>, granule: usize) -> u64 {
        let buffer = self.device.allocate(what, bytes.len(), granule).expect("there is memory");
        self.device.upload(&buffer, &bytes).expect("it fits");
        self.held.push(buffer.clone());
        buffer.address()
    }

    fn numbers(&mut self, what: &str, list: &[u32]) -> u64 {
        self.keep(what, list.iter().flat_map(|n| n.to_ne_bytes()).collect(), 4)
    }

    fn range(&mut self, plan: &Plan) -> Vec<u8> {
        let order = self.numbers("order", &plan.order);
        frame(&[order], &[0, plan.order.len() as u32, 0, EDGES as u32])
    }

    /// The parameters `Blocks` and `Stage`.
    fn blocks(&mut self, plan: &Plan, threads: usize) -> [Vec<u8>; 2] {
        let elements = self.numbers("elements", &[plan.offsets[1], plan.offsets[2] - plan.offsets[1]]);
        let edges = plan.edges.as_ref().map_or(0, |edges| self.numbers("edges", &plan.placed(edges, threads)));
        let ids = self.numbers("ids", &plan.ids);
        let colours = self.numbers("colours", &plan.placed(&plan.colours, threads));
        let counts = self.numbers("counts", &[2, 2]);
        let list = self.numbers("list", &plan.list);
        let mut halves = |what, list: &[u16]| self.keep(what, list.iter().flat_map(|n| n.to_ne_bytes()).collect(), 2);
        let (words, units) = plan.incoming(threads);
        let (local, incoming) = (halves("local", &plan.placed(&plan.local, threads)), halves("incoming", &words));
        let about = [0, 1].map(|block| [STAGED as u32, plan.own(block) as u32]).concat();
        let about = self.keep("about", about.iter().flat_map(|n| n.to_ne_bytes()).collect(), 8);
        [
            frame(&[ids, elements, edges, colours, counts], &[0, plan.stride() as u32]),
            frame(&[about, list, local, 0, incoming], &[STAGED as u32, plan.copies[2], units, 0]),
        ]
    }

    fn launch(&self, source: &Source, variant: &str, grid: u32, shared: u32, args: &[Arg<'_>]) -> Result<()> {
        let (module, kernel) = (&self.device.load(source)?, &format!("{}_{variant}", source.name));
        let block = threads(variant) as u32;
        self.device.launch(&Launch { module, kernel, grid, block, shared, args, values: &[] })
    }
}

/// One block of owners needs more threads; other variants leave some idle.
fn threads(variant: &str) -> usize {
    if variant == "tiled" { 96 } else { BLOCK }
}

fn frame(pointers: &[u64], numbers: &[u32]) -> Vec<u8> {
    pointers.iter().flat_map(|p| p.to_ne_bytes()).chain(numbers.iter().flat_map(|n| n.to_ne_bytes())).collect()
}

/// Adds half of the weight 1 of each edge to its node, and returns the values of the nodes.
fn spread(device: &Emulator, variant: &str, plan: &Plan) -> Result<Vec<f64>> {
    let mut bench = Bench { device, held: Vec::new() };
    let source = golden("indirect_inc", "spread", &["global", "atomic", "staged", "combined", "tiled", "gather_s"]);
    bench.keep("dat `w`", [1.0f64; EDGES].iter().flat_map(|w| w.to_ne_bytes()).collect(), 8);
    bench.keep("dat `s`", [0.0f64; NODES].iter().flat_map(|s| s.to_ne_bytes()).collect(), 8);
    bench.numbers("map `ends`", &plan.ends);
    let (range, [blocks, stage]) = (bench.range(plan), bench.blocks(plan, threads(variant)));
    let data = bench.held[..3].to_vec();
    let in_blocks = ["staged", "combined", "tiled"].contains(&variant);
    let sums = plan.added.as_ref().map(|added| {
        bench.keep("copies of dat `s`", vec![0; 8 * plan.copies[2] as usize], 8);
        let parts = bench.held[bench.held.len() - 1].clone();
        let list = bench.numbers("added", added);
        let (starts, targets) = (bench.numbers("lists", &[0, added.len() as u32]), bench.numbers("target", &[32]));
        (frame(&[starts, list, targets], &[1, plan.copies[2]]), parts)
    });
    let parts = sums.as_ref().map(|(_, parts)| parts);
    let frames = if in_blocks { vec![blocks, stage] } else { vec![range] };
    let frames = frames.iter().map(|f| Arg::Bytes(f));
    let kept = (variant == "tiled").then_some(Arg::Buffer(parts));
    let args: Vec<Arg<'_>> = frames.chain(data.iter().map(|d| Arg::Buffer(Some(d)))).chain(kept).collect();
    // The contributions of all threads, and a list for as many and for the targets.
    let room = (8 * (threads(variant) + 1) + 2 * (8 + 2 * (STAGED + 1) + threads(variant))).next_multiple_of(16) + 16;
    let (grid, shared) = if in_blocks { (plan.ids.len() as u32, room as u32) } else { (2, 0) };
    bench.launch(&source, variant, grid, shared, &args)?;
    if let Some((frame, parts)) = &sums {
        bench.launch(
            &source,
            "gather_s",
            1,
            0,
            &[Arg::Bytes(frame), Arg::Buffer(Some(&data[1])), Arg::Buffer(Some(parts))],
        )?;
    }
    let mut bytes = vec![0; 8 * NODES];
    device.download(&data[1], &mut bytes)?;
    Ok(bytes.as_chunks::<8>().0.iter().map(|b| f64::from_ne_bytes(*b)).collect())
}

/// Asserts a fault whose message has all of these parts.
fn assert_fault(done: Result<Vec<f64>>, parts: &[&str]) {
    let Err(Error::Fault(message)) = done else { panic!("expected a fault, found {done:?}") };
    for part in parts {
        assert!(message.contains(part), "`{part}` is missing in: {message}");
    }
}

/// The sum over `edges` of a half at each edge's node.
fn sums(edges: impl Iterator<Item = usize>) -> Vec<f64> {
    let mut sums = vec![0.0; NODES];
    edges.for_each(|e| sums[node(e)] += 0.5);
    sums
}

#[test]
fn right_plans_pass() {
    let Some(device) = emulator() else { return };
    let plan = Plan::right();
    assert_eq!(spread(&device, "global", &plan), Ok(sums((0..EDGES).step_by(2))));
    assert_eq!(spread(&device, "combined", &Plan { added: None, ..Plan::tiles() }), Ok(sums(0..EDGES)));
    for block in [0, 1] {
        let one = Plan { ids: vec![block], ..Plan::right() };
        let edges = block as usize * BLOCK..(block as usize + 1) * BLOCK;
        assert_eq!(spread(&device, "staged", &one), Ok(sums(edges)));
    }
    assert_eq!(spread(&device, "tiled", &Plan::tiles()), Ok(sums(0..EDGES)));
    assert_eq!(spread(&device, "tiled", &Plan::owners()), Ok(sums(0..EDGES)));
    let all = Plan { order: (0..EDGES as u32).collect(), ..Plan::right() };
    assert_eq!(spread(&device, "atomic", &all), Ok(sums(0..EDGES)));
}

#[test]
fn two_elements_of_one_node_in_a_colour() {
    let Some(device) = emulator() else { return };
    let mut plan = Plan::right();
    plan.order.push(9);
    let parts = ["kernel `spread_global`", "element 9 (", "element 10 (", "scalar 5 of dat `s`"];
    assert_fault(spread(&device, "global", &plan), &parts);
}

#[test]
fn two_blocks_of_one_node_at_once() {
    let Some(device) = emulator() else { return };
    // Threads write staged values back in turn, so the elements in the message are not those that collided.
    let parts = ["kernel `spread_staged`", "(block 0, thread 32)", "(block 1, thread 0)", "scalar 32 of dat `s`"];
    assert_fault(spread(&device, "staged", &Plan::right()), &parts);
}

#[test]
fn a_shared_node_that_is_not_marked() {
    let Some(device) = emulator() else { return };
    let plan = Plan { copies: [0, 0, 1], added: None, ..Plan::tiles() };
    let parts = ["kernel `spread_combined`", "(block 0, thread 32)", "(block 1, thread 0)", "scalar 32 of dat `s`"];
    assert_fault(spread(&device, "combined", &plan), &parts);
}

/// Node 32 belongs to two tiles, or to two owners.
#[test]
fn a_target_that_two_blocks_have_for_their_own() {
    let Some(device) = emulator() else { return };
    let parts = ["kernel `spread_tiled`", "(block 0, thread 32)", "(block 1, thread 32)", "scalar 32 of dat `s`"];
    for plan in [Plan::tiles(), Plan::owners()] {
        let plan = Plan { summed: [STAGED; 2], copies: [0; 3], added: None, ..plan };
        assert_fault(spread(&device, "tiled", &plan), &parts);
    }
}

#[test]
fn a_copy_that_is_left_out() {
    let Some(device) = emulator() else { return };
    let found = spread(&device, "tiled", &Plan { added: Some(vec![1]), ..Plan::tiles() });
    // The contribution of the first block to node 32 is half of edge 63.
    assert_eq!(found, Ok(sums((0..EDGES).filter(|&e| e != 63))));
}

#[test]
fn contributions_at_places_where_nobody_leaves_any() {
    let Some(device) = emulator() else { return };
    // The first lies behind those of all threads, the other outside of shared memory.
    for (place, what) in [(BLOCK as u16, "no thread of the block has written"), (5000, "shared memory")] {
        let plan = Plan { ids: vec![0], place: Some(place), ..Plan::right() };
        // Node 4 gets the contributions of the edges 7 and 8.
        assert_fault(spread(&device, "staged", &plan), &["kernel `spread_staged`", "(block 0, thread 4)", what]);
    }
}

#[test]
fn a_map_entry_out_of_range() {
    let Some(device) = emulator() else { return };
    let mut plan = Plan::right();
    plan.ends[6] = NODES as u32 + 3;
    let parts = ["kernel `spread_global`", "element 6 (", "dat `s`"];
    assert_fault(spread(&device, "global", &plan), &parts);
}

/// Elements that read and write through a map run by colour; if they collide, the emulator reports it.
#[test]
fn turns_of_elements_that_read_and_write() {
    let Some(device) = emulator() else { return };
    let touch = |plan: &Plan| {
        let mut bench = Bench { device: &device, held: Vec::new() };
        let source = golden("through_maps", "touch", &["staged"]);
        for (dat, bytes) in [("a", 8), ("b", 8), ("c", 4), ("d", 8)] {
            bench.keep(&format!("dat `{dat}`"), vec![0; bytes * NODES], if bytes == 8 && dat != "d" { 8 } else { 4 });
        }
        bench.numbers("map `owner`", &plan.ends);
        let frames = bench.blocks(plan, BLOCK);
        let frames = frames.iter().map(|f| Arg::Bytes(f));
        let data = bench.held[..5].to_vec();
        // Without lists, the user's numbers equal those of the data.
        let data = data.iter().map(|d| Arg::Buffer(Some(d))).chain([Arg::Buffer(None)]);
        let args: Vec<Arg<'_>> = frames.chain(data).collect();
        bench.launch(&source, "staged", plan.ids.len() as u32, 4096, &args).map(|()| Vec::new())
    };
    let mut plan = Plan { ids: vec![0], ..Plan::right() };
    assert_eq!(touch(&plan), Ok(Vec::new()));
    plan.colours[9] = plan.colours[10];
    assert_fault(touch(&plan), &["kernel `touch_staged`", "element 9 (", "element 10 (", "of shared memory"]);
}
