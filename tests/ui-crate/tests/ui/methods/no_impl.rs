//! The declaration says that there are methods, but no `impl` has the attribute.
#[op2::record(methods)]
struct State {
    rho: f64,
}

impl State {
    fn twice(&self) -> f64 {
        2.0 * self.rho
    }
}

#[op2::kernel]
fn double(q: &mut State) {
    q.rho = q.twice();
}

fn main() {}
