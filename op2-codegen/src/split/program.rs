//! A kernel as atoms: the smallest pieces that a stage runs or leaves out.
//!
//! An `if` without a value, a `for` that nothing leaves early and a block stand for their contents; every other statement is
//! an atom. All atoms inside also read the operands of the condition or the bounds. So an `if` or a `for` is in every
//! stage that runs something inside of it, and a local of a loop of known length is passed between stages as an array
//! with an entry for every round.

use super::Constraint;
use crate::ir::{Block, Expr, ExprKind, Func, Len, Lit, LocalId, LoopKind, Pat, Stmt, Ty};
use std::collections::{BTreeMap, BTreeSet};

/// The statements of a kernel, numbered in the order of the text; `slice` numbers them in the same way.
#[derive(Debug)]
pub(super) struct Program {
    /// In the order of the text.
    pub(super) atoms: Vec<Atom>,
    /// By local; `None` for parameters and for locals inside atoms.
    pub(super) locals: Vec<Option<Declared>>,
    /// By local: for a mutable reference, the local that it refers to; otherwise itself.
    roots: Vec<LocalId>,
    /// By local.
    pub(super) constraints: Vec<Option<Constraint>>,
}

/// A piece of a kernel.
#[derive(Debug)]
pub(super) struct Atom {
    /// Number of its statement.
    pub(super) stmt: usize,
    /// Where it stands: block and place in that block, from outside in.
    path: Vec<(usize, usize)>,
    /// Locals whose value it needs.
    pub(super) reads: BTreeSet<LocalId>,
    /// Locals that it declares or changes.
    pub(super) writes: BTreeSet<LocalId>,
    /// Floating-point operations, about.
    pub(super) flops: u32,
    /// Whether it is a `debug_assert!`.
    pub(super) asserts: bool,
}

impl Atom {
    /// Whether it needs or changes a local.
    pub(super) fn mentions(&self, id: LocalId) -> bool {
        self.reads.contains(&id) || self.writes.contains(&id)
    }

    /// The index of its statement, or of the one around it, in a block.
    fn index_in(&self, block: usize) -> Option<usize> {
        self.path.iter().find(|(b, _)| *b == block).map(|(_, index)| *index)
    }
}

/// Where a local is declared.
#[derive(Debug, Clone)]
pub(super) struct Declared {
    /// The number of the block.
    block: usize,
    /// Loops around the declaration, from outside in; `None` if the count of one is unknown at compile time.
    pub(super) rounds: Option<Vec<Rounds>>,
    /// Bound by a name alone.
    pub(super) alone: bool,
    pub(super) mutable: bool,
}

/// A loop that runs a known number of times.
#[derive(Debug, Clone)]
pub(super) struct Rounds {
    pub(super) var: LocalId,
    pub(super) first: u128,
    pub(super) count: Len,
}

/// The kinds of statements for splitting.
pub(super) enum Kind<'a> {
    Atom,
    /// Its head and its blocks.
    Container(Vec<&'a Expr>, Vec<&'a Block>),
}

/// The kind of a statement.
pub(super) fn kind(stmt: &Stmt) -> Kind<'_> {
    let Stmt::Expr(e) = stmt else { return Kind::Atom };
    let contents = match &e.kind {
        ExprKind::Block(block) => (vec![], vec![block]),
        ExprKind::If(cond, then, other) => (vec![&**cond], std::iter::once(then).chain(other).collect()),
        ExprKind::IfSome(_, _, then, other) => (vec![], std::iter::once(then).chain(other).collect()),
        ExprKind::Loop(l) if !leaves(&l.body) => match &l.kind {
            LoopKind::For { start, end, .. } => (vec![&**start, &**end], vec![&l.body]),
            _ => return Kind::Atom,
        },
        _ => return Kind::Atom,
    };
    Kind::Container(contents.0, contents.1)
}

/// Whether something in a block leaves a round of a loop early.
fn leaves(block: &Block) -> bool {
    let mut found = false;
    block.walk(&mut |e| found |= matches!(e.kind, ExprKind::Break(_) | ExprKind::Continue(_)));
    found
}

/// How often a loop runs, if that is known at compile time.
fn rounds(e: &Expr) -> Option<Rounds> {
    let ExprKind::Loop(l) = &e.kind else { return None };
    let LoopKind::For { var, start, end, inclusive, .. } = &l.kind else { return None };
    let ExprKind::Lit(Lit::Int(first)) = start.kind else { return None };
    let count = match end.kind {
        ExprKind::Lit(Lit::Int(end)) => {
            Len::Lit(usize::try_from((end + u128::from(*inclusive)).saturating_sub(first)).ok()?)
        }
        ExprKind::Const(id) if first == 0 && !inclusive => Len::Const(id),
        ExprKind::Param(n) if first == 0 && !inclusive => Len::Param(n),
        _ => return None,
    };
    Some(Rounds { var: *var, first, count })
}

