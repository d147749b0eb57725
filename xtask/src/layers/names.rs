//! Resolves paths through modules, imports and re-exports to the module that declares their target.

use super::code::{Import, Location, Mention, Scope};
use super::tree::Tree;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// A use of one module by another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reach {
    pub from: usize,
    pub to: usize,
    pub at: Location,
    pub path: String,
}

/// The meaning of a name, which may be a module and another item at once.
#[derive(Debug, Default, Clone, Copy)]
struct Found {
    module: Option<usize>,
    /// The module that declares the other item.
    item: Option<usize>,
}

impl Found {
    fn or(self, other: impl FnOnce() -> Self) -> Self {
        if self.module.is_some() && self.item.is_some() {
            return self;
        }
        let other = other();
        Self { module: self.module.or(other.module), item: self.item.or(other.item) }
    }

    fn is_none(self) -> bool {
        self.module.is_none() && self.item.is_none()
    }
}

/// The names of a crate.
struct Names<'a> {
    tree: &'a Tree,
    /// The modules that declare a macro, by its name.
    macros: BTreeMap<&'a str, BTreeSet<usize>>,
    /// The modules of macros whose paths begin at the root.
    exported: BTreeMap<&'a str, usize>,
    /// Names that are being resolved, since imports may form circles.
    open: RefCell<BTreeSet<(usize, String)>>,
}

/// All uses of modules in `tree` by each other.
pub(super) fn reaches(tree: &Tree) -> BTreeSet<Reach> {
    let names = Names::new(tree);
    let mut all = BTreeSet::new();
    for (from, module) in tree.modules.iter().enumerate() {
        for mention in &module.code.mentions {
            if names.is_told_elsewhere(from, mention) {
                continue;
            }
            for to in names.modules_of(from, &mention.path, mention.calls) {
                if to != from {
                    all.insert(Reach { from, to, at: mention.at.clone(), path: mention.path.join("::") });
                }
            }
        }
    }
    all
}

impl<'a> Names<'a> {
    fn new(tree: &'a Tree) -> Self {
        let (mut macros, mut exported) = (BTreeMap::<_, BTreeSet<_>>::new(), BTreeMap::new());
        for (module, here) in tree.modules.iter().enumerate() {
            for (name, export) in &here.code.macros {
                macros.entry(&**name).or_default().insert(module);
                if *export {
                    exported.insert(&**name, module);
                }
            }
        }
        Self { tree, macros, exported, open: RefCell::default() }
    }

    /// The modules to which `path` leads from `from`: the one that declares its target, and the last one in the path if
    /// that only re-exports the target.
    fn modules_of(&self, from: usize, path: &[String], calls: bool) -> Vec<usize> {
        let (passed, found) = self.resolve(from, path);
        if found.is_none() && calls && path.len() == 1 {
            // A macro is also visible after its declaration, without a path.
            let known = self.macros.get(&*path[0]).filter(|known| known.len() == 1);
            return known.into_iter().flatten().copied().collect();
        }
        let end = found.item.or(found.module);
        let below = |passed: &usize| end.is_some_and(|end| self.tree.upwards(end).any(|above| above == *passed));
        passed.filter(|passed| !below(passed)).into_iter().chain(end).collect()
    }

    /// Whether a path begins with a variable, or with a name that the module imports, so that the `use` covers it.
    fn is_told_elsewhere(&self, from: usize, mention: &Mention) -> bool {
        let (first, code) = (&mention.path[0], &self.tree.modules[from].code);
        if mention.path.len() == 1 && !mention.calls && code.variables.contains(first) {
            return true;
        }
        let imported = code.imports.iter().any(|import| import.name.as_ref() == Some(first));
        imported && self.name_in(from, first, from).module.is_none()
    }

    /// The last module in `path` before its end, and the meaning of its end.
    fn resolve(&self, from: usize, path: &[String]) -> (Option<usize>, Found) {
        let (mut found, rest) = self.beginning(from, path);
        let mut passed = None;
        for name in rest {
            let Some(module) = found.module else { break };
            passed = Some(module);
            found = self.name_in(module, name, from);
            if found.is_none() {
                // A macro has declared it there.
                found.item = passed;
            }
        }
        (passed, found)
    }

    /// The meaning of the beginning of a path, and the names after it.
    fn beginning<'p>(&self, from: usize, path: &'p [String]) -> (Found, &'p [String]) {
        let (mut module, mut rest) = match &*path[0] {
            "crate" => (Some(0), &path[1..]),
            "self" => (Some(from), &path[1..]),
            "super" => (Some(from), path),
            name => return (self.name_in(from, name, from), &path[1..]),
        };
        while let [first, behind @ ..] = rest
            && first == "super"
        {
            module = module.and_then(|module| self.tree.modules[module].parent);
            rest = behind;
        }
        (Found { module, item: None }, rest)
    }

    /// The meaning of `name` in `module`, as visible to `asker`.
    fn name_in(&self, module: usize, name: &str, asker: usize) -> Found {
        let declared = self.declared(module, name);
        let key = (module, name.to_owned());
        if !self.open.borrow_mut().insert(key.clone()) {
            return declared;
        }
        let imports = &self.tree.modules[module].code.imports;
        let visible = |import: &&Import| import.scope != Scope::Function && self.visible(import, module, asker);
        let local = |import: &&Import| import.scope == Scope::Function && asker == module;
        let found = declared
            .or(|| self.imported(module, name, imports.iter().filter(visible)))
            .or(|| self.imported(module, name, imports.iter().filter(local)));
        self.open.borrow_mut().remove(&key);
        found
    }

    fn declared(&self, module: usize, name: &str) -> Found {
        let code = &self.tree.modules[module].code;
        let here = code.items.contains(name) || code.macros.iter().any(|(declared, _)| declared == name);
        let exported = self.exported.get(name).copied().filter(|_| module == 0);
        Found { module: self.tree.child(module, name), item: here.then_some(module).or(exported) }
    }

    /// The meaning of `name` by imports of `module`. Imports of the name itself take precedence over imports of all
    /// names.
    fn imported<'i>(&self, module: usize, name: &str, imports: impl Iterator<Item = &'i Import>) -> Found {
        let (named, globs): (Vec<_>, Vec<_>) = imports
            .filter(|import| import.name.as_deref().is_none_or(|own| own == name))
            .partition(|i| i.name.is_some());
        let named = named.into_iter().fold(Found::default(), |found, i| found.or(|| self.resolve(module, &i.path).1));
        if !named.is_none() {
            return named;
        }
        globs.into_iter().fold(Found::default(), |found, import| {
            let from = self.resolve(module, &import.path).1.module.filter(|&from| from != module);
            found.or(|| from.map_or_else(Found::default, |from| self.name_in(from, name, module)))
        })
    }

    fn visible(&self, import: &Import, module: usize, asker: usize) -> bool {
        let inside = match import.scope {
            Scope::Crate => return true,
            Scope::Module | Scope::Function => module,
            Scope::Parent => self.tree.modules[module].parent.unwrap_or(module),
        };
        self.tree.upwards(asker).any(|above| above == inside)
    }
}
