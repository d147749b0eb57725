//! Loops on an [`Op2`]: one at a time, or several in one pass.

use super::Op2;
use crate::call::Call;
use crate::call::chain::Chain;
use crate::call::pairs::{self, CallOf};
use crate::desc::LoopDesc;
use crate::error::Result;
use crate::mesh::handle::{IterPairs, IterSet};

impl Op2 {
    /// Starts a call; only the macros use it.
    #[doc(hidden)]
    pub fn __call<I: IterSet>(&mut self, desc: &'static LoopDesc, over: I) -> Call<'_, I::Tag> {
        let refused = self.prepare_for(desc);
        Call::start(&mut self.context, desc, over, refused)
    }

    /// Starts a call of a loop over pairs; only the macros use it.
    #[doc(hidden)]
    pub fn __call_pairs<P: IterPairs>(&mut self, desc: &'static LoopDesc, over: P) -> CallOf<'_, P> {
        let refused = self.prepare_for(desc);
        pairs::start(&mut self.context, desc, over, refused)
    }

    /// Runs the loops that `loops` calls on the [`Chain`] it is given, adjacent ones in one pass where that changes nothing.
    ///
    /// Loops over the same set or subset go together block by block: all of them run over some hundred elements before
    /// the next ones are touched, so that the next loop finds in the cache the data that the one before it left there.
    /// Results and reductions are those of the same loops called on the `Op2`, to the last bit. A loop begins a new
    /// pass if
    ///
    /// - it runs over other elements than the loop before it, or in other blocks,
    /// - one of the two modifies a dat that the other one reaches through a map,
    /// - it reads a global that a loop before it in the pass reduces into,
    /// - its own elements have to take turns because they modify the same targets through maps, or its plan redirects
    ///   contributions to copies,
    /// - its strategy is still being measured,
    /// - or it runs over pairs.
    ///
    /// [`Op2::report`] tells which loops ran in one pass, how many bytes that saved, and why a pass ended. The row of a
    /// loop has its time and useful bytes as always; the time of a pass is divided among its loops in proportion to
    /// their useful bytes, because timing each loop would cost more than the loops. Bytes count as saved only if this
    /// is certain: a dat that several loops of a pass touch directly comes from memory once and goes back once. So a
    /// loop saves the bytes that it reads of a dat which an earlier loop of the pass has touched directly, and the
    /// bytes that it leaves in one which an earlier loop has modified directly.
    ///
    /// Results can be read after the chain, not inside it. On devices the loops run one after the other.
    ///
    /// # Errors
    /// The error that `loops` returns. As elsewhere, a refused loop returns an error when it is called and has changed
    /// nothing. All loops called before it have run when the chain returns.
    pub fn chain<R>(&mut self, loops: impl FnOnce(&mut Chain<'_>) -> Result<R>) -> Result<R> {
        self.prepare()?;
        Chain::run(&mut self.context, loops)
    }
}
