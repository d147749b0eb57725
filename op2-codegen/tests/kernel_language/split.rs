//! Splitting: the stages of a kernel, run in order, give the bits of the unsplit kernel.

use op2_codegen::ir::{Len, Scalar, Ty, Unit, print};
use op2_codegen::parse::kernel::FnKind;
use op2_codegen::split::{Constraint, Parts, StageArg, parts};

use crate::interp::Interp;
use crate::value::Value;
use crate::{Consts, Numbers, kernel};

/// A kernel and what a loop does with its parameters: `s` staged (a group of its own each), `f` read from elsewhere, `a` added
/// to, `t` tied.
struct Case {
    unit: Unit,
    constraints: Vec<Constraint>,
    sizes: Vec<u32>,
}

impl Case {
    fn new(constraints: &str, text: &str) -> Self {
        Self::of(constraints, kernel(text))
    }

    fn of(constraints: &str, unit: Unit) -> Self {
        assert_eq!(constraints.len(), unit.funcs[0].params.len());
        let mut sizes = Vec::new();
        let role = |(param, role): (&op2_codegen::ir::Param, char)| match role {
            's' => {
                sizes.push(8 * count(&param.ty));
                Constraint::Staged(sizes.len() - 1)
            }
            'f' => Constraint::Free,
            'a' => Constraint::Added,
            _ => Constraint::Tied,
        };
        let constraints = unit.funcs[0].params.iter().zip(constraints.chars()).map(role).collect();
        Case { unit, constraints, sizes }
    }

    fn split(&self, count: usize) -> Result<Parts, String> {
        parts(&self.unit.funcs[0], &self.constraints, &self.sizes, count).map_err(|refusal| refusal.0)
    }

    /// The kernel in so many stages, compared with the kernel itself on random arguments.
    fn check(&self, count: usize) -> Parts {
        let split = self.split(count).unwrap_or_else(|why| panic!("{why}\n{}", print::unit(&self.unit)));
        assert_eq!(split.stages.len(), count);
        for seed in 1..20 {
            let mut numbers = Numbers::new(seed);
            let args: Vec<Value> = self.unit.funcs[0].params.iter().map(|p| random(&p.ty, &mut numbers)).collect();
            let consts = Consts::new();
            let (_, whole) = Interp::new(&self.unit, &consts, Scalar::F64).run(args.clone());
            let staged = self.run(&split, args);
            assert_eq!(staged, whole, "seed {seed}: {}", self.show(&split));
        }
        self.needs_are_true(&split);
        split
    }

    /// All stages, one after the other.
    fn run(&self, split: &Parts, mut args: Vec<Value>) -> Vec<Value> {
        let mut left: Vec<Value> = split.temporaries.iter().map(|t| zero(&t.ty)).collect();
        for stage in &split.stages {
            let funcs = std::iter::once(stage.func.clone()).chain(self.unit.funcs[1..].iter().cloned()).collect();
            let pass = stage.args.iter().map(|arg| match arg {
                StageArg::Kernel(n) => args[*n].clone(),
                StageArg::Left(t) | StageArg::Leaves(t) => left[*t].clone(),
            });
            let (_, after) = Interp::new(&Unit { funcs }, &Consts::new(), Scalar::F64).run(pass.collect());
            for (arg, value) in stage.args.iter().zip(after) {
                match arg {
                    StageArg::Kernel(n) => args[*n] = value,
                    StageArg::Leaves(t) => left[*t] = value,
                    StageArg::Left(_) => {}
                }
            }
        }
        args
    }

    /// A stage has no parameters but for the data that it is said to need.
    fn needs_are_true(&self, split: &Parts) {
        for (stage, needs) in split.stages.iter().zip(&split.needs) {
            for arg in &stage.args {
                if let StageArg::Kernel(n) = arg
                    && let Constraint::Staged(group) = self.constraints[*n]
                {
                    assert!(needs.contains(&group), "{}", self.show(split));
                }
            }
        }
        let width = |needs: &std::collections::BTreeSet<usize>| needs.iter().map(|g| self.sizes[*g]).sum::<u32>();
        let widest = split.needs.iter().map(width).max().unwrap();
        assert!(split.needs.len() == 1 || widest < self.sizes.iter().sum(), "{}", self.show(split));
    }

