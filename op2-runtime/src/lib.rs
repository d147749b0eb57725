//! The run time of op2: sets, maps, dats, plans, executors and reports.
//!
//! Applications use it through the crate `op2`, which adds the macros; the modules are public so that
//! plans and reports can be used and tested alone.

mod access;
mod bindings;
mod body;
mod cache;
mod call;
mod chain;
mod constant;
mod decide;
mod desc;
mod device;
mod error;
mod exec;
mod float;
mod handle;
mod identity;
pub mod inspect;
mod key;
mod lanes;
mod layout;
mod memory;
mod mesh;
mod numbering;
mod op;
pub mod plan;
mod progress;
mod reduce;
pub mod reorder;
pub mod report;
mod room;
mod rows;
mod sink;
mod stages;
mod strategy;
mod triad;
mod value;
mod version;
mod view;

pub use access::Access;
pub use chain::Chain;
pub use constant::Constant;
pub use decide::{Decision, Decisions, How, Trial};
pub use error::{Error, Fault, LoopError, Result, Site};
pub use float::Float;
pub use handle::{Dat, Global, Map, Set, SetTag, Subset};
pub use lanes::{Isa, NoIsa};
pub use layout::Layout;
pub use op::{Backend, Config, Op2};
/// What devices are made of: their errors, and the machines themselves.
pub use op2_cuda as cuda;
pub use plan::{Hardware, Plan};
pub use reduce::{ArgMax, ArgMin};
pub use reorder::{Account, Ordering};
pub use report::Report;
pub use rows::{Index, rows};
pub use strategy::{NoStrategies, NoStrategy, Strategies, Strategy};
pub use value::{Elem, ElemType, Number, Value};

/// What the macros' code refers to. Not for users: it may change with every version.
#[doc(hidden)]
pub mod private {
    pub use crate::access::{Access, Combine};
    pub use crate::body::{Bodies, Body, Course, Results};
    pub use crate::call::{Call, refused};
    pub use crate::chain::{Chained, Ready};
    pub use crate::constant::{Captured, Fixed, Known, Portable, lengths};
    pub use crate::desc::{
        ArgDesc, ArgKind, ConstDesc, DeviceDesc, FormDesc, Length, LoopDesc, RoomDesc, TargetDesc, ViewDesc,
    };
    pub use crate::float::Float;
    pub use crate::handle::{DatOn, GlobalOf, Holds, Id, IterSet, MapFrom};
    pub use crate::identity::{Variable, means, means_float, one_function, one_type};
    pub use crate::lanes::{
        Arg, Best, Contributions, Ends, Entries, FloatLane, Lane, Lanes, LanesOf, Leads, Mask, NotInLanes, Pack, Place,
        Rounds, Rows, Seal, Spread, Targets, V, Vector, Width, all_differ, each, each_of, mapped, run_in,
    };
    pub use crate::numbering::Numbers;
    pub use crate::plan::Plan;
    pub use crate::reduce::{ArgMax, ArgMin};
    pub use crate::reduce::{ByInc, ByMax, ByMin, IndexValue, Payload, Reduce, start_like, start_of};
    pub use crate::sink::Sink;
    pub use crate::stages::{Form, NearFloat, Room, float_near, float_of, not_in_stages, zero};
    pub use crate::value::Value;
    pub use crate::view::{Elems, Entry, HasEntry, MapView, View, of_arity, same};
    /// States a type by a value: the code that the macros generate is shorter to read with a short name.
    pub use std::marker::PhantomData as Of;
}
