//! Loops over arrays: `for x in a`, `for (i, x) in a.iter().enumerate()`, `for (x, y) in a.iter().zip(b)`.

use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr as SynExpr, ExprForLoop, ExprMethodCall, Pat as SynPat};

use crate::ir::{Block, Each, Expr, ExprKind, LocalId, LoopId, Scalar, Source, Stmt, Sugar, Taken, Ty, print};

use super::expr::hole;
use super::path::ungrouped;
use super::pattern::Role;
use super::scope::FnParser;

/// The items of one round.
enum Items {
    /// An element of the `n`-th array.
    Source(usize),
    /// Its number and itself.
    Numbered(Box<Items>),
    /// One of each.
    Pair(Box<Items>, Box<Items>),
}

/// Methods that begin a chain of iterators.
pub(super) const HEADS: [&str; 8] =
    ["iter", "iter_mut", "into_iter", "chunks", "chunks_exact", "windows", "array_chunks", "array_windows"];

/// The call in a chain of method calls that makes an iterator, or the range that is one.
pub(super) fn head(e: &SynExpr) -> Option<&SynExpr> {
    match ungrouped(e) {
        e @ SynExpr::Range(_) => Some(e),
        e @ SynExpr::MethodCall(m) => {
            head(&m.receiver).or_else(|| HEADS.iter().any(|head| m.method == head).then_some(e))
        }
        _ => None,
    }
}

