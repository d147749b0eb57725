//! The metric at vertices: bilinear between the nodes of a regular grid.
//!
//! A vertex knows its node, the lower left one of the square in which it lies. The node of a new vertex is found from that of an end of its edge, from
//! node to node.

use super::Nodes;
use op2::{Idx, Row, Table};

/// Where a place lies in the grid: the column and row of the lower left node, and the position in the square. It is what
/// [`Metric::at`](crate::metric::Metric::at) computes, by the same operations.
#[op2::device_fn]
fn square(x: [f64; 2], origin: [f64; 2], spacing: [f64; 2], nodes: [u32; 2]) -> ([u32; 2], [f64; 2]) {
    let mut node = [0, 0];
    let mut inside = [0.0; 2];
    for k in 0..2 {
        let along = ((x[k] - origin[k]) / spacing[k]).clamp(0.0, f64::from(nodes[k] - 1));
        node[k] = (along as u32).min(nodes[k] - 2);
        inside[k] = along - f64::from(node[k]);
    }
    (node, inside)
}

/// The tensor at a position in the square of a node.
#[op2::device_fn]
fn bilinear(
    node: Idx<Nodes>,
    at: [f64; 2],
    beside: &Table<Nodes, [Idx<Nodes>; 4]>,
    tensors: &Table<Nodes, [f64; 3]>,
) -> [f64; 3] {
    let (east, north) = (beside.at(node)[1], beside.at(node)[3]);
    let (a, b) = (tensors.at(node), tensors.at(east));
    let (c, d) = (tensors.at(north), tensors.at(beside.at(north)[1]));
    let (s, t) = (at[0], at[1]);
    let mut m = [0.0; 3];
    for k in 0..3 {
        m[k] = (1.0 - t) * ((1.0 - s) * a[k] + s * b[k]) + t * ((1.0 - s) * c[k] + s * d[k]);
    }
    m
}

/// Gives a vertex the tensor at its place.
#[op2::kernel]
pub fn gauge(
    x: &[f64; 2],
    cell: &Idx<Nodes>,
    origin: &[f64; 2],
    spacing: &[f64; 2],
    nodes: &[u32; 2],
    beside: &Table<Nodes, [Idx<Nodes>; 4]>,
    tensors: &Table<Nodes, [f64; 3]>,
    m: &mut [f64; 3],
) {
    let (_, at) = square(*x, *origin, *spacing, *nodes);
    *m = bilinear(*cell, at, beside, tensors);
}

/// Gives the new vertices of a facet their nodes and tensors. `beside` are the nodes to the west, east, south and north of a node, itself where
/// there is none; `places` its column and row.
#[op2::kernel]
pub fn locate(
    x: &Row<[f64; 2]>,
    near: &Idx<Nodes>,
    origin: &[f64; 2],
    spacing: &[f64; 2],
    nodes: &[u32; 2],
    places: &Table<Nodes, [u32; 2]>,
    beside: &Table<Nodes, [Idx<Nodes>; 4]>,
    tensors: &Table<Nodes, [f64; 3]>,
    cell: &mut Row<Idx<Nodes>>,
    m: &mut Row<[f64; 3]>,
) {
    let mut found = *near;
    for k in 0..x.len() {
        let (node, at) = square(x[k], *origin, *spacing, *nodes);
        for axis in 0..2 {
            while places.at(found)[axis] > node[axis] {
                found = beside.at(found)[2 * axis];
            }
            while places.at(found)[axis] < node[axis] {
                found = beside.at(found)[2 * axis + 1];
            }
        }
        cell[k] = found;
        m[k] = bilinear(found, at, beside, tensors);
    }
}
