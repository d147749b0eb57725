//! The resources of the forms of loops, as a table.

use super::{Best, Row};
use crate::table::written;

const HEADINGS: [&str; 17] = [
    "from", "kernel", "form", "shared", "kept", "flops", "48 KB", "mesh", "100 KB", "mesh", "227 KB", "mesh", "blocks",
    "regs", "spills", "us", "chosen",
];

/// The table, and below it the reasons why loops have no more stages; without a line break at the end.
pub(crate) fn table(rows: &[Row]) -> String {
    let table = written(HEADINGS, 3, rows.iter().map(cells));
    let mut ends: Vec<(&str, Vec<String>)> = Vec::new();
    for row in rows.iter().filter(|row| !row.end.is_empty()) {
        let place = ends.iter().position(|(end, _)| *end == row.end).unwrap_or(ends.len());
        if place == ends.len() {
            ends.push((&row.end, Vec::new()));
        }
        ends[place].1.push(row.kernel.clone());
    }
    let ends = ends.iter().map(|(end, loops)| format!("\nno more stages, {end}: {}", loops.join(", ")));
    table + "\n" + &ends.collect::<String>()
}

fn cells(row: &Row) -> [String; 17] {
    let form = match row.stages {
        0 => "all at once".to_owned(),
        1 => "1 stage".to_owned(),
        n => format!("{n} stages"),
    };
    let of_best = |cell: fn(&Best) -> String| row.best.as_ref().map_or_else(|| "-".to_owned(), cell);
    let [least, middle, most] = row.partitions;
    [
        row.from.clone(),
        row.kernel.clone(),
        form,
        row.bytes_per_element.to_string(),
        row.kept_bytes.to_string(),
        row.flops.to_string(),
        least.unshared.to_string(),
        least.on_mesh.to_string(),
        middle.unshared.to_string(),
        middle.on_mesh.to_string(),
        most.unshared.to_string(),
        most.on_mesh.to_string(),
        of_best(|best| format!("{} x {}", best.resident, best.size)),
        of_best(|best| best.registers.to_string()),
        of_best(|best| best.spills.to_string()),
        of_best(|best| format!("{:.0}", best.predicted)),
        row.chosen.map_or_else(String::new, |size| format!("* {size}")),
    ]
}
