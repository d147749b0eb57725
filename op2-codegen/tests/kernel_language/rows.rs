//! Rows of any length, for which slices stand here.

use op2_codegen::ir::{Scalar, print};

use crate::{Consts, Numbers, agree, device, kernel, payload, twin};

type Row<V> = [V];

twin! {
    fn product(a: &Row<f64>, x: &Row<f64>, y: &mut f64) {
        *y = 0.0;
        for i in 0..a.len() {
            *y += a[i] * x[i];
        }
    }

    fn changed(x: &Row<[f64; 2]>, w: &[f64; 2], sum: &mut Row<[f64; 2]>, count: &mut Row<u32>) {
        for i in (0..x.len()).rev() {
            let value = x[i];
            let other = &x[x.len() - 1 - i];
            for c in 0..2 {
                sum[i][c] += value[c] * w[1 - c] - other[c];
            }
            let [first, second] = sum[i];
            if first > second {
                sum[i] = [second, first];
                count[i] += 1 + count.len() as u32;
            }
        }
    }

    fn perhaps(x: Option<&Row<f64>>, y: &mut f64) {
        *y = -1.0;
        if let Some(x) = x {
            *y = if x.len() > 2 { x[2] } else { x.len() as f64 };
        }
    }
}

#[test]
fn rows_of_every_length() {
    let mut numbers = Numbers::new(3);
    for len in [0, 1, 2, 3, 17] {
        let mut list = |n: usize| (0..n).map(|_| numbers.f64()).collect::<Vec<f64>>();
        let (a, x) = (list(len), list(len));
        let run = |args: &mut (Vec<f64>, Vec<f64>, f64)| product(&args.0, &args.1, &mut args.2);
        agree(&kernel(product::TEXT), &Consts::new(), Scalar::F64, (a.clone(), x, 7.0), run);
        let some = |args: &mut (Option<Vec<f64>>, f64)| perhaps(args.0.as_deref(), &mut args.1);
        agree(&kernel(perhaps::TEXT), &Consts::new(), Scalar::F64, (Some(a), 7.0), some);
    }
    let none = |args: &mut (Option<Vec<f64>>, f64)| perhaps(args.0.as_deref(), &mut args.1);
    agree(&kernel(perhaps::TEXT), &Consts::new(), Scalar::F64, (None::<Vec<f64>>, 7.0), none);
}

#[test]
fn values_of_several_components() {
    let mut numbers = Numbers::new(5);
    for len in [0, 1, 2, 9] {
        let mut list = |n: usize| (0..n).map(|_| [numbers.f64(), numbers.f64()]).collect::<Vec<[f64; 2]>>();
        let args = (list(len), [0.5, -1.5], list(len), vec![1_u32; len]);
        agree(&kernel(changed::TEXT), &Consts::new(), Scalar::F64, args, |args| {
            changed(&args.0, &args.1, &mut args.2, &mut args.3);
        });
    }
}

/// Rows are no arrays, and the IR says so.
#[test]
fn types_of_rows() {
    let text = print::unit(&kernel(changed::TEXT));
    assert!(text.contains("sum#2: &mut Row<[f64; 2]>") && text.contains("(*x#0).len()"), "{text}");
    let last = payload("fn last(x: &Row<f64>) -> f64 { x[x.len() - 1] }", &[]);
    let text = print::unit(&device("fn both(x: &Row<f64>) -> f64 { last(x) + x[0] }", &[("last", last)]));
    assert!(text.contains("last@1(x#0)"), "{text}");
}
