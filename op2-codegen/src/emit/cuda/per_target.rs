//! Emits the body of a wrapper whose threads run all elements of a target each.

use super::element::Element;
use super::shape::{Own, View};
use super::writer::Writer;

/// The body of the wrapper. Entries of maps lie in the order of the contributions, so that no load waits for the number of an element; those
/// of the next element are on their way while one runs. Threads without a target load the first ones.
pub(super) fn body(element: &Element, w: &mut Writer) {
    let shape = element.shape;
    let Own { each, target, slot, number, element: e, .. } = &shape.own;
    let Some(cover) = shape.only_cover() else { return };
    let width = shape.entries(cover);
    w.line(format!("const auto {target} = {each}.target();"));
    w.line(format!("auto {slot} = {each}.first();"));
    let sums = || shape.views.iter().filter(|view| view.access.combine().is_some());
    // Nobody else adds to the target: sums begin with its old values, which come with the lists.
    for view in sums() {
        w.line(format!("auto {} = {};", view.sum, view.load_if(&format!("{each}.busy()"), target)));
    }
    let entries = element.entries(&format!("{slot}.at"), &|_| format!("{each}.rows"));
    for (of, call) in &entries {
        w.line(format!("auto {} = {call};", of.name));
    }
    if !entries.is_empty() {
        let names: Vec<&str> = entries.iter().map(|(of, _)| of.name.as_str()).collect();
        w.line(format!("op2::comes_after({slot}.word, {});", names.join(", ")));
    }
    let sums_of = sums().map(|view| view.sum.as_str()).collect::<Vec<_>>().join(", ");
    w.line(format!("op2::together({sums_of});"));
    w.line(format!("if (!{slot}.busy()) return;"));
    w.open(format!("while ({slot}.busy()) {{"));
    w.line(format!("const auto {e} = {slot}.element<{width}>(), {number} = {slot}.number<{width}>();"));
    w.line(format!("OP2_ELEMENT({e});"));
    element.load(w);
    w.line(format!("{slot} = {each}.behind({slot});"));
    for (of, call) in &entries {
        w.line(format!("const auto {} = {call};", of.next));
    }
    element.run(w);
    for (of, _) in &entries {
        w.line(format!("{} = {};", of.name, of.next));
    }
    w.close();
    for view in sums() {
        let View { name, sum, class, .. } = view;
        let store = format!("op2::store_own<user::{class}>({name}, {target}, {each}.side_by_side(), {sum});");
        w.line(view.if_there(&store));
    }
}
