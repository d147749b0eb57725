//! Loops and their arguments.

use super::Gen;
use crate::case::{
    Arg, Dat, FROM_EDGES, FROM_NODES, Global, Kind, Loop, MapOf, Mode, Over, ROWS_FROM_EDGES, ROWS_FROM_NODES, Scalar,
    Ty, Via,
};

impl Gen {
    /// A loop with its own kernel.
    pub(super) fn one_loop(&mut self, number: usize) -> Loop {
        let floats = self.type_arguments();
        let pairs = self.pairs();
        let over = *self.r.pick(&[Over::Edges, Over::Edges, Over::Edges, Over::Some, Over::Nodes, pairs]);
        self.mark(match over {
            Over::Edges | Over::Nodes => "loop over a set",
            Over::Some => "loop over a subset",
            Over::Pairs(meeting, _) if meeting.in_space => "loop over pairs in space",
            Over::Pairs(..) => "loop over pairs of rows",
        });
        let (inputs, outputs) = (1 + self.r.below(3), 1 + self.r.below(3));
        let mut args: Vec<Arg> = Vec::new();
        let mut taken = Vec::new();
        if let Over::Pairs(meeting, _) = over {
            let kinds = self.of_every_pair(meeting, &mut taken);
            kinds.into_iter().for_each(|kind| self.push(&mut args, kind));
        }
        for _ in 0..inputs {
            let kind = self.input(over, &mut taken);
            self.push(&mut args, kind);
        }
        for _ in 0..outputs {
            let kind = self.output(over, &mut taken);
            self.push(&mut args, kind);
        }
        for &float in &floats {
            self.tells_its_type(&mut args, over, float, &mut taken);
        }
        self.elements(&mut args, over);
        // Arguments come in any order.
        for at in (1..args.len()).rev() {
            args.swap(at, self.r.below(at + 1));
        }
        let kernel = self.kernel(number, &args, &floats, over);
        Loop { kernel, args, over }
    }

    /// The float types that the type parameters of the next kernel stand for.
    fn type_arguments(&mut self) -> Vec<Scalar> {
        let mut floats = vec![Scalar::F64, Scalar::F32];
        if self.r.chance(50) {
            floats.reverse();
        }
        floats.truncate(self.r.weighted(&[76, 15, 9]));
        if floats.len() > 1 {
            self.mark("kernel of two float types");
        }
        floats
    }

    pub(super) fn push(&mut self, args: &mut Vec<Arg>, kind: Kind) {
        let prefix = match kind {
            Kind::Dat(..) | Kind::Table(..) | Kind::Members(_) => "d",
            Kind::Global(..) | Kind::Best(..) => "g",
            Kind::Index(..) | Kind::Element(_) | Kind::Shift => "e",
        };
        let name = format!("{prefix}{}", args.len());
        args.push(Arg { name, kind });
    }

    /// An argument that is never optional, from which the type parameter is inferred.
    fn tells_its_type(
        &mut self,
        args: &mut Vec<Arg>,
        over: Over,
        float: Scalar,
        taken: &mut Vec<(usize, Option<Mode>)>,
    ) {
        self.mark("generic kernel");
        let via = if let Over::Pairs(..) = over { Via::End(self.r.chance(50)) } else { Via::Direct };
        let (nodes, ty) = (via.on_nodes(over), Ty::Scalar(float));
        let at = self.dats.len();
        self.dats.push(Dat { name: format!("dat{at}"), nodes, ty });
        taken.push((at, None));
        self.push(args, Kind::Dat(at, Mode::Read, via, None));
    }

    fn via(&mut self, over: Over, injective: bool) -> Via {
        if let Over::Pairs(_, by_to) = over {
            return Via::End(if injective { by_to } else { self.r.chance(50) });
        }
        let rows: &[MapOf] = if over == Over::Nodes { &ROWS_FROM_NODES } else { &ROWS_FROM_EDGES };
        let rows: Vec<MapOf> = rows.iter().filter(|m| !injective || m.injective).copied().collect();
        if !rows.is_empty() && self.r.chance(18) {
            self.mark("row");
            return Via::Row(*self.r.pick(&rows));
        }
        let maps: &[MapOf] = if over == Over::Nodes { &FROM_NODES } else { &FROM_EDGES };
        let mut maps: Vec<MapOf> = maps.iter().filter(|m| !injective || m.injective).copied().collect();
        let written = self.written_maps(over == Over::Nodes);
        if !injective && !written.is_empty() && self.r.chance(40) {
            self.mark("map that kernels write");
            maps = written;
        }
        if maps.is_empty() || self.r.chance(30) {
            self.mark("direct");
            return Via::Direct;
        }
        let map = *self.r.pick(&maps);
        if map.optional {
            self.mark("entry that may be missing");
        }
        // An array of options is not changed.
        if !(map.optional && injective) && self.r.chance(45) {
            self.mark("all entries");
            return Via::All(map);
        }
        let computed = self.r.chance(20);
        self.mark(if computed { "computed entry" } else { "one entry" });
        Via::One(map, self.r.below(map.arity), computed)
    }

