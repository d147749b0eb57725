//! Facts about a mesh, from its corners, with which the loops start.

/// Whether each vertex is inside the domain, and not at its boundary.
pub(super) fn inner(facets: &[[u32; 3]], neighbours: &[[Option<u32>; 3]], vertices: usize) -> Vec<bool> {
    let mut inner = vec![true; vertices];
    for (c, n) in facets.iter().zip(neighbours) {
        for i in (0..3).filter(|i| n[*i].is_none()) {
            inner[c[i] as usize] = false;
            inner[c[(i + 1) % 3] as usize] = false;
        }
    }
    inner
}

/// A facet of each vertex: the last one.
pub(super) fn tips(facets: &[[u32; 3]], vertices: usize) -> Vec<[u32; 1]> {
    let mut tips = vec![[0]; vertices];
    for (f, c) in (0..).zip(facets) {
        c.iter().for_each(|v| tips[*v as usize] = [f]);
    }
    tips
}
