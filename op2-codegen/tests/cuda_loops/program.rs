//! A loop as a program that runs all its wrappers and compares what they leave.

use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use op2_codegen::emit::device::{DeviceCover, DeviceKernel, DeviceUnit, DeviceView};
use op2_codegen::ir::{Access, Combine};
use op2_codegen::lower::{Lowered, Role};
use op2_core::{EntryPoint, Wrapper};
use op2_test_support::skips::{SANITIZERS, found};

use crate::{Case, Loop, nvrtc};

/// The tool that watches a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watch {
    /// Accesses out of bounds, misaligned ones, and what else C++ leaves undefined.
    Memory,
    /// Threads of a block that meet at one place without a barrier or atomics.
    Races,
}

impl Watch {
    /// The GPU that NVIDIA's compiler compiles for beside it. It takes most of the time of these tests, so that each run of a case
    /// is for one of the last years' machines.
    fn arch(self) -> &'static str {
        match self {
            Watch::Memory => "sm_80",
            Watch::Races => "sm_90",
        }
    }
}

/// Runs a case in one choice of layouts and of absent arguments.
pub(crate) fn check(case: &Case, watch: Watch, layouts: [&str; 2], absent: &[&str]) {
    let compiled = crate::compile(case);
    // Each program takes seconds to compile: of the forms in stages the last one, in one of the runs.
    let last = compiled.unit.forms.len().checked_sub(1).filter(|_| watch == Watch::Races);
    for form in [None].into_iter().chain(last.map(Some)) {
        let name = form.map_or(case.name.to_owned(), |n| format!("{} in {} stages", case.name, n + 1));
        let program = Program { case, found: &compiled, layouts, absent, form };
        nvrtc::compiles(&name, &program.device(), watch.arch());
        if available() {
            run(&name, watch, &program.text());
        }
    }
}

/// Runs a program, which says what is wrong.
fn run(name: &str, watch: Watch, text: &str) {
    let harness = harness(watch).unwrap_or_else(|report| panic!("{report}"));
    let program = compiled(&name.replace(' ', "-"), watch, text, Some(&[&harness]));
    let program = program.unwrap_or_else(|report| panic!("{report}"));
    let output = Command::new(&program).output().expect("the program starts");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success(), "{name}: {}\n{said}\nin {}.cpp", output.status, program.display());
}

/// Whether there is a C++ compiler with its sanitizers. Without them nothing runs.
fn available() -> bool {
    static FOUND: OnceLock<Result<(), String>> = OnceLock::new();
    let looked_for = FOUND.get_or_init(|| {
        [Watch::Memory, Watch::Races].into_iter().try_for_each(|watch| {
            let program = compiled("probe", watch, "int main() { return 0; }\n", Some(&[]))?;
            Command::new(program).output().map(drop).map_err(|e| e.to_string())
        })
    });
    found(SANITIZERS, looked_for.as_ref()).is_some()
}

/// The part that all programs share, compiled once: it takes longer to compile than the rest of a program.
fn harness(watch: Watch) -> Result<PathBuf, String> {
    static MEMORY: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    static RACES: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let place = match watch {
        Watch::Memory => &MEMORY,
        Watch::Races => &RACES,
    };
    let texts = [
        include_str!("shim.hpp"),
        op2_device::language::cuda::HEADER,
        include_str!("harness.hpp"),
        include_str!("harness.cpp"),
    ];
    place.get_or_init(|| compiled("harness", watch, &texts.join("\n"), None)).clone()
}

/// The command that compiles C++, with its arguments.
fn compiler() -> Vec<String> {
    let command = std::env::var("CXX").unwrap_or_default();
    let words: Vec<_> = command.split_whitespace().map(str::to_owned).collect();
    if words.is_empty() { vec!["c++".to_owned()] } else { words }
}

