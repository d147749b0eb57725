use super::*;

fn value(op: &str, operands: &[u64]) -> u64 {
    let function = function(op).unwrap_or_else(|| panic!("{op}"));
    assert_eq!(function.operands, operands.len(), "{op}");
    let [a, b, c] = std::array::from_fn(|n| operands.get(n).copied().unwrap_or(0));
    let mut lanes = [0; LANES];
    (function.of_lanes)(&mut lanes, [&[a; LANES], &[b; LANES], &[c; LANES]]);
    assert_eq!(lanes, [(function.of)(a, b, c); LANES], "{op}");
    lanes[0]
}

fn doubles(op: &str, a: f64, b: f64) -> u64 {
    value(op, &[a.word(), b.word()])
}

#[test]
fn integers_wrap_in_their_width() {
    assert_eq!(value("add.s32", &[u64::from(u32::MAX), 2]), 1);
    assert_eq!(value("sub.s32", &[1, 2]), u64::from(u32::MAX));
    assert_eq!(value("mul.wide.s32", &[(-3_i32).word(), 5]), (-15_i64).word());
    assert_eq!(value("mul.wide.u32", &[u64::from(u32::MAX), 4]), u64::from(u32::MAX) * 4);
    assert_eq!(value("mul.hi.u64", &[u64::MAX, 3]), 2);
    assert_eq!(value("mul.hi.s64", &[(-1_i64).word(), 3]), (-1_i64).word());
    assert_eq!((value("shl.b32", &[1, 31]), value("shl.b32", &[1, 32])), (1 << 31, 0));
    assert_eq!(
        (value("shr.s64", &[(-8_i64).word(), 2]), value("shr.s64", &[(-8_i64).word(), 99])),
        ((-2_i64).word(), u64::MAX)
    );
    assert_eq!((value("shr.u32", &[8, 2]), value("shr.u32", &[8, 32])), (2, 0));
    assert_eq!((value("setp.lt.s32", &[(-1_i32).word(), 0]), value("setp.lt.u32", &[(-1_i32).word(), 0])), (1, 0));
    assert_eq!((value("abs.s32", &[(-7_i32).word()]), value("abs.s32", &[7])), (7, 7));
    assert_eq!(value("not.pred", &[1]), 0);
    assert_eq!((value("div.u32", &[7, 2]), value("rem.s32", &[(-7_i32).word(), 2])), (3, (-1_i32).word()));
}

#[test]
fn minima_of_floats_ignore_nan_and_order_zeros() {
    assert_eq!(doubles("min.f64", f64::NAN, 2.0), 2_f64.word());
    assert_eq!(doubles("max.f64", 2.0, f64::NAN), 2_f64.word());
    for (a, b) in [(0.0, -0.0), (-0.0, 0.0)] {
        assert_eq!((doubles("min.f64", a, b), doubles("max.f64", a, b)), ((-0_f64).word(), 0_f64.word()));
    }
}

#[test]
fn orders_of_floats_say_what_they_make_of_nan() {
    let table = [("lt", 0, 1), ("le", 0, 1), ("gt", 1, 0), ("ge", 1, 0), ("eq", 0, 0), ("ne", 1, 1)];
    for (name, with_numbers, _) in table {
        assert_eq!(doubles(&format!("setp.{name}.f64"), 2.0, 1.0), with_numbers, "{name}");
        assert_eq!(doubles(&format!("setp.{name}.f64"), f64::NAN, 1.0), 0, "{name}");
        assert_eq!(doubles(&format!("setp.{name}u.f64"), f64::NAN, 1.0), 1, "{name}u");
    }
}

