//! Statements and control flow.

use crate::ir::{Block, Expr, ExprKind, LocalId, Pat, Stmt, Ty};

use super::body::{Body, Storage};
use super::expr::{Want, plain};
use super::simple::{simple, transparent};
use super::value::{Prec, Value};

/// The use of an expression's value.
#[derive(Debug, Clone)]
pub(super) enum Dest {
    /// Nothing.
    Drop,
    /// It is assigned.
    Into(String),
    /// It is the function's result.
    Return,
}

impl Body<'_> {
    /// Evaluates an expression and emits the use of its value.
    pub(super) fn into(&mut self, e: &Expr, dest: &Dest) -> Option<()> {
        if simple(self.unit, e) {
            return self.put(e, dest);
        }
        match &e.kind {
            ExprKind::Block(block) => {
                self.line("{");
                let end = self.inside(|b| b.block(block, dest));
                self.line("}");
                end?;
            }
            ExprKind::If(..) | ExprKind::IfSome(..) => self.branches(e, dest, "")?,
            ExprKind::Loop(l) => self.looping(l)?,
            ExprKind::Assign(a, b) => self.assign(a, b)?,
            ExprKind::AssignOp(op, a, b) => self.assign_op(*op, a, b)?,
            ExprKind::BestUpdate(best, value, payload) => {
                let values = self.operands(&[(value, Want::Value), (payload, Want::Value)])?;
                let list: Vec<String> = values.iter().map(|v| v.text.clone()).collect();
                let best = best.root().map_or(String::new(), |id| self.slot(id).name.clone());
                self.line(format!("{best}.update({});", list.join(", ")));
            }
            ExprKind::Assert(holds, _) => self.assertion(holds)?,
            ExprKind::Break(id) => self.jump(*id, true),
            ExprKind::Continue(id) => self.jump(*id, false),
            ExprKind::Return(value) => self.leave(value.as_deref())?,
            _ => return self.put(e, dest),
        }
        (e.ty != Ty::Never).then_some(())
    }

    /// `debug_assert!`: a hook of the header, which without checks does not evaluate the condition.
    fn assertion(&mut self, holds: &Expr) -> Option<()> {
        let (lines, holds) = self.buffered(|b| b.inside(|b| b.value(holds)));
        let check = format!("OP2_CHECK_ASSERTION({});", holds?.text);
        if lines.is_empty() {
            self.line(check);
            return Some(());
        }
        self.line("if (OP2_CHECKS_ASSERTIONS) {");
        self.lines.extend(lines);
        self.inside(|b| b.line(check));
        self.line("}");
        Some(())
    }

    /// Evaluates an expression for its side effects.
    pub(super) fn statement(&mut self, e: &Expr) -> Option<()> {
        self.into(e, &Dest::Drop)
    }

    fn put(&mut self, e: &Expr, dest: &Dest) -> Option<()> {
        let value = self.root(e)?;
        match dest {
            _ if e.ty == Ty::Unit => {
                if matches!(e.kind, ExprKind::Call(..)) {
                    self.line(format!("{};", value.text));
                }
            }
            Dest::Drop => {
                if matches!(e.kind, ExprKind::Call(..)) {
                    self.line(format!("{};", value.stored(&e.ty)));
                }
            }
            Dest::Into(target) => {
                let text = plain(e).unwrap_or_else(|| value.stored(&e.ty));
                self.line(format!("{target} = {text};"));
            }
            Dest::Return => {
                let text = plain(e).unwrap_or_else(|| value.stored(&e.ty));
                self.line(format!("return {text};"));
            }
        }
        (e.ty != Ty::Never).then_some(())
    }

    /// The value of an expression that may need statements in C++.
    pub(super) fn control_value(&mut self, e: &Expr) -> Option<Value> {
        match &e.kind {
            _ if e.ty == Ty::Unit || e.ty == Ty::Never => {
                self.statement(e)?;
                Some(Value::primary("Unit{}"))
            }
            ExprKind::Block(block) if transparent(self.unit, block) => self.value(block.tail.as_ref()?),
            ExprKind::If(cond, then, Some(other)) if simple(self.unit, e) => {
                let cond = self.value(cond)?;
                let then = self.value(then.tail.as_ref()?)?;
                let other = self.value(other.tail.as_ref()?)?;
                let text = format!("{} ? {} : {}", cond.operand(Prec::Or), then.operand(Prec::Or), other.text);
                let stable = cond.stable && then.stable && other.stable;
                let fixed = cond.stable && then.fixed && other.fixed;
                Some(Value { text, prec: Prec::Choice, stable, fixed })
            }
            _ => {
                let (ty, name) = (self.types.of(&e.ty), self.fresh("chosen"));
                self.line(format!("{ty} {name};"));
                self.into(e, &Dest::Into(name.clone()))?;
                let value = Value::primary(name);
                Some(if matches!(e.ty, Ty::Ref(..)) { Value::behind(&value) } else { value })
            }
        }
    }

    /// The statements of a block, and its value; `None` if its end is never reached.
    pub(super) fn block(&mut self, block: &Block, dest: &Dest) -> Option<()> {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { pat, init } => self.bind(pat, init.as_ref())?,
                Stmt::Expr(e) => self.statement(e)?,
            }
        }
        block.tail.as_ref().map_or(Some(()), |tail| self.into(tail, dest))
    }

    fn bind(&mut self, pat: &Pat, init: Option<&Expr>) -> Option<()> {
        match (pat, init) {
            (Pat::Wild, None) => {}
            (Pat::Wild, Some(init)) => self.statement(init)?,
            (Pat::Tuple(parts), None) => parts.iter().try_for_each(|part| self.bind(part, None))?,
            (Pat::Local(id), None) => {
                if self.func.locals[id.0].ty != Ty::Unit {
                    self.declare_late(*id);
                }
            }
            (Pat::Local(id), Some(init)) => self.bind_local(*id, init)?,
            (Pat::Tuple(parts), Some(Expr { kind: ExprKind::Tuple(items), .. })) => {
                parts.iter().zip(items).try_for_each(|(part, item)| self.bind(part, Some(item)))?;
            }
            (Pat::Tuple(_), Some(init)) => {
                let value = self.root(init)?;
                let value = match &init.kind {
                    ExprKind::Local(_) => value,
                    _ => self.keep(&value, &init.ty, "parts"),
                };
                self.destructure(pat, &value.text, &init.ty);
            }
        }
        Some(())
    }

    fn bind_local(&mut self, id: LocalId, init: &Expr) -> Option<()> {
        if init.ty == Ty::Unit || init.ty == Ty::Never {
            return self.statement(init);
        }
        let control = matches!(init.kind, ExprKind::Block(_) | ExprKind::If(..) | ExprKind::IfSome(..));
        if control && !simple(self.unit, init) {
            let name = self.declare_late(id);
            return self.into(init, &Dest::Into(name));
        }
        let mut value = self.root(init)?;
        value.text = plain(init).unwrap_or(value.text);
        self.declare(id, &value);
        Some(())
    }

    /// Declares the bindings of a pattern for the tuple that `text` names.
    fn destructure(&mut self, pat: &Pat, text: &str, ty: &Ty) {
        match (pat, ty) {
            (Pat::Tuple(parts), Ty::Tuple(types) | Ty::Record(_, types)) => {
                for (i, (part, ty)) in parts.iter().zip(types).enumerate() {
                    self.destructure(part, &format!("op2::get<{i}>({text})"), ty);
                }
            }
            (Pat::Local(id), ty) if *ty != Ty::Unit => {
                let stored = Value::primary(text);
                let value = if matches!(ty, Ty::Ref(..)) { Value::behind(&stored) } else { stored };
                self.declare(*id, &value);
            }
            _ => {}
        }
    }

    fn assign(&mut self, a: &Expr, b: &Expr) -> Option<()> {
        if b.ty == Ty::Unit || b.ty == Ty::Never {
            return self.statement(b);
        }
        // The name of a variable leads to the same place before and after the value is computed.
        let named = match &a.kind {
            ExprKind::Local(_) => true,
            ExprKind::Deref(r) => matches!(r.kind, ExprKind::Local(id) if self.slot(id).storage == Storage::Reference),
            _ => false,
        };
        if named {
            let target = self.place(a, false)?.text;
            return self.into(b, &Dest::Into(target));
        }
        let values = self.operands(&[(b, Want::Value), (a, Want::Place)])?;
        let [value, target] = values.as_slice() else { return None };
        let text = plain(b).unwrap_or_else(|| value.stored(&b.ty));
        self.line(format!("{} = {text};", target.text));
        Some(())
    }

    /// `if`, with the `else if` that follow; `before` closes the previous branch.
    fn branches(&mut self, e: &Expr, dest: &Dest, before: &str) -> Option<()> {
        let other = match &e.kind {
            ExprKind::If(cond, then, other) => {
                let cond = self.value(cond)?;
                self.line(format!("{before}if ({}) {{", cond.text));
                self.inside(|b| b.block(then, dest));
                other
            }
            ExprKind::IfSome(option, binding, then, other) => {
                let pointer = self.option(option)?;
                self.line(format!("{before}if ({pointer} != nullptr) {{"));
                self.inside(|b| {
                    b.bind_some(*binding, &pointer);
                    b.block(then, dest)
                });
                other
            }
            _ => return Some(()),
        };
        let Some(other) = other.as_ref().filter(|b| !b.stmts.is_empty() || b.tail.is_some()) else {
            self.line("}");
            return Some(());
        };
        match else_if(other).filter(|tail| self.head_is_simple(tail)) {
            Some(tail) => {
                self.branches(tail, dest, "} else ");
            }
            None => {
                self.line("} else {");
                self.inside(|b| b.block(other, dest));
                self.line("}");
            }
        }
        (e.ty != Ty::Never).then_some(())
    }

    fn head_is_simple(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::If(cond, ..) | ExprKind::IfSome(cond, ..) => simple(self.unit, cond),
            _ => true,
        }
    }

    /// The pointer that stands for an option.
    pub(super) fn option(&mut self, option: &Expr) -> Option<String> {
        match &option.kind {
            ExprKind::Local(id) => Some(self.slot(*id).name.clone()),
            _ => Some(self.place(option, false)?.text),
        }
    }

    /// `Some(binding)`
    fn bind_some(&mut self, binding: LocalId, pointer: &str) {
        let value = Value::behind(&Value::primary(pointer));
        self.declare(binding, &value);
    }

    fn leave(&mut self, value: Option<&Expr>) -> Option<()> {
        match value {
            Some(value) if value.ty != Ty::Unit => self.into(value, &Dest::Return)?,
            Some(value) => {
                self.statement(value)?;
                self.line("return;");
            }
            None => self.line("return;"),
        }
        Some(())
    }
}

/// The `if` that is the only content of an `else`.
fn else_if(block: &Block) -> Option<&Expr> {
    let tail = block.tail.as_deref().filter(|_| block.stmts.is_empty())?;
    matches!(tail.kind, ExprKind::If(..) | ExprKind::IfSome(..)).then_some(tail)
}
