//! Indices: elements of sets, which kernels compare, keep and write to maps, and those that may be missing.

use super::Gen;
use super::kernel::arrayed;
use super::rows::Row;
use crate::case::{Arg, FROM_EDGES, Index, Kind, Len, MapOf, Mode, Over, Ty, Via};

impl Gen {
    /// The rows of a new map from nodes or from edges.
    pub(super) fn row_of_map(&mut self, nodes: bool) -> Ty {
        let node = self.r.chance(70);
        // There may be nodes without any edge.
        let may_miss = nodes && !node || self.r.chance(45);
        self.mark(if may_miss { "map whose entries may be missing" } else { "map" });
        let entry = Ty::Index(Index { node, may_miss });
        if self.r.chance(30) { entry } else { Ty::array(entry, 1 + self.r.below(3)) }
    }

    /// The maps from nodes or from edges that kernels write.
    pub(super) fn written_maps(&self, nodes: bool) -> Vec<MapOf> {
        let dats = self.dats.iter().enumerate().filter(|(_, dat)| dat.nodes == nodes);
        dats.filter_map(|(at, dat)| {
            let (Index { node, may_miss }, arity) = dat.ty.row_of_map()?;
            let (dat, to_nodes, optional) = (Some(at), node, may_miss);
            Some(MapOf { name: "", dat, to_nodes, arity, injective: false, optional })
        })
        .collect()
    }

    /// An element as an argument.
    pub(super) fn element_argument(&mut self, over: Over) -> Kind {
        let via = self.way_of_index(over);
        self.mark(match via {
            Via::All(map) if map.optional => "idx(map[..]) as elements that may be missing",
            Via::All(_) => "idx(map[..]) as elements",
            via if via.may_miss() => "element that may be missing",
            Via::Direct => "idx() as an element",
            Via::End(_) => "idx(from), idx(to) as elements",
            _ => "idx(map[i]) as an element",
        });
        Kind::Element(via)
    }

    /// An element for each kind of index that the kernel has, from which it can make others.
    pub(super) fn elements(&mut self, args: &mut Vec<Arg>, over: Over) {
        for node in [false, true] {
            let asked = args.iter().any(|arg| match arg.kind {
                Kind::Dat(at, ..) => self.dats[at].ty.has_index_of(node),
                Kind::Table(at, _) => self.dats[at].nodes == node || self.dats[at].ty.has_index_of(node),
                Kind::Element(via) => via.on_nodes(over) == node,
                Kind::Members(map) => map.to_nodes == node,
                _ => false,
            });
            let is_one = |via: &Via| !via.may_miss() && via.count().is_none() && via.on_nodes(over) == node;
            let known = args.iter().any(|arg| matches!(&arg.kind, Kind::Element(via) if is_one(via)));
            let ways: &[Via] = match over {
                Over::Edges | Over::Some => &[Via::Direct, Via::One(FROM_EDGES[0], 1, false)],
                Over::Nodes => &[Via::Direct],
                Over::Pairs(..) => &[Via::End(false), Via::End(true)],
            };
            let way = ways.iter().find(|via| is_one(via));
            if let Some(via) = way.filter(|_| asked && !known) {
                self.push(args, Kind::Element(*via));
            }
        }
    }

    /// Declares a parameter that is the index of an element, or an array with the indices of all entries of a map. Returns it.
    pub(super) fn receive_element(&mut self, name: &str, via: Via, entries: Option<Len>, over: Over) -> String {
        let index = Index { node: via.on_nodes(over), may_miss: via.may_miss() };
        let ty = arrayed(Ty::Index(index), entries);
        self.declare(name, &ty, false);
        if !index.may_miss && entries.is_none() {
            self.here.anchors.push((index.node, name.to_owned()));
        }
        format!("{name}: {ty}")
    }

    /// The same for the elements that a row leads to.
    pub(super) fn receive_members(&mut self, name: &str, map: &MapOf) -> String {
        let ty = Ty::Index(Index::of(map.to_nodes));
        let param = format!("{name}: &op2::Row<{ty}>");
        self.here.rows.push(Row { name: name.to_owned(), ty, mode: Mode::Read, optional: false });
        param
    }

    /// An argument or parameter that is always an element of this kind.
    pub(super) fn anchor(&self, node: bool) -> Option<String> {
        self.here.anchors.iter().find(|(kind, _)| *kind == node).map(|(_, name)| name.clone())
    }

    /// Whether this function can compute a value of the type, or has one to pass on.
    pub(super) fn can_make(&self, ty: &Ty) -> bool {
        let known = |node| !ty.has_index_of(node) || self.anchor(node).is_some();
        let table = match ty {
            Ty::Ref(_, of) if matches!(**of, Ty::Table(..)) => self.here.tables.iter().any(|table| table.is(of)),
            _ => true,
        };
        table && known(false) && known(true)
    }

    /// An index of a kind of which this function has elements.
    pub(super) fn some_index(&mut self) -> Option<Index> {
        let kinds: Vec<bool> = [false, true].into_iter().filter(|node| self.anchor(*node).is_some()).collect();
        if kinds.is_empty() {
            return None;
        }
        Some(Index { node: *self.r.pick(&kinds), may_miss: self.r.chance(50) })
    }

    /// A scalar type, or an index.
    pub(super) fn scalar_or_index(&mut self) -> Ty {
        let index = if self.r.chance(15) { self.some_index() } else { None };
        index.map_or_else(|| Ty::Scalar(self.scalar()), Ty::Index)
    }

