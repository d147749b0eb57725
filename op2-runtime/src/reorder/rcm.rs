//! Reverse Cuthill–McKee.

use super::graph::Connected;
use super::levels::Diameter;

/// The vertices in the order of their new numbers, component after component (Cuthill, McKee 1969; reversed after
/// George 1971, which never increases the profile). Breadth first from one end of a pseudo-diameter; the neighbours
/// of a vertex go by ascending degree.
pub(super) fn order(connected: &Connected) -> Vec<u32> {
    let n = connected.graph.len();
    let mut diameter = Diameter::new(n);
    let mut order = Vec::with_capacity(n);
    let mut seen = vec![false; n];
    for ends in connected.starts.windows(2) {
        diameter.find(connected, ends[0]..ends[1]);
        let mut head = order.len();
        let first = head;
        seen[diameter.start.root as usize] = true;
        order.push(diameter.start.root);
        while head < order.len() {
            for &w in connected.graph.of(order[head]) {
                if !std::mem::replace(&mut seen[w as usize], true) {
                    order.push(w);
                }
            }
            head += 1;
        }
        order[first..].reverse();
    }
    order
}