impl FnParser<'_> {
    pub(super) fn each(&mut self, e: &ExprForLoop) -> Expr {
        let span = e.for_token.span();
        let (mut stmts, mut sources) = (Vec::new(), Vec::new());
        let (reversed, items) = match ungrouped(&e.expr) {
            SynExpr::MethodCall(m) if m.method == "rev" && m.args.is_empty() => {
                (true, self.items(&m.receiver, &mut sources, &mut stmts))
            }
            all => (false, self.items(all, &mut sources, &mut stmts)),
        };
        let Some(items) = items else { return self.placeholder(span) };
        let each = self.in_loop(e.label.as_ref(), |p, id| {
            let (counter, body) = p.scoped(|p| {
                let mut binds = Vec::new();
                let name = number(&e.pat, &items).map_or("i".to_string(), |name| name.unraw().to_string());
                let counter = p.hidden(&name, span, Ty::Scalar(Scalar::Usize));
                p.bind_items(&e.pat, &items, (id, counter), &mut binds);
                let body = p.block(&e.body);
                binds.extend(body.stmts);
                (counter, Block { stmts: binds, ..body })
            });
            Each { id, counter, sources, made: None, reversed, body }
        });
        let tail = Some(Box::new(hole(ExprKind::Sugar(Sugar::Each(each)), span)));
        hole(ExprKind::Block(Block { stmts, tail, ty: Ty::HOLE }), span)
    }

    /// The items of a chain of iterators, its arrays declared before the loop.
    fn items(&mut self, e: &SynExpr, sources: &mut Vec<Source>, stmts: &mut Vec<Stmt>) -> Option<Items> {
        let e = ungrouped(e);
        let SynExpr::MethodCall(m) = e else { return Some(self.source(e, sources, stmts)) };
        let name = m.method.to_string();
        match (name.as_str(), m.args.len()) {
            _ if head(e).is_none() => Some(self.source(e, sources, stmts)),
            ("iter" | "iter_mut" | "into_iter", 0) => Some(self.source(e, sources, stmts)),
            ("enumerate", 0) => Some(Items::Numbered(Box::new(self.items(&m.receiver, sources, stmts)?))),
            ("zip", 1) => {
                let first = self.items(&m.receiver, sources, stmts)?;
                Some(Items::Pair(Box::new(first), Box::new(self.items(&m.args[0], sources, stmts)?)))
            }
            ("copied" | "cloned", 0) => {
                let items = self.items(&m.receiver, sources, stmts)?;
                let Items::Source(n) = items else {
                    self.wrong(m.method.span(), format!("`.{name}()` stands after `.iter()`: `a.iter().{name}()`"));
                    return None;
                };
                sources[n].taken = Taken::Copied;
                Some(items)
            }
            ("rev", 0) => {
                self.wrong(m.method.span(), "`.rev()` is the last call of a chain: turn all of it round, or index");
                None
            }
            _ => {
                self.refuse_chain(m);
                None
            }
        }
    }

    /// An array, a reference to one, or `.iter()` of it.
    fn source(&mut self, e: &SynExpr, sources: &mut Vec<Source>, stmts: &mut Vec<Stmt>) -> Items {
        let array = match e {
            SynExpr::MethodCall(m) if m.method == "iter" || m.method == "iter_mut" => {
                let array = Box::new(self.expr(&m.receiver));
                let span = array.span;
                hole(ExprKind::Sugar(Sugar::Borrow(m.method == "iter_mut", array)), span)
            }
            SynExpr::MethodCall(m) if m.method == "into_iter" => self.expr(&m.receiver),
            SynExpr::Range(range) => {
                self.wrong_tokens(range, "a range beside arrays: expected `.enumerate()`, which numbers the elements")
            }
            e => self.expr(e),
        };
        let array = self.held(array, Ty::HOLE, stmts);
        sources.push(Source { array, taken: Taken::AsItIs });
        Items::Source(sources.len() - 1)
    }

    /// Binds the names of a loop's pattern to the items of a round.
    fn bind_items(&mut self, pat: &SynPat, items: &Items, round: (LoopId, LocalId), stmts: &mut Vec<Stmt>) {
        match (pat, items) {
            (SynPat::Paren(p), items) => self.bind_items(&p.pat, items, round, stmts),
            (SynPat::Tuple(t), Items::Numbered(inner)) if t.elems.len() == 2 => {
                self.bind_parts(&t.elems[0], hole(ExprKind::Local(round.1), t.span()), Role::Always, stmts);
                self.bind_items(&t.elems[1], inner, round, stmts);
            }
            (SynPat::Tuple(t), Items::Pair(a, b)) if t.elems.len() == 2 => {
                self.bind_items(&t.elems[0], a, round, stmts);
                self.bind_items(&t.elems[1], b, round, stmts);
            }
            (pat, items) => self.bind_parts(pat, value(items, round, pat), Role::Always, stmts),
        }
    }

    /// Reports a chain of iterators that no loop runs over, at its head.
    pub(super) fn refuse_chain(&mut self, last: &ExprMethodCall) -> Expr {
        let end = &last.method;
        let (place, found) = match head(&last.receiver) {
            Some(SynExpr::MethodCall(m)) => {
                (m.method.span(), format!("a chain that begins with `.{}()` and ends with `.{end}(…)`", m.method))
            }
            Some(range) => {
                let range_text = print::tokens(range);
                (range.span(), format!("a chain that begins with `{range_text}` and ends with `.{end}(…)`"))
            }
            None => (end.span(), format!("`.{end}()`")),
        };
        let message = format!(
            "iterators run only in the head of a `for`, found {found}: write `for x in a.iter() {{ … }}`, \
             which knows `.enumerate()`, `.zip(…)`, `.copied()` and a last `.rev()`, or `for i in 0..N`"
        );
        self.wrong(place, message)
    }
}

/// The name that a pattern gives to the number of the outermost `.enumerate()`.
fn number<'p>(pat: &'p SynPat, items: &Items) -> Option<&'p syn::Ident> {
    match (pat, items) {
        (SynPat::Paren(p), items) => number(&p.pat, items),
        (SynPat::Tuple(t), Items::Numbered(_)) if t.elems.len() == 2 => match &t.elems[0] {
            SynPat::Ident(p) if p.ident != "_" => Some(&p.ident),
            _ => None,
        },
        _ => None,
    }
}

fn value(items: &Items, (id, counter): (LoopId, LocalId), pat: &SynPat) -> Expr {
    let span = pat.span();
    let kind = match items {
        Items::Source(n) => ExprKind::Sugar(Sugar::Item(id, *n)),
        Items::Numbered(inner) => {
            ExprKind::Tuple(vec![hole(ExprKind::Local(counter), span), value(inner, (id, counter), pat)])
        }
        Items::Pair(a, b) => ExprKind::Tuple(vec![value(a, (id, counter), pat), value(b, (id, counter), pat)]),
    };
    hole(kind, span)
}
