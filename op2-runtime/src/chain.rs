//! Chains: loops that are called one after the other and run in one pass, where nothing forbids it.
//!
//! A loop of a chain is bound and checked when it is called, like any other; what is put off is its run. Loops wait in a
//! [`Group`] until one comes that may not run with them, or the chain ends. Which loops go together is decided in `rules`,
//! how a group runs in `group`.

mod group;
mod rules;
mod stats;

use crate::body::Body;
use crate::call::Call;
use crate::desc::LoopDesc;
use crate::error::Result;
use crate::handle::{GlobalOf, IterSet};
use crate::op::Op2;
use crate::value::Value;
use group::{Group, Member};
use rules::Apart;
pub(crate) use stats::Chains;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Takes the loops that [`Op2::chain`] runs. Loops are all that can be called on it.
pub struct Chain<'a> {
    op: &'a mut Op2,
    group: Group,
}

impl Op2 {
    /// Runs the loops that `loops` calls on the [`Chain`] it is given, adjacent ones in one pass where that changes nothing.
    ///
    /// Loops over the same set or subset go together block by block: all of them run over some hundred elements before
    /// the next ones are touched, so that what one loop leaves in the cache the next one finds there. Results are those of
    /// the same loops called on the `Op2`, to the last bit, and so are reductions. A loop begins a new pass if
    ///
    /// - it runs over other elements than the loop before it, or in other blocks,
    /// - one of the two modifies a dat that the other one reaches through a map,
    /// - it reads a global that a loop before it in the pass reduces into,
    /// - its own elements have to take turns, because they meet in what they modify through maps, or contributions go by copies,
    /// - or its strategy is still being measured.
    ///
    /// [`Op2::report`] tells which loops ran in one pass, which bytes that saved, and what ended a pass. Time and useful bytes
    /// of a loop are in its row as ever; the time of a pass is shared out among its loops by their useful bytes, because to
    /// stop it loop by loop would cost more than the loops. Bytes count as saved where it is certain: a dat that several loops of a pass
    /// touch directly comes from memory once and goes back once. So a loop saves the bytes that it reads of a dat which an
    /// earlier loop of the pass has touched directly, and the bytes that it leaves in one which an earlier loop has modified directly.
    ///
    /// What loops leave can be read behind the chain, not inside of it. On devices the loops run one after the other.
    ///
    /// # Errors
    /// The error that `loops` returns. A loop that is refused returns it when it is called, as everywhere, and has changed
    /// nothing; all loops called before it have run when the chain returns.
    pub fn chain<R>(&mut self, loops: impl FnOnce(&mut Chain<'_>) -> Result<R>) -> Result<R> {
        let mut chain = Chain { op: self, group: Group::default() };
        let result = loops(&mut chain);
        chain.group.run(chain.op);
        result
    }
}

impl Chain<'_> {
    /// Starts a call; only the macros use it.
    #[doc(hidden)]
    pub fn __call<I: IterSet>(&mut self, desc: &'static LoopDesc, over: I) -> Chained<'_, I::Tag> {
        Chained { call: self.op.__call(desc, over), group: &mut self.group }
    }
}

/// What only [`Op2`] can do: nothing is ready inside of a chain.
#[diagnostic::on_unimplemented(
    message = "a chain takes loops only: its loops may not have run yet",
    label = "call this on the `Op2`, in front of `op.chain(…)` or behind it",
    note = "a chain that ends lets all its loops run: end it, read or change the data, and begin another one"
)]
pub trait Ready<Handle> {}

/// Methods of [`Op2`] that would see loops half done: calls do not compile, and say why.
impl<'a> Chain<'a> {
    #[doc(hidden)]
    pub fn fetch<H, R>(&self, _dat: H) -> Result<R>
    where
        Chain<'a>: Ready<H>,
    {
        never_ready()
    }

    #[doc(hidden)]
    pub fn get<H, R>(&self, _global: H) -> Result<R>
    where
        Chain<'a>: Ready<H>,
    {
        never_ready()
    }

    #[doc(hidden)]
    pub fn set<H, V>(&mut self, _global: H, _value: V) -> Result<()>
    where
        Chain<'a>: Ready<H>,
    {
        never_ready()
    }

    #[doc(hidden)]
    pub fn set_data<H, V>(&mut self, _dat: H, _values: V) -> Result<()>
    where
        Chain<'a>: Ready<H>,
    {
        never_ready()
    }
}

fn never_ready<R>() -> R {
    unreachable!("`Ready` has no implementor")
}

/// A loop being called in a chain: as a [`Call`], but for its run.
pub struct Chained<'c, S> {
    call: Call<'c, S>,
    group: &'c mut Group,
}

impl<'c, S> Deref for Chained<'c, S> {
    type Target = Call<'c, S>;

    fn deref(&self) -> &Call<'c, S> {
        &self.call
    }
}

impl<S> DerefMut for Chained<'_, S> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.call
    }
}

impl<S> Chained<'_, S> {
    /// As [`Call::global`], which takes the value at once: what is reduced into the global has to be there before.
    pub fn global<G: Value, H: GlobalOf<G>>(&mut self, arg: usize, value: PhantomData<G>, global: H) -> G {
        if let Ok(index) = self.call.op.mesh.index(global.handle().id, "global")
            && let Some(apart) = self.group.reduces(index)
        {
            self.end_group(apart);
        }
        self.call.global(arg, value, global)
    }

    /// Checks and plans the loop. It runs with the others of its group, or at once if it has to run alone.
    ///
    /// # Errors
    /// As [`Call::run`].
    pub fn run<B: Body + 'static>(&mut self, body: B) -> Result<()> {
        if self.call.op.executor.device().is_some() {
            return self.call.run(body);
        }
        let scheduled = self.call.scheduled()?;
        if let Some(apart) = rules::alone(&scheduled) {
            self.end_group(apart);
            let stats = self.call.stats_index();
            self.group.passed_by(stats, apart);
            return self.call.run_scheduled(&body, scheduled);
        }
        let member = Member::new(&mut self.call, body, scheduled);
        if let Some(apart) = self.group.apart(&member) {
            self.end_group(apart);
        }
        self.group.join(self.call.op, member);
        Ok(())
    }

    /// Lets the loops before this one run, and notes why they do not wait for it.
    fn end_group(&mut self, apart: Apart) {
        let next = self.call.stats_index();
        self.group.end(self.call.op, next, apart);
    }
}
