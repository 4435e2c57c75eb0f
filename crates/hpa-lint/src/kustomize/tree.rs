//! Which files are applied together.
//!
//! A kustomization's list decides what it applies. Two files that different kustomizations build, or different charts,
//! are alternatives, unless one kustomization includes both. A file next to a kustomization that does not list it is
//! applied with none of the files that are listed. About all others nothing is known, so they may be applied together.

use std::collections::{BTreeMap, BTreeSet};

use super::{Kustomization, Kustomize, PatchFit, patch::PatchTarget};
use crate::{FileId, ObjectRef};

/// How each file is applied. A file that is not here is by itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Trees {
    of_file: BTreeMap<FileId, Tree>,
    classes: TreeClasses,
    /// What each kustomization deletes.
    deletions: BTreeMap<usize, Vec<PatchTarget>>,
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
pub(crate) struct Applying {
    tree: Option<Tree>,
    /// The kustomizations of the tree that delete the object.
    deleted_by: Vec<usize>,
}

impl Kustomize {
    /// How an object is applied.
    pub(crate) fn applying(&self, object: &ObjectRef) -> Applying {
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

    /// The class of the way in which an object is applied.
    pub(crate) fn class(&self, object: &ObjectRef) -> TreeClass {
        let classes = &self.trees().classes.of_file;
        let class = object.origin.and_then(|origin| classes.get(&origin.file));
        class.copied().unwrap_or_default()
    }

    /// The classes that are not apart from that of an object: objects of all others are. None: all.
    pub(crate) fn classes_beside(&self, object: &ObjectRef) -> Option<&[TreeClass]> {
        let together = &self.trees().classes.together;
        Some(together.get(&self.class(object))?)
    }

    /// Whether a kustomization that builds an object sets one namespace for all that it builds.
    pub(crate) fn may_unite_namespaces(&self, object: &ObjectRef) -> bool {
        let mut builders = self.builders(object).iter();
        builders.any(|index| self.kustomizations[*index].sets_namespace)
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
            (Some(Tree::Built(by_one)), Some(Tree::Built(by_other))) => !shared(by_one, by_other)
                .any(|index| !trees.deletes(index, one) && !trees.deletes(index, other)),
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
        shared(self.builders(one), self.builders(other))
            .any(|index| self.kustomizations[index].sets_namespace)
    }

    /// Whether a kustomization builds the files of both.
    pub fn are_built_together(&self, one: &ObjectRef, other: &ObjectRef) -> bool {
        shared(self.builders(one), self.builders(other))
            .next()
            .is_some()
    }

    /// The names that an object in the files may have if a kustomization that also builds `beside` adds a prefix or a
    /// suffix and the result is `name`.
    pub fn names_before(&self, beside: &ObjectRef, name: &str) -> BTreeSet<String> {
        let mut names = BTreeSet::from([name.to_owned()]);
        let builders = self.builders(beside);
        let mut included = BTreeSet::new();
        for builder in builders {
            self.paths(*builder, &mut included);
        }
        let is_part = |(index, one): &(usize, &Kustomization)| {
            !(one.name_prefix.is_empty() && one.name_suffix.is_empty())
                && (builders.binary_search(index).is_ok() || included.contains(&*one.folder))
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
                self.files.named(path).is_none() && self.in_folder(path).next().is_none()
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
        let mut shared = 0;
        let (mut steps_of_one, mut steps_of_other) = (0, 0);
        let mut is_shared = true;
        let (mut of_one, mut of_other) = (self.steps(one.file), self.steps(other.file));
        loop {
            let (step, other_step) = (of_one.next(), of_other.next());
            if step.is_none() && other_step.is_none() {
                return 1 + steps_of_one + steps_of_other - 2 * shared;
            }
            is_shared &= step == other_step;
            shared += usize::from(is_shared);
            steps_of_one += usize::from(step.is_some());
            steps_of_other += usize::from(other_step.is_some());
        }
    }

    /// The folder of a file and all above it, the uppermost first, each with a slash at the end. The first of all is
    /// empty.
    pub(crate) fn folders_above(&self, file: FileId) -> Vec<String> {
        let mut folders = vec![String::new()];
        for step in self.steps(file) {
            let above = folders.last().map_or("", String::as_str);
            folders.push(format!("{above}{step}/"));
        }
        folders
    }

    fn steps(&self, file: FileId) -> impl Iterator<Item = &str> {
        let folder = self.folder(file).unwrap_or(".");
        folder.split('/').filter(|step| *step != ".")
    }

    /// Whether a patch deletes an object, so that objects of one file can be apart.
    pub(crate) fn has_deletions(&self) -> bool {
        !self.trees().deletions.is_empty()
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
        let files = self.files.folders().filter_map(|(file, folder)| {
            let tree = if let Some(folder) = self.rendered.get(&file) {
                Tree::Rendered(folder.clone())
            } else if let Some(by) = built.remove(&file) {
                Tree::Built(by)
            } else if let Some(chart) = self.chart_with(folder) {
                Tree::Chart(chart.to_owned())
            } else if with_list.iter().any(|listing| is_below(folder, listing)) {
                Tree::LeftOut
            } else {
                return None;
            };
            Some((file, tree))
        });
        let of_file: BTreeMap<FileId, Tree> = files.collect();
        Trees {
            classes: TreeClasses::of(&of_file),
            of_file,
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

    /// What each kustomization deletes, itself or through those that it includes.
    fn deletions(&self) -> BTreeMap<usize, Vec<PatchTarget>> {
        let mut including: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        let mut deletions: BTreeMap<usize, Vec<PatchTarget>> = BTreeMap::new();
        for (index, one) in self.kustomizations.iter().enumerate() {
            for listed in &one.patches {
                let patches = self.patches_of(listed).iter();
                for patch in patches.filter(|patch| patch.is_deletion) {
                    let Some(target) = listed.target.as_ref().or(patch.target.as_ref()) else {
                        continue;
                    };
                    if including.is_empty() {
                        including = self.including();
                    }
                    let including = including.get(&*one.folder).into_iter().flatten();
                    let by: BTreeSet<usize> = including.copied().chain([index]).collect();
                    for by in by {
                        deletions.entry(by).or_default().push(target.clone());
                    }
                }
            }
        }
        deletions
    }

    /// The kustomizations that include each folder.
    fn including(&self) -> BTreeMap<&str, BTreeSet<usize>> {
        let mut including: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for index in 0..self.kustomizations.len() {
            let mut paths = BTreeSet::new();
            self.paths(index, &mut paths);
            for path in paths
                .into_iter()
                .filter(|path| self.has_kustomization(path))
            {
                including.entry(path).or_default().insert(index);
            }
        }
        including
    }
}

/// The ways in which files are applied, each with a number.
#[derive(Clone, Debug, Default)]
struct TreeClasses {
    of_file: BTreeMap<FileId, TreeClass>,
    /// Of each class: those whose files may be applied together with its files. Not of a class that goes with all.
    together: BTreeMap<TreeClass, Vec<TreeClass>>,
}

/// A way in which files are applied: files of one class are never apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TreeClass(usize);

impl TreeClasses {
    fn of(files: &BTreeMap<FileId, Tree>) -> Self {
        let mut classes: BTreeMap<&Tree, TreeClass> = BTreeMap::new();
        let mut of_file = BTreeMap::new();
        for (file, tree) in files {
            let next = TreeClass(classes.len() + 1);
            of_file.insert(*file, *classes.entry(tree).or_insert(next));
        }
        let mut built_by: BTreeMap<usize, Vec<TreeClass>> = BTreeMap::new();
        for (tree, class) in &classes {
            if let Tree::Built(by) = tree {
                for index in by {
                    built_by.entry(*index).or_default().push(*class);
                }
            }
        }
        let left_out = classes.get(&Tree::LeftOut).copied();
        let charts = || {
            classes
                .iter()
                .filter(|(tree, _)| matches!(tree, Tree::Chart(_)))
        };
        let together = classes.iter().map(|(tree, class)| {
            let mut together = vec![TreeClass::default(), *class];
            match tree {
                Tree::Built(by) => together.extend(by.iter().flat_map(|index| &built_by[index])),
                Tree::Chart(_) => together.extend(left_out),
                Tree::LeftOut => together.extend(charts().map(|(_, class)| *class)),
                Tree::Rendered(_) => {}
            }
            together.sort_unstable();
            together.dedup();
            (*class, together)
        });
        Self {
            together: together.collect(),
            of_file,
        }
    }
}

impl Trees {
    /// Whether a kustomization deletes an object, as far as that can be known.
    fn deletes(&self, index: usize, object: &ObjectRef) -> bool {
        let mut deletions = self.deletions.get(&index).into_iter().flatten();
        deletions.any(|target| target.fit_of_any_group(&object.kind, &object.name) != PatchFit::No)
    }
}

/// The numbers of two lists in rising order that are in both.
fn shared<'a>(one: &'a [usize], other: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
    let (shorter, longer) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let is_in_both = |index: &&usize| longer.binary_search(index).is_ok();
    shorter.iter().filter(is_in_both).copied()
}

/// Whether a folder is another one or is below it.
fn is_below(folder: &str, other: &str) -> bool {
    other == "." && !folder.starts_with("..") && !folder.starts_with('/')
        || folder
            .strip_prefix(other)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || other == "/")
}