    fn show(&self, split: &Parts) -> String {
        let funcs = split.stages.iter().map(|s| s.func.clone()).collect();
        format!("{:?}\n{}", split.temporaries, print::unit(&Unit { funcs }))
    }
}

/// Scalars behind a type.
fn count(ty: &Ty) -> u32 {
    match ty {
        Ty::Array(inner, Len::Lit(n)) => *n as u32 * count(inner),
        Ty::Ref(_, inner) | Ty::Option(inner) => count(inner),
        _ => 1,
    }
}

fn random(ty: &Ty, numbers: &mut Numbers) -> Value {
    match ty {
        Ty::Array(inner, Len::Lit(n)) => Value::Array((0..*n).map(|_| random(inner, numbers)).collect()),
        Ty::Option(inner) if numbers.f64() > 0.0 => random(inner, numbers),
        Ty::Option(_) => Value::Absent,
        Ty::Ref(_, inner) => random(inner, numbers),
        Ty::Scalar(Scalar::F64) => Value::F64(numbers.f64()),
        Ty::Scalar(Scalar::I32) => Value::I32((numbers.bits() % 4) as i32),
        Ty::Scalar(Scalar::Bool) => Value::Bool(numbers.f64() > 0.0),
        other => panic!("no random {other:?}"),
    }
}

fn zero(ty: &Ty) -> Value {
    match ty {
        Ty::Array(inner, Len::Lit(n)) => Value::Array(vec![zero(inner); *n]),
        Ty::Record(_, fields) => Value::Tuple(fields.iter().map(zero).collect()),
        Ty::Scalar(Scalar::F64) => Value::F64(0.0),
        Ty::Scalar(Scalar::I32) => Value::I32(0),
        Ty::Scalar(Scalar::Bool) => Value::Bool(false),
        other => panic!("no zero of {other:?}"),
    }
}

/// The temporaries, by name.
fn names(split: &Parts) -> Vec<&str> {
    split.temporaries.iter().map(|t| t.name.as_str()).collect()
}

#[test]
fn contributions_from_different_data_part_without_temporaries() {
    let case = Case::new(
        "ssaa",
        "fn k(a: [&[f64; 6]; 2], b: [&[f64; 6]; 2], r: [&mut f64; 2], s: [&mut f64; 2]) {
            let d = a[0][0] * a[1][5];
            let e = b[0][1] - b[1][2];
            *r[0] += d;
            *s[0] += e;
            *r[1] -= d;
            *s[1] -= e;
        }",
    );
    let split = case.check(2);
    assert_eq!(names(&split), Vec::<&str>::new());
    assert_eq!(split.needs, [[0].into(), [1].into()]);
}

#[test]
fn names_that_are_given_values_together_part() {
    let case = Case::new(
        "ssa",
        "fn k(a: [&[f64; 6]; 2], b: [&[f64; 6]; 2], r: [&mut f64; 2]) {
            let (mut mean, (mut jump, _)) = (0.0, (1.0, b[0][1]));
            for n in 0..6 {
                mean += a[0][n] + a[1][n];
                jump = jump.max(b[0][n] - b[1][n]);
            }
            *r[0] += mean * jump;
            *r[1] -= mean - jump;
        }",
    );
    let split = case.check(2);
    assert_eq!(names(&split), ["mean"], "{}", case.show(&split));
}

#[test]
fn a_record_crosses_as_a_whole_if_its_scalars_have_one_type() {
    let text = |third: &str, value: &str, used: &str| {
        format!(
            "fn k(a: [&[f64; 6]; 2], b: [&[f64; 6]; 2], r: [&mut f64; 2]) {{
                let mean = mean(a[0], a[1]);
                *r[0] += flux(&mean, b[0]);
                *r[1] -= flux(&mean, b[1]);
            }}
            fn mean(a: &[f64; 6], b: &[f64; 6]) -> Mean {{
                Mean {{ u: [a[0] * b[1], a[2] - b[3]], third: {value}, p: a[4] + b[5] }}
            }}
            fn flux(mean: &Mean, b: &[f64; 6]) -> f64 {{
                let sign = if {used} {{ -1.0 }} else {{ 1.0 }};
                sign * (mean.u[0] * b[0] + mean.u[1] * b[1] + mean.p)
            }}
            struct Mean {{ u: [f64; 2], third: {third}, p: f64 }}"
        )
    };
    let case = |text: String| Case::of("ssa", crate::records::unit(&text, FnKind::Kernel));
    let alike = case(text("f64", "a[0]", "mean.third > 0.0"));
    let split = alike.check(2);
    assert_eq!(names(&split), ["mean"], "{}", alike.show(&split));
    // Rooms on devices hold scalars of one type.
    let mixed = case(text("bool", "a[0] > 0.0", "mean.third"));
    assert!(mixed.split(2).is_err());
}

