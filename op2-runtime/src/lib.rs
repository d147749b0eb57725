//! The run time of op2: sets, maps, dats, plans, executors and reports.
//!
//! Applications use it through the crate `op2`, which adds the macros; the modules are public so that
//! plans and reports can be used and tested alone.

mod call;
mod config;
mod data;
mod decide;
mod desc;
mod device;
mod error;
mod exec;
pub mod inspect;
mod isa;
mod lanes;
mod mesh;
mod op;
mod pairs;
pub mod plan;
#[doc(hidden)]
pub mod private;
pub mod reorder;
pub mod report;
mod strategy;

pub use call::chain::Chain;
pub use config::{Backend, Config};
pub use data::idx::Idx;
pub use data::layout::Layout;
pub use data::reduce::{ArgMax, ArgMin};
pub use data::row::{Row, RowOf};
pub use data::table::{Table, TableOf};
pub use data::value::{Elem, ElemType, Value};
pub use decide::{Decision, Decisions, How, Trial};
pub use desc::constant::Constant;
pub use error::{Error, Fault, LoopError, Result, Site};
pub use isa::{Isa, NoIsa};
pub use lanes::float::Float;
pub use mesh::between::Flag;
pub use mesh::handle::{
    ByTo, Dat, Exchanged, Global, Map, OptMap, Pairs, RowPairs, RowPairsByTo, Rows, Set, SetTag, Subset, Turned,
};
pub use mesh::pairs::Within;
pub use mesh::rows::{Index, rows};
pub use op::{Filled, Op2};
pub use op2_core::Access;
/// Devices and their errors.
pub use op2_device as devices;
pub use pairs::Bounds;
pub use plan::{Hardware, Plan};
pub use reorder::{Ordering, Reordering};
pub use report::Report;
pub use strategy::{NoPin, NoStrategies, NoStrategy, Pin, Reads, Resolution, Scheme, Strategies, Strategy};
