//! The code that the macros generate: one folder per case under `tests/golden`, with a program text `input.rs`
//! (device functions, a kernel, and a loop in the function `run`), the code that the macros make of it,
//! `cpu.rs`, the CUDA text of the loop, `cuda.cu`, the same with one contribution stage, with two and so on, `stages1.cu`,
//! `stages2.cu`, and the typed IR of the kernel, `ir.txt`.
//!
//! After a change of the generator, write the files anew and read the difference:
//!
//! ```text
//! BLESS=1 cargo test -p op2-codegen --test golden
//! ```

mod samples;

use op2_codegen::emit::cuda;
use op2_codegen::emit::device::{DeviceConst, DeviceUnit};
use op2_codegen::expand::{self, Site, Wanted};
use op2_codegen::ir::print;
use op2_codegen::lower::{self, Lowered};
use op2_codegen::model;
use op2_codegen::parse::kernel::FnKind;
use op2_codegen::parse::loop_decl::LoopDecl;
use op2_codegen::payload::Payload;
use op2_codegen::root::Root;
use op2_codegen::split;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use samples::sample;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use syn::parse::{Parse, ParseStream, Parser};
use syn::visit_mut::VisitMut;
use syn::{Expr, File, Item, ItemFn, Stmt};

/// The folder of the cases, from where tests of this package run.
const FOLDER: &str = "../tests/golden";

/// Where the functions of a case stand.
const GOLDEN: Site<'_> = Site { compilation: "golden", file: "golden", place: "1:1" };

#[test]
fn generated_code() {
    let mut stale = Vec::new();
    let mut cases: Vec<_> = fs::read_dir(FOLDER).expect("tests run in the root of the package").collect();
    cases.sort_by_key(|entry| entry.as_ref().map(|e| e.path()).ok());
    for case in cases {
        let folder = case.expect("a readable folder").path();
        let input = fs::read_to_string(folder.join("input.rs")).expect("every case has its input");
        let loops = input.matches("op_par_loop!(").count();
        assert!(loops <= 1, "{}: {loops} loops, and their texts would not compile as one", folder.display());
        let Generated { cpu, cuda, stages, ir } = Compiler::default().program(&input);
        let mut files =
            BTreeMap::from([("cpu.rs".to_owned(), cpu), ("cuda.cu".to_owned(), cuda), ("ir.txt".to_owned(), ir)]);
        files.extend((1..).zip(stages).map(|(n, text)| (format!("stages{n}.cu"), text)));
        stale.extend(files.iter().filter_map(|(name, found)| compare(&folder.join(name), found)));
        stale.extend(left_over(&folder, |name| name == "input.rs" || files.contains_key(name)));
    }
    assert!(
        stale.is_empty(),
        "{}\nread the difference after `BLESS=1 cargo test -p op2-codegen --test golden`",
        stale.join("\n")
    );
}

/// Twice the same input gives twice the same output.
#[test]
fn deterministic() {
    let input = fs::read_to_string(Path::new(FOLDER).join("res_calc/input.rs")).expect("the case is there");
    assert_eq!(Compiler::default().program(&input), Compiler::default().program(&input));
}

/// Compares a file with what it should hold, or writes it if `BLESS` is set. Gives the first line that
/// differs.
fn compare(path: &Path, found: &str) -> Option<String> {
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, found).expect("the folder is writable");
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == found {
        return None;
    }
    let line = expected.lines().zip(found.lines()).take_while(|(a, b)| a == b).count();
    let at = |text: &str| text.lines().nth(line).unwrap_or("(end)").to_owned();
    Some(format!("{}:{}: expected `{}`, found `{}`", path.display(), line + 1, at(&expected), at(found)))
}

/// Files of a folder that no case writes any more; removes them if `BLESS` is set.
fn left_over(folder: &Path, is_written: impl Fn(&str) -> bool) -> Vec<String> {
    let files = fs::read_dir(folder).expect("a readable folder").map(|entry| entry.expect("a readable folder").path());
    let left = files.filter(|file| !file.file_name().and_then(|name| name.to_str()).is_some_and(&is_written));
    let left = left.filter(|file| std::env::var_os("BLESS").is_none() || fs::remove_file(file).is_err());
    left.map(|file| format!("{}: nothing is generated for it, remove it", file.display())).collect()
}

/// A stage that a loop no longer has would stay in its folder for good.
#[test]
fn files_that_nothing_is_generated_for_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["input.rs", "stages1.cu", "stages2.cu"] {
        fs::write(folder.path().join(name), "").expect("a file");
    }
    if std::env::var_os("BLESS").is_none() {
        let found = left_over(folder.path(), |name| ["input.rs", "stages1.cu"].contains(&name));
        assert!(found.len() == 1 && found[0].contains("stages2.cu: nothing is generated for it"), "{found:?}");
    }
}

