//! Entries of maps whose sets lose elements on a device, next to the same on the host.

use super::*;
use crate::mesh::handle::{Map, OptMap, Rows};
use crate::plan::key::StoredMap;

/// Where the device has entries before elements leave.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    /// As a kernel has written them: the host has older ones.
    Written,
    /// As a kernel has read them.
    Read,
    /// Entry by entry, as a loop has followed them.
    Followed,
    /// Nowhere.
    Missing,
}

const FORMS: [Form; 4] = [Form::Written, Form::Read, Form::Followed, Form::Missing];

#[derive(Clone, Copy)]
struct Handles {
    edges: Set<Cells>,
    nodes: Set<Cells>,
    ends: Map<Cells, Cells, 2>,
    sides: OptMap<Cells, Cells, 3>,
    next: Map<Cells, Cells, 1>,
    near: OptMap<Cells, Cells, 2>,
    lists: Rows<Cells, Cells>,
    values: Dat<Cells, [f32; 3]>,
}

type Needed = (Vec<[u32; 2]>, Vec<[u32; 1]>);
type MayMiss = (Vec<[Option<u32>; 3]>, Vec<[Option<u32>; 2]>);

/// `salt` makes entries others. Nodes lead to nodes of the same third, so that a third can leave.
fn needed(sizes: [usize; 2], salt: usize) -> Needed {
    let [edges, nodes] = sizes;
    let node = |n: usize, by: usize| (mixed(n * 7 + salt + by) as usize % nodes) as u32;
    let third = |n: usize| (n % 3 + mixed(n + salt) as usize % nodes.div_ceil(3) * 3) as u32;
    let next = |n: usize| if (third(n) as usize) < nodes { third(n) } else { n as u32 };
    ((0..edges).map(|e| [node(e, 1), node(e, 2)]).collect(), (0..nodes).map(|n| [next(n)]).collect())
}

fn may_miss([edges, nodes]: [usize; 2], salt: usize) -> MayMiss {
    let entry = |n: usize, by: usize, size: usize| {
        let place = mixed(n * 5 + salt + by) as usize;
        (size > 0 && !place.is_multiple_of(4)).then(|| (place % size) as u32)
    };
    let sides = (0..edges).map(|e| [1, 2, 3].map(|by| entry(e, by, nodes))).collect();
    (sides, (0..nodes).map(|n| [entry(n, 4, edges), entry(n, 5, edges)]).collect())
}

fn declare(op: &mut Op2, sizes: [usize; 2], layout: Layout) -> Handles {
    let (edges, nodes) = (op.decl_set("edges", sizes[0]).unwrap(), op.decl_set("nodes", sizes[1]).unwrap());
    let ((ends, next), (sides, near)) = (needed(sizes, 0), may_miss(sizes, 0));
    let starts: Vec<usize> = (0..=sizes[0]).map(|e| e / 2).collect();
    let rows: Vec<u32> = (0..sizes[0] / 2).map(|n| (n % sizes[1]) as u32).collect();
    let values: Vec<[f32; 3]> = (0..sizes[1]).map(|n| [n as f32, 1.0, 2.0]).collect();
    let values = op.decl_dat("values", nodes, &values).unwrap();
    op.set_layout(values, layout).unwrap();
    Handles {
        edges,
        nodes,
        ends: op.decl_map("ends", edges, nodes, &ends).unwrap(),
        sides: op.decl_opt_map("sides", edges, nodes, &sides).unwrap(),
        next: op.decl_map("next", nodes, nodes, &next).unwrap(),
        near: op.decl_opt_map("near", nodes, edges, &near).unwrap(),
        lists: op.decl_rows("lists", edges, nodes, &starts, &rows).unwrap(),
        values,
    }
}

/// The same mesh on a device and on the host.
struct Both {
    there: Subject,
    host: Op2,
    of: [Handles; 2],
    layout: Layout,
}

impl Both {
    fn new(edges: usize, shuffled: bool, layout: Layout) -> Option<Self> {
        let mut there = Subject::new(shuffled)?;
        let mut host = Op2::with(Config { shuffle: shuffled.then_some(5), ..Config::default() }).unwrap();
        let sizes = [edges, edges / 2 + 2];
        let of = [&mut there.op, &mut host].map(|op| declare(op, sizes, layout));
        there.state().between = Between { most_blocks: 2, ..Between::default() };
        Some(Both { there, host, of, layout })
    }

    fn sizes(&self) -> [usize; 2] {
        [0, 1].map(|set| self.host.context.mesh.sets[set].size)
    }

    /// The numbers of the maps with rows of one length.
    fn maps(&self) -> [usize; 4] {
        let Handles { ends, sides, next, near, .. } = self.of[0];
        [ends.id, sides.id, next.id, near.id].map(|id| id.index as usize)
    }

