//! Edits that make a case smaller, each applied alone. They may make it invalid; the caller checks.

use std::mem;

use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprBlock, ItemFn, Stmt, parse_quote};

use crate::case::{Case, Kind, Over};
use crate::print;

/// A change that makes a case smaller.
#[derive(Debug, Clone, Copy)]
pub(super) enum Edit {
    /// Leaves out a loop.
    Loop(usize),
    /// Runs the loops one by one.
    Unchained,
    /// Runs a loop over the whole set.
    Whole(usize),
    /// Leaves out an argument of a loop.
    Argument(usize, usize),
    /// Makes an optional argument of a loop a plain one.
    Always(usize, usize),
    /// Changes the kernel of a loop, or a device function, at the place of that number.
    Body(Owner, Change, usize),
}

/// The function that an edit changes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Owner {
    /// The kernel of a loop.
    Kernel(usize),
    /// A device function.
    Function(usize),
}

/// All edits of a case, those that leave out most in general first.
pub(super) fn all(case: &Case) -> Vec<Edit> {
    let mut found: Vec<Edit> = (0..case.loops.len()).filter(|_| case.loops.len() > 1).map(Edit::Loop).collect();
    found.extend(case.chained.then_some(Edit::Unchained));
    for (n, each) in case.loops.iter().enumerate() {
        found.extend((each.over == Over::Some).then_some(Edit::Whole(n)));
        found.extend((0..each.args.len()).map(|at| Edit::Argument(n, at)));
        found.extend((0..each.args.len()).map(|at| Edit::Always(n, at)));
    }
    let named: Vec<String> = case.loops.iter().flat_map(|l| print::names(&l.kernel)).collect();
    let called: Vec<String> = case.functions.iter().flat_map(|f| print::names(&f.item.block)).collect();
    let used = |f: &ItemFn| named.iter().chain(&called).any(|name| f.sig.ident == *name);
    let kernels = case.loops.iter().enumerate().map(|(n, each)| (Owner::Kernel(n), &each.kernel));
    let functions = case.functions.iter().enumerate().map(|(n, f)| (Owner::Function(n), &f.item));
    let owners: Vec<_> = kernels.chain(functions.filter(|(_, item)| used(item))).collect();
    for change in [Change::Delete, Change::Unwrap, Change::Part, Change::Literal] {
        for (owner, item) in &owners {
            found.extend(spread(places(item, change)).map(|at| Edit::Body(*owner, change, at)));
        }
    }
    found
}

impl Edit {
    /// The case with the edit; `None` if it does not apply.
    pub(super) fn applied(self, case: &Case) -> Option<Case> {
        let mut smaller = case.clone();
        match self {
            Edit::Loop(n) => {
                smaller.loops.remove(n);
                smaller.chained &= smaller.loops.len() > 1;
            }
            Edit::Unchained => smaller.chained = false,
            Edit::Whole(n) => smaller.loops[n].over = Over::Edges,
            Edit::Argument(n, at) => return Some(without_argument(case, n, at)),
            Edit::Always(n, at) => return always(case, n, at),
            Edit::Body(owner, change, at) => {
                let item = match owner {
                    Owner::Kernel(n) => &mut smaller.loops[n].kernel,
                    Owner::Function(n) => &mut smaller.functions[n].item,
                };
                let mut counter = Counter { kind: change, at, met: 0, done: false };
                counter.visit_block_mut(&mut item.block);
                counter.done.then_some(())?;
            }
        }
        Some(smaller)
    }
}

/// All numbers below `count`, neighbours far from each other, so that the first ones are from everywhere.
fn spread(count: usize) -> impl Iterator<Item = usize> {
    let bits = count.next_power_of_two().trailing_zeros();
    let reversed = move |n: usize| n.reverse_bits().checked_shr(usize::BITS - bits).unwrap_or(0);
    (0..count.next_power_of_two()).map(reversed).filter(move |n| *n < count)
}

