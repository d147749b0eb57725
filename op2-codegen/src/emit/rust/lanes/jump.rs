//! Loops that lanes leave in different rounds, and the jumps out of them.

use super::{Frame, Writer};
use crate::emit::rust::control::label;
use crate::ir::{Expr, ExprKind, Loop, LoopId, LoopKind, Stmt};
use crate::vary::has_value;
use proc_macro2::{Ident, Span, TokenStream};

impl Writer<'_> {
    pub(super) fn looping(&mut self, l: &Loop) -> TokenStream {
        if self.instance().loops.contains(&l.id) { self.masked_loop(l) } else { self.common_loop(l) }
    }

    /// All lanes go through the same rounds.
    fn common_loop(&mut self, l: &Loop) -> TokenStream {
        let label = label(l.id);
        match &l.kind {
            LoopKind::For { var, start, end, inclusive, reversed } => {
                let range = self.range(start, end, *inclusive, *reversed);
                self.declare(*var);
                let (var, body) = (self.body.local(*var), self.block(&l.body, false, &l.body.ty));
                hygienic!(#label: for mut #var in #range #body)
            }
            LoopKind::While(cond) => {
                let (cond, body) = (self.expr(cond, false), self.block(&l.body, false, &l.body.ty));
                hygienic!(#label: while #cond #body)
            }
            LoopKind::Forever => {
                let body = self.block(&l.body, false, &l.body.ty);
                hygienic!(#label: loop #body)
            }
        }
    }

    fn range(&mut self, start: &Expr, end: &Expr, inclusive: bool, reversed: bool) -> TokenStream {
        let (start, end) = (self.expr(start, false), self.expr(end, false));
        range(hygienic!((#start)), hygienic!((#end)), inclusive, reversed)
    }

    /// Rounds as long as a lane is in the loop.
    fn masked_loop(&mut self, l: &Loop) -> TokenStream {
        let going = Ident::new(&format!("going{}", l.id.0), Span::mixed_site());
        let start = self.mask().map_or_else(|| hygienic!(__op2::Mask::all_of(w)), |mask| hygienic!(#mask));
        let (head, rounds) = self.rounds(l, &going);
        let outer = self.region;
        self.frames.push(Frame::Loop { id: l.id, going: going.clone() });
        let mask = self.enter();
        if let LoopKind::For { var, .. } = &l.kind {
            self.declare(*var);
        }
        let cond = match &l.kind {
            LoopKind::While(cond) => {
                let varies = self.varies(cond);
                // The condition concerns only lanes that are still in the loop.
                let cond = self.expr(cond, varies);
                match varies {
                    true => hygienic!(#going = #going & #cond; if !#going.any() { break; }),
                    false => hygienic!(if !#cond { break; }),
                }
            }
            _ => TokenStream::new(),
        };
        let body = self.block(&l.body, false, &l.body.ty);
        self.exit(outer);
        self.frames.pop();
        hygienic!({
            let mut #going = #start;
            #head
            #rounds {
                if !#going.any() { break; }
                let mut #mask = #going;
                #cond
                #mask = #mask & #going;
                #body
            }
        })
    }

    /// The code before a masked loop, and the code that repeats its body.
    fn rounds(&mut self, l: &Loop, going: &Ident) -> (TokenStream, TokenStream) {
        let LoopKind::For { var, start, end, inclusive, reversed } = &l.kind else {
            return (TokenStream::new(), hygienic!(loop));
        };
        let name = self.body.local(*var);
        if !self.varies_local(*var) {
            let range = self.range(start, end, *inclusive, *reversed);
            return (TokenStream::new(), hygienic!(for mut #name in #range));
        }
        let (first, last) = (self.expr(start, true), self.expr(end, true));
        let one = |of: TokenStream| hygienic!(__op2::Lanes::<W>::lane(&#of, lane));
        let range = range(one(hygienic!(first)), one(hygienic!(last)), *inclusive, *reversed);
        let head = hygienic! {
            let (first, last) = (#first, #last);
            let mut rounds = __op2::Rounds::new(w, |lane| #range);
        };
        let next = hygienic!(while let ::core::option::Option::Some(mut #name) = rounds.next(w, &mut #going));
        (head, next)
    }

    pub(super) fn jump(&mut self, e: &Expr) -> TokenStream {
        match &e.kind {
            ExprKind::Break(id) if self.instance().loops.contains(id) => self.off(Some((*id, true))),
            ExprKind::Continue(id) if self.instance().loops.contains(id) => self.off(Some((*id, false))),
            ExprKind::Break(id) => {
                let label = label(*id);
                hygienic!(break #label)
            }
            ExprKind::Continue(id) => {
                let label = label(*id);
                hygienic!(continue #label)
            }
            ExprKind::Return(value) => self.leave(value.as_deref()),
            _ => unreachable!("`varying` and `control` write all other kinds"),
        }
    }

    fn leave(&mut self, value: Option<&Expr>) -> TokenStream {
        let (returns, lanes) = (self.instance().returns, self.instance().result);
        let value = value.filter(|value| has_value(&value.ty)).map(|value| self.expr(value, lanes));
        if !returns {
            return hygienic!(return #value);
        }
        let off = self.off(None);
        let Some(value) = value else { return off };
        let mask = self.mask().expect("lanes that return at different places have a mask");
        hygienic!({ let value = #value; result = __op2::Lanes::<W>::select(#mask, value, result); #off })
    }

    /// Switches the present lanes off, up to a loop, which they leave if the flag says so; up to the function's end without.
    fn off(&self, to: Option<(LoopId, bool)>) -> TokenStream {
        let present = self.mask().expect("lanes that jump in different rounds have a mask");
        let mut masks = Vec::new();
        for frame in self.frames.iter().rev() {
            match (frame, to) {
                (Frame::Loop { id, going }, Some((loop_id, leaves))) if *id == loop_id => {
                    masks.extend(leaves.then_some(going));
                    break;
                }
                (Frame::Loop { going: mask, .. } | Frame::Region { mask }, _) => masks.push(mask),
            }
        }
        hygienic!({ let off = #present; #(#masks = #masks & !off;)* })
    }

    /// Whether a statement may switch off lanes that stay off after it.
    pub(super) fn leaves(&self, stmt: &Stmt) -> bool {
        let e = match stmt {
            Stmt::Let { init: Some(e), .. } | Stmt::Expr(e) => e,
            Stmt::Let { .. } => return false,
        };
        let instance = self.instance();
        let mut leaves = false;
        e.walk(&mut |part| {
            leaves |= match &part.kind {
                ExprKind::Return(_) => instance.returns,
                ExprKind::Break(id) | ExprKind::Continue(id) => instance.loops.contains(id),
                _ => false,
            };
        });
        leaves
    }
}

fn range(start: TokenStream, end: TokenStream, inclusive: bool, reversed: bool) -> TokenStream {
    let dots = if inclusive { hygienic!(..=) } else { hygienic!(..) };
    match reversed {
        true => hygienic!(::core::iter::Iterator::rev(#start #dots #end)),
        false => hygienic!(#start #dots #end),
    }
}
