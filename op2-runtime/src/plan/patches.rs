//! Overlapped tiles for loops over pairs that combine into elements inside: compact patches of elements outside, each of which adds to
//! private copies of all that its elements can reach. A second pass adds the copies, in the order of the patches.
//!
//! After King and Kirby, *A Scalable, Efficient Scheme for Evaluation of Stencil Computations over Unstructured Meshes* (SC'13),
//! section 4. Patches follow from the positions and a size, and from nothing else: results are the same on any number of threads.
//!
//! Patches in two levels belong to devices with memory of their own, each of which has a stretch of the curve. A device adds the copies of
//! its patches to one sum for each element that it reaches, and only these sums go from device to device.

use super::redirect::{Part, Sums};
use crate::data::room;
use crate::error::Result;
use crate::pairs::Grid;
use crate::reorder;
use std::ops::Range;

/// The patches of a loop over pairs.
#[derive(Debug)]
pub(crate) struct Patches {
    /// The elements outside, patch by patch.
    pub(crate) order: Vec<u32>,
    offsets: Vec<u32>,
    /// The elements inside that each patch may reach: its copies `part.block_copies[p]..part.block_copies[p + 1]`.
    reached: Vec<u32>,
    /// The copies, and the sums of the second pass.
    pub(crate) part: Part,
    /// With several devices, the two steps of the second pass.
    pub(crate) between_devices: Option<Exchange>,
    /// The runs of consecutive cells that each patch reaches: `run_offsets[p]..run_offsets[p + 1]`.
    pub(crate) run_offsets: Vec<u32>,
    pub(crate) runs: Vec<CellRun>,
}

/// The second pass in two steps.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// The copies of patches are added to sums, of which each device has one for every element inside that its patches reach.
    pub(crate) within: Part,
    /// The sums of the devices are added to the elements. `block_copies` tells which ones each device has.
    pub(crate) between: Part,
}

/// Consecutive cells whose elements are copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellRun {
    /// The first one.
    pub(crate) cell: u32,
    /// Added to the place of an element among all elements inside, it gives its copy; modulo 2^32.
    pub(crate) distance: u32,
}

/// How elements outside are divided into patches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Division {
    /// Elements of a patch, if they are stated.
    size: Option<usize>,
    /// Otherwise there are about so many patches …
    patches: usize,
    /// … of at least so many elements, because each copies what lies around it.
    least: usize,
    /// Whether what lies inside is copied at all.
    pub(crate) copies: bool,
    /// Whether elements that occur in several cells, as those of rows do, are copied for each: then a copy is found by its cell.
    by_place: bool,
    /// Devices that share the patches.
    devices: usize,
}

impl Division {
    /// For the threads of the host, which play this many devices.
    pub(crate) fn on_host(size: Option<usize>, devices: usize) -> Self {
        Division { size, patches: 128, least: 64, copies: true, by_place: false, devices }
    }

    /// For a device, which runs a thousand patches at once.
    pub(crate) fn on_device(size: Option<usize>, copies: bool) -> Self {
        Division { size, patches: 4096, least: 16, copies, by_place: true, devices: 1 }
    }

    fn size_of(&self, elements: usize) -> usize {
        self.size.unwrap_or_else(|| elements.div_ceil(self.patches).max(self.least))
    }
}

