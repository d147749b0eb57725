//! Rows as tables of text.

use crate::cuda_check;
use crate::splits;

const OF_KERNELS: [&str; 9] =
    ["from", "kernel", "arch", "registers", "spill st", "spill ld", "stack", "shared", "occupancy"];
const OF_SPLITS: [&str; 17] = [
    "from", "kernel", "form", "shared", "kept", "flops", "48 KB", "mesh", "100 KB", "mesh", "227 KB", "mesh", "blocks",
    "regs", "spills", "us", "chosen",
];

/// What kernels take, without a line break at the end.
pub(crate) fn of_kernels<'a>(rows: impl Iterator<Item = &'a cuda_check::Row>) -> String {
    written(OF_KERNELS, 3, rows.map(kernel))
}

/// What the forms of loops take, without a line break at the end.
pub(crate) fn of_splits(rows: &[splits::Row]) -> String {
    let table = written(OF_SPLITS, 3, rows.iter().map(split));
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

/// A table whose first columns are text and stand left.
fn written<const N: usize>(headings: [&str; N], texts: usize, rows: impl Iterator<Item = [String; N]>) -> String {
    let rows: Vec<[String; N]> = std::iter::once(headings.map(str::to_owned)).chain(rows).collect();
    let width = |c: usize| rows.iter().map(|r| r[c].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cell = |(c, text): (usize, &String)| match c < texts {
            true => format!("{text:<0$}", widths[c]),
            false => format!("{text:>0$}", widths[c]),
        };
        row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn kernel(row: &cuda_check::Row) -> [String; 9] {
    let occupancy = row.occupancy.map_or_else(|| "-".to_owned(), |part| format!("{:.0} %", part * 100.0));
    [
        row.from.clone(),
        row.kernel.clone(),
        row.arch.clone(),
        row.registers.to_string(),
        row.spill_stores.to_string(),
        row.spill_loads.to_string(),
        row.stack.to_string(),
        row.shared.to_string(),
        occupancy,
    ]
}

fn split(row: &splits::Row) -> [String; 17] {
    let form = match row.stages {
        0 => "all at once".to_owned(),
        1 => "1 stage".to_owned(),
        n => format!("{n} stages"),
    };
    let of_best = |cell: fn(&splits::Best) -> String| row.best.as_ref().map_or_else(|| "-".to_owned(), cell);
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
