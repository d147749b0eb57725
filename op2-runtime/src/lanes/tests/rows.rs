use super::{Check, elems, on_all_widths};
use crate::data::layout::{Geometry, Layout};
use crate::data::value::{Elem, Value};
use crate::data::view::{MapView, View};
use crate::lanes::{Elems, Lanes, Leads, Rows, Spread, Width};
use std::marker::PhantomData;

const LAYOUTS: [Layout; 5] = [Layout::Aos, Layout::Soa, Layout::Blocked(0), Layout::Blocked(2), Layout::Blocked(4)];

/// Scalars that differ from one another, as far as the type allows.
trait Numbered: Elem {
    fn numbered(number: usize) -> Self;
}

macro_rules! numbered {
    ($($ty:ident)*) => {$(
        impl Numbered for $ty {
            fn numbered(number: usize) -> $ty {
                number as $ty + 1 as $ty
            }
        }
    )*};
}
numbered!(f32 f64 i32 u32 i64);

impl Numbered for bool {
    fn numbered(number: usize) -> bool {
        number.is_multiple_of(3) || number % 7 == 1
    }
}

/// The rows of `size` elements.
fn rows_of<T: Value<Elem: Numbered>>(size: usize) -> Vec<T> {
    let mut rows = vec![T::splat(T::Elem::default()); size];
    for (e, row) in rows.iter_mut().enumerate() {
        // SAFETY: any numbers are a row.
        let components = unsafe { row.components_mut() };
        components.iter_mut().enumerate().for_each(|(c, slot)| *slot = T::Elem::numbered(e * T::DIM + c));
    }
    rows
}

/// A dat between guards that must not be written.
pub(super) struct Guarded<T: Value> {
    scalars: Vec<T::Elem>,
    layout: Layout,
    size: usize,
}

impl<T: Value> Guarded<T> {
    const GUARD: usize = 64;

    pub(super) fn new(rows: &[T], layout: Layout) -> Self {
        let len = layout.scalars(rows.len(), T::DIM, size_of::<T::Elem>()) as usize;
        let scalars = vec![T::Elem::default(); len + 2 * Self::GUARD];
        let mut guarded = Guarded { scalars, layout, size: rows.len() };
        let view = guarded.view();
        for (e, row) in rows.iter().enumerate() {
            // SAFETY: the dat has so many elements.
            unsafe { view.store(e, row) };
        }
        guarded
    }

    pub(super) fn view(&mut self) -> View<T> {
        let geometry = self.geometry();
        View::new(self.scalars[Self::GUARD..].as_mut_ptr(), geometry)
    }

    fn geometry(&self) -> Geometry {
        self.layout.geometry(self.size, T::DIM, size_of::<T::Elem>())
    }

    pub(super) fn rows(&mut self) -> Vec<T> {
        let view = self.view();
        // SAFETY: the dat has so many elements.
        (0..self.size).map(|e| unsafe { view.load(e) }).collect()
    }

    #[track_caller]
    pub(super) fn guards_are_whole(&self) {
        let mut scalars = self.scalars.clone();
        for (e, c) in (0..self.size).flat_map(|e| (0..T::DIM).map(move |c| (e, c))) {
            scalars[Self::GUARD + self.geometry().offset(e, c)] = T::Elem::default();
        }
        assert!(scalars.into_iter().all(|scalar| scalar == T::Elem::default()), "written outside of the elements");
    }
}

struct RowsOf<T>(PhantomData<fn() -> T>);

macro_rules! check_rows {
    ($([$in_single:literal] $($ty:ty),*;)*) => {$($(
        impl Check for RowsOf<$ty> {
            const IN_SINGLE: bool = $in_single;
            fn check<W: Width>(&self, w: W) {
                check_all::<W, $ty>(w);
            }
        }
    )*)*
        #[test]
        fn rows_become_lanes_and_lanes_rows() {
            $($(on_all_widths(&RowsOf::<$ty>(PhantomData));)*)*
        }
    };
}
check_rows! {
    [false] f64, [f64; 1], [f64; 2], [f64; 3], [f64; 4], [f64; 5], [f64; 6], [f64; 7], [f64; 12], [[f64; 3]; 6];
    [true] f32, [f32; 2], [f32; 4], [f32; 7], [[f32; 2]; 3], i32, [u32; 3], [[i64; 2]; 2], bool, [bool; 3];
}

/// Both ways, with as little code as possible that is compiled for each width.
fn check_all<W: Width, T: Rows<W> + Value<Elem: Numbered>>(w: W) {
    for layout in LAYOUTS {
        for size in 1..=3 * W::LANES + 2 {
            check_gather(size, layout, &|view: View<T>, elems, map, found| {
                // SAFETY: the dat and the map have so many elements, and nobody writes to them.
                unsafe { gather_packs(w, view, elems.clone(), map, found) };
                // SAFETY: as above.
                unsafe { gather_packs(w, view.in_layout::<true>(), elems, map, found) };
            });
        }
        for positions in 0..=3 * W::LANES + 2 {
            check_scatter(positions, layout, &|view: View<T>, elems, source, streams| {
                // SAFETY: the dat has so many elements.
                unsafe { scatter_packs(w, view, elems, source, streams) };
            });
            check_scatter(positions, layout, &|view: View<T>, elems, source, streams| {
                // SAFETY: as above.
                unsafe { scatter_packs(w, view.in_layout::<true>(), elems, source, streams) };
            });
        }
    }
}

