//! No handle turns into one of a subtype of its types.
use op2::prelude::*;
use op2::{Constant, Subset};

type General = for<'a> fn(&'a u8);
type Single = fn(&'static u8);

struct Tag;

fn set(set: Set<General>) -> Set<Single> {
    set
}

fn subset(subset: Subset<General>) -> Subset<Single> {
    subset
}

fn map_from(map: Map<General, Tag, 2>) -> Map<Single, Tag, 2> {
    map
}

fn map_to(map: Map<Tag, General, 2>) -> Map<Tag, Single, 2> {
    map
}

fn dat_on(dat: Dat<General, f64>) -> Dat<Single, f64> {
    dat
}

fn dat_of(dat: Dat<Tag, General>) -> Dat<Tag, Single> {
    dat
}

fn constant(constant: &Constant<General>) -> &Constant<Single> {
    constant
}

fn main() {}
