//! Lines of C++ with indentation, long ones broken.

/// Columns of a line.
const WIDTH: usize = 100;
/// Blanks per level, and ahead of the continuation of a line.
const STEP: usize = 4;

/// A line before it is laid out.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) depth: usize,
    pub(super) text: String,
}

/// Lines of a wrapper under construction.
pub(super) struct Writer {
    lines: Vec<Line>,
    depth: usize,
}

impl Writer {
    pub(super) fn new(comment: &str, name: &str, params: &[String]) -> Self {
        let mut writer = Writer { lines: Vec::new(), depth: 0 };
        writer.line(format!("// {comment}"));
        writer.line("extern \"C\" __global__ void __launch_bounds__(OP2_BLOCK)");
        writer.open(format!("{name}({}) {{", params.join(", ")));
        writer
    }

    pub(super) fn line(&mut self, text: impl Into<String>) {
        self.lines.push(Line { depth: self.depth, text: text.into() });
    }

    pub(super) fn open(&mut self, text: impl Into<String>) {
        self.line(text);
        self.depth += 1;
    }

    pub(super) fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    pub(super) fn end(mut self) -> String {
        self.close();
        render(&self.lines)
    }
}

/// Lays out lines, each with a newline.
pub(super) fn render(lines: &[Line]) -> String {
    let mut out = String::new();
    for line in lines {
        // The continuation of a head is indented further than the body below it.
        let step = if line.text.ends_with('{') { 2 * STEP } else { STEP };
        broken(&line.text, line.depth * STEP, step, &mut out);
    }
    out
}

/// Breaks a line that is too long at its outermost operators or commas, and parts that are still too long further
/// inside.
fn broken(text: &str, indent: usize, step: usize, out: &mut String) {
    let cuts = match indent + text.len() > WIDTH {
        true => cuts(text, WIDTH.saturating_sub(indent), step),
        false => Vec::new(),
    };
    let mut from = 0;
    for to in cuts.into_iter().chain([text.len()]) {
        let (piece, indent) = (text[from..to].trim(), if from == 0 { indent } else { indent + step });
        match from == 0 && to == text.len() {
            true => out.push_str(&format!("{}{piece}\n", " ".repeat(indent))),
            false => broken(piece, indent, step, out),
        }
        from = to;
    }
}

/// Places to cut: as few as needed, all of the least rank that occurs. Empty if there is none.
fn cuts(text: &str, width: usize, step: usize) -> Vec<usize> {
    let places = places(text);
    let Some(rank) = places.iter().map(|(_, rank)| *rank).min() else { return Vec::new() };
    let outer: Vec<usize> = places.iter().filter(|(_, r)| *r == rank).map(|(at, _)| *at).collect();
    let mut cuts = Vec::new();
    let mut start = 0;
    for (i, &at) in outer.iter().enumerate() {
        let next = outer.get(i + 1).copied().unwrap_or(text.len());
        let room = if start == 0 { width } else { width.saturating_sub(step) };
        if next - start > room {
            cuts.push(at);
            start = at;
        }
    }
    cuts
}

/// Operators ahead of which a line may be broken, the loosest first. Separators are looser than all of them.
const OPERATORS: [&[&str]; 5] = [&["? ", ": "], &["|| "], &["&& "], &["+ ", "- "], &["* ", "/ ", "| ", "& ", "^ "]];

/// Places where a line may be broken, with their rank: the number of brackets around, then how tightly the
/// operator binds.
fn places(text: &str) -> Vec<(usize, (usize, usize))> {
    let mut depth = 0usize;
    let mut found = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        let before = &text[..at];
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b' ' if before.ends_with([',', ';']) => found.push((at, (depth, 0))),
            // A minus behind a bracket or an operator is a sign, and no place to break.
            b' ' if !before.ends_with(['(', '=', '+', '-', '*', '/', '<', '>', '?', ':', '&', '|', '^']) => {
                let rest = &text[at + 1..];
                let operator = OPERATORS.iter().position(|ops| ops.iter().any(|op| rest.starts_with(op)));
                found.extend(operator.map(|rank| (at, (depth, rank + 1))));
            }
            _ => {}
        }
        if text[..=at].ends_with("{{") {
            found.push((at + 1, (depth, 0)));
        }
    }
    // Lines are not broken between template arguments.
    found.retain(|(at, _)| !inside_angles(&text[..*at]));
    found
}

/// Whether the text ends inside the arguments of a template: `Arr<double, `.
fn inside_angles(before: &str) -> bool {
    let mut open = 0usize;
    let mut last = ' ';
    for c in before.chars() {
        match c {
            '<' if last.is_alphanumeric() => open += 1,
            '>' if last != '-' && last != ' ' => open = open.saturating_sub(1),
            ';' | '=' => open = 0,
            _ => {}
        }
        last = c;
    }
    open > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid_out(text: &str) -> String {
        render(&[Line { depth: 1, text: text.to_string() }])
    }

    #[test]
    fn short_lines_stay() {
        assert_eq!(laid_out("x = a + b;"), "    x = a + b;\n");
    }

    #[test]
    fn long_lines_break_at_the_outermost_operator() {
        let term = "op2::sqrt(alpha * alpha + beta * beta)";
        let found = laid_out(&format!("const double sum = {term} + {term} + {term};"));
        let expected = format!("    const double sum = {term}\n        + {term} + {term};\n");
        assert_eq!(found, expected);
    }

    #[test]
    fn template_arguments_stay_together() {
        let params = (0..4).map(|i| format!("const Arr<double, 4>& argument{i}")).collect::<Vec<_>>().join(", ");
        let found = laid_out(&format!("__device__ __forceinline__ void k({params}) {{"));
        assert!(found.lines().count() > 1);
        assert!(found.lines().all(|line| line.len() <= WIDTH && !line.ends_with("Arr<double,")), "{found}");
    }

    #[test]
    fn elements_come_before_operators() {
        let element = "alpha * beta + gamma * delta + epsilon";
        let found = laid_out(&format!("return Arr<double, 4>{{{{{element}, {element}, {element}}}}};"));
        let rest = format!("        {element}, {element}}}}};\n");
        assert_eq!(found, format!("    return Arr<double, 4>{{{{{element},\n{rest}"));
    }

    #[test]
    fn a_line_without_a_place_to_break_stays() {
        let name = "a".repeat(120);
        assert_eq!(laid_out(&name), format!("    {name}\n"));
    }
}
