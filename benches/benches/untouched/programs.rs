//! The programs, and the flags that a user could set.

use airfoil::mesh::Mesh;
use airfoil::solver::{self as airfoil_flow, Airfoil};
use hydra::mesh::{Passage, Shape};
use hydra::solver as hydra_flow;
use op2::prelude::*;
use op2::{Isa, Layout, Ordering, Strategy};
use op2_apps::flags;
use op2_benches::Outcome;
use op2_meshes::{plane, space};

use super::loops::{Flux, Heavy, Product, Program, Sweep};

/// One way to run a program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flags {
    pub(crate) name: &'static str,
    /// 0 stands for the sequential executor.
    pub(crate) threads: usize,
    pub(crate) isa: Option<Isa>,
    pub(crate) layout: Layout,
    pub(crate) ordering: Ordering,
    pub(crate) strategy: Strategy,
}

/// A program by its name, made from flags.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) make: Box<dyn Fn(Flags) -> Outcome<Box<dyn Program>>>,
}

impl Flags {
    /// The settings of a program that sets none.
    pub(crate) fn none(threads: usize) -> Flags {
        Flags {
            name: "no flag",
            threads,
            isa: None,
            layout: Layout::Aos,
            ordering: Ordering::Predicted,
            strategy: Strategy::Predicted,
        }
    }

    /// All that compete with it. `Auto` is left out: the bench `strategies` measures it.
    pub(crate) fn others(threads: usize) -> Vec<Flags> {
        let none = Flags::none(threads);
        let mut all = vec![
            Flags { name: "scalar", isa: Some(Isa::Scalar), ..none },
            Flags { name: "lanes", isa: Some(Isa::best()), ..none },
            Flags { name: "soa", layout: Layout::Soa, ..none },
            Flags { name: "unordered", ordering: Ordering::None, ..none },
            Flags { name: "gps", ordering: Ordering::Gps, ..none },
            Flags { name: "blocks of 256", strategy: Strategy::blocks(256), ..none },
            Flags { name: "blocks of 4096", strategy: Strategy::blocks(4096), ..none },
        ];
        if Isa::best() == Isa::Avx512 {
            all.push(Flags { name: "avx2", isa: Some(Isa::Avx2), ..none });
        }
        all
    }

    fn config(self) -> Config {
        let backend = match self.threads {
            0 => Backend::Seq,
            threads => Backend::Threads(threads),
        };
        let config =
            Config::default().backend(backend).layout(self.layout).ordering(self.ordering).strategy(self.strategy);
        self.isa.map_or(config.clone(), |isa| config.isa(isa))
    }

    /// The same for an application.
    fn settings<C: Default>(self) -> op2_apps::settings::Settings<C> {
        op2_apps::settings::Settings {
            backend: if self.threads == 0 { flags::Backend::Seq } else { flags::Backend::Threads },
            threads: self.threads.max(1),
            isa: self.isa,
            layout: if self.layout == Layout::Soa { flags::Layout::Soa } else { flags::Layout::Aos },
            ordering: self.ordering,
            strategy: self.strategy,
            ..Default::default()
        }
    }
}

/// All programs, on meshes whose sides are `scale` times those of 720,000 cells of airfoil.
pub(crate) fn cases(scale: f64) -> Outcome<Vec<Case>> {
    let side = |n: usize| ((n as f64 * scale).round() as usize).max(3);
    let mesh = Mesh::naca0012(side(400) as u32, side(600) as u32)?;
    let (shuffled, _) = mesh.shuffled(1);
    let passage = Passage::default().mesh(Shape::Hexahedra, [90, 45, 45].map(side))?;
    let solid = space::hexahedra(side(64), side(64), side(64)).build()?;
    let (solid_shuffled, _) = solid.shuffled(1);
    let cells = plane::quads(side(400), side(450)).build()?;
    let grid = plane::quads(side(1000), side(1000)).build()?;
    let airfoil = |mesh: Mesh| -> Box<dyn Fn(Flags) -> Outcome<Box<dyn Program>>> {
        Box::new(move |flags| {
            Ok(Box::new(Airfoil::<f64>::new(&mesh, &flags.settings::<()>() as &airfoil_flow::Settings)?))
        })
    };
    let flux = |mesh: space::Hexahedra| -> Box<dyn Fn(Flags) -> Outcome<Box<dyn Program>>> {
        Box::new(move |flags| Ok(Box::new(Flux::new(&mesh, flags.config())?)))
    };
    Ok(vec![
        Case { name: "airfoil", make: airfoil(mesh) },
        Case { name: "airfoil, shuffled", make: airfoil(shuffled) },
        Case { name: "flux", make: flux(solid) },
        Case { name: "flux, shuffled", make: flux(solid_shuffled) },
        Case { name: "spmv", make: Box::new(move |flags| Ok(Box::new(Product::new(&cells, flags.config())?))) },
        Case { name: "jac", make: Box::new(move |flags| Ok(Box::new(Sweep::new(&grid, flags.config())?))) },
        Case {
            name: "hydra",
            make: Box::new(move |flags| {
                let settings: hydra_flow::Settings = flags.settings();
                Ok(Box::new(Heavy::new(&passage, &settings)?))
            }),
        },
    ])
}
