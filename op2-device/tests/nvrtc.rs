//! Tests of the compiler. They need no GPU, but NVRTC. Without it they report that they were skipped, unless
//! `OP2_NVRTC` demands it.

use op2_device::cuda::nvrtc::{Nvrtc, Options, Report};
use op2_device::language::cuda::HEADER;
use op2_device::{Definition, Error, Source, Target, between, occupancy};
use op2_test_support::skips::{NVRTC, found};

/// The compiler, if this machine has one.
fn nvrtc() -> Option<Nvrtc> {
    match Nvrtc::load() {
        Err(e) if std::env::var_os("OP2_NVRTC").is_some() => panic!("{e}"),
        looked_for => found(NVRTC, looked_for),
    }
}

const TEXT: &str = r#"
extern "C" __global__ void __launch_bounds__(128) scale(double* x, double a, double b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] * a + b;
}
extern "C" __global__ void turn(double* x, int n) {
    __shared__ double kept[40];
    double all[300];
    for (int i = 0; i < 300; i++) all[i] = x[i * n + threadIdx.x];
    kept[threadIdx.x % 40] = all[3];
    __syncthreads();
    for (int k = 0; k < 10; k++)
        for (int i = 0; i < 300; i++) all[i] = all[i] * all[(i * 7 + 3) % 300] + kept[i % 40];
    for (int i = 0; i < 300; i++) x[i * n + threadIdx.x] = all[i] + all[int(x[i]) & 255];
}
"#;

#[test]
fn it_compiles_to_machine_code_and_reports() {
    let Some(nvrtc) = nvrtc() else { return };
    assert!(nvrtc.version().0 >= 12, "{:?}", nvrtc.version());
    assert!(nvrtc.architectures().unwrap().contains(&90));
    for arch in ["sm_80", "sm_90"] {
        let compiled = nvrtc.compile("scale", TEXT, arch, Options::default()).unwrap();
        assert!(compiled.image.starts_with(b"\x7fELF"), "a cubin is an ELF file");
        let report = |name| compiled.reports.iter().find(|report| report.kernel == name).unwrap();
        let scale = report("scale");
        assert!((4..64).contains(&scale.registers), "{scale:?}");
        assert_eq!((scale.stack, scale.shared, scale.spill_loads, scale.spill_stores), (0, 0, 0, 0));
        assert_eq!(occupancy(&scale.resources(), 128, 0, arch), Some(1.0));
        let turn = report("turn");
        assert_eq!((turn.stack, turn.shared), (2400, 320), "the arrays that are indexed at run time");
        assert_eq!(compiled.reports.len(), 2);
    }
}

#[test]
fn kernels_that_are_left_out_leave_the_others_as_they_are() {
    let Some(nvrtc) = nvrtc() else { return };
    let kernel = |name: &str| {
        let head = "extern \"C\" __global__ void __launch_bounds__(OP2_BLOCK)";
        format!("{head}\n{name}(double* x) {{\n    x[op2::thread()] += 1.0;\n}}\n")
    };
    let all = ["one", "other"];
    let compiled = |left_out: Option<&str>| {
        let block = Definition::Value("OP2_BLOCK".to_owned(), 128);
        let source = Source {
            target: Target::Cuda,
            name: "some".to_owned(),
            definitions: left_out.map(|name| Definition::LeftOut(name.to_owned())).into_iter().chain([block]).collect(),
            text: all.map(kernel).concat().into(),
            kernels: all.map(str::to_owned).into(),
        };
        nvrtc.compile("some", &source.whole(), "sm_90", Options::default()).unwrap()
    };
    let (whole, part) = (compiled(None), compiled(Some("other")));
    assert_eq!(part.log.matches("warning").count(), 0, "{}", part.log);
    let of = |reports: &[Report]| reports.iter().find(|report| report.kernel == "one").cloned();
    assert!(of(&part.reports).is_some() && of(&part.reports) == of(&whole.reports));
    assert!(whole.reports.iter().any(|report| report.kernel == "other"));
    assert!(!part.reports.iter().any(|report| report.kernel == "other"), "{:?}", part.reports);
}

#[test]
fn ptx_is_for_architectures_to_come() {
    let Some(nvrtc) = nvrtc() else { return };
    let compiled = nvrtc.compile("scale", TEXT, "compute_80", Options::default()).unwrap();
    let ptx = std::ffi::CStr::from_bytes_with_nul(&compiled.image).unwrap().to_str().unwrap();
    assert!(ptx.contains(".target sm_80") && ptx.contains("scale"), "{ptx}");
}

#[test]
fn every_operation_rounds_unless_contraction_is_asked_for() {
    let Some(nvrtc) = nvrtc() else { return };
    let ptx = |fmad| {
        let image = nvrtc.compile("scale", TEXT, "compute_80", Options { fmad, ..Options::default() }).unwrap().image;
        String::from_utf8(image).unwrap()
    };
    assert!(ptx(true).contains("fma.rn.f64"));
    assert!(!ptx(Options::default().fmad).contains("fma.rn.f64"));
}

#[test]
fn the_header_compiles_without_warnings() {
    let Some(nvrtc) = nvrtc() else { return };
    let compiled = nvrtc.compile("header", HEADER, "sm_90", Options::default()).unwrap();
    assert!(!compiled.log.contains("warning"), "{}", compiled.log);
    assert!(compiled.reports.is_empty());
}