impl Program {
    /// Divides a kernel into atoms; `constraints` are those of its parameters.
    pub(super) fn new(func: &Func, constraints: &[Constraint]) -> Self {
        let mut of_locals = vec![None; func.locals.len()];
        for (param, constraint) in func.params.iter().zip(constraints) {
            of_locals[param.local.0] = Some(*constraint);
        }
        let program = Program {
            atoms: Vec::new(),
            locals: vec![None; func.locals.len()],
            roots: (0..func.locals.len()).map(LocalId).collect(),
            constraints: of_locals,
        };
        let mut reader =
            Reader { func, program, stmts: 0, blocks: 0, path: Vec::new(), heads: Vec::new(), rounds: Some(vec![]) };
        reader.block(&func.body);
        reader.program
    }

    /// The group of staged data that a parameter is read from.
    pub(super) fn group(&self, id: LocalId) -> Option<usize> {
        match self.constraints[id.0] {
            Some(Constraint::Staged(group)) => Some(group),
            _ => None,
        }
    }

    /// The root of a local.
    pub(super) fn root(&self, id: LocalId) -> LocalId {
        self.roots[id.0]
    }

    /// The atoms that change each local.
    pub(super) fn writers(&self) -> BTreeMap<LocalId, Vec<usize>> {
        let mut found: BTreeMap<LocalId, Vec<usize>> = BTreeMap::new();
        for (a, atom) in self.atoms.iter().enumerate() {
            atom.writes.iter().for_each(|id| found.entry(*id).or_default().push(a));
        }
        found
    }

    /// The place, in the block of its declaration, of the statement with which a local has its last value.
    pub(super) fn last_change(&self, id: LocalId) -> Option<(usize, usize)> {
        let declared = self.locals[id.0].as_ref()?;
        let writers = self.atoms.iter().filter(|a| a.writes.contains(&id));
        writers.filter_map(|a| a.index_in(declared.block)).max().map(|index| (declared.block, index))
    }

    /// Whether an atom reads a local when that has its last value.
    pub(super) fn reads_last(&self, atom: usize, id: LocalId) -> bool {
        self.last_change(id).is_none_or(|(block, last)| self.atoms[atom].index_in(block).is_some_and(|i| i > last))
    }

    /// Whether an atom adds to a parameter or changes one in another way.
    pub(super) fn has_effect(&self, atom: usize) -> bool {
        self.atoms[atom]
            .writes
            .iter()
            .any(|id| matches!(self.constraints[id.0], Some(Constraint::Added | Constraint::Tied)))
    }
}

struct Reader<'a> {
    func: &'a Func,
    program: Program,
    stmts: usize,
    blocks: usize,
    path: Vec<(usize, usize)>,
    /// The locals that the heads of the enclosing containers read.
    heads: Vec<BTreeSet<LocalId>>,
    rounds: Option<Vec<Rounds>>,
}

impl Reader<'_> {
    fn block(&mut self, block: &Block) {
        let number = self.blocks;
        self.blocks += 1;
        for (index, stmt) in block.stmts.iter().enumerate() {
            self.path.push((number, index));
            self.stmt(stmt);
            self.path.pop();
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let number = self.stmts;
        self.stmts += 1;
        match kind(stmt) {
            Kind::Atom => self.atom(number, stmt),
            Kind::Container(head, blocks) => {
                let Stmt::Expr(e) = stmt else { return };
                let mut touched = self.touched();
                head.iter().for_each(|e| touched.value(e));
                let mut reads = touched.reads;
                if let ExprKind::IfSome(option, binding, ..) = &e.kind
                    && let Some(option) = option.root()
                {
                    reads.insert(option);
                    self.program.roots[binding.0] = self.program.root(option);
                }
                self.heads.push(reads);
                let outside = self.rounds.clone();
                if matches!(e.kind, ExprKind::Loop(_)) {
                    self.rounds = self.rounds.take().zip(rounds(e)).map(|(mut all, here)| {
                        all.push(here);
                        all
                    });
                }
                blocks.into_iter().for_each(|b| self.block(b));
                self.rounds = outside;
                self.heads.pop();
            }
        }
    }

    fn touched(&self) -> Touched<'_> {
        Touched {
            program: &self.program,
            reads: BTreeSet::new(),
            writes: BTreeSet::new(),
            inside: BTreeSet::new(),
            flops: 0,
        }
    }

    fn atom(&mut self, stmt: usize, text: &Stmt) {
        if let Stmt::Let { pat, init } = text {
            self.declare(pat, init.as_ref());
        }
        let mut touched = self.touched();
        match text {
            Stmt::Let { pat, init } => {
                // Binding a reference to a place does not change the place.
                match init.as_ref().map(|e| &e.kind) {
                    Some(ExprKind::Ref(true, place)) => touched.place(place),
                    _ => init.iter().for_each(|e| touched.value(e)),
                }
                bound(pat).into_iter().for_each(|id| {
                    touched.writes.insert(id);
                });
            }
            Stmt::Expr(e) => touched.value(e),
        }
        let (mut reads, writes, flops) = (touched.reads, touched.writes, touched.flops);
        self.heads.iter().for_each(|head| reads.extend(head));
        let asserts = matches!(text, Stmt::Expr(Expr { kind: ExprKind::Assert(..), .. }));
        // An atom that changes a part of a local needs the rest of it, or at least its declaration.
        let pure = |id: &LocalId| matches!(self.program.constraints[id.0], Some(Constraint::Added | Constraint::Tied));
        let declares: Vec<LocalId> = match text {
            Stmt::Let { pat, .. } => bound(pat),
            Stmt::Expr(_) => Vec::new(),
        };
        reads.extend(writes.iter().filter(|id| !pure(id) && !declares.contains(id)));
        self.program.atoms.push(Atom { stmt, path: self.path.clone(), reads, writes, flops, asserts });
    }

    fn declare(&mut self, pat: &Pat, init: Option<&Expr>) {
        let Some(&(block, _)) = self.path.last() else { return };
        for id in bound(pat) {
            let alone = matches!(pat, Pat::Local(_));
            let mutable = self.func.locals[id.0].mutable || init.is_none();
            let declared = Declared { block, rounds: self.rounds.clone(), alone, mutable };
            self.program.locals[id.0] = Some(declared);
            if let Some(root) = init.filter(|_| self.func.locals[id.0].ty.has_exclusive()).and_then(root_of) {
                self.program.roots[id.0] = self.program.root(root);
            }
        }
    }
}

