//! Threads that fences, atomics and barriers of warps put in an order.

use super::*;

/// Each block leaves its number, and the last one to do so adds them up.
const LAST: &str = "mul.wide.u32 %rd6, %r2, 4;
    add.s64 %rd7, %rd1, %rd6;
    setp.eq.s32 %p1, %r1, 0;
    setp.eq.s32 %p2, %r1, 63;
    add.s32 %r3, %r2, 1;
    @%p2 st.global.u32 [%rd7+16], %r3;
    bar.sync 0;
    mov.u32 %r5, %nctaid.x;
    sub.s32 %r5, %r5, 1;
    mov.u32 %r9, 0;
    @!%p1 bra $L_counted;
    FENCE1;
    atom.global.add.u32 %r4, [%rd1], 1;
    FENCE2;
    setp.eq.s32 %p3, %r4, %r5;
    @%p3 mov.u32 %r9, 1;
    @%p3 st.global.u32 [%rd1], 0;
    $L_counted:
    @%p1 st.shared.u32 [%rd5], %r9;
    bar.sync 0;
    ld.shared.u32 %r9, [%rd5];
    setp.eq.s32 %p4, %r9, 0;
    @%p4 ret;
    setp.ne.s32 %p2, %r1, 40;
    @%p2 ret;
    mov.u32 %r10, 0;
    mov.u32 %r11, 0;
    add.s64 %rd8, %rd1, 16;
    $L_more:
    ld.volatile.global.u32 %r12, [%rd8];
    add.s32 %r10, %r10, %r12;
    add.s64 %rd8, %rd8, 4;
    add.s32 %r11, %r11, 1;
    setp.le.u32 %p5, %r11, %r5;
    @%p5 bra $L_more;
    st.global.u32 [%rd1+4], %r10;";

fn last(one: &str, two: &str) -> String {
    LAST.replace("FENCE1", one).replace("FENCE2", two)
}

#[test]
fn the_last_block_sees_what_the_others_left_if_fences_are_right() {
    for fence in ["membar.gl", "fence.acq_rel.gpu", "fence.sc.sys"] {
        let found = run(&last(fence, fence), 20, SIZE).unwrap();
        assert_eq!((found[0], found[1]), (0, 210), "{fence}");
    }
    for (one, two) in [("nop", "membar.gl"), ("membar.gl", "nop"), ("membar.cta", "membar.gl"), ("nop", "nop")] {
        assert!(matches!(run(&last(one, two), 20, SIZE), Err(Fault::Race { .. })), "{one} {two}");
    }
    let by_itself = last("nop", "nop").replace("atom.global", "atom.acq_rel.gpu.global");
    assert_eq!(run(&by_itself, 20, SIZE).unwrap()[1], 210);
    let one_side = run(&by_itself.replace("acq_rel", "acquire"), 20, SIZE);
    assert!(matches!(one_side, Err(Fault::Race { .. })));
    let in_block = run(&last("membar.gl", "membar.gl").replace("atom.global", "atom.cta.global"), 20, SIZE);
    assert!(matches!(in_block, Err(Fault::Race { .. })), "an atomic for the block alone");
}

#[test]
fn what_follows_the_fence_is_not_released() {
    let own = LAST.replace("@%p2 st.global.u32 [%rd7+16], %r3;", "");
    let store = "st.global.u32 [%rd7+16], %r3";
    let with = |one: &str| own.replace("FENCE1", one).replace("FENCE2", "membar.gl");
    let late = run(&with(&format!("membar.gl; {store}")), 20, SIZE);
    assert!(matches!(late, Err(Fault::Race { .. })));
    assert_eq!(run(&with(&format!("{store}; membar.gl")), 20, SIZE).unwrap()[1], 210);
}

