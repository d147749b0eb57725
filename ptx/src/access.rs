//! Instructions that concern the threads of a warp alone, or memory.

use crate::error::{Fault, Range, Space};
use crate::marks::Access;
use crate::memory::{Allocation, LOCAL, SHARED};
use crate::order::{Once, Order, Past};
use crate::program::{Atomic, Code, Does, Operand, Place, Special, Target, Values};
use crate::types::{LANES, Lanes};
use crate::state::{Around, Arriving, Faulty, Frame, lanes};

/// So few threads compute one by one.
const FEW: u32 = 4;

/// What each thread of a warp has alone.
#[derive(Default)]
pub(crate) struct Threads {
    local: Vec<Vec<u8>>,
    params: Vec<Vec<u8>>,
    /// Groups of copies that have not arrived, the open one last.
    arriving: Vec<Vec<Vec<Arriving>>>,
    /// Threads that have waited for the launch before.
    pub(crate) waited: u32,
    /// The lane that accesses memory first.
    pub(crate) turn: u32,
}

/// What an access does; what is copied arrives later.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Read,
    Write,
    Atomic,
    Copy,
}

impl Threads {
    pub(crate) fn begin(&mut self, code: &Code) {
        self.waited = 0;
        self.arriving.clear();
        self.local.resize_with(LANES, Vec::new);
        self.params.resize_with(LANES, Vec::new);
        for (local, params) in self.local.iter_mut().zip(&mut self.params) {
            local.resize(code.local_bytes, 0xcd);
            params.resize(code.param_bytes, 0xcd);
        }
    }

    /// Makes room for a call.
    pub(crate) fn enter(&mut self, frame: &Frame, code: &Code, active: u32) {
        for lane in lanes(active) {
            self.local[lane].resize(frame.local + code.local_bytes, 0xcd);
            self.params[lane].resize(frame.params + code.param_bytes, 0xcd);
        }
    }

    /// Copies a parameter or a result.
    pub(crate) fn pass(&mut self, active: u32, from: usize, to: usize, bytes: usize) {
        lanes(active).for_each(|lane| self.params[lane].copy_within(from..from + bytes, to));
    }

