//! Loops over pairs of elements that meet.

use super::Gen;
use crate::case::{Dat, Kind, MEETINGS, Meeting, Mode, Over, Via};

impl Gen {
    /// Some pairs, with either side outside.
    pub(super) fn pairs(&mut self) -> Over {
        Over::Pairs(*self.r.pick(&MEETINGS), self.r.chance(50))
    }

    /// The arguments that every loop over these pairs has: a dat of one end, by which op2 knows that it is one, and mostly the shift.
    pub(super) fn of_every_pair(&mut self, meeting: Meeting, taken: &mut Vec<(usize, Option<Mode>)>) -> Vec<Kind> {
        let to = self.r.chance(50);
        let ty = self.value_or_row(to || meeting.from_nodes);
        let at = self.dats.len();
        self.dats.push(Dat { name: format!("dat{at}"), nodes: to || meeting.from_nodes, ty });
        taken.push((at, None));
        let mut kinds = vec![Kind::Dat(at, Mode::Read, Via::End(to), None)];
        if meeting.in_space && self.r.chance(70) {
            self.mark("shift()");
            kinds.push(Kind::Shift);
        }
        kinds
    }
}