impl Patches {
    /// Patches of elements outside, which lie together along a space-filling curve. `inner` is the number of elements inside.
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::Error::NoMemory).
    pub(crate) fn new<const D: usize>(grid: &Grid<D>, inner: usize, division: Division) -> Result<Self> {
        let what = || "the patches of a loop over pairs".to_owned();
        let middles: Vec<f64> = grid.middles().flatten().collect();
        // Without a space, they lie together as they are numbered.
        let order = if D == 0 { (0..grid.outers() as u32).collect() } else { reorder::order_of(D, &middles) };
        let size = division.size_of(order.len());
        let mut offsets: Vec<u32> = (0..order.len()).step_by(size).map(|start| start as u32).collect();
        offsets.push(order.len() as u32);
        let mut seen = room::filled(what, u32::MAX, grid.cells())?;
        let unique = D == 0 && !division.by_place;
        let mut copied = room::filled(what, u32::MAX, if unique { inner } else { 0 })?;
        let (mut reached, mut block_copies) = (Vec::new(), vec![0]);
        let (mut runs, mut run_offsets) = (Vec::<CellRun>::new(), vec![0]);
        for (patch, outer) in order.chunks(size).enumerate().filter(|_| division.copies) {
            let mut cells = Vec::new();
            for &e in outer {
                grid.cells_around(e as usize, |cell| {
                    if seen[cell] != patch as u32 {
                        seen[cell] = patch as u32;
                        cells.push(cell);
                    }
                });
            }
            cells.sort_unstable();
            for (n, &cell) in cells.iter().enumerate() {
                if n == 0 || cells[n - 1] + 1 != cell {
                    let distance = (reached.len() as u32).wrapping_sub(grid.start_of(cell));
                    runs.push(CellRun { cell: cell as u32, distance });
                }
                let mut is_new = |element: &u32| {
                    !unique || std::mem::replace(&mut copied[*element as usize], patch as u32) != patch as u32
                };
                reached.extend(grid.elements_of(cell).filter(|element| is_new(element)));
            }
            run_offsets.push(runs.len() as u32);
            let copies = u32::try_from(reached.len()).map_err(|_| room::missing(what(), 4 * reached.len() as u128))?;
            block_copies.push(copies);
        }
        // Two tables of the elements, and the list.
        let bytes = 4 * (2 * inner + reached.len()) as u128;
        if !room::has(bytes) {
            return Err(room::missing(what(), bytes));
        }
        let copies = reached.len();
        let part_of = |targets: usize, copies: usize, block_copies: Vec<u32>, sums: Sums| Part {
            targets,
            width: 0,
            copies,
            destinations: Vec::new(),
            block_copies,
            sums,
        };
        if division.devices <= 1 {
            let sums = Sums::new(inner, (0..).zip(reached.iter().copied()));
            let part = part_of(inner, copies, block_copies, sums);
            return Ok(Patches { order, offsets, reached, part, between_devices: None, run_offsets, runs });
        }
        let (slots, of_devices, slot_of_copy) = shared_out(&reached, &block_copies, inner, division.devices)?;
        let within = part_of(slots.len(), copies, Vec::new(), Sums::new(slots.len(), (0..).zip(slot_of_copy)));
        let between = Sums::new(inner, (0..).zip(slots.iter().copied()));
        let between = part_of(inner, slots.len(), of_devices, between);
        let part = part_of(inner, copies, block_copies, Sums { offsets: vec![0], ..Sums::default() });
        let between_devices = Some(Exchange { within, between });
        Ok(Patches { order, offsets, reached, part, between_devices, run_offsets, runs })
    }

    /// Where each patch begins in the order, and the end of the last one.
    pub(crate) fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// The number of patches.
    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The elements of a patch, as positions in the order.
    pub(crate) fn positions(&self, patch: usize) -> Range<usize> {
        self.offsets[patch] as usize..self.offsets[patch + 1] as usize
    }

    /// The elements inside that a patch may reach, with the copy that it adds to for each.
    pub(crate) fn copies(&self, patch: usize) -> impl Iterator<Item = (u32, u32)> {
        let copies = self.part.block_copies[patch]..self.part.block_copies[patch + 1];
        copies.map(|copy| (self.reached[copy as usize], copy))
    }

    /// Elements of the largest patch.
    pub(crate) fn size(&self) -> usize {
        (0..self.len()).map(|patch| self.positions(patch).len()).max().unwrap_or(0)
    }
}

