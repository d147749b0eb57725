//! Checks of a mesh from elsewhere.

use op2_apps::flaw::{Flaw, expect_some, expect_within};

use super::edges::{Edges, around};
use super::{FACET, Mesh, VERTEX, twice_area};

/// A facet with less area than this, relative to the square of its longest edge, is flat.
const THIN: f64 = 1e-12;

/// The most vertices and facets that 32 bits number, with one value left for what is missing.
const MOST: u64 = u32::MAX as u64;

impl Mesh {
    /// Fails unless the mesh can be adapted: there are facets; 32 bits number them and the vertices; coordinates are
    /// finite; facets name vertices that are there; each is counter-clockwise and has an area; no edge has more than two
    /// facets, and these lie on both sides of it; the facets of each vertex follow each other around it, and it has some.
    ///
    /// Facets that overlap without a common edge are not found.
    ///
    /// # Errors
    /// The first flaw, with the facet or vertex.
    pub fn check(&self) -> Result<(), Flaw> {
        self.check_but_for(THIN)
    }

    /// The same, where facets with less area than `thin`, relative to the square of their longest edge, are flat.
    pub(crate) fn check_but_for(&self, thin: f64) -> Result<(), Flaw> {
        expect_some("facets", self.facets.len())?;
        expect_countable("vertices", self.vertices.len() as u64)?;
        expect_countable("facets", self.facets.len() as u64)?;
        self.check_vertices()?;
        self.check_facets(thin)?;
        let edges = Edges::of(&self.facets, self.vertices.len());
        self.check_edges(&edges)?;
        self.check_fans(&edges)
    }

    fn facet_flaw(&self, facet: usize, reason: String) -> Flaw {
        Flaw::at(FACET, facet, self.facets.len(), reason)
    }

    fn vertex_flaw(&self, vertex: usize, reason: String) -> Flaw {
        Flaw::at(VERTEX, vertex, self.vertices.len(), reason)
    }

    fn check_vertices(&self) -> Result<(), Flaw> {
        let infinite = self.vertices.iter().position(|place| !place.iter().all(|c| c.is_finite()));
        infinite.map_or(Ok(()), |vertex| {
            let [x, y] = self.vertices[vertex];
            let reason = format!("its place is ({x}, {y}), expected finite coordinates: correct the number");
            Err(self.vertex_flaw(vertex, reason))
        })
    }

    fn check_facets(&self, thin: f64) -> Result<(), Flaw> {
        for (number, facet) in self.facets.iter().enumerate() {
            for vertex in facet {
                expect_within(VERTEX, *vertex, self.vertices.len())
                    .map_err(|reason| self.facet_flaw(number, reason))?;
            }
            let corners = self.corners(number);
            let area = 0.5 * twice_area(&corners);
            let longest = longest_square(&corners);
            let fault = if !(area.is_finite() && longest.is_finite()) {
                "its coordinates are too large for its area to be computed: scale the mesh down"
            } else if area.abs() <= thin * longest {
                "it is flat, expected one with an area: remove it, or move a vertex"
            } else if area < 0.0 {
                "it is clockwise, expected counter-clockwise: swap two of its vertices"
            } else {
                continue;
            };
            let [a, b, c] = corners.map(|[x, y]| format!("({x}, {y})"));
            return Err(self.facet_flaw(number, format!("its area between {a} {b} {c} is {area:e}: {fault}")));
        }
        Ok(())
    }

    /// Fails if two facets have one directed edge.
    fn check_edges(&self, edges: &Edges) -> Result<(), Flaw> {
        for (number, facet) in self.facets.iter().enumerate() {
            for [a, b] in around(*facet) {
                let Some(other) = edges.facet([a, b]).filter(|other| (*other as usize) < number) else { continue };
                let same = facet.iter().all(|v| self.facets[other as usize].contains(v));
                let facets =
                    [[a, b], [b, a]].map(|[a, b]| edges.leaving(a).iter().filter(|[end, _]| *end == b).count());
                let reason = if same {
                    let [a, b, c] = facet;
                    format!("its vertices {a} {b} {c} are those of facet {other}: remove one of the two")
                } else {
                    format!(
                        "it overlaps facet {other}: both go from vertex {a} to {b}, an edge with {} facets, expected one on \
                         each side; remove one of them",
                        facets[0] + facets[1]
                    )
                };
                return Err(self.facet_flaw(number, reason));
            }
        }
        Ok(())
    }

    /// Fails if a vertex has no facets, or its facets are not one fan: a row in which each shares an edge with the next, which may close.
    fn check_fans(&self, edges: &Edges) -> Result<(), Flaw> {
        for vertex in 0..self.vertices.len() as u32 {
            let all = edges.leaving(vertex);
            if all.is_empty() {
                let reason = "it has no facet, expected at least one: remove it, or add the facet that is missing";
                return Err(self.vertex_flaw(vertex as usize, reason.into()));
            }
            let reached = fan(&self.facets, edges, vertex);
            if reached < all.len() {
                let reason = format!(
                    "{reached} of its {} facets follow each other around it, expected all: the mesh is pinched there, so \
                     give each group of facets a vertex of its own in that place, or fill the gap",
                    all.len()
                );
                return Err(self.vertex_flaw(vertex as usize, reason));
            }
        }
        Ok(())
    }
}

