//! Plans: in which blocks and colours a loop runs so that no two threads meet on one target.
//!
//! The inspector sees a loop as a [`LoopShape`]: its elements and, for every argument, where it
//! leads. [`Plan::build`] cuts the elements into blocks and colours the blocks such that **blocks
//! of one colour never touch a common target of a dat that the loop modifies**. An executor runs
//! colour after colour, the blocks of a colour in any order or at once, the elements inside a block
//! one after the other. The order in which contributions reach a target is then a property of the
//! plan, not of the number of threads, and results are bit-identical for every thread count.
//!
//! Hierarchical and global colouring are the two schemes of OP2; see Sulyok, Balogh, Reguly,
//! Mudalige: Locality optimized unstructured mesh algorithms on GPUs (JPDC 2019), section 2.

mod blocks;
pub(crate) mod cache;
mod collide;
mod colour;
mod element;
mod fit;
mod in_lanes;
pub(crate) mod key;
mod late;
mod lines;
mod owner;
mod patches;
mod predict;
mod redirect;
mod route;
mod summary;
mod traffic;
mod verify;

pub use crate::error::plan::{PlanError, Violation};
pub use crate::strategy::{Resolution, Scheme};
pub(crate) use blocks::cut;
pub use collide::{check, needs_inspection};
pub use element::ElementColours;
pub(crate) use fit::{TURNS, fit};
pub(crate) use late::{Late, is_wide};
pub(crate) use lines::Lines;
pub(crate) use owner::{Owned, owned};
pub(crate) use patches::{Division, Exchange, Patches};
pub use predict::{Hardware, predict};
pub(crate) use redirect::RunKind;
pub use redirect::{Destination, Part, Redirect, Sums};
pub(crate) use route::own_order;
pub use summary::Summary;
pub use traffic::Traffic;
pub use verify::{verify, verify_element_colours};

use crate::data::room;
use crate::inspect::LoopShape;
use blocks::Schedule;
use route::Conflicts;
use std::ops::Range;
use std::sync::OnceLock;

/// The inspector's finding about races.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Race {
    /// Elements share nothing that the loop modifies: it is reached directly, or is a row of children.
    Impossible,
    /// The maps were inspected: no two elements reach a common target.
    Disproved,
    /// Some elements share a target; colours keep them apart, or contributions are redirected.
    Coloured,
}

/// The schedule of one loop on one mesh, with the figures that belong to it.
#[derive(Debug, Clone)]
pub struct Plan {
    scheme: Scheme,
    race: Race,
    elements: usize,
    schedule: Schedule,
    redirect: Option<Redirect>,
    traffic: Traffic,
    reuse: OnceLock<f64>,
    element_colours: OnceLock<ElementColours>,
}

impl Plan {
    /// Inspects `shape` and cuts and colours it by `scheme`. A pure function of its arguments.
    ///
    /// The elements of a subset must be distinct, which the declaration of the subset checks.
    ///
    /// # Errors
    /// [`PlanError::Collision`] if an element would leave an undefined value, [`PlanError::EmptyBlock`] for a block size
    /// of 0, [`PlanError::Turns`] if contributions should be redirected and those of an argument cannot be, and the other
    /// variants for a shape that contradicts itself.
    pub fn build(shape: &LoopShape<'_>, scheme: Scheme) -> Result<Plan, PlanError> {
        let scheme = scheme.plan();
        let size = scheme.size;
        if size == 0 {
            return Err(PlanError::EmptyBlock);
        }
        let n = shape.elements.len() as u128;
        // For offsets, colours and the order of the blocks.
        has_room(12 * n.div_ceil(size as u128))?;
        let traffic = check(shape)?;
        let conflicts = Conflicts::of(shape);
        let race = race_found(shape, &conflicts)?;
        // Elements need a colour and a place in the order, contributions a place.
        let per_element = match scheme.resolution {
            Resolution::Colours => 8,
            resolution if resolution.redirects() => 4,
            _ => 0,
        };
        has_room(if race == Race::Coloured { per_element * n } else { 0 })?;
        if race != Race::Coloured {
            return Ok(Plan::of(shape, scheme, race, (blocks::one_colour(shape, size), None), traffic));
        }
        if let (true, Some(arg)) = (scheme.resolution.redirects(), fit::obstacle(shape, scheme)) {
            return Err(PlanError::Turns { arg });
        }
        let redirected = |(schedule, redirect)| (schedule, Some(redirect));
        let schedule = match scheme.resolution {
            Resolution::Blocks | Resolution::Atomics | Resolution::BlockAtomics | Resolution::Targets => {
                (blocks::coloured(shape, &conflicts, size), None)
            }
            Resolution::Colours => (blocks::by_element(shape, &conflicts, size), None),
            Resolution::Scatter => redirected(redirect::scatter(shape, size)?),
            Resolution::Tiles => redirected(redirect::tiles(shape, size)?),
            Resolution::Owner => redirected(owner::owner(shape, size)?),
        };
        Ok(Plan::of(shape, scheme, race, schedule, traffic))
    }

    /// Inspects `shape` and builds the plan by the scheme that [`predict`] chooses. Takes little longer than
    /// [`Plan::build`], since the inspection runs once for both.
    ///
    /// # Errors
    /// As [`Plan::build`].
    pub fn predicted(shape: &LoopShape<'_>, hardware: Hardware) -> Result<Plan, PlanError> {
        let traffic = check(shape)?;
        let conflicts = Conflicts::of(shape);
        let race = race_found(shape, &conflicts)?;
        let (scheme, schedule) = predict::choose(shape, &conflicts, race, hardware);
        Ok(Plan::of(shape, scheme, race, (schedule, None), traffic))
    }

