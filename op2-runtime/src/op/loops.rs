//! Loops on an [`Op2`]: one at a time, or several in one pass.

use super::Op2;
use crate::call::Call;
use crate::call::chain::Chain;
use crate::desc::LoopDesc;
use crate::error::Result;
use crate::mesh::handle::IterSet;

impl Op2 {
    /// Starts a call; only the macros use it.
    #[doc(hidden)]
    pub fn __call<I: IterSet>(&mut self, desc: &'static LoopDesc, over: I) -> Call<'_, I::Tag> {
        Call::start(&mut self.context, desc, over)
    }

    /// Runs the loops that `loops` calls on the [`Chain`] it is given, adjacent ones in one pass where that changes nothing.
    ///
    /// Loops over the same set or subset go together block by block: all of them run over some hundred elements before
    /// the next ones are touched, so that a loop finds in the cache the data that the loop before it left there. Results are those of
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
    /// Results of loops can be read behind the chain, not inside of it. On devices the loops run one after the other.
    ///
    /// # Errors
    /// The error that `loops` returns. A loop that is refused returns it when it is called, as everywhere, and has changed
    /// nothing; all loops called before it have run when the chain returns.
    pub fn chain<R>(&mut self, loops: impl FnOnce(&mut Chain<'_>) -> Result<R>) -> Result<R> {
        Chain::run(&mut self.context, loops)
    }
}