/// Removes an argument and the statements that name it.
fn without_argument(case: &Case, n: usize, at: usize) -> Case {
    let mut smaller = case.clone();
    let each = &mut smaller.loops[n];
    let name = each.args.remove(at).name;
    let inputs = mem::take(&mut each.kernel.sig.inputs);
    each.kernel.sig.inputs = inputs.into_iter().enumerate().filter(|(n, _)| *n != at).map(|(_, input)| input).collect();
    Without { name }.visit_block_mut(&mut each.kernel.block);
    smaller
}

/// Makes an optional argument a plain one, and removes its `if let Some`.
fn always(case: &Case, n: usize, at: usize) -> Option<Case> {
    let mut smaller = case.clone();
    let each = &mut smaller.loops[n];
    let Kind::Dat(_, _, _, flag @ Some(_)) = &mut each.args[at].kind else { return None };
    *flag = None;
    let name = each.args[at].name.clone();
    let input = each.kernel.sig.inputs.iter_mut().nth(at)?;
    let text = input.to_token_stream().to_string().replace(' ', "");
    let (_, ty) = text.split_once(":Option<")?;
    let ty = ty.strip_suffix('>')?.replace("&mut", "&mut ");
    *input = syn::parse_str(&format!("{name}: {ty}")).ok()?;
    Present { name }.visit_block_mut(&mut each.kernel.block);
    Some(smaller)
}

/// Removes statements that contain a name, innermost first.
struct Without {
    name: String,
}

impl VisitMut for Without {
    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        let name = self.name.clone();
        block.stmts.retain(|stmt| !print::names(stmt).contains(&name));
    }
}

/// Replaces `if let Some(…) = name` by its body.
struct Present {
    name: String,
}

impl VisitMut for Present {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let Expr::If(branch) = e
            && let Expr::Let(asked) = &*branch.cond
            && asked.expr.to_token_stream().to_string() == self.name
        {
            let inside = branch.then_branch.clone();
            *e = Expr::Block(ExprBlock { attrs: Vec::new(), label: None, block: inside });
        }
    }
}

/// The number of places at which a function can be changed in this way.
fn places(item: &ItemFn, kind: Change) -> usize {
    let mut count = Counter { kind, at: usize::MAX, met: 0, done: false };
    count.visit_block_mut(&mut item.block.clone());
    count.met
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Removes a run of statements.
    Delete,
    /// Replaces a statement by its inner ones.
    Unwrap,
    /// Replaces an expression by a part of it.
    Part,
    /// Replaces an expression by a literal.
    Literal,
}

/// Counts the places where a change is possible, and makes the change at the place with number `at`.
struct Counter {
    kind: Change,
    at: usize,
    met: usize,
    done: bool,
}

const LITERALS: [&str; 11] =
    ["1.0", "1.0_f64", "1.0_f32", "1", "1_i32", "1_usize", "1_u32", "1_i64", "1_u64", "F::lit(1.0)", "None"];

impl Counter {
    fn here(&mut self) -> bool {
        self.met += 1;
        self.met - 1 == self.at
    }

    fn runs(&mut self, block: &mut Block) {
        let count = block.stmts.len();
        let mut len = count;
        while len > 0 {
            for first in (0..count).step_by(len) {
                if self.here() {
                    block.stmts.drain(first..(first + len).min(count));
                    self.done = true;
                    return;
                }
            }
            len /= 2;
        }
    }

    fn unwrapped(&mut self, block: &mut Block) {
        for n in 0..block.stmts.len() {
            for inside in insides(&block.stmts[n]) {
                if self.here() {
                    block.stmts.splice(n..=n, inside);
                    self.done = true;
                    return;
                }
            }
        }
    }
}