    /// The value of a dat, or the row of a map.
    pub(super) fn value_or_row(&mut self, nodes: bool) -> Ty {
        if self.r.chance(16) { self.row_of_map(nodes) } else { self.value(true) }
    }

    /// A path to an index, or to those of all entries.
    pub(super) fn way_of_index(&mut self, over: Over) -> Via {
        match self.via(over, false) {
            Via::Row(_) => Via::Direct,
            via => via,
        }
    }

    /// A dat for an argument: an existing one, or a new one.
    pub(super) fn dat(
        &mut self,
        nodes: bool,
        taken: &[(usize, Option<Mode>)],
        ok: impl Fn(&Ty) -> bool,
        may: impl Fn(usize) -> bool,
        ty: Ty,
    ) -> usize {
        let fits = |n: &usize| {
            let dat = &self.dats[*n];
            dat.nodes == nodes && ok(&dat.ty) && may(*n) && taken.iter().all(|(other, _)| other != n)
        };
        let known: Vec<usize> = (0..self.dats.len()).filter(fits).collect();
        // In inexact cases no loop reads sums, which are rounded.
        if !known.is_empty() && self.exact && self.r.chance(60) {
            return *self.r.pick(&known);
        }
        let at = self.dats.len();
        self.dats.push(Dat { name: format!("dat{at}"), nodes, ty });
        at
    }

    pub(super) fn flag(&mut self, via: Via) -> Option<usize> {
        let flag = self.r.chance(15).then(|| self.r.below(3));
        if flag.is_some() {
            self.mark(if via.may_miss() { "optional argument that may be missing" } else { "optional argument" });
        }
        flag
    }

    fn input(&mut self, over: Over, taken: &mut Vec<(usize, Option<Mode>)>) -> Kind {
        let of_sets = if let Over::Pairs(..) = over { 0 } else { 1 };
        match self.r.weighted(&[70, 12, 18, 10, 14, 4 * of_sets]) {
            0 => {
                let via = self.via(over, false);
                let again: Vec<usize> = taken.iter().filter(|(_, mode)| mode.is_none()).map(|(n, _)| *n).collect();
                let nodes = via.on_nodes(over);
                let again: Vec<usize> = again.into_iter().filter(|&n| self.dats[n].nodes == nodes).collect();
                let flag = self.flag(via);
                if !again.is_empty() && self.r.chance(25) {
                    return Kind::Dat(*self.r.pick(&again), Mode::Read, via, flag);
                }
                self.mark("read");
                let ty = self.value_or_row(nodes);
                let at = self.dat(nodes, taken, |_| true, |_| true, ty);
                if self.dats[at].ty.has_index() {
                    self.mark("read of a map");
                }
                taken.push((at, None));
                Kind::Dat(at, Mode::Read, via, flag)
            }
            1 => {
                self.mark("gbl_read");
                let (at, ty) = (self.globals.len(), self.value(false));
                self.globals.push(Global { name: format!("glo{at}"), ty, best: None });
                Kind::Global(at, Mode::Read)
            }
            3 => self.element_argument(over),
            4 => self.table_argument(over, taken),
            5 => {
                self.mark("elements of a row");
                let rows: &[MapOf] = if over == Over::Nodes { &ROWS_FROM_NODES } else { &ROWS_FROM_EDGES };
                Kind::Members(*self.r.pick(rows))
            }
            _ => {
                let via = self.way_of_index(over);
                self.mark(match via {
                    Via::Direct => "idx()",
                    Via::End(_) => "idx(from), idx(to)",
                    Via::All(_) => "idx(map[..])",
                    _ => "idx(map[i])",
                });
                let ty =
                    *self.r.pick(&[Scalar::Usize, Scalar::Usize, Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64]);
                Kind::Index(via, ty)
            }
        }
    }

