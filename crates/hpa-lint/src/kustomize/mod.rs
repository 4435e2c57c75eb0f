//! Kustomize, as far as it can be understood without building: which documents are patches, and what they change.
//!
//! A patch is not an object: neither the patch itself nor its result is linted. Findings rest only on fields that a
//! patch certainly writes.

mod files;
mod kustomization;
mod patch;
mod path;
mod tree;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, OnceLock},
};

use files::Files;
pub use kustomization::{KUSTOMIZATIONS, Kustomization, is_kustomization};
use kustomization::{PatchListEntry, PatchSource};
use patch::PatchTarget;
pub use patch::{Patch, PatchFit};
pub(super) use path::folder_of;
use path::normal;
use tree::Trees;
pub(super) use tree::{Applying, TreeClass};

use hpa_objects::recording::group_of;
use kubectl_hpa_yaml::Document;

use super::{FileId, Object, ObjectRef, world::text_at, wrong_letters};

/// All kustomizations and patches of the input.
#[derive(Clone, Debug, Default)]
pub struct Kustomize {
    kustomizations: Vec<Kustomization>,
    /// The kustomizations of each folder.
    by_folder: BTreeMap<String, Vec<usize>>,
    /// Folders that a kustomization uses as a component.
    used: BTreeSet<String>,
    /// Files that are listed as patches.
    listed: BTreeSet<String>,
    /// Patches of those files.
    of_files: BTreeMap<String, Vec<Patch>>,
    /// Documents that are patches because required fields are missing.
    partial: Vec<Patch>,
    files: Files,
    /// Files with the rendered result of a kustomization, and its folder.
    rendered: BTreeMap<FileId, String>,
    /// Folders of Helm charts.
    charts: BTreeSet<String>,
    /// The files that each kustomization builds from; computed on demand.
    reach: OnceLock<FileReach>,
    /// How each file is applied; computed on demand.
    trees: OnceLock<Trees>,
}

/// Which kustomizations build from which files.
#[derive(Clone, Debug)]
struct FileReach {
    /// The files of each kustomization.
    files: Vec<BTreeSet<FileId>>,
    /// The kustomizations of each file.
    by: BTreeMap<FileId, Vec<usize>>,
}

/// A patch for an object, and the kustomization that applies it.
#[derive(Clone, Copy, Debug)]
pub struct Applied<'a> {
    /// The kustomization.
    pub kustomization: &'a Kustomization,
    /// The patch.
    pub patch: &'a Patch,
    /// Whether the patch certainly targets the object.
    pub fit: PatchFit,
    index: usize,
}

impl Kustomize {
    /// Adds a kustomization. Flux has objects of the same kind, and they can be in a file of that name.
    pub(super) fn add(&mut self, name: &str, file: FileId, document: &Document) {
        if group_of(&text_at(&document.root, "apiVersion")) == "kustomize.toolkit.fluxcd.io" {
            return;
        }
        let kustomization = Kustomization::of(folder_of(name), file, document);
        for listed in &kustomization.patches {
            if let PatchSource::File(path) = &listed.source {
                self.listed.insert(path.clone());
            }
        }
        let by_folder = self.by_folder.entry(kustomization.folder.clone());
        by_folder.or_default().push(self.kustomizations.len());
        self.used.extend(kustomization.components.iter().cloned());
        self.kustomizations.push(kustomization);
    }

    /// Whether it has no kustomization.
    pub(super) fn is_empty(&self) -> bool {
        self.kustomizations.is_empty()
    }

    /// Whether a kustomization lists this file as a patch.
    pub(super) fn lists(&self, name: &str) -> bool {
        !self.listed.is_empty() && self.listed.contains(&normal(name))
    }

    /// Adds the patches of such a file.
    pub(super) fn add_patches(&mut self, name: &str, patches: Vec<Patch>) {
        let of_file = self.of_files.entry(normal(name)).or_default();
        of_file.extend(patches);
    }

    /// Adds a document that is a patch because required fields are missing.
    pub(super) fn add_partial(&mut self, patch: Patch) {
        self.partial.push(patch);
    }

    /// Records the file's name as kustomizations reference it.
    pub(super) fn know(&mut self, name: &Arc<str>, file: FileId) {
        self.forget();
        self.files.insert(file, name, false);
    }

