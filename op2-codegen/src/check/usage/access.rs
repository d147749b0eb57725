//! Which accesses fit a kernel's use of a parameter.

use super::{ParamUse, Site, Undefined};
use crate::ir::{Access, Combine, Effect};

/// Why an access does not fit. A message reads: found, in `site.text`; cure.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// The culprit.
    pub site: Site,
    /// The kernel's use of the parameter there, as a clause: "the kernel assigns it".
    pub found: String,
    /// The cure: another access of the loop, or another form of the statement.
    pub cure: String,
}

/// Checks that a loop over a dat may declare `access` for a parameter with this use.
///
/// # Errors
/// The first thing that the kernel does, or fails to do, against the access.
pub fn permits(used: &ParamUse, access: Access) -> Result<(), Box<Refusal>> {
    decide(used, access, false)
}

/// As [`permits`], for a global: the cure names the accesses that globals have.
///
/// # Errors
/// The first thing that the kernel does, or fails to do, against the access.
pub fn permits_global(used: &ParamUse, access: Access) -> Result<(), Box<Refusal>> {
    decide(used, access, true)
}

/// The accesses that fit, the most specific first.
pub fn fitting(used: &ParamUse) -> Vec<Access> {
    // `rw` is the least specific: it fits nearly everything.
    let telling = Access::ALL.iter().copied().filter(|access| *access != Access::Rw);
    telling.chain([Access::Rw]).filter(|access| obstacle(used, *access).is_none()).collect()
}

fn decide(used: &ParamUse, access: Access, global: bool) -> Result<(), Box<Refusal>> {
    match obstacle(used, access) {
        None => Ok(()),
        Some((site, found)) => {
            let cure = cure(used, access, global, &site);
            Err(Box::new(Refusal { site, found, cure }))
        }
    }
}

/// The site that forbids an access, and what the kernel does there.
fn obstacle(used: &ParamUse, access: Access) -> Option<(Site, String)> {
    let first = |uses: &[(&Option<Site>, &str)]| {
        uses.iter().find_map(|(site, verb)| site.as_ref().map(|s| (s.clone(), actor(s, verb))))
    };
    let other_than = |combined: Option<Combine>| {
        let others = Combine::ALL.iter().filter(|how| Some(**how) != combined);
        others.flat_map(|how| used.contributes.by(*how).map(|s| (s.clone(), actor(s, contributes(*how))))).next()
    };
    if access != Access::Read && used.modifies().is_none() {
        // Nothing is written, so the walk has found the whole value undefined at an end.
        let site = used.undefined.as_ref()?.site.clone();
        return Some((site, "the kernel never modifies it".to_owned()));
    }
    let reads = (&used.reads, "reads it");
    let assigns = (&used.assigns, "assigns it");
    let updates = (&used.updates, "updates it");
    let found = match access.effect() {
        Effect::Read => first(&[assigns]).or_else(|| other_than(None)).or_else(|| first(&[updates])),
        Effect::Write => first(&[(&used.reads_undefined, "reads it before it is written"), updates]),
        Effect::Rw => first(&[updates]),
        Effect::Combine(how) => {
            first(&[assigns]).or_else(|| other_than(Some(how))).or_else(|| first(&[updates, reads]))
        }
    };
    if found.is_some() || access != Access::Write || used.is_row {
        return found;
    }
    let missing = used.undefined.as_ref()?;
    let found = match missing.component.as_str() {
        "" => "the kernel does not write it on every path".to_owned(),
        component => format!("the kernel does not write its component `{component}` on every path"),
    };
    Some((missing.site.clone(), found))
}

/// The words for a kernel that contributes in this way.
fn contributes(how: Combine) -> &'static str {
    match how {
        Combine::Inc => "adds to it",
        Combine::Min => "takes a minimum into it",
        Combine::Max => "takes a maximum into it",
        Combine::Or => "combines it by `|`",
    }
}

fn actor(site: &Site, verb: &str) -> String {
    match &site.within {
        Some(function) => format!("device function `{function}` {verb}"),
        None => format!("the kernel {verb}"),
    }
}

fn cure(used: &ParamUse, access: Access, global: bool, site: &Site) -> String {
    let words: Vec<String> = fitting(used)
        .into_iter()
        .filter(|access| !global || access.is_global())
        .map(|access| format!("`{}{}`", if global { "gbl_" } else { "" }, access.name()))
        .collect();
    let declare = match words.is_empty() {
        false => Some(format!("declare it {}", words.join(" or "))),
        true => None,
    };
    let change = match access {
        Access::Write if used.modifies().is_some() && used.reads_undefined.is_none() && !used.is_row => {
            used.undefined.as_ref().map(complete)
        }
        Access::Inc => site.rewrite.as_ref().map(|text| format!("write `{text}`")),
        _ => None,
    };
    match (change, declare) {
        (Some(change), Some(declare)) => format!("{change}, or {declare}"),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => "a global is only read, or only added to, or only combined by `min`, `max` or `or`".to_owned(),
    }
}

fn complete(missing: &Undefined) -> String {
    let hint = missing.constant.as_ref().map_or(String::new(), |name| {
        format!(" by literal indices (the value of `{name}` is not known at this point)")
    });
    format!("write every component on every path{hint}")
}
