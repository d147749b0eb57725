//! The items that the macros' code refers to. Not for users: they may change with every version.
//!
//! Each sentence says how generated code uses an item; the item's own documentation defines it.

mod identity;

// A call: arguments are bound one by one, then the loop runs.

/// Binds the arguments of a loop, then runs it.
pub use crate::call::Call;
/// Does the same in a chain.
pub use crate::call::chain::Chained;
/// Refuses, by a bound without implementors, methods that a chain does not have.
pub use crate::call::chain::Ready;
/// Does the same of a loop over pairs.
pub use crate::call::pairs::{CallOf, PairCall};
/// Stands for a loop with faults, with the type of a loop.
pub use crate::call::refused;
/// Make the indices that a kernel takes.
pub use crate::data::idx::{ElementNumbers, Elements};
/// Gives the user's number of an element to a kernel that asks for it.
pub use crate::data::numbering::Numbers;
/// Converts an index to the kernel's type.
pub use crate::data::reduce::IndexValue;
/// Has the values of a dat for generated functions.
pub use crate::data::table::NumberedTable;
/// Requires that a dat lives on the set which the loop reaches.
pub use crate::mesh::handle::DatOn;
/// Requires that a global holds the value which the kernel takes.
pub use crate::mesh::handle::GlobalOf;
/// Requires that a dat holds the values which the kernel takes.
pub use crate::mesh::handle::Holds;
/// Identifies a handle.
pub use crate::mesh::handle::Id;
/// Takes the pairs that a loop runs over.
pub use crate::mesh::handle::IterPairs;
/// Takes the set or subset that a loop runs over.
pub use crate::mesh::handle::IterSet;
/// Requires that a map leads from the loop's set.
pub use crate::mesh::handle::MapFrom;
/// Requires that rows lead from the loop's set.
pub use crate::mesh::handle::RowsFrom;
/// Says which side of pairs is outside.
pub use crate::mesh::handle::{End, Outside, from_is};
/// Finds the partners of an element.
pub use crate::pairs::{PairView, Partners};
/// Returns the plan of a loop, from `op_plan!`.
pub use crate::plan::Plan;
/// Says how an argument is used.
pub use op2_core::Access;
/// Says how contributions of an argument are combined.
pub use op2_core::Combine;
/// Names a kernel of a device text.
pub use op2_core::EntryPoint;
/// Names the language of a device text.
pub use op2_core::Target;
/// Names a kernel of a device text that runs elements.
pub use op2_core::Wrapper;
/// States a type by a value. The short name keeps generated code readable.
pub use std::marker::PhantomData as Of;

// The static description of a loop.

/// Describes an argument.
pub use crate::desc::ArgDesc;
/// Describes the kind of an argument.
pub use crate::desc::ArgKind;
/// Describes a constant of a device text.
pub use crate::desc::ConstDesc;
/// Describes ways through which dats are reached.
pub use crate::desc::CoverDesc;
/// Describes the device text.
pub use crate::desc::DeviceDesc;
/// Describes a loop in stages.
pub use crate::desc::FormDesc;
/// Describes the length of an array that one stage leaves for another.
pub use crate::desc::Length;
/// Describes the loop.
pub use crate::desc::LoopDesc;
/// Describes what one stage leaves for another.
pub use crate::desc::RoomDesc;
/// Describes the scalar of what one stage leaves for another.
pub use crate::desc::RoomScalar;
/// Describes where a contribution is stored.
pub use crate::desc::StoredDesc;
/// Describes a way through a map.
pub use crate::desc::TargetDesc;
/// Describes a dat of the loop.
pub use crate::desc::ViewDesc;
/// Holds the constants of a function, captured where their names are in scope.
pub use crate::desc::constant::Captured;
/// Holds a Rust `const`.
pub use crate::desc::constant::Fixed;
/// Holds a constant of either kind.
pub use crate::desc::constant::Known;
/// Requires that a constant can be written down for another machine.
pub use crate::desc::constant::Portable;
/// Tells the lengths of the arrays of a run-time constant.
pub use crate::desc::constant::lengths;
/// Count operations that depend on constants.
pub use crate::desc::operations::{most, rounds, total};

// Bodies on the host, element by element.

/// Leads to an element, or nowhere.
pub use crate::data::place::Place;
/// Say whether entries of a map may be missing.
pub use crate::data::place::{IsOptional, IsRequired, Optional, Presence, Required};
/// Is a record in code written anew.
pub use crate::data::record::Pair;
/// Sees a record as pairs.
pub use crate::data::record::shape;
/// Sees a record as pairs, to be changed.
pub use crate::data::record::shape_mut;
/// Sees a dat of records as one of pairs.
pub use crate::data::record::shaped;
/// Bounds what an arg reduction carries beside its value.
pub use crate::data::reduce::Payload;
/// Bounds what a loop reduces into.
pub use crate::data::reduce::Reduce;
/// Are the arg reductions that kernels take.
pub use crate::data::reduce::{ArgMax, ArgMin};
/// Is a row that a kernel takes; lend one of known size; combine contributions with one.
pub use crate::data::row::{Row, RowRoom, RowsView, combine_row, lent, lent_mut};
/// Takes the contributions of one argument.
pub use crate::data::sink::Sink;
/// Bounds the values of dats.
pub use crate::data::value::Value;
/// Requires, by [`HasEntry`], that a literal index is one of a map's entries.
pub use crate::data::view::Entry;
/// Lists the indices that maps have.
pub use crate::data::view::HasEntry;
/// Reads the entries of a map.
pub use crate::data::view::MapView;
/// Reads and writes the rows of a dat.
pub use crate::data::view::View;
/// Gives a map the arity that the kernel states.
pub use crate::data::view::of_arity;
/// Gives a value the type that the kernel states.
pub use crate::data::view::same;
/// Name the ways to reduce as types.
pub use crate::data::ways::{ByInc, ByMax, ByMin, ByOr};
/// Holds the bodies of a loop.
pub use crate::exec::body::Bodies;
/// Runs them.
pub use crate::exec::body::Body;
/// Tells a body how it runs.
pub use crate::exec::body::Course;
/// Takes the results of reductions.
pub use crate::exec::body::Results;
/// Starts a contribution to a partial result.
pub use crate::exec::body::start_like;
/// Starts a reduction in every block.
pub use crate::exec::body::start_of;
/// Tells the type of a partial result.
pub use crate::exec::body::total_of;
/// Lists the elements of a body.
pub use crate::lanes::Elems;
/// Converts a shift to the kernel's type.
pub use crate::lanes::ShiftOf;

