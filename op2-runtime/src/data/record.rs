//! Records as generated code sees them: pairs of a field and the rest.
//!
//! A record of the user is its scalars in a row ([`Value`]), and so are pairs of the same fields. Bodies of loops written anew, in
//! lanes and in stages, cannot name the user's type and work on pairs.

use super::value::Value;
use super::view::View;

/// A field of a record, and the other fields behind it: a record `{ a, b, c }` is `Pair(a, Pair(b, c))`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct Pair<A, B>(pub A, pub B);

// SAFETY: both are scalars of one type in a row, and so there is no padding between them or behind them.
unsafe impl<A: Value, B: Value<Elem = A::Elem>> Value for Pair<A, B> {
    type Elem = A::Elem;
    const DIM: usize = A::DIM + B::DIM;
    #[inline(always)]
    fn splat(component: A::Elem) -> Self {
        Pair(A::splat(component), B::splat(component))
    }
}

/// A record of the user.
pub trait Record {}

/// A value of which any scalars are a valid one.
///
/// # Safety
/// As it says.
pub unsafe trait Plain: Value {}

// SAFETY: any scalar is one.
unsafe impl<T: Value<Elem = T> + super::value::Elem> Plain for T {}
// SAFETY: as its items.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}
// SAFETY: as its parts.
unsafe impl<A: Plain, B: Plain<Elem = A::Elem>> Plain for Pair<A, B> {}

/// The view of a dat of records, its rows seen as pairs.
#[inline(always)]
pub fn shaped<A: Value, B: Plain>(view: View<A>) -> View<B> {
    alike::<A, B>();
    view.seen_as()
}

/// A record seen as pairs.
#[inline(always)]
pub fn shape<A: Value, B: Plain>(record: &A) -> &B {
    alike::<A, B>();
    // SAFETY: both are equally many scalars of one type in a row, and any scalars are a valid `B`.
    unsafe { &*std::ptr::from_ref(record).cast() }
}

/// A record seen as pairs, to be changed.
///
/// # Safety
/// The scalars that are written are a valid `A`.
#[inline(always)]
pub unsafe fn shape_mut<A: Value, B: Plain>(record: &mut A) -> &mut B {
    alike::<A, B>();
    // SAFETY: as in `shape`; the caller sees to it that the record stays valid.
    unsafe { &mut *std::ptr::from_mut(record).cast() }
}

/// Compiles if both types have the same scalars.
const fn alike<A: Value, B: Value>() {
    const {
        assert!(
            A::DIM == B::DIM && size_of::<A>() == size_of::<B>(),
            "the record is another one than that of the kernel"
        );
        assert!(<A::Elem as super::value::Elem>::TYPE as u8 == <B::Elem as super::value::Elem>::TYPE as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `#[op2::record]` writes it.
    #[derive(Debug, Clone, Copy, PartialEq)]
    #[repr(C)]
    struct State {
        rho: f64,
        u: [f64; 3],
        p: f64,
    }

    // SAFETY: five scalars in a row.
    unsafe impl Value for State {
        type Elem = f64;
        const DIM: usize = 5;
        fn splat(component: f64) -> Self {
            State { rho: component, u: [component; 3], p: component }
        }
    }

    type Seen = Pair<f64, Pair<[f64; 3], f64>>;

    #[test]
    fn pairs_have_the_scalars_of_the_record() {
        let mut state = State { rho: 1.0, u: [2.0, 3.0, 4.0], p: 5.0 };
        assert_eq!(*shape::<State, Seen>(&state), Pair(1.0, Pair([2.0, 3.0, 4.0], 5.0)));
        // SAFETY: any scalars are a `State`.
        unsafe { shape_mut::<State, Seen>(&mut state) }.1.0[1] = 9.0;
        assert_eq!(state.u, [2.0, 9.0, 4.0]);
        assert_eq!(Seen::DIM, 5);
        assert_eq!(Seen::splat(7.0).components(), [7.0; 5]);
    }
}
