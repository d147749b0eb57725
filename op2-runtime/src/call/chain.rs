//! Chains: loops that are called one after the other and run in one pass, where nothing forbids it.
//!
//! A loop of a chain is bound and checked when it is called, like any other; only its execution is deferred. Loops wait
//! in a [`Group`] until one comes that may not run with them, or the chain ends. Which loops go together is decided in
//! `rules`, how a group runs in `group`. The body of a waiting loop is boxed. Boxes exist in chains only: a plain call
//! allocates none. On devices a chain calls loop after loop.

mod group;
mod member;
mod rules;
mod waiting;

use crate::call::Call;
use crate::call::context::Context;
use crate::call::executor::Executor;
use crate::call::pairs::{self, CallOf};
use crate::call::run::execute;
use crate::data::value::Value;
use crate::desc::LoopDesc;
use crate::error::Result;
use crate::exec::body::Body;
use crate::exec::work::WithParts;
use crate::mesh::handle::{GlobalOf, IterPairs, IterSet};
use group::Group;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use waiting::InChain;

/// Takes the loops that [`Op2::chain`](crate::Op2::chain) runs. Only loops can be called on it.
pub struct Chain<'a> {
    context: &'a mut Context,
    group: Group,
}

impl<'a> Chain<'a> {
    /// Runs the loops that `loops` calls, adjacent ones in one pass where nothing forbids it.
    pub(crate) fn run<R>(context: &'a mut Context, loops: impl FnOnce(&mut Chain<'_>) -> Result<R>) -> Result<R> {
        let mut chain = Chain { context, group: Group::default() };
        let result = loops(&mut chain);
        let ran = chain.group.run(chain.context);
        result.and_then(|result| ran.map(|()| result))
    }
}

impl Chain<'_> {
    /// Starts a call; only the macros use it.
    #[doc(hidden)]
    pub fn __call<I: IterSet>(&mut self, desc: &'static LoopDesc, over: I) -> Chained<'_, I::Tag> {
        Chained { call: Call::start(self.context, desc, over, None), group: &mut self.group }
    }

    /// Starts a call of a loop over pairs, which runs alone: the loops before it may change which elements are pairs.
    #[doc(hidden)]
    pub fn __call_pairs<P: IterPairs>(&mut self, desc: &'static LoopDesc, over: P) -> CallOf<'_, P> {
        let refused = self.group.run(self.context).err();
        pairs::start(self.context, desc, over, refused)
    }
}

/// Has no implementors: bounds the methods that only [`Op2`](crate::Op2) has, because inside a chain no results are
/// ready.
#[diagnostic::on_unimplemented(
    message = "a chain takes loops only: its loops may not have run yet",
    label = "call this on the `Op2`, in front of `op.chain(…)` or behind it",
    note = "a chain that ends lets all its loops run: end it, read or change the data, and begin another one"
)]
pub trait Ready<Handle> {}

/// Methods of [`Op2`](crate::Op2) that would see loops half done. Calls of them do not compile, and the message says
/// why.
impl<'a> Chain<'a> {
    #[doc(hidden)]
    pub fn fetch<H, R>(&self, _dat: H) -> Result<R>
    where
        Chain<'a>: Ready<H>,
    {
        never_ready()
    }

    #[doc(hidden)]
    pub fn fetch_into<H, V>(&self, _dat: H, _values: V) -> Result<()>
    where
        Chain<'a>: Ready<H>,
    {
        never_ready()
    }

    #[doc(hidden)]
    pub fn value<H, E, R>(&self, _dat: H, _element: E) -> Result<R>
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

    #[doc(hidden)]
    pub fn set_value<H, E, V>(&mut self, _dat: H, _element: E, _value: V) -> Result<()>
    where
        Chain<'a>: Ready<H>,
    {
        never_ready()
    }
}

fn never_ready<R>() -> R {
    unreachable!("`Ready` has no implementor")
}

/// A loop being called in a chain. It dereferences to the [`Call`], so that generated code is the same; only `run`
/// differs.
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
    /// As [`Call::global`]. This reads the value at once, so a loop that reduces into the global has to run before.
    pub fn global<G: Value, H: GlobalOf<G>>(&mut self, arg: usize, value: PhantomData<G>, global: H) -> G {
        // A call with a fault will not run, and has no statistics: its set may be one of another mesh.
        if self.call.state.fault.is_none()
            && let Ok(index) = self.call.state.context.mesh.index(global.handle().id, "global")
            && let Some(obstacle) = self.group.reduces(index)
        {
            let ended = self.group.end(&mut self.call.state, obstacle);
            ended.unwrap_or_else(|error| self.call.state.keep(error));
        }
        self.call.global(arg, value, global)
    }

    /// Checks and plans the loop. It runs with the others of its group, or at once if it has to run alone.
    ///
    /// # Errors
    /// As [`Call::run`].
    pub fn run<B: Body + 'static>(&mut self, body: B) -> Result<()> {
        match self.call.state.context.executor {
            Executor::Device(_) => self.call.run(body),
            Executor::Seq | Executor::Threads(_) => {
                execute(InChain::new(&mut self.call.state, self.group, Box::new(WithParts::new(body))))
            }
        }
    }
}
