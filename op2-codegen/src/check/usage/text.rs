//! Expressions as the user would recognise them, short enough for a message.

use crate::ir::{Block, Expr, ExprKind, Func, Lit, LoopKind, Stmt, Ty, Unit, print};

/// Longest text of a site, in characters.
const WIDTH: usize = 60;

/// `expr` of `func` in one line of at most [`WIDTH`] characters.
pub(super) fn short(unit: &Unit, func: &Func, expr: &Expr) -> String {
    let text = Writer { unit, func }.expr(expr);
    if text.chars().count() <= WIDTH {
        return text;
    }
    let kept: String = text.chars().take(WIDTH - 1).collect();
    format!("{}…", kept.trim_end())
}

struct Writer<'a> {
    unit: &'a Unit,
    func: &'a Func,
}

impl Writer<'_> {
    fn expr(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Lit(Lit::Int(n)) => n.to_string(),
            ExprKind::Lit(Lit::Float(digits)) => digits.clone(),
            ExprKind::Lit(Lit::Bool(b)) => b.to_string(),
            ExprKind::Local(id) => self.func.locals[id.0].name.to_string(),
            ExprKind::IsSome(option) => format!("{}.is_some()", self.base(option)),
            ExprKind::Length(row) => format!("{}.len()", self.base(row)),
            ExprKind::Ask(question, table, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
                format!("{}.{}({})", self.base(table), question.name(), args.join(", "))
            }
            ExprKind::Const(id) => print::tokens(&self.func.consts[id.0].path),
            ExprKind::Param(n) => self.func.lens[*n].to_string(),
            ExprKind::AssocConst(c) => format!("{}::{}", print::ty(self.func, &e.ty), c.name()),
            ExprKind::Field(a, n) => format!("{}.{}", self.base(a), a.ty.part_name(*n)),
            ExprKind::Index(a, i) => format!("{}[{}]", self.base(a), self.expr(i)),
            ExprKind::Deref(a) => format!("*{}", self.operand(a)),
            ExprKind::Ref(false, a) => format!("&{}", self.operand(a)),
            ExprKind::Ref(true, a) => format!("&mut {}", self.operand(a)),
            ExprKind::Unary(op, a) => format!("{}{}", op.symbol(), self.operand(a)),
            ExprKind::Binary(op, a, b) => {
                format!("{} {} {}", self.operand(a), op.symbol(), self.operand(b))
            }
            ExprKind::Cast(a) => format!("{} as {}", self.operand(a), print::ty(self.func, &e.ty)),
            ExprKind::Assign(a, b) => format!("{} = {}", self.expr(a), self.expr(b)),
            ExprKind::AssignOp(op, a, b) => {
                format!("{} {}= {}", self.expr(a), op.symbol(), self.expr(b))
            }
            _ => self.composite(e),
        }
    }

    fn composite(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Call(f, args) => {
                let name = self.unit.funcs.get(f.0).map_or("_".to_owned(), |f| f.name.to_string());
                format!("{name}({})", self.list(args))
            }
            ExprKind::Intrinsic(function, args) => match args.split_first() {
                Some((receiver, rest)) => {
                    format!("{}.{}({})", self.receiver(receiver), function.name(), self.list(rest))
                }
                None => function.name().to_owned(),
            },
            ExprKind::FloatLit(a) => format!("{}::lit({})", print::ty(self.func, &e.ty), self.expr(a)),
            ExprKind::BestUpdate(best, v, p) => {
                format!("{}.update({}, {})", self.base(best), self.expr(v), self.expr(p))
            }
            ExprKind::Array(items) => format!("[{}]", self.list(items)),
            ExprKind::Repeat(a) => format!("[{}; …]", self.expr(a)),
            ExprKind::Tuple(items) => match &e.ty {
                Ty::Record(record, _) => format!("{} {{ … }}", record.name),
                _ => format!("({})", self.list(items)),
            },
            ExprKind::Block(block) => self.block(block),
            ExprKind::If(cond, then, other) => {
                let other = other.as_ref().map_or(String::new(), |b| format!(" else {}", self.block(b)));
                format!("if {} {}{other}", self.expr(cond), self.block(then))
            }
            ExprKind::IfSome(..) => "if let Some(…) = …".to_owned(),
            ExprKind::Loop(l) => match &l.kind {
                LoopKind::For { var, .. } => format!("for {} in …", self.func.locals[var.0].name),
                LoopKind::While(cond) => format!("while {}", self.expr(cond)),
                LoopKind::Forever => "loop".to_owned(),
            },
            ExprKind::Assert(a, _) => format!("debug_assert!({})", self.expr(a)),
            ExprKind::Break(_) => "break".to_owned(),
            ExprKind::Continue(_) => "continue".to_owned(),
            ExprKind::Return(None) => "return".to_owned(),
            ExprKind::Return(Some(a)) => format!("return {}", self.expr(a)),
            _ => "…".to_owned(),
        }
    }

    /// A block of one expression with its content, any other with dots.
    fn block(&self, block: &Block) -> String {
        match (block.stmts.as_slice(), &block.tail) {
            ([], Some(e)) => format!("{{ {} }}", self.expr(e)),
            ([Stmt::Expr(e)], None) => format!("{{ {}; }}", self.expr(e)),
            ([], None) => "{}".to_owned(),
            _ => "{ … }".to_owned(),
        }
    }

    fn list(&self, exprs: &[Expr]) -> String {
        exprs.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    /// The operand before `[`, where Rust dereferences implicitly.
    fn base(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Deref(inner) => self.base(inner),
            _ => self.receiver(e),
        }
    }

    /// The operand before `.` or `[`, where prefix operators need parentheses.
    fn receiver(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Unary(..) | ExprKind::Deref(_) | ExprKind::Ref(..) => format!("({})", self.expr(e)),
            _ => self.operand(e),
        }
    }

    /// An operand, in parentheses where it is an operation itself.
    fn operand(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary(..) | ExprKind::Cast(_) | ExprKind::If(..) => format!("({})", self.expr(e)),
            _ => self.expr(e),
        }
    }
}
