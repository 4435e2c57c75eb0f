//! Which files are applied together.
//!
//! A kustomization's list decides what it applies. Two files that different kustomizations build, or different charts,
//! are alternatives, unless one kustomization includes both. A file next to a kustomization that does not list it is
//! applied with none of the files that are listed. About all others nothing is known, so they may be applied together.

use std::collections::{BTreeMap, BTreeSet};

use super::{Kustomization, Kustomize, PatchFit, patch::PatchTarget};
use crate::lint::{FileId, ObjectRef};

/// How each file is applied. A file that is not here is by itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Trees {
    of_file: BTreeMap<FileId, Tree>,
    /// Patches that delete an object, each with its kustomization and all that include that one.
    deletions: Vec<(BTreeSet<usize>, PatchTarget)>,
}

/// How a file is applied.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tree {
    /// By these kustomizations, in rising order.
    Built(Vec<usize>),
    /// As the rendered result of the kustomization in this folder.
    Rendered(String),
    /// As part of the chart in this folder.
    Chart(String),
    /// Not at all: a kustomization in its folder, or above it, does not list it.
    LeftOut,
}

/// What [`Kustomize::are_apart`] and [`Kustomize::unites_namespaces`] depend on: objects for which it is equal have equal
/// answers for any other object, and are not apart unless they are deleted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::lint) struct Applying {
    tree: Option<Tree>,
    /// The kustomizations of the tree that delete the object.
    deleted_by: Vec<usize>,
}

impl Kustomize {
    /// How an object is applied.
    pub(in crate::lint) fn applying(&self, object: &ObjectRef) -> Applying {
        let trees = self.trees();
        let tree = object
            .origin
            .and_then(|origin| trees.of_file.get(&origin.file));
        let builders = self.builders(object).iter().copied();
        Applying {
            tree: tree.cloned(),
            deleted_by: builders
                .filter(|index| trees.deletes(*index, object))
                .collect(),
        }
    }

    /// Whether two objects are never applied together.
    pub fn are_apart(&self, one: &ObjectRef, other: &ObjectRef) -> bool {
        let (Some(one_origin), Some(other_origin)) = (one.origin, other.origin) else {
            return false;
        };
        let trees = self.trees();
        if one_origin.file == other_origin.file && trees.deletions.is_empty() {
            return false;
        }
        let tree = |file| trees.of_file.get(&file);
        match (tree(one_origin.file), tree(other_origin.file)) {
            (Some(Tree::Built(by_one)), Some(Tree::Built(by_other))) => {
                let mut shared = by_one.iter().filter(|index| by_other.contains(index));
                !shared.any(|index| !trees.deletes(*index, one) && !trees.deletes(*index, other))
            }
            (None, _)
            | (_, None)
            | (Some(Tree::LeftOut), Some(Tree::Chart(_)))
            | (Some(Tree::Chart(_)), Some(Tree::LeftOut)) => false,
            (Some(one), Some(other)) => one != other,
        }
    }

    /// Whether a kustomization in its folder, or above it, does not list the file of an object.
    pub fn leaves_out(&self, object: &ObjectRef) -> bool {
        let tree = object
            .origin
            .and_then(|origin| self.trees().of_file.get(&origin.file));
        tree == Some(&Tree::LeftOut)
    }

    /// Whether a kustomization sets one namespace for two objects, whatever their files say.
    pub fn unites_namespaces(&self, one: &ObjectRef, other: &ObjectRef) -> bool {
        let mut shared = self
            .builders(one)
            .iter()
            .filter(|index| self.builders(other).contains(index));
        shared.any(|index| self.kustomizations[*index].sets_namespace)
    }

    /// Whether a kustomization builds the files of both.
    pub fn are_built_together(&self, one: &ObjectRef, other: &ObjectRef) -> bool {
        let mut builders = self.builders(one).iter();
        builders.any(|index| self.builders(other).contains(index))
    }

    /// The names that an object in the files may have if a kustomization that also builds `beside` adds a prefix or a
    /// suffix and the result is `name`.
    pub fn names_before(&self, beside: &ObjectRef, name: &str) -> BTreeSet<String> {
        let mut names = BTreeSet::from([name.to_owned()]);
        let builders = self.builders(beside);
        let is_part = |(index, one): &(usize, &Kustomization)| {
            let mut builders = builders.iter();
            !(one.name_prefix.is_empty() && one.name_suffix.is_empty())
                && builders.any(|builder| builder == index || self.includes(*builder, one))
        };
        for (_, one) in self.kustomizations.iter().enumerate().filter(is_part) {
            let shorter = |name: &String| {
                let name = name.strip_prefix(&*one.name_prefix)?;
                name.strip_suffix(&*one.name_suffix).map(str::to_owned)
            };
            names.extend(names.iter().filter_map(shorter).collect::<Vec<_>>());
        }
        names.remove(name);
        names
    }

