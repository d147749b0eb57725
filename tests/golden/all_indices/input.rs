//! The indices of all entries of a map: users' numbers of entries that may be missing, and elements.

#[op2::kernel]
fn claim(f: u32, g: [Option<u32>; 3], c: [Idx<Verts>; 3], mine: &mut [bool; 3], own: &mut u32) {
    *own = 0;
    for i in 0..3 {
        mine[i] = f < g[i].unwrap_or(u32::MAX) && c[i] != c[(i + 1) % 3];
        *own += u32::from(mine[i]);
    }
}

fn run(op: &mut Op2) -> Result<()> {
    op_par_loop!(op, claim, facets, idx(), idx(fa[..]), idx(fv[..]), write(mine), write(own))
}