/// The output for one program.
#[derive(Debug, PartialEq, Eq)]
struct Generated {
    /// The program with its macros expanded.
    cpu: String,
    /// Its loops in CUDA C++.
    cuda: String,
    /// The same in stages.
    stages: Vec<String>,
    /// The IR of its kernels.
    ir: String,
}

/// Does the compiler's part for the macros: expands them, and resolves the names of hidden macros.
#[derive(Default)]
struct Compiler {
    /// Answers of hidden macros, by the name of their function.
    answers: BTreeMap<String, TokenStream>,
    cuda: String,
    stages: Vec<String>,
    ir: String,
}

impl Compiler {
    /// All that is made of a program.
    fn program(mut self, text: &str) -> Generated {
        let file: File = syn::parse_str(text).expect("the input is Rust");
        let items = file.items.into_iter().flat_map(|item| self.item(item)).collect();
        let expanded = File { items, ..file };
        Generated { cpu: prettyplease::unparse(&expanded), cuda: self.cuda, stages: self.stages, ir: self.ir }
    }

    fn item(&mut self, item: Item) -> Vec<Item> {
        match item {
            Item::Fn(function) if let Some(kind) = kind(&function) => self.function(kind, function),
            Item::Macro(mac) if mac.mac.path.is_ident("macro_rules") => {
                self.answers.extend(answer(&mac.mac.tokens));
                vec![Item::Macro(mac)]
            }
            // A device function is asked for its answer.
            Item::Macro(mac)
                if mac.mac.tokens.to_string().starts_with("[::") || mac.mac.tokens.to_string().starts_with("[ ::") =>
            {
                let tokens = self.ask(&mac.mac.path.to_token_stream().to_string(), &mac.mac.tokens);
                self.items(expand::function_step(tokens, &Root::default()))
            }
            // Anything else may hold functions with loops in them.
            mut other => {
                Loops { compiler: self }.visit_item_mut(&mut other);
                vec![other]
            }
        }
    }

    fn items(&mut self, tokens: TokenStream) -> Vec<Item> {
        let file: File = syn::parse2(tokens).expect("attributes expand to items");
        file.items.into_iter().flat_map(|item| self.item(item)).collect()
    }

    fn function(&mut self, kind: FnKind, mut function: ItemFn) -> Vec<Item> {
        function.attrs.retain(|a| a.path().segments.first().is_none_or(|s| s.ident != "op2"));
        let name = function.sig.ident.to_string();
        let items = self.items(expand::function(
            kind,
            TokenStream::new(),
            function.to_token_stream(),
            GOLDEN,
            &Root::default(),
        ));
        if kind == FnKind::Kernel {
            let unit = model::build(&self.payload(&name), kind).expect("the case is in the language");
            self.ir.push_str(&print::unit(&unit));
        }
        items
    }

    /// The input of the step behind `name!`: its answer in front of what it was given after the step.
    fn ask(&self, name: &str, given: &TokenStream) -> TokenStream {
        let answer = &self.answers[name];
        let rest = given.clone().into_iter().skip(1);
        quote!({ #answer } #(#rest)*)
    }

    fn payload(&self, name: &str) -> Payload {
        let behind_role = |input: ParseStream| {
            input.parse::<syn::Ident>()?;
            Payload::parse(input)
        };
        behind_role.parse2(self.answers[name].clone()).expect("the answer holds a payload")
    }
}

fn kind(function: &ItemFn) -> Option<FnKind> {
    function.attrs.iter().find_map(|a| match a.path().to_token_stream().to_string().as_str() {
        "op2 :: kernel" => Some(FnKind::Kernel),
        "op2 :: device_fn" => Some(FnKind::DeviceFn),
        _ => None,
    })
}

/// The name of the function and its answer: what stands in the first braces of the macro's body.
fn answer(macro_body: &TokenStream) -> Option<(String, TokenStream)> {
    let body = macro_body.clone().into_iter().last()?;
    let braces = |tokens: TokenStream| {
        tokens.into_iter().find_map(|t| match t {
            TokenTree::Group(g) if g.delimiter() == Delimiter::Brace => Some(g.stream()),
            _ => None,
        })
    };
    let TokenTree::Group(arm) = body else { return None };
    let answer = braces(braces(arm.stream())?)?;
    let function: ItemFn = syn::parse2(braces(answer.clone())?).ok()?;
    Some((function.sig.ident.to_string(), answer))
}

/// Expands the loops of a function.
struct Loops<'a> {
    compiler: &'a mut Compiler,
}

impl Loops<'_> {
    fn expanded(&mut self, mac: &syn::Macro) -> TokenStream {
        let wanted = if mac.path.is_ident("op_plan") { Wanted::Plan } else { Wanted::Run };
        let start: syn::Macro = syn::parse2(expand::loop_start(mac.tokens.clone(), wanted, &Root::default()))
            .expect("a call of the hidden macro");
        let name = start.path.to_token_stream().to_string();
        let unit = model::build(&self.compiler.payload(&name), FnKind::Kernel).expect("the case is in the language");
        let decl = syn::parse2::<LoopDecl>(mac.tokens.clone()).expect("a loop");
        let lowered = lower::lower(decl, &unit);
        let cuda = cuda::unit(&lowered, &unit, &split::forms(&lowered, &unit));
        let definitions = definitions(&lowered, &cuda);
        self.compiler.cuda.push_str(&format!("{definitions}\n{}", cuda.text));
        self.compiler.stages.extend(cuda.forms.iter().map(|stages| format!("{definitions}\n{}", stages.text)));
        elided(expand::loop_step(self.compiler.ask(&name, &start.tokens), wanted, &Root::default()), &cuda)
    }
}

