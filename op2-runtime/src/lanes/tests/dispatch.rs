use super::{Check, MANY, elems, on_all_widths, vector_isas};
use crate::isa::Isa;
use crate::lanes::Elems;
use crate::lanes::{Vector, Width};
use std::marker::PhantomData;

#[test]
fn instruction_sets_have_names() {
    for isa in [Isa::Scalar, Isa::Baseline, Isa::Avx2, Isa::Avx512] {
        assert_eq!(isa.to_string().parse(), Ok(isa));
    }
    let error = "sse9".parse::<Isa>().unwrap_err();
    assert_eq!(error.to_string(), "expected `scalar`, `baseline`, `avx2` or `avx512`, found `sse9`");
}

#[test]
fn available_ones_are_in_order_and_end_with_the_best() {
    let all = Isa::available();
    assert_eq!((all[0], all.last().copied()), (Isa::Scalar, Some(Isa::best())));
    assert!(all.is_sorted() && all.contains(&Isa::Baseline));
}

/// Returns the number of lanes and the bits of the vectors of a width.
struct Shape<T, const SCALARS: usize>(PhantomData<fn() -> T>);

impl<T: crate::lanes::FloatLane, const SCALARS: usize> Vector for Shape<T, SCALARS> {
    type Wide = T;
    type Out = (usize, &'static str);
    const SCALARS: usize = SCALARS;
    #[inline(always)]
    fn run<W: Width, const SOA: bool>(&self, _w: W, _elems: Elems<'_>, _part: Self::Out) -> Self::Out {
        (W::LANES, std::any::type_name::<W>())
    }
}

#[test]
fn a_body_runs_by_the_instructions_that_are_asked_for() {
    for isa in vector_isas() {
        let (doubles, of) = isa.run(&Shape::<f64, 64>(PhantomData), elems(0, None), (0, ""));
        let (singles, _) = isa.run(&Shape::<f32, 64>(PhantomData), elems(0, None), (0, ""));
        assert_eq!((doubles, singles), (isa.lanes(8, 64), isa.lanes(4, 64)));
        assert_eq!(singles, 2 * doubles);
        let (few, of_few) = isa.run(&Shape::<f64, MANY>(PhantomData), elems(0, None), (0, ""));
        assert_eq!(few, isa.lanes(8, MANY));
        assert!(few == 4 && of_few.contains("Four"), "{isa}: {of_few}");
        let token = match isa {
            Isa::Avx512 => "Avx512",
            Isa::Avx2 => "Avx2",
            _ if cfg!(target_arch = "x86_64") => "Sse2",
            _ => "",
        };
        assert!(of.contains(token), "{isa}: {of}");
    }
    assert_eq!(Isa::Scalar.lanes(8, 1), 1);
    assert_eq!((Isa::Avx512.lanes(8, 64), Isa::Avx512.lanes(8, 65)), (8, 4));
}

#[test]
fn arrays_have_one_value_for_each_lane() {
    struct Each;
    impl Check for Each {
        fn check<W: Width>(&self, w: W) {
            let squares = w.each(|lane| lane * lane);
            assert_eq!(squares.as_ref().len(), W::LANES);
            assert!(squares.as_ref().iter().enumerate().all(|(lane, &square)| square == lane * lane));
        }
    }
    on_all_widths(&Each);
}