/// The names that a pattern binds.
pub(super) fn bound(pat: &Pat) -> Vec<LocalId> {
    match pat {
        Pat::Wild => vec![],
        Pat::Local(id) => vec![*id],
        Pat::Tuple(parts) => parts.iter().flat_map(bound).collect(),
    }
}

/// The local that a reference leads to.
fn root_of(e: &Expr) -> Option<LocalId> {
    match &e.kind {
        ExprKind::Ref(_, place) => place.root(),
        _ => e.root(),
    }
}

/// The outer locals that an expression touches.
struct Touched<'a> {
    program: &'a Program,
    reads: BTreeSet<LocalId>,
    writes: BTreeSet<LocalId>,
    /// Declared inside.
    inside: BTreeSet<LocalId>,
    flops: u32,
}

impl Touched<'_> {
    fn read(&mut self, id: LocalId) {
        if !self.inside.contains(&id) {
            self.reads.insert(id);
        }
    }

    /// Notes a change through a local.
    fn change(&mut self, id: LocalId) {
        if self.inside.contains(&id) {
            return;
        }
        let root = self.program.root(id);
        self.writes.insert(root);
        if root != id {
            self.reads.insert(id);
        }
    }

    /// A place that is mentioned, but neither read nor changed. Only its indices are read.
    fn place(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Local(id) => {
                // Through a reference that was bound before.
                if self.program.root(*id) != *id {
                    self.read(*id);
                }
            }
            ExprKind::Field(a, _) | ExprKind::Deref(a) => self.place(a),
            ExprKind::Index(a, i) => {
                self.place(a);
                self.value(i);
            }
            _ => self.value(e),
        }
    }

    fn changed(&mut self, place: &Expr) {
        self.place(place);
        if let Some(id) = place.root() {
            self.change(id);
        }
    }

    fn value(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Local(id) => {
                // Asking whether an option is there changes nothing.
                if e.ty.has_exclusive() && !matches!(e.ty, Ty::Option(_)) {
                    self.change(*id);
                } else {
                    self.read(*id);
                }
            }
            ExprKind::Ref(true, place) => self.changed(place),
            ExprKind::Assign(place, value) => {
                self.value(value);
                self.changed(place);
            }
            ExprKind::AssignOp(_, place, value) => {
                self.flops += 1;
                self.value(value);
                self.changed(place);
            }
            ExprKind::BestUpdate(best, value, payload) => {
                self.value(value);
                self.value(payload);
                self.changed(best);
            }
            ExprKind::Deref(place) | ExprKind::Field(place, _) if place.root().is_some() => self.read_place(e),
            ExprKind::Index(..) if e.root().is_some() => self.read_place(e),
            ExprKind::IfSome(_, binding, ..) => {
                self.inside.insert(*binding);
                self.parts(e);
            }
            _ => self.parts(e),
        }
    }

    /// A place whose value is needed.
    fn read_place(&mut self, e: &Expr) {
        self.place(e);
        if let Some(id) = e.root() {
            self.read(id);
            // The value is that of the referenced local.
            let root = self.program.root(id);
            self.read(root);
        }
    }

    fn parts(&mut self, e: &Expr) {
        self.flops += match &e.kind {
            ExprKind::Binary(..) | ExprKind::Unary(..) => 1,
            ExprKind::Intrinsic(i, _) => i.flops(),
            // A function costs more than an operation; this is a guess.
            ExprKind::Call(..) => 20,
            _ => 0,
        };
        if let ExprKind::Loop(l) = &e.kind
            && let LoopKind::For { var, .. } = &l.kind
        {
            self.inside.insert(*var);
        }
        let (exprs, blocks) = e.parts();
        exprs.into_iter().for_each(|part| self.value(part));
        for block in blocks {
            for stmt in &block.stmts {
                if let Stmt::Let { pat, .. } = stmt {
                    self.inside.extend(bound(pat));
                }
            }
            block.exprs().into_iter().for_each(|e| self.value(e));
        }
    }
}