    fn output(&mut self, over: Over, taken: &mut Vec<(usize, Option<Mode>)>) -> Kind {
        // Pairs come in an order that is not the program's: elements outside, which meet several partners, commute.
        let (plain, commute) = if let Over::Pairs(..) = over { (0, 20) } else { (1, 6) };
        match self.r.weighted(&[18 * plain, 16 * plain, 34, 7, 7, commute, 9, 5, 5, 9, 8, 4]) {
            pick @ (0 | 1) => {
                let mode = if pick == 0 { Mode::Write } else { Mode::Rw };
                let via = self.via(over, true);
                let ty = self.value_or_row(via.on_nodes(over));
                self.modified(over, via, mode, ty, |_| true, taken)
            }
            pick @ 2..=4 => {
                let mode = [Mode::Inc, Mode::Min, Mode::Max][pick - 2];
                let again: Vec<usize> = taken.iter().filter(|(_, held)| *held == Some(mode)).map(|(n, _)| *n).collect();
                let via = self.via(over, false);
                let nodes = via.on_nodes(over);
                let again: Vec<usize> = again.into_iter().filter(|&n| self.dats[n].nodes == nodes).collect();
                if !again.is_empty() && self.r.chance(40) {
                    self.mark("one dat in several arguments");
                    let flag = self.flag(via);
                    return Kind::Dat(*self.r.pick(&again), mode, via, flag);
                }
                let ty = self.value(false);
                self.modified(over, via, mode, ty, |ty| ty.elem() != Scalar::Bool && !ty.is_enum(), taken)
            }
            5 => {
                self.mark("rw that commutes");
                let via = self.via(over, matches!(over, Over::Pairs(..)));
                let ty = match self.r.below(3) {
                    0 => Ty::array(Ty::Scalar(Scalar::I64), 2),
                    1 => Ty::Scalar(*self.r.pick(&[Scalar::I32, Scalar::U8, Scalar::I16])),
                    _ => Ty::Scalar(Scalar::U64),
                };
                let alone = matches!(via, Via::All(_) | Via::Row(_)) || via.may_miss();
                // An element must not reach one target twice, and what is changed through a missing entry is an option.
                let via = if alone { Via::Direct } else { via };
                self.modified(over, via, Mode::Commute, ty, |ty| ty.elem().is_int() && !ty.is_enum(), taken)
            }
            pick @ 6..=8 => {
                let mode = [Mode::Inc, Mode::Min, Mode::Max][pick - 6];
                self.mark(["gbl_inc", "gbl_min", "gbl_max"][pick - 6]);
                let (at, ty) = (self.globals.len(), self.value(false));
                self.globals.push(Global { name: format!("glo{at}"), ty, best: None });
                Kind::Global(at, mode)
            }
            10 => {
                let (via, ty) = (self.via(over, false), self.flags_or_bits());
                self.modified(over, via, Mode::Or, ty, |ty| !ty.elem().is_float() && !ty.is_enum(), taken)
            }
            11 => {
                self.mark("gbl_or");
                let (at, ty) = (self.globals.len(), self.flags_or_bits());
                self.globals.push(Global { name: format!("glo{at}"), ty, best: None });
                Kind::Global(at, Mode::Or)
            }
            _ => {
                let greatest = self.r.chance(50);
                self.mark(if greatest { "ArgMax" } else { "ArgMin" });
                let ty = Ty::Scalar(*self.r.pick(&[Scalar::F64, Scalar::F32, Scalar::I32, Scalar::U64, Scalar::U16]));
                let payload = match self.r.below(5) {
                    0 | 1 => Ty::Scalar(*self.r.pick(&[Scalar::Usize, Scalar::U32, Scalar::I32, Scalar::I8])),
                    2 => Ty::array(Ty::Scalar(Scalar::F64), 2),
                    3 => Ty::Scalar(Scalar::F64),
                    _ => Ty::Tuple(vec![Ty::Scalar(Scalar::I64), Ty::Scalar(Scalar::F32)]),
                };
                let at = self.globals.len();
                self.globals.push(Global { name: format!("glo{at}"), ty, best: Some((greatest, payload)) });
                Kind::Best(at, greatest)
            }
        }
    }

    /// A value that `or` combines.
    fn flags_or_bits(&mut self) -> Ty {
        let flags_or_bits =
            [Scalar::Bool, Scalar::Bool, Scalar::U8, Scalar::I16, Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64];
        let scalar = *self.r.pick(&flags_or_bits);
        if self.r.chance(60) { Ty::Scalar(scalar) } else { Ty::array(Ty::Scalar(scalar), 2) }
    }

    fn modified(
        &mut self,
        over: Over,
        via: Via,
        mode: Mode,
        ty: Ty,
        ok: impl Fn(&Ty) -> bool,
        taken: &mut Vec<(usize, Option<Mode>)>,
    ) -> Kind {
        self.mark(mode.word());
        let flag = self.flag(via);
        // A dat that is combined into is not changed in other ways, which would leave inexact sums and signed zeros.
        let role = if mode.combines() { mode } else { Mode::Rw };
        let roles = self.roles.clone();
        let may = |n| roles.iter().all(|&(dat, other)| dat != n || other == role);
        // Indices are not combined.
        let computed = !matches!(mode, Mode::Write | Mode::Rw);
        let ok = |ty: &Ty| !(computed && ty.has_index()) && ok(ty);
        let at = self.dat(via.on_nodes(over), taken, ok, may, ty);
        if self.dats[at].ty.has_index() {
            self.mark(if mode == Mode::Rw { "rw of a map" } else { "write of a map" });
        }
        self.roles.push((at, role));
        taken.push((at, Some(mode)));
        Kind::Dat(at, mode, via, flag)
    }
}
