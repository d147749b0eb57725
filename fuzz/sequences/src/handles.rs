//! The typed handles of a program, by their ids, and the values of every kind of dat.

use crate::data;
use crate::kernels::{Edges, Nodes};
use crate::kinds::{DatKind, GlobalKind, MapKind, NONE, Tag};
use crate::step::{FOREIGN, Id};
use op2::{ArgMax, ArgMin, Dat, Global, Map, Op2, OptMap, Result, Rows, Set, Subset, Value};
use std::collections::HashMap;

/// A value of a dat, convertible to numbers and back.
pub trait Row: Value {
    /// The value with these components.
    fn of(components: &[f64]) -> Self;
    /// Appends the components to `all`.
    fn push_to(&self, all: &mut Vec<f64>);

    /// The values with these components, `dim` for each.
    fn all_of(components: &[f64], dim: usize) -> Vec<Self> {
        components.chunks(dim).map(Self::of).collect()
    }
}

macro_rules! rows {
    ($($ty:ty, $c:ident => $of:expr, $x:ident => [$($part:expr),*];)*) => {$(
        impl Row for $ty {
            fn of($c: &[f64]) -> Self { $of }
            fn push_to(&self, all: &mut Vec<f64>) {
                let $x = self;
                all.extend([$($part),*]);
            }
        }
    )*};
}
rows! {
    f64, c => c[0], x => [*x];
    f32, c => c[0] as f32, x => [f64::from(*x)];
    u32, c => c[0] as u32, x => [f64::from(*x)];
    bool, c => c[0] != 0.0, x => [f64::from(u8::from(*x))];
    [i32; 3], c => [c[0] as i32, c[1] as i32, c[2] as i32], x => [f64::from(x[0]), f64::from(x[1]), f64::from(x[2])];
    [f64; 2], c => [c[0], c[1]], x => [x[0], x[1]];
    [u64; 2], c => [c[0] as u64, c[1] as u64], x => [x[0] as f64, x[1] as f64];
}

/// All handles. Those of another `Op2` are stored under [`FOREIGN`].
#[derive(Default, Clone)]
#[allow(missing_docs, reason = "they are called after the kinds")]
pub struct Handles {
    pub nodes: HashMap<Id, Set<Nodes>>,
    pub edges: HashMap<Id, Set<Edges>>,
    pub node_subsets: HashMap<Id, Subset<Nodes>>,
    pub edge_subsets: HashMap<Id, Subset<Edges>>,
    pub ends: HashMap<Id, Map<Edges, Nodes, 2>>,
    pub corners: HashMap<Id, Map<Edges, Nodes, 3>>,
    pub back: HashMap<Id, Map<Nodes, Edges, 1>>,
    pub next: HashMap<Id, Map<Nodes, Nodes, 1>>,
    pub near: HashMap<Id, OptMap<Nodes, Nodes, 2>>,
    pub born: HashMap<Id, Rows<Nodes, Edges>>,
    pub star: HashMap<Id, Rows<Nodes, Edges>>,
    pub ring: HashMap<Id, Rows<Nodes, Nodes>>,
    pub homes: HashMap<Id, Rows<Edges, Nodes>>,
    pub node_float: HashMap<Id, Dat<Nodes, f64>>,
    pub node_ints: HashMap<Id, Dat<Nodes, [i32; 3]>>,
    pub node_pair: HashMap<Id, Dat<Nodes, [f64; 2]>>,
    pub node_single: HashMap<Id, Dat<Nodes, f32>>,
    pub node_count: HashMap<Id, Dat<Nodes, u32>>,
    pub edge_float: HashMap<Id, Dat<Edges, f64>>,
    pub edge_words: HashMap<Id, Dat<Edges, [u64; 2]>>,
    pub edge_flag: HashMap<Id, Dat<Edges, bool>>,
    pub float: HashMap<Id, Global<f64>>,
    pub int: HashMap<Id, Global<i64>>,
    pub pair: HashMap<Id, Global<[f64; 2]>>,
    pub least: HashMap<Id, Global<ArgMin<f64, usize>>>,
    pub most: HashMap<Id, Global<ArgMax<f64, u32>>>,
}