    /// The plan by `scheme`, or by the one that [`predict`] chooses, of a loop that [needs no inspection](LoopShape::is_free): it moves
    /// `traffic`.
    pub(crate) fn at_once(
        shape: &LoopShape<'_>,
        scheme: Option<Scheme>,
        hardware: Hardware,
        traffic: Traffic,
    ) -> Result<Plan, PlanError> {
        let scheme = scheme.map_or_else(|| predict::without_races(shape, hardware), Scheme::plan);
        has_room(12 * (shape.elements.len() as u128).div_ceil(scheme.size as u128))?;
        let schedule = (blocks::one_colour(shape, scheme.size), None);
        Ok(Plan::of(shape, scheme, Race::Impossible, schedule, traffic))
    }

    fn of(
        shape: &LoopShape<'_>,
        scheme: Scheme,
        race: Race,
        (schedule, redirect): (Schedule, Option<Redirect>),
        traffic: Traffic,
    ) -> Plan {
        let (reuse, element_colours) = (OnceLock::new(), OnceLock::new());
        Plan { scheme, race, elements: shape.elements.len(), schedule, redirect, traffic, reuse, element_colours }
    }

    /// The scheme that the plan was built by.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The inspector's finding about races.
    pub fn race(&self) -> Race {
        self.race
    }

    /// Number of elements of the loop.
    pub fn len(&self) -> usize {
        self.elements
    }

    /// Number of positions. An element that several blocks run has a position in each.
    pub fn positions(&self) -> usize {
        self.schedule.offsets.last().map_or(0, |&end| end as usize)
    }

    /// Whether the loop has no elements.
    pub fn is_empty(&self) -> bool {
        self.elements == 0
    }

    /// The element at every position; `None` where position and element are the same number.
    #[inline]
    pub fn order(&self) -> Option<&[u32]> {
        self.schedule.order.as_deref()
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.schedule.offsets.len() - 1
    }

    /// Offsets of the blocks: block `b` is the positions `offsets[b]..offsets[b + 1]`. One entry more than blocks.
    #[inline]
    pub fn offsets(&self) -> &[u32] {
        &self.schedule.offsets
    }

    /// The positions of block `b`.
    ///
    /// # Panics
    /// If there is no block `b`.
    #[inline]
    pub fn block(&self, b: usize) -> Range<usize> {
        self.schedule.offsets[b] as usize..self.schedule.offsets[b + 1] as usize
    }

    /// Number of colours; 0 for an empty loop.
    #[inline]
    pub fn colours(&self) -> usize {
        self.schedule.colour_offsets.len() - 1
    }

    /// The blocks of `colour`, ascending. They may run at once.
    ///
    /// # Panics
    /// If there is no such colour.
    #[inline]
    pub fn blocks_of(&self, colour: usize) -> &[u32] {
        let range = self.schedule.colour_offsets[colour] as usize..self.schedule.colour_offsets[colour + 1] as usize;
        &self.schedule.blocks[range]
    }

    /// The places of redirected contributions; `None` if all go to their targets.
    pub fn redirect(&self) -> Option<&Redirect> {
        self.redirect.as_ref()
    }

    /// Bytes that one execution of the loop moves at least.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// Colours of the elements inside each block: elements of a block with the same colour share no
    /// target that the loop modifies. Computed on the first call, for executors that run elements
    /// of a block at once (shared-memory staging, vector packs).
    ///
    /// # Errors
    /// [`PlanError::OtherLoop`] if `shape` is evidently not the one that the plan was built from.
    pub fn element_colours(&self, shape: &LoopShape<'_>) -> Result<&ElementColours, PlanError> {
        self.same_loop(shape)?;
        Ok(self.element_colours.get_or_init(|| element::colour(self, &Conflicts::of(shape))))
    }

    /// Checks the plan, and its element colours where they were computed, by [`verify`].
    ///
    /// # Errors
    /// The first [`Violation`].
    pub fn verify(&self, shape: &LoopShape<'_>) -> Result<(), Violation> {
        verify(self, shape)?;
        self.element_colours.get().map_or(Ok(()), |colours| verify_element_colours(self, colours, shape))
    }

    fn same_loop(&self, shape: &LoopShape<'_>) -> Result<(), PlanError> {
        let found = shape.elements.len();
        if found == self.elements { Ok(()) } else { Err(PlanError::OtherLoop { expected: self.elements, found }) }
    }
}

/// Fails if the system is known to lack the memory for a table of the plan.
fn has_room(bytes: u128) -> Result<(), PlanError> {
    if room::has(bytes) { Ok(()) } else { Err(PlanError::NoMemory { bytes }) }
}

/// As [`race_of`], if there is memory for it and for the colouring: a mask for each target.
fn race_found(shape: &LoopShape<'_>, conflicts: &Conflicts<'_>) -> Result<Race, PlanError> {
    has_room(8 * conflicts.slots() as u128)?;
    Ok(race_of(shape, conflicts))
}

/// Inspects the maps for races. Ends at the first shared target, which is usually found early.
fn race_of(shape: &LoopShape<'_>, conflicts: &Conflicts<'_>) -> Race {
    if conflicts.is_empty() {
        Race::Impossible
    } else if conflicts.elements_meet(own_order(shape), shape.elements.len()) {
        Race::Coloured
    } else {
        Race::Disproved
    }
}

impl Race {
    /// The finding as a clause for reports.
    pub const fn describe(self) -> &'static str {
        match self {
            Race::Impossible => "elements share nothing that is modified",
            Race::Disproved => "no two elements meet, as the maps show",
            Race::Coloured => "elements meet and are kept apart",
        }
    }
}
