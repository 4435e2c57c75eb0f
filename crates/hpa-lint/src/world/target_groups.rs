//! Finds the HPAs of one target and the documents of one HPA, and other objects that name a target.

use std::sync::{Arc, PoisonError};

use super::{
    TargetGroup, TargetingHpa, Workload, World,
    scopes::{FEW, added},
    target_group::{Alike, AlikePlaces, Asking, ByTarget, LastDocuments, file_of},
};
use crate::ObjectRef;

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
            return Arc::new(TargetGroup::of(&self.hpas, places));
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
            Arc::new(TargetGroup::of(&self.hpas, places))
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

#[cfg(test)]
mod tests;
