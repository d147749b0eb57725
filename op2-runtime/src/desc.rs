//! The static description of a loop that the macros leave for the run time.

pub(crate) mod constant;
pub(crate) mod name;
pub(crate) mod operations;

use crate::desc::constant::Captured;
use op2_core::{Access, EntryPoint, Target};

/// A loop as the generator saw it: all that does not depend on the mesh.
pub struct LoopDesc {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Source file of the loop.
    pub file: &'static str,
    /// Line of the loop.
    pub line: u32,
    /// Floating-point operations per element, counted by the generator.
    pub flops: u32,
    /// The arguments in order.
    pub args: &'static [ArgDesc],
    /// The constants that the kernel and its device functions mention.
    pub captured: &'static Captured,
    /// The most contribution stages that it can be cut into.
    pub stages: usize,
    /// Why there are no more of them; empty if the generator found as many as it looks for.
    pub no_more_stages: &'static str,
    /// Why the host does not run it in stages; empty if it does.
    pub no_host_stages: &'static str,
    /// Why the host runs it element by element; empty if it can run several at once.
    pub no_lanes: &'static str,
    /// Whether the kernel takes rows of any length.
    pub by_rows: bool,
    /// Whether elements walk over a mesh: they ask tables in rounds whose number their own values decide.
    pub walks: bool,
    /// Whether the kernel asks tables for the numbers of elements.
    pub asks_numbers: bool,
    /// The loop for each target.
    pub devices: &'static [DeviceDesc],
}

impl LoopDesc {
    /// The loop for a target; the generator writes every loop for all targets.
    pub(crate) fn device(&self, target: Target) -> &DeviceDesc {
        self.devices.iter().find(|device| device.target == target).expect("loops are written for all targets")
    }

    /// The views of a device text that the loop combines through maps or at ends of pairs, present or not, in order.
    pub(crate) fn combined_views(&self, device: &DeviceDesc) -> impl Iterator<Item = usize> {
        let combined = |arg: &usize| self.args[*arg].shared_access().is_some_and(Access::combines);
        let views = device.views.iter().enumerate();
        views.filter(move |(_, v)| v.args.iter().any(combined)).map(|(v, _)| v)
    }

    /// The most contribution stages that the host can run it in; 0 if it has no form in stages.
    pub(crate) fn host_stages(&self) -> usize {
        if self.no_host_stages.is_empty() { self.stages } else { 0 }
    }

    /// Why there are no more than `found` contribution stages on the host.
    pub(crate) fn fewer_on_host(&self, found: usize) -> String {
        match self.no_host_stages {
            "" => self.fewer(found),
            why => format!("not in stages: {why}"),
        }
    }

    /// Why there are no more than `found` contribution stages.
    pub(crate) fn fewer(&self, found: usize) -> String {
        let why = if self.no_more_stages.is_empty() { "no more are looked for" } else { self.no_more_stages };
        match found {
            0 => format!("not in stages: {why}"),
            1 => format!("in 1 stage: {why}"),
            n => format!("in {n} stages: {why}"),
        }
    }

    /// Why the host runs it element by element although lanes were asked for.
    pub(crate) fn one_at_a_time(&self) -> Option<String> {
        match (self.no_lanes, self.lanes_need_colours()) {
            ("", false) => None,
            ("", true) => Some(
                "one element at a time: it changes values through a map, which elements that go at once must not share; \
                 strategy `colours` has them apart"
                    .to_owned(),
            ),
            (why, _) => Some(format!("one element at a time: {why}")),
        }
    }

    /// Whether elements that run at once must not share a target: one changes values through a map, or keeps some of a row.
    pub(crate) fn lanes_need_colours(&self) -> bool {
        let keeps = |access| access == Access::Rw || (access == Access::Write && self.by_rows);
        self.args.iter().filter_map(ArgDesc::access_through_map).any(keeps)
    }

    /// Whether elements that share a target must take turns, because some argument writes through a map without combining. Optional
    /// arguments count as present: the text for devices is the same for all calls.
    pub(crate) fn takes_turns(&self) -> bool {
        let mut mapped = self.args.iter().filter_map(ArgDesc::access_through_map);
        mapped.any(|access| access.modifies() && !access.combines())
    }

    /// The same on devices, which change rows of any length in place.
    pub(crate) fn in_turns_on_devices(&self) -> bool {
        self.by_rows || self.takes_turns()
    }

    /// Whether an argument, present or not, is reached through a map.
    pub(crate) fn goes_through_maps(&self) -> bool {
        self.args.iter().any(|arg| arg.target.is_some())
    }

    /// Whether it reduces into globals.
    pub(crate) fn reduces(&self) -> bool {
        self.args.iter().any(|a| matches!(a.kind, ArgKind::Global(access) if access.modifies()))
    }
}

/// An argument of a loop.
#[derive(Debug)]
pub struct ArgDesc {
    /// The argument as the user wrote it, for messages.
    pub text: &'static str,
    /// Its kind.
    pub kind: ArgKind,
    /// Present only if a flag holds.
    pub optional: bool,
    /// Number of its way through a map, among those of the loop; none for direct arguments and globals.
    pub target: Option<usize>,
}

impl ArgDesc {
    /// How it accesses a dat through a map, if it does.
    fn access_through_map(&self) -> Option<Access> {
        self.kind.access().filter(|_| self.target.is_some())
    }

    /// How it accesses a dat whose element several others may reach.
    fn shared_access(&self) -> Option<Access> {
        match self.kind {
            ArgKind::End(access) => Some(access),
            _ => self.access_through_map(),
        }
    }
}

