//! One loop of a chain: it waits for others, or runs at once if it has to run alone.

use super::group::Group;
use super::member::Member;
use super::rules;
use crate::call::host::{OnHost, RanOnHost, Scheduled};
use crate::call::run::{Decided, Execution};
use crate::call::state::CallState;
use crate::error::Result;
use crate::exec::work::Work;
use crate::plan::cache::Inspected;
use std::sync::Arc;

/// A loop of a chain on the host.
pub(super) struct InChain<'c, 'a> {
    call: &'c mut CallState<'a>,
    group: &'c mut Group,
    /// `None` once the loop waits: the group owns it then.
    work: Option<Box<dyn Work>>,
}

impl<'c, 'a> InChain<'c, 'a> {
    pub(super) fn new(call: &'c mut CallState<'a>, group: &'c mut Group, work: Box<dyn Work>) -> Self {
        InChain { call, group, work: Some(work) }
    }

    /// The loop as one that runs at once.
    fn at_once(&mut self) -> OnHost<'_, 'a> {
        let work = self.work.as_deref_mut().expect("a loop that waits is not asked again");
        OnHost { call: self.call, work }
    }
}

impl Execution for InChain<'_, '_> {
    type Plan = Arc<Inspected>;
    type Prepared = Scheduled;
    /// `None` for a loop that waits: its group reduces and reports.
    type Ran = Option<RanOnHost>;

    fn check(&mut self) -> Result<()> {
        self.call.check()
    }

    fn decide(&mut self) -> Result<Decided> {
        self.call.decide()
    }

    fn plan(&mut self, decided: Decided) -> Result<Arc<Inspected>> {
        self.at_once().plan(decided)
    }

    fn prepare(&mut self, decided: Decided, inspected: Arc<Inspected>) -> Result<Scheduled> {
        self.at_once().prepare(decided, inspected)
    }

    fn run(&mut self, scheduled: Scheduled) -> Result<Self::Ran> {
        if let Some(obstacle) = rules::alone(&scheduled, self.call.writes_maps) {
            self.group.end(self.call, obstacle)?;
            let stats = self.call.stats_index();
            self.group.passed_by(stats, obstacle);
            return self.at_once().run(scheduled).map(Some);
        }
        let work = self.work.take().expect("a loop runs once");
        let member = Member::new(self.call, work, scheduled);
        if let Some(obstacle) = self.group.obstacle(&member) {
            self.group.end(self.call, obstacle)?;
        }
        self.group.join(self.call.context, member);
        Ok(None)
    }

    fn reduce(&mut self, ran: &mut Self::Ran) {
        if let Some(ran) = ran {
            self.at_once().reduce(ran);
        }
    }

    fn report(&mut self, decided: Decided, ran: Self::Ran) -> Result<()> {
        match ran {
            Some(ran) => self.at_once().report(decided, ran),
            None => Ok(()),
        }
    }
}
