//! Checks of a mesh.

use op2_apps::flaw::{Flaw, expect_length, expect_some, expect_within};
use op2_meshes::space::{Hexahedra, Tetrahedra};

use super::{CELL, EDGE, Mesh, NODE, PART, Shape};
use crate::physics::kind;

/// The kinds of boundary in words.
pub(super) const KINDS: &str = "1 (wall), 2 (slip), 3 (inflow), 4 (outflow) or 5 (stream)";

/// The tolerance for the closure of a dual cell's faces, relative to their areas: the error of single precision in a
/// file.
const OPEN: f64 = 1e-5;

type Check = Result<(), Flaw>;
type Vector = [f64; 3];

impl Mesh {
    /// Fails unless the flow can be computed on the mesh: no set is empty; entries name existing elements; all numbers
    /// are finite; dual cells and cells have volumes, dual faces and parts of the boundary areas, edges two ends that
    /// lie apart; distances from walls are not negative; no two edges have the same ends; every node has an edge and
    /// every part a kind; flags say which nodes are on walls; and the faces round each node close, so that a uniform
    /// flow stays as it is.
    ///
    /// # Errors
    ///
    /// The first flaw, with the element.
    pub fn check(&self) -> Check {
        self.check_counts()?;
        self.check_nodes()?;
        self.check_cells()?;
        self.check_edges()?;
        self.check_parts()?;
        self.check_no_edge_twice()?;
        self.check_closed()
    }

    fn check_counts(&self) -> Check {
        let (nodes, edges, parts) = (self.nodes(), self.edges(), self.parts());
        expect_some("nodes", nodes)?;
        expect_some("cells", self.cells())?;
        expect_some("edges", edges)?;
        expect_some("parts of the boundary", parts)?;
        expect_length("corners", self.corners.len(), "corners of cells", self.cells() * self.corners_per_cell())?;
        expect_length("volumes", self.volumes.len(), "nodes", nodes)?;
        expect_length("distance", self.distance.len(), "nodes", nodes)?;
        expect_length("flag", self.flag.len(), "nodes", nodes)?;
        expect_length("normals", self.normals.len(), "edges", edges)?;
        expect_length("part_normals", self.part_normals.len(), "parts of the boundary", parts)?;
        expect_length("part_kind", self.part_kind.len(), "parts of the boundary", parts)
    }

    fn check_nodes(&self) -> Check {
        for (node, x) in self.x.iter().enumerate() {
            let flaw = |reason| self.node_flaw(node, reason);
            let (volume, distance) = (self.volumes[node], self.distance[node]);
            if !finite(x) {
                return Err(flaw(format!("its place is {}, expected finite coordinates", shown(x))));
            }
            if !(volume > 0.0 && volume.is_finite()) {
                return Err(flaw(format!("its dual cell has the volume {volume}, expected a finite one above 0")));
            }
            if !(distance >= 0.0 && distance.is_finite()) {
                let expected = format!("expected 0 or more, or {:e} if there is no wall", super::FAR_FROM_WALLS);
                return Err(flaw(format!("its distance from the wall is {distance}, {expected}")));
            }
        }
        Ok(())
    }

    fn check_cells(&self) -> Check {
        for (cell, corners) in self.corners.chunks(self.corners_per_cell()).enumerate() {
            let flaw = |reason| Flaw::at(CELL, cell, self.cells(), reason);
            corners.iter().try_for_each(|&corner| expect_within(NODE, corner, self.nodes())).map_err(flaw)?;
            let volume = match self.shape {
                Shape::Hexahedra => self.volume(corners, &Hexahedra::FACES),
                Shape::Tetrahedra => self.volume(corners, &Tetrahedra::FACES),
            };
            if !(volume > 0.0 && volume.is_finite()) {
                let cure = "name its corners in the order of `op2_meshes::space`";
                return Err(flaw(format!("it has the volume {volume}, expected a finite one above 0: {cure}")));
            }
        }
        Ok(())
    }

    fn check_edges(&self) -> Check {
        let mut used = vec![false; self.nodes()];
        for (edge, (&[a, b], normal)) in self.edge_nodes.iter().zip(&self.normals).enumerate() {
            let flaw = |reason| self.edge_flaw(edge, reason);
            [a, b].into_iter().try_for_each(|node| expect_within(NODE, node, self.nodes())).map_err(flaw)?;
            if a == b {
                let reason =
                    format!("it leads from node {a} to itself, expected two nodes: correct one, or leave it out");
                return Err(flaw(reason));
            }
            let [from, to] = [a, b].map(|node| self.x[node as usize]);
            let along = minus(to, from);
            if dot(along, along) == 0.0 {
                return Err(flaw(format!(
                    "its ends, nodes {a} and {b}, are both at {}, expected some length: move one, or leave it out",
                    shown(&from)
                )));
            }
            expect_area("its dual face", normal).map_err(flaw)?;
            [a, b].iter().for_each(|&node| used[node as usize] = true);
        }
        match used.iter().position(|used| !used) {
            None => Ok(()),
            Some(node) => Err(self.node_flaw(node, "it has no edge: leave it out, or add its edges".into())),
        }
    }

