//! The text ahead of the wrappers: the types of dats and globals, and the user's loop as a comment.

use crate::parse::loop_decl::written;

use super::shape::Shape;
use super::writer::{Line, render};

/// The types of dats and globals, in `namespace user`, where the names in them are declared.
pub(super) fn types(shape: &Shape) -> String {
    let mut lines = Vec::new();
    let mut line = |depth: usize, text: String| lines.push(Line { depth, text });
    for view in &shape.views {
        let (class, value, name) = (&view.class, &view.value, &view.name);
        line(0, format!("struct {class} : op2::View<{value}, op2::OP2_LAYOUT_{name}> {{"));
        line(1, format!("static __device__ op2::usize stride() {{ return OP2_STRIDE_{name}; }}"));
        if view.args.iter().any(|n| shape.lowered.args[*n].target().is_some()) {
            line(1, format!("static __device__ bool misses() {{ return OP2_MISS_{name}; }}"));
        }
        line(0, "};".to_string());
    }
    for arg in shape.args.iter().filter(|a| !a.alias.is_empty()) {
        line(0, format!("using {} = {};", arg.alias, arg.value));
    }
    if lines.is_empty() {
        return String::new();
    }
    format!("namespace user {{\n\n{}\n}}  // namespace user\n", render(&lines))
}

/// The user's loop, as a comment.
pub(super) fn description(shape: &Shape) -> String {
    let lowered = shape.lowered;
    let mut text = format!("// `{}` over `{}`:\n", lowered.kernel_name, written(&lowered.set));
    for (arg, desc) in shape.args.iter().zip(&lowered.args) {
        text.push_str(&format!("//   {}: {}\n", arg.name, desc.text));
    }
    text
}
