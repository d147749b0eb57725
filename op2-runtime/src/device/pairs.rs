//! Loops over pairs on a device: the grid and the patches that the host made are sent once, and the device searches as the host does.

use super::DeviceState;
use super::frame::{Frame, grid};
use super::planned::{ELEMENTS, MOST_THREADS};
use super::prepare::{self, Outcome, Prepared, Step, numbers, partials, slots, tables};
use super::text::Text;
use crate::data::value::Elem;
use crate::desc::{DeviceDesc, ViewDesc};
use crate::mesh::handle::End;
use crate::mesh::pairs::Stamp;
use crate::pairs::{Arrays, Grid};
use crate::plan::Patches;
use crate::strategy::{Reads, Resolution, Scheme, Strategy};
use op2_core::EntryPoint;
use op2_device::{Buffer, Result};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Threads that share the partners of an element. There are rarely more than a few hundred of these.
const SHARING: u32 = 64;
/// Scalars of the counts of candidates and pairs.
const COUNTS: usize = 2;

/// The state of loops over pairs on a device, besides their data.
#[derive(Default)]
pub(super) struct Searches {
    /// By the pairs and the side inside, with the positions from which they were made.
    grids: FxHashMap<(usize, End), (Stamp, Arc<SentGrid>)>,
    /// By the pairs, the side outside, and whether what lies inside is copied.
    patches: FxHashMap<(usize, End, bool), Arc<SentPatches>>,
    /// Candidates and pairs of each loop, by the number of its statistics, since the report began.
    counts: FxHashMap<usize, Buffer>,
}

/// A grid on the device.
struct SentGrid {
    /// Boxes outside and inside, images, elements, starts of cells.
    buffers: [Buffer; 5],
    /// The frame behind the pointers.
    rest: Vec<u8>,
}

/// Patches on the device.
pub(crate) struct SentPatches {
    of: Arc<Patches>,
    frame: Vec<u8>,
    /// The frame of the second pass.
    sums: Vec<u8>,
    held: Vec<Buffer>,
}

/// How a loop over pairs runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// A block of threads for each patch; they share the partners of one element after the other.
    Shared,
    /// So many threads a block, each with the partners of an element.
    Single { threads: u32 },
}

/// The search of a call.
pub(crate) struct Search {
    stamp: Stamp,
    grid: Arc<SentGrid>,
    patches: Option<Arc<SentPatches>>,
    way: Way,
    /// Whether the loop combines into elements inside.
    combines: bool,
    note: Option<&'static str>,
    /// Elements outside.
    outers: usize,
    useful_bytes: u64,
}

impl Search {
    /// The positions for which it is.
    pub(crate) fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// How the loop runs in so many blocks, for the report.
    fn outcome(&self, blocks: u32) -> Outcome {
        let size = self.patches.as_ref().map_or(0, |patches| patches.of.size());
        let strategy = match (self.way, self.combines) {
            (Way::Shared, true) => format!("overlapped tiles of {size}"),
            (Way::Shared, false) => format!("{SHARING} threads an element"),
            (Way::Single { threads }, true) => format!("atomics, {threads} a block"),
            (Way::Single { threads }, false) => format!("a thread an element, {threads} a block"),
        };
        let note = self.note.map(str::to_owned);
        Outcome { strategy, note, blocks: blocks as usize, colours: usize::from(blocks > 0), estimate: None }
    }
}

impl SentGrid {
    /// The frame of a loop that counts there.
    fn frame(&self, counts: &Buffer) -> Vec<u8> {
        let buffers = self.buffers.iter().chain([counts]);
        let pointers = buffers.fold(Frame::default(), |frame, buffer| frame.pointer(Some(buffer)));
        [&pointers.0[..], &self.rest].concat()
    }
}

impl SentPatches {
    /// The launches that add the copies in `parts` to their views.
    fn gathers(&self, text: &Text<'_>, parts: &[Option<Buffer>], threads: u32, wave: u32) -> Result<Vec<Step>> {
        let (grid, block) = grid(self.of.part.sums.targets.len(), threads, wave);
        let copied = parts.iter().enumerate().filter(|(_, part)| part.is_some());
        let gather = |(view, _)| {
            let kernel = text.kernel(None, EntryPoint::Gather(view))?;
            Ok(Step::Gather { kernel, grid, block, frame: self.sums.clone(), view })
        };
        copied.map(gather).collect()
    }
}

