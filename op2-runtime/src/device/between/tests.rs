//! Changes between loops on the emulator, next to those on the host, with every copy counted.

use super::*;
use crate::config::{Backend, Config};
use crate::data::layout::Layout;
use crate::data::value::Value;
use crate::mesh::between::Flag;
use crate::mesh::handle::{Dat, Set, SetTag};
use crate::op::Op2;
use op2_device::{Device, Info, Mark, Resources, Source};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

mod entries;
mod grow;

/// Nothing, less than a block, about a block, several parts, a last one that is not full.
const SIZES: [usize; 7] = [0, 1, 7, 255, 256, 257, 70_001];
const LAYOUTS: [Layout; 4] = [Layout::Aos, Layout::Soa, Layout::Blocked(2), Layout::Blocked(5)];

#[derive(Clone, Copy)]
struct Cells;
impl SetTag for Cells {
    const NAME: &'static str = "Cells";
}

/// Bytes that were copied to a device and from it, texts that were compiled, and copies that succeed before one fails.
#[derive(Default)]
struct Copied {
    to: AtomicUsize,
    from: AtomicUsize,
    texts: AtomicUsize,
    left: AtomicUsize,
}

impl Copied {
    /// What was counted since the last call.
    fn take(&self) -> [usize; 3] {
        [&self.to, &self.from, &self.texts].map(|n| n.swap(0, Relaxed))
    }
}

/// The emulator, with every copy counted.
struct Counting {
    of: Box<dyn Device>,
    copied: Arc<Copied>,
}

impl Device for Counting {
    fn info(&self) -> &Info {
        self.of.info()
    }
    fn allocate(&self, what: &str, bytes: usize, granule: usize) -> Result<Buffer> {
        self.of.allocate(what, bytes, granule)
    }
    fn upload(&self, to: &Buffer, bytes: &[u8]) -> Result<()> {
        self.copied.to.fetch_add(bytes.len(), Relaxed);
        self.of.upload(to, bytes)
    }
    fn download(&self, from: &Buffer, bytes: &mut [u8]) -> Result<()> {
        if self.copied.left.fetch_sub(1, Relaxed) == 0 {
            return Err(op2_device::Error::Fault("a copy that fails".to_owned()));
        }
        self.copied.from.fetch_add(bytes.len(), Relaxed);
        self.of.download(from, bytes)
    }
    fn load(&self, source: &Source) -> Result<Module> {
        self.copied.texts.fetch_add(1, Relaxed);
        self.of.load(source)
    }
    fn launch(&self, launch: &Launch<'_>) -> Result<()> {
        self.of.launch(launch)
    }
    fn resources(&self, module: &Module, kernel: &str) -> Option<Resources> {
        self.of.resources(module, kernel)
    }
    fn wait(&self) -> Result<()> {
        self.of.wait()
    }
    fn mark(&self) -> Result<Mark> {
        self.of.mark()
    }
    fn seconds(&self, from: &Mark, to: &Mark) -> Result<f64> {
        self.of.seconds(from, to)
    }
}

/// A mesh on a device, and what was copied.
struct Subject {
    op: Op2,
    copied: Arc<Copied>,
}

impl Subject {
    /// None without a C++ compiler.
    fn new(shuffled: bool) -> Option<Self> {
        if !op2_test_support::has_cxx() {
            return None;
        }
        let config = Config { backend: Backend::CudaEmu, ..Config::default() };
        let config = if shuffled { Config { shuffle: Some(5), ..config } } else { config };
        let mut op = Op2::with(config).unwrap();
        let copied = Arc::new(Copied { left: usize::MAX.into(), ..Copied::default() });
        let of = op2_device::emulator(op2_device::Options::default()).unwrap();
        op.context.executor.device_mut().unwrap().device = Box::new(Counting { of, copied: copied.clone() });
        Some(Subject { op, copied })
    }

