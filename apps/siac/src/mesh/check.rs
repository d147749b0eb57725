//! Checks of a mesh from elsewhere.

use std::collections::HashMap;

use op2_apps::flaw::{Flaw, expect_some, expect_within};

use super::{Mesh, twice_area};

/// The tolerance for places on sides and for the images of vertices: files may hold rounded coordinates.
const APART: f64 = 1e-12;

/// A triangle with less area than this, relative to the square of its longest edge, is degenerate.
const THIN: f64 = 1e-12;

/// The tolerance for the area of the whole mesh.
const AREA: f64 = 1e-10;

/// The boundary of the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// Opposite sides of the unit square are one and the same.
    Periodic,
    /// The domain ends at its border.
    OneSided,
}

/// The edges that have one triangle, with its number: from which vertex to which.
type Border = Vec<(usize, [u32; 2])>;

impl Mesh {
    /// Fails unless the filter can be applied: there are triangles; their vertices are there, finite and in the unit
    /// square; each is counter-clockwise and has an area; no two overlap at an edge; together they cover the unit
    /// square; and if it is periodic, edges on opposite sides match.
    ///
    /// # Errors
    /// The first flaw, with the triangle or vertex.
    pub fn check(&self, boundary: Boundary) -> Result<(), Flaw> {
        expect_some("triangles", self.triangles.len())?;
        self.check_vertices()?;
        self.check_triangles()?;
        let border = self.border()?;
        self.check_border(&border)?;
        self.check_area()?;
        match boundary {
            Boundary::Periodic => self.check_images(&border),
            Boundary::OneSided => Ok(()),
        }
    }

    fn flaw(&self, triangle: usize, reason: String) -> Flaw {
        Flaw::at("triangle", triangle, self.triangles.len(), reason)
    }

    fn check_vertices(&self) -> Result<(), Flaw> {
        for (number, [x, y]) in self.vertices.iter().enumerate() {
            let valid = [x, y].into_iter().all(|c| (-APART..=1.0 + APART).contains(c));
            if !valid {
                let reason = format!(
                    "its place is ({x}, {y}), expected finite coordinates from 0 to 1: scale the mesh to the unit square"
                );
                return Err(Flaw::at("vertex", number, self.vertices.len(), reason));
            }
        }
        Ok(())
    }

    fn check_triangles(&self) -> Result<(), Flaw> {
        for (number, triangle) in self.triangles.iter().enumerate() {
            for vertex in triangle {
                expect_within("vertex", *vertex, self.vertices.len()).map_err(|reason| self.flaw(number, reason))?;
            }
            let corners = triangle.map(|v| self.vertices[v as usize]);
            let (area, longest) = (0.5 * twice_area(&corners), super::longest_edge(&[corners]));
            if area.abs() <= THIN * longest * longest {
                let reason =
                    format!("it is degenerate, with an area of {area:e} between {}: remove it", shown(&corners));
                return Err(self.flaw(number, reason));
            }
            if area < 0.0 {
                let reason = format!(
                    "it is clockwise, with an area of {area:e} between {}: swap two of its vertices",
                    shown(&corners)
                );
                return Err(self.flaw(number, reason));
            }
        }
        Ok(())
    }

    /// The edges of one triangle only, in the order of the triangles.
    fn border(&self) -> Result<Border, Flaw> {
        let edges = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        let mut owner = HashMap::with_capacity(3 * self.triangles.len());
        for (number, triangle) in self.triangles.iter().enumerate() {
            for edge in edges(triangle) {
                if let Some(other) = owner.insert(edge, number) {
                    let reason = format!(
                        "it overlaps triangle {other}: both go from vertex {} to {}; remove one of them",
                        edge[0], edge[1]
                    );
                    return Err(self.flaw(number, reason));
                }
            }
        }
        let all = self.triangles.iter().enumerate().flat_map(|(number, t)| edges(t).map(|edge| (number, edge)));
        Ok(all.filter(|(_, [a, b])| !owner.contains_key(&[*b, *a])).collect())
    }

    /// Fails if a triangle without neighbour is not on a side of the square.
    fn check_border(&self, border: &Border) -> Result<(), Flaw> {
        for (number, edge) in border {
            if self.side(edge).is_none() {
                let ends = edge.map(|v| self.vertices[v as usize]);
                let reason = format!(
                    "it has no neighbour at its edge {}, which is not on a side of the unit square: fill the \
                     hole, or join vertices that \
                     are in one place",
                    shown(&ends)
                );
                return Err(self.flaw(*number, reason));
            }
        }
        Ok(())
    }

    fn check_area(&self) -> Result<(), Flaw> {
        let area: f64 = self.corners().iter().map(|corners| 0.5 * twice_area(corners)).sum();
        if (area - 1.0).abs() <= AREA {
            return Ok(());
        }
        Err(Flaw::of_mesh(format!(
            "the triangles have an area of {area} together, expected 1: they have to cover the unit square once"
        )))
    }

