//! The records of the cases: always the same ones, which cases use in different ways.

use std::fmt;

use super::{Len, Scalar, Ty};

/// A record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Record {
    /// Floats, and an array of them between.
    Flat,
    /// Single precision.
    Small,
    /// Integers, and an array of arrays of them.
    Ints,
    /// A record inside, and a length that is a constant.
    Nest,
    /// Scalars of several types, which no dat holds.
    Mixed,
    /// Generic over the float, with an array of its own scalar.
    Both(Scalar),
    /// An enum.
    Kind,
}

impl Record {
    /// Those whose scalars have one type.
    pub const HELD: [Record; 6] =
        [Record::Flat, Record::Small, Record::Ints, Record::Nest, Record::Both(Scalar::F64), Record::Both(Scalar::F32)];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Record::Flat => "Flat",
            Record::Small => "Small",
            Record::Ints => "Ints",
            Record::Nest => "Nest",
            Record::Mixed => "Mixed",
            Record::Both(_) => "Both",
            Record::Kind => "Kind",
        }
    }

    /// The variants of the enum.
    pub const VARIANTS: [&'static str; 4] = ["Wall", "Far", "Slip", "Inflow"];

    /// The names and types of its fields.
    pub fn fields(self) -> Vec<(&'static str, Ty)> {
        let scalar = Ty::Scalar;
        match self {
            Record::Flat => {
                vec![("x", scalar(Scalar::F64)), ("v", Ty::array(scalar(Scalar::F64), 3)), ("y", scalar(Scalar::F64))]
            }
            Record::Small => vec![("a", scalar(Scalar::F32)), ("b", Ty::array(scalar(Scalar::F32), 2))],
            Record::Ints => {
                vec![("i", scalar(Scalar::I32)), ("j", Ty::array(Ty::array(scalar(Scalar::I32), 2), 2))]
            }
            Record::Nest => {
                vec![("w", Ty::Array(Box::new(scalar(Scalar::F64)), Len::Named)), ("inner", Ty::Record(Record::Flat))]
            }
            Record::Mixed => vec![
                ("flag", scalar(Scalar::Bool)),
                ("at", scalar(Scalar::F64)),
                ("n", scalar(Scalar::I64)),
                ("small", Ty::Record(Record::Small)),
                ("kind", Ty::Record(Record::Kind)),
            ],
            Record::Both(float) => vec![("at", scalar(float)), ("ends", Ty::array(scalar(float), 2))],
            Record::Kind => Vec::new(),
        }
    }

    /// The same with another float in place of the type parameter.
    pub fn with(self, of: Scalar, float: Scalar) -> Record {
        match self {
            Record::Both(found) if found == of => Record::Both(float),
            record => record,
        }
    }

    /// All declarations whose names occur in `text`, and those that they mention, with what the harness needs for values of
    /// dats.
    pub fn declarations(text: &str) -> String {
        const ALL: [Record; 7] = [
            Record::Flat,
            Record::Small,
            Record::Ints,
            Record::Nest,
            Record::Mixed,
            Record::Both(Scalar::Param(0)),
            Record::Kind,
        ];
        let named = |name: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
        let needs = |record: &Record| {
            let outer = ALL
                .iter()
                .any(|outer| named(outer.name()) && outer.fields().iter().any(|(_, ty)| *ty == Ty::Record(*record)));
            outer || named(record.name())
        };
        let aliases =
            [("Row", "#[op2::alias] type Row = [f64; NVAR];\n"), ("Twin", "#[op2::alias] type Twin<F> = [F; 2];\n")];
        let aliases = aliases.into_iter().filter(|(name, _)| named(name)).map(|(_, text)| text.to_owned());
        ALL.into_iter().filter(needs).map(Record::declaration).chain(aliases).collect()
    }

    /// The methods of the record. Several records have some of the same names, and one is named as a method of floats.
    fn methods(self) -> Option<&'static str> {
        Some(match self {
            Record::Flat => {
                "fn start(x: f64) -> Self { Flat { x, v: [x; 3], y: -x } } fn sum(&self) -> f64 { self.v[0] + self.x } \
                 fn moved(mut self, by: f64) -> Self { self.x += by; self } \
                 fn max(self, other: Self) -> Self { if self.x > other.x { self } else { other } } \
                 fn scale(&mut self, by: f64) { self.v[1] *= by; self.y -= self.sum(); }"
            }
            Record::Both(_) => {
                "fn start(at: F) -> Self { Self { at, ends: [at; 2] } } fn sum(&self) -> F { self.ends[1] - self.at } \
                 fn moved(self, by: F) -> Both<F> { Both { at: self.at * by, ..self } } \
                 fn max(self, other: Self) -> Self { if self.sum() > other.sum() { self } else { other } } \
                 fn scale(&mut self, by: F) { self.ends = self.ends.map(|e| e * by); }"
            }
            Record::Kind => {
                "fn next(self) -> Self { match self { Self::Wall => Kind::Far, Kind::Far => Kind::Slip, _ => Self::Wall } }"
            }
            _ => return None,
        })
    }

    fn declaration(self) -> String {
        if self == Record::Kind {
            let methods = self.methods().unwrap_or_default();
            return format!(
                "#[op2::record(methods)] enum Kind {{ Wall, Far = 7, Slip, Inflow = 2 }} held_enum! {{ Kind Wall Far Slip Inflow }}\n\
                 #[op2::device_fn] impl Kind {{ {methods} }}\n"
            );
        }
        let (name, fields) = (self.name(), self.fields());
        let generic = if self == Record::Both(Scalar::Param(0)) { "<F>" } else { "" };
        let written: String = fields.iter().map(|(field, ty)| format!("{field}: {ty}, ")).collect();
        let list: Vec<&str> = fields.iter().map(|(field, _)| *field).collect();
        let list = list.join(" ");
        let held = match self {
            Record::Mixed => String::new(),
            Record::Both(_) => format!("held_record! {{ Both<f64> {list} }} held_record! {{ Both<f32> {list} }}"),
            _ => format!("held_record! {{ {name} {list} }}"),
        };
        let (announced, bound) = match (self.methods(), generic) {
            (None, _) => return format!("#[op2::record] struct {name}{generic} {{ {written} }}\n{held}\n"),
            (Some(methods), "") => (methods, ""),
            (Some(methods), _) => (methods, "<F: Float>"),
        };
        format!(
            "#[op2::record(methods)] struct {name}{bound} {{ {written} }}\n{held}\n\
             #[op2::device_fn] impl{bound} {name}{generic} {{ {announced} }}\n"
        )
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Record::Both(float) => write!(f, "Both<{}>", float.name()),
            record => f.write_str(record.name()),
        }
    }
}
