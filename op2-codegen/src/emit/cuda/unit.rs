//! Emits the translation unit of a loop: its functions, its dats, its wrappers.

use crate::emit::device::{DeviceCover, DeviceKernel, DeviceUnit, DeviceView};
use crate::ir::Unit;
use crate::lower::Lowered;
use crate::split::Forms;

use super::names::Names;
use super::pairs;
use super::preamble::{description, types};
use super::shape::Shape;
use super::split::in_stages;
use super::wrapper::wrappers;
use super::{consts, functions_of, params};

/// Emits a loop.
pub fn unit(lowered: &Lowered, unit: &Unit, forms: &Forms) -> DeviceUnit {
    let names = Names::new(unit);
    let shape = Shape::new(lowered, unit, &names, &params(unit, &names));
    let (kernels, wrappers): (Vec<DeviceKernel>, Vec<String>) = match lowered.pairs {
        true => pairs::wrappers(&shape),
        false => wrappers(&shape).into_iter().unzip(),
    };
    let text = [vec![functions_of(unit, &names), types(&shape), description(&shape)], wrappers].concat().join("\n");
    let view = |v: &super::shape::View| DeviceView {
        name: v.name.clone(),
        optional: v.optional,
        cover: v.cover,
        args: v.args.clone(),
    };
    let cover = |c: &super::shape::Cover| DeviceCover {
        targets: c.targets.iter().map(|(t, _)| *t).collect(),
        stored: c.stored.clone(),
    };
    DeviceUnit {
        text,
        kernels,
        views: shape.views.iter().map(view).collect(),
        maps: shape.maps.clone(),
        covers: shape.covers.iter().map(cover).collect(),
        consts: consts(unit, &names),
        forms: in_stages(&shape, unit, forms),
    }
}
