//! Records: types, values, patterns.

use super::Gen;
use crate::case::Record;
use crate::case::Ty;

impl Gen {
    /// A record for a local, or for a parameter or result of a device function.
    pub(super) fn record(&mut self) -> Ty {
        self.mark("record");
        Ty::Record(match self.r.below(7) {
            6 => {
                self.mark("enum");
                Record::Kind
            }
            0 => Record::Flat,
            1 => Record::Small,
            2 => Record::Nest,
            3 | 4 => Record::Mixed,
            _ => {
                self.mark("generic record");
                Record::Both(self.float())
            }
        })
    }

    /// A record for the values of a dat or a global, or an enum if they are not combined.
    pub(super) fn record_of_dat(&mut self, enums: bool) -> Ty {
        if enums && self.r.chance(20) {
            self.mark("dat of enums");
            let kind = Ty::Record(Record::Kind);
            return if self.r.chance(40) { Ty::array(kind, 2) } else { kind };
        }
        let record = *self.r.pick(&Record::HELD);
        self.mark("dat of records");
        Ty::Record(record)
    }

    /// A value: the fields in any order, some of them from another value.
    pub(super) fn record_value(&mut self, record: Record, depth: usize, strict: bool) -> String {
        if record == Record::Kind {
            self.mark("value of an enum");
            return format!("Kind::{}", self.r.pick(&Record::VARIANTS));
        }
        let strict = strict || matches!(record, Record::Both(_));
        let mut fields = record.fields();
        for n in (1..fields.len()).rev() {
            let with = self.r.below(n + 1);
            fields.swap(n, with);
        }
        let whole = Ty::Record(record);
        let rest = if self.r.chance(30) { self.held(&whole, true) } else { None };
        let mut rest = rest.map_or(String::new(), |rest| format!("..{rest}"));
        if rest.is_empty() {
            self.mark("record value");
        } else {
            self.mark("record from another");
            let kept = self.r.below(fields.len());
            fields.truncate(kept);
        }
        if fields.is_empty() && self.r.chance(50) {
            rest = rest.trim_start_matches("..").to_owned();
            return rest;
        }
        let values: Vec<String> =
            fields.iter().map(|(name, ty)| format!("{name}: {}, ", self.expr(ty, depth, strict))).collect();
        format!("({} {{ {}{rest} }})", record.name(), values.concat())
    }

    /// A statement that takes a record in scope apart.
    pub(super) fn record_pattern(&mut self) -> String {
        let found: Vec<_> = self
            .visible()
            .into_iter()
            .filter_map(|var| match (&var.ty, &var.name) {
                (Ty::Record(record), name) => Some((name.clone(), *record, false)),
                (Ty::Ref(false, of), name) => match **of {
                    Ty::Record(record) => Some((name.clone(), record, true)),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        let found: Vec<_> = found.into_iter().filter(|(_, record, _)| *record != Record::Kind).collect();
        if found.is_empty() {
            return self.match_enum();
        }
        self.mark("record pattern");
        let (name, record, referred) = self.r.pick(&found).clone();
        let by_reference = referred && self.r.chance(60);
        let mut parts = String::new();
        for (field, ty) in record.fields() {
            if self.r.chance(30) {
                continue;
            }
            self.here.names += 1;
            let local = format!("v{}", self.here.names);
            let ty = if by_reference { Ty::Ref(false, Box::new(ty)) } else { ty };
            self.declare(&local, &ty, false);
            parts.push_str(&format!("{field}: {local}, "));
        }
        let star = if referred && !by_reference { "*" } else { "" };
        format!("let {} {{ {parts}.. }} = {star}{name};", record.name())
    }

    /// A `match` on an enum.
    fn match_enum(&mut self) -> String {
        self.mark("match of an enum");
        let value = self.expr(&Ty::Record(Record::Kind), 2, true);
        let mut variants = Record::VARIANTS.to_vec();
        let first = self.r.below(variants.len());
        variants.rotate_left(first);
        let arm = |g: &mut Self| g.block(1, 0);
        let (one, two, rest) = (arm(self), arm(self), arm(self));
        let [a, b, c, d] = variants[..] else { unreachable!("four variants") };
        let rest = match self.r.below(2) {
            0 => format!("Kind::{d} => {rest}"),
            _ => format!("_ => {rest}"),
        };
        format!("match {value} {{ Kind::{a} => {one} Kind::{b} | Kind::{c} => {two} {rest} }}")
    }

    /// A comparison of enums, or the number of one.
    pub(super) fn compared_enums(&mut self) -> Option<String> {
        let kind = Ty::Record(Record::Kind);
        let held = self.held(&kind, true)?;
        self.mark("comparison of enums");
        let (other, op) = (self.expr(&kind, 1, true), *self.r.pick(&["==", "!="]));
        Some(match self.r.below(3) {
            0 => format!("(({held} as i32) < 7)"),
            _ => format!("({held} {op} {other})"),
        })
    }

    /// A field of a record, and its type.
    pub(super) fn some_field(&mut self, record: Record) -> (&'static str, Ty) {
        let fields = record.fields();
        self.mark("field of a record");
        fields[self.r.below(fields.len())].clone()
    }
}