    fn state(&mut self) -> &mut DeviceState {
        self.op.context.executor.device_mut().unwrap()
    }

    /// A dat in a layout, whose values are sent to the device as a loop would send them.
    fn sent<V: Value>(&mut self, set: Set<Cells>, layout: Layout, values: &[V]) -> Dat<Cells, V> {
        let dat = self.op.decl_dat("sent", set, values).unwrap();
        self.op.set_layout(dat, layout).unwrap();
        let number = dat.id.index as usize;
        let context = &mut self.op.context;
        context.executor.device_mut().unwrap().ready(&context.mesh, number, true).unwrap();
        dat
    }

    /// Writes a dat of `u32` on the device alone, as a loop would.
    fn write(&mut self, dat: usize, scalars: &[u32]) {
        let context = &mut self.op.context;
        let state = context.executor.device_mut().unwrap();
        let buffer = state.ready(&context.mesh, dat, true).unwrap();
        state.device.upload(&buffer, u32::bytes(scalars)).unwrap();
        state.modified(dat, true);
    }

    /// The elements of a subset as a loop gets them, by the device's memory.
    fn elements(&mut self, subset: usize) -> Vec<u32> {
        let context = &mut self.op.context;
        let (mesh, state) = (&context.mesh, context.executor.device_mut().unwrap());
        let version = mesh.version(Object::Subset(subset));
        let store = &*mesh.subsets[subset];
        let buffer = state.elements(Stored { number: subset, version, store }).unwrap();
        let mut list = vec![0_u32; store.list.len()];
        state.device.download(&buffer, u32::bytes_mut(&mut list)).unwrap();
        list
    }
}

fn mixed(n: usize) -> u32 {
    (n as u32).wrapping_mul(2_654_435_761) >> 11
}

/// Calls `test` with a mesh of each size, with the user's numbers inside and with others.
fn on_all(test: impl Fn(&mut Subject, Set<Cells>, usize)) {
    for shuffled in [false, true] {
        for size in SIZES {
            let Some(mut subject) = Subject::new(shuffled) else { return };
            let set = subject.op.decl_set::<Cells>("cells", size).unwrap();
            test(&mut subject, set, size);
        }
    }
}

#[test]
fn a_value_everywhere_is_written_there() {
    fn check<V: Value>(subject: &mut Subject, set: Set<Cells>, size: usize, value: V) {
        for layout in LAYOUTS {
            let dat = subject.op.decl_dat_filled("filled", set, V::splat(V::Elem::default())).unwrap();
            subject.op.set_layout(dat, layout).unwrap();
            subject.copied.take();
            subject.op.fill(dat, value).unwrap();
            let [to, from, _] = subject.copied.take();
            assert_eq!((to, from), (0, 0), "{layout:?}");
            assert_eq!(subject.op.fetch(dat).unwrap(), vec![value; size], "{layout:?} {size}");
            let store = &subject.op.context.mesh.dats[dat.id.index as usize];
            assert_eq!(subject.copied.take(), [0, store.memory().len(), 0], "the device has the newest values");
        }
    }
    on_all(|subject, set, size| {
        // Threads take one scalar, then many.
        check(subject, set, size, [2_i32, -3, 5]);
        subject.state().between = Between { most_blocks: 2, ..Between::default() };
        check(subject, set, size, [1.5_f64, -2.5, f64::MIN_POSITIVE]);
        check(subject, set, size, 7.25_f32);
        check(subject, set, size, [[-1_i16, 300, 5]; 2]);
        check(subject, set, size, [true, false]);
        check(subject, set, size, u64::MAX - 7);
        if size < 1000 {
            // More components than a launch has values for.
            check(subject, set, size, std::array::from_fn::<u8, 70, _>(|n| n as u8 + 1));
        }
    });
}

