//! The edges of facets, found by their vertices.

/// The directed edges of facets, by the vertex that they leave. Each facet has three, from its vertex i to vertex i + 1.
///
/// A list of facets in which a directed edge occurs once has each edge inside twice, once in each direction.
#[derive(Clone, Debug)]
pub struct Edges {
    /// Where the edges of a vertex begin among `ends`.
    first: Vec<usize>,
    /// The vertex to which an edge leads, and its facet; those of one vertex in the order of facets.
    ends: Vec<[u32; 2]>,
}

impl Edges {
    /// The edges of `facets`, whose vertices are below `vertices`.
    ///
    /// # Panics
    /// If a facet names a vertex that is not there.
    pub fn of(facets: &[[u32; 3]], vertices: usize) -> Self {
        let mut first = vec![0; vertices + 1];
        facets.as_flattened().iter().for_each(|v| first[*v as usize + 1] += 1);
        for v in 0..vertices {
            first[v + 1] += first[v];
        }
        let mut next = first.clone();
        let mut ends = vec![[0; 2]; 3 * facets.len()];
        for (number, facet) in facets.iter().enumerate() {
            for [a, b] in around(*facet) {
                let place = &mut next[a as usize];
                ends[*place] = [b, number as u32];
                *place += 1;
            }
        }
        Self { first, ends }
    }

    /// The edges that leave `vertex`: to which vertex, of which facet.
    pub fn leaving(&self, vertex: u32) -> &[[u32; 2]] {
        &self.ends[self.first[vertex as usize]..self.first[vertex as usize + 1]]
    }

    /// The first facet with the edge from `a` to `b`.
    pub fn facet(&self, [a, b]: [u32; 2]) -> Option<u32> {
        self.leaving(a).iter().find(|[end, _]| *end == b).map(|[_, facet]| *facet)
    }
}

/// The edges of a facet: entry i from vertex i to vertex i + 1.
pub fn around([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// The facet on the other side of each edge: entry i of a facet is across its edge from vertex i to i + 1, none at the
/// boundary.
///
/// # Panics
/// If a facet names a vertex that is not there.
pub fn adjacency(facets: &[[u32; 3]], vertices: usize) -> Vec<[Option<u32>; 3]> {
    let edges = Edges::of(facets, vertices);
    facets.iter().map(|facet| around(*facet).map(|[a, b]| edges.facet([b, a]))).collect()
}
