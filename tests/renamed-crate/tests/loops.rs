//! Loops of a crate that knows op2 by another name give what they give elsewhere.

use mesh::prelude::*;
use op2_test_renamed::run;

#[test]
fn loops_run() {
    for backend in [Backend::Seq, Backend::Threads(2)] {
        let (x, greatest) = run(Config::default().backend(backend)).expect("the program is valid");
        assert_eq!((x, greatest), (vec![14.0, 4.0 - 5.0 + 20.0, 4.0 - 10.0], Some((4.0, 0))), "{backend:?}");
    }
}
