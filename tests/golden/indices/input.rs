//! Indices as values: maps that are read and written like dats, elements that are compared with their entries.

#[op2::kernel]
fn reattach(
    me: Idx<Facets>,
    goal: [&Option<Idx<Facets>>; 2],
    corners: &[Idx<Verts>; 3],
    tip: Idx<Verts>,
    next: &mut [Option<Idx<Facets>>; 2],
    turns: &mut u32,
) {
    for i in 0..2 {
        next[i] = match *goal[i] {
            Some(other) if other == me => None,
            Some(other) => Some(other),
            None => next[1 - i],
        };
    }
    if corners[0] == tip || next[0].is_none() {
        *turns += 1;
    }
}

fn run(op: &mut Op2) -> Result<()> {
    op_par_loop!(
        op,
        reattach,
        facets,
        idx(),
        read(goal, beside[..]),
        read(corners),
        idx(corners[2]),
        rw(next),
        gbl_inc(turns)
    )
}
