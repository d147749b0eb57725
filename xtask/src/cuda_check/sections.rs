//! The instructions of machine code, section by section, as a table.

use super::Row;
use crate::sass::Section;
use crate::table::written;

const HEADINGS: [&str; 18] = [
    "kernel", "arch", "section", "f64", "f32", "int", "special", "mem", "bar", "jump", "load", "B", "store", "B",
    "atomic", "copy B", "shared B", "waits",
];

/// Straight code and innermost loops between barriers: instructions by pipe, moved bytes, and the loads that each wait is for.
pub(super) fn table<'a>(rows: impl Iterator<Item = &'a Row>) -> String {
    let accounts = rows.filter_map(|row| Some((row, row.account.as_ref()?)));
    let sections = accounts.flat_map(|(row, account)| account.sections.iter().map(move |section| cells(row, section)));
    written(HEADINGS, 3, sections)
}

fn cells(row: &Row, section: &Section) -> [String; 18] {
    let name = match (section.depth, section.turns) {
        (0, _) => format!("phase {}", section.phase),
        (depth, false) => format!("phase {}, loop {depth}", section.phase),
        (depth, true) => format!("phase {}, loop {depth} with a barrier", section.phase),
    };
    let pipes = section.pipes;
    let numbers = [
        pipes.doubles,
        pipes.singles,
        pipes.integers,
        pipes.special,
        pipes.memory,
        pipes.barriers,
        pipes.branches,
        section.loads.instructions,
        section.loads.bytes,
        section.stores.instructions,
        section.stores.bytes,
        section.atomics.instructions,
        section.copies.bytes,
        section.shared.bytes,
    ];
    let waits = section.waits.iter().map(u32::to_string).collect::<Vec<_>>().join("+");
    let mut cells = vec![row.kernel.clone(), row.arch.clone(), name];
    cells.extend(numbers.map(|n| if n == 0 { String::new() } else { n.to_string() }));
    cells.push(waits);
    cells.try_into().expect("as many cells as headings")
}
