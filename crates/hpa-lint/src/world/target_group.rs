//! HPAs of one target, and documents of one HPA. Each HPA asks for them, so they are collected once.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use super::{
    TargetingHpa, Workload, World,
    scopes::{Scopes, added},
};
use crate::{FileId, ObjectRef, kustomize::Applying};

/// Group, kind and name of a target.
type TargetName = (String, String, String);

/// Objects of one namespace of which one answers for all what they belong together with: by the place of the target that
/// they mean, and the way they are applied. Sorted, because many thousands of scopes have one object each.
type Alike = Vec<AlikePlaces>;

/// The target and the applying trees of some objects, and their places.
type AlikePlaces = ((Option<usize>, Applying), Vec<usize>);

/// The objects that name each target, if they are more than a [`FEW`].
pub(super) type ByTarget = BTreeMap<TargetName, Scopes<Alike>>;

/// Up to so many objects of one name are compared each time. More are collected once; for each of many thousands of names
/// that would take more memory than the manifests.
pub(super) const FEW: usize = 8;

/// What decides which objects of a target count for another one: its namespace, the way it is applied, and the target.
pub(super) type Asking = (TargetName, String, Applying, Option<ObjectRef>);

/// The HPAs of each target, and the last documents of each HPA; computed on demand.
#[derive(Debug, Default)]
pub(super) struct TargetGroups {
    by_target: OnceLock<ByTarget>,
    groups: Mutex<BTreeMap<Asking, Arc<TargetGroup>>>,
    last_documents: OnceLock<LastDocuments>,
}