/// The facts about a call that its search needs.
pub(crate) struct Asked<'a, const D: usize> {
    pub(crate) pairs: usize,
    pub(crate) outside: End,
    pub(crate) stamp: Stamp,
    pub(crate) grid: &'a Grid<D>,
    /// None unless the threads of a block share partners.
    pub(crate) patches: Option<Arc<Patches>>,
    pub(crate) way: Way,
    /// Whether the loop combines into elements inside.
    pub(crate) combines: bool,
    pub(crate) note: Option<&'static str>,
    pub(crate) useful_bytes: u64,
}

impl Way {
    /// Threads of a block.
    fn threads(self) -> u32 {
        match self {
            Way::Shared => SHARING,
            Way::Single { threads } => threads,
        }
    }

    /// The way that a loop runs by a strategy, and the reason if that is not what was asked for. `combines` says whether it combines
    /// into elements inside, `wave` how many threads a wave has.
    pub(crate) fn of(desc: &DeviceDesc, combines: bool, wanted: Strategy, wave: u32) -> (Way, Option<&'static str>) {
        let scheme = wanted.scheme();
        let threads =
            scheme.map_or(ELEMENTS, |scheme| scheme.size.min(MOST_THREADS)).next_multiple_of(wave as usize) as u32;
        let wanted = scheme.map_or(Resolution::Tiles, |Scheme { resolution, .. }| resolution);
        let shares = desc.kernels.iter().any(|(entry, _)| *entry == EntryPoint::Shared);
        let way = if shares && wanted != Resolution::Atomics { Way::Shared } else { Way::Single { threads } };
        let note = match (way, wanted) {
            _ if !combines => None,
            (Way::Shared, Resolution::Tiles) | (Way::Single { .. }, Resolution::Atomics) => None,
            (Way::Shared, _) => Some("overlapped tiles: another strategy would have to know all pairs before"),
            (Way::Single { .. }, _) => {
                Some("atomics: partners of an element come one by one, since the kernel writes outside")
            }
        };
        (way, note)
    }
}

impl DeviceState {
    /// Sends what the search of a call needs and the device lacks.
    ///
    /// # Errors
    /// Those of the device, and [`Error::NoMemory`](crate::Error::NoMemory).
    pub(crate) fn searched<const D: usize>(&mut self, asked: Asked<'_, D>) -> crate::Result<Search> {
        let Asked { pairs, outside, stamp, grid, patches, way, combines, note, useful_bytes } = asked;
        let outers = grid.outers();
        let grid = self.sent_grid((pairs, outside.other()), stamp, grid)?;
        let patches = match patches {
            Some(patches) => Some(self.sent_patches((pairs, outside, combines), patches)?),
            None => None,
        };
        Ok(Search { stamp, grid, patches, way, combines, note, outers, useful_bytes })
    }

    fn sent_grid<const D: usize>(
        &mut self,
        key: (usize, End),
        stamp: Stamp,
        grid: &Grid<D>,
    ) -> crate::Result<Arc<SentGrid>> {
        if let Some((_, known)) = self.searches.grids.get(&key).filter(|(of, _)| *of == stamp) {
            return Ok(known.clone());
        }
        let Arrays { outer, inner, images, elements, starts, lengths, numbers } = grid.arrays()?;
        let buffers = [
            self.filled("boxes outside", &outer)?,
            self.filled("boxes inside", &inner)?,
            self.filled("images of elements inside", &images)?,
            self.filled("elements inside", &elements)?,
            self.filled("starts of cells", starts)?,
        ];
        let rest = lengths.into_iter().fold(Frame::default(), Frame::length);
        let rest = numbers.into_iter().fold(rest, Frame::number).filled().0;
        let sent = Arc::new(SentGrid { buffers, rest });
        self.searches.grids.insert(key, (stamp, sent.clone()));
        Ok(sent)
    }