    /// Executes an instruction of some threads.
    #[allow(clippy::too_many_arguments, reason = "all of them change from one instruction to the next")]
    #[inline]
    pub(crate) fn execute(
        &mut self,
        does: &Does,
        frame: &mut Frame,
        code: &Code,
        active: u32,
        first: u32,
        mut once: Once,
        around: &mut Around<'_>,
    ) -> Faulty<()> {
        once.thread = first;
        match does {
            &Does::Compute { to, function, operands } => {
                if active.count_ones() <= FEW {
                    frame.set_each(to, active, |frame, lane| {
                        let [a, b, c] = operands.map(|operand| frame.operand(code, operand)[lane]);
                        (function.of)(a, b, c)
                    });
                } else {
                    let mut words = [0; LANES];
                    (function.of_lanes)(&mut words, operands.map(|operand| frame.operand(code, operand)));
                    frame.set(to, active, &words);
                }
            }
            &Does::Convert { to, how, from } => match how.of_bits() {
                Some((mask, sign)) => {
                    let words = frame.operand(code, from).map(|word| ((((word & mask) << sign) as i64) >> sign) as u64);
                    frame.set(to, active, &words);
                }
                None => frame.set_each(to, active, |frame, lane| how.apply(frame.operand(code, from)[lane])),
            },
            &Does::Special { to, which } => frame.set_each(to, active, |_, lane| {
                u64::from(match which {
                    Special::Thread => first + lane as u32,
                    Special::Threads => around.threads,
                    Special::Block => around.block,
                    Special::Blocks => around.blocks,
                    Special::Lane => lane as u32,
                    Special::Zero => 0,
                    Special::One => 1,
                })
            }),
            &Does::Frame { to, space, offset } => {
                let begin = if space == Space::Local { frame.local } else { frame.params };
                frame.set(to, active, &[begin as u64 + offset; LANES]);
            }
            Does::Pack { to, parts, bits } => frame.set_each(*to, active, |frame, lane| {
                let mask = u64::MAX >> (64 - bits);
                let part = |part: &Operand| frame.operand(code, *part)[lane] & mask;
                parts.iter().rev().fold(0_u64, |word, next| word.checked_shl(*bits).unwrap_or(0) | part(next))
            }),
            Does::Unpack { to, from, bits } => {
                let words = *frame.operand(code, *from);
                for (n, to) in to.iter().enumerate() {
                    let part = |word: u64| word.checked_shr(n as u32 * bits).unwrap_or(0) & (u64::MAX >> (64 - bits));
                    frame.set(*to, active, &words.map(part));
                }
            }
            &Does::Insert { to, operands, bits } => frame.set_each(to, active, |frame, lane| {
                let [a, b, at, len] = operands.map(|operand| frame.operand(code, operand)[lane]);
                let (at, len) = (at as u32 & 0xff, len as u32 & 0xff);
                let mask = if len >= 64 { u64::MAX } else { (1 << len) - 1 };
                let mask = if at >= bits { 0 } else { mask << at };
                b & !mask | a.checked_shl(at).unwrap_or(0) & mask
            }),
            Does::Load { to, from } => self.load(to, *from, frame, active, once, around)?,
            Does::Store { to, from } => {
                let bytes = to.ty.bytes();
                for lane in self.in_turn(active) {
                    let place = self.place(*to, from.len(), Kind::Write, frame, lane, once, around);
                    let found = place.map_err(|fault| (lane, fault))?;
                    for (to, from) in found.chunks_exact_mut(bytes).zip(from) {
                        to.copy_from_slice(&frame.operand(code, *from)[lane].to_le_bytes()[..bytes]);
                    }
                }
            }
            Does::Atomic { to, at, function, operands } => {
                let bytes = at.ty.bytes();
                for lane in self.in_turn(active) {
                    let place = self.place(*at, operands.len(), Kind::Atomic, frame, lane, once, around);
                    let found = place.map_err(|fault| (lane, fault))?;
                    let mut old = 0;
                    for (found, operands) in found.chunks_exact_mut(bytes).zip(operands) {
                        let [a, b] = operands.map(|operand| frame.operand(code, operand)[lane]);
                        old = word(found);
                        let new = match function {
                            Atomic::Of(f) => f(old, a, 0),
                            Atomic::Exchange => a,
                            Atomic::CompareAndSwap if old == a & at.ty.mask() => b,
                            Atomic::CompareAndSwap => old,
                        };
                        found.copy_from_slice(&new.to_le_bytes()[..bytes]);
                    }
                    if let Some(to) = to {
                        frame.set(*to, 1 << lane, &[old; LANES]);
                    }
                }
            }
            Does::Copy { to, from, bytes, most } => {
                for lane in self.in_turn(active) {
                    let most = most.map_or(*bytes, |most| frame.operand(code, most)[lane] as usize);
                    let copied = self.copy([*to, *from], [*bytes, most], frame, lane, once, around);
                    copied.map_err(|fault| (lane, fault))?;
                }
            }
            Does::Commit => lanes(active).for_each(|lane| self.copies(lane).push(Vec::new())),
            Does::Arrive(groups) => {
                for lane in lanes(active) {
                    self.arrive(*groups, lane, once, around).map_err(|fault| (lane, fault))?;
                }
            }
            Does::Fence(which) => lanes(active).for_each(|lane| around.past.fence(first + lane as u32, *which)),
            Does::Wait => self.waited |= active,
            Does::Trap => return Err((active.trailing_zeros() as usize, Fault::Trap)),
            _ => {}
        }
        Ok(())
    }

    /// Some lanes, from the one whose turn it is.
    fn in_turn(&self, active: u32) -> impl Iterator<Item = usize> + use<> {
        let turn = self.turn;
        lanes(active.rotate_right(turn)).map(move |lane| (lane + turn as usize) % LANES)
    }

