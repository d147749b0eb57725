//! Values and their storage: scalars, layouts, memory, and the views of it in loop bodies. Nothing here depends on
//! meshes or loops.

pub(crate) mod few;
pub(crate) mod idx;
pub(crate) mod layout;
pub(crate) mod memory;
pub(crate) mod numbering;
pub(crate) mod parts;
pub(crate) mod place;
pub(crate) mod prefetch;
pub(crate) mod record;
pub(crate) mod reduce;
pub(crate) mod room;
pub(crate) mod row;
pub(crate) mod share;
pub(crate) mod sink;
pub(crate) mod table;
pub(crate) mod tasks;
pub(crate) mod value;
pub(crate) mod version;
pub(crate) mod view;
pub(crate) mod ways;
pub(crate) mod workers;