#[test]
fn the_kernels_between_loops_compile_without_warnings() {
    let Some(nvrtc) = nvrtc() else { return };
    let source = between::source(Target::Cuda);
    for (arch, kernel_checks) in [("sm_80", false), ("sm_90", false), ("sm_90", true)] {
        let options = Options { kernel_checks, ..Options::default() };
        let compiled = nvrtc.compile("between", &source.whole(), arch, options).unwrap();
        // With checks, the header has functions that only kernels of users call.
        assert!(kernel_checks || !compiled.log.contains("warning"), "{}", compiled.log);
        for kernel in &source.kernels {
            let report = compiled.reports.iter().find(|report| report.kernel == *kernel).unwrap();
            assert_eq!((report.stack, report.spill_loads, report.spill_stores), (0, 0, 0), "{report:?}");
            let all = occupancy(&report.resources(), between::THREADS, between::SHARED, arch);
            assert!(all >= Some(0.5), "enough threads wait for memory at a time: {report:?}");
        }
    }
}

/// A compiler that loses the pointers to many values, as NVIDIA's does if they come back from a function as one piece, leaves nothing
/// to load and to add.
#[test]
fn pointers_to_many_values_lead_to_them() {
    let Some(nvrtc) = nvrtc() else { return };
    for entries in [15, 16, 40, 100] {
        let addresses: Vec<String> = (0..entries).map(|i| format!("&x[{i}]")).collect();
        for pointers in [
            "op2::each_ref(x)",
            "op2::each_mut(x)",
            "op2::maybe(all, x)",
            "op2::maybe_here<op2::Staged>(all, x)",
            "listed(x)",
        ] {
            let constant = if pointers.contains("mut") { "" } else { "const" };
            let text = format!(
                "{HEADER}
                using Pointers = op2::types::Arr<{constant} double*, {entries}>;
                __device__ __forceinline__ Pointers listed({constant} op2::types::Arr<double, {entries}>& x) {{
                    return Pointers{{{{{}}}}};
                }}
                __device__ __forceinline__ void sum(Pointers x, double& total) {{
                    for (op2::usize i = 0; i < {entries}; i += 1) if (x[i]) total += *x[i];
                }}
                extern \"C\" __global__ void kernel(const double* from, const op2::u32* map, double* to) {{
                    op2::types::Arr<double, {entries}> x;
                    const auto all = op2::targets<{entries}>(map, 32, threadIdx.x);
                    for (int i = 0; i < {entries}; i += 1) x[i] = from[32 * i + threadIdx.x];
                    double total = 0.0;
                    sum({pointers}, total);
                    to[threadIdx.x] = total;
                }}",
                addresses.join(", "),
            );
            let compiled = nvrtc.compile("kernel", &text, "compute_90", Options::default()).unwrap();
            let ptx = String::from_utf8(compiled.image).unwrap();
            let count = |word| ptx.matches(word).count();
            let found = (count("add.f64") + count("add.rn.f64"), count("ld.global.f64"));
            assert_eq!(found, (entries, entries), "additions and loads for {entries} values of {pointers}");
        }
    }
}

/// Checks add a record, a list of elements in shared memory, and branches. Code without checks has none of them.
#[test]
fn checks_are_in_the_code_only_where_they_are_asked_for() {
    let Some(nvrtc) = nvrtc() else { return };
    let text = format!(
        "{HEADER}
        extern \"C\" __global__ void kernel(op2::types::Arr<double, 4>* x, long long a, int b) {{
            OP2_ELEMENT(7 + threadIdx.x);
            x[0][threadIdx.x] = double(op2::div(a, (long long)(threadIdx.x))) + double(op2::shl(3, b)) + op2::clamp(1.0, x[1][0], x[1][1]);
        }}"
    );
    let compile = |arch, kernel_checks| {
        let options = Options { kernel_checks, ..Options::default() };
        nvrtc.compile("kernel", &text, arch, options).unwrap()
    };
    let ptx = |kernel_checks| String::from_utf8(compile("compute_80", kernel_checks).image).unwrap();
    assert!(ptx(true).contains(".visible .entry op2_take_panic("), "{}", ptx(true));
    assert!(ptx(true).contains("atom.global.cas.b64") || ptx(true).contains("atom.cas.b64"), "{}", ptx(true));
    assert!(
        !ptx(false).contains("op2_panic") && !ptx(false).contains("op2_take") && !ptx(false).contains("atom."),
        "{}",
        ptx(false)
    );
    for (kernel_checks, shared) in [(true, 4096), (false, 0)] {
        let compiled = compile("sm_90", kernel_checks);
        assert!(!compiled.log.contains("warning"), "{}", compiled.log);
        assert!(compiled.reports.iter().any(|report| report.shared == shared), "{:?}", compiled.reports);
    }
}

#[test]
fn what_is_wrong_is_told() {
    let Some(nvrtc) = nvrtc() else { return };
    let compile = |text, arch| nvrtc.compile("wrong", text, arch, Options::default()).unwrap_err();
    let Error::Compile { name, log } = compile("__global__ void f() { undeclared(); }", "sm_90") else { panic!() };
    assert_eq!(name, "wrong");
    assert!(log.contains("wrong.cu(1)") && log.contains("undeclared"), "{log}");
    let null = compile("void f();\0", "sm_90");
    assert!(null.to_string().contains("null character"), "{null}");
    let Error::Driver { reason, .. } = compile(TEXT, "sm_1") else { panic!() };
    assert!(reason.contains("NVRTC_ERROR_INVALID_OPTION (5)") && reason.contains("gpu-architecture"), "{reason}");
}
