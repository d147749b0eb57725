//! Operands and suffixes of instructions.

use crate::error::Space;
use crate::order::Order;
use crate::program::{Does, Target};
use crate::text::split;
use crate::types::Type;
use std::collections::HashMap;

/// The registers of a function: single ones, and numbered ones behind a common beginning.
#[derive(Default)]
pub(super) struct Registers<'a> {
    single: HashMap<&'a str, Target>,
    numbered: Vec<(&'a str, u32, Target)>,
    pub(super) count: u32,
}

impl<'a> Registers<'a> {
    pub(super) fn declare(&mut self, name: &'a str, mask: u64) -> Option<()> {
        let first = Target { register: self.count, mask };
        match name.split_once('<') {
            // Each scope may declare a register of the same name.
            None if self.single.contains_key(name) => return Some(()),
            None => {
                self.single.insert(name, first);
                self.count += 1;
            }
            Some((name, count)) => {
                let count = count.strip_suffix('>')?.parse().ok()?;
                self.numbered.push((name, count, first));
                self.count += count;
            }
        }
        Some(())
    }

    pub(super) fn get(&self, name: &str) -> Option<Target> {
        let begin = name.trim_end_matches(|c: char| c.is_ascii_digit());
        if let Some(&(_, count, Target { register, mask })) = self.numbered.iter().find(|(known, ..)| *known == begin)
            && let Ok(number) = name[begin.len()..].parse::<u32>()
            && number < count
        {
            return Some(Target { register: register + number, mask });
        }
        self.single.get(name).copied()
    }
}

/// A literal as a word.
pub(super) fn number(text: &str) -> Option<u64> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let value = match digits.get(..2) {
        Some("0d" | "0D") => u64::from_str_radix(&digits[2..], 16).ok()?,
        Some("0f" | "0F") => u64::from(u32::from_str_radix(&digits[2..], 16).ok()?),
        Some("0x" | "0X") => u64::from_str_radix(digits[2..].trim_end_matches('U'), 16).ok()?,
        _ => digits.trim_end_matches('U').parse().ok()?,
    };
    Some(if negative { value.wrapping_neg() } else { value })
}

/// Space, type and order of an access such as `ld.global.nc.v2.f64`.
pub(super) fn access(op: &str) -> Option<(Option<Space>, Type, Order)> {
    let (mut space, mut ty, mut order) = (None, None, Order::Plain);
    for part in op.split('.') {
        match part {
            "global" => space = Some(Space::Global),
            "shared" => space = Some(Space::Shared),
            "local" => space = Some(Space::Local),
            "param" => space = Some(Space::Param),
            "const" => space = Some(Space::Const),
            "nc" => order = Order::Constant,
            "volatile" | "relaxed" | "acquire" | "release" => order = Order::AtOnce,
            "cta" if order == Order::AtOnce => order = Order::InBlock,
            part => ty = Type::of(part).or(ty),
        }
    }
    Some((space, ty?, order))
}

/// A fence for all threads of the device, unless it is one for the threads of a block alone: those have barriers.
pub(super) fn fence(op: &str) -> Does {
    let has = |name| op.split('.').any(|part| part == name);
    if has("cta") || has("proxy") || has("mbarrier_init") {
        return Does::Nothing;
    }
    match (has("acquire"), has("release")) {
        (true, false) => Does::Fence([true, false]),
        (false, true) => Does::Fence([false, true]),
        _ => Does::Fence([true, true]),
    }
}

/// The items of a vector.
pub(super) fn list(text: &str) -> Option<Vec<&str>> {
    Some(split(text.strip_prefix('{')?.strip_suffix('}')?))
}

/// The items of a vector, or the one that is none.
pub(super) fn each<T>(text: &str, of: impl FnMut(&str) -> Option<T>) -> Option<Vec<T>> {
    list(text).unwrap_or_else(|| vec![text]).into_iter().map(of).collect()
}

/// A name and the number that is added to it.
pub(super) fn plus(text: &str) -> Option<(&str, u64)> {
    match text.split_once('+') {
        Some((name, offset)) => Some((name.trim(), number(offset.trim())?)),
        None => Some((text.trim(), 0)),
    }
}
