//! The IR as text: deterministic, with types shown, for golden tests and for debugging.
//!
//! The form is close to Rust, fully parenthesised. A local is `name#id`, a function of the unit
//! `name@id`, a loop `'id`; literals carry their type; every `let` states it.

use std::fmt::Write;

use quote::ToTokens;

use super::{
    Best, Block, ConstId, ConstKind, Expr, ExprKind, Func, Len, Lit, LocalId, Loop, LoopKind, Pat, Scalar, Stmt, Ty,
    Unit,
};

/// A whole unit, one function after the other.
pub fn unit(unit: &Unit) -> String {
    let funcs: Vec<String> = (0..unit.funcs.len()).map(|id| func(unit, id)).collect();
    funcs.join("\n")
}

/// A type as the user would write it in `func`.
pub fn ty(func: &Func, ty: &Ty) -> String {
    let inner = |t: &Ty| self::ty(func, t);
    let list = |ts: &[Ty]| ts.iter().map(inner).collect::<Vec<_>>().join(", ");
    match ty {
        Ty::Unit => "()".to_string(),
        Ty::Never => "!".to_string(),
        Ty::Scalar(s) => scalar(func, *s),
        Ty::Array(t, Len::Row) => format!("Row<{}>", inner(t)),
        Ty::Array(t, n) => format!("[{}; {}]", inner(t), len(func, n)),
        Ty::Tuple(ts) if ts.len() == 1 => format!("({},)", list(ts)),
        Ty::Tuple(ts) => format!("({})", list(ts)),
        Ty::Record(record, fields) => match fields.iter().find_map(Ty::first_float) {
            Some(float) if record.is_generic => format!("{}<{}>", record.name, scalar(func, float)),
            _ => record.name.to_string(),
        },
        Ty::Ref(false, t) => format!("&{}", inner(t)),
        Ty::Ref(true, t) => format!("&mut {}", inner(t)),
        Ty::Option(t) => format!("Option<{}>", inner(t)),
        Ty::Table(t) => format!("Table<_, {}>", inner(t)),
        Ty::ArgBest(Best::Min, v, p) => format!("ArgMin<{}, {}>", inner(v), inner(p)),
        Ty::ArgBest(Best::Max, v, p) => format!("ArgMax<{}, {}>", inner(v), inner(p)),
        Ty::Infer(_) => "_".to_string(),
    }
}

/// Tokens as a reader expects them: without the blanks that token streams print.
pub fn tokens(tokens: &impl ToTokens) -> String {
    let spaced = tokens.to_token_stream().to_string();
    let mut text = String::new();
    let mut rest = spaced.as_str();
    while let Some(at) = rest.find(' ') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let opens = text.ends_with(['&', '<', '(', '[', ':', '\'', '.', '!']);
        let closes = rest.starts_with([':', ';', ',', '>', ')', ']', '.'])
            || (rest.starts_with(['(', '[', '<', '!']) && ends_with_name(&text));
        let annotation = text.ends_with(':') && !text.ends_with("::") && !rest.starts_with(':');
        if annotation || !(opens || closes) {
            text.push(' ');
        }
    }
    text + rest
}

/// Whether the text ends with a name, after which a bracket follows without a blank.
fn ends_with_name(text: &str) -> bool {
    let start = text.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    let word = &text[start..];
    !word.is_empty() && !["mut", "in", "as", "return", "else", "if", "match"].contains(&word)
}

fn scalar(func: &Func, scalar: Scalar) -> String {
    match scalar {
        Scalar::Generic(n) if usize::from(n) < func.floats.len() => func.floats[usize::from(n)].to_string(),
        _ => scalar.name().to_string(),
    }
}

fn len(func: &Func, len: &Len) -> String {
    match len {
        Len::Lit(n) => n.to_string(),
        Len::Const(ConstId(id)) => match func.consts.get(*id) {
            Some(constant) => {
                let text = tokens(&constant.path);
                let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
                inner.map(str::to_owned).unwrap_or(text)
            }
            None => "_".to_string(),
        },
        Len::Param(n) => func.lens.get(*n).map_or("_".to_string(), ToString::to_string),
        Len::Infer(_) | Len::Row => "_".to_string(),
    }
}

