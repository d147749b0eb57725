//! A dat holds records whose scalars have one type, and no indices.
#[op2::record]
struct Hit {
    at: f64,
    found: bool,
}

#[op2::record]
struct Place {
    cell: usize,
}

#[op2::kernel]
fn search(hit: &mut Hit, place: &Place, by_value: Hit) {
    hit.at = place.cell as f64;
}

fn main() {}