    fn load(
        &mut self,
        to: &[Target],
        from: Values,
        frame: &mut Frame,
        active: u32,
        once: Once,
        around: &mut Around<'_>,
    ) -> Faulty<()> {
        let (bytes, ty) = (from.ty.bytes(), from.ty);
        // Parameters of the kernel, which all threads have in common.
        let at = from.place.offset as usize;
        if from.space == Some(Space::Param)
            && from.place.base.is_none()
            && frame.params == 0
            && at + to.len() * bytes <= around.params.len()
        {
            for (to, found) in to.iter().zip(around.params[at..].chunks_exact(bytes)) {
                frame.set(*to, active, &[ty.widened(word(found)); LANES]);
            }
            return Ok(());
        }
        for lane in self.in_turn(active) {
            let found = match self.parameter(from, bytes * to.len(), frame, lane, around.params) {
                Some(found) => found,
                None => {
                    let place = self.place(from, to.len(), Kind::Read, frame, lane, once, around);
                    place.map_err(|fault| (lane, fault))?
                }
            };
            for (to, found) in to.iter().zip(found.chunks_exact(bytes)) {
                if to.mask != 0 {
                    frame.registers[to.register as usize][lane] = ty.widened(word(found)) & to.mask;
                }
            }
        }
        Ok(())
    }

