//! Checks of a mesh.

use op2_apps::flaw::{Flaw, expect_length, expect_some, expect_within};

use super::{BOUNDARY_EDGE, CELL, EDGE, Mesh, NODE};
use crate::physics::{FAR_FIELD, WALL};

/// How far a node may be from the corner of a cell that it stands for, in lengths of its edge. The two sides of a cut have
/// nodes of their own, whose coordinates have been rounded on their way through a file.
const SAME_PLACE: f64 = 0.01;

type Check = Result<(), Flaw>;

impl Mesh {
    /// Fails unless the flow can be computed on the mesh: no set is empty; entries name existing elements; coordinates
    /// are finite; cells have an area, with their corners counter-clockwise; every node is the corner of a cell;
    /// interior edges have a length, and no edge has one node twice; boundary edges have a kind; and the edges are the
    /// sides of the cells, each of them once, oriented as [`Mesh`] states.
    ///
    /// The nodes of an edge may differ from the corners of its cell if they have the same coordinates, as on one side
    /// of a cut. A boundary edge may have length 0, as where a profile of two points closes: nothing flows through it.
    ///
    /// # Errors
    ///
    /// The first flaw, with the element.
    pub fn check(&self) -> Check {
        self.check_counts()?;
        self.check_entries()?;
        self.check_shapes()?;
        self.check_edges()?;
        self.check_sides()
    }

    fn check_counts(&self) -> Check {
        expect_some("nodes", self.nodes())?;
        expect_some("cells", self.cells())?;
        expect_some("edges between cells", self.edges())?;
        expect_some("boundary edges", self.boundary_edges())?;
        expect_length("edge_cells", self.edge_cells.len(), "edges", self.edges())?;
        expect_length("bedge_cell", self.bedge_cell.len(), "boundary edges", self.boundary_edges())?;
        expect_length("bound", self.bound.len(), "boundary edges", self.boundary_edges())
    }

    fn check_entries(&self) -> Check {
        let nodes = |entries: &[u32]| entries.iter().try_for_each(|&node| expect_within(NODE, node, self.nodes()));
        let cells = |entries: &[u32]| entries.iter().try_for_each(|&cell| expect_within(CELL, cell, self.cells()));
        for (cell, corners) in self.cell_nodes.iter().enumerate() {
            nodes(corners).map_err(|reason| self.cell_flaw(cell, reason))?;
        }
        for (edge, (ends, sides)) in self.edge_nodes.iter().zip(&self.edge_cells).enumerate() {
            nodes(ends).and_then(|()| cells(sides)).map_err(|reason| self.edge_flaw(edge, reason))?;
        }
        for (edge, (ends, &inside)) in self.bedge_nodes.iter().zip(&self.bedge_cell).enumerate() {
            nodes(ends).and_then(|()| cells(&[inside])).map_err(|reason| self.border_flaw(edge, reason))?;
        }
        Ok(())
    }

    /// Nodes and cells.
    fn check_shapes(&self) -> Check {
        let node_flaw = |node, reason: String| Flaw::at(NODE, node, self.nodes(), reason);
        for (node, [x, y]) in self.x.iter().enumerate() {
            if !(x.is_finite() && y.is_finite()) {
                return Err(node_flaw(node, format!("its place is ({x}, {y}), expected finite coordinates")));
            }
        }
        let mut used = vec![false; self.nodes()];
        for (cell, corners) in self.cell_nodes.iter().enumerate() {
            let twice = self.twice_the_area(corners);
            if !(twice > 0.0 && twice.is_finite()) {
                let cure = "name its corners counter-clockwise, with no two sides across each other";
                let found = format!("its corners {} have the area {}", list(corners), twice / 2.0);
                return Err(self.cell_flaw(cell, format!("{found}, expected a finite one above 0: {cure}")));
            }
            corners.iter().for_each(|&corner| used[corner as usize] = true);
        }
        match used.iter().position(|used| !used) {
            None => Ok(()),
            Some(node) => Err(node_flaw(node, "it is the corner of no cell: leave it out, or add its cells".into())),
        }
    }

    /// Edges by themselves.
    fn check_edges(&self) -> Check {
        let twice = |[a, b]: [u32; 2]| {
            let reason = format!("both of its ends are node {a}, expected two nodes: correct one, or leave it out");
            if a == b { Err(reason) } else { Ok(()) }
        };
        for (edge, (&ends, &[c1, c2])) in self.edge_nodes.iter().zip(&self.edge_cells).enumerate() {
            let flaw = |reason| self.edge_flaw(edge, reason);
            if c1 == c2 {
                let cure = "correct one, or make it a boundary edge";
                return Err(flaw(format!("it leads from cell {c1} to itself, expected two cells: {cure}")));
            }
            twice(ends).map_err(flaw)?;
            let [a, b] = ends;
            if self.length(ends) == 0.0 {
                let [x, y] = self.x[a as usize];
                return Err(flaw(format!(
                    "its ends, nodes {a} and {b}, are both at ({x}, {y}), expected some length: move one, or leave it out"
                )));
            }
        }
        for (edge, (&ends, &kind)) in self.bedge_nodes.iter().zip(&self.bound).enumerate() {
            let flaw = |reason| self.border_flaw(edge, reason);
            if ![WALL, FAR_FIELD].contains(&kind) {
                return Err(flaw(format!("its kind is {kind}, expected {WALL} (wall) or {FAR_FIELD} (far field)")));
            }
            twice(ends).map_err(flaw)?;
        }
        Ok(())
    }

