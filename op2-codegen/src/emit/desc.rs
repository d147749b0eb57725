//! The static description of a loop.

use crate::check::usage::Mode;
use crate::lower::{Lowered, Place, Role};
use proc_macro2::{Ident, Span, TokenStream};

/// The `LoopDesc` of a loop, as an expression.
pub fn desc(lowered: &Lowered) -> TokenStream {
    let Lowered { kernel, kernel_name, flops, .. } = lowered;
    let args = lowered.args.iter().map(|arg| {
        let text = &arg.text;
        let kind = kind(&arg.role);
        let optional = matches!(&arg.role, Role::Dat(d) if d.flag.is_some());
        hygienic!(__op2::ArgDesc { text: #text, kind: #kind, optional: #optional })
    });
    hygienic! {
        __op2::LoopDesc {
            kernel: #kernel_name,
            file: ::core::file!(),
            line: ::core::line!(),
            flops: #flops,
            args: &[#(#args),*],
            captured: #kernel::__CAPTURED,
        }
    }
}

/// The access of the run time.
pub fn access(mode: Mode) -> TokenStream {
    let name = Ident::new(
        match mode {
            Mode::Read => "Read",
            Mode::Write => "Write",
            Mode::Rw => "Rw",
            Mode::Inc => "Inc",
            Mode::Min => "Min",
            Mode::Max => "Max",
        },
        Span::mixed_site(),
    );
    hygienic!(__op2::Access::#name)
}

fn kind(role: &Role) -> TokenStream {
    match role {
        Role::Read(_) => hygienic!(__op2::ArgKind::Global(__op2::Access::Read)),
        Role::Reduce(mode, _) => {
            let access = access(*mode);
            hygienic!(__op2::ArgKind::Global(#access))
        }
        Role::Index(_) => hygienic!(__op2::ArgKind::Index),
        Role::Dat(dat) => {
            let access = access(dat.mode);
            match dat.place {
                Place::Element => hygienic!(__op2::ArgKind::Direct(#access)),
                Place::Entry(_) => hygienic!(__op2::ArgKind::Indirect(#access)),
                Place::All(_) => hygienic!(__op2::ArgKind::AllEntries(#access)),
            }
        }
    }
}
