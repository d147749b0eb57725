//! Which atoms run in the first of two stages and which in the second, at least cost.
//!
//! The data of each stage are given. Atoms that need data of one stage alone run there. Values that both stages could
//! compute are computed twice or passed in a temporary, whichever is cheaper; values that the second stage needs from
//! the first one's data are always passed. Both costs are edges of one network, and its minimum cut is the cheapest
//! choice.

use super::Constraint;
use super::flow::{NEVER, Network};
use super::hoist::{Needs, is_plain};
use super::program::Program;
use crate::ir::{Func, Len, LocalId, Ty};
use std::collections::BTreeSet;

/// The cost of storing a byte and loading it again, in floating-point operations: machines do five to ten operations in
/// the time of moving eight bytes twice.
const PER_BYTE: u64 = 1;
/// The assumed length of an array whose length is a constant of the user.
const USUAL_LENGTH: u32 = 4;
/// The most bytes of a temporary; a larger one is no gain.
const MOST_BYTES: u32 = 1024;

/// A kernel cut in two.
#[derive(Debug, Clone)]
pub(super) struct Cut {
    /// Atoms of each stage, by number; some are in both.
    pub(super) atoms: [BTreeSet<usize>; 2],
    /// The locals that are passed from the first stage to the second.
    pub(super) crossing: BTreeSet<LocalId>,
}

/// Bytes of a value, with a guess for lengths that are constants of the user.
pub(crate) fn bytes(ty: &Ty) -> u32 {
    match ty {
        Ty::Scalar(s) => s.bits().unwrap_or(64) / 8,
        Ty::Array(inner, Len::Lit(n)) => bytes(inner).saturating_mul(u32::try_from(*n).unwrap_or(u32::MAX)),
        Ty::Array(inner, _) => bytes(inner).saturating_mul(USUAL_LENGTH),
        Ty::Ref(_, inner) | Ty::Option(inner) => bytes(inner),
        Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter().map(bytes).sum(),
        _ => 0,
    }
}

/// The type of a temporary for a local: of one that is declared in loops, an array with an entry for every round.
pub(super) fn kept_type(func: &Func, program: &Program, id: LocalId) -> Option<Ty> {
    let declared = program.locals[id.0].as_ref().filter(|d| d.alone || !d.mutable)?;
    let rounds = declared.rounds.as_ref()?;
    let ty = &func.locals[id.0].ty;
    let known = is_plain(ty) && rounds.iter().all(|r| !func.locals[r.var.0].mutable);
    let wrap = |ty: Ty, r: &super::program::Rounds| Ty::Array(Box::new(ty), r.count.clone());
    known.then(|| rounds.iter().rev().fold(ty.clone(), wrap))
}

/// Cuts a kernel so that the first stage needs no other data than `first`, and the second one no other than `second`.
/// `None` if there is no such cut.
pub(super) fn cut(func: &Func, program: &Program, first: &Needs, second: &Needs) -> Option<Cut> {
    let atoms = program.atoms.len();
    let (source, sink) = (2 * atoms, 2 * atoms + 1);
    // An atom is a node; a local is two, with what it costs to keep it between them.
    let into = |id: LocalId| 2 * atoms + 2 + 2 * id.0;
    let out = |id: LocalId| into(id) + 1;
    let mut network = Network::new(2 * atoms + 2 + 2 * func.locals.len());
    // Effects for which the data of the first stage are enough, and the others.
    let (mut early, mut late) = (BTreeSet::new(), BTreeSet::new());
    for Group { atoms, needs } in effects(program) {
        if needs.is_subset(first) { early.extend(atoms) } else { late.extend(atoms) }
    }
    // Assertions follow the cut.
    for (a, atom) in program.atoms.iter().enumerate().filter(|(_, atom)| !atom.asserts) {
        for id in &atom.reads {
            // An atom that reads it before its last change cannot use a temporary.
            let from = if program.reads_last(a, *id) { out(*id) } else { into(*id) };
            network.edge(from, a, NEVER);
            if let Some(group) = program.group(*id) {
                match (first.contains(&group), second.contains(&group)) {
                    (true, false) => network.edge(source, a, NEVER),
                    (false, true) => network.edge(a, sink, NEVER),
                    (true, true) => {}
                    (false, false) => return None,
                }
            }
        }
        for id in &atom.writes {
            // All changes of a local run in the stage that computes it, so a temporary is never changed again.
            network.edge(a, into(*id), NEVER);
            if program.locals[id.0].is_some() {
                network.edge(into(*id), a, NEVER);
            }
        }
    }
    for id in program.writers().into_keys() {
        let cost = kept_type(func, program, id).map(|ty| bytes(&ty)).filter(|b| *b <= MOST_BYTES);
        network.edge(into(id), out(id), cost.map_or(NEVER, |b| PER_BYTE * u64::from(b)));
    }
    late.iter().for_each(|&a| network.edge(a, sink, NEVER));
    // If the second stage repeats an atom of the first, that costs the atom's operations.
    for a in closure(program, early.clone(), &BTreeSet::new()) {
        network.edge(source, a, u64::from(program.atoms[a].flops));
    }
    let side = network.cut(source, sink)?;
    let writers = program.writers();
    let crossing: BTreeSet<LocalId> = writers.keys().copied().filter(|id| side[into(*id)] && !side[out(*id)]).collect();
    let left = crossing.iter().flat_map(|id| &writers[id]).copied().chain(early).collect();
    let atoms = [closure(program, left, &BTreeSet::new()), closure(program, late, &crossing)];
    let cut = Cut { atoms, crossing };
    cut.keeps_to(program, [first, second]).then(|| cut.with_assertions(program))
}

