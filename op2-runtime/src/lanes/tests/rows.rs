use super::{Check, elems, on_all_widths};
use crate::data::layout::Layout;
use crate::data::value::{Elem, Value};
use crate::data::view::{MapView, View};
use crate::lanes::{Lanes, Leads, Rows, Spread, Width};
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
        row.components_mut().iter_mut().enumerate().for_each(|(c, slot)| *slot = T::Elem::numbered(e * T::DIM + c));
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
        let scalars = vec![T::Elem::default(); layout.scalars(rows.len(), T::DIM) as usize + 2 * Self::GUARD];
        let mut guarded = Guarded { scalars, layout, size: rows.len() };
        let view = guarded.view();
        for (e, row) in rows.iter().enumerate() {
            // SAFETY: the dat has so many elements.
            unsafe { view.store(e, row) };
        }
        guarded
    }

    pub(super) fn view(&mut self) -> View<T> {
        let geometry = self.layout.geometry(self.size, T::DIM);
        View::new(self.scalars[Self::GUARD..].as_mut_ptr(), geometry)
    }

    pub(super) fn rows(&mut self) -> Vec<T> {
        let view = self.view();
        // SAFETY: the dat has so many elements.
        (0..self.size).map(|e| unsafe { view.load(e) }).collect()
    }

    #[track_caller]
    pub(super) fn guards_are_whole(&self) {
        let len = self.scalars.len();
        let guards = self.scalars[..Self::GUARD].iter().chain(&self.scalars[len - Self::GUARD..]);
        assert!(guards.copied().all(|scalar| scalar == T::Elem::default()), "written outside of the dat");
    }
}

struct RowsOf<T>(PhantomData<fn() -> T>);

macro_rules! check_rows {
    ($($ty:ty),* $(,)?) => {$(
        impl Check for RowsOf<$ty> {
            fn check<W: Width>(&self, w: W) {
                check_all::<W, $ty>(w);
            }
        }
    )*
        #[test]
        fn rows_become_lanes_and_lanes_rows() {
            $(on_all_widths(&RowsOf::<$ty>(PhantomData));)*
        }
    };
}
check_rows![
    f64,
    [f64; 1],
    [f64; 2],
    [f64; 3],
    [f64; 4],
    [f64; 5],
    [f64; 6],
    [f64; 7],
    [f64; 12],
    [[f64; 3]; 6],
    f32,
    [f32; 2],
    [f32; 4],
    [f32; 7],
    [[f32; 2]; 3],
    i32,
    [u32; 3],
    [[i64; 2]; 2],
    bool,
    [bool; 3],
];

fn check_all<W: Width, T: Rows<W> + Value<Elem: Numbered>>(w: W) {
    for layout in LAYOUTS {
        for size in 1..=3 * W::LANES + 2 {
            let list: Vec<u32> = (0..size as u32).map(|i| (i * 13 + 5) % size as u32).collect();
            check_gather::<W, T>(w, size, layout, &list);
        }
        for positions in 0..=3 * W::LANES + 2 {
            check_scatter::<W, T>(w, positions, layout);
        }
    }
}

/// Direct reads of a range and of a list, and reads through a map.
fn check_gather<W: Width, T: Rows<W> + Value<Elem: Numbered>>(w: W, size: usize, layout: Layout, list: &[u32]) {
    let rows = rows_of::<T>(size);
    let mut dat = Guarded::new(&rows, layout);
    let view = dat.view();
    let map = MapView::<(), 1>::new(Some((0, list.as_ptr())));
    for list in [None, Some(list)] {
        let mut elems = elems(size, list);
        while let Some(pack) = elems.pack(w) {
            // SAFETY: the dat and the map have so many elements, and nobody writes to them.
            unsafe {
                gathered(w, view, &pack.direct(), &rows);
                let mut entries = map.entries_of(w);
                gathered(w, view, &map.target_of(&pack, 0, &mut entries), &rows);
            }
        }
    }
}

/// # Safety
/// The targets are elements of the view.
unsafe fn gathered<W: Width, T: Rows<W> + Value<Elem: Numbered>>(w: W, view: View<T>, at: &impl Leads, rows: &[T]) {
    // SAFETY: passed on to the caller.
    let lanes = unsafe { view.gather(w, at) };
    let back = view.rows(w, &lanes);
    let by_memory = view.rows_in_memory(w, &lanes);
    for (lane, &element) in at.elements(w).as_ref().iter().enumerate() {
        assert_eq!(element, at.element(lane));
        assert_eq!(lanes.lane(lane), rows[element], "{} elements, {} lanes", rows.len(), W::LANES);
        assert_eq!(back.as_ref()[lane], rows[element]);
        assert_eq!(by_memory.as_ref()[lane], rows[element]);
    }
}

/// Direct writes to a range, and to a list that leaves elements out.
fn check_scatter<W: Width, T: Rows<W> + Value<Elem: Numbered>>(w: W, positions: usize, layout: Layout) {
    let size = 2 * positions + 1;
    let source = rows_of::<T>(2 * size).split_off(size);
    let list: Vec<u32> = (0..positions as u32).map(|i| if i % 16 < 9 { i } else { 2 * i + 1 }).collect();
    for list in [None, Some(&list[..])] {
        let mut expected = rows_of::<T>(size);
        let mut dat = Guarded::new(&expected, layout);
        let view = dat.view();
        let mut elems = elems(positions, list);
        elems.clone().for_each(|(_, element)| expected[element] = source[element]);
        while let Some(pack) = elems.pack(w) {
            let elements = pack.direct().elements(w);
            let lanes: <T as Spread<W>>::Lanes = crate::lanes::each(w, |lane| source[elements.as_ref()[lane]]);
            let streams = positions.is_multiple_of(2);
            // SAFETY: the dat has so many elements.
            unsafe { view.write(w, &pack.direct(), pack.len(), &lanes, streams) };
        }
        assert_eq!(dat.rows(), expected, "{layout:?}, {positions} positions, {} lanes", W::LANES);
        dat.guards_are_whole();
    }
}
