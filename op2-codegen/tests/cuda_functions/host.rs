//! The emitted text as a program: compiled once by the host's C++ compiler, then asked call by call.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};

use op2_codegen::emit::cuda::{CudaParam, CudaPassing, CudaText};
use op2_codegen::emit::device::DeviceConst;
use op2_codegen::ir::Scalar;

use crate::Consts;
use crate::value::Value;

/// The command that compiles C++, with its arguments.
fn compiler() -> Vec<String> {
    let command = std::env::var("CXX").unwrap_or_default();
    let words: Vec<_> = command.split_whitespace().map(str::to_owned).collect();
    if words.is_empty() { vec!["c++".to_owned()] } else { words }
}

/// A running program that executes one unit.
pub(crate) struct Program {
    child: Child,
}

/// Where the program of one source is, once it has been asked for.
type Slot = Arc<Mutex<Option<Program>>>;

impl Program {
    /// One call of a unit: the bytes of the arguments in, those of arguments and result out.
    pub(crate) fn call(source: &str, args: &[u8], length: usize) -> Vec<u8> {
        static ALL: OnceLock<Mutex<HashMap<String, Slot>>> = OnceLock::new();
        let slot = ALL.get_or_init(Mutex::default).lock().unwrap().entry(source.to_string()).or_default().clone();
        let mut slot = slot.lock().unwrap();
        slot.get_or_insert_with(|| Program::start(source)).ask(args, length)
    }

    fn start(source: &str) -> Program {
        let program = compile(source);
        let child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        Program { child: child.unwrap_or_else(|e| panic!("{}: {e}", program.display())) }
    }