#[test]
fn a_parameter_may_be_added_to_in_both_stages() {
    let case = Case::new(
        "ssa",
        "fn k(a: [&[f64; 6]; 2], b: [&[f64; 6]; 2], r: [&mut f64; 2]) {
            *r[0] += a[0][0] * a[1][5];
            *r[1] -= b[0][1] - b[1][2];
        }",
    );
    assert_eq!(names(&case.check(2)), Vec::<&str>::new());
}

#[test]
fn a_sum_is_cut_between_its_operands() {
    let case = Case::new(
        "ssa",
        "fn k(a: [&[f64; 6]; 2], b: [&[f64; 6]; 2], r: [&mut f64; 2]) {
            let flux = (a[0][0] + a[1][0]) * 0.5 + (b[0][3] * b[1][4]).sqrt().max(0.25);
            *r[0] += flux;
            *r[1] -= flux;
        }",
    );
    let split = case.check(2);
    assert_eq!(split.temporaries.len(), 1, "one number crosses");
    assert_eq!(split.temporaries[0].ty, Ty::Scalar(Scalar::F64));
}

#[test]
fn the_narrowest_place_is_cut_wherever_it_stands() {
    // `wide` has six numbers, what is made of it one: that crosses, although statements about `b` stand in between.
    let case = Case::new(
        "ssaa",
        "fn k(a: [&[f64; 6]; 2], b: [&[f64; 6]; 2], r: &mut [f64; 6], s: &mut f64) {
            let mut wide = [0.0; 6];
            let first = b[0][0] + b[1][0];
            for i in 0..6 {
                wide[i] = a[0][i] * a[1][i];
            }
            let second = first * b[0][5];
            let mut narrow = 0.0;
            for i in 0..6 {
                narrow += wide[i];
            }
            for i in 0..6 {
                r[i] += second * b[1][i] + narrow;
            }
            *s += second;
        }",
    );
    assert_eq!(names(&case.check(2)), ["narrow"]);
}

#[test]
fn a_loop_over_equations_leaves_a_number_per_round() {
    let case = Case::new(
        "ssfa",
        "fn k(a: [&[f64; 6]; 2], b: [&[f64; 9]; 2], w: &f64, r: [&mut [f64; 6]; 2]) {
            for n in 0..6 {
                let mean = 0.5 * (a[0][n] + a[1][n]);
                let jump = b[0][n] - b[1][n + 3] * *w;
                r[0][n] += mean * jump;
                r[1][n] -= mean * jump;
            }
        }",
    );
    let split = case.check(2);
    assert_eq!(split.temporaries.len(), 1);
    assert_eq!(split.temporaries[0].ty, Ty::Array(Box::new(Ty::Scalar(Scalar::F64)), Len::Lit(6)));
}

#[test]
fn nested_loops_of_all_kinds_keep_their_rounds_apart() {
    let case = Case::new(
        "ssa",
        "fn k(a: [&[f64; 12]; 2], b: [&[f64; 12]; 2], r: &mut [f64; 12]) {
            for n in 1..=3 {
                for d in (2i32..6).rev() {
                    let here = a[0][n] * a[1][d as usize];
                    let there = b[0][n + 3].abs() + b[1][d as usize + 2];
                    r[n * 3 + d as usize - 3] += here * there;
                }
            }
        }",
    );
    let split = case.check(2);
    let row = Ty::Array(Box::new(Ty::Scalar(Scalar::F64)), Len::Lit(4));
    assert_eq!(split.temporaries[0].ty, Ty::Array(Box::new(row), Len::Lit(3)));
}