    /// The bytes of a kernel's parameter, at an address that a thread has computed.
    fn parameter<'p>(
        &self,
        from: Values,
        bytes: usize,
        frame: &Frame,
        lane: usize,
        params: &'p [u8],
    ) -> Option<&'p [u8]> {
        let base = from.place.base.filter(|_| from.space == Some(Space::Param))?;
        let offset = frame.registers[base as usize][lane].wrapping_add(from.place.offset) as usize;
        params.get(offset..offset.checked_add(bytes)?)
    }

    /// The bytes of so many values, after all checks of a lane's access to them.
    #[allow(clippy::too_many_arguments, reason = "an access depends on all of them")]
    #[inline]
    fn place<'m>(
        &'m mut self,
        Values { space, ty, place, order }: Values,
        count: usize,
        kind: Kind,
        frame: &Frame,
        lane: usize,
        once: Once,
        around: &'m mut Around<'_>,
    ) -> Result<&'m mut [u8], Fault> {
        let bytes = count * ty.bytes();
        let start = place.base.map_or(0_u64, |register| frame.registers[register as usize][lane]);
        let address = start.wrapping_add(place.offset);
        if !address.is_multiple_of(bytes as u64) {
            return Err(Fault::Unaligned { address, bytes });
        }
        let (space, address) = match space {
            Some(space) => (space, address),
            None if address >= SHARED => (Space::Shared, address - SHARED),
            None if address >= LOCAL => (Space::Local, address - LOCAL),
            None => (Space::Global, address),
        };
        let own = |memory: &'m mut [u8], begin: usize| {
            // What a variable names lies in the frame of the call.
            let begin = if place.base.is_none() { begin } else { 0 };
            let offset = usize::try_from(address).unwrap_or(usize::MAX).saturating_add(begin);
            let size = memory.len();
            let range = memory.get_mut(offset..offset.saturating_add(bytes));
            range.ok_or(Fault::Outside { range: Range { space, offset, bytes }, size })
        };
        match space {
            Space::Param => own(&mut self.params[lane], frame.params),
            Space::Local => own(&mut self.local[lane], frame.local),
            Space::Shared => {
                let access = self.access(order, space, lane, once, around);
                let range = Range { space, offset: address as usize, bytes };
                reach(around.shared, range, &access, kind, around.past)
            }
            Space::Global | Space::Const => {
                let access = self.access(order, space, lane, once, around);
                if order == Order::AtOnce && matches!(kind, Kind::Read | Kind::Atomic) {
                    around.past.reads(access.once.thread, address);
                }
                let Some((allocation, offset)) = around.memory.find(address) else {
                    return Err(Fault::Nowhere { address, bytes });
                };
                let found = reach(allocation, Range { space, offset, bytes }, &access, kind, around.past)?;
                if order == Order::AtOnce && matches!(kind, Kind::Write | Kind::Atomic) {
                    around.past.writes(access.once.thread, address, kind == Kind::Atomic);
                }
                Ok(found)
            }
        }
    }

    /// What marks tell of an access.
    #[inline]
    fn access(&self, order: Order, space: Space, lane: usize, mut once: Once, around: &Around<'_>) -> Access {
        once.thread += lane as u32;
        (once.phase, once.epoch) = (around.past.phase(), around.past.epoch(once.thread));
        (once.at_once, once.in_block) = (matches!(order, Order::AtOnce | Order::InBlock), order == Order::InBlock);
        let [launch, block] = around.stamps;
        let is_shared = space == Space::Shared;
        let before = around.before.filter(|_| !is_shared && self.waited >> lane & 1 == 0);
        Access { stamp: if is_shared { block } else { launch }, before, once, order }
    }

    /// The groups of copies of a thread.
    fn copies(&mut self, lane: usize) -> &mut Vec<Vec<Arriving>> {
        self.arriving.resize_with(LANES, || vec![Vec::new()]);
        &mut self.arriving[lane]
    }

    /// Begins a copy of some bytes to shared memory, of which the last ones may become 0.
    fn copy(
        &mut self,
        [to, from]: [Place; 2],
        [bytes, most]: [usize; 2],
        frame: &Frame,
        lane: usize,
        once: Once,
        around: &mut Around<'_>,
    ) -> Result<(), Fault> {
        let at = |place: Place| {
            place.base.map_or(0_u64, |register| frame.registers[register as usize][lane]).wrapping_add(place.offset)
        };
        let (to, from, most) = (at(to), at(from), most.min(bytes));
        if let Some(address) = [to, from].into_iter().find(|address| !address.is_multiple_of(bytes as u64)) {
            return Err(Fault::Unaligned { address, bytes });
        }
        let mut copied = [0; 16];
        if most > 0 {
            let access = self.access(Order::Plain, Space::Global, lane, once, around);
            let found = around.memory.find(from).ok_or(Fault::Nowhere { address: from, bytes: most })?;
            let range = Range { space: Space::Global, offset: found.1, bytes: most };
            copied[..most].copy_from_slice(reach(found.0, range, &access, Kind::Read, around.past)?);
        }
        let access = self.access(Order::Plain, Space::Shared, lane, once, around);
        let range = Range { space: Space::Shared, offset: to as usize, bytes };
        reach(around.shared, range, &access, Kind::Copy, around.past)?;
        self.copies(lane).last_mut().expect("one is open").push(Arriving { range, bytes: copied });
        Ok(())
    }

    /// Copies arrive, but for those of the last so many groups.
    fn arrive(&mut self, groups: Option<u32>, lane: usize, once: Once, around: &mut Around<'_>) -> Result<(), Fault> {
        let access = self.access(Order::Plain, Space::Shared, lane, once, around);
        let copies = self.copies(lane);
        let arrived: Vec<_> = match groups {
            None => std::mem::replace(copies, vec![Vec::new()]),
            // The last one is not closed.
            Some(groups) => copies.drain(..(copies.len() - 1).saturating_sub(groups as usize)).collect(),
        };
        for Arriving { range, bytes } in arrived.into_iter().flatten() {
            reach(around.shared, range, &access, Kind::Write, around.past)?.copy_from_slice(&bytes[..range.bytes]);
        }
        Ok(())
    }
}

#[inline]
fn reach<'m>(
    memory: &'m mut Allocation,
    range: Range,
    access: &Access,
    kind: Kind,
    past: &Past,
) -> Result<&'m mut [u8], Fault> {
    match kind {
        Kind::Read => memory.read(range, access, past),
        Kind::Write => memory.write(range, access, false, past),
        // It reads, too, what nobody may have left unwritten.
        Kind::Atomic => memory.exchange(range, access, past),
        Kind::Copy => memory.write(range, access, true, past),
    }
}

/// Up to eight bytes as a word.
#[inline]
fn word(bytes: &[u8]) -> u64 {
    match *bytes {
        [a] => a.into(),
        [a, b] => u16::from_le_bytes([a, b]).into(),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => unreachable!("types have 1, 2, 4 or 8 bytes"),
    }
}