/// Memory that a kernel has filled is whole: what lies behind the elements is no left-over.
#[test]
fn room_behind_the_elements_becomes_zero() {
    let Some(mut subject) = Subject::new(false) else { return };
    let set = subject.op.decl_set::<Cells>("cells", 7).unwrap();
    for layout in LAYOUTS {
        let dat = subject.op.decl_dat_filled("filled", set, [3_u8; 3]).unwrap();
        subject.op.set_layout(dat, layout).unwrap();
        subject.op.fill(dat, [1, 2, 3]).unwrap();
        let context = &mut subject.op.context;
        context.executor.device_mut().unwrap().bring_back(&mut context.mesh).unwrap();
        let memory = context.mesh.dats[dat.id.index as usize].memory();
        assert_eq!(memory.iter().map(|n| u32::from(*n)).sum::<u32>(), 7 * 6, "{layout:?}");
    }
}

#[test]
fn sums_are_made_where_the_counts_are() {
    on_all(|subject, set, size| {
        for most_blocks in [MOST_BLOCKS, 3] {
            subject.state().between = Between { most_blocks, ..Between::default() };
            let counts: Vec<u32> = (0..size).map(|e| mixed(e) % 1000).collect();
            let expected: Vec<u32> = counts.iter().scan(0, |sum, n| Some(std::mem::replace(sum, *sum + *n))).collect();
            let all = counts.iter().sum::<u32>();
            for layout in [Layout::Aos, Layout::Blocked(5)] {
                let there = subject.sent(set, layout, &counts);
                let into = subject.op.decl_dat_filled("into", set, 9_u32).unwrap();
                // The user's numbers are sent once.
                subject.op.scan(there, into).unwrap();
                subject.copied.take();
                assert_eq!(subject.op.scan(there, into).unwrap(), all);
                let total = if size == 0 { 0 } else { size_of::<u64>() };
                assert_eq!(subject.copied.take(), [0, total, 0], "the total alone is copied");
                assert_eq!(subject.op.fetch(into).unwrap(), expected, "{size}, {layout:?}");
                assert_eq!(subject.op.fetch(there).unwrap(), counts);
                subject.copied.take();
                assert_eq!(subject.op.scan(there, there).unwrap(), all, "in its own place");
                assert_eq!(subject.copied.take(), [0, total, 0]);
                assert_eq!(subject.op.fetch(there).unwrap(), expected, "{size}, {layout:?}");
            }
        }
    });
}

#[test]
fn sums_of_the_hosts_counts_are_made_on_the_host() {
    let Some(mut subject) = Subject::new(true) else { return };
    let set = subject.op.decl_set::<Cells>("cells", 300).unwrap();
    let counts = subject.sent(set, Layout::Soa, &[1_u32; 300]);
    subject.op.set_value(counts, 0, 5).unwrap();
    let flags = subject.op.decl_dat_filled("flags", set, true).unwrap();
    let subset = subject.op.decl_subset::<_, u32>("those", set, &[]).unwrap();
    subject.copied.take();
    assert_eq!(subject.op.scan(counts, counts).unwrap(), 304);
    assert_eq!(subject.op.select(subset, flags).unwrap(), 300);
    assert_eq!(subject.op.value(counts, 1).unwrap(), 5);
    assert_eq!(subject.copied.take(), [0; 3]);
}