    /// Fails unless each edge on a side has an image on the opposite one.
    fn check_images(&self, border: &Border) -> Result<(), Flaw> {
        for [first, second] in [[0, 1], [2, 3]] {
            let (here, there) = (self.along(border, first), self.along(border, second));
            for n in 0..here.len().max(there.len()) {
                let same = match (here.get(n), there.get(n)) {
                    (Some((_, a)), Some((_, b))) => (0..2).all(|k| (a[k] - b[k]).abs() <= APART),
                    _ => false,
                };
                if !same {
                    let Some((number, span)) = here.get(n).or_else(|| there.get(n)) else { continue };
                    let reason = format!(
                        "its edge on a side of the unit square, from {} to {} along it, has no image on the \
                         opposite side: vertices on opposite \
                         sides have to match where the mesh is periodic",
                        span[0], span[1]
                    );
                    return Err(self.flaw(*number, reason));
                }
            }
        }
        Ok(())
    }

    /// The edges on one side in their order along it, each with its triangle.
    fn along(&self, border: &Border, side: usize) -> Vec<(usize, [f64; 2])> {
        let along = if side < 2 { 1 } else { 0 };
        let on_side = border.iter().filter(|(_, edge)| self.side(edge) == Some(side));
        let mut spans: Vec<(usize, [f64; 2])> = on_side
            .map(|(number, edge)| {
                let [a, b] = edge.map(|v| self.vertices[v as usize][along]);
                (*number, [a.min(b), a.max(b)])
            })
            .collect();
        spans.sort_by(|a, b| a.1[0].total_cmp(&b.1[0]));
        spans
    }

    /// The side on which an edge lies: 0 and 1 left and right, 2 and 3 bottom and top.
    fn side(&self, edge: &[u32; 2]) -> Option<usize> {
        let on = |k: usize, value: f64| edge.iter().all(|v| (self.vertices[*v as usize][k] - value).abs() <= APART);
        [(0, 0.0), (0, 1.0), (1, 0.0), (1, 1.0)].into_iter().position(|(k, value)| on(k, value))
    }
}

fn shown(places: &[[f64; 2]]) -> String {
    let shown: Vec<String> = places.iter().map(|[x, y]| format!("({x}, {y})")).collect();
    shown.join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;

    fn said(change: impl Fn(&mut Mesh)) -> String {
        let mut mesh = Kind::Structured.mesh(32, 0).unwrap();
        change(&mut mesh);
        mesh.check(Boundary::Periodic).unwrap_err().to_string()
    }

    #[test]
    fn bad_meshes_are_refused_with_the_triangle_the_value_and_the_cure() {
        let cases: [(String, &str); 9] = [
            (said(|m| m.triangles.clear()), "the mesh has no triangles"),
            (said(|m| m.vertices[7] = [f64::NAN, 0.5]), "vertex 7 of 25: its place is (NaN, 0.5), expected finite"),
            (
                said(|m| m.vertices[24] = [1.5, 1.0]),
                "vertex 24 of 25: its place is (1.5, 1), expected finite coordinates from 0 to 1",
            ),
            (said(|m| m.triangles[5][1] = 25), "triangle 5 of 32: vertex 25 is out of range (valid: 0..=24)"),
            (
                said(|m| m.triangles[6].swap(0, 1)),
                "triangle 6 of 32: it is clockwise, with an area of -3.125e-2 between (1, 0) (0.75, 0)",
            ),
            (
                said(|m| m.vertices[6] = [0.0, 0.0]),
                "triangle 0 of 32: it is degenerate, with an area of 0e0 between (0, 0)",
            ),
            (
                said(|m| m.triangles.retain(|t| t[0] != 7)),
                "triangle 5 of 30: it has no neighbour at its edge (0.75, 0.25) (0.5, 0.25), which",
            ),
            (
                said(|m| m.triangles.push([0, 1, 6])),
                "triangle 32 of 33: it overlaps triangle 0: both go from vertex 0 to 1",
            ),
            (
                said(|m| m.vertices[10][1] = 0.55),
                "triangle 9 of 32: its edge on a side of the unit square, from 0.25 to 0.55",
            ),
        ];
        for (said, expected) in cases {
            assert!(said.starts_with(expected), "{said}\ninstead of\n{expected}");
        }
    }

    #[test]
    fn a_mesh_that_ends_at_its_border_needs_no_images() {
        let mut mesh = Kind::Structured.mesh(32, 0).unwrap();
        mesh.vertices[10][1] = 0.55;
        assert_eq!(mesh.check(Boundary::OneSided), Ok(()));
    }

    #[test]
    fn a_mesh_of_two_sheets_has_too_much_area() {
        let mut mesh = Kind::Structured.mesh(2, 0).unwrap();
        mesh.vertices.extend_from_within(..);
        mesh.triangles.extend_from_within(..);
        mesh.triangles[2..].iter_mut().flatten().for_each(|v| *v += 4);
        let said = mesh.check(Boundary::Periodic).unwrap_err().to_string();
        assert!(said.starts_with("the triangles have an area of 2 together, expected 1"), "{said}");
    }
}
