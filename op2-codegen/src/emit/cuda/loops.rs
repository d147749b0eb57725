//! Loops, and the jumps out of them.

use crate::ir::{Expr, Loop, LoopId, LoopKind, Ty};

use super::body::{Around, Body};
use super::expr::{Want, plain, scalar};
use super::simple::simple;
use super::value::{Prec, Value};

impl Body<'_> {
    pub(super) fn looping(&mut self, l: &Loop) -> Option<()> {
        match &l.kind {
            LoopKind::For { start, end, .. } => {
                let bounds = self.operands(&[(start, Want::Value), (end, Want::Value)])?;
                let [start, end] = bounds.as_slice() else { return None };
                self.counted(l, start, end);
            }
            LoopKind::While(cond) if simple(self.unit, cond) => {
                let cond = self.value(cond)?;
                self.repeated(l, &format!("while ({})", cond.text), |_| Some(()));
            }
            LoopKind::While(cond) => self.repeated(l, "while (true)", |b| {
                let cond = b.value(cond)?;
                b.line(format!("if (!{}) break;", cond.operand(Prec::Unary)));
                Some(())
            }),
            LoopKind::Forever => self.repeated(l, "while (true)", |_| Some(())),
        }
        Some(())
    }

    /// `break` or `continue`
    pub(super) fn jump(&mut self, id: LoopId, end: bool) {
        let inner = self.loops.last().is_some_and(|l| l.id == id);
        match (inner, end) {
            (true, true) => self.line("break;"),
            (true, false) => self.line("continue;"),
            (false, _) => {
                self.line(format!("goto {};", label(id, end)));
                if let Some(around) = self.loops.iter_mut().find(|l| l.id == id) {
                    around.end |= end;
                    around.next |= !end;
                }
            }
        }
    }

    /// `for` over a range.
    fn counted(&mut self, l: &Loop, start: &Value, end: &Value) {
        let LoopKind::For { var, start: from, end: to, inclusive, reversed } = &l.kind else { return };
        let ty = self.func.locals[var.0].ty.clone();
        let last = match plain(to).and_then(|digits| digits.parse::<u32>().ok()).filter(|n| *n < greatest(&ty)) {
            Some(n) => n,
            None if *inclusive => return self.scoped(|b| b.closed(l, start, end)),
            None => 0,
        };
        // A bound stands before the loop, in the scope round it.
        let (start, end) = if *reversed {
            let first = match plain(to) {
                Some(_) => (last + u32::from(*inclusive)).to_string(),
                None => end.text.clone(),
            };
            (self.bound(from, start, &ty), first)
        } else {
            (plain(from).unwrap_or_else(|| start.text.clone()), self.bound(to, end, &ty))
        };
        self.scoped(|b| b.rounds(l, &start, &end));
    }

    /// The loop between bounds that are known.
    fn rounds(&mut self, l: &Loop, start: &str, end: &str) {
        let LoopKind::For { var, inclusive, reversed, .. } = l.kind else { return };
        let name = self.types.of(&self.func.locals[var.0].ty);
        // The body may change its variable, which must not change the number of rounds.
        let counter = if self.mutable(var) { self.fresh("at") } else { self.name(var, self.storage(var)) };
        let head = if reversed {
            format!("for ({name} {counter} = {end}; {counter} > {start};)")
        } else {
            let less = if inclusive { "<=" } else { "<" };
            format!("for ({name} {counter} = {start}; {counter} {less} {end}; {counter} += 1)")
        };
        self.repeated(l, &head, |b| {
            if reversed {
                b.line(format!("{counter} -= 1;"));
            }
            if b.mutable(var) {
                b.declare(var, &Value::primary(counter));
            }
            Some(())
        });
    }

    /// The bound with which every round compares.
    fn bound(&mut self, e: &Expr, value: &Value, ty: &Ty) -> String {
        let kept = if value.stable { value.clone() } else { self.keep(value, ty, "bound") };
        plain(e).unwrap_or_else(|| kept.operand(Prec::Shift))
    }

    /// `for` over an inclusive range, whose last value may be the greatest of its type.
    fn closed(&mut self, l: &Loop, start: &Value, end: &Value) {
        let LoopKind::For { var, start: from, end: to, reversed, .. } = &l.kind else { return };
        let ty = self.types.of(&self.func.locals[var.0].ty);
        let steps = self.fresh("steps");
        let (make, step) = if *reversed { ("downwards", "down") } else { ("upwards", "up") };
        let (start, end) = (plain(from).unwrap_or(start.text.clone()), plain(to).unwrap_or(end.text.clone()));
        let init = format!("op2::{make}<{ty}>({start}, {end})");
        let head = format!("for (Closed<{ty}> {steps} = {init}; {steps}.more; {steps}.{step}())");
        self.repeated(l, &head, |b| {
            b.declare(*var, &Value::primary(format!("{steps}.at")));
            Some(())
        });
    }

    /// A loop with its head; `first` emits the start of every round.
    fn repeated(&mut self, l: &Loop, head: &str, first: impl FnOnce(&mut Self) -> Option<()>) {
        self.line(format!("{head} {{"));
        self.loops.push(Around { id: l.id, next: false, end: false });
        let (mut lines, _) = self.buffered(|b| {
            b.inside(|b| {
                first(b)?;
                b.block(&l.body, &super::control::Dest::Drop)
            })
        });
        let Some(around) = self.loops.pop() else { return };
        if around.next {
            // The body gets a block of its own, since no jump to the label may pass a declaration.
            lines.iter_mut().for_each(|line| line.depth += 1);
            self.inside(|b| {
                b.line("{");
                b.lines.extend(lines);
                b.line("}");
                b.line(format!("{}:;", label(l.id, false)));
            });
        } else {
            self.lines.extend(lines);
        }
        self.line("}");
        if around.end {
            self.line(format!("{}:;", label(l.id, true)));
        }
    }
}

/// The greatest value of a counter, or of an `int` where that is less.
fn greatest(ty: &Ty) -> u32 {
    let range = scalar(ty).range().and_then(|(_, max)| i32::try_from(max).ok());
    range.unwrap_or(i32::MAX).unsigned_abs()
}

/// The label behind a loop or at the end of its body.
fn label(id: LoopId, end: bool) -> String {
    format!("loop_{}_{}", id.0, if end { "end" } else { "next" })
}
