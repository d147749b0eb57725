//! A global is asked for by the type that it was declared with: a function for every lifetime is no function for one.
use op2::prelude::*;

type General = for<'a> fn(&'a u8);
type Single = fn(&'static u8);

fn narrowed(global: Global<General>) -> Global<Single> {
    global
}

fn widened(global: Global<Single>) -> Global<General> {
    global
}

fn main() {}
