//! Results of reductions on a device, until somebody asks for them. They lie together, so that one copy brings all of them to the host.

use crate::data::reduce::Absorb;
use crate::data::value::Elem;
use crate::mesh::bindings::Reduction;
use op2_core::Combine;
use op2_device::{Buffer, Device, Result};
use rustc_hash::FxHashMap;
use std::any::Any;
use std::ops::Range;
use std::sync::OnceLock;

/// Words of a piece of memory for results, if no single one needs more.
const PIECE: usize = 512;

/// The results of all globals that loops have reduced into.
#[derive(Default)]
pub(super) struct Results {
    pieces: Vec<Piece>,
    /// By the number of the global.
    places: FxHashMap<usize, Place>,
}

/// Memory for results, and its words on the host if no loop has run since they were copied.
struct Piece {
    buffer: Buffer,
    used: usize,
    copied: OnceLock<Vec<u64>>,
}

/// The place of a result, kept although its content may not be needed any more. There is room for two: a loop that continues a result
/// leaves the old one, in case that it fails.
struct Place {
    piece: usize,
    start: usize,
    words: usize,
    /// Whether the second one is the newest.
    second: bool,
    /// How it was reduced, and how the global absorbs it; none if there is no result.
    pending: Option<(Combine, Absorb)>,
}

impl Place {
    /// The words of one of the two.
    fn words(&self, second: bool) -> Range<usize> {
        let start = self.start + if second { self.words } else { 0 };
        start..start + self.words
    }
}

impl Results {
    /// The addresses of the next result and of the one that it continues; 0 if there is none.
    ///
    /// # Errors
    /// Those of an allocation.
    pub(super) fn place(&mut self, device: &dyn Device, reduction: &Reduction) -> Result<[u64; 2]> {
        if !self.places.contains_key(&reduction.global) {
            let words = reduction.slots;
            let piece = self.with_room(device, 2 * words)?;
            let start = self.pieces[piece].used;
            self.pieces[piece].used += 2 * words;
            self.places.insert(reduction.global, Place { piece, start, words, second: false, pending: None });
        }
        let place = &self.places[&reduction.global];
        let base = self.pieces[place.piece].buffer.address();
        let address = |second| base + (place.words(second).start * size_of::<u64>()) as u64;
        Ok(match place.pending {
            Some(_) => [address(!place.second), address(place.second)],
            None => [address(place.second), 0],
        })
    }

    /// The number of a piece with so much room.
    fn with_room(&mut self, device: &dyn Device, words: usize) -> Result<usize> {
        let has_room = |piece: &Piece| piece.used + words <= piece.buffer.bytes() / size_of::<u64>();
        if let Some(piece) = self.pieces.iter().position(has_room) {
            return Ok(piece);
        }
        let content = vec![0_u64; words.max(PIECE)];
        let buffer = device.allocate("results of globals", size_of_val(&content[..]), size_of::<u64>())?;
        device.upload(&buffer, u64::bytes(&content))?;
        self.pieces.push(Piece { buffer, used: 0, copied: OnceLock::new() });
        Ok(self.pieces.len() - 1)
    }

    /// Notes that a loop has left results, to which the calls of [`Results::place`] led.
    pub(super) fn keep(&mut self, reductions: &[Reduction]) {
        for reduction in reductions {
            if let Some(place) = self.places.get_mut(&reduction.global) {
                place.second ^= place.pending.is_some();
                place.pending = Some((reduction.how, reduction.absorb));
                self.pieces[place.piece].copied.take();
            }
        }
    }

    /// Lets `value`, the value of a global, absorb its result.
    ///
    /// # Errors
    /// Those of a copy, for which the first result waits.
    pub(super) fn absorb_into(&self, device: &dyn Device, global: usize, value: &mut dyn Any) -> Result<()> {
        let Some(place) = self.places.get(&global) else { return Ok(()) };
        let Some((_, absorb)) = place.pending else { return Ok(()) };
        let piece = &self.pieces[place.piece];
        let all = match piece.copied.get() {
            Some(known) => known,
            None => {
                let mut all = vec![0_u64; piece.used];
                device.download(&piece.buffer, u64::bytes_mut(&mut all))?;
                piece.copied.get_or_init(|| all)
            }
        };
        // Whoever has a place that is newer than the copy has no result.
        absorb(value, &all[place.words(place.second)]);
        Ok(())
    }

    /// Drops the result of a global.
    pub(super) fn forget(&mut self, global: usize) {
        if let Some(place) = self.places.get_mut(&global) {
            place.pending = None;
        }
    }

    /// Whether a global has a result that was reduced in another way.
    pub(super) fn has_other(&self, global: usize, how: Combine) -> bool {
        let pending = self.places.get(&global).and_then(|place| place.pending.as_ref());
        pending.is_some_and(|(other, _)| *other != how)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::value::ElemType;

    fn absorb(value: &mut dyn Any, words: &[u64]) {
        *value.downcast_mut::<Vec<u64>>().expect("a list of words") = words.to_vec();
    }

    fn reduction(global: usize, slots: usize) -> Reduction {
        Reduction { arg: 0, elem: ElemType::U64, global, how: Combine::Inc, slots, absorb }
    }

    /// A loop that fails leaves the result that it was to continue, and another global's in the same copy.
    #[test]
    fn a_result_stays_until_the_next_one_is_complete() {
        if !op2_test_support::has_cxx() {
            return;
        }
        let device = op2_device::emulator(op2_device::Options::default()).unwrap_or_else(|e| panic!("{e}"));
        let (mut results, both) = (Results::default(), [reduction(7, 2), reduction(3, 1)]);
        let mut next = 0;
        // Does what a loop does to its result.
        let mut leave = |results: &Results, address: u64, words: usize| {
            let buffer = &results.pieces[0].buffer;
            let mut all = vec![0; PIECE];
            device.download(buffer, u64::bytes_mut(&mut all)).unwrap();
            let start = (address - buffer.address()) as usize / size_of::<u64>();
            next += 1;
            all[start..start + words].fill(next);
            device.upload(buffer, u64::bytes(&all)).unwrap();
        };
        let value = |results: &Results, global| {
            let mut found = Vec::<u64>::new();
            results.absorb_into(&*device, global, &mut found).unwrap();
            found
        };
        for reduction in &both {
            let [to, before] = results.place(&*device, reduction).unwrap();
            assert_eq!(before, 0);
            leave(&results, to, reduction.slots);
        }
        assert!(value(&results, 7).is_empty(), "nothing is kept yet");
        results.keep(&both);
        assert_eq!((value(&results, 7), value(&results, 3)), (vec![1, 1], vec![2]));
        for fails in [true, false, false] {
            let [to, before] = results.place(&*device, &both[0]).unwrap();
            assert!(before != 0 && before != to);
            leave(&results, to, 2);
            if !fails {
                results.keep(&both[..1]);
            }
            assert_eq!((value(&results, 7)[0] == 1, value(&results, 3)), (fails, vec![2]));
        }
        assert_eq!(value(&results, 7), [5, 5]);
        results.forget(7);
        assert_eq!((value(&results, 7), value(&results, 3)), (vec![], vec![2]));
        assert_eq!(results.place(&*device, &both[0]).unwrap()[1], 0);
    }
}
