//! Copies to shared memory, loads of vectors, and memory that nobody has written.

use super::*;

/// Each of the first 16 threads copies 16 bytes, and others read them.
const COPY: &str = "setp.lt.u32 %p1, %r1, 16;
    mul.wide.u32 %rd6, %r1, 16;
    add.s64 %rd7, %rd1, %rd6;
    add.s64 %rd8, %rd5, %rd6;
    @%p1 cp.async.cg.shared.global [%rd8], [%rd7], 16;
    cp.async.commit_group;
    cp.async.wait_group 0;
    bar.sync 0;
    sub.s32 %r3, 63, %r1;
    mul.wide.u32 %rd9, %r3, 4;
    add.s64 %rd10, %rd5, %rd9;
    ld.shared.u32 %r4, [%rd10];
    st.global.u32 [%rd2], %r4;";

/// Runs a body on memory that holds 100, 101, …
fn copied(body: &str) -> std::result::Result<Vec<u32>, Fault> {
    let (memory, clock) = (&mut Memory::new(1), &mut Clock::new(3));
    let address = memory.allocate(SIZE).unwrap();
    let number = "add.s32 %r3, %r1, 100; st.global.u32 [%rd2], %r3;";
    run_on(memory, clock, number, 1, (address, SIZE), false).unwrap();
    run_on(memory, clock, body, 1, (address, SIZE), false)
}

#[test]
fn copies_arrive_when_they_are_waited_for() {
    // Its results go where nothing is copied from.
    let with = |from: &str, to: &str| copied(&COPY.replace(from, to));
    let to_the_same = copied(COPY);
    assert!(to_the_same.is_ok(), "behind a barrier: {to_the_same:?}");
    let expected: Vec<u32> = (0..64).map(|n| 163 - n).collect();
    assert_eq!(to_the_same.unwrap(), expected);
    let all = COPY.replace("cp.async.commit_group;", "").replace("wait_group 0", "wait_all");
    assert_eq!(copied(&all).unwrap(), expected);
    for missing in ["cp.async.wait_group 0;", "cp.async.commit_group;"] {
        assert!(matches!(with(missing, ""), Err(Fault::Pending { .. })), "{missing}");
    }
    assert!(matches!(with("group 0", "group 1"), Err(Fault::Pending { .. })));
    let raced = with("bar.sync 0;", "");
    assert!(matches!(raced, Err(Fault::Race { .. } | Fault::Pending { .. } | Fault::Unwritten { .. })), "{raced:?}");
    let twice = with("cp.async.wait_group 0;", "cp.async.wait_group 0; bar.sync 0; cp.async.wait_all;");
    assert_eq!(twice.unwrap(), expected);
    assert!(with("cp.async.commit_group;", "cp.async.commit_group; ld.shared.u32 %r9, [%rd3];").is_err());
}

#[test]
fn groups_of_copies_arrive_in_order() {
    // The first copy has arrived while the second one has not.
    let two = "setp.ne.s32 %p1, %r1, 0; @%p1 ret;
        cp.async.ca.shared.global [%rd5], [%rd1+64], 8;
        cp.async.commit_group;
        cp.async.ca.shared.global [%rd5+16], [%rd1+128], 16, 4;
        cp.async.commit_group;
        cp.async.wait_group 1;
        ld.shared.v2.u32 {%r3, %r4}, [%rd5];
        WAIT
        ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%rd5+16];
        st.global.v4.u32 [%rd1], {%r3, %r4, %r5, %r8};";
    assert_eq!(copied(&two.replace("WAIT", "cp.async.wait_all;")).unwrap()[..4], [116, 117, 132, 0]);
    assert!(matches!(copied(&two.replace("WAIT", "")), Err(Fault::Pending { .. })));
}

#[test]
fn copies_are_whole_and_aligned_and_stay_inside() {
    let with = |places: &str| copied(&COPY.replace("[%rd8], [%rd7]", places));
    assert!(matches!(with("[%rd8], [%rd7+8]"), Err(Fault::Unaligned { bytes: 16, .. })));
    for outside in ["[%rd8], [%rd7+16]", "[%rd8+16], [%rd7]"] {
        assert!(matches!(with(outside), Err(Fault::Outside { .. })), "{outside}");
    }
    let small =
        ".visible .entry kernel() { .reg .b64 %rd<3>; cp.async.cg.shared.global [%rd1], [%rd2], 8; ret; }";
    assert!(decode::program(small).unwrap().code(0).is_err());
}

#[test]
fn what_is_copied_does_not_change_meanwhile() {
    let written = "add.s64 %rd9, %rd1, 252; sub.s64 %rd9, %rd9, %rd4; st.global.u32 [%rd9], %r1; setp.lt.u32";
    assert!(matches!(copied(&COPY.replace("setp.lt.u32", written)), Err(Fault::Race { .. })));
}

#[test]
fn vectors_are_loaded_at_once() {
    let loads = "setp.ne.s32 %p1, %r1, 0; @%p1 ret;
        prefetch.global.L2 [%rd1+1024];
        ld.global.nc.v4.u32 {%r3, %r4, %r5, %r6}, [%rd1+64];
        ld.global.nc.L1::no_allocate.v2.f64 {%fd1, %fd2}, [%rd1+64];
        mov.b64 {%r7, %r8}, %fd2;
        st.global.v4.u32 [%rd1], {%r3, %r6, %r7, %r8};";
    assert_eq!(copied(loads).unwrap()[..4], [116, 119, 118, 119]);
    let changed = format!("{loads} ld.global.nc.v2.u32 {{%r3, %r4}}, [%rd1];");
    assert!(matches!(copied(&changed), Err(Fault::NotConstant { .. })));
}

#[test]
fn memory_that_nobody_has_written_is_not_read() {
    let (memory, clock) = (&mut Memory::new(1), &mut Clock::new(3));
    let address = memory.allocate(SIZE).unwrap();
    let read = "ld.global.u32 %r3, [%rd2];";
    let mut on = |body| run_on(memory, clock, body, 1, (address, SIZE), false);
    assert!(matches!(on(read), Err(Fault::Unwritten { .. })));
    assert!(matches!(on("atom.global.add.u32 %r3, [%rd2], 1;"), Err(Fault::Unwritten { .. })));
    assert!(on("st.global.u32 [%rd2], 1;").is_ok());
    assert!(on(read).is_ok());
}
