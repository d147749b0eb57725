//! Names that mean something else than the kernel language takes them for.

use other::Idx;

op2::sets! { Verts }

mod other {
    pub type Idx<S> = (S, u32);
}

#[op2::device_fn]
fn same(a: Idx<Verts>, b: Idx<Verts>) -> bool {
    a == b
}

mod shadowed {
    use op2::Idx;

    op2::sets! { Verts }

    #[allow(non_snake_case)]
    fn Some(_: Idx<Verts>) -> Option<Idx<Verts>> {
        None
    }

    #[op2::device_fn]
    fn wrapped(a: Idx<Verts>) -> Option<Idx<Verts>> {
        Some(a)
    }
}

fn main() {}