    fn sent_patches(&mut self, key: (usize, End, bool), of: Arc<Patches>) -> Result<Arc<SentPatches>> {
        if let Some(known) = self.searches.patches.get(&key).filter(|known| Arc::ptr_eq(&known.of, &of)) {
            return Ok(known.clone());
        }
        let mut held = Vec::new();
        let mut keep = |what: &str, content: &[u32]| -> Result<Buffer> {
            let buffer = self.filled(&format!("{what} of a loop over pairs"), content)?;
            held.push(buffer.clone());
            Ok(buffer)
        };
        let frame = Frame::default()
            .pointer(Some(&keep("order of elements", &of.order)?))
            .pointer(Some(&keep("patches", of.offsets())?));
        let (.., copies) = key;
        let (frame, sums) = if !copies {
            ((0..4).fold(frame, |frame, _| frame.pointer(None)), Vec::new())
        } else {
            let cells: Vec<u32> = of.runs.iter().map(|run| run.cell).collect();
            let distances: Vec<u32> = of.runs.iter().map(|run| run.distance).collect();
            let frame = frame
                .pointer(Some(&keep("copies", &of.part.block_copies)?))
                .pointer(Some(&keep("runs of cells", &of.run_offsets)?))
                .pointer(Some(&keep("cells", &cells)?))
                .pointer(Some(&keep("distances of copies", &distances)?));
            let sums = Frame::default()
                .pointer(Some(&keep("sums", &of.part.sums.offsets)?))
                .pointer(Some(&keep("list of copies", &of.part.sums.list)?))
                .pointer(Some(&keep("targets", &of.part.sums.targets)?))
                .number(of.part.sums.targets.len())
                .number(of.part.copies);
            (frame, sums.0)
        };
        let frame = frame.number(of.part.copies).number(0).0;
        let sent = Arc::new(SentPatches { of, frame, sums, held });
        self.searches.patches.insert(key, sent.clone());
        Ok(sent)
    }

    /// The launches of a loop over pairs, whose statistics have the number `stats`. `known` are those for other positions.
    pub(crate) fn prepare_search(
        &mut self,
        text: &Text<'_>,
        search: &Search,
        known: Option<&Prepared>,
        stats: usize,
    ) -> Result<Prepared> {
        let counts = self.counts(stats)?;
        let found = search.grid.frame(&counts);
        let threads = search.way.threads();
        let parts = self.copies(text, search)?;
        let mut held: Vec<Buffer> = search.grid.buffers.iter().cloned().chain([counts]).collect();
        let (entry, frame, (blocks, block)) = match &search.patches {
            Some(patches) => {
                held.extend(patches.held.iter().cloned());
                (EntryPoint::Shared, patches.frame.clone(), (patches.of.len() as u32, threads))
            }
            None => (EntryPoint::Single, all(search.outers), grid(search.outers, threads, self.wave())),
        };
        let mut steps = Vec::new();
        if blocks > 0 {
            let (kernel, shared, parts) =
                (text.kernel(None, entry)?, scratch(text, block, self.wave()), entry == EntryPoint::Shared);
            steps.push(Step::Wrapper { kernel, grid: blocks, block, shared, frames: vec![frame, found], parts });
        }
        if let Some(patches) = &search.patches {
            steps.extend(patches.gathers(text, &parts, threads, self.wave())?);
        }
        let (partials, joining) = partials(self, text, blocks)?;
        let source = text.source(None, threads, Reads::Staged);
        Ok(Prepared {
            useful_bytes: search.useful_bytes,
            outcome: search.outcome(blocks),
            values: source.values(),
            module: match known {
                Some(known) => known.module.clone(),
                None => self.load(&source)?,
            },
            steps,
            views: text.device.views.iter().map(|v| text.bound(v).map(|b| b.dat)).collect(),
            maps: Vec::new(),
            numbers: numbers(self, text)?,
            tables: tables(self, text)?,
            parts,
            combined: text.desc.combined_views(text.device).collect(),
            partials,
            joining,
            stamp: Some(search.stamp),
            _held: held,
        })
    }