#[test]
fn conditions_cross_as_what_they_are() {
    let case = Case::new(
        "ssfa",
        "fn k(a: [&[f64; 6]; 2], b: [&[f64; 6]; 2], flag: &i32, r: [&mut f64; 2]) {
            if a[0][0] + a[1][0] > 0.0 {
                *r[0] += b[0][0];
                if *flag == 1 {
                    *r[1] += b[0][1] * a[0][1];
                }
            } else {
                *r[1] -= b[1][0];
            }
        }",
    );
    let split = case.check(2);
    assert!(split.temporaries.iter().any(|t| t.ty == Ty::Scalar(Scalar::Bool)), "{:?}", split.temporaries);
}

#[test]
fn cheap_statements_are_computed_twice() {
    // Ten numbers follow from the element's own data: they do not cross.
    let case = Case::new(
        "ssfaa",
        "fn k(a: [&[f64; 9]; 2], b: [&[f64; 9]; 2], n: &[f64; 3], r: &mut f64, s: &mut f64) {
            let area = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
            let unit = [n[0] / area, n[1] / area, n[2] / area];
            *r += unit[0] * a[0][0] + unit[1] * a[0][1] + unit[2] * a[1][2];
            *s += unit[0] * b[0][0] + unit[1] * b[0][1] + unit[2] * b[1][2];
        }",
    );
    assert_eq!(names(&case.check(2)), Vec::<&str>::new());
}

#[test]
fn contributions_may_follow_from_each_other() {
    let case = Case::new(
        "sssaa",
        "fn k(a: [&[f64; 5]; 2], b: [&[f64; 5]; 2], c: [&[f64; 5]; 2], r: [&mut f64; 2], s: [&mut f64; 2]) {
            let one = a[0][0] * a[1][1] - 0.25;
            *r[0] += one;
            let two = one * b[0][0] + b[1][1];
            *s[0] += two;
            let three = two * one + c[0][0].max(c[1][4]);
            *r[1] += three;
            *s[1] -= three - one;
        }",
    );
    case.check(2);
    let split = case.check(3);
    assert_eq!(split.needs.iter().map(|n| n.len()).max(), Some(1), "each stage has one dat: {:?}", split.needs);
}

#[test]
fn what_is_not_only_added_to_stays_together() {
    // `low` is read where it is changed, `own` is written twice: neither may be torn apart.
    let case = Case::new(
        "sstta",
        "fn k(a: [&[f64; 4]; 2], b: [&[f64; 4]; 2], low: &mut f64, own: &mut [f64; 2], r: &mut f64) {
            own[0] = 1.0;
            own[1] = a[0][0];
            if a[1][0] < *low {
                *low = a[1][0];
            }
            own[0] = own[0] + own[1];
            *r += b[0][0] * own[0];
            *r -= b[1][1];
        }",
    );
    case.check(2);
}

#[test]
fn places_are_followed_through_references() {
    let case = Case::new(
        "ssa",
        "fn k(a: [&[f64; 4]; 2], b: [&[f64; 4]; 2], r: [&mut [f64; 2]; 2]) {
            let left = a[0];
            let mut sums = [0.0; 3];
            {
                let part = &mut sums[1];
                *part += left[1] * a[1][2];
            }
            sums[2] = 2.0;
            let to = &mut r[0][1];
            *to += sums[1] + b[0][0];
            r[1][0] -= sums[2] * b[1][3];
        }",
    );
    case.check(2);
}

#[test]
fn optional_arguments_and_jumps_inside_loops() {
    let case = Case::new(
        "ssfa",
        "fn k(a: [&[f64; 4]; 2], b: [&[f64; 4]; 2], w: Option<&f64>, r: [&mut f64; 2]) {
            let mut steps = a[0][0].abs();
            let mut rounds = 0;
            while steps < 4.0 {
                steps += 0.5 + a[1][1].abs();
                rounds += 1;
                if rounds > 5 {
                    break;
                }
            }
            if let Some(w) = w {
                *r[0] += *w * b[0][0];
            } else {
                *r[0] += b[0][1];
            }
            let late;
            if b[1][1] > 0.0 {
                late = b[1][2];
            } else {
                late = 1.0;
            }
            let (x, y) = (steps * 2.0, late * 3.0);
            *r[1] += x + y;
        }",
    );
    case.check(2);
}

