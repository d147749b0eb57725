//! Which contributions a kernel only ever subtracts.
//!
//! Fluxes are added at one end of an edge and subtracted at the other. If the run time negates the contributions of the
//! second end and subtracts them, both ends have the same lanes, and the compiler transposes them into rows once.
//! Results have the same bits either way.

use crate::ir::{Binary, Expr, ExprKind, Func, Len, Lit, LocalId, Ty};

/// For each entry of a map that parameter `n` goes through: whether the kernel only subtracts from that target. `None`
/// if this holds for no entry.
pub(super) fn turned(kernel: &Func, n: usize) -> Option<Vec<bool>> {
    let param = &kernel.params[n];
    let ways = match &param.ty {
        Ty::Array(_, Len::Lit(len)) => Some(*len),
        Ty::Array(..) => return None,
        _ => None,
    };
    let (mut mentions, mut changes) = (0, Vec::new());
    kernel.body.walk(&mut |e| match &e.kind {
        ExprKind::Local(id) if *id == param.local => mentions += 1,
        ExprKind::AssignOp(op, place, _) if place.root() == Some(param.local) => {
            let way = if ways.is_some() { way(place, param.local) } else { Some(0) };
            changes.push((way, *op == Binary::Sub));
        }
        _ => {}
    });
    // Device functions and computed indices may do anything.
    if mentions != changes.len() || changes.iter().any(|(way, _)| way.is_none()) {
        return None;
    }
    let subtracts = |way: usize| {
        let mut here = changes.iter().filter(|(at, _)| *at == Some(way)).peekable();
        here.peek().is_some() && here.all(|(_, subtracts)| *subtracts)
    };
    let turned: Vec<bool> = (0..ways.unwrap_or(1)).map(subtracts).collect();
    turned.contains(&true).then_some(turned)
}

/// The first index of a place.
fn way(place: &Expr, array: LocalId) -> Option<usize> {
    match &place.kind {
        ExprKind::Index(a, index) if matches!(a.kind, ExprKind::Local(id) if id == array) => match index.kind {
            ExprKind::Lit(Lit::Int(n)) => usize::try_from(n).ok(),
            _ => None,
        },
        ExprKind::Index(a, _) | ExprKind::Field(a, _) | ExprKind::Deref(a) => way(a, array),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::turned;
    use crate::check::usage::tests::unit;

    #[track_caller]
    fn expect(kernel: &str, n: usize, expected: Option<&[bool]>) {
        assert_eq!(turned(&unit(kernel).funcs[0], n).as_deref(), expected, "{kernel}");
    }

    #[test]
    fn parameters_that_are_subtracted_from_alone_are_turned() {
        let kernel = "fn k(f: &[f64; 2], a: &mut [f64; 2], b: &mut [f64; 2]) {
            for n in 0..2 { a[n] += f[n]; b[n] -= f[n]; }
        }";
        expect(kernel, 0, None);
        expect(kernel, 1, None);
        expect(kernel, 2, Some(&[true]));
        expect("fn k(f: &f64, a: &mut f64) { *a -= *f; if *f > 0.0 { *a -= 1.0; } }", 1, Some(&[true]));
        expect("fn k(f: &f64, a: &mut f64) { *a -= *f; if *f > 0.0 { *a += 1.0; } }", 1, None);
    }

    #[test]
    fn all_entries_of_a_map_are_looked_at_one_by_one() {
        let subtracts =
            "fn k(f: &f64, a: [&mut [f64; 2]; 3]) { a[0][0] += *f; a[1][0] -= *f; a[2][1] -= *f; a[1][1] -= 1.0; }";
        expect(subtracts, 1, Some(&[false, true, true]));
        let computed = "fn k(f: &f64, a: [&mut f64; 2]) { for n in 0..2 { *a[n] -= *f; } }";
        expect(computed, 1, None);
    }

    #[test]
    fn what_functions_do_is_not_known() {
        expect("fn k(f: &f64, a: &mut f64) { *a -= *f; add(a); } fn add(a: &mut f64) { *a += 1.0; }", 1, None);
    }
}