/// A lane of a gathered pack: its element by two ways, and its value by three.
struct Gathered<T> {
    elements: [usize; 2],
    values: [T; 3],
}

type Gather<'a, T> = &'a dyn Fn(View<T>, Elems<'_>, MapView<(), 1>, &mut Vec<Gathered<T>>);
type Scatter<'a, T> = &'a dyn Fn(View<T>, Elems<'_>, &[T], bool);

/// Direct reads of a range and of a list, and reads through a map.
fn check_gather<T: Value<Elem: Numbered>>(size: usize, layout: Layout, gather: Gather<'_, T>) {
    let scattered: Vec<u32> = (0..size as u32).map(|i| (i * 13 + 5) % size as u32).collect();
    // Packs with consecutive targets, and one that has them at its ends alone.
    let in_runs: Vec<u32> = (0..size as u32).map(|i| if i == 1 { 0 } else { i }).collect();
    let rows = rows_of::<T>(size);
    let mut dat = Guarded::new(&rows, layout);
    let view = dat.view();
    for list in [&scattered, &in_runs] {
        let map = MapView::<(), 1>::new(Some((0, list.as_ptr())));
        for listed in [None, Some(&list[..])] {
            let mut found = Vec::new();
            gather(view, elems(size, listed), map, &mut found);
            assert!(found.len() >= 2 * size);
            for Gathered { elements: [element, same], values } in found {
                assert_eq!(element, same);
                let is_its = |value: &T| *value == rows[element];
                assert!(values.iter().all(is_its), "{layout:?}, {element} of {size}: {values:?}");
            }
        }
    }
}

/// # Safety
/// The elements, and the targets of the map, are elements of the view.
unsafe fn gather_packs<W: Width, T: Rows<W> + Value, const SOA: bool>(
    w: W,
    view: View<T, SOA>,
    mut elems: Elems<'_>,
    map: MapView<(), 1>,
    found: &mut Vec<Gathered<T>>,
) {
    while let Some(pack) = elems.pack(w) {
        // SAFETY: passed on to the caller.
        unsafe {
            let (direct, mut entries) = (pack.direct(), map.entries_of(w));
            note(w, view, &direct, &view.gather(w, &direct), found);
            let targets = map.target_of(&pack, 0, &mut entries);
            note(w, view, &targets, &view.gather(w, &targets), found);
        }
    }
}

fn note<W: Width, T: Rows<W> + Value, const SOA: bool>(
    w: W,
    view: View<T, SOA>,
    at: &impl Leads,
    lanes: &<T as Spread<W>>::Lanes,
    found: &mut Vec<Gathered<T>>,
) {
    let elements = at.elements(w);
    let start = found.len();
    push_rows(w, view, lanes, found);
    for (lane, gathered) in found[start..].iter_mut().enumerate() {
        gathered.elements = [elements.as_ref()[lane], at.element(lane)];
    }
}

fn push_rows<W: Width, T: Rows<W> + Value, const SOA: bool>(
    w: W,
    view: View<T, SOA>,
    lanes: &<T as Spread<W>>::Lanes,
    found: &mut Vec<Gathered<T>>,
) {
    let (rows, by_memory) = (view.rows(w, lanes), view.rows_in_memory(w, lanes));
    for (lane, (row, by_memory)) in rows.as_ref().iter().zip(by_memory.as_ref()).enumerate() {
        found.push(Gathered { elements: [0; 2], values: [lanes.lane(lane), *row, *by_memory] });
    }
}

/// Direct writes to a range, and to a list that leaves elements out.
fn check_scatter<T: Value<Elem: Numbered>>(positions: usize, layout: Layout, scatter: Scatter<'_, T>) {
    let size = 2 * positions + 1;
    let source = rows_of::<T>(2 * size).split_off(size);
    let list: Vec<u32> = (0..positions as u32).map(|i| if i % 16 < 9 { i } else { 2 * i + 1 }).collect();
    for list in [None, Some(&list[..])] {
        let mut expected = rows_of::<T>(size);
        let mut dat = Guarded::new(&expected, layout);
        let elems = elems(positions, list);
        elems.clone().for_each(|(_, element)| expected[element] = source[element]);
        scatter(dat.view(), elems, &source, positions.is_multiple_of(2));
        assert_eq!(dat.rows(), expected, "{layout:?}, {positions} positions");
        dat.guards_are_whole();
    }
}

/// # Safety
/// The elements are elements of the view.
unsafe fn scatter_packs<W: Width, T: Rows<W> + Value, const SOA: bool>(
    w: W,
    view: View<T, SOA>,
    mut elems: Elems<'_>,
    source: &[T],
    streams: bool,
) {
    while let Some(pack) = elems.pack(w) {
        let elements = pack.direct().elements(w);
        let lanes: <T as Spread<W>>::Lanes = crate::lanes::each(w, |lane| source[elements.as_ref()[lane]]);
        // SAFETY: passed on to the caller.
        unsafe { view.write(w, &pack.direct(), pack.len(), &lanes, streams) };
    }
}