/// The number of facets around `vertex`, each across an edge from the one before, from its boundary on if it is there.
fn fan(facets: &[[u32; 3]], edges: &Edges, vertex: u32) -> usize {
    let all = edges.leaving(vertex);
    let first = all.iter().find(|[end, _]| edges.facet([*end, vertex]).is_none()).or(all.first());
    let Some([_, first]) = first else { return 0 };
    let mut facet = *first;
    for reached in 1..=all.len() {
        // The vertex before this one in the facet: the facet behind that edge leaves this vertex by it.
        let before = around(facets[facet as usize]).into_iter().find(|[_, end]| *end == vertex);
        match before.and_then(|[start, _]| edges.facet([vertex, start])) {
            Some(next) if next != *first => facet = next,
            _ => return reached,
        }
    }
    all.len()
}

fn longest_square([a, b, c]: &[[f64; 2]; 3]) -> f64 {
    let square = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2);
    square(a, b).max(square(b, c)).max(square(c, a))
}

fn expect_countable(set: &str, count: u64) -> Result<(), Flaw> {
    if count < MOST {
        return Ok(());
    }
    let most = MOST - 1;
    Err(Flaw::of_mesh(format!(
        "the mesh has {count} {set}, expected at most {most}, as many as 32 bits number: divide the mesh"
    )))
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;

    fn said(change: impl Fn(&mut Mesh)) -> String {
        // 4 by 4 squares, vertices row by row.
        let mut mesh = Kind::Structured.mesh(32, 0).unwrap();
        change(&mut mesh);
        mesh.check().map_or_else(|e| e.to_string(), |()| "nothing".into())
    }

    #[test]
    fn bad_meshes_are_refused_with_the_element_the_value_and_the_cure() {
        let cases: [(String, &str); 14] = [
            (said(|_| ()), "nothing"),
            (said(|m| m.facets.clear()), "the mesh has no facets"),
            (said(|m| m.vertices[7][0] = f64::NAN), "vertex 7 of 25: its place is (NaN, 0.25), expected finite"),
            (said(|m| m.vertices[7][1] = f64::INFINITY), "vertex 7 of 25: its place is (0.5, inf), expected finite"),
            (
                said(|m| m.vertices.iter_mut().flatten().for_each(|c| *c *= 1e200)),
                "facet 0 of 32: its area between (0, 0) (250000",
            ),
            (said(|m| m.facets[5][1] = 25), "facet 5 of 32: vertex 25 is out of range (valid: 0..=24)"),
            (
                said(|m| m.facets[6].swap(0, 1)),
                "facet 6 of 32: its area between (1, 0) (0.75, 0) (1, 0.25) is -3.125e-2: it is clockwise",
            ),
            (
                said(|m| m.facets[6][1] = m.facets[6][0]),
                "facet 6 of 32: its area between (0.75, 0) (0.75, 0) (1, 0.25) is 0e0: it is flat",
            ),
            (
                said(|m| m.vertices[6] = [0.0, 1e-14]),
                "facet 0 of 32: its area between (0, 0) (0.25, 0) (0, 0.00000000000001) is 1.25e-15: it is flat",
            ),
            (
                said(|m| {
                    let [a, b, c] = m.facets[4];
                    m.facets.push([c, a, b]);
                }),
                "facet 32 of 33: its vertices 8 2 3 are those of facet 4: remove one",
            ),
            (
                said(|m| {
                    m.vertices.push([0.1, 0.9]);
                    m.facets.push([2, 7, 25]);
                }),
                "facet 32 of 33: it overlaps facet 2: both go from vertex 2 to 7, an edge with 3 facets",
            ),
            (said(|m| m.vertices.push([0.5, 0.5])), "vertex 25 of 26: it has no facet, expected at least one"),
            (
                // Two holes of a facet each, which meet in the middle.
                said(|m| m.facets.retain(|facet| ![[7, 13, 12], [11, 12, 17]].contains(facet))),
                "vertex 12 of 25: 2 of its 4 facets follow each other around it, expected all: the mesh is pinched",
            ),
            (
                expect_countable("vertices", 1 << 33).unwrap_err().to_string(),
                "the mesh has 8589934592 vertices, expected at most 4294967294",
            ),
        ];
        for (said, expected) in cases {
            assert!(said.starts_with(expected), "{said}\ninstead of\n{expected}");
        }
    }

    /// An hourglass of closed fans: two discs that share their middle.
    #[test]
    fn two_closed_fans_around_a_vertex_are_a_pinch() {
        let place = |k: usize, r: f64| {
            let angle = std::f64::consts::TAU * k as f64 / 3.0;
            [r * angle.cos(), r * angle.sin()]
        };
        let vertices: Vec<[f64; 2]> = std::iter::once([0.0; 2])
            .chain((0..3).map(|k| place(k, 1.0)))
            .chain((0..3).map(|k| place(k, 2.0)))
            .collect();
        let disc = |first: u32| (0..3).map(move |k| [0, first + k, first + (k + 1) % 3]);
        let mesh = Mesh { vertices, facets: disc(1).chain(disc(4)).collect() };
        let said = mesh.check().unwrap_err().to_string();
        assert!(said.starts_with("vertex 0 of 7: 3 of its 6 facets follow each other"), "{said}");
    }
}
