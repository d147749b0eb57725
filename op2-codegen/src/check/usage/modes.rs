//! Which accesses fit what a kernel does.

use super::{ParamUse, Site, Undefined};

/// Access of a loop to a dat or a global.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// The value is read.
    Read,
    /// The whole value is defined anew.
    Write,
    /// The value is read and changed.
    Rw,
    /// The kernel only adds.
    Inc,
    /// The kernel only takes minima.
    Min,
    /// The kernel only takes maxima.
    Max,
}

impl Mode {
    const ALL: [Mode; 6] = [Mode::Read, Mode::Write, Mode::Inc, Mode::Min, Mode::Max, Mode::Rw];

    /// The word of the loop language on a dat.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Read => "read",
            Mode::Write => "write",
            Mode::Rw => "rw",
            Mode::Inc => "inc",
            Mode::Min => "min",
            Mode::Max => "max",
        }
    }

    /// Whether contributions of different elements are combined, in any order.
    pub fn combines(self) -> bool {
        matches!(self, Mode::Inc | Mode::Min | Mode::Max)
    }

    /// Whether a global has this access.
    fn is_global(self) -> bool {
        self == Mode::Read || self.combines()
    }
}

/// Why an access does not fit. A message reads: found, in `site.text`; cure.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// The culprit.
    pub site: Site,
    /// What the kernel does there, as a clause: "the kernel assigns it".
    pub found: String,
    /// What to do about it: another access of the loop, or another form of the statement.
    pub cure: String,
}

/// Whether a loop over a dat may declare `mode` for a parameter that is used so.
///
/// # Errors
/// The first thing that the kernel does, or fails to do, against the mode.
pub fn permits(used: &ParamUse, mode: Mode) -> Result<(), Box<Refusal>> {
    decide(used, mode, false)
}

/// As [`permits`], for a global: the cure names the accesses that globals have.
///
/// # Errors
/// The first thing that the kernel does, or fails to do, against the mode.
pub fn permits_global(used: &ParamUse, mode: Mode) -> Result<(), Box<Refusal>> {
    decide(used, mode, true)
}

/// The modes that fit, the most telling first.
pub fn fitting(used: &ParamUse) -> Vec<Mode> {
    Mode::ALL.into_iter().filter(|mode| obstacle(used, *mode).is_none()).collect()
}

fn decide(used: &ParamUse, mode: Mode, global: bool) -> Result<(), Box<Refusal>> {
    match obstacle(used, mode) {
        None => Ok(()),
        Some((site, found)) => {
            let cure = cure(used, mode, global, &site);
            Err(Box::new(Refusal { site, found, cure }))
        }
    }
}

/// The site that stands against a mode, and what happens there.
fn obstacle(used: &ParamUse, mode: Mode) -> Option<(Site, String)> {
    let first = |uses: &[(&Option<Site>, &str)]| {
        uses.iter().find_map(|(site, verb)| site.as_ref().map(|s| (s.clone(), actor(s, verb))))
    };
    if mode != Mode::Read && used.modifies().is_none() {
        // Nothing is written, so the walk has found the whole value undefined at an end.
        let site = used.undefined.as_ref()?.site.clone();
        return Some((site, "the kernel never modifies it".to_owned()));
    }
    let reads = (&used.reads, "reads it");
    let assigns = (&used.assigns, "assigns it");
    let adds = (&used.adds, "adds to it");
    let mins = (&used.mins, "takes a minimum into it");
    let maxs = (&used.maxs, "takes a maximum into it");
    let updates = (&used.updates, "updates it");
    let found = match mode {
        Mode::Read => first(&[assigns, adds, mins, maxs, updates]),
        Mode::Write => first(&[(&used.reads_undefined, "reads it before it is written"), updates]),
        Mode::Rw => first(&[updates]),
        Mode::Inc => first(&[assigns, mins, maxs, updates, reads]),
        Mode::Min => first(&[assigns, adds, maxs, updates, reads]),
        Mode::Max => first(&[assigns, adds, mins, updates, reads]),
    };
    if found.is_some() || mode != Mode::Write {
        return found;
    }
    let missing = used.undefined.as_ref()?;
    let found = match missing.component.as_str() {
        "" => "the kernel does not write it on every path".to_owned(),
        component => format!("the kernel does not write its component `{component}` on every path"),
    };
    Some((missing.site.clone(), found))
}

fn actor(site: &Site, verb: &str) -> String {
    match &site.within {
        Some(function) => format!("device function `{function}` {verb}"),
        None => format!("the kernel {verb}"),
    }
}

fn cure(used: &ParamUse, mode: Mode, global: bool, site: &Site) -> String {
    let words: Vec<String> = fitting(used)
        .into_iter()
        .filter(|m| !global || m.is_global())
        .map(|m| format!("`{}{}`", if global { "gbl_" } else { "" }, m.word()))
        .collect();
    let declare = match words.is_empty() {
        false => Some(format!("declare it {}", words.join(" or "))),
        true => None,
    };
    let change = match mode {
        Mode::Write if used.modifies().is_some() && used.reads_undefined.is_none() => {
            used.undefined.as_ref().map(complete)
        }
        Mode::Inc => site.rewrite.as_ref().map(|text| format!("write `{text}`")),
        _ => None,
    };
    match (change, declare) {
        (Some(change), Some(declare)) => format!("{change}, or {declare}"),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => "a global is only read, or only added to, or only combined by `min` or by `max`".to_owned(),
    }
}

fn complete(missing: &Undefined) -> String {
    let hint = missing.constant.as_ref().map_or(String::new(), |name| {
        format!(" by literal indices (the value of `{name}` is not known at this point)")
    });
    format!("write every component on every path{hint}")
}