#[test]
fn conversions_round_as_they_say_and_saturate() {
    let convert = |op: &str, word: u64| {
        let how = Convert::of(op).unwrap_or_else(|| panic!("{op}"));
        if let Some((mask, sign)) = how.of_bits() {
            let bits = ((word & mask) << sign) as i64 >> sign;
            assert_eq!(bits as u64 & how.to.mask(), how.apply(word) & how.to.mask(), "{op}");
        }
        how.apply(word)
    };
    assert_eq!(convert("cvt.rzi.s64.f64", (-2.9_f64).word()), (-2_i64).word());
    assert_eq!(convert("cvt.rmi.f64.f64", (-2.1_f64).word()), (-3_f64).word());
    assert_eq!(convert("cvt.rni.s32.f64", 2.5_f64.word()), 2);
    assert_eq!(convert("cvt.rzi.u32.f64", 1e20_f64.word()), u64::from(u32::MAX));
    assert_eq!(convert("cvt.rzi.s32.f32", f32::NAN.word()), 0);
    assert_eq!(
        (convert("cvt.sat.f32.f32", 2_f32.word()), convert("cvt.sat.f32.f32", f32::NAN.word())),
        (1_f32.word(), 0)
    );
    assert_eq!((convert("cvt.sat.u8.s32", (-3_i32).word()), convert("cvt.sat.u8.s32", 300)), (0, 255));
    assert_eq!(convert("cvt.sat.s8.s32", (-300_i32).word()) as i8, i8::MIN);
    assert_eq!(convert("cvt.s32.s8", 0xff), u64::MAX);
    assert_eq!(convert("cvt.u16.u32", 0x12345), 0x2345);
    assert_eq!(convert("cvt.rn.f64.s64", (-3_i64).word()), (-3_f64).word());
    assert_eq!(convert("cvt.rn.f32.f64", 0.1_f64.word()), 0.1_f32.word());
}

#[test]
fn carries_go_from_one_word_to_the_next() {
    let all = u64::from(u32::MAX);
    let apply = |op: &str, operands, carry| Carry::of(op).unwrap_or_else(|| panic!("{op}")).apply(operands, carry);
    assert_eq!(apply("add.cc.u32", [all, 2, 0], true), (1, true));
    assert_eq!(apply("addc.u32", [all, 2, 0], true), (2, true));
    assert_eq!(
        (apply("addc.cc.u32", [1, 2, 0], true), apply("sub.cc.u32", [1, 2, 0], false)),
        ((4, false), (all, true))
    );
    assert_eq!(apply("subc.u32", [5, 2, 0], true), (2, false));
    assert_eq!(apply("mad.lo.cc.u32", [all, all, all], false), (0, true));
    assert_eq!(apply("madc.hi.u32", [all, all, 1], true), (0, true));
    assert_eq!(apply("madc.lo.cc.u64", [u64::MAX, 3, 7], true), (5, true));
    let gives = |op| Carry::of(op).unwrap().gives;
    assert!(gives("madc.hi.cc.u32") && !gives("madc.hi.u32"));
    assert!(Carry::of("mad.wide.cc.u32").is_none());
}

#[test]
fn approximations_flush_the_smallest_numbers() {
    let single = |op: &str, a: f32| f32::from_bits(value(op, &[a.word()]) as u32);
    assert_eq!((single("lg2.approx.f32", 8.0), single("ex2.approx.ftz.f32", 5.0)), (3.0, 32.0));
    assert_eq!(single("lg2.approx.ftz.f32", 1e-40), f32::NEG_INFINITY);
    assert!(single("lg2.approx.f32", 1e-40) > -140.0);
    let third = f64::from_bits(value("rcp.approx.ftz.f64", &[3_f64.word()]));
    assert!((third * 3.0 - 1.0).abs() < 1e-6 && third.to_bits() as u32 == 0);
}

#[test]
fn products_and_sums_round_as_they_say() {
    let fused = |op: &str, c: f32| f32::from_bits(value(op, &[3_f32.word(), 0.5_f32.word(), c.word()]) as u32);
    for (c, above) in [(1e-9_f32, true), (-1e-9, false)] {
        let next = [1.5_f32, if above { 1.5_f32.next_up() } else { 1.5_f32.next_down() }];
        let (down, up) = (fused("fma.rm.f32", c), fused("fma.rp.f32", c));
        assert_eq!((down, up), if above { (next[0], next[1]) } else { (next[1], next[0]) });
        assert_eq!(fused("fma.rz.f32", c), down);
    }
    assert_eq!((fused("fma.rm.f32", 2.0), fused("fma.rp.f32", 2.0)), (3.5, 3.5));
    let below = f32::from_bits(value("fma.rz.f32", &[(-3_f32).word(), 0.5_f32.word(), 1e-9_f32.word()]) as u32);
    assert_eq!(below, (-1.5_f32).next_up());
}