#[test]
fn a_sum_that_is_too_great_changes_nothing() {
    for (size, rest) in [(3, 2), (5000, u32::MAX)] {
        let Some(mut subject) = Subject::new(true) else { return };
        let set = subject.op.decl_set::<Cells>("cells", size).unwrap();
        let mut values = vec![rest; size];
        values[0] = u32::MAX;
        let counts = subject.sent(set, Layout::Aos, &values);
        let into = subject.sent(set, Layout::Soa, &vec![4_u32; size]);
        let host = subject.op.decl_dat_filled("host", set, 6_u32).unwrap();
        let total = u128::from(u32::MAX) + u128::from(rest) * (size as u128 - 1);
        let expected = Error::Total { dat: "sent".to_owned(), total };
        for to in [counts, into, host] {
            assert_eq!(subject.op.scan(counts, to).unwrap_err(), expected);
        }
        assert_eq!(subject.op.fetch(counts).unwrap(), values);
        assert_eq!(subject.op.fetch(into).unwrap(), vec![4; size]);
        assert_eq!(subject.op.fetch(host).unwrap(), vec![6; size]);
        // The greatest sum.
        values.fill(0);
        values[size - 1] = u32::MAX;
        subject.op.set_data(counts, &values).unwrap();
        let number = counts.id.index as usize;
        let context = &mut subject.op.context;
        context.executor.device_mut().unwrap().ready(&context.mesh, number, true).unwrap();
        assert_eq!(subject.op.scan(counts, into).unwrap(), u32::MAX);
        assert_eq!(subject.op.fetch(into).unwrap(), vec![0; size]);
    }
}

#[test]
fn subsets_are_listed_where_the_flags_are() {
    fn check<V: Flag>(subject: &mut Subject, set: Set<Cells>, size: usize, values: Vec<V>) {
        for layout in [Layout::Aos, Layout::Blocked(2)] {
            let subset = subject.op.decl_subset::<_, u32>("those", set, &[]).unwrap();
            let flags = subject.sent(set, layout, &values);
            let number = subset.id.index as usize;
            let mesh = &subject.op.context.mesh;
            let inner = |e| mesh.sets[0].inner(e) as u32;
            let mut expected: Vec<u32> = (0..size).filter(|e| values[*e].says_yes()).map(inner).collect();
            expected.sort_unstable();
            for _ in 0..3 {
                let version = subject.op.context.mesh.version(Object::Subset(number));
                subject.copied.take();
                assert_eq!(subject.op.select(subset, flags).unwrap(), expected.len());
                let total = if size == 0 { 0 } else { size_of::<u64>() };
                let [to, from, _] = subject.copied.take();
                assert_eq!((to, from), (0, total + expected.len() * size_of::<u32>()));
                assert_eq!(subject.op.context.mesh.subsets[number].list, expected);
                assert_ne!(subject.op.context.mesh.version(Object::Subset(number)), version, "plans see the change");
                assert_eq!(subject.elements(number), expected, "loops find the list");
                assert_eq!(subject.copied.take()[0], 0, "and nothing is sent for them");
            }
        }
    }
    on_all(|subject, set, size| {
        let yes = |e: usize| mixed(e).is_multiple_of(3);
        check(subject, set, size, (0..size).map(yes).collect());
        check(subject, set, size, (0..size).map(|e| i8::from(yes(e)) * -2).collect());
        check(subject, set, size, (0..size).map(|e| u16::from(!yes(e)) << 15).collect());
        check(subject, set, size, (0..size).map(|e| i32::from(yes(e)) << 30).collect());
        check(subject, set, size, (0..size).map(|e| u64::from(yes(e)) << 40).collect());
        check(subject, set, size, vec![true; size]);
        check(subject, set, size, vec![0_u8; size]);
        subject.state().between = Between { most_blocks: 3, ..Between::default() };
        check(subject, set, size, (0..size).map(yes).collect());
    });
}