    /// A value that is an index.
    pub(super) fn index_value(&mut self, index: Index, depth: usize, strict: bool) -> String {
        if !index.may_miss {
            return self.element(index.node, depth).expect("functions have an element of each kind that they make");
        }
        // Nothing but its uses tells the type of `None`.
        let there = if strict || self.r.chance(70) { self.element(index.node, depth) } else { None };
        self.mark(if there.is_some() { "Some" } else { "None" });
        there.map_or("None".to_owned(), |there| format!("Some({there})"))
    }

    /// An index of an element, if the function has one of this kind.
    pub(super) fn element(&mut self, node: bool, depth: usize) -> Option<String> {
        let wanted = Index::of(node);
        if depth > 0 && self.spend() {
            let found = match self.r.below(6) {
                0 => self.nth(node, depth - 1),
                1 => self.index_or_other(node, depth - 1),
                2 | 3 => self.of_table(&Ty::Index(wanted), depth - 1),
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        if self.r.chance(25) {
            return self.anchor(node).or_else(|| self.held(&Ty::Index(wanted), true));
        }
        self.held(&Ty::Index(wanted), true).or_else(|| self.anchor(node))
    }

    /// The index in an option, or another one.
    fn index_or_other(&mut self, node: bool, depth: usize) -> Option<String> {
        let (option, other) = (self.option(node, depth)?, self.element(node, depth)?);
        self.mark("unwrap_or of an index");
        Some(format!("{option}.unwrap_or({other})"))
    }

    /// An index that may be missing: one in scope, or mostly one that is computed.
    fn option(&mut self, node: bool, depth: usize) -> Option<String> {
        let ty = Ty::Index(Index::of(node).or_none());
        if self.r.chance(70)
            && let Some(held) = self.held(&ty, true)
        {
            return Some(held);
        }
        self.anchor(node)?;
        Some(format!("({})", self.expr(&ty, depth, true)))
    }

    /// An index that may be missing, of any kind that the function has.
    fn any_option(&mut self, depth: usize) -> Option<(String, Index)> {
        let node = self.r.chance(60);
        for node in [node, !node] {
            if let Some(option) = self.option(node, depth) {
                return Some((option, Index::of(node)));
            }
        }
        None
    }

    /// A comparison of indices, or whether there is one.
    pub(super) fn compared_indices(&mut self, depth: usize) -> Option<String> {
        if self.r.chance(35) {
            let (option, _) = self.any_option(depth)?;
            self.mark("is_some of an index");
            return Some(format!("{option}.{}()", self.r.pick(&["is_some", "is_none"])));
        }
        let ty = Ty::Index(self.some_index()?);
        self.mark("comparison of indices");
        let (a, b) = (self.expr(&ty, depth, true), self.expr(&ty, depth, false));
        Some(format!("(({a}) {} ({b}))", self.r.pick(&["==", "!="])))
    }

    /// A statement that asks an index that may be missing.
    pub(super) fn ask_index(&mut self, depth: usize) -> Option<String> {
        let (option, index) = self.any_option(2)?;
        let inner = depth.saturating_sub(1);
        self.here.names += 1;
        let held = format!("w{}", self.here.names);
        let there = |g: &mut Self| g.declare(&held, &Ty::Index(index), false);
        match self.r.below(5) {
            0 => {
                self.mark("match of an index");
                let some = self.scoped(|g| {
                    there(g);
                    g.block(2, inner)
                });
                let none = self.block(1, 0);
                Some(match self.r.below(3) {
                    0 => format!("match {option} {{ None => {none}, Some({held}) => {some} }}"),
                    1 => format!("match {option} {{ Some(_) => {none}, None => {} }}", self.block(1, 0)),
                    _ => format!("match {option} {{ Some({held}) => {some}, None => {none} }}"),
                })
            }
            1 => {
                self.mark("match of an index");
                let ty = self.scalar_or_index();
                let some = self.scoped(|g| {
                    there(g);
                    g.expr(&ty, 2, false)
                });
                let none = self.expr(&ty, 2, false);
                let name = self.name();
                self.declare(&name, &ty, false);
                Some(format!("let {name}: {ty} = match {option} {{ Some({held}) => {some}, None => {none} }};"))
            }
            2 => {
                let leave = self.leaving()?;
                self.mark("let else of an index");
                there(self);
                Some(format!("let Some({held}) = {option} else {{ {leave}; }};"))
            }
            _ => {
                self.mark("if let of an index");
                let some = self.scoped(|g| {
                    there(g);
                    g.statements(2, inner)
                });
                let other = if self.r.chance(50) { format!(" else {}", self.block(1, 0)) } else { String::new() };
                Some(format!("if let Some({held}) = {option} {{ {some} }}{other}"))
            }
        }
    }

    /// A walk from element to element as far as there is a next one.
    pub(super) fn walk(&mut self, depth: usize) -> Option<String> {
        let index = self.some_index()?;
        let first = self.expr(&Ty::Index(index), 1, true);
        self.mark("walk");
        self.here.names += 1;
        let [at, held, fuel] = ["w", "at", "fuel"].map(|prefix| format!("{prefix}{}", self.here.names));
        let inside = self.scoped(|g| {
            g.declare(&held, &Ty::Index(index.there()), false);
            let more = g.body(None, depth.saturating_sub(1), None);
            let next = g.expr(&Ty::Index(index), 2, false);
            format!("{more} {at} = {next};")
        });
        let stop = format!("if {fuel} >= {} {{ break; }} {fuel} += 1;", 2 + self.r.below(4));
        let (head, hold) = match index.may_miss {
            true => (format!("while let Some({held}) = {at}"), String::new()),
            false => ("loop".to_owned(), format!("let {held} = {at};")),
        };
        Some(format!("let mut {at}: {index} = {first}; let mut {fuel} = 0_i32; {head} {{ {stop} {hold} {inside} }}"))
    }
}
