//! Texts of the shape that ptxas writes, shortened.

use super::*;
use op2_device::cuda::nvrtc::{Nvrtc, Options};

/// A list and the data that it leads to, twice unrolled in a loop; a barrier; turns with a barrier in their loop; results.
const TEXT: &str = r#"
//--------------------- .text.flow_staged     --------------------------
	.section	.text.flow_staged,"ax",@progbits
        .global         flow_staged
flow_staged:
.text.flow_staged:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/                   LDG.E R2, desc[UR6][R4.64] ;
        /*0020*/                   IMAD.WIDE.U32 R8, R2, 0x4, R10 ;
        /*0030*/                   LDG.E R5, desc[UR6][R8.64] ;
        /*0040*/                   ISETP.GE.U32.AND P0, PT, R0, R5, PT ;
        /*0050*/               @P0 BRA `(.L_x_1) ;
.L_x_0:
        /*0060*/                   LDG.E R12, desc[UR6][R16.64] ;
        /*0070*/                   LDG.E R13, desc[UR6][R16.64+0x200] ;
        /*0080*/                   IMAD.WIDE.U32 R20, R12, 0x10, R14 ;
        /*0090*/                   IMAD.WIDE.U32 R22, R13, 0x10, R14 ;
        /*00a0*/                   LDG.E.128.CONSTANT R24, desc[UR6][R20.64] ;
        /*00b0*/                   LDG.E.128.CONSTANT R28, desc[UR6][R22.64] ;
        /*00c0*/                   STS.128 [R40], R24 ;
        /*00d0*/                   STS.128 [R40+0x800], R28 ;
        /*00e0*/              @!P0 BRA `(.L_x_0) ;
.L_x_1:
        /*00f0*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0100*/                   LDS.64 R24, [R40] ;
        /*0110*/                   MUFU.RCP64H R29, R25 ;
        /*0120*/                   DFMA R30, -R24, R28, 1 ;
        /*0130*/               @P1 BRA `(.L_x_2) ;
        /*0140*/                   CALL.REL.NOINC `($slow) ;
        /*0150*/                   MOV R30, R32 ;
.L_x_2:
        /*0160*/                   STL [R1], R30 ;
.L_x_3:
        /*0168*/                   STS.64 [R7], R30 ;
        /*016a*/               @P2 BRA `(.L_x_5) ;
        /*016c*/                   PMTRIG 0x8000 ;
        /*016e*/                   LDG.E R2, desc[UR6][R4.64] ;
.L_x_5:
        /*0180*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0190*/               @P2 BRA `(.L_x_3) ;
        /*01a0*/                   STG.E.128 desc[UR6][R22.64], R24 ;
        /*01b0*/                   RED.E.ADD.F64.RN.STRONG.GPU desc[UR6][R22.64], R24 ;
        /*01c0*/                   EXIT ;
