//! Finds the ScaledObjects of one target, or of one HPA.

use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError},
};

use super::{
    KedaGroup, Workload, World,
    keda_group::{Asked, Beside, Candidates},
    scopes::FEW,
};
use crate::ObjectRef;

impl World {
    /// The ScaledObjects that name a target and belong together with an object. If the target is known, only those that
    /// do not mean another one of that name.
    pub fn keda_group(
        &self,
        own: &ObjectRef,
        name: (&str, &str, &str),
        target: Option<&Workload>,
    ) -> Arc<KedaGroup> {
        if let Some(few) = self.few_scaled_places(own, name, target) {
            return self.nearest_group(own, &few);
        }
        let asking = self.asking(own, name, target);
        self.keda_group_of(own, Asked::Target(asking), || {
            self.scaled_places(own, name, target)
        })
    }

    /// The ScaledObjects for which KEDA creates an HPA of this name and that belong together with an object.
    pub fn keda_group_of_hpa(&self, own: &ObjectRef, hpa: &str) -> Arc<KedaGroup> {
        let making = places(&self.scaled_objects_by_hpa, hpa);
        let together = || {
            let is_one =
                |place: &usize| self.belong_together(own, &self.scaled_objects[*place].object);
            making.iter().copied().filter(is_one).collect()
        };
        if making.len() <= FEW {
            let few: Vec<usize> = together();
            return self.nearest_group(own, &few);
        }
        let applying = self.kustomize.applying(own);
        let asked = Asked::Hpa(hpa.to_owned(), own.namespace.clone(), applying);
        self.keda_group_of(own, asked, together)
    }

    /// The highest `minReplicaCount` of the ScaledObjects of a target that belong together with an object.
    pub(super) fn most_min_of_keda(
        &self,
        own: &ObjectRef,
        name: (&str, &str, &str),
    ) -> Option<i32> {
        if let Some(few) = self.few_scaled_places(own, name, None) {
            return Candidates::of(&self.scaled_objects, few).most_min;
        }
        let asked = Asked::Target(self.asking(own, name, None));
        let places = || self.scaled_places(own, name, None);
        self.keda_candidates(&asked, places).most_min
    }

    fn scaled_places(
        &self,
        own: &ObjectRef,
        name: (&str, &str, &str),
        target: Option<&Workload>,
    ) -> Vec<usize> {
        let by_target = self.keda_groups.by_target.get_or_init(|| {
            let all = self.scaled_objects_by_target.values();
            let all = all.filter(|all| FEW < all.len());
            self.by_target(all.flatten().map(|place| {
                let one = &self.scaled_objects[*place];
                let kind = (&*one.target_group, &*one.target_kind, &*one.target_name);
                (*place, &one.object, kind)
            }))
        });
        let object = |place: usize| &self.scaled_objects[place].object;
        self.places_of(by_target, object, own, name, target)
    }

    /// The same if only a few have a target of this name.
    fn few_scaled_places(
        &self,
        own: &ObjectRef,
        name: (&str, &str, &str),
        target: Option<&Workload>,
    ) -> Option<Vec<usize>> {
        let called = places(&self.scaled_objects_by_target, name.2);
        if FEW < called.len() {
            return None;
        }
        let of_kind = called.iter().copied().filter(|place| {
            let one = &self.scaled_objects[*place];
            (&*one.target_group, &*one.target_kind) == (name.0, name.1)
        });
        let object = |place: usize| &self.scaled_objects[place].object;
        Some(self.together(of_kind, object, own, name, target))
    }

    /// Of several ScaledObjects of one name, the nearest to an object.
    fn nearest_group(&self, own: &ObjectRef, places: &[usize]) -> Arc<KedaGroup> {
        let object = |place: &usize| &self.scaled_objects[*place].object;
        let nearest = self.nearest_beside(own, places.iter(), object);
        let nearest: Vec<usize> = nearest.into_iter().copied().collect();
        Arc::new(KedaGroup::of(&self.scaled_objects, &nearest))
    }

    fn keda_group_of(
        &self,
        own: &ObjectRef,
        asked: Asked,
        places: impl FnOnce() -> Vec<usize>,
    ) -> Arc<KedaGroup> {
        let candidates = self.keda_candidates(&asked, places);
        let beside = if candidates.has_namesakes {
            Beside::File(own.origin.map(|origin| origin.file))
        } else {
            Beside::AnyFile
        };
        let known = self.keda_groups.groups.lock();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        let found = known.entry((asked, beside));
        let found = found.or_insert_with(|| self.nearest_group(own, &candidates.places));
        Arc::clone(found)
    }

    fn keda_candidates(
        &self,
        asked: &Asked,
        places: impl FnOnce() -> Vec<usize>,
    ) -> Arc<Candidates> {
        let known = self.keda_groups.candidates.lock();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        if let Some(candidates) = known.get(asked) {
            return Arc::clone(candidates);
        }
        let candidates = Arc::new(Candidates::of(&self.scaled_objects, places()));
        known.insert(asked.clone(), Arc::clone(&candidates));
        candidates
    }
}

/// The places of what has a name.
fn places<'a>(by_name: &'a BTreeMap<String, Vec<usize>>, name: &str) -> &'a [usize] {
    by_name.get(name).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests;
