//! What the macros' code refers to. Not for users: it may change with every version.

mod identity;

pub use crate::call::chain::{Chained, Ready};
pub use crate::call::{Call, refused};
pub use crate::data::reduce::{ArgMax, ArgMin};
pub use crate::data::reduce::{ByInc, ByMax, ByMin, IndexValue, Payload, Reduce};
pub use crate::data::sink::Sink;
pub use crate::data::value::Value;
pub use crate::data::view::{Entry, HasEntry, MapView, View, of_arity, same};
pub use crate::desc::constant::{Captured, Fixed, Known, Portable, lengths};
pub use crate::desc::{
    ArgDesc, ArgKind, ConstDesc, DeviceDesc, FormDesc, Length, LoopDesc, RoomDesc, TargetDesc, ViewDesc,
};
pub use crate::exec::body::{Bodies, Body, Course, Results, start_like, start_of};
pub use crate::exec::stages::{Form, Room, not_in_stages, zero};
pub use crate::lanes::float::{Float, NearFloat, float_near, float_of};
pub use crate::lanes::{
    Arg, Best, Contributions, Elems, Ends, Entries, FloatLane, Lane, Lanes, LanesOf, Leads, Mask, NotInLanes, Pack,
    Place, Rounds, Rows, Seal, Spread, Targets, V, Vector, Width, all_differ, each, each_of, mapped, run_in,
};
pub use crate::mesh::handle::{DatOn, GlobalOf, Holds, Id, IterSet, MapFrom};
pub use crate::mesh::numbering::Numbers;
pub use crate::plan::Plan;
pub use crate::private::identity::{Variable, means, means_float, one_function, one_type};
pub use op2_core::{Access, Combine};
/// States a type by a value: the code that the macros generate is shorter to read with a short name.
pub use std::marker::PhantomData as Of;