    /// What a kustomization that builds an object also builds, and the input does not have.
    pub fn unread_part(&self, object: &ObjectRef) -> Option<(&str, &str)> {
        let mut kustomizations = self
            .builders(object)
            .iter()
            .map(|index| &self.kustomizations[*index]);
        kustomizations.find_map(|one| {
            let mut paths = one.resources.iter().chain(&one.components);
            let is_unread = |path: &&String| {
                !self.files.contains_key(*path) && self.in_folder(path).next().is_none()
            };
            let unread = paths.find(is_unread).map(String::as_str);
            let unread = unread.or_else(|| one.has_more.then_some("generated objects"))?;
            Some((&*one.folder, unread))
        })
    }

    /// Steps from one object's file to the other's: none within a file, one within a folder.
    pub fn distance(&self, one: &ObjectRef, other: &ObjectRef) -> usize {
        let (Some(one), Some(other)) = (one.origin, other.origin) else {
            return 0;
        };
        if one.file == other.file {
            return 0;
        }
        let folder = |file| self.folders.get(&file).map_or(".", String::as_str);
        let steps = |file| folder(file).split('/').filter(|step| *step != ".");
        let shared = steps(one.file)
            .zip(steps(other.file))
            .take_while(|(one, other)| one == other);
        let shared = shared.count();
        1 + steps(one.file).count() + steps(other.file).count() - 2 * shared
    }

    /// The kustomizations that build the file of an object.
    fn builders(&self, object: &ObjectRef) -> &[usize] {
        let tree = object
            .origin
            .and_then(|origin| self.trees().of_file.get(&origin.file));
        match tree {
            Some(Tree::Built(by)) => by,
            _ => &[],
        }
    }

    fn trees(&self) -> &Trees {
        self.trees.get_or_init(|| self.grow())
    }

    fn grow(&self) -> Trees {
        let mut built: BTreeMap<FileId, Vec<usize>> = BTreeMap::new();
        for (index, (one, files)) in self.kustomizations.iter().zip(self.own_files()).enumerate() {
            // A component has no build of its own, unless its users are not in the input.
            if !one.is_component || !self.is_used(one) {
                for file in files {
                    built.entry(file).or_default().push(index);
                }
            }
        }
        let with_list: BTreeSet<&str> = self
            .kustomizations
            .iter()
            .map(|one| &*one.folder)
            .chain(self.rendered.values().map(String::as_str))
            .collect();
        let files = self.folders.iter().filter_map(|(file, folder)| {
            let tree = if let Some(folder) = self.rendered.get(file) {
                Tree::Rendered(folder.clone())
            } else if let Some(by) = built.remove(file) {
                Tree::Built(by)
            } else if let Some(chart) = self.chart_with(folder) {
                Tree::Chart(chart.to_owned())
            } else if with_list.iter().any(|listing| is_below(folder, listing)) {
                Tree::LeftOut
            } else {
                return None;
            };
            Some((*file, tree))
        });
        Trees {
            of_file: files.collect(),
            deletions: self.deletions(),
        }
    }

    /// The outermost chart that a folder is part of.
    fn chart_with(&self, folder: &str) -> Option<&str> {
        let charts = || self.charts.iter().filter(|chart| is_below(folder, chart));
        let is_part = |chart: &str| {
            charts().any(|other| {
                let rest = chart.strip_prefix(&**other);
                let is_at_root = other == "." && chart.starts_with("charts/");
                is_at_root || rest.is_some_and(|rest| rest.starts_with("/charts/"))
            })
        };
        charts().find(|chart| !is_part(chart)).map(String::as_str)
    }

    fn deletions(&self) -> Vec<(BTreeSet<usize>, PatchTarget)> {
        let mut deletions = Vec::new();
        for (index, one) in self.kustomizations.iter().enumerate() {
            for listed in &one.patches {
                let patches = self
                    .patches_of(listed)
                    .iter()
                    .filter(|patch| patch.is_deletion);
                for patch in patches {
                    let including = (0..self.kustomizations.len())
                        .filter(|other| *other == index || self.includes(*other, one));
                    let target = listed.target.as_ref().or(patch.target.as_ref());
                    deletions.extend(target.map(|target| (including.collect(), target.clone())));
                }
            }
        }
        deletions
    }
}

impl Trees {
    /// Whether a kustomization deletes an object, as far as that can be known.
    fn deletes(&self, index: usize, object: &ObjectRef) -> bool {
        let mut deletions = self.deletions.iter();
        deletions.any(|(by, target)| {
            by.contains(&index)
                && target.fit_of_any_group(&object.kind, &object.name) != PatchFit::No
        })
    }
}

/// Whether a folder is another one or is below it.
fn is_below(folder: &str, other: &str) -> bool {
    other == "." && !folder.starts_with("..") && !folder.starts_with('/')
        || folder
            .strip_prefix(other)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || other == "/")
}