impl VisitMut for Loops<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Macro(mac) = e
            && is_loop(&mac.mac)
        {
            *e = syn::parse2(self.expanded(&mac.mac)).expect("a loop is an expression");
        } else {
            syn::visit_mut::visit_expr_mut(self, e);
        }
    }

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        if let Stmt::Macro(mac) = stmt
            && is_loop(&mac.mac)
        {
            let e = syn::parse2(self.expanded(&mac.mac)).expect("a loop is an expression");
            *stmt = Stmt::Expr(e, mac.semi_token);
        } else {
            syn::visit_mut::visit_stmt_mut(self, stmt);
        }
    }
}

/// The expansion with names in place of the texts that files of their own show.
fn elided(expansion: TokenStream, cuda: &DeviceUnit) -> TokenStream {
    let file = |text: &str| match cuda.forms.iter().position(|stages| stages.text == text) {
        Some(n) => Some(format!("as in stages{}.cu", n + 1)),
        None => (text == cuda.text).then(|| "as in cuda.cu".to_owned()),
    };
    let elide = |token| match token {
        TokenTree::Group(group) => {
            let mut inner = proc_macro2::Group::new(group.delimiter(), elided(group.stream(), cuda));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        TokenTree::Literal(literal) => {
            let text = syn::parse_str::<syn::LitStr>(&literal.to_string()).ok().and_then(|s| file(&s.value()));
            TokenTree::Literal(text.map_or(literal, |text| proc_macro2::Literal::string(&text)))
        }
        token => token,
    };
    expansion.into_iter().map(elide).collect()
}

/// Definitions such as the run time makes, so that the file can be compiled behind the header.
fn definitions(lowered: &Lowered, cuda: &DeviceUnit) -> String {
    let mut lines = vec!["// The run time's definitions, for example:".to_owned(), "#define OP2_BLOCK 128".to_owned()];
    lines.extend((0..lowered.floats().len()).map(|n| format!("#define {} double", op2_core::float_definition(n))));
    lines.extend((0..lowered.lens.len()).map(|n| format!("#define {} {}", op2_core::length_definition(n), n + 2)));
    lines.extend(lowered.pairs.then(|| "#define OP2_DIMENSIONS 2\n#define OP2_FROM_OUTSIDE 1".to_owned()));
    lines.extend((!cuda.covers.is_empty()).then(|| "#define OP2_READS Staged".to_owned()));
    for view in &cuda.views {
        lines.push(format!("#define OP2_LAYOUT_{} Aos", view.name));
        lines.push(format!("#define OP2_STRIDE_{} 1", view.name));
        let mapped = view.args.iter().any(|n| lowered.args[*n].target().is_some());
        let misses = u32::from(lowered.args.iter().any(|arg| arg.may_miss));
        let whole = view.args.iter().any(|n| lowered.args[*n].reach() == Some(lower::Reach::Whole));
        lines.extend(whole.then(|| format!("#define OP2_SIZE_{} 1000", view.name)));
        lines.extend(mapped.then(|| format!("#define OP2_MISS_{} {misses}", view.name)));
        lines.extend(view.optional.then(|| format!("#define OP2_HAS_{} 1", view.name)));
    }
    for (name, map) in cuda.maps.iter().zip(&lowered.maps) {
        lines.push(format!("#define OP2_ROWS_{name} 1000"));
        lines.extend(map.by_rows.then(|| format!("#define OP2_ARITY_{name} 0")));
    }
    let computed =
        |(n, target): (usize, &lower::Target)| target.is_computed().then(|| format!("#define OP2_ENTRY_{n} 1"));
    lines.extend(lowered.targets.iter().enumerate().filter_map(computed));
    if !cuda.consts.is_empty() {
        let constant = |c: &DeviceConst| {
            let (ty, value) = sample(&c.ty);
            format!("OP2_CONST {ty} {} = {value};", c.name)
        };
        lines.push("namespace user {\nusing namespace op2::types;".to_owned());
        lines.extend(cuda.consts.iter().map(constant));
        lines.push("}".to_owned());
    }
    lines.join("\n") + "\n"
}

fn is_loop(mac: &syn::Macro) -> bool {
    mac.path.is_ident("op_par_loop") || mac.path.is_ident("op_plan")
}