    /// Brings entries into a form. The device alone has those that are written.
    fn bring(&mut self, form: Form) {
        let Handles { ends, sides, next, near, .. } = self.of[1];
        if form == Form::Written {
            let (sizes, host) = (self.sizes(), &mut self.host);
            let ((of_ends, of_next), (of_sides, of_near)) = (needed(sizes, 9), may_miss(sizes, 9));
            host.set_map(ends, &of_ends).unwrap();
            host.set_map(next, &of_next).unwrap();
            host.set_opt_map(sides, &of_sides).unwrap();
            host.set_opt_map(near, &of_near).unwrap();
        }
        for map in self.maps() {
            let entries = self.host.context.mesh.entries(map).to_vec();
            let mesh = &mut self.there.op.context.mesh;
            let (data, reach) = (mesh.maps[map].data, mesh.sets[mesh.maps[map].to].size);
            if form == Form::Written {
                mesh.maps[map].change().entries_changed(reach);
                self.there.write(data, &entries);
                continue;
            }
            let context = &mut self.there.op.context;
            let state = context.executor.device_mut().unwrap();
            match form {
                Form::Read => drop(state.ready(&context.mesh, data, true).unwrap()),
                Form::Followed => drop(state.map(StoredMap::of(&context.mesh, map)).unwrap()),
                Form::Written | Form::Missing => {}
            }
        }
    }

    /// Takes elements out, by flags on the device or on the host, and compares what is copied with what must be.
    fn compact(&mut self, nodes: bool, keep: &[bool], form: Form, there: bool) -> crate::Result<usize> {
        let [set, on_host] = self.of.map(|of| if nodes { of.nodes } else { of.edges });
        let flags = match there {
            true => self.there.sent(set, self.layout, keep),
            false => self.there.op.decl_dat("sent", set, keep).unwrap(),
        };
        let keep_on_host = self.host.decl_dat("sent", on_host, keep).unwrap();
        self.there.copied.take();
        let found = self.there.op.compact(set, flags);
        let [to, from, _] = self.there.copied.take();
        assert_eq!(found, self.host.compact(on_host, keep_on_host));
        if let Ok(left) = found {
            let (list, leave) = (left * size_of::<u32>(), left < keep.len());
            let listed = if keep.is_empty() { 0 } else { size_of::<u64>() + list };
            // The mark of entries that are needed.
            let mark = if nodes && leave && form != Form::Missing { size_of::<u32>() } else { 0 };
            let expected = match there {
                true => [0, listed + mark],
                false => [if leave && form != Form::Missing { list } else { 0 }, mark],
            };
            assert_eq!([to, from], expected, "{left} of {}, {form:?}, flags there: {there}", keep.len());
        }
        found
    }

    fn assert_equal(&mut self) {
        let [there, host] = self.of;
        let (a, b) = (&mut self.there.op, &mut self.host);
        assert_eq!(a.fetch_map(there.ends).unwrap(), b.fetch_map(host.ends).unwrap());
        assert_eq!(a.fetch_map(there.next).unwrap(), b.fetch_map(host.next).unwrap());
        assert_eq!(a.fetch_opt_map(there.sides).unwrap(), b.fetch_opt_map(host.sides).unwrap());
        assert_eq!(a.fetch_opt_map(there.near).unwrap(), b.fetch_opt_map(host.near).unwrap());
        assert_eq!(a.fetch_rows(there.lists).unwrap(), b.fetch_rows(host.lists).unwrap());
        assert_eq!(a.fetch(there.values).unwrap(), b.fetch(host.values).unwrap());
    }

    /// Whether the device alone has the newest entries.
    fn are_there(&mut self) -> bool {
        let maps = self.maps();
        let context = &mut self.there.op.context;
        let state = context.executor.device_mut().unwrap();
        let newest = |map: &usize| state.dats.get(context.mesh.maps[*map].data).map(|mirror| mirror.newest);
        maps.iter().all(|map| newest(map) == Some(Newest::Device))
    }
}

/// Calls `test` for many sizes, numberings, layouts and forms; `true` for flags on the device.
fn on_forms(test: impl Fn(&mut Both, Form, bool)) {
    for form in FORMS {
        for (n, edges) in [0, 1, 7, 300].into_iter().enumerate() {
            for shuffled in [false, true] {
                for there in [false, true] {
                    let Some(mut both) = Both::new(edges, shuffled, LAYOUTS[n]) else { return };
                    both.bring(form);
                    test(&mut both, form, there);
                }
            }
        }
    }
}