fn func(unit: &Unit, id: usize) -> String {
    let func = &unit.funcs[id];
    let mut p = Printer { unit, func, out: String::new(), depth: 1 };
    let floats = func.floats.iter().map(|f| format!("{f}: Float"));
    let own: Vec<String> = floats.chain(func.lens.iter().map(|len| format!("const {len}"))).collect();
    let generic = if own.is_empty() { String::new() } else { format!("<{}>", own.join(", ")) };
    let params: Vec<String> =
        func.params.iter().map(|q| format!("{}: {}", p.local(q.local), ty(func, &q.ty))).collect();
    let ret = ty(func, &func.ret);
    let _ = writeln!(p.out, "fn {}@{id}{generic}({}) -> {ret} {{", func.name, params.join(", "));
    for constant in &func.consts {
        let kind = match constant.kind {
            ConstKind::Rust => "const",
            ConstKind::Runtime => "runtime const",
        };
        let path = tokens(&constant.path);
        let from = constant.origin.map_or(String::new(), |(f, c)| format!(" from @{}:{}", f.0, c.0));
        p.line(&format!("{kind} {path}: {}{from}", ty(func, &constant.ty)));
    }
    p.block(&func.body);
    p.out.push_str("}\n");
    p.out
}

/// An expression of `func`: equal texts are equal expressions.
pub fn expr(unit: &Unit, func: &Func, e: &Expr) -> String {
    Printer { unit, func, out: String::new(), depth: 0 }.expr(e)
}

