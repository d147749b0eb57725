//! Tables: a walk from facet to facet round a vertex, whose end nobody knows before.

#[op2::kernel]
fn around(
    first: &Option<Idx<Facets>>,
    beside: &Table<Facets, [Option<Idx<Facets>>; 3]>,
    area: &Table<Facets, f64>,
    patch: &mut f64,
) {
    *patch = 0.0;
    let mut next = *first;
    while let Some(facet) = next {
        *patch += area.at(facet);
        let other = beside.at(facet)[1];
        next = if other == *first { None } else { other };
    }
}

fn run(op: &mut Op2) -> Result<()> {
    op_par_loop!(op, around, verts, read(first), read(beside, all), read(area, all), write(patch))
}
