//! Functions generated from the IR, next to the user's: compiled by the same compiler and called with the same
//! arguments, they give the same bits, and panic if the user's panic. So do those for several elements at once, in
//! every lane.
//!
//! The kernels are those in `twin!` in the other tests.

mod lanes;
mod program;

use lanes::agree_in_lanes;
use program::{Kernels, agree};
use std::collections::BTreeSet;

/// Constructs without an expression in C++.
fn awkward() -> Kernels {
    // Of `TABLE` a row is lent: nobody says how long.
    let text = include_str!("../cuda_functions/awkward.rs").replace("let t = &TABLE[1]; t[0]", "TABLE[1][0]");
    // A NaN never gets beyond 10.
    Kernels::of(&text.replace("if *out > 10.0 { return; }", "if !(*out <= 10.0) { return; }"))
}

fn extremes() -> Kernels {
    Kernels::of(include_str!("../cuda_functions/extremes.rs"))
}

fn constructs() -> Kernels {
    // Run-time constants are op2's.
    let text = include_str!("../kernel_language/constructs.rs");
    let text = text
        .replace("STATE.get()", "STATE")
        .replace("ALPHA.get()", "ALPHA")
        .replace("let q = STATE", "let q: [f64; 2] = STATE");
    Kernels::of(&format!("{text} const STATE: [f64; 2] = [3.0, -2.0]; const ALPHA: f64 = 0.75;"))
}

fn forms() -> Kernels {
    Kernels::of(include_str!("../kernel_language/forms.rs"))
}

#[test]
fn awkward_kernels() {
    let written = agree(&awkward());
    for kernel in ["order", "leaving", "names", "references", "loops", "tuples", "chains", "entries", "effects", "part"]
    {
        assert!(written.contains(kernel), "{kernel}: {written:?}");
    }
}

#[test]
fn awkward_kernels_in_lanes() {
    let refused = agree_in_lanes(&awkward());
    // References that differ from lane to lane.
    let expected = ["effects", "entries", "longer", "part", "references", "unused"];
    assert_eq!(refused.keys().map(|(name, _)| name.as_str()).collect::<BTreeSet<_>>(), BTreeSet::from(expected));
    let reasons: BTreeSet<&str> = refused.values().filter_map(|why| why.split_once(": ")).map(|(_, why)| why).collect();
    assert!(reasons.contains("which reference is returned differs between elements of the loop"), "{reasons:?}");
    assert!(reasons.contains("a reference is assigned for some elements of the loop only"), "{reasons:?}");
}

#[test]
fn scalars_at_the_ends_of_their_ranges() {
    agree(&extremes());
}

#[test]
fn scalars_at_the_ends_of_their_ranges_in_lanes() {
    let refused = agree_in_lanes(&extremes());
    assert!(refused.is_empty(), "{refused:?}");
}

#[test]
fn all_constructs() {
    agree(&constructs());
    agree(&forms());
    agree(&Kernels::of(include_str!("../kernel_language/library.rs")));
    agree(&Kernels::of(include_str!("../kernel_language/airfoil.rs")));
}

#[test]
fn all_constructs_in_lanes() {
    let mut refused = agree_in_lanes(&constructs());
    refused.extend(agree_in_lanes(&forms()));
    refused.extend(agree_in_lanes(&Kernels::of(include_str!("../kernel_language/library.rs"))));
    refused.extend(agree_in_lanes(&Kernels::of(include_str!("../kernel_language/airfoil.rs"))));
    // It passes a row on by an index that varies.
    assert!(refused.keys().all(|(name, _)| name == "calls"), "{refused:?}");
}

/// Where some lanes are off, nothing is indexed, divided or called for them.
#[test]
fn lanes_that_are_off() {
    let kernels = Kernels::of(include_str!("off.rs"));
    agree(&kernels);
    let refused = agree_in_lanes(&kernels);
    assert!(refused.is_empty(), "{refused:?}");
}

/// Constants by every kind of path and of every kind of type, in kernels and in the functions that they call.
#[test]
fn constants() {
    let written = agree(&Kernels::of(
        "const WEIGHTS: [f64; 3] = [0.5, -1.0, 2.0];
         const TABLE: [[f64; 2]; 3] = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
         const SLICE: &[f64] = &[0.25, 0.75];
         const LENT: &[f64; 2] = &[1.5, 2.5];
         const FACTOR: &f64 = &1.25;
         const N: usize = 3;
         const COUNT: i32 = 2;
         const PAIR: (f64, u32) = (0.1, 7);
         const FLAG: bool = true;
         twin! {
             fn inner(x: f64) -> f64 { x * WEIGHTS[1] + TABLE[2][0] }
             fn outer(x: f64, by: &[f64; N]) -> f64 { inner(x) + by[N - 1] * WEIGHTS[2] }
             fn whole() -> [f64; N] { WEIGHTS }
             fn mentions(x: &f64, out: &mut [f64; 12]) {
                 for i in 0..N { out[i] = *x * WEIGHTS[i] + TABLE[i][1]; }
                 for i in 0..COUNT { let at: i32 = i; out[3 + at as usize] = SLICE[at as usize] - LENT[at as usize]; }
                 out[5] = *x * FACTOR;
                 out[6] = outer(*x, &[1.0, 2.0, 3.0]);
                 let pair: (f64, u32) = PAIR;
                 let g = pair.0;
                 out[7] = if FLAG { g } else { -g };
                 let row: [f64; 2] = TABLE[1];
                 let all: [f64; N] = WEIGHTS;
                 out[8] = row[0] + all[2];
                 out[9] = whole()[0];
                 let part = if *x > 0.0 { &all[0] } else { &all[1] };
                 out[10] = *part;
                 let lent: &[f64; N] = if *x > 0.5 { &WEIGHTS } else { &all };
                 out[11] = lent[1];
             }
         }",
    ));
    assert!(written.contains("mentions"), "{written:?}");
}

/// Indices that are not the same for all lanes, where some lanes are off.
#[test]
fn elements_of_arrays_that_differ_from_lane_to_lane() {
    let kernels = Kernels::of(
        "twin! {
             fn put(x: f64, at: usize, all: &mut [f64; 4]) {
                 if x < 0.5 { all[at] = x; }
                 all[(at + 1) % 4] -= 0.25;
             }
             fn sorts(x: &f64, kind: &i32, out: &mut [f64; 4]) {
                 let mut kept = [0.0; 4];
                 let at = (*kind & 3) as usize;
                 if *x > 0.0 {
                     out[at] = *x;
                     kept[at] += 2.0;
                     if *kind > 1 { kept[(at + 2) % 4] -= *x; }
                     put(*x, at, out);
                 } else {
                     out[3 - at] += 1.5;
                 }
                 for i in 0..4 {
                     if i == at { continue; }
                     out[i] += kept[i];
                 }
             }
         }",
    );
    assert!(agree(&kernels).contains("sorts"));
    let refused = agree_in_lanes(&kernels);
    assert!(refused.is_empty(), "{refused:?}");
}
