//! Records: types with named fields, and enums without any.

use proc_macro2::Ident;

use super::{Len, Scalar, Ty};

/// The declaration of a record. The types of the fields stand beside it in [`Ty::Record`](super::Ty::Record), since they
/// differ between the instances of a generic record.
#[derive(Debug)]
pub struct Record {
    /// The user's name.
    pub name: Ident,
    /// A number unique to this record, by which it is known.
    pub site: u64,
    /// Whether it has a type parameter, for a float.
    pub is_generic: bool,
    /// The names of the fields, in the order of their declaration. An enum has one field without a name, a `u8`.
    pub fields: Vec<Ident>,
    /// The variants of an enum with the numbers that stand for them.
    pub variants: Vec<(Ident, u8)>,
}

impl Record {
    /// Whether it is an enum.
    pub fn is_enum(&self) -> bool {
        !self.variants.is_empty()
    }

    /// The number of the field of that name.
    pub fn field(&self, name: &Ident) -> Option<usize> {
        self.fields.iter().position(|field| field == name)
    }
}

/// Two records are the same if one declaration made both: equal names may mean different records.
impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.site == other.site
    }
}

impl Eq for Record {}

impl Ty {
    /// The types of the parts of a tuple or of a record.
    pub fn parts(&self) -> Option<&[Ty]> {
        match self {
            Ty::Tuple(parts) | Ty::Record(_, parts) => Some(parts),
            _ => None,
        }
    }

    /// Whether a part of the value is a record. The user's type has a name that only some modules know.
    pub fn has_record(&self) -> bool {
        match self {
            Ty::Record(..) => true,
            Ty::Array(t, _) | Ty::Ref(_, t) | Ty::Option(t) => t.has_record(),
            Ty::Tuple(parts) => parts.iter().any(Ty::has_record),
            _ => false,
        }
    }

    /// Whether a part of the value is an enum, of which not every number is a value.
    pub fn has_enum(&self) -> bool {
        match self {
            Ty::Record(record, fields) => record.is_enum() || fields.iter().any(Ty::has_enum),
            Ty::Array(t, _) | Ty::Ref(_, t) | Ty::Option(t) => t.has_enum(),
            Ty::Tuple(parts) => parts.iter().any(Ty::has_enum),
            _ => false,
        }
    }

    /// Whether an array in it has that length.
    pub fn has_length(&self, wanted: &Len) -> bool {
        match self {
            Ty::Array(t, len) => len == wanted || t.has_length(wanted),
            Ty::Ref(_, t) | Ty::Option(t) | Ty::Table(t) => t.has_length(wanted),
            Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter().any(|t| t.has_length(wanted)),
            _ => false,
        }
    }

    /// Whether a part of it is a scalar of that type.
    pub fn has_scalar(&self, wanted: Scalar) -> bool {
        match self {
            Ty::Scalar(scalar) => *scalar == wanted,
            Ty::Array(t, _) | Ty::Ref(_, t) | Ty::Option(t) | Ty::Table(t) => t.has_scalar(wanted),
            Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter().any(|t| t.has_scalar(wanted)),
            Ty::ArgBest(_, value, _) => value.has_scalar(wanted),
            Ty::Unit | Ty::Never | Ty::Infer(_) => false,
        }
    }

    /// The first float in it.
    pub fn first_float(&self) -> Option<Scalar> {
        match self {
            Ty::Scalar(s) => s.is_float().then_some(*s),
            Ty::Array(t, _) | Ty::Ref(_, t) | Ty::Option(t) | Ty::Table(t) => t.first_float(),
            Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter().find_map(Ty::first_float),
            _ => None,
        }
    }

    /// The name or number of part `n`, as it stands behind the point.
    pub fn part_name(&self, n: usize) -> String {
        match self {
            Ty::Record(record, _) if !record.is_enum() => record.fields[n].to_string(),
            _ => n.to_string(),
        }
    }
}
