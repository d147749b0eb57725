//! Pairs that were declared, and the grids by which they are found.

use super::handle::{Dat, End, Id};
use super::{DatStore, MapStore, Mesh, Object};
use crate::data::value::Value;
use crate::data::view::Invariant;
use crate::error::{Error, Result};
use crate::pairs::{Bounds, Extent, Grid, Space};
use std::any::Any;
use std::marker::PhantomData;
use std::time::Instant;

/// The rule of pairs: two elements are a pair if their boxes meet. [`Op2::decl_pairs`](crate::Op2::decl_pairs) takes it.
///
/// A dat says where each element is, by a point or by several points whose box counts ([`Bounds`]). Boxes that touch meet.
#[derive(Debug)]
pub struct Within<F, T, const D: usize> {
    ends: [(Id, Boxes<D>); 2],
    margin: f64,
    period: Option<[f64; D]>,
    cell: Option<f64>,
    tag: Invariant<(F, T)>,
}

impl<F, T, const D: usize> Within<F, T, D> {
    /// The dats of the rule.
    pub(crate) fn dats(&self) -> [Id; 2] {
        self.ends.map(|(dat, _)| dat)
    }

    /// Elements whose boxes meet. Pairs lead from the set of the first dat to that of the second one; both may be one set, whose
    /// elements then meet themselves, too.
    pub fn boxes<A: Value + Bounds<D>, B: Value + Bounds<D>>(from: Dat<F, A>, to: Dat<T, B>) -> Self {
        let ends = [(from.id, boxes_of::<A, D>()), (to.id, boxes_of::<B, D>())];
        Within { ends, margin: 0.0, period: None, cell: None, tag: PhantomData }
    }

    /// Boxes also meet if they are no further than this apart in every direction.
    #[must_use]
    pub fn margin(self, margin: f64) -> Self {
        Within { margin, ..self }
    }

    /// The space is periodic. A pair occurs once for each of its periodic images that meet, several times where the margin is wider
    /// than the space; `shift()` tells which one it is. Coordinates need not lie in the first period.
    #[must_use]
    pub fn periodic(self, period: [f64; D]) -> Self {
        Within { period: Some(period), ..self }
    }

    /// The edge of the cells in which candidates are looked up, instead of one that follows from the sizes of boxes. It changes the
    /// time of the search and the order in which partners come, nothing else.
    #[must_use]
    pub fn cell(self, edge: f64) -> Self {
        Within { cell: Some(edge), ..self }
    }
}

/// A function that reads the boxes of all elements from a dat, in the order of the user's numbers.
type Boxes<const D: usize> = fn(&Mesh, usize) -> Result<Vec<Extent<D>>>;

/// The function for dats of a type.
fn boxes_of<V: Value + Bounds<D>, const D: usize>() -> Boxes<D> {
    |mesh, dat| {
        let rows = mesh.rows::<V>(dat)?;
        Ok(rows.iter().map(Bounds::extent).collect())
    }
}

/// Declared pairs.
pub(crate) struct PairsStore {
    pub(crate) name: String,
    /// The sets that they lead from and to.
    pub(crate) ends: [usize; 2],
    /// The dimensions of the space.
    pub(crate) dimensions: usize,
    /// A [`Search`], in its number of dimensions.
    search: Box<dyn Any + Send + Sync>,
}

/// What makes two elements a pair.
enum Rule<const D: usize> {
    /// The boxes that these dats have meet.
    Boxes([(usize, Boxes<D>); 2]),
    /// The row of one in this map leads to the other. There are no dimensions.
    Rows(usize),
}

/// The rule of pairs, and the grids that were made by it.
struct Search<const D: usize> {
    rule: Rule<D>,
    space: Space<D>,
    /// By the side that is inside, with the state of the dats that it was made of.
    grids: [Option<(Stamp, Grid<D>)>; 2],
}

/// The values and the numbering of two dats.
pub(crate) type Stamp = [(u64, u32); 2];

/// A grid that is up to date.
pub(crate) struct Searched<'a, const D: usize> {
    pub(crate) grid: &'a Grid<D>,
    /// Seconds that it took to make, if it was made now.
    pub(crate) seconds: Option<f64>,
}

