//! Sets that gain elements on a device, next to the same on the host.

use super::*;
use crate::mesh::handle::{Map, OptMap, Rows};
use crate::plan::key::StoredMap;

/// The same mesh on a device and on the host.
struct Both {
    there: Subject,
    host: Op2,
}

/// Handles of one mesh; those of the other have the same numbers.
struct Handles {
    cells: Set<Cells>,
    wide: Vec<Dat<Cells, [f64; 3]>>,
    narrow: Vec<Dat<Cells, [u16; 2]>>,
    many: Dat<Cells, [u8; 70]>,
    alone: Dat<Cells, i64>,
    counts: Dat<Cells, u32>,
    kids: Rows<Cells, Cells>,
    next: OptMap<Cells, Cells, 1>,
    near: Map<Cells, Cells, 2>,
}

fn declare(op: &mut Op2, size: usize) -> Handles {
    let cells = op.decl_set::<Cells>("cells", size).unwrap();
    let mut wide = Vec::new();
    let mut narrow = Vec::new();
    for layout in LAYOUTS {
        let dat = op.decl_dat_filled("wide", cells, [0.5, -1.5, f64::MAX]).unwrap();
        let values: Vec<[f64; 3]> = (0..size).map(|e| [e as f64, -1.5, mixed(e) as f64]).collect();
        op.set_layout(dat, layout).unwrap();
        op.set_data(dat, &values).unwrap();
        wide.push(dat);
        let dat = op.decl_dat("narrow", cells, &(0..size).map(|e| [e as u16, 7]).collect::<Vec<_>>()).unwrap();
        op.set_layout(dat, layout).unwrap();
        narrow.push(dat);
    }
    let many = op.decl_dat_filled("many", cells, std::array::from_fn(|n| n as u8 + 1)).unwrap();
    let alone = op.decl_dat_filled("alone", cells, -9_i64).unwrap();
    let counts = op.decl_dat_filled("counts", cells, 0_u32).unwrap();
    let kids = op.decl_children("kids", cells, cells).unwrap();
    let entries: Vec<[Option<u32>; 1]> = (0..size).map(|e| [(e > 0).then_some(e as u32 / 2)]).collect();
    let next = op.decl_opt_map("next", cells, cells, &entries).unwrap();
    let near: Vec<[usize; 2]> = (0..size).map(|e| [e, e - usize::from(e % 3 == 2)]).collect();
    let near = op.decl_map("near", cells, cells, &near).unwrap();
    Handles { cells, wide, narrow, many, alone, counts, kids, next, near }
}

impl Both {
    fn new(size: usize, shuffled: bool) -> Option<(Self, [Handles; 2])> {
        let mut there = Subject::new(shuffled)?;
        let mut host = Op2::with(Config { shuffle: shuffled.then_some(5), ..Config::default() }).unwrap();
        let handles = [declare(&mut there.op, size), declare(&mut host, size)];
        Some((Both { there, host }, handles))
    }

    /// Sends all dats but `alone`, and entries, as loops would. Those of `next` are as if a loop had written them.
    fn send(&mut self) {
        let context = &mut self.there.op.context;
        let device = context.executor.device_mut().unwrap();
        for (dat, store) in context.mesh.dats.iter().enumerate() {
            let of_rows = store.of_map.is_some_and(|map| context.mesh.maps[map].offsets.is_some());
            if store.name != "alone" && !of_rows {
                device.ready(&context.mesh, dat, true).unwrap();
            }
            if store.name == "next" {
                device.modified(dat, true);
            }
        }
    }

    fn assert_equal(&mut self, [there, host]: &[Handles; 2]) {
        let (a, b) = (&mut self.there.op, &mut self.host);
        for (x, y) in there.wide.iter().zip(&host.wide) {
            assert_eq!(a.fetch(*x).unwrap(), b.fetch(*y).unwrap());
        }
        for (x, y) in there.narrow.iter().zip(&host.narrow) {
            assert_eq!(a.fetch(*x).unwrap(), b.fetch(*y).unwrap());
        }
        assert_eq!(a.fetch(there.many).unwrap(), b.fetch(host.many).unwrap());
        assert_eq!(a.fetch(there.alone).unwrap(), b.fetch(host.alone).unwrap());
        assert_eq!(a.fetch(there.counts).unwrap(), b.fetch(host.counts).unwrap());
        assert_eq!(a.fetch_rows(there.kids).unwrap(), b.fetch_rows(host.kids).unwrap());
        assert_eq!(a.fetch_opt_map(there.next).unwrap(), b.fetch_opt_map(host.next).unwrap());
        assert_eq!(a.fetch_map(there.near), b.fetch_map(host.near), "new rows have no entries yet");
    }
}

