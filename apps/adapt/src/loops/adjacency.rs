//! The neighbours of facets, from their corners.

/// The neighbours of each facet: entry i is behind the edge from corner i to corner i + 1, or there is none.
///
/// # Panics
/// If a facet names a vertex that is not there.
pub fn neighbours(facets: &[[u32; 3]], vertices: usize) -> Vec<[Option<u32>; 3]> {
    // Edges by the vertex that they start from: `first[v]..first[v + 1]` in `edges`, each with its end and facet.
    let mut first = vec![0_u32; vertices + 1];
    facets.iter().flatten().for_each(|v| first[*v as usize + 1] += 1);
    for v in 0..vertices {
        first[v + 1] += first[v];
    }
    let mut next = first.clone();
    let mut edges = vec![(0, 0); 3 * facets.len()];
    for (f, c) in (0..).zip(facets) {
        for i in 0..3 {
            let place = &mut next[c[i] as usize];
            edges[*place as usize] = (c[(i + 1) % 3], f);
            *place += 1;
        }
    }
    let behind = |from: u32, to: u32| {
        let of = first[to as usize] as usize..first[to as usize + 1] as usize;
        edges[of].iter().find(|(end, _)| *end == from).map(|(_, f)| *f)
    };
    facets.iter().map(|c| [behind(c[0], c[1]), behind(c[1], c[2]), behind(c[2], c[0])]).collect()
}

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
