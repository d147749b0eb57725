use super::*;
use crate::error::Space;
use crate::order::Once;

const fn by(block: u32, thread: u32, phase: u32, order: Order) -> Access {
    let at_once = matches!(order, Order::AtOnce | Order::InBlock);
    let in_block = matches!(order, Order::InBlock);
    Access { stamp: 1, before: None, once: Once { block, thread, phase, epoch: 0, at_once, in_block }, order }
}

fn plain(block: u32, thread: u32, phase: u32) -> Access {
    by(block, thread, phase, Order::Plain)
}

/// An allocation in which everything is written.
fn fresh() -> Allocation {
    let mut memory = Allocation::new(32);
    memory.fill(0, 32);
    memory
}

fn read(memory: &mut Allocation, offset: usize, bytes: usize, access: &Access) -> Result<(), Fault> {
    memory.read(Range { space: Space::Global, offset, bytes }, access, &Past::default()).map(drop)
}

fn write(memory: &mut Allocation, offset: usize, bytes: usize, access: &Access) -> Result<(), Fault> {
    memory.write(Range { space: Space::Global, offset, bytes }, access, false, &Past::default()).map(drop)
}

#[test]
fn what_is_in_no_allocation_is_not_found() {
    let mut memory = Memory::new(3);
    let (a, b) = (memory.allocate(16).unwrap(), memory.allocate(8).unwrap());
    assert!(memory.bytes(a, 16).is_some() && memory.bytes(b + 4, 4).is_some());
    for (address, bytes) in [(a, 17), (a + 16, 1), (b - 1, 1), (0, 1), (u64::MAX, 2), (b + (1 << BITS), 1)] {
        assert!(memory.bytes(address, bytes).is_none(), "{address:#x}");
    }
    let elsewhere = Memory::new(4).allocate(16).unwrap();
    assert!(memory.bytes(elsewhere, 1).is_none(), "of another context");
    assert!(!memory.free(a + 8) && memory.free(a) && !memory.free(a));
    assert!(memory.bytes(a, 1).is_none());
    assert_eq!(memory.used(), 8);
    let (variable, host) = (reserve(), memory.allocate_on_host(24));
    assert!(memory.place(variable, &[1; 8]) && !memory.place(variable, &[2; 8]));
    assert_eq!(memory.bytes(variable, 8).unwrap(), [1; 8]);
    assert!(memory.bytes(host + 16, 8).is_some() && memory.bytes(host + 16, 9).is_none());
    assert!(memory.free_other(host) && memory.bytes(host, 1).is_none());
}

#[test]
fn threads_that_do_not_wait_for_each_other_race() {
    let mut memory = fresh();
    write(&mut memory, 0, 8, &plain(0, 0, 0)).unwrap();
    assert!(read(&mut memory, 0, 8, &plain(0, 0, 0)).is_ok(), "a thread sees what it has written");
    assert!(matches!(read(&mut memory, 4, 4, &plain(0, 1, 0)), Err(Fault::Race { .. })));
    assert!(read(&mut memory, 0, 8, &plain(0, 1, 1)).is_ok(), "behind a barrier");
    assert!(matches!(read(&mut memory, 0, 8, &plain(1, 1, 1)), Err(Fault::Race { .. })), "blocks have none in common");
    let mut memory = fresh();
    read(&mut memory, 8, 4, &plain(0, 0, 0)).unwrap();
    read(&mut memory, 8, 4, &plain(0, 1, 0)).unwrap();
    let fault = write(&mut memory, 8, 4, &plain(0, 0, 0)).unwrap_err();
    assert!(matches!(fault, Fault::Race { other, .. } if other.did == "reads"), "another one has read");
    let mut memory = fresh();
    read(&mut memory, 8, 4, &plain(0, 0, 0)).unwrap();
    read(&mut memory, 8, 4, &plain(1, 0, 0)).unwrap();
    assert!(write(&mut memory, 8, 4, &plain(0, 0, 5)).is_err());
    assert!(write(&mut memory, 12, 4, &plain(0, 0, 5)).is_ok(), "elsewhere");
    let next = Access { stamp: 2, ..plain(7, 7, 0) };
    assert!(write(&mut memory, 8, 4, &next).is_ok(), "in the next launch");
}