struct Printer<'a> {
    unit: &'a Unit,
    func: &'a Func,
    out: String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "    ".repeat(self.depth));
    }

    fn local(&self, id: LocalId) -> String {
        match self.func.locals.get(id.0) {
            Some(local) => format!("{}#{}", local.name, id.0),
            None => format!("?#{}", id.0),
        }
    }

    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { pat, init } => {
                    let init = init.as_ref().map(|e| self.expr(e));
                    let (pat, ty) = self.pat(pat);
                    let init = init.map_or(String::new(), |e| format!(" = {e}"));
                    self.line(&format!("let {pat}: {ty}{init};"));
                }
                Stmt::Expr(e) => {
                    let text = self.expr(e);
                    let end = if text.ends_with('}') { "" } else { ";" };
                    self.line(&format!("{text}{end}"));
                }
            }
        }
        if let Some(tail) = &block.tail {
            let tail = self.expr(tail);
            self.line(&tail);
        }
    }

    /// A pattern and the type that it binds.
    fn pat(&self, pat: &Pat) -> (String, String) {
        match pat {
            Pat::Wild => ("_".to_string(), "_".to_string()),
            Pat::Local(id) => {
                let local = &self.func.locals[id.0];
                let mutable = if local.mutable { "mut " } else { "" };
                (format!("{mutable}{}", self.local(*id)), ty(self.func, &local.ty))
            }
            Pat::Tuple(parts) => {
                let (pats, types): (Vec<_>, Vec<_>) = parts.iter().map(|p| self.pat(p)).unzip();
                (format!("({})", pats.join(", ")), format!("({})", types.join(", ")))
            }
        }
    }

    /// A block in braces, as a part of a line that has begun.
    fn braces(&mut self, block: &Block) -> String {
        let outer = std::mem::take(&mut self.out);
        self.depth += 1;
        self.block(block);
        self.depth -= 1;
        let inner = std::mem::replace(&mut self.out, outer);
        format!("{{\n{inner}{}}}", "    ".repeat(self.depth))
    }

    fn list(&mut self, exprs: &[Expr]) -> String {
        exprs.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&mut self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Lit(Lit::Bool(b)) => b.to_string(),
            ExprKind::Lit(Lit::Int(n)) => format!("{n}_{}", ty(self.func, &e.ty)),
            ExprKind::Lit(Lit::Float(digits)) => format!("{digits}_{}", ty(self.func, &e.ty)),
            ExprKind::Local(id) => self.local(*id),
            ExprKind::Const(id) => tokens(&self.func.consts[id.0].path),
            ExprKind::Param(n) => self.func.lens[*n].to_string(),
            ExprKind::AssocConst(c) => format!("{}::{}", ty(self.func, &e.ty), c.name()),
            ExprKind::Field(a, i) => format!("{}.{}", self.expr(a), a.ty.part_name(*i)),
            ExprKind::Index(a, i) => {
                let array = self.expr(a);
                format!("{array}[{}]", self.expr(i))
            }
            ExprKind::Deref(a) => format!("(*{})", self.expr(a)),
            ExprKind::Ref(true, a) => format!("&mut {}", self.expr(a)),
            ExprKind::Ref(false, a) => format!("&{}", self.expr(a)),
            ExprKind::Unary(op, a) => format!("({}{})", op.symbol(), self.expr(a)),
            ExprKind::Binary(op, a, b) => {
                let left = self.expr(a);
                format!("({left} {} {})", op.symbol(), self.expr(b))
            }
            ExprKind::Cast(a) => format!("({} as {})", self.expr(a), ty(self.func, &e.ty)),
            ExprKind::Assign(a, b) => {
                let place = self.expr(a);
                format!("{place} = {}", self.expr(b))
            }
            ExprKind::AssignOp(op, a, b) => {
                let place = self.expr(a);
                format!("{place} {}= {}", op.symbol(), self.expr(b))
            }
            _ => self.composite(e),
        }
    }

    fn composite(&mut self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Call(id, args) => {
                let name = self.unit.funcs.get(id.0).map_or("?".to_string(), |f| f.name.to_string());
                format!("{name}@{}({})", id.0, self.list(args))
            }
            ExprKind::Intrinsic(i, args) => format!("{}({})", i.name(), self.list(args)),
            ExprKind::FloatLit(a) => format!("{}::lit({})", ty(self.func, &e.ty), self.expr(a)),
            ExprKind::BestUpdate(best, v, p) => {
                let best = self.expr(best);
                let value = self.expr(v);
                format!("{best}.update({value}, {})", self.expr(p))
            }
            ExprKind::IsSome(option) => format!("{}.is_some()", self.expr(option)),
            ExprKind::Length(row) => format!("{}.len()", self.expr(row)),
            ExprKind::Ask(question, table, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
                format!("{}.{}({})", self.expr(table), question.name(), args.join(", "))
            }
            ExprKind::Assert(holds, _) => format!("debug_assert!({})", self.expr(holds)),
            ExprKind::Array(items) => format!("[{}]", self.list(items)),
            ExprKind::Repeat(a) => {
                let n = match &e.ty {
                    Ty::Array(_, n) => len(self.func, n),
                    _ => "_".to_string(),
                };
                format!("[{}; {n}]", self.expr(a))
            }
            ExprKind::Tuple(items) => match &e.ty {
                Ty::Record(record, _) => {
                    let fields =
                        record.fields.iter().zip(items).map(|(name, item)| format!("{name}: {}", self.expr(item)));
                    format!("{} {{ {} }}", record.name, fields.collect::<Vec<_>>().join(", "))
                }
                _ => format!("({})", self.list(items)),
            },
            ExprKind::Return(None) => "return".to_string(),
            ExprKind::Return(Some(a)) => format!("return {}", self.expr(a)),
            ExprKind::Break(id) => format!("break '{}", id.0),
            ExprKind::Continue(id) => format!("continue '{}", id.0),
            _ => self.control(e),
        }
    }

    fn control(&mut self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Block(block) => self.braces(block),
            ExprKind::If(cond, then, other) => {
                let head = format!("if {}", self.expr(cond));
                self.branches(&head, then, other.as_ref())
            }
            ExprKind::IfSome(option, binding, then, other) => {
                let head = format!("if let Some({}) = {}", self.local(*binding), self.expr(option));
                self.branches(&head, then, other.as_ref())
            }
            ExprKind::Loop(l) => self.looping(l),
            _ => String::new(),
        }
    }

    fn branches(&mut self, head: &str, then: &Block, other: Option<&Block>) -> String {
        let then = self.braces(then);
        let other = other.map_or(String::new(), |b| format!(" else {}", self.braces(b)));
        format!("{head} {then}{other}")
    }

    fn looping(&mut self, l: &Loop) -> String {
        let head = match &l.kind {
            LoopKind::Forever => "loop".to_string(),
            LoopKind::While(cond) => format!("while {}", self.expr(cond)),
            LoopKind::For { var, start, end, inclusive, reversed } => {
                let start = self.expr(start);
                let end = self.expr(end);
                let dots = if *inclusive { "..=" } else { ".." };
                let range = format!("{start}{dots}{end}");
                let range = if *reversed { format!("({range}).rev()") } else { range };
                format!("for {} in {range}", self.local(*var))
            }
        };
        let body = self.braces(&l.body);
        format!("'{}: {head} {body}", l.id.0)
    }
}