/// Runs `$body` with the table of one kind of dats, by the name `$table`.
#[macro_export]
#[doc(hidden)]
macro_rules! with_dats {
    ($handles:expr, $kind:expr, |$table:ident| $body:expr) => {
        match $kind {
            $crate::kinds::DatKind::NodeFloat => {
                let $table = &mut $handles.node_float;
                $body
            }
            $crate::kinds::DatKind::NodeInts => {
                let $table = &mut $handles.node_ints;
                $body
            }
            $crate::kinds::DatKind::NodePair => {
                let $table = &mut $handles.node_pair;
                $body
            }
            $crate::kinds::DatKind::NodeSingle => {
                let $table = &mut $handles.node_single;
                $body
            }
            $crate::kinds::DatKind::NodeCount => {
                let $table = &mut $handles.node_count;
                $body
            }
            $crate::kinds::DatKind::EdgeFloat => {
                let $table = &mut $handles.edge_float;
                $body
            }
            $crate::kinds::DatKind::EdgeWords => {
                let $table = &mut $handles.edge_words;
                $body
            }
            $crate::kinds::DatKind::EdgeFlag => {
                let $table = &mut $handles.edge_flag;
                $body
            }
        }
    };
}

impl Handles {
    /// Handles that contain only those of another `Op2`, whose sets are larger than all others.
    pub fn foreign(op: &mut Op2) -> Result<Handles> {
        let mut all = Handles::default();
        let (nodes, edges) = (op.decl_set::<Nodes>("foreign", 300)?, op.decl_set::<Edges>("foreign", 300)?);
        all.nodes.insert(FOREIGN, nodes);
        all.edges.insert(FOREIGN, edges);
        all.node_subsets.insert(FOREIGN, op.decl_subset("foreign", nodes, &[1, 0])?);
        all.edge_subsets.insert(FOREIGN, op.decl_subset("foreign", edges, &[1, 0])?);
        all.ends.insert(FOREIGN, op.decl_map("foreign", edges, nodes, &[[0, 1]; 300])?);
        all.corners.insert(FOREIGN, op.decl_map("foreign", edges, nodes, &[[0, 1, 2]; 300])?);
        all.back.insert(FOREIGN, op.decl_map("foreign", nodes, edges, &[[0]; 300])?);
        all.next.insert(FOREIGN, op.decl_map("foreign", nodes, nodes, &[[0]; 300])?);
        all.near.insert(FOREIGN, op.decl_opt_map::<_, _, u32, 2>("foreign", nodes, nodes, &[[None; 2]; 300])?);
        all.born.insert(FOREIGN, op.decl_children("foreign", nodes, edges)?);
        all.star.insert(FOREIGN, op.decl_rows("foreign", nodes, edges, &[0_u32; 301], &[0_u32; 0])?);
        all.ring.insert(FOREIGN, op.decl_rows("foreign", nodes, nodes, &[0_u32; 301], &[0_u32; 0])?);
        all.homes.insert(FOREIGN, op.decl_rows("foreign", edges, nodes, &[0_u32; 301], &[0_u32; 0])?);
        all.node_float.insert(FOREIGN, op.decl_dat_filled("foreign", nodes, 0.0)?);
        all.node_ints.insert(FOREIGN, op.decl_dat_filled("foreign", nodes, [0; 3])?);
        all.node_pair.insert(FOREIGN, op.decl_dat_filled("foreign", nodes, [0.0; 2])?);
        all.node_single.insert(FOREIGN, op.decl_dat_filled("foreign", nodes, 0.0)?);
        all.node_count.insert(FOREIGN, op.decl_dat_filled("foreign", nodes, 0)?);
        all.edge_float.insert(FOREIGN, op.decl_dat_filled("foreign", edges, 0.0)?);
        all.edge_words.insert(FOREIGN, op.decl_dat_filled("foreign", edges, [0; 2])?);
        all.edge_flag.insert(FOREIGN, op.decl_dat_filled("foreign", edges, false)?);
        for (n, kind) in GlobalKind::ALL.into_iter().enumerate() {
            all.declare_global(op, FOREIGN, kind, n as u64);
        }
        Ok(all)
    }

