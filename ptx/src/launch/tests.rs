//! Kernels of a few lines, right and wrong ones.

use super::*;
use crate::decode;
use crate::error::{Range, Space};
use crate::program::Shuffle;
use crate::warp::exchanged;

mod copies;
mod order;

const THREADS: u32 = 64;

/// Runs a body of statements, with the address of `bytes` bytes as parameter, and returns them, or the fault. Before the body, `%rd1` is the
/// address, `%rd2` that of the thread's word, `%r1` the thread, `%r2` the block, and `%rd3` the address of the thread's word in shared memory.
fn run(body: &str, blocks: u32, bytes: usize) -> std::result::Result<Vec<u32>, Fault> {
    run_in(&mut Memory::new(1), &mut Clock::new(7), body, blocks, bytes, false)
}

/// The same behind other launches, which it may begin before the end of.
fn run_in(
    memory: &mut Memory,
    clock: &mut Clock,
    body: &str,
    blocks: u32,
    bytes: usize,
    early: bool,
) -> std::result::Result<Vec<u32>, Fault> {
    let address = memory.allocate(bytes).unwrap();
    memory.bytes_to_fill(address, bytes).unwrap().fill(0);
    run_on(memory, clock, body, blocks, (address, bytes), early)
}

/// The same on memory that is there.
fn run_on(
    memory: &mut Memory,
    clock: &mut Clock,
    body: &str,
    blocks: u32,
    (address, bytes): (u64, usize),
    early: bool,
) -> std::result::Result<Vec<u32>, Fault> {
    let text = format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n
        .visible .entry kernel(.param .u64 kernel_param_0)
        .maxntid {THREADS}, 1, 1
        {{
            .reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<30>; .reg .b64 %rd<30>; .reg .f32 %f<9>; .reg .f64 %fd<9>;
            .shared .align 16 .b8 own[{}];
            ld.param.u64 %rd1, [kernel_param_0];
            cvta.to.global.u64 %rd1, %rd1;
            mov.u32 %r1, %tid.x;
            mov.u32 %r2, %ctaid.x;
            mul.wide.u32 %rd4, %r1, 4;
            add.s64 %rd2, %rd1, %rd4;
            mov.u64 %rd5, own;
            add.s64 %rd3, %rd5, %rd4;
            {body}
            ret;
        }}",
        4 * THREADS
    );
    let program = decode::program(&text).unwrap();
    let params = &address.to_le_bytes();
    let launch = Launch { program: &program, kernel: 0, blocks, threads: THREADS, shared: 0, params, early };
    match launch.run(memory, clock) {
        Ok(()) => {
            let words = memory.bytes(address, bytes).unwrap().chunks_exact(4);
            Ok(words.map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect())
        }
        Err(Error::Fault { fault, .. }) => Err(fault),
        Err(error) => panic!("{error}"),
    }
}

const SIZE: usize = 4 * THREADS as usize;

#[test]
fn threads_meet_at_barriers_and_see_what_others_wrote() {
    let reversed = "st.shared.u32 [%rd3], %r1;
        bar.sync 0;
        sub.s32 %r3, 63, %r1;
        mul.wide.u32 %rd6, %r3, 4;
        add.s64 %rd7, %rd5, %rd6;
        ld.shared.u32 %r4, [%rd7];
        st.global.u32 [%rd2], %r4;";
    assert_eq!(run(reversed, 1, SIZE).unwrap(), (0..THREADS).rev().collect::<Vec<_>>());
    let without = reversed.replace("bar.sync 0;", "");
    let fault = run(&without, 1, SIZE).unwrap_err();
    assert!(matches!(fault, Fault::Unwritten { .. } | Fault::Race { .. }), "{fault}");
    // Blocks have the same words.
    let fault = run(reversed, 2, SIZE).unwrap_err();
    assert!(matches!(fault, Fault::Race { range, .. } if range.space == Space::Global), "{fault}");
}

#[test]
fn sums_of_warps_by_shuffles() {
    let sum = "mov.u32 %r3, %r1;
        mov.u32 %r5, 16;
        $L_next:
        shfl.sync.down.b32 %r4|%p1, %r3, %r5, 31, -1;
        add.s32 %r3, %r3, %r4;
        shr.u32 %r5, %r5, 1;
        setp.ne.s32 %p2, %r5, 0;
        @%p2 bra $L_next;
        st.global.u32 [%rd2], %r3;";
    let found = run(sum, 1, SIZE).unwrap();
    assert_eq!((found[0], found[32]), ((0..32).sum(), (32..64).sum()));
    let early = format!("setp.eq.s32 %p3, %r1, 5; @%p3 ret; {sum}");
    let fault = run(&early, 1, SIZE).unwrap_err();
    assert_eq!(fault, Fault::Lane { lane: 5, why: "has ended".to_owned() });
}

