//! Operations that panic on a CPU: checked code reports them, code without checks defines their values.

use crate::support::{buffer, emulator_with, launch, scalars, source};
use op2_device::{Arg, Device, Error, Options, Panic, Result, Source};

/// Each thread computes `y` from a number of `x`; thread 17 uses `special` and `by` instead.
fn operation(of: &str) -> Source {
    let text = format!(
        "using namespace op2::types;
        extern \"C\" __global__ void operate(const i64* x, double* y, i64 special, i64 by) {{
            OP2_ELEMENT(100 + threadIdx.x);
            const i64 a = threadIdx.x == 17 ? special : x[threadIdx.x];
            const i64 b = threadIdx.x == 17 ? by : 2;
            y[threadIdx.x] = double({of});
        }}"
    );
    Source { text: text.into(), ..source(&["operate"], "") }
}

/// The value of an operation on the two numbers, computed by thread 17.
fn operate(options: Options, of: &str, special: i64, by: i64) -> Result<f64> {
    let device = emulator_with(options);
    let x = buffer(&device, "x", &[8i64; 32]);
    let y = buffer(&device, "y", &[0f64; 32]);
    let (special, by) = (special.to_ne_bytes(), by.to_ne_bytes());
    let args = [Arg::Buffer(Some(&x)), Arg::Buffer(Some(&y)), Arg::Bytes(&special), Arg::Bytes(&by)];
    let done = launch(&device, &operation(of), "operate", (1, 32, 0), &args);
    // The machine still works.
    let x = buffer(&device, "x", &[8i64; 32]);
    assert_eq!(scalars::<i64>(&device, &x), [8; 32]);
    device.wait()?;
    done.map(|()| scalars::<f64>(&device, &y)[17])
}

const CHECKED: [Options; 2] = [
    Options { checks: true, seed: 3, memory: usize::MAX, folded: false, kernel_checks: true, wide_waves: false },
    Options { checks: false, seed: 3, memory: usize::MAX, folded: false, kernel_checks: true, wide_waves: false },
];

/// Operations with the numbers for which they panic, the report, and the value without checks.
fn panicking() -> Vec<(&'static str, i64, i64, Panic, f64)> {
    let least = f64::from(i32::MIN);
    let (zero, over) = (Panic::Division, Panic::Overflow);
    let shift = |count, bits| Panic::Shift { count, bits };
    vec![
        ("op2::div(a, b)", 7, 0, zero, 0.0),
        ("op2::rem(a, b)", 7, 0, zero, 7.0),
        ("op2::rem_euclid(a, b)", -7, 0, zero, -7.0),
        ("op2::div(u32(a), u32(b))", 7, 0, zero, 0.0),
        ("op2::div(i32(a), i32(b))", i32::MIN.into(), -1, over, least),
        ("op2::rem(i32(a), i32(b))", i32::MIN.into(), -1, over, 0.0),
        ("op2::rem_euclid(i32(a), i32(b))", i32::MIN.into(), -1, over, 0.0),
        ("op2::div(a, b)", i64::MIN, -1, over, i64::MIN as f64),
        ("op2::shl(i32(a), b)", 3, 33, shift(33, 32), 6.0),
        ("op2::shr(u64(a), i32(b))", 8, -62, shift(-62, 64), 2.0),
        ("op2::shl(u32(a), u32(b))", 1, 1 << 31, shift(1 << 31, 32), 1.0),
        ("op2::clamp(i64(5), b, a)", 3, 9, Panic::Clamp, 3.0),
        ("op2::clamp(5.0, double(b), double(a))", 3, 9, Panic::Clamp, 3.0),
        ("op2::clamp(1.0, a > 8 ? op2::Limits<double>::nan() : 0.0, double(b))", 9, 3, Panic::Clamp, 1.0),
    ]
}

#[test]
fn checked_code_reports_what_other_code_has_values_for() {
    for (of, special, by, panic, value) in panicking() {
        for options in CHECKED {
            let reported = Err(Error::Panic { kernel: "operate".into(), element: 117, panic });
            assert_eq!(operate(options, of, special, by), reported, "{of}");
        }
        assert_eq!(operate(Options::default(), of, special, by), Ok(value), "{of}");
    }
}

#[test]
fn what_panics_nowhere_is_not_reported() {
    for (of, special, by, value) in [
        ("op2::div(i32(a), i32(b))", i64::from(i32::MIN) + 1, -1, f64::from(i32::MAX)),
        ("op2::div(u32(a), u32(b))", 0xffff_ffff, 0xffff_ffff, 1.0),
        ("op2::div(u32(a), u32(b))", 0x8000_0000, 0xffff_ffff, 0.0),
        ("op2::shl(i32(a), b)", 1, 31, f64::from(i32::MIN)),
        ("op2::shr(u64(a), b)", -1, 63, 1.0),
        ("op2::clamp(i64(5), b, a)", 3, 3, 3.0),
    ] {
        for options in CHECKED {
            assert_eq!(operate(options, of, special, by), Ok(value), "{of}");
        }
    }
}

#[test]
fn indices_are_checked_always() {
    let of = "(Arr<double, 4>{{1, 2, 3, 4}}[usize(b)])";
    let unchecked = Options { checks: false, ..Options::default() };
    for options in CHECKED.into_iter().chain([Options::default(), unchecked]) {
        for beyond in [4, 5, -1] {
            let panic = Panic::Index { index: beyond as u64, length: 4 };
            let reported = Err(Error::Panic { kernel: "operate".into(), element: 117, panic });
            assert_eq!(operate(options, of, 0, beyond), reported);
        }
        assert_eq!(operate(options, of, 0, 3), Ok(4.0));
    }
}

#[test]
fn panics_have_words() {
    let words = |panic| Error::Panic { kernel: "k".into(), element: 3, panic }.to_string();
    assert_eq!(
        words(Panic::Index { index: 4, length: 4 }),
        "kernel `k`: element 3 takes index 4 of an array of 4 (valid: 0..4)"
    );
    assert_eq!(words(Panic::Division), "kernel `k`: element 3 divides an integer by zero");
    assert_eq!(words(Panic::Overflow), "kernel `k`: element 3 divides the least integer by -1");
    let shift = words(Panic::Shift { count: -1, bits: 32 });
    assert_eq!(shift, "kernel `k`: element 3 shifts an integer of 32 bits by -1 (valid: 0..32)");
    assert!(words(Panic::Clamp).contains("calls `clamp` with bounds in the wrong order"));
}
