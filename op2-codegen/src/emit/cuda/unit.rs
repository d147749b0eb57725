//! The translation unit of a loop: its functions, its dats, its wrappers.

use crate::ir::{Scalar, Ty, Unit};
use crate::lower::{Lowered, Role};

use super::names::Names;
use super::preamble::{description, types};
use super::shape::Shape;
use super::split::{CudaStages, in_stages};
use super::wrapper::wrappers;
use super::{CudaConst, consts, functions_of, params};

/// What the run time launches for a loop.
#[derive(Debug, Clone)]
pub struct CudaUnit {
    /// Functions and wrappers, to stand behind the header and the definitions.
    pub text: String,
    /// What the wrappers' names start with: `res_calc` of `res_calc_global`.
    pub kernel: String,
    /// The names of all wrappers in the text.
    pub kernels: Vec<String>,
    /// The distinct dats, in the order of the wrappers' parameters.
    pub views: Vec<CudaView>,
    /// The maps' names, in the order of [`Lowered::maps`].
    pub maps: Vec<String>,
    /// The sets of [`Lowered::targets`] that are staged together, in the order of the wrappers' parameters.
    pub covers: Vec<Vec<usize>>,
    /// Of a generic kernel, an argument whose scalars are of the kernel's type parameter: one that is always there, if
    /// there is one.
    pub float: Option<usize>,
    /// The constants that must be defined ahead of the text.
    pub consts: Vec<CudaConst>,
    /// The loop in stages, with one contribution stage, with two and so on.
    pub stages: Vec<CudaStages>,
}

/// A distinct dat of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CudaView {
    /// Its name in the text and in definitions.
    pub name: String,
    /// Whether it may be absent.
    pub optional: bool,
    /// Which of [`CudaUnit::covers`] leads to it, if it is reached through maps.
    pub cover: Option<usize>,
    /// The arguments that it serves.
    pub args: Vec<usize>,
}

/// Emits a loop.
pub fn unit(lowered: &Lowered, unit: &Unit) -> CudaUnit {
    let names = Names::new(unit);
    let shape = Shape::new(lowered, unit, &names, &params(unit, &names));
    let (kernels, wrappers): (Vec<String>, Vec<String>) = wrappers(&shape).into_iter().unzip();
    let text = [vec![functions_of(unit, &names), types(&shape), description(&shape)], wrappers].concat().join("\n");
    let view = |v: &super::shape::View| CudaView {
        name: v.name.clone(),
        optional: v.optional,
        cover: v.cover,
        args: v.args.clone(),
    };
    CudaUnit {
        text,
        kernel: shape.kernel.clone(),
        kernels,
        views: shape.views.iter().map(view).collect(),
        maps: shape.maps.clone(),
        covers: shape.covers.iter().map(|c| c.targets.iter().map(|(t, _)| *t).collect()).collect(),
        float: float(lowered, unit),
        consts: consts(unit, &names),
        stages: in_stages(&shape, unit, &lowered.forms),
    }
}

/// The argument that tells what the type parameter of a generic kernel stands for. An optional one tells nothing when
/// it is absent.
fn float(lowered: &Lowered, unit: &Unit) -> Option<usize> {
    let generic = || (0..lowered.args.len()).filter(|&n| is_generic(&unit.funcs[0].params[n].ty));
    let optional = |n: usize| matches!(&lowered.args[n].role, Role::Dat(dat) if dat.flag.is_some());
    generic().find(|&n| !optional(n)).or_else(|| generic().next())
}

/// Whether the scalars of a type are of the kernel's type parameter; of an arg reduction, those that decide.
fn is_generic(ty: &Ty) -> bool {
    match ty {
        Ty::Scalar(scalar) => *scalar == Scalar::Generic,
        Ty::Array(t, _) | Ty::Ref(_, t) | Ty::Option(t) => is_generic(t),
        Ty::Tuple(parts) => parts.iter().any(is_generic),
        Ty::ArgBest(_, value, _) => is_generic(value),
        Ty::Unit | Ty::Never | Ty::Infer(_) => false,
    }
}