/// Compiles a program with its other parts, or a part if there are none given, unless one of the same source and compiler is
/// there from an earlier run; or what the compiler said.
fn compiled(name: &str, watch: Watch, source: &str, parts: Option<&[&Path]>) -> Result<PathBuf, String> {
    let mut compiler = compiler();
    let mut hasher = DefaultHasher::new();
    let flags = match watch {
        Watch::Memory => "-fsanitize=undefined,address -fno-sanitize-recover=undefined",
        Watch::Races => "-g -fsanitize=thread",
    };
    (source, &compiler, flags, parts).hash(&mut hasher);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let program = folder.join(format!("cuda-loops-{name}-{:016x}", hasher.finish()));
    if program.exists() {
        return Ok(program);
    }
    let (text, built) = (program.with_extension("cpp"), program.with_extension("new"));
    std::fs::write(&text, source).expect("the text is written");
    let mut command = Command::new(compiler.remove(0));
    // Optimised sanitizers take four times as long to compile.
    command.args(compiler).args(["-std=c++17", "-O0", "-ffp-contract=off", "-pthread"]).args(flags.split_whitespace());
    match parts {
        Some(parts) => command.arg(&text).args(parts),
        None => command.arg("-c").arg(&text),
    };
    let result = command.arg("-o").arg(&built).output().map_err(|e| e.to_string())?;
    if !result.status.success() {
        return Err(format!("{}\nin {}", String::from_utf8_lossy(&result.stderr), text.display()));
    }
    std::fs::rename(&built, &program).expect("the program is put in place");
    Ok(program)
}

/// Writes the program.
struct Program<'a> {
    case: &'a Case,
    found: &'a Loop,
    layouts: [&'a str; 2],
    absent: &'a [&'a str],
    /// The loop in stages; none if it does all at once.
    form: Option<usize>,
}

/// Lines of C++ from a format.
macro_rules! push {
    ($out:expr, $($format:tt)*) => { writeln!($out, $($format)*).expect("writing to a string") };
}