/// The last document of each HPA in each file and in each folder, by namespace and name, if a name has more than a
/// [`FEW`].
#[derive(Debug, Default)]
struct LastDocuments {
    of_files: BTreeMap<(String, String, FileId), usize>,
    of_folders: BTreeMap<(String, String, String), usize>,
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
    pub fn hpas<'a>(&self, world: &'a World) -> impl Iterator<Item = &'a TargetingHpa> {
        self.hpas.iter().map(|place| &world.hpas[*place])
    }

    /// The first HPA of another name whose valid range has no number in common with this one.
    pub fn disjoint<'a>(
        &self,
        world: &'a World,
        own: &str,
        (min, max): (i32, i32),
    ) -> Option<&'a TargetingHpa> {
        if max < min {
            return None;
        }
        let above = self.most_min_until.partition_point(|most| *most <= max);
        let below = self.least_max_until.partition_point(|least| min <= *least);
        let candidates = self.hpas.get(above.min(below)..)?.iter();
        candidates.map(|place| &world.hpas[*place]).find(|other| {
            other.object.name != own
                && has_valid_range(other)
                && (max < other.min_replicas || other.max_replicas < min)
        })
    }

    /// Whether an HPA of another name names its namespace.
    pub fn has_other_with_namespace(&self, world: &World, own: &str) -> bool {
        let own = self.called(world, own);
        let own = own.filter(|own| !own.object.namespace.is_empty());
        usize::from(own.is_some()) < self.with_namespace
    }

    /// Whether an HPA of another name is in the file of `own`, or neither is in a file.
    pub fn has_other_in_file(&self, world: &World, own: &ObjectRef) -> bool {
        let file = file_of(own);
        let of_file = self.of_files.get(&file).copied().unwrap_or_default();
        let own = self.called(world, &own.name);
        let own = own.filter(|own| file_of(&own.object) == file);
        usize::from(own.is_some()) < of_file
    }

    /// The highest `minReplicas`.
    pub(super) fn most_min(&self) -> Option<i32> {
        self.most_min
    }

    fn called<'a>(&self, world: &'a World, name: &str) -> Option<&'a TargetingHpa> {
        let name_of = |place: &usize| world.hpas[*place].object.name.as_str();
        let index = self.hpas.binary_search_by_key(&name, name_of).ok()?;
        Some(&world.hpas[self.hpas[index]])
    }

    fn of(world: &World, mut places: Vec<usize>) -> Self {
        places.sort_unstable();
        let mins = places.iter().map(|place| world.hpas[*place].min_replicas);
        let most_min = mins.max();
        places.sort_by_key(|place| &world.hpas[*place].object.name);
        places.dedup_by_key(|place| &world.hpas[*place].object.name);
        let mut group = Self {
            most_min,
            ..Self::default()
        };
        let (mut most_min, mut least_max) = (i32::MIN, i32::MAX);
        for place in &places {
            let hpa = &world.hpas[*place];
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

impl World {
    /// The HPAs that name a target and belong together with an object. If the target is known, only those that do not
    /// mean another one of that name.
    ///
    /// HPAs of one namespace that are applied in the same way and mean the same target are asked about once.
    pub fn target_group(
        &self,
        own: &ObjectRef,
        name: (&str, &str, &str),
        target: Option<&Workload>,
    ) -> Arc<TargetGroup> {
        let object = |place: usize| &*self.hpas[place].object;
        let called = self.indices_of(name.2);
        if called.len() <= FEW {
            let of_kind = called.iter().copied().filter(|place| {
                let hpa = &self.hpas[*place];
                (&*hpa.target_group, &*hpa.target_kind) == (name.0, name.1)
            });
            let places = self.together(of_kind, object, own, name, target);
            return Arc::new(TargetGroup::of(self, places));
        }
        let known = self.target_groups.groups.lock();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        let asking = self.asking(own, name, target);
        let found = known.entry(asking).or_insert_with(|| {
            let by_target = self.target_groups.by_target.get_or_init(|| {
                let all = &self.hpas_by_target;
                let all = all.by_name(&self.hpas, TargetingHpa::target_name);
                let all = all.filter(|all| FEW < all.len());
                self.by_target(all.flatten().map(|place| {
                    let hpa = &self.hpas[*place];
                    let kind = (&*hpa.target_group, &*hpa.target_kind, &*hpa.target_name);
                    (*place, &*hpa.object, kind)
                }))
            });
            let places = self.places_of(by_target, object, own, name, target);
            Arc::new(TargetGroup::of(self, places))
        });
        Arc::clone(found)
    }

    pub(super) fn asking(
        &self,
        own: &ObjectRef,
        (group, kind, name): (&str, &str, &str),
        target: Option<&Workload>,
    ) -> Asking {
        (
            (group.to_owned(), kind.to_owned(), name.to_owned()),
            own.namespace.clone(),
            self.kustomize.applying(own),
            target.map(|target| target.object.clone()),
        )
    }

    /// Those of a few objects that name a target that belong together with `own`, and do not mean another target if this
    /// one is known.
    pub(super) fn together<'a>(
        &'a self,
        places: impl Iterator<Item = usize>,
        object: impl Fn(usize) -> &'a ObjectRef,
        own: &ObjectRef,
        (group, kind, name): (&str, &str, &str),
        target: Option<&Workload>,
    ) -> Vec<usize> {
        let places = places.filter(|place| {
            let other = object(*place);
            self.belong_together(other, own)
                && self.is_same_target(target, other, group, kind, name)
        });
        places.collect()
    }

    /// The places of the objects that name a target and belong together with `own`. If the target is known, only of those
    /// that do not mean another one of that name.
    pub(super) fn places_of<'a>(
        &'a self,
        by_target: &ByTarget,
        object: impl Fn(usize) -> &'a ObjectRef,
        own: &ObjectRef,
        (group, kind, name): (&str, &str, &str),
        target: Option<&Workload>,
    ) -> Vec<usize> {
        let target_name = (group.to_owned(), kind.to_owned(), name.to_owned());
        let Some(scopes) = by_target.get(&target_name) else {
            return Vec::new();
        };
        let is_one = |(_, places): &&AlikePlaces| {
            let one = places.first().map(|place| object(*place));
            one.is_some_and(|one| self.belong_together(one, own))
        };
        // Whatever means no known target may mean this one.
        let target = target.and_then(|target| self.scoped().place(self, &target.object));
        let alike = scopes.beside(&self.kustomize, own).flat_map(|alike| {
            let all = target.is_none().then_some(&alike[..]);
            let of_target = target.map(|_| [target, None].map(|target| meaning(alike, target)));
            all.into_iter()
                .chain(of_target.into_iter().flatten())
                .flatten()
        });
        let places = alike.filter(is_one).flat_map(|(_, places)| places);
        places.copied().collect()
    }

    /// The last document in the file of an HPA that has exactly its namespace and name. Patches do not count.
    pub fn last_document_in_file(&self, own: &ObjectRef) -> Option<&TargetingHpa> {
        let file = file_of(own)?;
        let few = self.few_documents(own);
        if let Some(mut few) = few {
            return few.find(|other| file_of(&other.object) == Some(file));
        }
        let key = (own.namespace.clone(), own.name.clone(), file);
        let place = self.last_documents().of_files.get(&key)?;
        Some(&self.hpas[*place])
    }

    /// The same for all files of its folder.
    pub fn last_document_in_folder(&self, own: &ObjectRef) -> Option<&TargetingHpa> {
        let folder = self.kustomize.folder(file_of(own)?)?.to_owned();
        let few = self.few_documents(own);
        if let Some(mut few) = few {
            let folder_of = |object: &ObjectRef| self.kustomize.folder(file_of(object)?);
            return few.find(|other| folder_of(&other.object) == Some(&*folder));
        }
        let key = (own.namespace.clone(), own.name.clone(), folder);
        let place = self.last_documents().of_folders.get(&key)?;
        Some(&self.hpas[*place])
    }

    /// The HPAs that have exactly the namespace and name of one, the last first, without patches. None: their name has
    /// more than a [`FEW`].
    fn few_documents(&self, own: &ObjectRef) -> Option<impl Iterator<Item = &TargetingHpa>> {
        let called = self.indices_called(&own.name);
        let is_one = move |hpa: &&TargetingHpa| {
            hpa.object.namespace == own.namespace && !hpa.target_name.is_empty()
        };
        let hpas = called.iter().rev().map(|place| &self.hpas[*place]);
        (called.len() <= FEW).then(|| hpas.filter(is_one))
    }

    fn last_documents(&self) -> &LastDocuments {
        self.target_groups.last_documents.get_or_init(|| {
            let mut last = LastDocuments::default();
            let all = self.hpas_by_name.by_name(&self.hpas, TargetingHpa::name);
            let many = all.filter(|all| FEW < all.len());
            for place in many.flatten().copied() {
                let hpa = &self.hpas[place];
                let is_patch = hpa.target_name.is_empty();
                let Some(file) = file_of(&hpa.object).filter(|_| !is_patch) else {
                    continue;
                };
                let (namespace, name) = (&hpa.object.namespace, &hpa.object.name);
                let of_file = (namespace.clone(), name.clone(), file);
                last.of_files.insert(of_file, place);
                if let Some(folder) = self.kustomize.folder(file) {
                    let of_folder = (namespace.clone(), name.clone(), folder.to_owned());
                    last.of_folders.insert(of_folder, place);
                }
            }
            last
        })
    }

    /// Collects the places of objects by the targets that they name.
    pub(super) fn by_target<'a>(
        &self,
        all: impl Iterator<Item = (usize, &'a ObjectRef, (&'a str, &'a str, &'a str))>,
    ) -> ByTarget {
        let mut by_target = ByTarget::new();
        for (place, object, (group, kind, name)) in all {
            let target = self.workload(object, group, kind, name);
            let target = target.and_then(|target| self.scoped().place(self, &target.object));
            let target_name = (group.to_owned(), kind.to_owned(), name.to_owned());
            let scopes = by_target.entry(target_name).or_default();
            let alike = scopes.of(&self.kustomize, object);
            let key = (target, self.kustomize.applying(object));
            let known = alike.binary_search_by(|(known, _)| known.cmp(&key));
            added(alike, known, || key).push(place);
        }
        by_target
    }
}

/// The objects that mean this target.
fn meaning(alike: &Alike, target: Option<usize>) -> &[AlikePlaces] {
    let start = alike.partition_point(|((known, _), _)| *known < target);
    let end = alike.partition_point(|((known, _), _)| *known <= target);
    &alike[start..end]
}

fn has_valid_range(hpa: &TargetingHpa) -> bool {
    hpa.min_replicas <= hpa.max_replicas
}

fn file_of(object: &ObjectRef) -> Option<FileId> {
    object.origin.map(|origin| origin.file)
}

#[cfg(test)]
mod tests;
