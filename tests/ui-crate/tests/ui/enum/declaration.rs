//! Enums that the kernel language lacks.
#[op2::record]
enum Flux {
    Roe,
    Upwind(f64),
}

#[op2::record]
enum Border {
    WALL = 1,
    Far = 300,
}

#[op2::record]
enum Never {}

fn main() {}