#[test]
fn a_launch_that_begins_early_waits_for_the_one_before() {
    let early = Access { stamp: 2, before: Some(1), ..plain(0, 0, 0) };
    let mut memory = fresh();
    write(&mut memory, 0, 8, &plain(0, 0, 0)).unwrap();
    read(&mut memory, 8, 8, &plain(0, 0, 0)).unwrap();
    assert!(matches!(read(&mut memory, 0, 8, &early), Err(Fault::Early { .. })));
    assert!(read(&mut memory, 8, 8, &early).is_ok());
    let mut memory = fresh();
    read(&mut memory, 8, 8, &plain(0, 0, 0)).unwrap();
    assert!(matches!(write(&mut memory, 8, 8, &early), Err(Fault::Early { .. })));
}

#[test]
fn atomics_go_with_atomics_only() {
    let both = |memory: &mut Allocation, access: &Access| {
        read(memory, 0, 4, access).unwrap();
        write(memory, 0, 4, access).unwrap();
    };
    let mut memory = fresh();
    both(&mut memory, &by(0, 0, 0, Order::AtOnce));
    both(&mut memory, &by(0, 1, 0, Order::AtOnce));
    both(&mut memory, &by(0, 2, 0, Order::InBlock));
    assert!(read(&mut memory, 0, 4, &plain(2, 0, 0)).is_err());
    assert!(write(&mut memory, 0, 4, &by(2, 0, 0, Order::InBlock)).is_err(), "at once in its block alone");
    let mut memory = fresh();
    read(&mut memory, 0, 4, &plain(2, 0, 0)).unwrap();
    assert!(write(&mut memory, 0, 4, &by(1, 0, 0, Order::AtOnce)).is_err());
}

#[test]
fn constants_do_not_change_and_bytes_are_apart() {
    let mut memory = fresh();
    write(&mut memory, 0, 4, &plain(0, 0, 0)).unwrap();
    assert!(matches!(read(&mut memory, 0, 4, &by(0, 0, 3, Order::Constant)), Err(Fault::NotConstant { .. })));
    write(&mut memory, 4, 1, &plain(0, 0, 0)).unwrap();
    write(&mut memory, 5, 1, &plain(0, 1, 0)).unwrap();
    assert!(write(&mut memory, 5, 1, &plain(0, 2, 0)).is_err());
    assert!(matches!(write(&mut memory, 32, 8, &plain(0, 0, 0)), Err(Fault::Outside { .. })));
}

#[test]
fn nobody_reads_what_nobody_has_written() {
    let mut memory = Allocation::new(40);
    let unwritten = |memory: &mut Allocation, offset, bytes| {
        matches!(read(memory, offset, bytes, &plain(0, 0, 0)), Err(Fault::Unwritten { .. }))
    };
    assert!(unwritten(&mut memory, 0, 4));
    write(&mut memory, 0, 4, &plain(0, 0, 0)).unwrap();
    assert!(!unwritten(&mut memory, 0, 4) && unwritten(&mut memory, 0, 8) && unwritten(&mut memory, 4, 1));
    let swap = by(0, 0, 0, Order::AtOnce);
    assert!(read(&mut memory, 4, 4, &swap).is_err(), "nothing of a word");
    write(&mut memory, 6, 1, &plain(0, 0, 0)).unwrap();
    assert!(read(&mut memory, 4, 4, &swap).is_ok(), "a part");
    memory.fill(7, 35);
    for offset in 0..40 {
        assert_eq!(unwritten(&mut memory, offset, 1), (4..6).contains(&offset) || offset >= 35, "{offset}");
    }
    memory.forget();
    assert!(unwritten(&mut memory, 16, 8));
}

#[test]
fn what_is_copied_meanwhile_is_not_there_yet() {
    let mut memory = fresh();
    let (range, access) = (Range { space: Space::Shared, offset: 16, bytes: 16 }, plain(0, 0, 0));
    memory.write(range, &access, true, &Past::default()).unwrap();
    assert!(matches!(read(&mut memory, 24, 8, &access), Err(Fault::Pending { .. })));
    memory.write(range, &access, false, &Past::default()).unwrap();
    assert!(read(&mut memory, 24, 8, &access).is_ok());
}
