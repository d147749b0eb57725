//! Rows as a table of text.

use crate::cuda_check::Row;

const HEADINGS: [&str; 9] =
    ["from", "kernel", "arch", "registers", "spill st", "spill ld", "stack", "shared", "occupancy"];
/// The first columns are text and stand left.
const TEXTS: usize = 3;

/// The table, without a line break at its end.
pub(crate) fn written<'a>(rows: impl Iterator<Item = &'a Row>) -> String {
    let rows: Vec<[String; 9]> = std::iter::once(HEADINGS.map(str::to_owned)).chain(rows.map(cells)).collect();
    let width = |c: usize| rows.iter().map(|r| r[c].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEADINGS.len()).map(width).collect();
    let line = |row: &[String; 9]| {
        let cell = |(c, text): (usize, &String)| match c < TEXTS {
            true => format!("{text:<0$}", widths[c]),
            false => format!("{text:>0$}", widths[c]),
        };
        row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn cells(row: &Row) -> [String; 9] {
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