#[test]
fn lanes_that_meet_see_what_others_wrote() {
    let pair = "xor.b32 %r3, %r1, 1;
        mul.wide.u32 %rd6, %r3, 4;
        add.s64 %rd7, %rd5, %rd6;
        st.shared.u32 [%rd3], %r1;
        bar.warp.sync -1;
        ld.shared.u32 %r4, [%rd7];
        st.global.u32 [%rd2], %r4;";
    assert_eq!(run(pair, 1, SIZE).unwrap(), (0..THREADS).map(|n| n ^ 1).collect::<Vec<_>>());
    let fails = |body: &str| match run(body, 1, SIZE) {
        Err(Fault::Race { .. } | Fault::Unwritten { .. }) => {}
        found => panic!("{found:?}"),
    };
    fails(&pair.replace("bar.warp.sync -1;", ""));
    fails(&pair.replace("%r1, 1;", "%r1, 32;"));
    // Shuffles order no accesses to memory.
    fails(&pair.replace("bar.warp.sync -1;", "shfl.sync.idx.b32 %r9|%p1, %r1, 0, 31, -1;"));
    let some = "and.b32 %r3, %r1, 1; setp.eq.s32 %p1, %r3, 0; @%p1 bra $L_even;
        bar.warp.sync 0xAAAAAAAA; bra $L_end; $L_even: bar.warp.sync 0x55555555; $L_end: ";
    assert!(run(some, 1, SIZE).is_ok());
    let ended = format!("setp.eq.s32 %p1, %r1, 5; @%p1 ret; {pair}");
    assert_eq!(run(&ended, 1, SIZE), Err(Fault::Lane { lane: 5, why: "has ended".to_owned() }));
    let apart =
        "setp.lt.u32 %p1, %r1, 9; @%p1 bra $L_a; bar.warp.sync -1; bra $L_b; $L_a: bar.warp.sync -1; $L_b: ";
    assert!(matches!(run(apart, 1, SIZE), Err(Fault::Lane { .. })));
}

#[test]
fn reductions_in_memory_are_atomic() {
    let sum = "red.global.add.u32 [%rd1], %r1; red.relaxed.gpu.global.max.u32 [%rd1+4], %r1;
        cvt.rn.f64.u32 %fd1, %r1; red.global.add.f64 [%rd1+8], %fd1;
        red.global.or.b32 [%rd1+16], 6; red.global.and.b32 [%rd1+20], 0;";
    let found = run(sum, 3, SIZE).unwrap();
    assert_eq!(found[..2], [3 * 63 * 32, 63]);
    assert_eq!(f64::from_bits(u64::from(found[3]) << 32 | u64::from(found[2])), f64::from(3 * 63 * 32));
    assert_eq!(found[4..6], [6, 0]);
    for plain in ["st.global.u32 [%rd1], %r1;", "ld.global.u32 %r9, [%rd1];"] {
        assert!(matches!(run(&format!("{plain} {sum}"), 2, SIZE), Err(Fault::Race { .. })), "{plain}");
    }
}

#[test]
fn vectors_are_added_value_by_value() {
    let sum = "cvt.rn.f32.u32 %f1, %r1; mov.f32 %f2, 0f3F800000;
        red.global.add.v4.f32 [%rd1+16], {%f1, %f2, %f2, %f1};
        red.relaxed.gpu.global.v2.f32.add [%rd1+32], {%f2, %f1};";
    let found: Vec<f32> = run(sum, 2, SIZE).unwrap().into_iter().map(f32::from_bits).collect();
    assert_eq!(found[4..10], [4032.0, 128.0, 128.0, 4032.0, 128.0, 4032.0]);
    let apart = run(&sum.replace("[%rd1+16]", "[%rd1+8]"), 1, SIZE);
    assert!(matches!(apart, Err(Fault::Unaligned { bytes: 16, .. })));
}

#[test]
fn a_launch_that_begins_early_waits_before_it_reads() {
    let run_both = |second: &str, early| {
        let (memory, clock) = (&mut Memory::new(1), &mut Clock::new(3));
        let address = memory.allocate(SIZE).unwrap();
        run_on(memory, clock, "st.global.u32 [%rd2], %r1;", 1, (address, SIZE), false)?;
        run_on(memory, clock, second, 1, (address, SIZE), early)
    };
    let read = "ld.global.u32 %r3, [%rd2]; add.s32 %r3, %r3, 1; st.global.u32 [%rd2], %r3;";
    assert_eq!(run_both(read, false).unwrap()[5], 6);
    let waits = format!("griddepcontrol.launch_dependents; griddepcontrol.wait; {read}");
    assert_eq!(run_both(&waits, true).unwrap()[5], 6);
    assert!(matches!(run_both(read, true), Err(Fault::Early { .. })));
    assert!(matches!(run_both(&format!("{read} griddepcontrol.wait;"), true), Err(Fault::Early { .. })));
    assert!(matches!(run_both("mov.u32 %r3, 0;", true), Err(Fault::NoWait)));
}
