//! Operands that need less than the whole expression become locals of their own.
//!
//! A cut goes between locals. The operands of `res += viscous(grad) + smoothing(lap)` need different data, but there is
//! no local between them. So they get names; results do not change.

use super::Constraint;
use super::program::{Kind, Program, kind};
use crate::ir::{Block, Expr, ExprKind, Func, Local, LocalId, Pat, Stmt, Ty};
use proc_macro2::Span;
use quote::format_ident;
use std::collections::BTreeSet;

/// Groups of staged data.
pub(super) type Needs = BTreeSet<usize>;

/// The kernel with all statements as statements, and with names for operands.
pub(super) fn hoist(func: &Func, constraints: &[Constraint]) -> Func {
    let mut func = func.clone();
    let mut body = func.body;
    one_by_one(&mut body);
    func.body = body.clone();
    let program = Program::new(&func, constraints);
    let needs = needs(&program);
    let mut hoister = Hoister { needs, locals: func.locals };
    hoister.block(&mut body);
    Func { body, locals: hoister.locals, ..func }
}

/// The staged data that each local depends on.
fn needs(program: &Program) -> Vec<Needs> {
    let mut needs: Vec<Needs> =
        (0..program.constraints.len()).map(|id| program.group(LocalId(id)).into_iter().collect()).collect();
    // Loops feed values back.
    loop {
        let mut grown = false;
        for atom in &program.atoms {
            let read: Needs = atom.reads.iter().flat_map(|id| needs[id.0].iter().copied()).collect();
            for id in &atom.writes {
                let before = needs[id.0].len();
                needs[id.0].extend(&read);
                grown |= needs[id.0].len() > before;
            }
        }
        if !grown {
            return needs;
        }
    }
}

/// Makes the tail of a block without a value a statement, and splits the `let` of a tuple into one `let` per name.
fn one_by_one(block: &mut Block) {
    if let Some(tail) = block.tail.take_if(|tail| matches!(tail.ty, Ty::Unit | Ty::Never)) {
        block.stmts.push(Stmt::Expr(*tail));
    }
    block.stmts = std::mem::take(&mut block.stmts).into_iter().flat_map(lets).collect();
    for stmt in &mut block.stmts {
        if let Kind::Container(..) = kind(stmt)
            && let Stmt::Expr(e) = stmt
        {
            e.parts_mut().1.into_iter().for_each(one_by_one);
        }
    }
}

/// `let (a, b) = (x, y);` as `let a = x; let b = y;`: names of the pattern are not yet known in the values.
fn lets(stmt: Stmt) -> Vec<Stmt> {
    match stmt {
        Stmt::Let { pat: Pat::Tuple(pats), init: Some(Expr { kind: ExprKind::Tuple(values), .. }) } => {
            pats.into_iter().zip(values).flat_map(|(pat, value)| lets(Stmt::Let { pat, init: Some(value) })).collect()
        }
        other => vec![other],
    }
}

struct Hoister {
    needs: Vec<Needs>,
    locals: Vec<Local>,
}

impl Hoister {
    fn block(&mut self, block: &mut Block) {
        for mut stmt in std::mem::take(&mut block.stmts) {
            let mut first = Vec::new();
            let container = matches!(kind(&stmt), Kind::Container(..));
            match &mut stmt {
                Stmt::Let { init: Some(e), .. } => self.operands(e, &mut first),
                Stmt::Let { init: None, .. } => {}
                Stmt::Expr(e) if container => {
                    if let ExprKind::If(cond, ..) = &mut e.kind
                        && !matches!(cond.kind, ExprKind::Local(_) | ExprKind::Lit(_))
                    {
                        self.extract(cond, &mut first);
                    }
                    e.parts_mut().1.into_iter().for_each(|b| self.block(b));
                }
                Stmt::Expr(e) => match &mut e.kind {
                    ExprKind::Assign(_, value) | ExprKind::AssignOp(_, _, value) => self.operands(value, &mut first),
                    ExprKind::Call(..) | ExprKind::BestUpdate(..) => self.operands(e, &mut first),
                    _ => {}
                },
            }
            block.stmts.append(&mut first);
            block.stmts.push(stmt);
        }
    }

    /// The groups of data that an expression depends on.
    fn of(&self, e: &Expr) -> Needs {
        let mut needs = Needs::new();
        e.walk(&mut |part| {
            if let ExprKind::Local(id) = &part.kind {
                needs.extend(&self.needs[id.0]);
            }
        });
        needs
    }