#[test]
fn values_that_change_between_readers_do_not_cross() {
    // `t` is read between its changes: it has no last value that would do for all.
    let case = Case::new(
        "ssaa",
        "fn k(a: [&[f64; 4]; 2], b: [&[f64; 4]; 2], r: &mut f64, s: &mut f64) {
            let mut t = a[0][0];
            let early = t * 2.0;
            t += a[1][1];
            *r += early * b[0][0];
            *s += t * b[1][0];
        }",
    );
    let split = case.check(2);
    assert!(names(&split).contains(&"t"), "its last value crosses: {:?}", names(&split));
    assert!(names(&split).contains(&"early"), "{:?}", names(&split));
}

#[test]
fn what_crosses_is_not_changed_again() {
    // The second statement changes both locals, of which one crosses and the other could be computed twice.
    let case = Case::new(
        "ssfaa",
        "fn k(a: [&[f64; 4]; 2], b: [&[f64; 4]; 2], n: &f64, r: &mut f64, s: &mut f64) {
            let mut v = 0.0;
            let mut w = 0.0;
            let t = if *n > 0.0 { v += *n; w += 2.0 * *n; 1.0 } else { 0.0 };
            v += a[0][0];
            *r += v * b[0][0];
            *s += w * b[1][1] + t;
        }",
    );
    case.check(2);
}

#[test]
fn operands_that_change_something_stay_in_their_order() {
    let case = Case::new(
        "sssa",
        "fn k(a: [&[f64; 4]; 2], b: [&[f64; 4]; 2], c: [&[f64; 4]; 2], r: &mut f64) {
            let mut v = a[0][0];
            let u = v + { v += b[0][1]; v * b[0][0] } * c[1][1];
            *r += u * v;
        }",
    );
    // All of it is one statement that needs everything.
    assert_eq!(case.split(2).unwrap_err(), "what its widest stage computes needs all that the stage reads");
}

#[test]
fn why_a_kernel_is_not_split() {
    let one = Case::new("sa", "fn k(a: [&[f64; 4]; 2], r: &mut f64) { *r += a[0][0]; }");
    assert_eq!(one.split(2).unwrap_err(), "its widest stage reads no two dats through maps");
    let returns =
        Case::new("ssa", "fn k(a: &[f64; 4], b: &[f64; 4], r: &mut f64) { if a[0] < 0.0 { return; } *r += b[0]; }");
    assert_eq!(returns.split(2).unwrap_err(), "the kernel returns early");
    // The loop ends on either; all of it is one statement.
    let knot = Case::new(
        "ssa",
        "fn k(a: &[f64; 4], b: &[f64; 4], r: &mut f64) {
            let mut t = 0.0;
            for i in 0..4 {
                t += a[i] * b[i];
                if t > 1.0 {
                    break;
                }
            }
            *r += t;
        }",
    );
    assert_eq!(knot.split(2).unwrap_err(), "what its widest stage computes needs all that the stage reads");
}

/// Each assertion goes with a stage that knows what it needs. Others are left out: they must not cost a temporary.
#[test]
fn assertions_go_with_what_they_need() {
    let case = Case::new(
        "ssaa",
        "fn k(a: &[f64; 3], b: &[f64; 3], x: &mut f64, y: &mut f64) {
            let p = a[0] * a[1];
            debug_assert!(p < 1e9);
            let q = b[0] * b[2];
            debug_assert!(q < 1e8);
            debug_assert!(a[2] + b[1] < 1e7);
            *x += p;
            *y += q;
        }",
    );
    let split = case.check(2);
    let texts: Vec<String> = split.stages.iter().map(|s| print::unit(&Unit { funcs: vec![s.func.clone()] })).collect();
    let bounds = ["1e9", "1e8", "1e7"].map(|bound| texts.iter().filter(|text| text.contains(bound)).count());
    assert_eq!(bounds, [1, 1, 0], "{}", case.show(&split));
}
