//! Emission: from lowered loops to target code. The loops were checked, so emission cannot fail.

/// `quote!` whose own names are invisible to the user's code, and the other way round. Items are not
/// hygienic in Rust: those that a loop needs (`__op2`, `__DESC`) have names that nobody else uses.
macro_rules! hygienic {
    ($($tokens:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($tokens)*)
    };
}

pub mod bind;
pub mod cpu;
pub mod cuda;
pub mod desc;
pub mod device;
pub mod rust;

use crate::ir::Unit;
use crate::lower::Lowered;
use crate::split::Forms;
use crate::vary::{Obstacle, Varied};
use device::DeviceUnit;
use op2_core::Target;
use proc_macro2::{Group, Span, TokenStream, TokenTree};

/// A loop after all stages before emission.
pub struct Program<'a> {
    /// The steps of one element around the kernel.
    pub lowered: &'a Lowered,
    /// The kernel with its device functions.
    pub unit: &'a Unit,
    /// The loop in stages.
    pub forms: &'a Forms,
    /// The values that vary from lane to lane, for each of [`Lowered::outsides`], or the reason why the loop is not vectorised.
    pub varied: &'a Result<Vec<Varied<'a>>, Obstacle>,
    /// The type that carries the kernel's constants.
    pub carrier: &'a TokenStream,
}

/// Writes a loop for a target: one emitter per target.
fn device(target: Target, program: &Program<'_>) -> DeviceUnit {
    match target {
        Target::Cuda => cuda::unit(program.lowered, program.unit, program.forms),
    }
}

/// The loop as an expression of type `Result<(), Error>`. `head` brings the run time into scope as `__op2`.
pub fn par_loop(program: &Program<'_>, head: &TokenStream) -> TokenStream {
    cpu::par_loop(program, &devices(program), head)
}

/// The plan of the loop as an expression of type `Result<Arc<Plan>, Error>`.
pub fn plan(program: &Program<'_>, head: &TokenStream) -> TokenStream {
    cpu::plan(program, &devices(program), head)
}

/// The texts for all targets.
fn devices(program: &Program<'_>) -> Vec<(Target, DeviceUnit)> {
    Target::ALL.into_iter().map(|target| (target, device(target, program))).collect()
}

/// Generated tokens, shown at `span` if the compiler complains of them.
pub fn located(tokens: TokenStream, span: Span) -> TokenStream {
    let span = span.resolved_at(Span::mixed_site());
    let located = |token| {
        let mut token = match token {
            TokenTree::Group(group) => TokenTree::Group(Group::new(group.delimiter(), located(group.stream(), span))),
            token => token,
        };
        token.set_span(span);
        token
    };
    tokens.into_iter().map(located).collect()
}
