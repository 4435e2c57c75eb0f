//! HPAs of one target, and documents of one HPA. Each HPA asks for them, so they are collected once.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock},
};

use super::{TargetingHpa, scopes::Scopes};
use crate::{FileId, ObjectRef, kustomize::Applying};

/// Group, kind and name of a target.
type TargetName = (String, String, String);

/// Objects of one namespace of which one answers for all what they belong together with: by the place of the target that
/// they mean, and the way they are applied. Sorted, because many thousands of scopes have one object each.
pub(super) type Alike = Vec<AlikePlaces>;

/// The target and the applying trees of some objects, and their places.
pub(super) type AlikePlaces = ((Option<usize>, Applying), Vec<usize>);

/// The objects that name each target, if they are more than a [`FEW`].
pub(super) type ByTarget = BTreeMap<TargetName, Scopes<Alike>>;

/// What decides which objects of a target count for another one: its namespace, the way it is applied, and the target.
pub(super) type Asking = (TargetName, String, Applying, Option<ObjectRef>);

/// The HPAs of each target, and the last documents of each HPA; computed on demand.
#[derive(Debug, Default)]
pub(super) struct TargetGroups {
    pub(super) by_target: OnceLock<ByTarget>,
    pub(super) groups: Mutex<BTreeMap<Asking, Arc<TargetGroup>>>,
    pub(super) last_documents: OnceLock<LastDocuments>,
}

/// The last document of each HPA in each file and in each folder, by namespace and name, if a name has more than a
/// [`FEW`].
#[derive(Debug, Default)]
pub(super) struct LastDocuments {
    pub(super) of_files: BTreeMap<(String, String, FileId), usize>,
    pub(super) of_folders: BTreeMap<(String, String, String), usize>,
}

impl Clone for TargetGroups {
    /// The copy computes them again.
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The HPAs that may scale one target, as seen from one object.
#[derive(Debug, Default)]
pub struct TargetGroup {
    /// The first of each name, sorted by name; as places in the world.
    hpas: Vec<usize>,
    /// The highest `minReplicas` of all manifests.
    most_min: Option<i32>,
    /// Number of HPAs whose manifest names the namespace.
    with_namespace: usize,
    of_files: BTreeMap<Option<FileId>, usize>,
    /// For each HPA: the highest `minReplicas` of the valid ranges up to it.
    most_min_until: Vec<i32>,
    /// For each HPA: the lowest `maxReplicas` of the valid ranges up to it.
    least_max_until: Vec<i32>,
}

impl TargetGroup {
    /// Number of HPAs, each name once.
    pub fn count(&self) -> usize {
        self.hpas.len()
    }

    /// The HPAs, sorted by name.
    pub fn hpas<'a>(&self, all: &'a [TargetingHpa]) -> impl Iterator<Item = &'a TargetingHpa> {
        self.hpas.iter().map(|place| &all[*place])
    }

    /// The first HPA of another name whose valid range has no number in common with this one.
    pub fn disjoint<'a>(
        &self,
        all: &'a [TargetingHpa],
        own: &str,
        (min, max): (i32, i32),
    ) -> Option<&'a TargetingHpa> {
        if max < min {
            return None;
        }
        let above = self.most_min_until.partition_point(|most| *most <= max);
        let below = self.least_max_until.partition_point(|least| min <= *least);
        let candidates = self.hpas.get(above.min(below)..)?.iter();
        candidates.map(|place| &all[*place]).find(|other| {
            other.object.name != own
                && has_valid_range(other)
                && (max < other.min_replicas || other.max_replicas < min)
        })
    }

    /// Whether an HPA of another name names its namespace.
    pub fn has_other_with_namespace(&self, all: &[TargetingHpa], own: &str) -> bool {
        let own = self.called(all, own);
        let own = own.filter(|own| !own.object.namespace.is_empty());
        usize::from(own.is_some()) < self.with_namespace
    }

    /// Whether an HPA of another name is in the file of `own`, or neither is in a file.
    pub fn has_other_in_file(&self, all: &[TargetingHpa], own: &ObjectRef) -> bool {
        let file = file_of(own);
        let of_file = self.of_files.get(&file).copied().unwrap_or_default();
        let own = self.called(all, &own.name);
        let own = own.filter(|own| file_of(&own.object) == file);
        usize::from(own.is_some()) < of_file
    }

    /// The highest `minReplicas`.
    pub(super) fn most_min(&self) -> Option<i32> {
        self.most_min
    }

    fn called<'a>(&self, all: &'a [TargetingHpa], name: &str) -> Option<&'a TargetingHpa> {
        let name_of = |place: &usize| all[*place].object.name.as_str();
        let index = self.hpas.binary_search_by_key(&name, name_of).ok()?;
        Some(&all[self.hpas[index]])
    }

    pub(super) fn of(all: &[TargetingHpa], mut places: Vec<usize>) -> Self {
        places.sort_unstable();
        let mins = places.iter().map(|place| all[*place].min_replicas);
        let most_min = mins.max();
        places.sort_by_key(|place| &all[*place].object.name);
        places.dedup_by_key(|place| &all[*place].object.name);
        let mut group = Self {
            most_min,
            ..Self::default()
        };
        let (mut most_min, mut least_max) = (i32::MIN, i32::MAX);
        for place in &places {
            let hpa = &all[*place];
            group.with_namespace += usize::from(!hpa.object.namespace.is_empty());
            *group.of_files.entry(file_of(&hpa.object)).or_default() += 1;
            if has_valid_range(hpa) {
                most_min = most_min.max(hpa.min_replicas);
                least_max = least_max.min(hpa.max_replicas);
            }
            group.most_min_until.push(most_min);
            group.least_max_until.push(least_max);
        }
        group.hpas = places;
        group
    }
}

fn has_valid_range(hpa: &TargetingHpa) -> bool {
    hpa.min_replicas <= hpa.max_replicas
}

pub(super) fn file_of(object: &ObjectRef) -> Option<FileId> {
    object.origin.map(|origin| origin.file)
}