impl Cut {
    /// The groups of data that each stage reads.
    pub(super) fn reads(&self, program: &Program) -> [Needs; 2] {
        self.atoms.each_ref().map(|atoms| needs(program, atoms))
    }

    /// Adds each assertion to a stage that has all that the condition needs. An assertion that none has is left out: what
    /// release builds do not check must not cost them a temporary.
    fn with_assertions(mut self, program: &Program) -> Self {
        let (writers, before) = (program.writers(), self.atoms.clone());
        let has = |stage: usize, a: usize, id: LocalId| {
            let mut others = before[stage].iter().map(|other| &program.atoms[*other]);
            let passed = stage == 1 && self.crossing.contains(&id) && program.reads_last(a, id);
            let computed = writers.get(&id).into_iter().flatten().all(|writer| before[stage].contains(writer));
            let there = program.constraints[id.0].is_none() || others.any(|other| other.mentions(id));
            passed || (computed && there)
        };
        for (a, atom) in program.atoms.iter().enumerate().filter(|(_, atom)| atom.asserts) {
            let stage = (0..2).find(|&stage| atom.reads.iter().all(|id| has(stage, a, *id)));
            stage.into_iter().for_each(|stage| {
                self.atoms[stage].insert(a);
            });
        }
        self
    }

    fn keeps_to(&self, program: &Program, allowed: [&Needs; 2]) -> bool {
        let reads = self.reads(program);
        reads.iter().zip(allowed).all(|(reads, allowed)| reads.is_subset(allowed))
            && self.atoms.iter().all(|atoms| !atoms.is_empty())
    }
}

/// Atoms with effects that must stay in one stage.
#[derive(Debug)]
struct Group {
    atoms: BTreeSet<usize>,
    needs: Needs,
}

/// The effects of a kernel: every atom that adds is one of its own; those that touch the same tied parameter are one.
fn effects(program: &Program) -> Vec<Group> {
    let tied = |a: usize| -> BTreeSet<LocalId> {
        let atom = &program.atoms[a];
        atom.writes
            .union(&atom.reads)
            .copied()
            .filter(|id| program.constraints[id.0] == Some(Constraint::Tied))
            .collect()
    };
    let mut groups: Vec<(BTreeSet<usize>, BTreeSet<LocalId>)> = Vec::new();
    for a in 0..program.atoms.len() {
        let mut params = tied(a);
        if program.atoms[a].asserts || (!program.has_effect(a) && params.is_empty()) {
            continue;
        }
        let mut atoms = BTreeSet::from([a]);
        // Joins all groups that share a parameter with it.
        groups.retain(|(others, known)| {
            let disjoint = known.is_disjoint(&params);
            if !disjoint {
                atoms.extend(others);
                params.extend(known);
            }
            disjoint
        });
        groups.push((atoms, params));
    }
    let group = |(atoms, _): (BTreeSet<usize>, _)| Group {
        needs: needs(program, &closure(program, atoms.clone(), &BTreeSet::new())),
        atoms,
    };
    groups.into_iter().map(group).collect()
}

/// The groups of data that some atoms read.
fn needs(program: &Program, atoms: &BTreeSet<usize>) -> Needs {
    atoms.iter().flat_map(|a| &program.atoms[*a].reads).filter_map(|id| program.group(*id)).collect()
}

/// All atoms that some atoms need, themselves included; `known` locals need not be computed.
fn closure(program: &Program, of: BTreeSet<usize>, known: &BTreeSet<LocalId>) -> BTreeSet<usize> {
    let writers = program.writers();
    let mut open: Vec<usize> = of.iter().copied().collect();
    let mut all = of;
    while let Some(a) = open.pop() {
        for id in program.atoms[a].reads.iter().filter(|id| !known.contains(id)) {
            for &writer in writers.get(id).into_iter().flatten() {
                if all.insert(writer) {
                    open.push(writer);
                }
            }
        }
    }
    all
}
