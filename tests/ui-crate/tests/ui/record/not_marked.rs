//! A struct without the attribute is no type of the kernel language.
struct State {
    rho: f64,
}

#[op2::kernel]
fn weight(state: &State, w: &mut f64) {
    *w = state.rho;
}

fn main() {}
