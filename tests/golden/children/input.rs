//! The elements of rows, which a kernel keeps in a map, and values that it writes to new elements of a dat that it reads elsewhere.

#[op2::kernel]
fn populate(
    cut: &[bool; 3],
    x: [&[f64; 2]; 3],
    born: &Row<Idx<Verts>>,
    new: &mut Row<[f64; 2]>,
    mother: &mut Row<Option<Idx<Facets>>>,
    ends: &mut Row<[Idx<Verts>; 2]>,
    me: Idx<Facets>,
    corners: &[Idx<Verts>; 3],
    mid: &mut [Option<Idx<Verts>>; 3],
) {
    let mut k = 0;
    for i in 0..3 {
        mid[i] = None;
        if cut[i] {
            let (a, b) = (x[i], x[(i + 1) % 3]);
            new[k] = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
            mother[k] = Some(me);
            ends[k] = [corners[i], corners[(i + 1) % 3]];
            mid[i] = Some(born[k]);
            k += 1;
        }
    }
}

fn run(op: &mut Op2) -> Result<()> {
    op_par_loop!(
        op,
        populate,
        facets,
        read(cut),
        read(x, fv[..]),
        read(born),
        write(x, born[..]),
        write(mother, born[..]),
        write(ends, born[..]),
        idx(),
        read(fv),
        write(mid)
    )
}
