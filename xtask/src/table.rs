//! Rows as tables of text.

/// A table whose first `texts` columns are text, aligned to the left. Without a line break at the end.
pub(crate) fn written<const N: usize>(
    headings: [&str; N],
    texts: usize,
    rows: impl Iterator<Item = [String; N]>,
) -> String {
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
