//! The same functions for several elements at once: for every instruction set of the machine, each lane has the bits of
//! the user's function, and a call panics if the user's function panics for one of the lanes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use op2_codegen::emit::rust::lanes;
use op2_codegen::vary::vary;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{FnArg, Item, ItemFn, Type};

use crate::program::{Kernels, SUPPORT, argument, carriers, optional, run, unit};

/// How often each function is called.
const CALLS: u64 = 40;

/// Which arguments differ between lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Differ {
    /// All.
    All,
    /// The first, the third and so on.
    Odd,
    /// The others.
    Even,
}

impl Differ {
    fn holds(self, n: usize) -> bool {
        match self {
            Differ::All => true,
            Differ::Odd => n.is_multiple_of(2),
            Differ::Even => !n.is_multiple_of(2),
        }
    }
}

/// Has the functions compiled in lanes and called; why those that were not cannot be written so.
pub(crate) fn agree_in_lanes(kernels: &Kernels) -> BTreeMap<(String, Differ), String> {
    let mut refused = BTreeMap::new();
    let (mut modules, mut bodies, mut calls) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
    for (function, differ) in kernels.alone().flat_map(|f| [Differ::All, Differ::Odd, Differ::Even].map(|d| (f, d))) {
        let payload = kernels.payload(function);
        let unit = unit(&payload);
        let name = &function.sig.ident;
        let params: Vec<bool> = (0..unit.funcs[0].params.len()).map(|n| differ.holds(n)).collect();
        // Parameters that are written to hold lanes.
        let params: Vec<bool> =
            params.iter().zip(&function.sig.inputs).map(|(d, input)| *d || is_mutable(input)).collect();
        let varied = match vary(&unit, &params) {
            Ok(varied) => varied,
            Err(obstacle) => {
                refused.insert((name.to_string(), differ), obstacle.to_string());
                continue;
            }
        };
        if let Some(obstacle) = lanes::obstacle(&unit) {
            refused.insert((name.to_string(), differ), obstacle);
            continue;
        }
        let text = lanes::functions(&varied, &quote!(Carrier));
        let mut items: syn::File =
            syn::parse2(text.clone()).unwrap_or_else(|e| panic!("{name}: what is written is Rust: {e}\n{text}"));
        for item in &mut items.items {
            let Item::Fn(function) = item else { continue };
            function.vis = syn::parse_quote!(pub);
        }
        let module = format_ident!("{name}_{}", format!("{differ:?}").to_lowercase());
        let carried = carriers(&payload, &unit);
        modules.extend(quote! {
            mod #module {
                use super::*;
                #carried
                pub mod written { use super::Carrier; use ::op2::private as __op2; #items }
            }
        });
        let takes: Vec<bool> = (0..params.len()).map(|n| varied.instances[0].takes_lanes(&unit, n)).collect();
        let lanes_name = lanes::name(&varied, 0);
        bodies.extend(body(
            function,
            &module,
            quote!(#module::written::#lanes_name),
            &params,
            &takes,
            varied.instances[0].result,
        ));
        let body = format_ident!("{module}_body");
        calls.extend(quote!(for isa in &sets { __op2::run_in(*isa, &#body); }));
    }
    let (functions, constants) = (kernels.alone(), kernels.constants());
    let support: syn::File = syn::parse_str(SUPPORT).expect("the support is Rust");
    let program = quote! {
        #![allow(warnings)]
        use ::op2::private as __op2;
        #support
        #(#constants)*
        #(#functions)*
        #modules
        #bodies
        fn main() {
            let sets: Vec<_> = ::op2::Isa::available().into_iter().filter(|isa| *isa != ::op2::Isa::Scalar).collect();
            #calls
        }
    };
    run(&program.to_string(), run_time());
    refused
}

fn is_mutable(input: &FnArg) -> bool {
    input.to_token_stream().to_string().contains("& mut")
}

/// A body that calls a function for each lane, and its twin for all of them.
fn body(
    function: &ItemFn,
    module: &proc_macro2::Ident,
    twin: TokenStream,
    differ: &[bool],
    takes: &[bool],
    result: bool,
) -> TokenStream {
    let name = &function.sig.ident;
    let (text, body) = (module.to_string(), format_ident!("{module}_body"));
    let sampled = format_ident!("{module}_sampled");
    let (mut types, mut alls) = (Vec::new(), Vec::new());
    let (mut samples, mut scalar, mut lanes) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
    let (mut scalar_pass, mut lane_pass) = (Vec::new(), Vec::new());
    let (mut kept, mut kept_lanes) = (Vec::new(), Vec::new());
    for (n, input) in function.sig.inputs.iter().enumerate() {
        let FnArg::Typed(param) = input else { continue };
        let (local, all) = (format_ident!("a{n}"), format_ident!("all{n}"));
        let (ty, pass) = argument(&param.ty, &local);
        let differs = differ[n];
        samples.extend(match differs {
            true => quote!(let #all: Vec<#ty> = (0..lanes).map(|_| Sample::sample(&mut numbers)).collect();),
            false => quote! {
                let one: #ty = Sample::sample(&mut numbers);
                let #all: Vec<#ty> = vec![one; lanes];
            },
        });
        types.push(ty.clone());
        alls.push(all.clone());
        // Whether an optional argument is there is the same for all elements.
        if is_optional(&param.ty) {
            samples.extend(quote! {
                let there = #all[0].is_some();
                let #all: Vec<#ty> = #all.iter().map(|one| if !there { None } else { one.or(#all[0]) }).collect();
            });
        }
        scalar.extend(quote!(let mut #local: #ty = #all[lane];));
        scalar_pass.push(pass.clone());
        kept.push(local.clone());
        let whole = if is_optional(&param.ty) && takes[n] {
            quote!(let mut #local = #all[0].map(|_| __op2::each(w, |lane| #all[lane].unwrap()));)
        } else if takes[n] {
            quote!(let mut #local = __op2::each(w, |lane| #all[lane]);)
        } else {
            quote!(let mut #local = #all[0];)
        };
        lanes.extend(whole);
        lane_pass.push(pass);
        kept_lanes.push(match (is_optional(&param.ty), takes[n]) {
            (true, true) => quote!(&#local.map(|all| __op2::Lanes::<W>::lane(&all, lane))),
            (false, true) => quote!(&__op2::Lanes::<W>::lane(&#local, lane)),
            (_, false) => quote!(&#local),
        });
    }
    let has_result = !matches!(function.sig.output, syn::ReturnType::Default);
    let of_lane = match (has_result, result) {
        (true, true) => quote!(__op2::Lanes::<W>::lane(&result, lane)),
        (true, false) => quote!(result),
        (false, _) => quote!(()),
    };
    quote! {
        // Draws the arguments of each lane, and calls the user's function with them. Compiled once for all widths.
        fn #sampled(lanes: usize, seed: u64) -> ((#(Vec<#types>,)*), Result<Vec<String>, ()>) {
            let mut numbers = Numbers(seed);
            #samples
            let one = |lane: usize| {
                #scalar
                let result = caught(|| format!("{:?}", #name(#(#scalar_pass),*)));
                result.map(|result| format!("{result} {:?}", (#(&#kept,)*)))
            };
            let expected: Vec<_> = (0..lanes).map(one).collect();
            let expected = expected.into_iter().collect();
            ((#(#alls,)*), expected)
        }
        struct #body;
        impl __op2::Vector for #body {
            type Wide = f64;
            type Out = ();
            const SCALARS: usize = 0;
            #[inline(always)]
            fn run<W: __op2::Width, const SOA: bool>(&self, w: W, _elems: __op2::Elems<'_>, _part: ()) {
                for seed in 1..#CALLS {
                    let ((#(#alls,)*), expected) = #sampled(W::LANES, seed);
                    let found = caught(|| {
                        #lanes
                        let result = #twin(w, #(#lane_pass),*);
                        let result = (0..W::LANES).map(|lane| format!("{:?}", #of_lane)).collect::<Vec<_>>();
                        (0..W::LANES).map(|lane| format!("{} {:?}", result[lane], (#(#kept_lanes,)*))).collect::<Vec<_>>()
                    });
                    assert_eq!(found, expected, "{} {seed} {}", #text, W::LANES);
                }
            }
        }
    }
}

fn is_optional(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if optional(path).is_some())
}

/// The compiler's options for finding the run time.
fn run_time() -> &'static [String] {
    static OPTIONS: OnceLock<Vec<String>> = OnceLock::new();
    OPTIONS.get_or_init(find_run_time)
}

/// The library stands beside this test.
fn find_run_time() -> Vec<String> {
    // The name that the linker knows this function by is another one in every build of the crate.
    assert!(op2_runtime::Isa::available().contains(&op2_runtime::Isa::Scalar));
    let test = std::env::current_exe().expect("a test has a file");
    let folder: PathBuf = test.parent().expect("it lies in a folder").to_owned();
    let linked = names_of_available(&test);
    let named = |name: &str| name.starts_with("libop2_runtime-") && name.ends_with(".rlib");
    let found = std::fs::read_dir(&folder).expect("the folder can be read").filter_map(Result::ok);
    let found = found.filter(|entry| named(&entry.file_name().to_string_lossy())).map(|entry| entry.path());
    let mut own = found.filter(|path| !names_of_available(path).is_disjoint(&linked));
    let library = own.next().unwrap_or_else(|| panic!("no library in {} defines {linked:?}", folder.display()));
    assert_eq!(own.next(), None, "{} is not the only one that defines {linked:?}", library.display());
    vec![
        "--extern".to_owned(),
        format!("op2={}", library.display()),
        "-L".to_owned(),
        format!("dependency={}", folder.display()),
    ]
}

/// The names for the linker of [`op2_runtime::Isa::available`] that stand in a file.
fn names_of_available(path: &Path) -> BTreeSet<String> {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let of_name = |b: &u8| b.is_ascii_alphanumeric() || b"_.$".contains(b);
    let names = memchr::memmem::find_iter(&bytes, b"3Isa9available").map(|at| {
        let start = bytes[..at].iter().rposition(|b| !of_name(b)).map_or(0, |before| before + 1);
        let end = bytes[at..].iter().position(|b| !of_name(b)).map_or(bytes.len(), |behind| at + behind);
        String::from_utf8_lossy(&bytes[start..end]).into_owned()
    });
    names.filter(|name| name.starts_with('_') && name.contains("11op2_runtime")).collect()
}