    /// Declares a set.
    pub fn declare_set(&mut self, op: &mut Op2, id: Id, tag: Tag, size: usize) -> Result<()> {
        match tag {
            Tag::Nodes => _ = self.nodes.insert(id, op.decl_set(&format!("n{id}"), size)?),
            Tag::Edges => _ = self.edges.insert(id, op.decl_set(&format!("e{id}"), size)?),
        }
        Ok(())
    }

    /// Declares a subset.
    pub fn declare_subset(&mut self, op: &mut Op2, id: Id, tag: Tag, set: Id, elements: &[usize]) -> Result<()> {
        let name = format!("s{id}");
        match tag {
            Tag::Nodes => _ = self.node_subsets.insert(id, op.decl_subset(&name, self.nodes[&set], elements)?),
            Tag::Edges => _ = self.edge_subsets.insert(id, op.decl_subset(&name, self.edges[&set], elements)?),
        }
        Ok(())
    }

    /// Declares a map, or sets new rows if it exists.
    pub fn map(
        &mut self,
        op: &mut Op2,
        id: Id,
        kind: MapKind,
        sets: Option<(Id, Id)>,
        rows: &[Vec<usize>],
    ) -> Result<()> {
        macro_rules! of {
            ($table:ident, $from:ident, $to:ident, $index:ty) => {{
                let rows: Vec<[$index; _]> = rows.iter().map(|row| std::array::from_fn(|i| row[i] as $index)).collect();
                match sets {
                    Some((from, to)) => {
                        let map = op.decl_map(&format!("m{id}"), self.$from[&from], self.$to[&to], &rows)?;
                        self.$table.insert(id, map);
                        Ok(())
                    }
                    None => op.set_map(self.$table[&id], &rows),
                }
            }};
        }
        // No call sets the rows of these maps.
        macro_rules! rows_of {
            ($table:ident) => {
                op.set_rows(self.$table[&id], &vec![0_u32; rows.len() + 1], &[0_u32; 0])
            };
        }
        match kind {
            MapKind::Ends => of!(ends, edges, nodes, u32),
            MapKind::Corners => of!(corners, edges, nodes, i64),
            MapKind::Back => of!(back, nodes, edges, usize),
            MapKind::Next => of!(next, nodes, nodes, u32),
            MapKind::Near => {
                let entry = |entry: usize| (entry != NONE).then_some(entry as u64);
                let rows: Vec<[_; 2]> = rows.iter().map(|row| [entry(row[0]), entry(row[1])]).collect();
                match sets {
                    Some((from, to)) => {
                        let map = op.decl_opt_map(&format!("m{id}"), self.nodes[&from], self.nodes[&to], &rows)?;
                        self.near.insert(id, map);
                        Ok(())
                    }
                    None => op.set_opt_map(self.near[&id], &rows),
                }
            }
            MapKind::Born => rows_of!(born),
            MapKind::Star => rows_of!(star),
            MapKind::Ring => rows_of!(ring),
            MapKind::Homes => rows_of!(homes),
        }
    }

    /// Declares rows that growth fills.
    pub fn declare_children(&mut self, op: &mut Op2, id: Id, from: Id, to: Id) -> Result<()> {
        let map = op.decl_children(&format!("m{id}"), self.nodes[&from], self.edges[&to])?;
        self.born.insert(id, map);
        Ok(())
    }

    /// Turns a map round.
    pub fn invert(&mut self, op: &mut Op2, id: Id, map: Id, kind: MapKind) -> Result<()> {
        match kind {
            MapKind::Ends => _ = self.star.insert(id, op.invert(self.ends[&map])?),
            MapKind::Corners => _ = self.star.insert(id, op.invert(self.corners[&map])?),
            MapKind::Homes => _ = self.star.insert(id, op.invert(self.homes[&map])?),
            MapKind::Next => _ = self.ring.insert(id, op.invert(self.next[&map])?),
            MapKind::Near => _ = self.ring.insert(id, op.invert(self.near[&map])?),
            MapKind::Ring => _ = self.ring.insert(id, op.invert(self.ring[&map])?),
            MapKind::Back => _ = self.homes.insert(id, op.invert(self.back[&map])?),
            MapKind::Born => _ = self.homes.insert(id, op.invert(self.born[&map])?),
            MapKind::Star => _ = self.homes.insert(id, op.invert(self.star[&map])?),
        }
        Ok(())
    }

