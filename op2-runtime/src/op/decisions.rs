//! The decisions of an [`Op2`], for people and programs.

use super::Op2;
use crate::decide::{Decision, Decisions, How};

impl Op2 {
    /// How each loop resolves races on each of its sets and subsets, and how that was decided, with the measurements of
    /// [`Strategy::Auto`](crate::Strategy::Auto).
    pub fn decisions(&self) -> Decisions {
        let mut list = Vec::new();
        for (n, stats) in self.context.stats.iter().enumerate() {
            let ((kernel, location), set) = (stats.place(), stats.set());
            let of_loop = self.context.chooser.choices.iter().filter(|choice| choice.stats == Some(n));
            let known = list.len();
            list.extend(of_loop.map(|choice| choice.tell(kernel, location, set)));
            if list.len() == known {
                let how = How::stated(self.context.pin_of(kernel).strategy);
                let (strategy, note) = stats.plan_now();
                let (kernel, location, set) = (kernel.to_owned(), location.to_owned(), set.to_owned());
                list.push(Decision { kernel, location, set, strategy, how, note, trials: Vec::new() });
            }
        }
        Decisions { list }
    }
}