// Bodies in stages.

/// Tells the form that runs.
pub use crate::exec::stages::Form;
/// Keeps the values that one stage leaves for another.
pub use crate::exec::stages::Room;
/// Stands for the stages of a loop that has none.
pub use crate::exec::stages::not_in_stages;
/// Starts a temporary.
pub use crate::exec::stages::zero;
/// Is the initial value of an array as long as a const parameter.
pub use crate::exec::stages::zeros;
/// Bounds the type parameter of a generic kernel.
pub use crate::lanes::float::Float;
/// Leads from a scalar to some float.
pub use crate::lanes::float::NearFloat;
/// Infers the type parameter, or some float where the loop does not compile anyway.
pub use crate::lanes::float::float_near;
/// Infers the type parameter from an argument.
pub use crate::lanes::float::float_of;
/// Tells the type of the values of an argument.
pub use crate::lanes::float::value_of;

// Bodies in lanes.

/// Tells whether all lanes of an argument have targets.
pub use crate::lanes::AllThere;
/// Requires an arg reduction that has lanes.
pub use crate::lanes::Arg;
/// Holds an arg reduction for each lane.
pub use crate::lanes::Best;
/// Lists the contributions of several arguments to one dat.
pub use crate::lanes::Contributions;
/// Leads the lanes of a direct argument.
pub use crate::lanes::Direct;
/// Holds the contributions of one argument.
pub use crate::lanes::Ends;
/// Has room for the entries of a pack that is not consecutive.
pub use crate::lanes::Entries;
/// Bounds floats that have lanes.
pub use crate::lanes::FloatLane;
/// Bounds scalars that have lanes.
pub use crate::lanes::Lane;
/// Bounds lanes of any value.
pub use crate::lanes::Lanes;
/// Names the lanes of a value.
pub use crate::lanes::LanesOf;
/// Bounds types that lead the lanes of an argument to their targets.
pub use crate::lanes::Leads;
/// Selects lanes.
pub use crate::lanes::Mask;
/// Stands for the vector body of a loop that has none.
pub use crate::lanes::NotInLanes;
/// Holds the next elements of a loop.
pub use crate::lanes::Pack;
/// Holds the next partners of an element.
pub use crate::lanes::PairPack;
/// Counts the rounds of a loop whose lanes leave it at different times.
pub use crate::lanes::Rounds;
/// Bounds values that are gathered from rows and scattered to them.
pub use crate::lanes::Rows;
/// Hides a value from an optimisation that would be wrong.
pub use crate::lanes::Seal;
/// Leads from a value to its lanes.
pub use crate::lanes::Spread;
/// Leads the lanes of an argument through one entry of a map.
pub use crate::lanes::Targets;
/// Holds the lanes of a scalar.
pub use crate::lanes::V;
/// Is implemented by a vector body.
pub use crate::lanes::Vector;
/// Says how many lanes there are, by which instructions.
pub use crate::lanes::Width;
/// Tells whether arguments share a dat.
pub use crate::lanes::all_differ;
/// Computes lane by lane.
pub use crate::lanes::each;
/// Computes lane by lane where a mask says so.
pub use crate::lanes::each_of;
/// Maps the items of an array.
pub use crate::lanes::mapped;
/// Runs a vector body over no elements, in tests.
pub use crate::lanes::run_in;
/// Are rows of any length in lanes, where their entries lead, and room for values.
pub use crate::lanes::{RowPack, RowRooms, RowTargets};
/// Reach elements of dats that may be absent.
pub use crate::lanes::{blank_of, gather_if, there_if};
/// Gives pairs the dimension that the kernel states.
pub use crate::pairs::in_dimensions;

// Names that the compiler and the parser must understand alike.

/// Bounds what is a record.
pub use crate::data::record::Record;
/// Leads to what a function or a record carries.
pub use crate::private::identity::Carries;
/// Names a function or a record by its number.
pub use crate::private::identity::Site;
/// Stands for a variable of a kernel.
pub use crate::private::identity::Variable;
/// Compiles if a name means the type that the parser takes it for.
pub use crate::private::identity::means;
/// Compiles if a name means the declaration that the parser takes it for.
pub use crate::private::identity::means_declared;
/// Compiles if a bound means `op2::Float`.
pub use crate::private::identity::means_float;
/// Compiles if a name means `op2::Idx`.
pub use crate::private::identity::means_index;
/// Compiles if a name means `op2::Row`.
pub use crate::private::identity::means_row;
/// Compiles if a name means `op2::Table`.
pub use crate::private::identity::means_table;
/// Compiles if a path leads to the function whose text the parser has.
pub use crate::private::identity::one_function;
/// Compiles if two functions are one.
pub use crate::private::identity::one_type;