#[test]
fn shuffles_choose_as_the_manual_says() {
    let values = std::array::from_fn(|lane| 100 + lane as u64);
    let get = |how, lane, b, c| exchanged(&values, u32::MAX, how, lane, b, c);
    assert_eq!((get(Shuffle::Down, 3, 4, 31), get(Shuffle::Down, 30, 4, 31)), ((107, true), (130, false)));
    assert_eq!((get(Shuffle::Up, 3, 4, 0), get(Shuffle::Up, 9, 4, 0)), ((103, false), (105, true)));
    assert_eq!(get(Shuffle::Butterfly, 5, 1, 31), (104, true));
    assert_eq!(get(Shuffle::Index, 5, 17, 31), (117, true));
    // Parts of eight lanes.
    let eight = 24 << 8 | 7;
    assert_eq!((get(Shuffle::Down, 9, 4, eight), get(Shuffle::Down, 14, 4, eight)), ((113, true), (114, false)));
    assert_eq!(get(Shuffle::Index, 14, 3, eight), (111, true));
}

#[test]
fn barriers_are_for_all_threads() {
    let early = "setp.eq.s32 %p1, %r1, 9; @%p1 ret; bar.sync 0;";
    assert!(matches!(run(early, 1, SIZE), Err(Fault::Divergent { other: 9, .. })));
    let apart =
        "setp.lt.u32 %p1, %r1, 9; @%p1 bra $L_first; bar.sync 0; bra.uni $L_end; $L_first: bar.sync 0; $L_end: ";
    assert!(matches!(run(apart, 1, SIZE), Err(Fault::Divergent { .. })));
}

#[test]
fn accesses_stay_in_their_memory() {
    let at = |offset: i32| format!("st.global.u32 [%rd2+{offset}], %r1;");
    assert_eq!(run(&at(0), 1, SIZE).unwrap().len(), 64);
    let range = Range { space: Space::Global, offset: 256, bytes: 4 };
    assert_eq!(run(&at(4), 1, SIZE), Err(Fault::Outside { range, size: SIZE }));
    assert!(matches!(run(&at(2), 1, SIZE), Err(Fault::Unaligned { bytes: 4, .. })));
    assert!(matches!(run("ld.global.v2.u32 {%r3, %r4}, [%rd1+4];", 1, SIZE), Err(Fault::Unaligned { bytes: 8, .. })));
    assert!(matches!(run("mov.u64 %rd9, 64; ld.global.u32 %r3, [%rd9];", 1, SIZE), Err(Fault::Nowhere { .. })));
    let past = "st.shared.u32 [%rd3+4], %r1;";
    assert!(matches!(run(past, 1, SIZE), Err(Fault::Outside { range, .. }) if range.space == Space::Shared));
    assert!(matches!(run("ld.shared.u32 %r3, [%rd3];", 1, SIZE), Err(Fault::Unwritten { .. })));
    assert_eq!(run("trap;", 1, SIZE), Err(Fault::Trap));
}

#[test]
fn constant_loads_are_of_what_does_not_change() {
    let both = "st.global.u32 [%rd2], %r1; ld.global.nc.u32 %r3, [%rd2];";
    assert!(matches!(run(both, 1, SIZE), Err(Fault::NotConstant { .. })));
    assert!(run("ld.global.nc.u32 %r3, [%rd2];", 3, SIZE).is_ok());
}

#[test]
fn atomics_add_up_whatever_the_order() {
    let count = "atom.global.add.u32 %r3, [%rd1], 1; atom.global.max.u32 %r4, [%rd1+4], %r1;";
    assert_eq!(run(count, 5, SIZE).unwrap()[..2], [5 * THREADS, 63]);
    let doubles = "mov.f64 %fd1, 0d3FE0000000000000; atom.global.add.f64 %fd2, [%rd1], %fd1;";
    let found = run(doubles, 2, SIZE).unwrap();
    assert_eq!(f64::from_bits(u64::from(found[1]) << 32 | u64::from(found[0])), 64.0);
    let plain = "ld.global.u32 %r3, [%rd1]; atom.global.add.u32 %r4, [%rd1], 1;";
    assert!(matches!(run(plain, 1, SIZE), Err(Fault::Race { .. })));
}

