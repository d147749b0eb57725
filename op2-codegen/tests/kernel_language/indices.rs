//! Indices as values. To the interpreter they are numbers; types like op2's stand for them here.

use std::marker::PhantomData;

use op2_codegen::ir::{NO_INDEX, Scalar};
use op2_codegen::model;
use op2_codegen::parse::kernel::FnKind;

use crate::{Consts, agree, device, kernel, list, payload, twin};

/// An element of a set, as opaque as op2's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Idx<S>(u32, PhantomData<S>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verts {}

fn idx(number: u32) -> Idx<Verts> {
    Idx(number, PhantomData)
}

fn option(number: u32) -> Option<Idx<Verts>> {
    (number != NO_INDEX).then(|| idx(number))
}

fn number(option: Option<Idx<Verts>>) -> u32 {
    option.map_or(NO_INDEX, |idx| idx.0)
}

twin! {
    fn asked(a: Option<Idx<Verts>>, b: Option<Idx<Verts>>, c: Idx<Verts>) -> u32 {
        let mut sum = 0;
        if a.is_some() {
            sum += 1;
        }
        if b.is_none() {
            sum += 2;
        }
        if a == b {
            sum += 4;
        }
        if a != Some(c) {
            sum += 8;
        }
        if let Some(x) = a {
            if x == c {
                sum += 16;
            }
        } else {
            sum += 32;
        }
        sum += match b {
            Some(x) if x == c => 64,
            Some(_) => 128,
            None => 256,
        };
        match (a, b) {
            (Some(x), Some(y)) => if x == y { sum += 512; },
            (None, _) => sum += 1024,
            (_, None) => sum += 2048,
        }
        sum
    }

    fn chosen(a: Option<Idx<Verts>>, b: &[Option<Idx<Verts>>; 3], c: Idx<Verts>) -> Option<Idx<Verts>> {
        let mut found = None;
        for one in b {
            if one.is_none() {
                found = Some(a.unwrap_or(c));
            }
        }
        let Some(first) = b[0] else { return found; };
        let last = b[2].unwrap_or(b[1].unwrap_or(first));
        while let Some(x) = found {
            found = if x == last { None } else { b[1] };
            if found == b[1] {
                break;
            }
        }
        if found.is_some() { found } else { Some(last) }
    }

    fn written(next: &[Option<Idx<Verts>>; 3], at: &mut [Idx<Verts>; 3], old: &mut Option<Idx<Verts>>) {
        for i in 0..3 {
            at[i] = next[i].unwrap_or(at[i]);
        }
        *old = if at[0] == at[1] { None } else { Some(at[2]) };
        let [first, ..] = at;
        if let Some(old) = *old {
            *first = old;
        }
    }
}

/// All combinations of `N` numbers below 4, of which 3 stands for none.
fn all<const N: usize>() -> impl Iterator<Item = [u32; N]> {
    (0..1_usize << (2 * N)).map(|n| std::array::from_fn(|i| [0, 1, 2, NO_INDEX][n >> (2 * i) & 3]))
}

#[test]
fn options_are_asked_as_rust_does() {
    let unit = device(asked::TEXT, &[]);
    for [a, b, c] in all().filter(|[_, _, c]| *c != NO_INDEX) {
        let run = |args: &mut (u32, u32, u32)| asked(option(args.0), option(args.1), idx(args.2));
        agree(&unit, &Consts::new(), Scalar::F64, (a, b, c), run);
    }
}

#[test]
fn options_are_chosen_and_returned() {
    let unit = device(chosen::TEXT, &[]);
    for [a, b, c, d, e] in all().filter(|row| row[4] != NO_INDEX) {
        let run = |args: &mut (u32, [u32; 3], u32)| number(chosen(option(args.0), &args.1.map(option), idx(args.2)));
        agree(&unit, &Consts::new(), Scalar::F64, (a, [b, c, d], e), run);
    }
}

#[test]
fn kernels_write_indices() {
    let unit = kernel(written::TEXT);
    let (index, maybe) = (Some(Scalar::Idx), Some(Scalar::MaybeIdx));
    assert_eq!(unit.funcs[0].params.iter().map(|param| param.indices).collect::<Vec<_>>(), [maybe, index, maybe]);
    for [a, b, c, d] in all() {
        let run = |args: &mut ([u32; 3], [u32; 3], u32)| {
            let (mut at, mut old) = (args.1.map(idx), option(args.2));
            written(&args.0.map(option), &mut at, &mut old);
            (args.1, args.2) = (at.map(|at| at.0), number(old));
        };
        agree(&unit, &Consts::new(), Scalar::F64, ([a, b, c], [7, 8, 9], d), run);
    }
}

/// Elements walk over a mesh if they ask tables in rounds that their own values number, here or in functions that they call.
#[test]
fn walks_are_found() {
    let takes = "at: Idx<Verts>, x: &Table<Verts, f64>";
    let once = || payload(&format!("fn once({takes}) -> f64 {{ x.at(at) }}"), &[]);
    let twice = || payload(&format!("fn twice({takes}) -> f64 {{ once(at, x) + 1.0 }}"), &[("once", once())]);
    let walk = || {
        let text = format!("fn walk({takes}) -> f64 {{ let mut s = 0.0; while s < 9.0 {{ s += twice(at, x); }} s }}");
        payload(&text, &[("twice", twice())])
    };
    for (body, walks) in [
        ("*y = x.at(at);", false),
        ("for _ in 0..9 { *y += x.at(at); }", false),
        ("while *y < 9.0 { *y += 1.0; } *y += x.at(at);", false),
        ("while *y < x.at(at) { *y += 1.0; }", true),
        ("loop { *y += x.at(at); if *y > 9.0 { break; } }", true),
        ("loop { if *y > 9.0 { break; } for _ in 0..2 { *y += twice(at, x); } }", true),
        ("*y = twice(at, x);", false),
        ("*y = walk(at, x);", true),
    ] {
        let callees = [("twice", twice()), ("walk", walk())].into_iter().filter(|(name, _)| body.contains(name));
        let text = format!("fn k({takes}, y: &mut f64) {{ {body} }}");
        let unit = model::build(&payload(&text, &callees.collect::<Vec<_>>()), FnKind::Kernel);
        assert_eq!(unit.unwrap_or_else(|e| panic!("{}", list(e))).walks(), walks, "{body}");
    }
}
