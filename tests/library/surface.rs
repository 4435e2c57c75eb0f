//! The public items of modules, read from the source: everything that can be named, with fields, variants, methods and
//! traits.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use syn::{Attribute, File, Item, UseTree, Visibility};

use crate::declared::{Declared, implemented};

/// The surface of these modules of the crate, one item per line, sorted.
pub(crate) fn of(modules: &[&str]) -> Vec<String> {
    let mut lines = BTreeSet::new();
    for name in modules {
        let module = Module::of_crate(name);
        let mut items = Vec::new();
        module.collect(&mut items);
        let types: Vec<&Declared> = items.iter().filter(|item| item.is_type()).collect();
        for item in &items {
            lines.extend(item.lines());
        }
        for file in files_of(name) {
            lines.extend(implemented(&read(&file), &types));
        }
    }
    lines.into_iter().collect()
}

/// The crate's public and documented modules, in order.
pub(crate) fn modules_of_the_crate() -> Vec<String> {
    read(&source().join("lib.rs"))
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Mod(module) if is_displayed(&module.vis, &module.attrs) => {
                Some(module.ident.to_string())
            }
            _ => None,
        })
        .collect()
}

/// A module with its source.
struct Module {
    /// Path from the root of the crate, such as `model::quantity`.
    path: String,
    /// The folder of its child modules.
    folder: PathBuf,
    file: File,
}

impl Module {
    fn of_crate(name: &str) -> Self {
        Self::at(name.to_owned(), &source(), name)
    }

    /// The module `name` whose file is in `parent`.
    fn at(path: String, parent: &Path, name: &str) -> Self {
        let folder = parent.join(name);
        let as_folder = folder.join("mod.rs");
        let file = if as_folder.exists() {
            as_folder
        } else {
            parent.join(format!("{name}.rs"))
        };
        Self {
            path,
            folder,
            file: read(&file),
        }
    }

    fn child(&self, name: &str) -> Self {
        Self::at(format!("{}::{name}", self.path), &self.folder, name)
    }

    fn has_child(&self, name: &str) -> bool {
        self.file
            .items
            .iter()
            .any(|item| matches!(item, Item::Mod(module) if module.ident == name))
    }

    /// Collects everything that can be named through this module.
    fn collect(&self, items: &mut Vec<Declared>) {
        for item in &self.file.items {
            match item {
                Item::Mod(module) if is_displayed(&module.vis, &module.attrs) => {
                    self.child(&module.ident.to_string()).collect(items);
                }
                Item::Use(reexport) if is_displayed(&reexport.vis, &reexport.attrs) => {
                    for names in leaves(&reexport.tree) {
                        items.extend(self.find(&names).map(|found| found.named(&self.path)));
                    }
                }
                _ => items.extend(Declared::public(item, &self.path)),
            }
        }
    }

    /// The item of a `use` path, through other re-exports. `None` if it is in a public module, which lists it.
    fn find(&self, names: &[String]) -> Option<Declared> {
        let [name] = names else {
            let (first, rest) = names.split_first().expect("a path has names");
            assert!(self.has_child(first), "{}: {first} is no module", self.path);
            let is_public = self.file.items.iter().any(|item| {
                matches!(item, Item::Mod(module)
                    if module.ident == first && is_displayed(&module.vis, &module.attrs))
            });
            return if is_public {
                None
            } else {
                self.child(first).find(rest)
            };
        };
        for item in &self.file.items {
            if let Some(found) = Declared::any(item, &self.path).filter(|found| found.name == *name)
            {
                return Some(found);
            }
            if let Item::Use(reexport) = item
                && let Some(names) = leaves(&reexport.tree)
                    .into_iter()
                    .find(|names| 1 < names.len() && names.last() == Some(name))
                && self.has_child(&names[0])
            {
                return self.child(&names[0]).find(&names[1..]);
            }
        }
        panic!("{}: {name} is nowhere", self.path)
    }
}

/// The paths that a `use` tree names.
fn leaves(tree: &UseTree) -> Vec<Vec<String>> {
    match tree {
        UseTree::Path(path) => leaves(&path.tree)
            .into_iter()
            .map(|mut names| {
                names.insert(0, path.ident.to_string());
                names
            })
            .collect(),
        UseTree::Name(name) => vec![vec![name.ident.to_string()]],
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
        UseTree::Rename(_) | UseTree::Glob(_) => {
            panic!("the library re-exports by name, so that its surface can be read")
        }
    }
}

/// Whether an item is public and documented.
fn is_displayed(visibility: &Visibility, attributes: &[Attribute]) -> bool {
    matches!(visibility, Visibility::Public(_)) && !is_hidden(attributes)
}

/// Whether it is marked as hidden, or exists only in tests.
pub(crate) fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = quote::quote!(#attribute).to_string();
        text.contains("doc (hidden)") || text.contains("cfg (test)")
    })
}

/// All source files of a module and its child modules.
fn files_of(module: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![source().join(module)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the source") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

fn read(path: &Path) -> File {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/hpa-engine/src")
}