/// New elements get their first values where the old values are; the counts are all that comes to the host.
#[test]
fn sets_grow_where_the_values_are() {
    for (size, shuffled) in [0, 1, 7, 256, 700].into_iter().flat_map(|size| [(size, false), (size, true)]) {
        let Some((mut both, handles)) = Both::new(size, shuffled) else { return };
        both.there.state().between = Between { most_blocks: 2, ..Between::default() };
        let [there, host] = &handles;
        // Without room, with room that is left, without new elements, on counts of the host.
        for step in 0..5 {
            let now = both.host.context.mesh.sets[0].size;
            both.send();
            let by_device = step < 3;
            if by_device {
                let each = [1, 0, 2][step];
                both.there.op.fill(there.counts, each).unwrap();
                both.host.fill(host.counts, each).unwrap();
            } else {
                let counts: Vec<u32> = (0..now).map(|e| u32::from(e % 9 == step)).collect();
                both.there.op.set_data(there.counts, &counts).unwrap();
                both.host.set_data(host.counts, &counts).unwrap();
            }
            let counts = both.there.op.context.mesh.dats[there.counts.id.index as usize].memory().len();
            both.there.copied.take();
            let added = both.host.grow(host.kids, host.counts).unwrap();
            assert_eq!(both.there.op.grow(there.kids, there.counts).unwrap(), added);
            let [to, from, _] = both.there.copied.take();
            assert_eq!((to, from), (0, if by_device { counts } else { 0 }), "{size}, step {step}");
            let [a, b] = [&both.there.op, &both.host].map(|op| op.context.mesh.sets[0].capacity);
            assert_eq!(a, b, "{size}, step {step}");
            both.assert_equal(&handles);
        }
        // Elements leave and others come, in memory that keeps its room.
        let now = both.host.context.mesh.sets[0].size;
        let flags: Vec<bool> = (0..now).map(|e| e % 3 > 0).collect();
        let keep = both.there.op.decl_dat("keep", there.cells, &flags).unwrap();
        both.there.op.compact(there.cells, keep).unwrap();
        let keep = both.host.decl_dat("keep", host.cells, &flags).unwrap();
        both.host.compact(host.cells, keep).unwrap();
        both.there.op.fill(there.counts, 1).unwrap();
        both.host.fill(host.counts, 1).unwrap();
        both.there.op.grow(there.kids, there.counts).unwrap();
        both.host.grow(host.kids, host.counts).unwrap();
        both.assert_equal(&handles);
    }
}

/// Nothing has changed if counts do not arrive, or are too many.
#[test]
fn a_growth_that_fails_changes_nothing() {
    let Some((mut both, handles)) = Both::new(300, true) else { return };
    both.send();
    let [there, host] = &handles;
    both.there.op.fill(there.counts, u32::MAX).unwrap();
    both.host.fill(host.counts, u32::MAX).unwrap();
    both.there.copied.left.store(0, Relaxed);
    assert!(matches!(both.there.op.grow(there.kids, there.counts), Err(Error::Device(_))));
    both.there.copied.left.store(usize::MAX, Relaxed);
    assert!(matches!(both.there.op.grow(there.kids, there.counts), Err(Error::Total { .. })));
    both.assert_equal(&handles);
}

/// Repeated growth copies entries a few times at most, and entries that have room change places with others.
#[test]
fn entries_have_room_for_more() {
    let Some(mut there) = Subject::new(true) else { return };
    let mut host = Op2::with(Config { shuffle: Some(5), ..Config::default() }).unwrap();
    let [of_there, of_host] = [&mut there.op, &mut host].map(|op| {
        let cells = op.decl_set::<Cells>("cells", 100).unwrap();
        let entries = |n: u32| (0..100).map(|e| [(e % 7 > n).then_some(e * n % 100), Some(n)]).collect::<Vec<_>>();
        let maps = [2, 3].map(|n| op.decl_opt_map::<_, _, u32, 2>("map", cells, cells, &entries(n)).unwrap());
        let counts = op.decl_dat("counts", cells, &(0..100).map(|e| u32::from(e == 60)).collect::<Vec<_>>()).unwrap();
        (maps, counts, op.decl_children("kids", cells, cells).unwrap())
    });
    let numbers = of_there.0.map(|map| map.id.index as usize);
    let data = numbers.map(|map| there.op.context.mesh.maps[map].data);
    let mut addresses = Vec::new();
    for step in 0..120 {
        let context = &mut there.op.context;
        let device = context.executor.device_mut().unwrap();
        for data in data {
            device.ready(&context.mesh, data, true).unwrap();
            device.modified(data, true);
        }
        addresses.push(device.dats[data[0]].buffer.as_ref().map(Buffer::address));
        for (op, (maps, counts, kids)) in [(&mut there.op, &of_there), (&mut host, &of_host)] {
            assert_eq!(op.grow(*kids, *counts).unwrap(), 1);
            if step % 50 == 49 {
                op.swap(maps[0], maps[1]).unwrap();
            }
        }
        if step % 30 == 0 {
            // As loops follow them.
            for map in numbers {
                let context = &mut there.op.context;
                let device = context.executor.device_mut().unwrap();
                let buffer = device.map(StoredMap::of(&context.mesh, map)).unwrap();
                let mut found = vec![0; host.context.mesh.entries(map).len()];
                device.device.download(&buffer, u32::bytes_mut(&mut found)).unwrap();
                let (entries, rows) = (host.context.mesh.entries(map), found.len() / 2);
                assert!(
                    found.iter().enumerate().all(|(n, entry)| *entry == entries[n % rows * 2 + n / rows]),
                    "{step}"
                );
            }
            let [a, b] = [(&mut there.op, &of_there), (&mut host, &of_host)]
                .map(|(op, (maps, ..))| maps.map(|map| op.fetch_opt_map(map).unwrap()));
            assert_eq!(a, b, "step {step}");
        }
    }
    addresses.dedup();
    assert!(addresses.len() < 8, "{} times other memory", addresses.len());
}
