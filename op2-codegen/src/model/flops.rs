//! Counting floating-point operations.

use crate::ir::{Binary, Block, ConstKind, Expr, ExprKind, FuncId, Lit, Loop, LoopKind, Mention, Ty, Unary, Unit};

/// Floating-point operations: a number, or one that the compiler computes from constants of the kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flops {
    /// So many.
    Number(u32),
    /// Those of all parts.
    Sum(Vec<Flops>),
    /// Those of the part that has the most.
    Most(Vec<Flops>),
    /// Those of each round of a loop that ends at a constant.
    Rounds {
        /// The first round.
        from: u128,
        /// The constant.
        to: Mention,
        /// Whether there is a round for the constant itself.
        inclusive: bool,
        /// The operations of a round.
        body: Box<Flops>,
    },
}

/// Floating-point operations of one execution of the unit's first function.
///
/// `+`, `-`, `*`, `/`, `%`, negation, comparison and `sqrt` of floats count 1; the other library
/// functions what [`crate::ir::Intrinsic::flops`] says: 1 for what is one instruction on common
/// hardware, 2 for `mul_add`, `clamp` and `fract`, 4 for `hypot` and `powi`, 10 for exponential,
/// logarithmic and trigonometric functions, 20 for `powf`. Integer work counts nothing. The body
/// of a `for` from a literal to a literal or a Rust `const` counts once per iteration, any other loop's body once; of an `if`
/// the larger branch counts; a called function counts wherever it is called. The sum saturates.
pub fn flops(unit: &Unit) -> Flops {
    unit.funcs.first().map_or(Flops::Number(0), |_| Counter { unit, func: FuncId(0) }.all())
}

impl Flops {
    /// The sum, as one number if all parts are numbers.
    pub fn sum(parts: impl IntoIterator<Item = Flops>) -> Flops {
        let (number, mut rest) = split(parts, u32::saturating_add);
        match (number, rest.len()) {
            (number, 0) => Flops::Number(number),
            (0, 1) => rest.remove(0),
            (0, _) => Flops::Sum(rest),
            (number, _) => Flops::Sum([Flops::Number(number)].into_iter().chain(rest).collect()),
        }
    }

    fn most(parts: impl IntoIterator<Item = Flops>) -> Flops {
        let (number, mut rest) = split(parts, u32::max);
        match (number, rest.len()) {
            (number, 0) => Flops::Number(number),
            (0, 1) => rest.remove(0),
            (number, _) => Flops::Most([Flops::Number(number)].into_iter().chain(rest).collect()),
        }
    }

    fn times(self, rounds: u128) -> Flops {
        let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
        match self {
            Flops::Number(n) => Flops::Number(n.saturating_mul(rounds)),
            Flops::Sum(parts) => Flops::Sum(parts.into_iter().map(|part| part.times(rounds.into())).collect()),
            Flops::Most(parts) => Flops::Most(parts.into_iter().map(|part| part.times(rounds.into())).collect()),
            Flops::Rounds { from, to, inclusive, body } => {
                Flops::Rounds { from, to, inclusive, body: Box::new(body.times(rounds.into())) }
            }
        }
    }
}

/// All numbers among the parts as one, and the other parts.
fn split(parts: impl IntoIterator<Item = Flops>, join: fn(u32, u32) -> u32) -> (u32, Vec<Flops>) {
    let (mut number, mut rest) = (0, Vec::new());
    for part in parts {
        match part {
            Flops::Number(n) => number = join(number, n),
            other => rest.push(other),
        }
    }
    (number, rest)
}

struct Counter<'a> {
    unit: &'a Unit,
    func: FuncId,
}

impl Counter<'_> {
    fn all(&self) -> Flops {
        self.block(&self.unit.funcs[self.func.0].body)
    }

    fn block(&self, block: &Block) -> Flops {
        Flops::sum(block.exprs().into_iter().map(|e| self.expr(e)))
    }

    fn expr(&self, e: &Expr) -> Flops {
        match &e.kind {
            ExprKind::Loop(l) => return self.looping(l),
            // Release builds do not evaluate it.
            ExprKind::Assert(..) => return Flops::Number(0),
            _ => {}
        }
        let (exprs, blocks) = e.parts();
        let inside = exprs.into_iter().map(|part| self.expr(part));
        // The blocks of one expression are alternatives: only one branch of an `if` runs.
        let branch = Flops::most(blocks.into_iter().map(|b| self.block(b)));
        Flops::sum(inside.chain([self.own(e), branch]))
    }

    /// The operation itself, without its operands.
    fn own(&self, e: &Expr) -> Flops {
        Flops::Number(match &e.kind {
            ExprKind::Unary(Unary::Neg, a) => u32::from(is_float(a) && !is_literal(a)),
            ExprKind::Binary(op, a, _) | ExprKind::AssignOp(op, a, _) => {
                u32::from(is_float(a) && !matches!(op, Binary::And | Binary::Or))
            }
            ExprKind::Intrinsic(i, args) if args.first().is_some_and(is_float) => i.flops(),
            ExprKind::Call(id, _) if id.0 < self.unit.funcs.len() => return Counter { func: *id, ..*self }.all(),
            ExprKind::BestUpdate(_, value, _) => u32::from(is_float(value)),
            _ => 0,
        })
    }

    fn looping(&self, l: &Loop) -> Flops {
        let body = self.block(&l.body);
        match &l.kind {
            LoopKind::For { start, end, inclusive, .. } => match (literal(start), literal(end), self.constant(end)) {
                (Some(from), Some(to), _) => body.times((to + u128::from(*inclusive)).saturating_sub(from)),
                (Some(_), None, Some(_)) if body == Flops::Number(0) => body,
                (Some(from), None, Some(to)) => Flops::Rounds { from, to, inclusive: *inclusive, body: Box::new(body) },
                _ => body,
            },
            LoopKind::While(cond) => Flops::sum([body, self.expr(cond)]),
            LoopKind::Forever => body,
        }
    }

    /// The Rust constant that an expression is, if it is one.
    fn constant(&self, e: &Expr) -> Option<Mention> {
        let ExprKind::Const(id) = e.kind else { return None };
        (self.unit.funcs[self.func.0].consts[id.0].kind == ConstKind::Rust).then(|| self.unit.place(self.func, id))
    }
}

fn is_float(e: &Expr) -> bool {
    matches!(e.ty, Ty::Scalar(s) if s.is_float())
}

fn is_literal(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Lit(_))
}

fn literal(e: &Expr) -> Option<u128> {
    match e.kind {
        ExprKind::Lit(Lit::Int(n)) => Some(n),
        _ => None,
    }
}
