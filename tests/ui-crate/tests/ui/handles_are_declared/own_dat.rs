//! A type of the user's that says of a dat that it has longer rows than were declared.
use op2::__private::DatOn;
use op2::prelude::*;

op2::sets! { pub Nodes }

#[derive(Clone, Copy)]
struct Longer(Dat<Nodes, f64>);

impl DatOn<Nodes> for Longer {
    type Handle = Dat<Nodes, [f64; 100]>;

    fn id(self) -> op2::__private::Id {
        DatOn::<Nodes>::id(self.0)
    }
}

fn main() {}