impl Mesh {
    /// Declares pairs.
    pub(crate) fn add_pairs<F, T, const D: usize>(&mut self, name: &str, rule: &Within<F, T, D>) -> Result<usize> {
        let wrong = |reason: String| Error::Pairs { pairs: name.to_owned(), reason };
        let Within { ends: [from, to], margin, period, cell, tag: _ } = rule;
        if !(margin.is_finite() && *margin >= 0.0) {
            return Err(wrong(format!("the margin is {margin}, expected a distance of 0 or more")));
        }
        if let Some(period) = period
            && !period.iter().all(|length| length.is_finite() && *length > 0.0)
        {
            return Err(wrong(format!("the period is {period:?}, expected lengths above 0")));
        }
        if let Some(period) = period
            && let Some(length) = period.iter().find(|length| *margin > WIDEST * **length)
        {
            let reason = format!("the margin is {margin}, expected at most {WIDEST} periods of {length}");
            return Err(wrong(reason));
        }
        if let Some(cell) = cell
            && !(cell.is_finite() && *cell > 0.0)
        {
            return Err(wrong(format!("the edge of a cell is {cell}, expected a length above 0")));
        }
        let dats = [(self.index(from.0, "dat")?, from.1), (self.index(to.0, "dat")?, to.1)];
        let space = Space { margin: *margin, period: *period, cell: *cell, from_inside: false };
        let search = Search { rule: Rule::Boxes(dats), space, grids: [None, None] };
        for end in [End::From, End::To] {
            search.boxes(self, name, dats[end as usize])?;
        }
        let ends = dats.map(|(dat, _)| self.dats[dat].set);
        self.pairs.push(PairsStore { name: name.to_owned(), ends, dimensions: D, search: Box::new(search) });
        Ok(self.pairs.len() - 1)
    }

    /// Declares the pairs of a map whose rows have any length.
    pub(crate) fn add_row_pairs(&mut self, map: usize) -> usize {
        let MapStore { name, from, to, .. } = &*self.maps[map];
        let space = Space { margin: 0.0, period: None, cell: None, from_inside: false };
        let search = Box::new(Search::<0> { rule: Rule::Rows(map), space, grids: [None, None] });
        self.pairs.push(PairsStore { name: name.clone(), ends: [*from, *to], dimensions: 0, search });
        self.pairs.len() - 1
    }

    /// The dats by whose values pairs are found, if they are found by values.
    pub(crate) fn dats_of_pairs<const D: usize>(&self, pairs: usize) -> Option<[usize; 2]> {
        match &self.pairs[pairs].search::<D>().rule {
            Rule::Boxes(dats) => Some(dats.map(|(dat, _)| dat)),
            Rule::Rows(_) => None,
        }
    }

    /// The grid with one side inside, if it was made, for whatever values.
    pub(crate) fn last_grid<const D: usize>(&self, pairs: usize, inside: End) -> Option<&(Stamp, Grid<D>)> {
        self.pairs[pairs].search::<D>().grids[inside as usize].as_ref()
    }

    /// The grid with one side inside, made anew if the dats of the rule have changed.
    pub(crate) fn searched<const D: usize>(&mut self, pairs: usize, inside: End) -> Result<Searched<'_, D>> {
        let search = self.pairs[pairs].search::<D>();
        let stamp = match &search.rule {
            Rule::Boxes(dats) => dats.map(|(dat, _)| (self.dats[dat].changes(), self.version(Object::Dat(dat)))),
            Rule::Rows(map) => [(0, self.version(Object::Map(*map))); 2],
        };
        let known = search.grids[inside as usize].as_ref().is_some_and(|(of, _)| *of == stamp);
        let mut seconds = None;
        if !known {
            let start = Instant::now();
            let grid = search.grid(self, &self.pairs[pairs].name, inside)?;
            self.pairs[pairs].search_mut::<D>().grids[inside as usize] = Some((stamp, grid));
            seconds = Some(start.elapsed().as_secs_f64());
        }
        match self.last_grid(pairs, inside) {
            Some((_, grid)) => Ok(Searched { grid, seconds }),
            None => unreachable!("a grid was made"),
        }
    }
}

