//! The loops of the applications, compiled for GPUs.

use syn::visit::Visit;

use op2_codegen::emit::cuda;
use op2_codegen::emit::device::{DeviceConst, DeviceUnit};
use op2_codegen::parse::kernel::FnKind;
use op2_codegen::parse::loop_decl::LoopDecl;
use op2_codegen::{lower, model, split};

use crate::samples::sample;
use crate::{nvrtc, payload};

/// The loops of a source file.
#[derive(Default)]
struct Loops(Vec<LoopDecl>);

impl<'a> Visit<'a> for Loops {
    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        if mac.path.is_ident("op_par_loop") {
            self.0.push(mac.parse_body().expect("a loop"));
        }
    }
}

fn source(path: &str) -> syn::File {
    let path = format!("{}/../apps/{path}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    syn::parse_file(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The definitions that the run time would write.
fn definitions(unit: &DeviceUnit, layout: &str, stride: u32, float: &str) -> String {
    let mut lines = vec!["#define OP2_BLOCK 256ull".to_owned(), format!("#define OP2_FLOAT {float}")];
    lines.push(format!("#define OP2_READS {}", if layout == "Aos" { "Staged" } else { "Gathered" }));
    for view in &unit.views {
        lines.push(format!("#define OP2_LAYOUT_{} {layout}\n#define OP2_STRIDE_{} {stride}ull", view.name, view.name));
        lines.push(format!("#define OP2_MISS_{} 0ull", view.name));
    }
    lines.extend(unit.maps.iter().map(|map| format!("#define OP2_ROWS_{map} 1438600ull")));
    let constant = |c: &DeviceConst| {
        let (ty, value) = sample(&c.ty);
        format!("OP2_CONST {ty} {} = {value};", c.name)
    };
    let constants: Vec<String> = unit.consts.iter().map(constant).collect();
    lines.push(format!("namespace user {{\nusing namespace op2::types;\n{}\n}}\n", constants.join("\n")));
    lines.join("\n")
}

/// Compiles all loops of an application, whose kernels are in another file.
fn compile(kernels: &str, loops: &str, expected: &[&str]) {
    let (kernels, file) = (source(kernels), source(loops));
    let mut found = Loops::default();
    found.visit_file(&file);
    let mut names = Vec::new();
    for decl in found.0 {
        let name = decl.kernel.segments.last().expect("a name").ident.to_string();
        let unit = model::build(&payload(&kernels, &name), FnKind::Kernel).unwrap_or_else(|e| panic!("{name}: {e}"));
        let lowered = lower::lower(decl, &unit);
        let unit = cuda::unit(&lowered, &unit, &split::forms(&lowered, &unit));
        for (layout, stride, arch) in [("Aos", 1, "sm_80"), ("Soa", 720_000, "sm_90")] {
            for float in ["double", "float"] {
                let definitions = definitions(&unit, layout, stride, float);
                let text = [op2_device::language::cuda::HEADER, &definitions, &unit.text].join("\n");
                nvrtc::compiles(&format!("{name}_{layout}_{float}"), &text, arch);
            }
        }
        names.push(name);
    }
    assert_eq!(names, expected);
}

#[test]
fn airfoil() {
    let loops = ["res_calc", "bres_calc", "save_soln", "adt_calc", "update"];
    compile("airfoil/src/kernels.rs", "airfoil/src/solver.rs", &loops);
}

#[test]
fn jac() {
    compile("jac/src/lib.rs", "jac/src/lib.rs", &["source", "neighbours", "step"]);
}
