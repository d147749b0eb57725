//! Kernels of a few lines, right and wrong ones.

use super::*;
use crate::decode::{self, Addresses};
use crate::error::Space;
use crate::text::Text;

const THREADS: u32 = 64;

/// Runs a body of statements, with the address of `bytes` bytes as parameter, and returns them, or the fault. Before the body, `%rd1` is the
/// address, `%rd2` that of the thread's word, `%r1` the thread, `%r2` the block, and `%rd3` the address of the thread's word in shared memory.
fn run(body: &str, blocks: u32, bytes: usize) -> std::result::Result<Vec<u32>, Fault> {
    let text = format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n
        .visible .entry kernel(.param .u64 kernel_param_0)
        .maxntid {THREADS}, 1, 1
        {{
            .reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<30>; .reg .b64 %rd<30>; .reg .f64 %fd<9>;
            .shared .align 8 .b8 own[{}];
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
    let program = decode::program(&Text::of(&text).unwrap(), Addresses::new(), Vec::new()).unwrap();
    let mut memory = Memory::default();
    let address = memory.allocate(bytes);
    memory.bytes(address, bytes).unwrap().fill(0);
    let params = address.to_le_bytes().to_vec();
    let launch = Launch { program: &program, kernel: 0, blocks, threads: THREADS, shared: 0, params };
    match launch.run(&mut memory, &mut Clock::new(7)) {
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
    assert!(matches!(fault, Fault::Unwritten { .. } | Fault::Race { space: Space::Shared, .. }), "{fault}");
    // Blocks have the same words.
    let fault = run(reversed, 2, SIZE).unwrap_err();
    assert!(matches!(fault, Fault::Race { space: Space::Global, .. }), "{fault}");
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
    let values = std::array::from_fn(|lane| Some(100 + lane as u64));
    let get = |how, lane, b, c| exchanged(&values, how, lane, b, c);
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
    assert_eq!(run(&at(4), 1, SIZE), Err(Fault::Outside { space: Space::Global, offset: 256, bytes: 4, size: SIZE }));
    assert!(matches!(run(&at(2), 1, SIZE), Err(Fault::Unaligned { bytes: 4, .. })));
    assert!(matches!(run("ld.global.v2.u32 {%r3, %r4}, [%rd1+4];", 1, SIZE), Err(Fault::Unaligned { bytes: 8, .. })));
    assert!(matches!(run("mov.u64 %rd9, 64; ld.global.u32 %r3, [%rd9];", 1, SIZE), Err(Fault::Nowhere { .. })));
    let past = "st.shared.u32 [%rd3+4], %r1;";
    assert!(matches!(run(past, 1, SIZE), Err(Fault::Outside { space: Space::Shared, .. })));
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
            { // callseq 0, 0
            .reg .b32 temp_param_reg;
            .param .b64 param0;
            st.param.b64 [param0+0], 21;
            .param .b64 retval0;
            call.uni (retval0), twice, (param0);
            ld.param.b64 %rd2, [retval0+0];
            }
            st.local.u64 [%SPL+8], %rd2;
            ld.u64 %rd3, [%SP+8];
            st.global.u64 [%rd1], %rd3;
            ret;
        }";
    let program = decode::program(&Text::of(text).unwrap(), Addresses::new(), Vec::new()).unwrap();
    let mut memory = Memory::default();
    let address = memory.allocate(8);
    let launch = Launch {
        program: &program,
        kernel: 1,
        blocks: 1,
        threads: 1,
        shared: 0,
        params: address.to_le_bytes().to_vec(),
    };
    launch.run(&mut memory, &mut Clock::new(1)).unwrap();
    assert_eq!(memory.bytes(address, 8).unwrap(), 42_u64.to_le_bytes());
}