#[test]
fn calls_have_parameters_and_results_of_their_own() {
    let text = ".func (.param .b64 func_retval0) twice(.param .b64 twice_param_0)
        {
            .reg .b64 %rd<3>;
            ld.param.u64 %rd1, [twice_param_0];
            add.s64 %rd2, %rd1, %rd1;
            st.param.b64 [func_retval0+0], %rd2;
            ret;
        }
        .visible .entry kernel(.param .u64 kernel_param_0)
        {
            .local .align 8 .b8 __local_depot0[16];
            .reg .b64 %SP; .reg .b64 %SPL; .reg .b64 %rd<9>;
            mov.u64 %SPL, __local_depot0;
            cvta.local.u64 %SP, %SPL;
            ld.param.u64 %rd1, [kernel_param_0];
            .reg .pred %p<2>; .reg .b32 %r<2>;
            mov.u32 %r1, %tid.x;
            setp.lt.u32 %p1, %r1, 40;
            @%p1 bra $L_no_call;
            { // callseq 0, 0
            .reg .b32 temp_param_reg;
            .param .b64 param0;
            st.param.b64 [param0+0], 21;
            .param .b64 retval0;
            call.uni (retval0), twice, (param0);
            ld.param.b64 %rd2, [retval0+0];
            }
            $L_no_call:
            mov.u32 %r1, %tid.x;
            cvt.u64.u32 %rd4, %r1;
            setp.lt.u32 %p1, %r1, 40;
            @%p1 mov.u64 %rd2, 21;
            add.s64 %rd2, %rd2, %rd4;
            shl.b64 %rd5, %rd4, 3;
            add.s64 %rd1, %rd1, %rd5;
            st.local.u64 [%SPL+8], %rd2;
            ld.u64 %rd3, [%SP+8];
            st.global.u64 [%rd1], %rd3;
            ret;
        }";
    let program = decode::program(text).unwrap();
    let mut memory = Memory::new(1);
    let address = memory.allocate(8 * 64).unwrap();
    let launch = Launch {
        program: &program,
        kernel: 1,
        blocks: 1,
        threads: 64,
        shared: 0,
        params: &address.to_le_bytes(),
        early: false,
    };
    launch.run(&mut memory, &mut Clock::new(1)).unwrap();
    for (n, word) in memory.bytes(address, 8 * 64).unwrap().chunks_exact(8).enumerate() {
        let twice = if n < 40 { 21 } else { 42 };
        assert_eq!(word, (twice as u64 + n as u64).to_le_bytes(), "{n}");
    }
}

#[test]
fn threads_that_go_apart_meet_again() {
    // As many rounds as the number of the thread tells; then all exchange values.
    let rounds = "mov.u32 %r3, 0;
        $L_again:
        setp.eq.s32 %p1, %r3, %r1; @%p1 bra $L_out;
        add.s32 %r3, %r3, 1;
        bra $L_again;
        $L_out:
        shfl.sync.idx.b32 %r4|%p2, %r3, 5, 31, -1;
        add.s32 %r5, %r3, %r4;
        st.global.u32 [%rd2], %r5;";
    let expected: Vec<u32> = (0..THREADS).map(|n| n + n / 32 * 32 + 5).collect();
    assert_eq!(run(rounds, 1, SIZE).unwrap(), expected);
    // Half of the lanes in one order, half in the other.
    let halves = "and.b32 %r3, %r1, 1;
        setp.eq.s32 %p1, %r3, 0;
        mov.u32 %r4, 0;
        @%p1 bra $L_even;
        shfl.sync.down.b32 %r4|%p2, %r1, 2, 31, 0xAAAAAAAA;
        bra $L_end;
        $L_even:
        shfl.sync.up.b32 %r4|%p2, %r1, 2, 0, 0x55555555;
        $L_end:
        st.global.u32 [%rd2], %r4;";
    let found = run(halves, 1, SIZE).unwrap();
    assert_eq!((found[3], found[4], found[35], found[36]), (5, 2, 37, 34));
    assert!(matches!(run("bar.warp.sync 1;", 1, SIZE), Err(Fault::Lane { .. })));
}

#[test]
fn an_endless_loop_ends() {
    assert!(matches!(run("$L_on: bra $L_on;", 1, SIZE), Err(Fault::Endless(_))));
}
