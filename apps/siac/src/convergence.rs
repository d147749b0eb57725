//! The table of errors on finer and finer meshes.

use op2_apps::settings::Settings;
use op2_apps::terminal::{say, stage};

use crate::Result;
use crate::mesh::Kind;
use crate::reference::Method;
use crate::run::run;
use crate::task::{Made, Task};

/// How many times fewer triangles the meshes have.
const FEWER: [usize; 4] = [64, 16, 4, 1];

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The number of triangles.
    pub triangles: usize,
    /// The scale of the kernel.
    pub h: f64,
    /// L2 errors before and after.
    pub l2: [f64; 2],
    /// The greatest errors.
    pub greatest: [f64; 2],
}

impl Row {
    /// The orders of the L2 errors from `coarse` to this row: how often they halve when edges do.
    pub fn orders(&self, coarse: &Row) -> [f64; 2] {
        // Edges are as the root of the number of triangles.
        let halvings = 0.5 * (self.triangles as f64 / coarse.triangles as f64).log2();
        [0, 1].map(|k| (coarse.l2[k] / self.l2[k]).log2() / halvings)
    }
}

/// Makes the mesh of `made` with `triangles` triangles, and filters. The meshes of squares are invariant to shifts by a side, so there h
/// is that side.
///
/// # Errors
/// As [`run`].
pub fn row(made: &Made, triangles: usize, settings: &Settings, method: Method) -> Result<Row> {
    let mut task = Task::made(&Made { triangles, ..*made }, &mut |_| ())?;
    let triangles = task.corners.len();
    if made.kind == Kind::Structured {
        task.h = (2.0 / triangles as f64).sqrt();
    }
    let errors = run(&task, method, settings)?.errors.unwrap_or_default();
    Ok(Row { triangles, h: task.h, l2: errors.map(|e| e.l2()), greatest: errors.map(|e| e.greatest) })
}

/// Prints a row for each mesh, as it is done.
///
/// # Errors
/// As [`row`], and if standard output cannot be written.
pub fn print(made: &Made, settings: impl Fn(usize) -> Result<Settings>, method: Method) -> Result<()> {
    say(&format!(
        "{} meshes, P = {}, u_h of degree {} from {}\n\n{:>9}  {:>9}  {:>9}  {:>5}  {:>9}  {:>5}  {:>9}  {:>9}",
        made.kind,
        made.degree,
        made.solution_degree,
        made.function,
        "triangles",
        "h",
        "L2 before",
        "order",
        "after",
        "order",
        "L∞ before",
        "after"
    ))?;
    let mut coarse: Option<Row> = None;
    for fewer in FEWER {
        let triangles = (made.triangles / fewer).max(2);
        let spinner = stage("filter");
        let row = row(made, triangles, &settings(triangles)?, method);
        drop(spinner);
        let row = row?;
        let orders = match coarse.replace(row) {
            Some(coarse) if coarse.triangles < row.triangles => row.orders(&coarse).map(|order| format!("{order:.2}")),
            _ => Default::default(),
        };
        let Row { triangles, h, l2, greatest } = row;
        say(&format!(
            "{triangles:>9}  {h:>9.6}  {:>9.3e}  {:>5}  {:>9.3e}  {:>5}  {:>9.3e}  {:>9.3e}",
            l2[0], orders[0], l2[1], orders[1], greatest[0], greatest[1]
        ))?;
    }
    Ok(())
}
