//! The modules of a crate, found by following `mod` from the file of its root.

use super::attributes::for_tests;
use super::code::Code;
use super::tokens::plain;
use crate::{Error, Result};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use syn::{Item, ItemMod, Meta};

/// The modules of a crate; the root is the first.
#[derive(Debug)]
pub(super) struct Tree {
    pub modules: Vec<Module>,
}

#[derive(Debug)]
pub(super) struct Module {
    pub name: String,
    pub parent: Option<usize>,
    pub children: Vec<usize>,
    /// The file that contains the module.
    pub file: Rc<Path>,
    pub code: Code,
}

/// Reads a file; tests have files in memory.
pub(super) type Read<'a> = &'a dyn Fn(&Path) -> io::Result<String>;

/// The folder in which the files of a module's children are.
struct Home {
    /// The folder of the file, relative to which `#[path]` is resolved.
    beside: PathBuf,
    children: PathBuf,
}

impl Tree {
    /// Reads the crate whose root is the file `root`. Modules for tests are left out.
    pub(super) fn read(root: &Path, read: Read<'_>) -> Result<Self> {
        let mut tree = Self { modules: Vec::new() };
        let file = plain_path(root);
        tree.add("crate", None, &file);
        let folder = parent_of(&file);
        let text = read(&file).map_err(crate::file_error(&file))?;
        let home = Home { beside: folder.clone(), children: folder };
        tree.read_file(0, file.into(), &text, &home, read)?;
        Ok(tree)
    }

    /// `module` and those above it, the root last.
    pub(super) fn upwards(&self, module: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(module), |&module| self.modules[module].parent)
    }

    pub(super) fn child(&self, module: usize, name: &str) -> Option<usize> {
        self.modules[module].children.iter().copied().find(|&child| self.modules[child].name == name)
    }

    /// The path of a module without the crate, such as `plan::redirect`.
    pub(super) fn path(&self, module: usize) -> String {
        let mut names: Vec<&str> = self.upwards(module).map(|module| &*self.modules[module].name).collect();
        names.pop();
        names.reverse();
        names.join("::")
    }

    /// Adds a child and returns it; returns the existing one if the module is declared several times, for several
    /// `cfg`.
    fn add(&mut self, name: &str, parent: Option<usize>, file: &Path) -> usize {
        if let Some(known) = parent.and_then(|parent| self.child(parent, name)) {
            return known;
        }
        let new = self.modules.len();
        let file = file.into();
        self.modules.push(Module { name: name.into(), parent, children: Vec::new(), file, code: Code::default() });
        if let Some(parent) = parent {
            self.modules[parent].children.push(new);
        }
        new
    }

    fn read_file(&mut self, module: usize, file: Rc<Path>, text: &str, home: &Home, read: Read<'_>) -> Result<()> {
        let parsed = syn::parse_file(text).map_err(|cause| {
            let (path, line) = (file.display().to_string(), cause.span().start().line);
            Error::Syntax { path, line, cause }
        })?;
        if for_tests(&parsed.attrs) {
            return Ok(());
        }
        self.read_items(module, &parsed.items, &file, home, read)
    }

    fn read_items(
        &mut self,
        module: usize,
        items: &[Item],
        file: &Rc<Path>,
        home: &Home,
        read: Read<'_>,
    ) -> Result<()> {
        for item in items {
            match item {
                Item::Mod(child) if for_tests(&child.attrs) || child.ident == "tests" => (),
                Item::Mod(child) => self.read_child(module, child, file, home, read)?,
                item => self.modules[module].code.add(item, file),
            }
        }
        Ok(())
    }

    fn read_child(
        &mut self,
        parent: usize,
        child: &ItemMod,
        file: &Rc<Path>,
        home: &Home,
        read: Read<'_>,
    ) -> Result<()> {
        let name = plain(&child.ident);
        let named = path_attribute(child);
        if let Some((_, items)) = &child.content {
            let folder = home.children.join(named.as_deref().unwrap_or(&name));
            let module = self.add(&name, Some(parent), file);
            let home = Home { beside: folder.clone(), children: folder };
            return self.read_items(module, items, file, &home, read);
        }
        let (file, text, home) = match named {
            Some(path) => {
                let file = plain_path(&home.beside.join(path));
                let text = read(&file).map_err(crate::file_error(&file))?;
                let folder = parent_of(&file);
                (file, text, Home { beside: folder.clone(), children: folder })
            }
            None => {
                let (flat, folder) = (home.children.join(format!("{name}.rs")), home.children.join(&name));
                let (file, text) = match read(&flat) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {
                        let nested = folder.join("mod.rs");
                        // Neither file exists: the error names the usual one.
                        let text = read(&nested).map_err(|_| crate::file_error(&flat)(error))?;
                        (nested, text)
                    }
                    text => (flat.clone(), text.map_err(crate::file_error(&flat))?),
                };
                let beside = parent_of(&file);
                (file, text, Home { beside, children: folder })
            }
        };
        let module = self.add(&name, Some(parent), &file);
        self.read_file(module, file.into(), &text, &home, read)
    }
}

/// The file in `#[path = "…"]`.
fn path_attribute(module: &ItemMod) -> Option<String> {
    module.attrs.iter().find_map(|attr| match &attr.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    })
}

fn parent_of(file: &Path) -> PathBuf {
    file.parent().map(Path::to_owned).unwrap_or_default()
}

/// The path with `folder/..` removed.
pub(super) fn plain_path(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => (),
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}