    /// Records that a file is a program's output for a chart or a kustomization.
    pub(super) fn know_rendered(&mut self, name: &Arc<str>, file: FileId) {
        self.forget();
        if is_kustomization(name) {
            self.rendered.insert(file, folder_of(name));
        }
        self.files.insert(file, name, true);
    }

    /// Records the folder of a chart.
    pub(super) fn know_chart(&mut self, folder: &str) {
        self.forget();
        self.charts.insert(normal(folder));
    }

    fn forget(&mut self) {
        self.reach.take();
        self.trees.take();
    }

    /// Documents that are patches because required fields are missing.
    pub(super) fn partial(&self) -> &[Patch] {
        &self.partial
    }

    /// The patches for an object of a file.
    pub fn patches_for(&self, object: &ObjectRef, group: &str) -> Vec<Applied<'_>> {
        let mut applied = Vec::new();
        for index in self.reached_by(object).iter().copied() {
            let kustomization = &self.kustomizations[index];
            for listed in &kustomization.patches {
                for patch in self.patches_of(listed) {
                    let target = listed.target.as_ref().or(patch.target.as_ref());
                    let fit = target.map_or(PatchFit::No, |target| {
                        target.fit(group, &object.kind, &object.name)
                    });
                    if fit != PatchFit::No {
                        applied.push(Applied {
                            kustomization,
                            patch,
                            fit,
                            index,
                        });
                    }
                }
            }
        }
        applied
    }

    /// Whether the kustomization that applies the patch certainly also builds the HPA.
    pub fn has_beside(&self, applied: &Applied<'_>, hpa: &ObjectRef) -> bool {
        self.builds(applied.index, hpa)
            && !self.patches_for(hpa, "autoscaling").iter().any(|other| {
                other.patch.is_deletion
                    && (other.index == applied.index
                        || self.includes(other.index, applied.kustomization))
            })
    }

    /// Whether there is a patch for an object, in any folder.
    pub fn has_patch_for(&self, group: &str, kind: &str, name: &str) -> bool {
        let mut listed = self.kustomizations.iter().flat_map(|one| &one.patches);
        listed.any(|listed| {
            self.patches_of(listed).iter().any(|patch| {
                let target = listed.target.as_ref().or(patch.target.as_ref());
                target.is_some_and(|target| target.fit(group, kind, name) != PatchFit::No)
            })
        })
    }

    /// Whether a kustomization builds from this file.
    pub(super) fn is_built(&self, file: FileId) -> bool {
        self.reach().by.contains_key(&file)
    }

    /// Whether `kubectl apply -f` of a folder applies both files: they are in the same folder, which no kustomization
    /// builds.
    pub fn are_applied_together(&self, one: FileId, other: FileId) -> bool {
        one != other
            && self.are_in_one_folder(one, other)
            && self
                .folder(one)
                .is_some_and(|folder| !self.has_kustomization(folder))
    }

    /// The folders whose build result is not checked although it can differ from the files in ways that matter to HPAs.
    pub(super) fn not_checked(&self, linted: &BTreeSet<FileId>) -> BTreeSet<&str> {
        let kustomizations = self.kustomizations.iter().zip(&self.reach().files);
        kustomizations
            .filter(|(one, files)| {
                // It is built as part of its users.
                if one.is_component && self.is_used(one) {
                    return false;
                }
                let has_linted = linted.is_empty() || !linted.is_disjoint(files);
                let mut patches = one.patches.iter();
                patches.any(|listed| self.matters(listed, has_linted))
                    || has_linted && (one.has_more || !one.components.is_empty())
            })
            .map(|(one, _)| &*one.folder)
            .collect()
    }

    /// Whether the patches of an entry can change findings about HPAs.
    fn matters(&self, listed: &PatchListEntry, has_linted: bool) -> bool {
        let patches = self.patches_of(listed);
        // A file outside the input can contain anything.
        if patches.is_empty() {
            return has_linted;
        }
        patches.iter().any(|patch| {
            let target = listed.target.as_ref().or(patch.target.as_ref());
            match target.and_then(PatchTarget::kind) {
                Some(HPA | "ScaledObject") => true,
                None => has_linted,
                Some(_) => {
                    has_linted
                        && (patch.is_deletion || patch.replicas().is_some() || patch.changes_pods())
                }
            }
        })
    }

    fn patches_of<'a>(&'a self, listed: &'a PatchListEntry) -> &'a [Patch] {
        match &listed.source {
            PatchSource::Here(patches) => patches,
            PatchSource::File(path) => self.of_files.get(path).map_or(&[], Vec::as_slice),
        }
    }

    /// Whether a kustomization builds an object.
    fn builds(&self, index: usize, object: &ObjectRef) -> bool {
        self.reached_by(object).binary_search(&index).is_ok()
    }

    /// The kustomizations that build an object, in rising order; components through their users too.
    fn reached_by(&self, object: &ObjectRef) -> &[usize] {
        let by = object
            .origin
            .and_then(|origin| self.reach().by.get(&origin.file));
        by.map_or(&[], Vec::as_slice)
    }

    /// Whether a kustomization includes another one.
    fn includes(&self, index: usize, other: &Kustomization) -> bool {
        let mut seen = BTreeSet::new();
        self.paths(index, &mut seen);
        seen.contains(&*other.folder)
    }

    /// Collects the files and folders that a kustomization builds from.
    fn paths<'a>(&'a self, index: usize, seen: &mut BTreeSet<&'a str>) {
        let one = &self.kustomizations[index];
        for path in one.resources.iter().chain(&one.components) {
            if seen.insert(path) {
                for (index, _) in self.in_folder(path) {
                    self.paths(index, seen);
                }
            }
        }
    }

    fn is_used(&self, component: &Kustomization) -> bool {
        self.used.contains(&component.folder)
    }

    /// Whether two files are in one folder.
    pub fn are_in_one_folder(&self, one: FileId, other: FileId) -> bool {
        self.folder(one) == self.folder(other)
    }

    /// The folder of a file.
    pub(super) fn folder(&self, file: FileId) -> Option<&str> {
        self.files.folder(file)
    }

    fn in_folder(&self, folder: &str) -> impl Iterator<Item = (usize, &Kustomization)> {
        let indices = self.by_folder.get(folder).into_iter().flatten();
        indices.map(|index| (*index, &self.kustomizations[*index]))
    }

    fn has_kustomization(&self, folder: &str) -> bool {
        self.by_folder.contains_key(folder)
    }

    fn reach(&self) -> &FileReach {
        self.reach.get_or_init(|| {
            let own = self.own_files();
            let kustomizations = self.kustomizations.iter().zip(&own);
            let files: Vec<BTreeSet<FileId>> = kustomizations
                .map(|(one, files)| {
                    let mut files = files.clone();
                    if one.is_component {
                        let users = (0..)
                            .zip(&own)
                            .filter(|(user, _)| self.includes(*user, one));
                        files.extend(users.flat_map(|(_, files)| files));
                    }
                    files
                })
                .collect();
            let mut by: BTreeMap<FileId, Vec<usize>> = BTreeMap::new();
            for (index, files) in files.iter().enumerate() {
                for file in files {
                    by.entry(*file).or_default().push(index);
                }
            }
            FileReach { files, by }
        })
    }

    /// The files that each kustomization names, itself or through those that it includes.
    fn own_files(&self) -> Vec<BTreeSet<FileId>> {
        (0..self.kustomizations.len())
            .map(|index| {
                let mut paths = BTreeSet::new();
                self.paths(index, &mut paths);
                let files = paths.iter().filter_map(|path| self.files.named(path));
                files.collect()
            })
            .collect()
    }
}

/// The document as a patch, if required fields are missing: an HPA or ScaledObject in a file that does not name its
/// scale target.
pub(super) fn partial(object: &Object) -> Option<Patch> {
    let is_scaler = matches!(
        (object.group(), &*object.kind),
        ("autoscaling", HPA) | ("keda.sh", "ScaledObject")
    );
    if !is_scaler || object.origin.is_none() || object.node.at("spec.scaleTargetRef").is_some() {
        return None;
    }
    let mut entries = object.node.at("spec")?.entries().iter();
    // A misspelled field is a mistake, not a patch.
    let is_misspelled = entries.len() == 0
        || entries.any(|entry| {
            let key = entry.key.to_lowercase();
            key.contains("targetref")
                || key == "scaletarget"
                || wrong_letters(&key, "scaletargetref") <= 3
        });
    (!is_misspelled && !object.name().is_empty())
        .then(|| Patch::of(&object.node, object.reference(), ""))
}

const HPA: &str = "HorizontalPodAutoscaler";