    fn check_parts(&self) -> Check {
        for (part, (&[node], normal)) in self.part_node.iter().zip(&self.part_normals).enumerate() {
            let flaw = |reason| Flaw::at(PART, part, self.parts(), reason);
            expect_within(NODE, node, self.nodes()).map_err(flaw)?;
            let kind = self.part_kind[part];
            if !(kind::WALL..=kind::STREAM).contains(&kind) {
                return Err(flaw(format!("its kind is {kind}, expected {KINDS}")));
            }
            expect_area("it", normal).map_err(flaw)?;
        }
        let flags = self.flags();
        match (0..self.nodes()).find(|&node| self.flag[node] != flags[node]) {
            None => Ok(()),
            Some(node) => {
                let (found, expected) = (self.flag[node], flags[node]);
                let reason =
                    format!("its flag is {found}, expected {expected} by the kinds of its parts of the boundary");
                Err(self.node_flaw(node, reason))
            }
        }
    }

    fn check_no_edge_twice(&self) -> Check {
        let key = |&[a, b]: &[u32; 2]| (u64::from(a.min(b)) << 32) | u64::from(a.max(b));
        let mut keys: Vec<u64> = self.edge_nodes.iter().map(key).collect();
        keys.sort_unstable();
        let Some(twice) = keys.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]) else {
            return Ok(());
        };
        let places: Vec<usize> = (0..self.edges()).filter(|&k| key(&self.edge_nodes[k]) == twice).take(2).collect();
        let [a, b] = self.edge_nodes[places[1]];
        let reason = format!("it joins nodes {a} and {b}, as edge {} does already: leave out one of them", places[0]);
        Err(self.edge_flaw(places[1], reason))
    }

    /// The area vectors round a node sum to zero. Otherwise pressure alone would set still fluid in motion.
    fn check_closed(&self) -> Check {
        let mut sums = vec![[0.0; 4]; self.nodes()];
        let mut add = |node: u32, sign: f64, normal: Vector| {
            let sum = &mut sums[node as usize];
            (0..3).for_each(|d| sum[d] += sign * normal[d]);
            sum[3] += dot(normal, normal).sqrt();
        };
        for (&[a, b], &normal) in self.edge_nodes.iter().zip(&self.normals) {
            add(a, 1.0, normal);
            add(b, -1.0, normal);
        }
        self.part_node.iter().zip(&self.part_normals).for_each(|(&[node], &normal)| add(node, 1.0, normal));
        for (node, &[x, y, z, area]) in sums.iter().enumerate() {
            let left = dot([x, y, z], [x, y, z]).sqrt();
            if left.is_nan() || left > OPEN * area {
                return Err(self.node_flaw(
                    node,
                    format!(
                        "the faces of its dual cell do not close: of their areas, {area:e}, {left:e} are left over, expected \
                         0: correct the edges or parts of the boundary with this node, of which one may be missing, or turned \
                         the wrong way round"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// The volume that faces enclose, seen from the first corner: each a pyramid of a third of its area times its height.
    fn volume<const N: usize>(&self, corners: &[u32], faces: &[[usize; N]]) -> f64 {
        let x = |k: usize| minus(self.x[corners[k] as usize], self.x[corners[0] as usize]);
        let pyramid = |face: &[usize; N]| {
            let points = face.map(x);
            // The triangles between the first corner and the other ones, and for quadrilaterals the mean of both ways to
            // cut them, so that neighbours see the same face.
            let triangle = |a: usize, b: usize, c: usize| dot(points[a], cross(points[b], points[c])) / 6.0;
            if N == 3 {
                return triangle(0, 1, 2);
            }
            0.5 * (triangle(0, 1, 2) + triangle(0, 2, 3) + triangle(0, 1, 3) + triangle(1, 2, 3))
        };
        faces.iter().map(pyramid).sum()
    }

    fn node_flaw(&self, node: usize, reason: String) -> Flaw {
        Flaw::at(NODE, node, self.nodes(), reason)
    }

    fn edge_flaw(&self, edge: usize, reason: String) -> Flaw {
        Flaw::at(EDGE, edge, self.edges(), reason)
    }
}

fn expect_area(what: &str, normal: &Vector) -> Result<(), String> {
    let square = dot(*normal, *normal);
    if square > 0.0 && square.is_finite() {
        return Ok(());
    }
    Err(format!(
        "{what} has the area vector {}, expected a finite one other than 0: correct it, or leave it out",
        shown(normal)
    ))
}

fn finite(vector: &Vector) -> bool {
    vector.iter().all(|x| x.is_finite())
}

fn shown([x, y, z]: &Vector) -> String {
    format!("({x}, {y}, {z})")
}

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