/// Shares patches out among devices, in order. Returns the element of each sum that a device keeps, where the sums of each device begin and
/// the last ones end, and the sum for each copy.
fn shared_out(
    reached: &[u32],
    block_copies: &[u32],
    inner: usize,
    devices: usize,
) -> Result<(Vec<u32>, Vec<u32>, impl Iterator<Item = u32> + Clone)> {
    let what = || "the sums of devices of a loop over pairs".to_owned();
    let patches = block_copies.len() - 1;
    let mut slot_of = room::filled(what, (u32::MAX, 0), inner)?;
    let mut slot_of_copy = room::list(what, reached.len())?;
    let (mut slots, mut of_devices) = (Vec::new(), vec![0]);
    for device in 0..devices {
        let [first, end] = [device, device + 1].map(|n| block_copies[n * patches / devices] as usize);
        for &element in &reached[first..end] {
            let (of, slot) = &mut slot_of[element as usize];
            if *of != device as u32 {
                (*of, *slot) = (device as u32, slots.len() as u32);
                slots.push(element);
            }
            slot_of_copy.push(*slot);
        }
        of_devices.push(slots.len() as u32);
    }
    Ok((slots, of_devices, slot_of_copy.into_iter()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::Found;
    use crate::pairs::tests::{boxes, spaces};

    #[test]
    fn patches_have_all_elements_once_and_copies_of_all_partners() {
        let (outer, inner) = (boxes(150, 0.3, 5), boxes(90, 0.2, 6));
        for space in spaces() {
            let grid = Grid::new("g", space, (&outer, &|e| e), (&inner, &|e| e)).expect("there is memory");
            for size in [None, Some(1), Some(7), Some(1000)] {
                let patches = Patches::new(&grid, inner.len(), Division::on_host(size, 1)).expect("there is memory");
                let mut order = patches.order.clone();
                order.sort_unstable();
                assert_eq!(order, (0..150).collect::<Vec<_>>());
                let mut all = Vec::new();
                for patch in 0..patches.len() {
                    let copies: Vec<(u32, u32)> = patches.copies(patch).collect();
                    for position in patches.positions(patch) {
                        let mut found = Found::new();
                        // SAFETY: it is an element of the grid.
                        unsafe { grid.partners(patches.order[position] as usize, &mut found) };
                        let reached =
                            |partner: u32| copies.iter().filter(|(element, _)| *element == partner).count() == 1;
                        assert!(found.elements.iter().all(|partner| reached(*partner)), "{space:?}, {size:?}");
                    }
                    all.extend(copies);
                }
                assert_eq!(all.len(), patches.part.copies);
                let sums = &patches.part.sums;
                for (n, &target) in sums.targets.iter().enumerate() {
                    let list = &sums.list[sums.offsets[n] as usize..sums.offsets[n + 1] as usize];
                    let expected: Vec<u32> =
                        all.iter().filter(|(element, _)| *element == target).map(|c| c.1).collect();
                    assert_eq!(list, expected, "{space:?}, {size:?}");
                }
            }
        }
    }

    #[test]
    fn runs_of_cells_lead_to_the_copies() {
        let (outer, inner) = (boxes(150, 0.3, 5), boxes(90, 0.2, 6));
        for space in spaces() {
            let grid = Grid::new("g", space, (&outer, &|e| e), (&inner, &|e| e)).expect("there is memory");
            let place = |element: u32| {
                let mut cells = (0..grid.cells()).flat_map(|cell| (grid.start_of(cell)..).zip(grid.elements_of(cell)));
                cells.find(|(_, known)| *known == element).expect("every element lies in a cell").0
            };
            let patches =
                Patches::new(&grid, inner.len(), Division::on_device(Some(7), true)).expect("there is memory");
            for patch in 0..patches.len() {
                let runs = &patches.runs[patches.run_offsets[patch] as usize..patches.run_offsets[patch + 1] as usize];
                assert!(runs.windows(2).all(|two| two[0].cell < two[1].cell));
                for (element, copy) in patches.copies(patch) {
                    let place = place(element);
                    // The last run whose first cell does not begin behind the element; empty cells may begin there, too.
                    let run = runs.iter().rev().find(|run| {
                        let cell = run.cell as usize;
                        grid.start_of(cell) <= place
                            && (cell..grid.cells()).any(|c| grid.elements_of(c).any(|e| e == element))
                    });
                    assert_eq!(run.map(|run| place.wrapping_add(run.distance)), Some(copy), "{space:?}");
                }
            }
            let none = Patches::new(&grid, inner.len(), Division::on_device(None, false)).expect("there is memory");
            assert_eq!((none.part.copies, none.runs.len(), none.order.len()), (0, 0, 150));
        }
    }

    /// Each copy reaches its element by the sum of one device, and no device has two sums for an element.
    #[test]
    fn devices_have_sums_of_their_own() {
        let (outer, inner) = (boxes(150, 0.3, 5), boxes(90, 0.2, 6));
        for (space, devices) in spaces().into_iter().zip([2, 3, 7, 400]) {
            let grid = Grid::new("g", space, (&outer, &|e| e), (&inner, &|e| e)).expect("there is memory");
            let of = |devices| Patches::new(&grid, inner.len(), Division::on_host(Some(7), devices)).expect("memory");
            let (one, patches) = (of(1), of(devices));
            assert_eq!((&one.order, &one.reached), (&patches.order, &patches.reached), "devices change no patch");
            let Exchange { within, between } = patches.between_devices.as_ref().expect("there are several");
            let list =
                |sums: &Sums, n: usize| sums.list[sums.offsets[n] as usize..sums.offsets[n + 1] as usize].to_vec();
            let mut copies: Vec<(u32, u32)> = Vec::new();
            for (n, &element) in between.sums.targets.iter().enumerate() {
                let slots = list(&between.sums, n);
                let device = |slot: u32| between.block_copies.iter().filter(|first| **first <= slot).count();
                assert!(slots.windows(2).all(|two| device(two[0]) < device(two[1])));
                for slot in slots {
                    let at = within.sums.targets.iter().position(|known| *known == slot).expect("it has copies");
                    copies.extend(list(&within.sums, at).into_iter().map(|copy| (copy, element)));
                }
            }
            copies.sort_unstable();
            let expected: Vec<(u32, u32)> = (0..).zip(one.reached.iter().copied()).collect();
            assert_eq!(copies, expected, "{space:?}, {devices} devices");
        }
    }

    #[test]
    fn without_elements_there_are_no_patches() {
        let (some, space) = (boxes(5, 0.1, 7), spaces()[0]);
        for (outer, inner) in [(&[][..], &some[..]), (&some[..], &[][..])] {
            let grid = Grid::new("g", space, (outer, &|e| e), (inner, &|e| e)).expect("there is memory");
            let patches = Patches::new(&grid, inner.len(), Division::on_host(None, 1)).expect("there is memory");
            assert_eq!((patches.len(), patches.part.copies), (usize::from(!outer.is_empty()), 0));
        }
    }
}
