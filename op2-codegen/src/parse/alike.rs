//! Whether two expressions of a loop are expected to have one value.
//!
//! Arguments that name one dat, map or index share one binding. The text only suggests this: each expression is
//! evaluated, and the call compares the results ([`crate::emit::bind`]). But an expression that may have another value
//! each time, such as a call, must not be shared at all, and neither must two variables of one name if a macro made one
//! of them.

use proc_macro2::{Ident, Span};
use syn::{Expr, Member};

/// Whether both have the same text with the same variables, made of names, fields, literals, indices and arithmetic
/// only.
pub fn alike(a: &Expr, b: &Expr) -> bool {
    match (ungrouped(a), ungrouped(b)) {
        (Expr::Path(a), Expr::Path(b)) => a == b && paths(&a.path).eq(paths(&b.path)),
        (Expr::Field(a), Expr::Field(b)) => members(&a.member, &b.member) && alike(&a.base, &b.base),
        (Expr::Index(a), Expr::Index(b)) => alike(&a.expr, &b.expr) && alike(&a.index, &b.index),
        (Expr::Lit(a), Expr::Lit(b)) => a == b,
        (Expr::Unary(a), Expr::Unary(b)) => a.op == b.op && alike(&a.expr, &b.expr),
        (Expr::Binary(a), Expr::Binary(b)) => a.op == b.op && alike(&a.left, &b.left) && alike(&a.right, &b.right),
        (Expr::Cast(a), Expr::Cast(b)) => a.ty == b.ty && alike(&a.expr, &b.expr),
        (Expr::Reference(a), Expr::Reference(b)) => a.mutability == b.mutability && alike(&a.expr, &b.expr),
        _ => false,
    }
}

/// The hygiene of a name, as far as it is visible: the printed form of a span shows whether a macro made it. Only
/// sharing depends on it, and calls compare shared values.
pub fn hygiene(span: Span) -> String {
    let printed = format!("{span:?}");
    printed.split_once("bytes").map(|(context, _)| context.to_owned()).unwrap_or_default()
}

fn paths(path: &syn::Path) -> impl Iterator<Item = String> + '_ {
    path.segments.iter().map(|segment| hygiene(segment.ident.span()))
}

fn members(a: &Member, b: &Member) -> bool {
    let named = |m: &Member| match m {
        Member::Named(name) => Some(hygiene(Ident::span(name))),
        Member::Unnamed(_) => None,
    };
    a == b && named(a) == named(b)
}

/// The expression inside parentheses and the invisible groups of macros.
fn ungrouped(mut e: &Expr) -> &Expr {
    loop {
        match e {
            Expr::Paren(p) => e = &p.expr,
            Expr::Group(g) => e = &g.expr,
            _ => return e,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::alike;
    use syn::{Expr, parse_str};

    fn same(text: &str) -> bool {
        let expr = || parse_str::<Expr>(text).expect("an expression");
        alike(&expr(), &expr())
    }

    #[test]
    fn places_are_alike() {
        for text in
            ["x", "self.x", "mesh.dats.0", "levels[0].q", "q[level + 1]", "*x", "(x)", "&x", "Q", "m::Q", "k as usize"]
        {
            assert!(same(text), "{text}");
        }
    }

    #[test]
    fn what_may_change_from_one_evaluation_to_the_next_is_not() {
        for text in
            ["next()", "it.next().unwrap()", "{ x }", "q[next()]", "mk!()", "if c { x } else { y }", "f().x", "|| x"]
        {
            assert!(!same(text), "{text}");
        }
    }

    #[test]
    fn other_names_are_not() {
        let [x, y] = ["a.x", "a.y"].map(|text| parse_str::<Expr>(text).expect("an expression"));
        assert!(!alike(&x, &y));
    }
}