/// A list that changes takes no memory after the second time, and what another change has made is sent.
#[test]
fn lists_keep_their_memory_and_follow_changes() {
    let Some(mut subject) = Subject::new(false) else { return };
    let set = subject.op.decl_set::<Cells>("cells", 4000).unwrap();
    let subset = subject.op.decl_subset("those", set, &[3, 1]).unwrap();
    let number = subset.id.index as usize;
    assert_eq!(subject.elements(number), [3, 1]);
    let halves = [0, 1].map(|n| subject.sent(set, Layout::Soa, &(0..4000).map(|e| e % 2 == n).collect::<Vec<_>>()));
    let list = |subject: &Subject| subject.op.context.mesh.subsets[number].list.as_ptr();
    let mut memory = Vec::new();
    for step in 0..6 {
        assert_eq!(subject.op.select(subset, halves[step % 2]).unwrap(), 2000);
        assert_eq!(subject.elements(number)[5], 10 + (step % 2) as u32);
        memory.push((list(&subject), subject.state().between.lists[&number].buffer.address()));
    }
    assert_eq!(memory[0..2], memory[2..4]);
    assert_eq!(memory[0..2], memory[4..6]);
    assert_eq!(memory[0].1, memory[1].1);
    let few: Vec<bool> = (0..4000).map(|e| e < 3).collect();
    subject.op.set_data(halves[0], &few).unwrap();
    assert_eq!(subject.op.select(subset, halves[0]).unwrap(), 3, "by the host");
    assert_eq!(subject.elements(number), [0, 1, 2]);
    subject.op.compact(set, halves[0]).unwrap();
    assert_eq!(subject.elements(number), [0, 1, 2]);
}

/// As on the host: new elements may be among those that were chosen after a growth, and only then.
#[test]
fn subsets_reach_new_elements_if_they_were_chosen_later() {
    let Some(mut subject) = Subject::new(true) else { return };
    let set = subject.op.decl_set::<Cells>("cells", 40).unwrap();
    let subset = subject.op.decl_subset("those", set, &[3, 1]).unwrap();
    let reach = |subject: &Subject| subject.op.context.mesh.subsets[subset.id.index as usize].reach;
    let kids = subject.op.decl_children("kids", set, set).unwrap();
    let counts = subject.op.decl_dat_filled("counts", set, 1_u32).unwrap();
    subject.op.grow(kids, counts).unwrap();
    assert_eq!(reach(&subject), 40);
    let flags = subject.sent(set, Layout::Soa, &(0..80).map(|e| e > 70).collect::<Vec<_>>());
    assert_eq!(subject.op.select(subset, flags).unwrap(), 9);
    assert_eq!(reach(&subject), 80);
}

/// The host still has what it had, and nothing that was prepared for a list finds the memory of another one.
#[test]
fn a_device_that_fails_leaves_the_host_as_it_was() {
    let Some(mut subject) = Subject::new(false) else { return };
    let set = subject.op.decl_set::<Cells>("cells", 600).unwrap();
    let subset = subject.op.decl_subset::<_, u32>("those", set, &[]).unwrap();
    let number = subset.id.index as usize;
    let halves = [0, 1].map(|n| subject.sent(set, Layout::Soa, &(0..600).map(|e| e % 2 == n).collect::<Vec<_>>()));
    subject.op.select(subset, halves[0]).unwrap();
    let expected = subject.elements(number);
    for succeed in [0, 1] {
        let version = subject.op.context.mesh.version(Object::Subset(number));
        subject.copied.left.store(succeed, Relaxed);
        assert!(matches!(subject.op.select(subset, halves[1]), Err(Error::Device(_))));
        assert_eq!(subject.op.context.mesh.subsets[number].list, expected);
        assert_ne!(subject.op.context.mesh.version(Object::Subset(number)), version);
        assert_eq!(subject.elements(number), expected);
    }
    let counts = subject.sent(set, Layout::Aos, &[1_u32; 600]);
    subject.copied.left.store(0, Relaxed);
    assert!(matches!(subject.op.scan(counts, counts), Err(Error::Device(_))));
    assert_eq!(subject.op.fetch(counts).unwrap(), [1; 600]);
    assert_eq!(subject.op.scan(counts, counts).unwrap(), 600, "by the host");
}