    /// Memory for the copies of each view that is combined inside.
    fn copies(&self, text: &Text<'_>, search: &Search) -> Result<Vec<Option<Buffer>>> {
        let copies = search.patches.as_ref().map_or(0, |patches| patches.of.part.copies);
        let of_view = |view: &ViewDesc| {
            let inside =
                text.inputs.dats().iter().find(|b| b.inside && b.access.combines() && view.args.contains(&b.arg));
            let Some(bound) = inside.filter(|_| copies > 0) else { return Ok(None) };
            let store = text.inputs.dat(bound);
            let what = format!("the contributions to dat `{}`", store.name);
            self.device.allocate(&what, copies * store.bytes, store.elem.bytes()).map(Some)
        };
        text.device.views.iter().map(of_view).collect()
    }

    /// Memory in which a loop counts candidates and pairs.
    fn counts(&mut self, stats: usize) -> Result<Buffer> {
        if let Some(known) = self.searches.counts.get(&stats) {
            return Ok(known.clone());
        }
        let counts = self.filled("counts of pairs", &[0_u64; COUNTS])?;
        self.searches.counts.insert(stats, counts.clone());
        Ok(counts)
    }

    /// Candidates and pairs of loops since the report began, each with the number of its statistics.
    pub(crate) fn found(&self) -> impl Iterator<Item = Result<(usize, [u64; COUNTS])>> {
        self.searches.counts.iter().map(|(stats, buffer)| {
            let mut counts = [0; COUNTS];
            self.device.download(buffer, u64::bytes_mut(&mut counts))?;
            Ok((*stats, counts))
        })
    }

    /// Counts from 0 again.
    pub(crate) fn forget_found(&mut self) -> Result<()> {
        self.searches.counts.values().try_for_each(|buffer| self.device.upload(buffer, u64::bytes(&[0; COUNTS])))
    }
}

impl Searches {
    /// Frees what depends on the old numbers.
    pub(super) fn renumbered(&mut self) {
        self.grids.clear();
        self.patches.clear();
    }
}

/// The frame of a thread for each of `n` elements.
fn all(n: usize) -> Vec<u8> {
    Frame::default().pointer(None).number(0).number(n).number(0).number(n).0
}

/// Bytes of shared memory in which the threads of a block sum up contributions, results and counts.
fn scratch(text: &Text<'_>, threads: u32, wave: u32) -> u32 {
    let outer = text.inputs.dats().iter().filter(|b| !b.inside && b.access.combines());
    let scalars = outer.map(|b| text.inputs.dat(b).bytes / text.inputs.dat(b).elem.bytes());
    prepare::scratch(scalars.chain([COUNTS, slots(text)]).max().unwrap_or(COUNTS), threads, wave)
}

#[cfg(test)]
mod tests {
    use super::*;
    use op2_core::Target;

    fn written(kernels: &'static [(EntryPoint, &'static str)]) -> DeviceDesc {
        let (target, text, views, maps) = (Target::Cuda, "", &[], &[]);
        DeviceDesc {
            target,
            text,
            kernels,
            views,
            maps,
            targets: &[],
            covers: &[],
            floats: &[],
            consts: &[],
            forms: &[],
        }
    }

    #[test]
    fn each_strategy_has_its_way() {
        let both = written(&[(EntryPoint::Shared, "k_pairs"), (EntryPoint::Single, "k_pairs_single")]);
        let single = written(&[(EntryPoint::Single, "k_pairs_single")]);
        let threads = |threads| Way::Single { threads };
        for (wanted, way, noted) in [
            (Strategy::Predicted, Way::Shared, false),
            (Strategy::tiles(40), Way::Shared, false),
            (Strategy::atomics(100), threads(128), false),
            (Strategy::block_atomics(100), Way::Shared, true),
            (Strategy::blocks(7), Way::Shared, true),
        ] {
            let (found, note) = Way::of(&both, true, wanted, 32);
            assert_eq!((found, note.is_some()), (way, noted), "{wanted}");
            assert_eq!(Way::of(&both, false, wanted, 32), (way, None), "where nothing meets inside, {wanted}");
        }
        assert!(matches!(Way::of(&single, true, Strategy::tiles(40), 32), (Way::Single { threads: 64 }, Some(_))));
        assert_eq!(Way::of(&single, true, Strategy::atomics(5000), 32), (threads(1024), None));
        assert_eq!(Way::of(&single, false, Strategy::Predicted, 32), (threads(128), None));
    }
}