/// The contents of a statement's blocks.
fn insides(stmt: &Stmt) -> Vec<Vec<Stmt>> {
    let Stmt::Expr(e, _) = stmt else { return Vec::new() };
    let block = |block: &Block| block.stmts.clone();
    match e {
        Expr::Block(e) => vec![block(&e.block)],
        Expr::ForLoop(e) => {
            let (pat, range) = (&e.pat, &e.expr);
            let first = match ungrouped(range) {
                Expr::Range(range) => range.start.clone(),
                _ => None,
            };
            let first = first.unwrap_or_else(|| parse_quote!(0));
            let mut with: Vec<Stmt> = vec![parse_quote!(let #pat = #first;)];
            with.extend(block(&e.body));
            vec![block(&e.body), with]
        }
        Expr::While(e) => vec![block(&e.body)],
        Expr::Loop(e) => vec![block(&e.body)],
        Expr::Match(e) => {
            let arms = e.arms.iter().map(|arm| match &*arm.body {
                Expr::Block(inside) => block(&inside.block),
                _ => Vec::new(),
            });
            arms.collect()
        }
        Expr::If(e) => {
            let mut found = vec![block(&e.then_branch)];
            match e.else_branch.as_ref().map(|(_, other)| &**other) {
                Some(Expr::Block(other)) => found.push(block(&other.block)),
                Some(other) => found.push(vec![Stmt::Expr(other.clone(), None)]),
                None => {}
            }
            if e.else_branch.is_some() {
                let alone = syn::ExprIf { else_branch: None, ..e.clone() };
                found.push(vec![Stmt::Expr(Expr::If(alone), None)]);
            }
            found
        }
        _ => Vec::new(),
    }
}

fn ungrouped(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(e) => ungrouped(&e.expr),
        e => e,
    }
}

/// Whether these tokens end a loop.
fn ends_a_loop(tokens: &impl ToTokens) -> bool {
    print::names(tokens).iter().any(|name| name.starts_with("fuel"))
}

impl VisitMut for Counter {
    fn visit_block_mut(&mut self, block: &mut Block) {
        match self.kind {
            Change::Delete => self.runs(block),
            Change::Unwrap => self.unwrapped(block),
            _ => {}
        }
        if !self.done {
            visit_mut::visit_block_mut(self, block);
        }
    }

    fn visit_expr_assign_mut(&mut self, e: &mut syn::ExprAssign) {
        // The target must stay a place.
        self.visit_expr_mut(&mut e.right);
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if self.done {
            return;
        }
        let value = matches!(self.kind, Change::Part | Change::Literal) && !ends_a_loop(e);
        if value && self.kind == Change::Part {
            for part in parts(e) {
                if self.here() {
                    *e = part;
                    self.done = true;
                    return;
                }
            }
        }
        if value && self.kind == Change::Literal && e.to_token_stream().to_string().len() > 12 {
            for literal in LITERALS {
                if self.here() {
                    *e = syn::parse_str(literal).expect("it is a literal");
                    self.done = true;
                    return;
                }
            }
        }
        visit_mut::visit_expr_mut(self, e);
    }
}

/// Parts of an expression that may have its type.
fn parts(e: &Expr) -> Vec<Expr> {
    match e {
        Expr::Paren(e) => vec![(*e.expr).clone()],
        Expr::Binary(e) => vec![(*e.left).clone(), (*e.right).clone()],
        Expr::Unary(e) => vec![(*e.expr).clone()],
        Expr::MethodCall(e) => {
            let mut found = vec![(*e.receiver).clone()];
            found.extend(e.args.iter().cloned());
            found
        }
        Expr::Call(e) => e.args.iter().cloned().collect(),
        Expr::Cast(e) => vec![(*e.expr).clone()],
        Expr::Index(e) => vec![(*e.index).clone()],
        Expr::If(e) => {
            let tail = |block: &Block| match block.stmts.last() {
                Some(Stmt::Expr(e, None)) => Some(e.clone()),
                _ => None,
            };
            let other = e.else_branch.as_ref().and_then(|(_, other)| match &**other {
                Expr::Block(other) => tail(&other.block),
                other => Some(other.clone()),
            });
            tail(&e.then_branch).into_iter().chain(other).collect()
        }
        Expr::Match(e) => e.arms.iter().map(|arm| (*arm.body).clone()).collect(),
        Expr::Block(e) => match e.block.stmts.last() {
            Some(Stmt::Expr(e, None)) => vec![e.clone()],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