impl PairsStore {
    /// The map whose rows these pairs are, if they are.
    pub(crate) fn rows(&self) -> Option<usize> {
        match self.search.downcast_ref::<Search<0>>()?.rule {
            Rule::Rows(map) => Some(map),
            Rule::Boxes(_) => None,
        }
    }

    fn search<const D: usize>(&self) -> &Search<D> {
        self.search.downcast_ref().expect(TYPED)
    }

    fn search_mut<const D: usize>(&mut self) -> &mut Search<D> {
        self.search.downcast_mut().expect(TYPED)
    }
}

/// The reason why a downcast cannot fail.
const TYPED: &str = "a typed handle leads to pairs of its dimensions";

/// The most periods that a position may lie away from 0. Further away, rounding would decide which images meet.
const MOST_PERIODS: f64 = 1e6;
/// Wider boxes and margins, in periods, are refused: they would meet every element a million times.
const WIDEST: f64 = 1e3;

impl<const D: usize> Search<D> {
    /// The boxes of a side, in the order of the user's numbers.
    fn boxes(&self, mesh: &Mesh, name: &str, (dat, read): (usize, Boxes<D>)) -> Result<Vec<Extent<D>>> {
        let boxes = read(mesh, dat)?;
        let wrong = |element: usize, reason: String| {
            let DatStore { name: dat, .. } = &mesh.dats[dat];
            let reason = format!("element {element} of dat `{dat}` {reason}");
            Err(Error::Pairs { pairs: name.to_owned(), reason })
        };
        for (element, extent) in boxes.iter().enumerate() {
            let coordinates = || extent.iter().flatten();
            if let Some(x) = coordinates().find(|x| !x.is_finite()) {
                return wrong(element, format!("lies at {x}, expected finite coordinates"));
            }
            let Some(period) = self.space.period else { continue };
            if let Some((x, length)) =
                coordinates().zip(period.iter().cycle()).find(|(x, length)| x.abs() > MOST_PERIODS * **length)
            {
                let reason =
                    format!("lies at {x}, more than {MOST_PERIODS} periods of {length} away: bring it nearer to 0");
                return wrong(element, reason);
            }
            let mut widths = (0..D).map(|c| (extent[1][c] - extent[0][c], period[c]));
            if let Some((width, length)) = widths.find(|(width, length)| *width > WIDEST * length) {
                return wrong(element, format!("is {width} wide, expected at most {WIDEST} periods of {length}"));
            }
        }
        Ok(boxes)
    }

    fn grid(&self, mesh: &Mesh, name: &str, inside: End) -> Result<Grid<D>> {
        let outside = inside.other();
        let dats = match &self.rule {
            Rule::Boxes(dats) => dats,
            Rule::Rows(map) => return of_rows(mesh, name, *map, inside),
        };
        let numbers = |end: End| {
            let set = &mesh.sets[mesh.dats[dats[end as usize].0].set];
            move |user: usize| set.inner(user)
        };
        let [outer, inner] = [outside, inside].map(|end| self.boxes(mesh, name, dats[end as usize]));
        let (outer, inner) = (outer?, inner?);
        let space = Space { from_inside: inside == End::From, ..self.space };
        Grid::new(name, space, (&outer, &numbers(outside)), (&inner, &numbers(inside)))
    }
}

/// The rows of a map, or for each target the elements whose rows lead to it, by the user's numbers. So the order of partners does not
/// depend on inner numbers.
fn of_rows<const D: usize>(mesh: &Mesh, name: &str, map: usize, inside: End) -> Result<Grid<D>> {
    let store = &mesh.maps[map];
    let (from, to) = (&mesh.sets[store.from], &mesh.sets[store.to]);
    let rows = mesh.through(map, 0..store.arity);
    match inside {
        End::To => Grid::of_rows(name, from.size, rows.entries.len(), |see| {
            (0..from.size).for_each(|e| rows.entries_of(e).iter().for_each(|entry| see(e, *entry)));
        }),
        End::From => Grid::of_rows(name, to.size, rows.entries.len(), |see| {
            let users = (0..from.size).map(|user| from.inner(user));
            users.for_each(|e| rows.entries_of(e).iter().for_each(|entry| see(*entry as usize, e as u32)));
        }),
    }
}