#[test]
fn dats_of_another_set_are_refused() {
    let Some(mut subject) = Subject::new(false) else { return };
    let set = subject.op.decl_set::<Cells>("cells", 9).unwrap();
    let other = subject.op.decl_set::<Cells>("other", 9).unwrap();
    let counts = subject.sent(set, Layout::Aos, &[1_u32; 9]);
    let there = subject.sent(other, Layout::Aos, &[1_u32; 9]);
    let subset = subject.op.decl_subset("those", other, &[4]).unwrap();
    let refused = "dat `sent` lives on set `other`, expected set `cells`";
    let error = subject.op.scan(counts, there).unwrap_err().to_string();
    assert!(error.starts_with(refused), "{error}");
    assert!(matches!(subject.op.select(subset, counts), Err(Error::OtherSet { .. })));
    assert_eq!(subject.elements(subset.id.index as usize), [4]);
}

/// Elements leave; what the device has moves there, and what the host has moves on the host.
#[test]
fn sets_become_smaller_where_the_values_are() {
    on_all(|subject, set, size| {
        if size > 1000 {
            return;
        }
        subject.state().between = Between { most_blocks: 1, ..Between::default() };
        let other = subject.op.decl_set::<Cells>("other", 5).unwrap();
        let far = subject.sent(other, Layout::Aos, &[1_u64, 2, 3, 4, 5]);
        subject.op.fill(far, 8).unwrap();
        let value = |e: usize| [e as f64, -1.5, mixed(e) as f64];
        let mut expected: Vec<usize> = (0..size).collect();
        let dats = LAYOUTS.map(|layout| {
            let wide = subject.sent(set, layout, &(0..size).map(value).collect::<Vec<_>>());
            (wide, subject.sent(set, layout, &(0..size).map(|e| [e as u16, 7]).collect::<Vec<_>>()))
        });
        let alone: Vec<i8> = (0..size).map(|e| e as i8).collect();
        let here = subject.op.decl_dat("here", set, &alone).unwrap();
        for step in 0..3 {
            let stays = |e: usize| (mixed(e) >> 3) % 4 != step;
            let flags: Vec<u32> = expected.iter().map(|e| u32::from(stays(*e))).collect();
            // The last time, the host has the flags.
            let keep = match step {
                2 => subject.op.decl_dat("keep", set, &flags).unwrap(),
                _ => subject.sent(set, Layout::Soa, &flags),
            };
            let before = expected.len();
            expected.retain(|e| stays(*e));
            subject.copied.take();
            assert_eq!(subject.op.compact(set, keep).unwrap(), expected.len());
            let [to, from, _] = subject.copied.take();
            let list = expected.len() * size_of::<u32>();
            let total = if before == 0 { 0 } else { size_of::<u64>() };
            let sent = if expected.len() < before { list } else { 0 };
            assert_eq!((to, from), if step == 2 { (sent, 0) } else { (0, total + list) });
            for (wide, narrow) in dats {
                let values: Vec<[f64; 3]> = expected.iter().map(|e| value(*e)).collect();
                assert_eq!(subject.op.fetch(wide).unwrap(), values, "{size}, step {step}");
                let values: Vec<[u16; 2]> = expected.iter().map(|e| [*e as u16, 7]).collect();
                assert_eq!(subject.op.fetch(narrow).unwrap(), values, "{size}, step {step}");
            }
            let values: Vec<i8> = expected.iter().map(|e| *e as i8).collect();
            assert_eq!(subject.op.fetch(here).unwrap(), values);
            // Later loops find the values, and need not send them.
            subject.copied.take();
            let number = dats[1].0.id.index as usize;
            let context = &mut subject.op.context;
            context.executor.device_mut().unwrap().ready(&context.mesh, number, true).unwrap();
            assert_eq!(subject.copied.take(), [0; 3]);
        }
        let counts = subject.op.decl_dat_filled("counts", set, 0_u32).unwrap();
        subject.op.fill(counts, 3).unwrap();
        assert_eq!(subject.op.scan(counts, counts).unwrap() as usize, 3 * expected.len());
        let sums: Vec<u32> = (0..expected.len() as u32).map(|n| 3 * n).collect();
        assert_eq!(subject.op.fetch(counts).unwrap(), sums, "by the new numbers");
        assert_eq!(subject.op.fetch(far).unwrap(), [8; 5]);
    });
}