/// A loop for a target: its text, and all that the run time needs to complete the text by definitions and to launch it.
#[derive(Debug)]
pub struct DeviceDesc {
    /// The language of the text.
    pub target: Target,
    /// The kernel's functions and the loops around them.
    pub text: &'static str,
    /// The loops around the kernel, with their names in the text.
    pub kernels: &'static [(EntryPoint, &'static str)],
    /// Distinct dats of the loop, in the order of the parameters.
    pub views: &'static [ViewDesc],
    /// Names of the maps, in the order in which the loop binds them.
    pub maps: &'static [&'static str],
    /// The ways through maps: the map of each, and whether the run time must define its entry.
    pub targets: &'static [TargetDesc],
    /// The sets of ways through which views are reached.
    pub covers: &'static [CoverDesc],
    /// For each float type of a generic kernel the argument whose scalars determine it.
    pub floats: &'static [usize],
    /// The constants that the text mentions.
    pub consts: &'static [ConstDesc],
    /// The loop in stages: with one contribution stage, with two and so on.
    pub forms: &'static [FormDesc],
}

/// A loop in stages: contribution stages, then an update for each dat that it adds to through maps.
#[derive(Debug)]
pub struct FormDesc {
    /// The text, instead of [`DeviceDesc::text`].
    pub text: &'static str,
    /// The loops around the stages, with their names in the text.
    pub kernels: &'static [(EntryPoint, &'static str)],
    /// For each contribution stage the views that it stages.
    pub stages: &'static [&'static [usize]],
    /// The arguments whose contributions are kept for the updates. Those to which a single stage adds come first.
    pub kept: &'static [usize],
    /// The number of arguments in `kept` to which a single stage adds. With atomics their contributions are not kept.
    pub alone: usize,
    /// The values that are kept for each element: these contributions, then values that stages hand to later stages.
    pub rooms: &'static [RoomDesc],
    /// Floating-point operations of all stages, per element.
    pub flops: u32,
}

/// A value that a stage leaves for a later one.
#[derive(Debug)]
pub struct RoomDesc {
    /// The parameter or local of the kernel that it holds.
    pub name: &'static str,
    /// Its scalar.
    pub scalar: RoomScalar,
    /// The lengths of nested arrays; empty for a scalar. A record counts as an array of all its scalars.
    pub lens: &'static [Length],
}

/// The size of a scalar.
#[derive(Debug)]
pub enum RoomScalar {
    /// So many bytes.
    Bytes(usize),
    /// One of [`DeviceDesc::floats`].
    Float(usize),
}

/// The length of an array.
#[derive(Debug)]
pub enum Length {
    /// A literal.
    Number(usize),
    /// A const parameter of the kernel.
    Param(usize),
    /// One of [`DeviceDesc::consts`].
    Constant(usize),
    /// The scalars of a record: for each field the lengths.
    Sum(&'static [&'static [Length]]),
}

/// A distinct dat of a loop.
#[derive(Debug)]
pub struct ViewDesc {
    /// Its name in the text.
    pub name: &'static str,
    /// Whether it may be absent.
    pub optional: bool,
    /// Index in [`DeviceDesc::covers`] of the ways through which it is reached; none for direct access.
    pub cover: Option<usize>,
    /// The arguments that use it.
    pub args: &'static [usize],
}

/// Ways through which views are reached.
#[derive(Debug)]
pub struct CoverDesc {
    /// Indices in [`DeviceDesc::targets`].
    pub targets: &'static [usize],
    /// Where blocks store the contributions of an element through each entry; empty if each has its own place.
    pub stored: &'static [StoredDesc],
}

/// Where blocks store a contribution. Those of an element that repeat each other have one place.
#[derive(Debug)]
pub struct StoredDesc {
    /// The number of the place.
    pub at: usize,
    /// Whether dats may get the opposite of what is there.
    pub turned: bool,
}

/// A way through a map.
#[derive(Debug)]
pub struct TargetDesc {
    /// Index of the map in [`DeviceDesc::maps`].
    pub map: usize,
    /// Whether a definition gives the index of the entry, because the loop computes it.
    pub computed: bool,
}

/// A constant in a text.
#[derive(Debug)]
pub struct ConstDesc {
    /// Its name there.
    pub name: &'static str,
    /// The calls that lead from the kernel to the function that mentions it: at each step the index among the callees of
    /// that function.
    pub way: &'static [usize],
    /// Its index among the constants of that function.
    pub own: usize,
}

/// Kinds of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgKind {
    /// A dat on the loop's own set.
    Direct(Access),
    /// A dat through one entry of a map.
    Indirect(Access),
    /// A dat through all entries of a map.
    AllEntries(Access),
    /// A dat on a side of pairs.
    End(Access),
    /// All values of a dat, which are read.
    Whole,
    /// A global.
    Global(Access),
    /// The index of the element or of a mapped element.
    Index,
    /// The shift of a pair.
    Shift,
}

impl ArgKind {
    /// How a dat or global is accessed.
    pub(crate) fn access(self) -> Option<Access> {
        match self {
            ArgKind::Direct(a)
            | ArgKind::Indirect(a)
            | ArgKind::AllEntries(a)
            | ArgKind::End(a)
            | ArgKind::Global(a) => Some(a),
            ArgKind::Whole => Some(Access::Read),
            ArgKind::Index | ArgKind::Shift => None,
        }
    }
}
