//! The solution as a VTK file of an unstructured grid, for ParaView.

use std::path::Path;

use op2_apps::file;
use op2_apps::vtk::{self, CellType, Field, Grid};

use super::Case;
use crate::quadrature::place;
use crate::task::Task;

/// Writes u_h and u* to `path`: as means over the points of each triangle, with the greatest errors there if they are known; or u* alone at
/// points that are not those of a rule.
///
/// # Errors
///
/// [`file::Error`] if the file cannot be written.
pub fn write(path: &Path, case: &Case) -> Result<(), file::Error> {
    match (case.task.per_triangle, case.task.before()) {
        (Some(points), Some(before)) => write_triangles(path, case, points, &before),
        _ => write_points(path, case),
    }
}

fn write_triangles(path: &Path, case: &Case, points: usize, before: &[f64]) -> Result<(), file::Error> {
    let Task { mesh, .. } = case.task;
    let after = &case.run.outcome.values;
    let places: Vec<f64> = mesh.vertices.iter().flat_map(|&[x, y]| [x, y, 0.0]).collect();
    let grid =
        Grid { points: &places, corners: mesh.triangles.as_flattened(), corners_per_cell: 3, cell: CellType::Triangle };
    let mean = |values: &[f64]| values.chunks(points).map(|v| v.iter().sum::<f64>() / points as f64).collect();
    let mut fields = vec![Field::Scalar("u_h", mean(before)), Field::Scalar("u_star", mean(after))];
    if let Some([before, after]) = greatest_errors(case) {
        fields.extend([Field::Scalar("error before", before), Field::Scalar("error after", after)]);
    }
    vtk::write(path, "siac", grid, Vec::new(), fields)
}

fn write_points(path: &Path, case: &Case) -> Result<(), file::Error> {
    let Task { points, .. } = case.task;
    let places: Vec<f64> = points.iter().flat_map(|&[x, y]| [x, y, 0.0]).collect();
    let corners: Vec<u32> = (0..points.len() as u32).collect();
    let grid = Grid { points: &places, corners: &corners, corners_per_cell: 1, cell: CellType::Vertex };
    vtk::write(path, "siac", grid, vec![Field::Scalar("u_star", case.run.outcome.values.clone())], Vec::new())
}

/// The greatest errors of u_h and of u* at the points of each triangle.
pub(super) fn greatest_errors(case: &Case) -> Option<[Vec<f64>; 2]> {
    let Task { corners, function, per_triangle, .. } = case.task;
    let (function, points) = ((*function)?, (*per_triangle)?);
    let reference = crate::quadrature::evaluation_points(points);
    let exact: Vec<f64> = (corners.iter())
        .flat_map(|triangle| reference.iter().map(|at| place(triangle, *at)))
        .map(|[x, y]| function.at(x, y))
        .collect();
    let greatest = |values: &[f64]| {
        let errors = |(values, exact): (&[f64], &[f64])| {
            values.iter().zip(exact).map(|(value, exact)| (value - exact).abs()).fold(0.0, f64::max)
        };
        values.chunks(points).zip(exact.chunks(points)).map(errors).collect()
    };
    Some([greatest(&case.task.before()?), greatest(&case.run.outcome.values)])
}
