//! The rows as a page in Markdown.

use super::{Row, published};
use std::fmt::Write;

const HEADING: &str = "| loop | calls | variant | launches | registers | blocks resident | floor, µs | model, µs | share | binds |\n\
                       | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |";

/// Tables, one for each GPU, app and mesh; the sums of iterations; loops whose times are published.
pub(super) fn page(rows: &[Row], tools: &str) -> String {
    let mut page = format!("Registers and instructions: {tools}. Times of one execution; share: floor / model.\n");
    let mut of: Vec<(&str, &str)> = Vec::new();
    for row in rows {
        if !of.contains(&(row.gpu, row.from.as_str())) {
            of.push((row.gpu, &row.from));
        }
    }
    for (gpu, from) in of {
        let own = || rows.iter().filter(|row| row.gpu == gpu && row.from == from);
        let mut table = format!("\n## {from} elements, {gpu}\n\n{HEADING}\n");
        for row in own() {
            line(&mut table, row);
        }
        let chosen = || own().filter(|row| row.chosen);
        let sum = |of: fn(&Row) -> f64| chosen().map(|row| row.calls as f64 * of(row)).sum::<f64>();
        let (floor, estimate) = (sum(|row| row.floor), sum(|row| row.estimate));
        let launches: u64 = chosen().map(|row| row.calls * u64::from(row.launches)).sum();
        _ = writeln!(
            table,
            "| **iteration** | | | {launches} | | | {floor:.1} | {estimate:.1} | {:.0} % | |",
            100.0 * floor / estimate
        );
        page += &table;
    }
    page + &published::page()
}

fn line(table: &mut String, row: &Row) {
    let Row { kernel, calls, variant, launches, registers, resident, floor, estimate, binds, .. } = row;
    let chosen = if row.chosen { "" } else { " (not chosen)" };
    let guessed = if row.reported { "" } else { "?" };
    let spilled = if row.spilled > 0 { format!(" + {} B", row.spilled) } else { String::new() };
    let share = 100.0 * floor / estimate;
    _ = writeln!(
        table,
        "| `{kernel}` | {calls} | {variant}{chosen} | {launches} | {registers}{guessed}{spilled} | {resident} | {floor:.1} | {estimate:.1} | \
         {share:.0} % | {binds} |"
    );
}