/// No entry is copied to the host or from it, however often elements leave.
#[test]
fn entries_are_renumbered_where_they_are() {
    on_forms(|both, form, there| {
        let [edges, nodes] = both.sizes();
        let stays = |n: u32| n % 3 != 1;
        let ends = both.host.fetch_map(both.of[1].ends).unwrap();
        let keep: Vec<bool> = (0..edges).map(|e| ends[e].iter().all(|n| stays(*n)) && e % 5 != 4).collect();
        both.compact(false, &keep, form, there).unwrap();
        let keep: Vec<bool> = (0..nodes).map(|n| stays(n as u32)).collect();
        both.compact(true, &keep, form, there).unwrap();
        assert_eq!(both.are_there(), form != Form::Missing);
        both.assert_equal();
        // Nobody, then all.
        let [edges, nodes] = both.sizes();
        assert_eq!(both.compact(true, &vec![true; nodes], form, there), Ok(nodes));
        both.compact(false, &vec![false; edges], form, there).unwrap();
        assert_eq!(both.compact(true, &vec![false; nodes], form, there), Ok(0));
        both.assert_equal();
    });
}

/// The error names the element that the host would name; nothing has changed then.
#[test]
fn elements_that_are_needed_stay() {
    on_forms(|both, form, there| {
        let [edges, nodes] = both.sizes();
        for third in 0..3 {
            let keep: Vec<bool> = (0..nodes).map(|n| n % 3 != third).collect();
            let ends = both.host.fetch_map(both.of[1].ends).unwrap();
            let lost = ends.iter().flatten().any(|n| !keep[*n as usize]);
            if lost {
                let error = both.compact(true, &keep, form, there).unwrap_err();
                assert!(matches!(error, Error::Kept { .. }), "{error}");
                both.assert_equal();
            }
            both.bring(form);
        }
        assert_eq!(both.sizes(), [edges, nodes]);
    });
}

/// Loops that follow entries which the device has get them there, also after elements have left.
#[test]
fn entries_are_followed_where_they_are() {
    on_forms(|both, form, there| {
        for step in 0..2 {
            let arrived = step > 0 || matches!(form, Form::Written | Form::Read);
            for map in both.maps() {
                let store = &both.host.context.mesh.maps[map];
                let (arity, entries) = (store.arity, both.host.context.mesh.entries(map));
                let rows = entries.len() / arity;
                let expected: Vec<u32> = (0..entries.len()).map(|n| entries[n % rows * arity + n / rows]).collect();
                both.there.copied.take();
                let context = &mut both.there.op.context;
                let state = context.executor.device_mut().unwrap();
                let buffer = state.map(StoredMap::of(&context.mesh, map)).unwrap();
                let [to, from, _] = both.there.copied.take();
                assert!(!arrived || (to, from) == (0, 0), "{form:?}, step {step}: {to} and {from} bytes");
                let mut found = vec![0; expected.len()];
                both.there.state().device.download(&buffer, u32::bytes_mut(&mut found)).unwrap();
                assert_eq!(found, expected, "{form:?}, step {step}");
            }
            let keep: Vec<bool> = (0..both.sizes()[0]).map(|e| e % 2 > 0).collect();
            // By now loops have followed them in every form.
            both.compact(false, &keep, Form::Followed, there).unwrap();
        }
    });
}

/// Entries that nobody has written stay so, and are missed by loops alone.
#[test]
fn unset_entries_stay_unset() {
    let Some(mut subject) = Subject::new(true) else { return };
    let cells = subject.op.decl_set::<Cells>("cells", 4).unwrap();
    let next = subject.op.decl_map("next", cells, cells, &[[0], [0], [2], [2]]).unwrap();
    let kids = subject.op.decl_children("kids", cells, cells).unwrap();
    let counts = subject.op.decl_dat("counts", cells, &[0_u32, 0, 1, 0]).unwrap();
    assert_eq!(subject.op.grow(kids, counts), Ok(1));
    let map = next.id.index as usize;
    let context = &mut subject.op.context;
    context.executor.device_mut().unwrap().map(StoredMap::of(&context.mesh, map)).unwrap();
    let keep = subject.sent(cells, Layout::Soa, &[true, false, true, true, true]);
    assert_eq!(subject.op.compact(cells, keep), Ok(4));
    let unset = Error::Unset { map: "next".to_owned(), element: 3, set: "cells".to_owned() };
    assert_eq!(subject.op.fetch_map(next), Err(unset));
    let keep = subject.sent(cells, Layout::Soa, &[true, true, true, false]);
    assert_eq!(subject.op.compact(cells, keep), Ok(3));
    assert_eq!(subject.op.fetch_map(next).unwrap(), [[0], [1], [1]]);
}
