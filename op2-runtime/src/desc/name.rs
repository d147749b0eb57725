//! The names of loops in tables.

/// A loop over a set or subset, in words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoopOver<'a> {
    pub(crate) kernel: &'a str,
    /// `file:line`
    pub(crate) place: &'a str,
    pub(crate) set: &'a str,
}

impl LoopOver<'_> {
    /// Its name in a table of loops: `flux`, or `flux over coarse` if the table has the same loop over a set of another name.
    pub(crate) fn name_among<'b>(self, mut all: impl Iterator<Item = LoopOver<'b>>) -> String {
        let Self { kernel, place, set } = self;
        match all.any(|other| (other.kernel, other.place) == (kernel, place) && other.set != set) {
            true => format!("{kernel} over {set}"),
            false => kernel.to_owned(),
        }
    }
}
