//! A program that calls functions of the user and the generated ones.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use op2_codegen::emit::rust;
use op2_codegen::ir::Unit;
use op2_codegen::model;
use op2_codegen::parse::kernel::{FnKind, mentions};
use op2_codegen::payload::Payload;
use op2_codegen::root::Root;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{FnArg, GenericArgument, Item, ItemFn, Pat, PathArguments, Type};

/// How often each function is called.
const CALLS: u64 = 40;

/// The functions of a test, and the constants that they mention.
pub(crate) struct Kernels {
    functions: Vec<ItemFn>,
    constants: Vec<Item>,
}

impl Kernels {
    /// The content of `twin!` in the text of a module, and the constants of the module.
    pub(crate) fn of(text: &str) -> Self {
        let mut kernels = Kernels { functions: Vec::new(), constants: Vec::new() };
        for item in syn::parse_file(text).expect("a module").items {
            match item {
                Item::Macro(mac) if mac.mac.path.is_ident("twin") => {
                    let inside: syn::File = syn::parse2(mac.mac.tokens).expect("`twin!` holds functions");
                    kernels.functions.extend(inside.items.into_iter().filter_map(|item| match item {
                        Item::Fn(function) => Some(function),
                        _ => None,
                    }));
                }
                // Lists of texts belong to the tests there.
                Item::Const(ref c) if !c.expr.to_token_stream().to_string().contains("TEXT") => {
                    kernels.constants.push(item);
                }
                _ => {}
            }
        }
        kernels
    }

    /// The functions that need nothing of op2's run time.
    pub(crate) fn alone(&self) -> impl Iterator<Item = &ItemFn> + Clone {
        self.functions.iter().filter(|f| stands_alone(f))
    }

    /// Their constants.
    pub(crate) fn constants(&self) -> &[Item] {
        &self.constants
    }

    pub(crate) fn payload(&self, item: &ItemFn) -> Payload {
        let callee = |path: syn::Path| {
            let named = self.functions.iter().find(|f| path.is_ident(&f.sig.ident));
            let payload = self.payload(named.unwrap_or_else(|| panic!("no function `{}`", path.to_token_stream())));
            (path, payload)
        };
        static SITES: AtomicU64 = AtomicU64::new(0);
        let site = SITES.fetch_add(1, Ordering::Relaxed);
        let callees = mentions(item, FnKind::Kernel).callees.into_iter().map(callee).collect();
        Payload { callees, ..Payload::new(site, item.clone()) }
    }
}