    /// Names the operands of an expression that need less than all of it.
    fn operands(&mut self, e: &mut Expr, first: &mut Vec<Stmt>) {
        let whole = self.of(e);
        if whole.len() > 1 && !has_effects(e) {
            self.descend(e, &whole, first);
        }
    }

    fn descend(&mut self, e: &mut Expr, whole: &Needs, first: &mut Vec<Stmt>) {
        // Operands after `&&` and in branches are not named, because they would then be computed unconditionally.
        let goes_on = match &e.kind {
            ExprKind::Binary(op, ..) => !op.is_lazy(),
            ExprKind::Unary(..) | ExprKind::Cast(_) | ExprKind::Intrinsic(..) | ExprKind::FloatLit(_) => true,
            ExprKind::Call(..) | ExprKind::BestUpdate(..) | ExprKind::Array(_) | ExprKind::Tuple(_) => true,
            _ => false,
        };
        if !goes_on {
            return;
        }
        for part in e.parts_mut().0 {
            let needs = self.of(part);
            if needs == *whole {
                self.descend(part, whole, first);
            } else if !needs.is_empty() {
                if needs.len() > 1 {
                    self.descend(part, &needs, first);
                }
                self.operand(part, first);
            }
        }
    }

    /// Names an operand, if it is a plain value or refers to one.
    fn operand(&mut self, e: &mut Expr, first: &mut Vec<Stmt>) {
        match &mut e.kind {
            ExprKind::Ref(false, value) if is_plain(&value.ty) && !matches!(value.kind, ExprKind::Local(_)) => {
                self.extract(value, first);
            }
            // Of a parameter that is passed on as the reference that it is, the value.
            ExprKind::Local(id) => {
                let Ty::Ref(false, ty) = e.ty.clone() else { return };
                if is_plain(&ty) {
                    let reference = Expr { kind: ExprKind::Local(*id), ty: e.ty.clone(), span: e.span };
                    let mut value = Expr { kind: ExprKind::Deref(Box::new(reference)), ty: *ty, span: e.span };
                    self.extract(&mut value, first);
                    e.kind = ExprKind::Ref(false, Box::new(value));
                }
            }
            _ if is_plain(&e.ty) => self.extract(e, first),
            _ => {}
        }
    }

    /// Puts a local in the place of an expression.
    fn extract(&mut self, e: &mut Expr, first: &mut Vec<Stmt>) {
        let id = LocalId(self.locals.len());
        let needs = self.of(e);
        let name = format_ident!("part{}", id.0, span = Span::mixed_site());
        self.locals.push(Local { name, ty: e.ty.clone(), mutable: false });
        self.needs.push(needs);
        let local = Expr { kind: ExprKind::Local(id), ty: e.ty.clone(), span: e.span };
        let init = Some(std::mem::replace(e, local));
        first.push(Stmt::Let { pat: Pat::Local(id), init });
    }
}

/// Whether evaluating an expression has side effects: then its operands keep their order. A call at the top has none
/// before its arguments are evaluated.
fn has_effects(e: &Expr) -> bool {
    let changes = |part: &Expr| match &part.kind {
        ExprKind::Assign(..) | ExprKind::AssignOp(..) | ExprKind::BestUpdate(..) | ExprKind::Loop(_) => true,
        ExprKind::Break(_) | ExprKind::Continue(_) | ExprKind::Return(_) => true,
        ExprKind::Call(_, args) => args.iter().any(|arg| arg.ty.has_exclusive()),
        _ => false,
    };
    let any = |e: &Expr| {
        let mut found = false;
        e.walk(&mut |part| found |= changes(part));
        found
    };
    match &e.kind {
        ExprKind::Call(..) | ExprKind::BestUpdate(..) => e.parts().0.into_iter().any(any),
        _ => any(e),
    }
}

/// Whether a value can be kept: scalars, arrays of them, and records whose scalars all have one type.
pub(super) fn is_plain(ty: &Ty) -> bool {
    match ty {
        Ty::Scalar(_) => true,
        Ty::Array(inner, len) => is_plain(inner) && !matches!(len, crate::ir::Len::Infer(_) | crate::ir::Len::Row),
        Ty::Record(_, fields) => fields.iter().all(is_plain) && ty.elem().is_some(),
        _ => false,
    }
}