/// Entries that a device has changed are those that move, and its copy of them is old then, also where the set that they lead from
/// stays as it is.
#[test]
fn entries_follow_a_set_that_becomes_smaller() {
    let Some(mut subject) = Subject::new(true) else { return };
    let cells = subject.op.decl_set::<Cells>("cells", 4).unwrap();
    let edges = subject.op.decl_set::<Cells>("edges", 3).unwrap();
    let ends =
        subject.op.decl_opt_map("ends", edges, cells, &[[Some(0), Some(1)], [Some(1), Some(2)], [None; 2]]).unwrap();
    let needed = subject.op.decl_map("needed", edges, cells, &[[3], [3], [3]]).unwrap();
    let data = subject.op.context.mesh.maps[ends.id.index as usize].data;
    let mesh = &subject.op.context.mesh;
    let (last_edge, last_cell) = (mesh.sets[1].inner(2), mesh.sets[0].inner(3) as u32);
    let mut entries = mesh.entries(ends.id.index as usize).to_vec();
    entries[2 * last_edge] = last_cell;
    subject.write(data, &entries);
    let values = subject.sent(cells, Layout::Soa, &[10_i64, 11, 12, 13]);

    let keep = subject.sent(cells, Layout::Aos, &[true, true, true, false]);
    let error = subject.op.compact(cells, keep).unwrap_err();
    assert!(matches!(error, Error::Kept { element: 0, target: 3, .. }), "{error}");
    assert_eq!(subject.op.fetch(values).unwrap(), [10, 11, 12, 13], "nothing has changed");

    let keep = subject.sent(cells, Layout::Aos, &[true, false, true, true]);
    assert_eq!(subject.op.compact(cells, keep).unwrap(), 3);
    let expected = [[Some(0), None], [None, Some(1)], [Some(2), None]];
    assert_eq!(subject.op.fetch_opt_map(ends).unwrap(), expected);
    assert_eq!(subject.op.fetch_map(needed).unwrap(), [[2]; 3]);
    assert_eq!(subject.op.fetch(values).unwrap(), [10, 12, 13]);
    let context = &mut subject.op.context;
    let state = context.executor.device_mut().unwrap();
    let buffer = state.ready(&context.mesh, data, true).unwrap();
    let mut found = vec![0_u32; 6];
    state.device.download(&buffer, u32::bytes_mut(&mut found)).unwrap();
    assert_eq!(found[..], context.mesh.entries(ends.id.index as usize)[..], "the device gets the new entries");
}

/// The inverse of an inverse depends on the map that loops write, whose entries come from the device first.
#[test]
fn inverses_follow_entries_that_the_device_has() {
    let Some(mut subject) = Subject::new(false) else { return };
    let cells = subject.op.decl_set::<Cells>("cells", 3).unwrap();
    let edges = subject.op.decl_set::<Cells>("edges", 3).unwrap();
    let ends = subject.op.decl_opt_map("ends", edges, cells, &[[Some(0)], [Some(1)], [None]]).unwrap();
    let inverse = subject.op.invert(ends).unwrap();
    let again = subject.op.invert(inverse).unwrap();
    assert_eq!(subject.op.fetch_rows(again).unwrap(), (vec![0, 1, 2, 2], vec![0, 1]));
    let map = ends.id.index as usize;
    let data = subject.op.context.mesh.maps[map].data;
    subject.write(data, &[2, 2, 0]);
    // As a loop notes it.
    subject.op.context.mesh.maps[map].change().entries_changed(3);
    assert_eq!(subject.op.fetch_rows(again).unwrap(), (vec![0, 1, 2, 3], vec![2, 2, 0]));
    assert_eq!(subject.op.fetch_rows(inverse).unwrap(), (vec![0, 1, 1, 3], vec![2, 0, 1]));
}