    /// Edges and cells together.
    fn check_sides(&self) -> Check {
        // One bit for each side of a cell that an edge has been found for.
        let mut found = vec![0_u8; self.cells()];
        for (edge, (&[a, b], &[c1, c2])) in self.edge_nodes.iter().zip(&self.edge_cells).enumerate() {
            for (cell, side) in [(c1, [b, a]), (c2, [a, b])] {
                self.take_side(&mut found, cell, side).map_err(|reason| {
                    let earlier = self.earlier(edge, self.bedge_nodes.len(), cell, side);
                    self.edge_flaw(edge, self.explained(reason, earlier))
                })?;
            }
        }
        for (edge, (&[a, b], &cell)) in self.bedge_nodes.iter().zip(&self.bedge_cell).enumerate() {
            self.take_side(&mut found, cell, [b, a]).map_err(|reason| {
                let earlier = self.earlier(self.edges(), edge, cell, [b, a]);
                self.border_flaw(edge, self.explained(reason, earlier))
            })?;
        }
        for (cell, corners) in self.cell_nodes.iter().enumerate() {
            for k in 0..4 {
                let side @ [a, b] = [corners[k], corners[(k + 1) % 4]];
                if found[cell] & 1 << k == 0 && self.length(side) > 0.0 {
                    let cure = "add an edge to the cell beyond, or a boundary edge";
                    return Err(self.cell_flaw(cell, format!("no edge is its side from node {a} to node {b}: {cure}")));
                }
            }
        }
        Ok(())
    }

    /// Marks the side of `cell` that leads from `side[0]` to `side[1]` as found.
    fn take_side(&self, found: &mut [u8], cell: u32, side: [u32; 2]) -> Result<(), NoSide> {
        let sides = &mut found[cell as usize];
        let free = |k: &usize| *sides & 1 << k == 0;
        if let Some(k) = self.sides_at(cell, side).find(free) {
            *sides |= 1 << k;
            return Ok(());
        }
        if self.sides_at(cell, side).next().is_some() {
            return Err(NoSide::Taken { cell, side });
        }
        let [a, b] = side;
        let turned = self.sides_at(cell, [b, a]).next().is_some();
        Err(if turned { NoSide::Turned { cell } } else { NoSide::None { cell, side } })
    }

    /// The sides of `cell` that lead from one node to the other: those with these corners, then those with corners at
    /// the same coordinates.
    fn sides_at(&self, cell: u32, [from, to]: [u32; 2]) -> impl Iterator<Item = usize> {
        let corners = self.cell_nodes[cell as usize];
        let ends = move |k: usize| [corners[k], corners[(k + 1) % 4]];
        let near = SAME_PLACE * self.length([from, to]);
        let same = move |a: u32, b: u32| a == b || self.length([a, b]) <= near;
        let by_number = (0..4).filter(move |&k| ends(k) == [from, to]);
        let by_place = (0..4).filter(move |&k| {
            let [a, b] = ends(k);
            [a, b] != [from, to] && same(a, from) && same(b, to)
        });
        by_number.chain(by_place)
    }

    /// The edge, among the first `edges` and `borders` of both sets, that took a side of `cell` before.
    fn earlier(&self, edges: usize, borders: usize, cell: u32, [from, to]: [u32; 2]) -> Option<String> {
        let known = |[a, b]: [u32; 2]| [a, b] == [from, to] || [b, a] == [from, to];
        let interior = (0..edges).find(|&k| known(self.edge_nodes[k]) && self.edge_cells[k].contains(&cell));
        let border = || (0..borders).find(|&k| known(self.bedge_nodes[k]) && self.bedge_cell[k] == cell);
        interior.map(|k| format!("{EDGE} {k}")).or_else(|| border().map(|k| format!("{BOUNDARY_EDGE} {k}")))
    }

    fn explained(&self, reason: NoSide, earlier: Option<String>) -> String {
        match reason {
            NoSide::Taken { cell, side: [a, b] } => {
                let other = earlier.unwrap_or_else(|| "another edge".into());
                format!(
                    "the side of cell {cell} from node {a} to node {b} belongs to {other} already: leave out one of them"
                )
            }
            NoSide::Turned { cell, .. } => {
                format!("it has cell {cell} on its wrong side: exchange its two nodes, or its two cells")
            }
            NoSide::None { cell, side: [a, b] } => {
                let corners = list(&self.cell_nodes[cell as usize]);
                format!(
                    "nodes {a} and {b} are no side of cell {cell}, whose corners are {corners}: correct its nodes or cells"
                )
            }
        }
    }

    /// Twice the area that the corners enclose counter-clockwise, as the product of the diagonals.
    fn twice_the_area(&self, corners: &[u32; 4]) -> f64 {
        let [a, b, c, d] = corners.map(|corner| self.x[corner as usize]);
        (c[0] - a[0]) * (d[1] - b[1]) - (d[0] - b[0]) * (c[1] - a[1])
    }

    fn length(&self, [a, b]: [u32; 2]) -> f64 {
        let [a, b] = [self.x[a as usize], self.x[b as usize]];
        (a[0] - b[0]).hypot(a[1] - b[1])
    }

    fn cell_flaw(&self, cell: usize, reason: String) -> Flaw {
        Flaw::at(CELL, cell, self.cells(), reason)
    }

    fn edge_flaw(&self, edge: usize, reason: String) -> Flaw {
        Flaw::at(EDGE, edge, self.edges(), reason)
    }

    fn border_flaw(&self, edge: usize, reason: String) -> Flaw {
        Flaw::at(BOUNDARY_EDGE, edge, self.boundary_edges(), reason)
    }
}

/// Why an edge is not a side of one of its cells, which would lead from the first node to the second.
enum NoSide {
    /// Another edge is this side.
    Taken { cell: u32, side: [u32; 2] },
    /// The side leads the other way.
    Turned { cell: u32 },
    /// The cell has no such side.
    None { cell: u32, side: [u32; 2] },
}

fn list(nodes: &[u32]) -> String {
    nodes.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}
