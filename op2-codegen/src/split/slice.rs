//! The function of a stage: the kernel without the atoms that other stages run.

use super::cut::{Cut, kept_type};
use super::program::{Kind, Program, Rounds, bound, kind};
use super::{Stage, StageArg};
use crate::ir::{Block, Expr, ExprKind, Func, Lit, Local, LocalId, Param, Pat, Scalar, Stmt, Ty};
use proc_macro2::Span;
use quote::format_ident;
use std::collections::BTreeSet;

/// The stages of a cut. `args` are the arguments for the kernel's own parameters, `temporary` is the number of the
/// first temporary.
pub(super) fn stages(func: &Func, program: &Program, cut: &Cut, args: &[StageArg], temporary: usize) -> [Stage; 2] {
    let crossing: Vec<LocalId> = cut.crossing.iter().copied().collect();
    [false, true].map(|second| {
        let atoms = &cut.atoms[usize::from(second)];
        let mut slicer = Slicer {
            func,
            program,
            atoms,
            crossing: &crossing,
            second,
            locals: func.locals.clone(),
            kept: Vec::new(),
            stmts: 0,
            blocks: 0,
        };
        let temporaries = slicer.temporaries();
        let body = slicer.block(&func.body);
        let used = used(&body);
        let mut params = Vec::new();
        let mut passed = Vec::new();
        for (param, arg) in func.params.iter().zip(args) {
            if used.contains(&param.local) {
                params.push(param.clone());
                passed.push(*arg);
            }
        }
        for (n, param) in temporaries.into_iter().enumerate() {
            if used.contains(&param.local) {
                params.push(param);
                passed.push(if second { StageArg::Left(temporary + n) } else { StageArg::Leaves(temporary + n) });
            }
        }
        let locals = slicer.locals;
        Stage { func: Func { params, locals, body, ..func.clone() }, args: passed }
    })
}

/// The locals that a block mentions.
fn used(block: &Block) -> BTreeSet<LocalId> {
    let mut used = BTreeSet::new();
    block.walk(&mut |e| {
        if let ExprKind::Local(id) = &e.kind {
            used.insert(*id);
        }
    });
    used
}

struct Slicer<'a> {
    func: &'a Func,
    program: &'a Program,
    atoms: &'a BTreeSet<usize>,
    crossing: &'a [LocalId],
    second: bool,
    locals: Vec<Local>,
    /// For each local that is passed on, the parameter that keeps it.
    kept: Vec<LocalId>,
    stmts: usize,
    blocks: usize,
}

impl Slicer<'_> {
    /// The parameters for temporaries.
    fn temporaries(&mut self) -> Vec<Param> {
        let mut params = Vec::new();
        for id in self.crossing {
            let Some(ty) = kept_type(self.func, self.program, *id) else { continue };
            let ty = Ty::Ref(!self.second, Box::new(ty));
            let name = format_ident!("{}_kept", self.func.locals[id.0].name, span = Span::mixed_site());
            let local = LocalId(self.locals.len());
            self.locals.push(Local { name: name.clone(), ty: ty.clone(), mutable: false });
            self.kept.push(local);
            params.push(Param { local, name, ty, written: String::new(), indices: None });
        }
        params
    }

    fn block(&mut self, block: &Block) -> Block {
        let number = self.blocks;
        self.blocks += 1;
        let mut stmts = Vec::new();
        for (index, stmt) in block.stmts.iter().enumerate() {
            self.stmt(stmt, &mut stmts);
            for n in 0..self.crossing.len() {
                if !self.second && self.program.last_change(self.crossing[n]) == Some((number, index)) {
                    stmts.push(self.leave(n));
                }
            }
        }
        Block { stmts, tail: block.tail.clone(), ty: block.ty.clone() }
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let number = self.stmts;
        self.stmts += 1;
        match kind(stmt) {
            Kind::Atom => {
                let atom = self.program.atoms.binary_search_by_key(&number, |a| a.stmt).ok();
                let runs = atom.is_some_and(|a| self.atoms.contains(&a));
                if runs {
                    out.push(stmt.clone());
                }
                if let (true, Stmt::Let { pat, .. }) = (self.second, stmt) {
                    for id in bound(pat) {
                        out.extend(self.crossing.iter().position(|c| *c == id).map(|n| self.fetch(n)));
                    }
                }
            }
            Kind::Container(_, blocks) => {
                let Stmt::Expr(e) = stmt else { return };
                let blocks: Vec<Block> = blocks.into_iter().map(|b| self.block(b)).collect();
                if blocks.iter().all(|b| b.stmts.is_empty()) {
                    return;
                }
                let mut e = e.clone();
                for (place, block) in e.parts_mut().1.into_iter().zip(blocks) {
                    *place = block;
                }
                out.push(Stmt::Expr(e));
            }
        }
    }

    /// `*kept = local`
    fn leave(&self, n: usize) -> Stmt {
        let id = self.crossing[n];
        let local = self.local(id);
        let place = self.place(n);
        Stmt::Expr(unit(ExprKind::Assign(Box::new(place), Box::new(local))))
    }

    /// `let local = *kept`
    fn fetch(&self, n: usize) -> Stmt {
        Stmt::Let { pat: Pat::Local(self.crossing[n]), init: Some(self.place(n)) }
    }

    /// The place where a local is kept in the present round of the loops around it.
    fn place(&self, n: usize) -> Expr {
        let kept = self.kept[n];
        let ty = self.locals[kept.0].ty.clone();
        let Ty::Ref(_, inner) = &ty else { unreachable!("temporaries are passed by reference") };
        let deref = ExprKind::Deref(Box::new(self.local(kept)));
        let mut place = Expr { kind: deref, ty: (**inner).clone(), span: Span::mixed_site() };
        let declared = self.program.locals[self.crossing[n].0].as_ref();
        for rounds in declared.and_then(|d| d.rounds.as_deref()).unwrap_or_default() {
            let Ty::Array(item, _) = place.ty.clone() else { break };
            let index = self.index(rounds);
            let kind = ExprKind::Index(Box::new(place), Box::new(index));
            place = Expr { kind, ty: *item, span: Span::mixed_site() };
        }
        place
    }

    /// The number of a round, from 0 on.
    fn index(&self, rounds: &Rounds) -> Expr {
        let span = Span::mixed_site();
        let usize = Ty::Scalar(Scalar::Usize);
        let mut index = self.local(rounds.var);
        if rounds.first > 0 {
            let ty = index.ty.clone();
            let first = Expr { kind: ExprKind::Lit(Lit::Int(rounds.first)), ty: ty.clone(), span };
            let kind = ExprKind::Binary(crate::ir::Binary::Sub, Box::new(index), Box::new(first));
            index = Expr { kind, ty, span };
        }
        match index.ty == usize {
            true => index,
            false => Expr { kind: ExprKind::Cast(Box::new(index)), ty: usize, span },
        }
    }

    fn local(&self, id: LocalId) -> Expr {
        Expr { kind: ExprKind::Local(id), ty: self.locals[id.0].ty.clone(), span: Span::mixed_site() }
    }
}

fn unit(kind: ExprKind) -> Expr {
    Expr { kind, ty: Ty::Unit, span: Span::mixed_site() }
}