    /// Lets all entries of a map lead to one element, or to none.
    pub fn fill_map(&self, op: &mut Op2, map: Id, kind: MapKind, target: usize) -> Result<()> {
        match kind {
            MapKind::Ends => op.fill(self.ends[&map], target as u32),
            MapKind::Corners => op.fill(self.corners[&map], target as u32),
            MapKind::Back => op.fill(self.back[&map], target as u32),
            MapKind::Next => op.fill(self.next[&map], target as u32),
            MapKind::Near => op.fill(self.near[&map], (target != NONE).then_some(target as u32)),
            MapKind::Born | MapKind::Star | MapKind::Ring | MapKind::Homes => {
                unreachable!("rows of any length are not filled")
            }
        }
    }

    /// The rows of a map.
    pub fn rows(&self, op: &mut Op2, id: Id, kind: MapKind) -> Result<Vec<Vec<usize>>> {
        fn rows<const A: usize>(found: Vec<[u32; A]>) -> Vec<Vec<usize>> {
            found.into_iter().map(|row| row.map(|entry| entry as usize).to_vec()).collect()
        }
        fn lists((starts, entries): (Vec<usize>, Vec<u32>)) -> Vec<Vec<usize>> {
            let row = |ends: &[usize]| entries[ends[0]..ends[1]].iter().map(|entry| *entry as usize).collect();
            starts.windows(2).map(row).collect()
        }
        let entry = |entry: Option<u32>| entry.map_or(NONE, |entry| entry as usize);
        Ok(match kind {
            MapKind::Ends => rows(op.fetch_map(self.ends[&id])?),
            MapKind::Corners => rows(op.fetch_map(self.corners[&id])?),
            MapKind::Back => rows(op.fetch_map(self.back[&id])?),
            MapKind::Next => rows(op.fetch_map(self.next[&id])?),
            MapKind::Near => op.fetch_opt_map(self.near[&id])?.into_iter().map(|row| row.map(entry).to_vec()).collect(),
            MapKind::Born => lists(op.fetch_rows(self.born[&id])?),
            MapKind::Star => lists(op.fetch_rows(self.star[&id])?),
            MapKind::Ring => lists(op.fetch_rows(self.ring[&id])?),
            MapKind::Homes => lists(op.fetch_rows(self.homes[&id])?),
        })
    }

    /// Exchanges the entries of two maps.
    pub fn swap_maps(&self, op: &mut Op2, [a, b]: [Id; 2], kind: MapKind) -> Result<()> {
        match kind {
            MapKind::Ends => op.swap(self.ends[&a], self.ends[&b]),
            MapKind::Corners => op.swap(self.corners[&a], self.corners[&b]),
            MapKind::Back => op.swap(self.back[&a], self.back[&b]),
            MapKind::Next => op.swap(self.next[&a], self.next[&b]),
            MapKind::Near => op.swap(self.near[&a], self.near[&b]),
            MapKind::Born | MapKind::Star | MapKind::Ring | MapKind::Homes => {
                unreachable!("rows of any length are not swapped")
            }
        }
    }

    /// Refills a subset with the elements whose flags say yes.
    pub fn select(&self, op: &mut Op2, subset: Id, tag: Tag, flags: Id) -> Result<usize> {
        match tag {
            Tag::Nodes => op.select(self.node_subsets[&subset], self.node_count[&flags]),
            Tag::Edges => op.select(self.edge_subsets[&subset], self.edge_flag[&flags]),
        }
    }

    /// Takes the elements out of a set whose flags say no.
    pub fn compact(&self, op: &mut Op2, set: Id, tag: Tag, keep: Id) -> Result<usize> {
        match tag {
            Tag::Nodes => op.compact(self.nodes[&set], self.node_count[&keep]),
            Tag::Edges => op.compact(self.edges[&set], self.edge_flag[&keep]),
        }
    }