    fn ask(&mut self, args: &[u8], length: usize) -> Vec<u8> {
        let stdin = self.child.stdin.as_mut().expect("a pipe");
        stdin.write_all(args).and_then(|()| stdin.flush()).expect("the program reads");
        let mut answer = vec![0; length];
        self.child.stdout.as_mut().expect("a pipe").read_exact(&mut answer).expect("the program answers");
        answer
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// Compiles a program, unless one of the same source and compiler is there from an earlier run.
fn compile(source: &str) -> PathBuf {
    let mut compiler = compiler();
    let mut hasher = DefaultHasher::new();
    (source, &compiler).hash(&mut hasher);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let program = folder.join(format!("cuda-functions-{:016x}", hasher.finish()));
    if program.exists() {
        return program;
    }
    let (text, built) = (program.with_extension("cpp"), program.with_extension("new"));
    std::fs::write(&text, source).expect("the text is written");
    let result = Command::new(compiler.remove(0))
        .args(compiler)
        .args(["-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-unused"])
        // Undefined behaviour of C++ ends the program, and with it the test.
        .args(["-fsanitize=undefined,float-cast-overflow", "-fsanitize-undefined-trap-on-error"])
        .arg(&text)
        .arg("-o")
        .arg(&built)
        .arg("-lm")
        .output()
        .expect("the compiler was there before");
    let report = String::from_utf8_lossy(&result.stderr);
    assert!(result.status.success(), "{report}\nin {}", text.display());
    std::fs::rename(&built, &program).expect("the program is put in slot");
    program
}

/// The whole program.
pub(crate) fn source(emitted: &CudaText, consts: &Consts, float: Scalar) -> String {
    [
        include_str!("shim.hpp"),
        op2_device::language::cuda::HEADER,
        &definitions(emitted, consts, float),
        &emitted.text,
        include_str!("calls.hpp"),
        &main(emitted),
    ]
    .join("\n")
}

/// The code before the text: the float type and the constants.
fn definitions(text: &CudaText, consts: &Consts, float: Scalar) -> String {
    let float = if float == Scalar::F32 { "float" } else { "double" };
    let define = |c: &DeviceConst| {
        let value = consts.get(c.path.as_str()).unwrap_or_else(|| panic!("constant `{}` has no value", c.path));
        format!("OP2_CONST {} {} = {};\n", cpp_type(value), c.name, cpp_value(value))
    };
    let all: String = text.consts.iter().map(define).collect();
    format!("#define OP2_FLOAT {float}\nnamespace user {{\nusing namespace op2::types;\n{all}}}\n")
}

fn cpp_type(value: &Value) -> String {
    match value {
        Value::F32(_) => "float".to_string(),
        Value::F64(_) => "double".to_string(),
        Value::I8(_) => "i8".to_string(),
        Value::U8(_) => "u8".to_string(),
        Value::I16(_) => "i16".to_string(),
        Value::U16(_) => "u16".to_string(),
        Value::I32(_) => "i32".to_string(),
        Value::U32(_) => "u32".to_string(),
        Value::I64(_) => "i64".to_string(),
        Value::U64(_) => "u64".to_string(),
        Value::Usize(_) => "usize".to_string(),
        Value::Bool(_) => "bool".to_string(),
        Value::Array(items) => format!("Arr<{}, {}>", cpp_type(&items[0]), items.len()),
        other => panic!("constant {other:?}"),
    }
}

fn cpp_value(value: &Value) -> String {
    match value {
        Value::F32(x) => format!("{x:?}f"),
        Value::F64(x) => format!("{x:?}"),
        Value::I8(x) => format!("{x}"),
        Value::U8(x) => format!("{x}"),
        Value::I16(x) => format!("{x}"),
        Value::U16(x) => format!("{x}"),
        Value::I32(x) => format!("{x}"),
        Value::U32(x) => format!("{x}u"),
        Value::I64(x) => format!("{x}ll"),
        Value::U64(x) => format!("{x}ull"),
        Value::Usize(x) => format!("{x}ull"),
        Value::Bool(x) => format!("{x}"),
        Value::Array(items) => format!("{{{{{}}}}}", items.iter().map(cpp_value).collect::<Vec<_>>().join(", ")),
        other => panic!("constant {other:?}"),
    }
}

/// Reads arguments, calls the kernel, writes arguments and result, again and again. A call that does
/// not come back within a minute is a failed test.
fn main(text: &CudaText) -> String {
    let each = |f: &dyn Fn(usize, &CudaParam) -> String| -> String {
        text.params.iter().enumerate().map(|(n, p)| f(n, p)).collect()
    };
    let pass: Vec<String> = text.params.iter().enumerate().map(|(n, p)| pass(n, &p.passing)).collect();
    let prepare = each(&|n, p| prepare(n, &p.passing, &p.value));
    let get = each(&|n, p| format!("if (!a{n}.get({})) return 0;\n", matches!(p.passing, CudaPassing::Optional(_))));
    let declare = each(&|n, p| format!("Slot<{}> a{n};\n", whole(&p.passing, &p.value)));
    let put = each(&|n, _| format!("a{n}.put();\n"));
    let (kernel, pass) = (&text.kernel, pass.join(", "));
    let (call, result) = match text.result.as_str() {
        "void" => (format!("{kernel}({pass});\n"), ""),
        _ => (format!("const auto result = {kernel}({pass});\n"), "put(result);\n"),
    };
    format!(
        "using namespace user;\nint main() {{\nfor (;;) {{\n{declare}{get}{prepare}alarm(60);\n{call}alarm(0);\n{put}{result}fflush(stdout);\n}}\n}}\n"
    )
}

/// The type of all that one argument consists of.
fn whole(passing: &CudaPassing, value: &str) -> String {
    match passing {
        CudaPassing::Entries { len, .. } | CudaPassing::Values { len } => format!("op2::Arr<{value}, {len}>"),
        CudaPassing::Optional(inner) => whole(inner, value),
        _ => value.to_string(),
    }
}

/// Arrays of pointers need a slot of their own.
fn prepare(n: usize, passing: &CudaPassing, value: &str) -> String {
    match passing {
        CudaPassing::Entries { mutable, .. } => {
            let constant = if *mutable { "" } else { "const " };
            format!("auto p{n} = entries<{constant}{value}>(a{n});\n")
        }
        CudaPassing::Optional(inner) => prepare(n, inner, value),
        _ => String::new(),
    }
}

fn pass(n: usize, passing: &CudaPassing) -> String {
    match passing {
        CudaPassing::Value | CudaPassing::Values { .. } | CudaPassing::Reference { .. } => format!("a{n}.value"),
        CudaPassing::Entries { .. } => format!("p{n}"),
        CudaPassing::Optional(inner) => match &**inner {
            CudaPassing::Entries { .. } => format!("a{n}.there ? &p{n} : nullptr"),
            _ => format!("a{n}.pointer()"),
        },
    }
}