/// Has the functions compiled both ways and called; the names of those that were.
pub(crate) fn agree(kernels: &Kernels) -> BTreeSet<String> {
    let mut written = BTreeSet::new();
    let (mut modules, mut calls) = (TokenStream::new(), TokenStream::new());
    for function in kernels.alone() {
        let payload = kernels.payload(function);
        let unit = unit(&payload);
        let name = &function.sig.ident;
        let text = rust::functions(&unit, &quote!(Carrier)).unwrap_or_else(|why| panic!("{name}: {why}"));
        let mut items: syn::File = syn::parse2(text).expect("what is written is Rust");
        for item in &mut items.items {
            let Item::Fn(function) = item else { continue };
            function.vis = syn::parse_quote!(pub);
        }
        let (carried, called) = (carriers(&payload, &unit), format_ident!("{name}_0"));
        modules.extend(quote! {
            mod #name {
                use super::*;
                #carried
                pub mod written { use super::Carrier; #items }
            }
        });
        calls.extend(call(function, quote!(#name::written::#called)));
        written.insert(name.to_string());
    }
    let (functions, constants) = (kernels.alone(), kernels.constants());
    let support: syn::File = syn::parse_str(SUPPORT).expect("the support is Rust");
    let program = quote! {
        #![allow(warnings)]
        #support
        #(#constants)*
        #(#functions)*
        #modules
        fn main() { #calls }
    };
    run(&program.to_string(), &[]);
    written
}

/// Whether a function needs nothing of op2's run time.
fn stands_alone(function: &ItemFn) -> bool {
    let text = function.sig.to_token_stream().to_string();
    !text.contains("Arg") && !text.contains("Float")
}

pub(crate) fn unit(payload: &Payload) -> Unit {
    let kernel = model::build(payload, FnKind::Kernel);
    kernel.or_else(|_| model::build(payload, FnKind::DeviceFn)).unwrap_or_else(|e| panic!("{e}"))
}

/// The types that carry constants: `Carrier`, and one for each called function.
pub(crate) fn carriers(payload: &Payload, unit: &Unit) -> TokenStream {
    let support = Root::named("support");
    let own = rust::carried(unit, payload, &support);
    let mut called: Vec<&Payload> = payload.callees.iter().map(|(_, callee)| callee).collect();
    let mut types = TokenStream::new();
    while let Some(callee) = called.pop() {
        let unit = model::build(callee, FnKind::DeviceFn).expect("it was called");
        let (site, carried) = (callee.site, rust::carried(&unit, callee, &support));
        let name = format_ident!("Carrier{site}");
        types.extend(quote! {
            pub enum #name {}
            impl #name { #carried }
            impl ::support::__private::Carries<#name> for ::support::__private::Site<#site> { type Items = #name; }
        });
        called.extend(callee.callees.iter().map(|(_, callee)| callee));
    }
    quote!(pub enum Carrier {} impl Carrier { #own } #types)
}

/// Calls a function and its twin with the same arguments.
fn call(function: &ItemFn, twin: TokenStream) -> TokenStream {
    let name = &function.sig.ident;
    let text = name.to_string();
    let (mut declare, mut pass, mut kept) = (TokenStream::new(), Vec::new(), Vec::new());
    for (n, input) in function.sig.inputs.iter().enumerate() {
        let FnArg::Typed(param) = input else { continue };
        assert!(matches!(*param.pat, Pat::Ident(_) | Pat::Wild(_)));
        let (ty, passed) = argument(&param.ty, &format_ident!("a{n}"));
        let local = format_ident!("a{n}");
        declare.extend(quote!(let mut #local: #ty = Sample::sample(&mut numbers);));
        pass.push(passed);
        kept.push(local);
    }
    let one = |callee: TokenStream| {
        quote! {{
            let mut numbers = Numbers(seed);
            #declare
            let result = caught(|| format!("{:?}", #callee(#(#pass),*)));
            format!("{result:?} {:?}", (#(&#kept,)*))
        }}
    };
    let (plain, written) = (one(quote!(#name)), one(twin));
    quote! {
        for seed in 1..#CALLS {
            assert_eq!(#written, #plain, "{} {seed}", #text);
        }
    }
}

/// The type of the local behind a parameter, and how it is passed.
pub(crate) fn argument(ty: &Type, local: &proc_macro2::Ident) -> (TokenStream, TokenStream) {
    match ty {
        Type::Reference(r) => {
            let (elem, mutability) = (&r.elem, &r.mutability);
            (quote!(#elem), quote!(&#mutability #local))
        }
        Type::Array(array) if let Type::Reference(r) = &*array.elem => {
            let (elem, len) = (&r.elem, &array.len);
            let each = if r.mutability.is_some() { quote!(each_mut) } else { quote!(each_ref) };
            (quote!([#elem; #len]), quote!(#local.#each()))
        }
        Type::Tuple(tuple) => {
            let part = |(n, ty): (usize, &Type)| argument(ty, &format_ident!("{local}_{n}")).0;
            let types = tuple.elems.iter().enumerate().map(part);
            let parts = tuple.elems.iter().enumerate().map(|(n, ty)| {
                let n = syn::Index::from(n);
                let Type::Reference(r) = ty else { return quote!(#local.#n) };
                let mutability = &r.mutability;
                quote!(&#mutability #local.#n)
            });
            let parts: Vec<_> = parts.collect();
            (quote!((#(#types,)*)), quote!((#(#parts,)*)))
        }
        Type::Path(path) if let Some(inner) = optional(path) => {
            let (ty, _) = argument(inner, local);
            let all = matches!(inner, Type::Array(_));
            let mutable = inner.to_token_stream().to_string().contains("mut");
            let pass = match (all, mutable) {
                (true, true) => quote!(#local.as_mut().map(|a| a.each_mut())),
                (true, false) => quote!(#local.as_ref().map(|a| a.each_ref())),
                (false, true) => quote!(#local.as_mut()),
                (false, false) => quote!(#local.as_ref()),
            };
            (quote!(Option<#ty>), pass)
        }
        ty => (quote!(#ty), quote!(#local)),
    }
}

pub(crate) fn optional(path: &syn::TypePath) -> Option<&Type> {
    let last = path.path.segments.last().filter(|s| s.ident == "Option")?;
    let PathArguments::AngleBracketed(list) = &last.arguments else { return None };
    list.args.iter().find_map(|arg| match arg {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Compiles a program, with what else the compiler is to be told, and runs it.
pub(crate) fn run(text: &str, options: &[String]) {
    let folder = tempfile::tempdir().expect("a place for the program");
    let (source, program) = (folder.path().join("program.rs"), folder.path().join("program"));
    let pretty = syn::parse_str(text).map(|file| prettyplease::unparse(&file)).expect("the program is Rust");
    std::fs::write(&source, &pretty).expect("the folder is writable");
    let mut compiler = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    compiler.args(["--edition", "2024", "-o"]).args([&program, &source]).args(options);
    finish(&mut compiler, &pretty);
    finish(&mut Command::new(Path::new(&program)), &pretty);
}

fn finish(command: &mut Command, text: &str) {
    let output = command.output().expect("the program is there");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{told}");
}

/// Random arguments, and what comes of a call that may panic.
pub(crate) const SUPPORT: &str = r#"
extern crate self as support;

pub mod __private {
    pub struct Site<const HASH: u64>;
    pub trait Carries<T> { type Items; }
}

struct Numbers(u64);

impl Numbers {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = self.0 ^ (self.0 >> 33);
        x.wrapping_mul(0xff51afd7ed558ccd) >> 11
    }
}

trait Sample {
    fn sample(numbers: &mut Numbers) -> Self;
}

macro_rules! sample {
    ($($ty:ident $number:expr;)*) => {$(
        impl Sample for $ty {
            fn sample(numbers: &mut Numbers) -> $ty { let from: fn(u64) -> $ty = $number; from(numbers.bits()) }
        }
    )*};
}
sample! {
    f64 |bits| [bits as f64 / (1u64 << 52) as f64 - 1.0, 0.0, -0.0, f64::NAN, f64::INFINITY, 1e300, 2.5][if bits % 5 == 0 { bits as usize / 5 % 7 } else { 0 }];
    f32 |bits| [bits as f32 / (1u64 << 52) as f32 - 1.0, 0.0, -0.0, f32::NAN, f32::INFINITY, 1e30, 2.5][if bits % 5 == 0 { bits as usize / 5 % 7 } else { 0 }];
    i8 |bits| bits as i8;
    u8 |bits| bits as u8;
    i16 |bits| bits as i16;
    u16 |bits| bits as u16;
    i32 |bits| (bits % 9) as i32 - 2;
    u32 |bits| (bits % 7) as u32;
    i64 |bits| (bits % 9) as i64 - 2;
    u64 |bits| bits % 7;
    usize |bits| bits as usize % 2;
    bool |bits| bits % 2 == 0;
}

impl<T: Sample, const N: usize> Sample for [T; N] {
    fn sample(numbers: &mut Numbers) -> Self { std::array::from_fn(|_| T::sample(numbers)) }
}
impl<A: Sample> Sample for (A,) {
    fn sample(numbers: &mut Numbers) -> Self { (A::sample(numbers),) }
}
impl<A: Sample, B: Sample> Sample for (A, B) {
    fn sample(numbers: &mut Numbers) -> Self { (A::sample(numbers), B::sample(numbers)) }
}
impl<A: Sample, B: Sample, C: Sample, D: Sample, E: Sample, F: Sample> Sample for (A, B, C, D, E, F) {
    fn sample(n: &mut Numbers) -> Self {
        (A::sample(n), B::sample(n), C::sample(n), D::sample(n), E::sample(n), F::sample(n))
    }
}
impl<T: Sample> Sample for Option<T> {
    fn sample(numbers: &mut Numbers) -> Self { (numbers.bits() % 2 == 0).then(|| T::sample(numbers)) }
}

fn caught<T>(call: impl FnOnce() -> T) -> Result<T, ()> {
    std::panic::set_hook(Box::new(|_| {}));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).map_err(|_| ());
    let _ = std::panic::take_hook();
    result
}
"#;