    /// Declares a dat.
    pub fn declare_dat(&mut self, op: &mut Op2, id: Id, kind: DatKind, set: Id, values: &[f64]) -> Result<()> {
        let (name, dim) = (format!("d{id}"), kind.dim());
        macro_rules! of {
            ($($kind:ident, $table:ident, $sets:ident;)*) => {
                match kind {
                    $(DatKind::$kind => {
                        let dat = op.decl_dat(&name, self.$sets[&set], &Row::all_of(values, dim))?;
                        self.$table.insert(id, dat);
                    })*
                }
            };
        }
        of! {
            NodeFloat, node_float, nodes;
            NodeInts, node_ints, nodes;
            NodePair, node_pair, nodes;
            NodeSingle, node_single, nodes;
            NodeCount, node_count, nodes;
            EdgeFloat, edge_float, edges;
            EdgeWords, edge_words, edges;
            EdgeFlag, edge_flag, edges;
        }
        Ok(())
    }

    /// Declares a dat with the same value everywhere.
    pub fn declare_filled(&mut self, op: &mut Op2, id: Id, kind: DatKind, set: Id, seed: u64) -> Result<()> {
        let (name, value) = (format!("d{id}"), data::values(kind, 1, seed, None));
        macro_rules! of {
            ($($kind:ident, $table:ident, $sets:ident;)*) => {
                match kind {
                    $(DatKind::$kind => {
                        let dat = op.decl_dat_filled(&name, self.$sets[&set], Row::of(&value))?;
                        self.$table.insert(id, dat);
                    })*
                }
            };
        }
        of! {
            NodeFloat, node_float, nodes;
            NodeInts, node_ints, nodes;
            NodePair, node_pair, nodes;
            NodeSingle, node_single, nodes;
            NodeCount, node_count, nodes;
            EdgeFloat, edge_float, edges;
            EdgeWords, edge_words, edges;
            EdgeFlag, edge_flag, edges;
        }
        Ok(())
    }

    /// Declares a global.
    pub fn declare_global(&mut self, op: &mut Op2, id: Id, kind: GlobalKind, seed: u64) {
        let (name, value) = (format!("g{id}"), data::global(kind, seed));
        match kind {
            GlobalKind::Float => _ = self.float.insert(id, op.decl_global(&name, value[0])),
            GlobalKind::Int => _ = self.int.insert(id, op.decl_global(&name, value[0] as i64)),
            GlobalKind::Pair => _ = self.pair.insert(id, op.decl_global(&name, [value[0], value[1]])),
            GlobalKind::Least => _ = self.least.insert(id, op.decl_global(&name, least(&value))),
            GlobalKind::Most => _ = self.most.insert(id, op.decl_global(&name, most(&value))),
        }
    }

    /// Sets a global.
    pub fn set_global(&self, op: &mut Op2, id: Id, kind: GlobalKind, seed: u64) -> Result<()> {
        let value = data::global(kind, seed);
        match kind {
            GlobalKind::Float => op.set(self.float[&id], value[0]),
            GlobalKind::Int => op.set(self.int[&id], value[0] as i64),
            GlobalKind::Pair => op.set(self.pair[&id], [value[0], value[1]]),
            GlobalKind::Least => op.set(self.least[&id], least(&value)),
            GlobalKind::Most => op.set(self.most[&id], most(&value)),
        }
    }

    /// The value of a global as numbers.
    pub fn global(&self, op: &Op2, id: Id, kind: GlobalKind) -> Result<Vec<f64>> {
        let best = |best: Option<(f64, f64)>| best.map_or(vec![0.0; 3], |(value, place)| vec![1.0, value, place]);
        Ok(match kind {
            GlobalKind::Float => vec![op.get(self.float[&id])?],
            GlobalKind::Int => vec![op.get(self.int[&id])? as f64],
            GlobalKind::Pair => op.get(self.pair[&id])?.to_vec(),
            GlobalKind::Least => best(op.get(self.least[&id])?.best().map(|(value, place)| (value, place as f64))),
            GlobalKind::Most => best(op.get(self.most[&id])?.best().map(|(value, place)| (value, place.into()))),
        })
    }
}

fn least(value: &[f64]) -> ArgMin<f64, usize> {
    let mut best = ArgMin::none();
    if value[0] != 0.0 {
        best.update(value[1], value[2] as usize);
    }
    best
}

fn most(value: &[f64]) -> ArgMax<f64, u32> {
    let mut best = ArgMax::none();
    if value[0] != 0.0 {
        best.update(value[1], value[2] as u32);
    }
    best
}