.L_x_4:
        /*01d0*/                   BRA `(.L_x_4);
        /*01e0*/                   NOP;
        .weak           $slow
$slow:
        /*01f0*/                   DADD R2, R2, R2 ;

	.section	.text.flow_direct,"ax",@progbits
flow_direct:
        /*0000*/                   LDGSTS.E.BYPASS.128 [R5], desc[UR6][R2.64] ;
        /*0010*/                   LDGSTS.E.BYPASS.128 [R5+0x80], desc[UR6][R2.64+0x80] ;
        /*0020*/                   LDGDEPBAR ;
        /*0030*/                   DEPBAR.LE SB0, 0x0 ;
        /*0040*/                   EXIT ;
"#;

fn moves(of: account::Moves) -> (u32, u32) {
    (of.instructions, of.bytes)
}

#[test]
fn sections_end_at_barriers_and_loops() {
    let accounts = read(TEXT).expect("a text");
    assert_eq!(accounts.iter().map(|a| a.kernel.as_str()).collect::<Vec<_>>(), ["flow_staged", "flow_direct"]);
    let far: Vec<bool> = accounts[0].sections.iter().map(|s| s.far).collect();
    assert_eq!(far, [false, false, false, false, false, false, true]);
    let shape: Vec<_> = accounts[0].sections.iter().map(|s| (s.phase, s.depth, s.turns)).collect();
    let nests: Vec<usize> = accounts[0].sections.iter().map(|s| s.nest).collect();
    let expected =
        [(0, 0, false), (0, 1, false), (0, 0, false), (1, 0, false), (1, 1, true), (2, 0, false), (1, 1, true)];
    assert_eq!(shape, expected);
    assert_eq!(nests, [0, 1, 0, 0, 2, 0, 2]);
    assert_eq!(accounts[0].loops(), 2);
}

#[test]
fn loads_that_go_together_wait_once() {
    let accounts = read(TEXT).expect("a text");
    let [head, fetch, _, compute, turns, flush, far] = &accounts[0].sections[..] else { panic!("seven sections") };
    assert_eq!((&head.waits[..], head.chain), (&[1, 1][..], 2));
    // Two entries of the list arrive together, and then their rows.
    assert_eq!((&fetch.waits[..], fetch.chain, moves(fetch.loads)), (&[2, 2][..], 2, (4, 40)));
    assert_eq!(moves(fetch.shared), (2, 32));
    assert_eq!((compute.pipes.doubles, compute.pipes.special, moves(compute.spills)), (1, 1, (1, 4)));
    assert_eq!(compute.pipes.integers, 0, "the way for rare operands does not count");
    assert_eq!((turns.pipes.barriers, moves(turns.shared)), (1, (1, 8)));
    assert_eq!([moves(turns.loads), moves(far.loads)], [(0, 0), (1, 4)], "what far blocks load counts apart");
    assert_eq!((moves(flush.stores), moves(flush.atomics)), ((1, 16), (1, 8)));
    assert_eq!(accounts[0].total().pipes.doubles, 1, "functions behind the end do not count");
}

#[test]
fn copies_to_shared_memory_arrive_at_their_barrier() {
    let direct = &read(TEXT).expect("a text")[1];
    assert_eq!((&direct.sections[0].waits[..], moves(direct.sections[0].copies)), (&[2][..], (2, 32)));
}

/// A load from shared memory (29 cycles), and two additions (8) of which the second needs the first; a third one needs nobody.
#[test]
fn a_warp_waits_for_what_it_needs() {
    let text = "\t.section .text.k,\"ax\"\nk:\n /*0000*/ LDS.64 R4, [R2] ;\n /*0010*/ DADD R6, R4, R4 ;\n \
                /*0020*/ DADD R8, R6, R6 ;\n /*0030*/ DADD R10, R12, R12 ;\n";
    let accounts = read(text).expect("a text");
    assert_eq!(accounts[0].sections[0].cycles, 29 + 8 + 2 + 2);
}

#[test]
fn sections_end_where_threads_may() {
    let text = "\t.section .text.k,\"ax\"\nk:\n /*0000*/ LDG.E R4, [R2.64] ;\n /*0010*/ @P0 EXIT ;\n \
                /*0020*/ STG.E [R2.64], R4 ;\n /*0030*/ EXIT ;\n";
    let accounts = read(text).expect("a text");
    let found: Vec<_> = accounts[0].sections.iter().map(|s| (s.exits, moves(s.loads), moves(s.stores))).collect();
    assert_eq!(found, [(0, (1, 4), (0, 0)), (1, (0, 0), (1, 4))]);
}

#[test]
fn lines_that_are_no_instructions_are_told() {
    let text = "\t.section .text.k,\"ax\"\n /*0000*/ @P0 ;\n";
    let said = read(text).expect_err("no instruction").to_string();
    assert!(said.contains("@P0"), "{said}");
}

/// NVIDIA's compiler and disassembler. Without them there is nothing to read; CI has both.
fn tools() -> Option<(Nvrtc, Disassembler)> {
    match (Nvrtc::load(), Disassembler::find()) {
        (Ok(nvrtc), Ok(disassembler)) => Some((nvrtc, disassembler)),
        _ if std::env::var_os("CI").is_none() => {
            eprintln!("skipped: NVRTC or nvdisasm is missing");
            None
        }
        (nvrtc, disassembler) => panic!("{:?}, {:?}", nvrtc.err(), disassembler.err()),
    }
}

/// The text of a golden, in AoS.
fn golden(name: &str) -> String {
    let from = format!("golden {name}/cuda aos");
    let text = crate::goldens::texts().expect("goldens").into_iter().find(|text| text.from == from);
    text.expect("the golden of this name").text
}

/// However a kernel mixes quotients, branches and data: blocks that gather wait for all lists, then for all data. Threads of targets wait for
/// the begin of their list, for the list with the old value, and for all data of an element.
#[test]
fn loads_of_an_element_wait_together() {
    let Some((nvrtc, disassembler)) = tools() else { return };
    let text = golden("waits").replace("OP2_READS Staged", "OP2_READS Gathered");
    let cubin = nvrtc.compile("waits", &text, "sm_90", Options::default()).expect("a text that compiles").image;
    let accounts = disassembler.accounts(&cubin).expect("machine code");
    let waits = |kernel: &str, phase: usize, depth: usize| -> Vec<u32> {
        let account = accounts.iter().find(|account| account.kernel == kernel).expect("a kernel of the text");
        let these = account.sections.iter().filter(|of| (of.phase, of.depth, of.far) == (phase, depth, false));
        these.flat_map(|section| section.waits.clone()).collect()
    };
    // The elements of the block, the least target and the number of the block's own, the element, its entries, the first target; then two rows
    // through each of two maps and one of three words.
    let in_blocks = [6, 2 + 2 + 3];
    assert_eq!(waits("flow_combined", 0, 0), in_blocks);
    assert_eq!(waits("flow_tiled", 0, 0), in_blocks);
    assert_eq!(waits("flow_staged", 0, 0)[1..], in_blocks, "behind the number of the block");
    // Where its list begins and ends, and its target; the list, two entries, and the old value; then data, and the list and entries of the next
    // element. Nothing is loaded in the end.
    assert_eq!(waits("flow_per_target", 0, 0), [3, 4]);
    assert_eq!(waits("flow_per_target", 0, 1), [2 + 2 + 3 + 3]);
    assert_eq!(
        waits("flow_global", 0, 1)[..3],
        [1, 2 + 3, 2 + 2],
        "the element; its entries and own data; what they lead to"
    );
}

#[test]
fn machine_code_of_a_golden_is_read() {
    let Some((nvrtc, disassembler)) = tools() else { return };
    let text = golden("res_calc");
    for arch in ["sm_80", "sm_90"] {
        let cubin = nvrtc.compile("res_calc", &text, arch, Options::default()).expect("a text that compiles").image;
        let accounts = disassembler.accounts(&cubin).expect("machine code");
        let total = |kernel: &str| {
            let account = accounts.iter().find(|account| account.kernel == kernel).expect("a kernel of the text");
            (account.total(), account.loops())
        };
        // Plain loads of eight rows by four entries: two waits in a row, where the old sum of a coloured target is a third.
        let (global, _) = total("res_calc_global");
        assert!(global.pipes.doubles > 20 && global.pipes.barriers == 0, "{global:?}");
        assert!(global.chain >= 2 && global.waits.iter().any(|&loads| loads >= 4), "{global:?}");
        assert!(global.loads.bytes >= 4 * 4 + 16 * 8 && global.stores.bytes == 2 * 32, "{global:?}");
        let (atomic, _) = total("res_calc_atomic");
        assert_eq!((moves(atomic.atomics), atomic.stores.bytes), ((8, 64), 0), "{atomic:?}");
        let (staged, loops) = total("res_calc_staged");
        assert!(staged.pipes.barriers >= 2 && loops >= 2 && staged.shared.bytes > 0, "{staged:?}");
        // NVRTC 13.0 puts some registers aside on sm_90, for 40 in place of 44.
        assert!(staged.spills.bytes <= 64, "{staged:?}");
    }
}