impl Program<'_> {
    fn unit(&self) -> &DeviceUnit {
        &self.found.unit
    }

    fn lowered(&self) -> &Lowered {
        &self.found.lowered
    }

    /// The text for a GPU's compiler.
    fn device(&self) -> String {
        let text = self.form.map_or(&self.unit().text, |n| &self.unit().forms[n].text);
        [op2_device::language::cuda::HEADER, &self.definitions(), text].join("\n")
    }

    /// The text for the host's compiler.
    fn text(&self) -> String {
        [
            include_str!("shim.hpp"),
            &self.device(),
            include_str!("harness.hpp"),
            &self.data(),
            &self.work(),
            &self.checks(),
        ]
        .join("\n")
    }

    fn definitions(&self) -> String {
        let mut out = String::new();
        push!(out, "#define OP2_BLOCK 64ull\n#define OP2_READS Staged\n#define OP2_FLOAT {}", self.case.float);
        for (n, view) in self.unit().views.iter().enumerate() {
            let (name, layout) = (&view.name, self.layouts[n % 2]);
            let stride = match layout {
                "Soa" => 203,
                "Blocked" => 8,
                _ => 1,
            };
            push!(
                out,
                "#define OP2_LAYOUT_{name} {layout}\n#define OP2_STRIDE_{name} {stride}ull\n#define OP2_MISS_{name} 0ull"
            );
            if view.optional {
                push!(out, "#define OP2_HAS_{name} {}ull", u8::from(self.is_there(view)));
            }
        }
        for map in &self.unit().maps {
            push!(out, "#define OP2_ROWS_{map} 203ull");
        }
        for (target, entry) in self.case.entries {
            push!(out, "#define OP2_ENTRY_{target} {entry}ull");
        }
        push!(out, "namespace user {{\nusing namespace op2::types;\n{}\n}}", self.case.consts);
        out
    }

    fn is_there(&self, view: &DeviceView) -> bool {
        !self.absent.contains(&view.name.as_str())
    }

    /// Dats and globals, and what a plain loop does with them.
    fn data(&self) -> String {
        let mut out = String::new();
        for (map, arity) in self.unit().maps.iter().zip(self.case.arities) {
            push!(out, "static const Map {map}({arity});");
        }
        push!(out, "struct Data {{");
        for view in &self.unit().views {
            push!(out, "Values<user::{}::Value> {};", class(view), view.name);
        }
        for (name, role) in self.globals() {
            match role {
                _ if self.is_best(name) => push!(out, "user::{name}_value {name}{{}};"),
                _ => push!(out, "user::{name}_value {name} = random_value<user::{name}_value>();"),
            }
        }
        push!(out, "void element(u32 at) {{\n{};\n}}\n}};", self.case.reference);
        out
    }

    fn globals(&self) -> impl Iterator<Item = (&str, &Role)> {
        let args = self.lowered().args.iter().zip(&self.found.params);
        args.filter(|(a, _)| matches!(a.role, Role::Read(_) | Role::Reduce(..)))
            .map(|(a, name)| (name.as_str(), &a.role))
    }

    fn reductions(&self) -> impl Iterator<Item = (&str, Combine)> {
        self.globals().filter_map(|(name, role)| match role {
            Role::Reduce(how, _) => Some((name, *how)),
            _ => None,
        })
    }

    fn is_best(&self, name: &str) -> bool {
        self.unit().text.contains(&format!("using {name}_value = Arg"))
    }

    /// The struct `Work`: the data that one wrapper works on, and the comparison of its results.
    fn work(&self) -> String {
        let (mut members, mut starts, mut compared) = (String::new(), String::new(), String::new());
        for view in &self.unit().views {
            let (name, class) = (&view.name, class(view));
            push!(members, "LaidOut<user::{class}> {name}_data;");
            push!(starts, ", {name}_data(start.{name}, {})", self.is_there(view));
            if let Some(c) = view.cover {
                push!(members, "Buffer<user::{class}::Scalar> {name}_parts;");
                push!(starts, ", {name}_parts(user::{class}::dim * (covers[{c}].*sums).stride)");
            }
            push!(compared, "{name}_data.take_back(found.{name});");
            push!(compared, "::compare(wrapper, \"{name}\", found.{name}, expected.{name});");
        }
        for (name, _) in self.reductions() {
            push!(members, "Buffer<u64> {name}_partials, {name}_result;");
            let slots = format!("op2::Slots<user::{name}_value>::count");
            push!(starts, ", {name}_partials(500 * {slots}), {name}_result({slots})");
            push!(compared, "::compare(wrapper, \"{name}\", found.{name}, expected.{name});");
        }
        let mut out = String::new();
        push!(out, "struct Work {{\nData found;\n{members}");
        push!(out, "Work(const Data& start, const Cover* covers, op2::Sums Cover::* sums) : found(start){starts} {{}}");
        let moved = |moved: &dyn Fn(&str, &str) -> String| -> String {
            let slots = |name| format!("op2::Slots<user::{name}_value>");
            self.reductions().map(|(name, _)| moved(name, &slots(name))).collect()
        };
        // Some elements start afresh, over what was there.
        let begin =
            moved(&|name, slots| format!("{slots}::put(all ? start.{name} : expected.{name}, {name}_result.data);\n"));
        let finish = moved(&|name, slots| format!("{slots}::get(found.{name}, {name}_result.data);\n"));
        push!(
            out,
            "void begin(bool all, const Data& start, const Data& expected) {{{begin}}}\nvoid finish() {{{finish}}}"
        );
        push!(out, "void compare(const char* wrapper, const Data& expected) {{{compared}}}\n}};");
        out
    }

    /// `main`: all wrappers, on all elements and on some.
    fn checks(&self) -> String {
        let unit = self.unit();
        let mut out = "static void check(bool all) {\nData start;\n".to_string();
        for (name, how) in self.reductions() {
            push!(out, "if (!all) start.{name} = op2::start<op2::{how:?}, user::{name}_value>();");
        }
        push!(out, "number_elements(all);");
        let whole = |map: &String| format!("{{&{map}, 0, {map}.arity}}");
        push!(out, "{}", ways("ways", unit.maps.iter().map(whole)));
        push!(out, "const Plan plan(all, ways);");
        for (c, cover) in unit.covers.iter().enumerate() {
            push!(out, "{}", ways(&format!("cover{c}"), cover.targets.iter().map(|target| self.way(*target))));
        }
        let mut cover = |(c, cover): (usize, &DeviceCover)| {
            let stored: Vec<_> = cover.stored.iter().map(|of| format!("{{{}, {}}}", of.at, of.turned)).collect();
            if stored.is_empty() {
                return format!("Cover(plan, cover{c}, nullptr)");
            }
            push!(out, "const Stored stored{c}[] = {{{}}};", stored.join(", "));
            format!("Cover(plan, cover{c}, stored{c})")
        };
        let covers: Vec<_> = unit.covers.iter().enumerate().map(&mut cover).collect();
        match covers.as_slice() {
            [] => push!(out, "const Cover* covers = nullptr;"),
            covers => push!(out, "const Cover covers[] = {{{}}};", covers.join(", ")),
        }
        push!(out, "Data expected = start;\nfor (u32 p = 0; p < plan.rows; p += 1) expected.element(plan.order[p]);");
        for kernel in self.kernels() {
            match kernel.entry {
                EntryPoint::Loop(Wrapper::PerTarget) => out.push_str(&self.per_target(&kernel.name)),
                EntryPoint::Loop(wrapper) => out.push_str(&self.wrapper(&kernel.name, wrapper)),
                _ => {}
            }
        }
        push!(out, "}}\nint main() {{\ncheck(true);\ncheck(false);\nreturn faults != 0;\n}}");
        out
    }

    /// The way of a target.
    fn way(&self, target: usize) -> String {
        let t = &self.lowered().targets[target];
        let map = &self.unit().maps[t.map];
        match t.entry.as_ref().map(op2_codegen::lower::literal) {
            None => format!("{{&{map}, 0, {map}.arity}}"),
            Some(Some(entry)) => format!("{{&{map}, {entry}, {entry} + 1}}"),
            Some(None) => format!("{{&{map}, OP2_ENTRY_{target}, OP2_ENTRY_{target} + 1}}"),
        }
    }

    /// Whether some dat is changed through a map.
    fn modifies_mapped(&self) -> bool {
        self.lowered().args.iter().any(|a| match &a.role {
            Role::Dat(dat) => dat.is_mapped() && dat.access != Access::Read,
            _ => false,
        })
    }

    fn kernels(&self) -> &[DeviceKernel] {
        self.form.map_or(&self.unit().kernels, |n| &self.unit().forms[n].kernels)
    }

    /// The name of a kernel that the text must have.
    fn kernel(&self, entry: EntryPoint) -> &str {
        let found = self.kernels().iter().find(|kernel| kernel.entry == entry);
        &found.expect("the text has the kernel").name
    }

    /// The wrapper with a thread for each target, if something is there to add to.
    fn per_target(&self, kernel: &str) -> String {
        let Some(cover) = self.combined().find_map(|view| view.cover) else { return String::new() };
        let args = self.arguments(Wrapper::PerTarget).join(", ");
        let mut out = format!("{{\nWork work(start, covers, &Cover::sums);\nconst Each each(plan, cover{cover});\n");
        push!(out, "const op2::PerTarget frame = each.frame;");
        for map in &self.unit().maps {
            push!(out, "[[maybe_unused]] const u32* const {map}_entries = each.entries({map});");
        }
        push!(out, "launch((frame.count + 31) / 32, 32, [&] {{ {kernel}({args}); }});");
        push!(out, "work.compare(\"{kernel}\", expected);\n}}");
        out
    }

    fn wrapper(&self, kernel: &str, wrapper: Wrapper) -> String {
        let unit = self.unit();
        let sums = if wrapper == Wrapper::Tiled { "tiled" } else { "sums" };
        let mut out = format!("{{\nWork work(start, covers, &Cover::{sums});\n");
        if let Some(n) = self.form {
            let stages = &unit.forms[n];
            let last = stages.rooms.len() - 1;
            let all = format!("(user::rooms::at{last} + op2::room<user::rooms::Of{last}>)");
            let unused = match wrapper {
                Wrapper::StagedAtomic if stages.alone > last => all.clone(),
                Wrapper::StagedAtomic => format!("user::rooms::at{}", stages.alone),
                _ => "0".to_owned(),
            };
            push!(out, "Buffer<u8> kept(({all} - {unused}) * plan.positions);");
        }
        let staged = wrapper.is_staged();
        let coloured = matches!(wrapper, Wrapper::Global | Wrapper::Staged) && self.modifies_mapped();
        let args = self.arguments(wrapper).join(", ");
        let (frame, run) = if staged { ("op2::Blocks", "in_blocks") } else { ("op2::Range", "in_ranges") };
        push!(out, "forget_visits();");
        push!(out, "work.begin(all, start, expected);");
        push!(out, "const u32 blocks = {run}(plan, {coloured}, []({frame}, u32) {{}});\nu32 arrived = 0;");
        push!(out, "[[maybe_unused]] const op2::Joining joining{{&arrived, blocks, 0}};");
        push!(out, "{run}(plan, {coloured}, [&]({frame} frame, u32 count) {{");
        push!(out, "launch(count, {}, [&] {{ {kernel}({args}); }});\n}});", if staged { 64 } else { 32 });
        let stages = self.form.map_or(1, |n| unit.forms[n].stages.len());
        push!(out, "compare_visits(\"{kernel}\", plan, {stages});");
        if wrapper.redirects() {
            for view in self.combined() {
                let (name, cover) = (&view.name, view.cover.unwrap_or_default());
                let data = self.data_of(view);
                let number = unit.views.iter().position(|v| v.name == *name).expect("a view of the loop");
                let gather = self.kernel(EntryPoint::Gather(number));
                let call = format!("{gather}(covers[{cover}].{sums}, {data}, work.{name}_parts.data)");
                push!(out, "launch(2, 32, [&] {{ {call}; }});");
            }
        }
        push!(out, "if (arrived != 0) fault(\"{kernel}\", \"number of blocks\");");
        push!(out, "work.finish();\nwork.compare(\"{kernel}\", expected);\n}}");
        out
    }

    /// The present views that are combined with through maps.
    fn combined(&self) -> impl Iterator<Item = &DeviceView> {
        self.unit().views.iter().filter(|v| {
            let Role::Dat(dat) = &self.lowered().args[v.args[0]].role else { return false };
            v.cover.is_some() && dat.access.combines() && self.is_there(v)
        })
    }

    /// The data of a view, or of the one that is the same dat.
    fn data_of(&self, view: &DeviceView) -> String {
        let same = self.case.same.iter().find(|(name, _)| *name == view.name);
        format!("work.{}_data.data", same.map_or(view.name.as_str(), |(_, of)| of))
    }

    /// The arguments of a wrapper.
    fn arguments(&self, wrapper: Wrapper) -> Vec<String> {
        let unit = self.unit();
        let mut args = vec!["frame".to_string()];
        if wrapper.is_staged() {
            let apart = matches!(wrapper, Wrapper::Tiled | Wrapper::Combined);
            let stages = if apart { "tiles" } else { "stage" };
            // An absent argument may be the only one for which there would be a stage.
            let used = |c: usize| unit.views.iter().any(|v| v.cover == Some(c) && self.is_there(v));
            let stage = |c: usize| {
                if used(c) { format!("covers[{c}].{stages}") } else { "op2::Stage<op2::Staged>{}".to_string() }
            };
            args.extend((0..unit.covers.len()).map(stage));
        }
        if self.form.is_some() {
            args.push("op2::Kept{kept.data, plan.positions, 0}".to_string());
        }
        let pointer = |v: &DeviceView, of: &str| match (self.is_there(v), of) {
            (false, _) => "nullptr".to_string(),
            (true, "data") => self.data_of(v),
            (true, of) => format!("work.{}_{of}.data", v.name),
        };
        args.extend(unit.views.iter().map(|v| pointer(v, "data")));
        let in_order = wrapper == Wrapper::PerTarget;
        args.extend(unit.maps.iter().map(|m| if in_order { format!("{m}_entries") } else { format!("{m}.data.data") }));
        let indices = self.lowered().args.iter().filter(|a| matches!(a.role, Role::Index(_)));
        args.extend(indices.map(|_| "user_numbers".to_string()));
        let reads = self.globals().filter(|(_, role)| matches!(role, Role::Read(_)));
        args.extend(reads.map(|(name, _)| format!("start.{name}")));
        let reduced = |(name, _): (&str, Combine)| {
            let result = format!("work.{name}_result.data");
            format!("op2::Reduced{{work.{name}_partials.data, {result}, all ? {result} : nullptr}}")
        };
        args.extend(self.reductions().map(reduced));
        args.extend(self.reductions().next().map(|_| "joining".to_string()));
        if wrapper.redirects() {
            let views = unit.views.iter().filter(|v| {
                let Role::Dat(dat) = &self.lowered().args[v.args[0]].role else { return false };
                v.cover.is_some() && dat.access.combines()
            });
            args.extend(views.map(|v| pointer(v, "parts")));
        }
        args
    }
}

/// Declares some ways under a name.
fn ways(name: &str, all: impl Iterator<Item = String>) -> String {
    let all: Vec<_> = all.collect();
    match all.len() {
        0 => format!("const Ways {name}{{nullptr, 0}};"),
        n => format!("const Way {name}_all[] = {{{}}};\nconst Ways {name}{{{name}_all, {n}}};", all.join(", ")),
    }
}

/// The struct of a view in `namespace user`.
fn class(view: &DeviceView) -> String {
    format!("{}_view", view.name.trim_end_matches('_'))
}
