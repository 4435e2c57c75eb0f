//! The ScaledObjects of one target, or of one HPA. Each HPA and each ScaledObject asks for them, so they are collected
//! once.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use super::{
    ScaledObject, Workload, World,
    target_group::{Asking, ByTarget, FEW},
};
use crate::{FileId, ObjectRef, kustomize::Applying};

/// The ScaledObjects of each target; computed on demand.
#[derive(Debug, Default)]
pub(super) struct KedaGroups {
    by_target: OnceLock<ByTarget>,
    candidates: Mutex<BTreeMap<Asked, Arc<Candidates>>>,
    groups: Mutex<BTreeMap<(Asked, Beside), Arc<KedaGroup>>>,
}

/// What decides which ScaledObjects belong together with an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Asked {
    /// Those of its target.
    Target(Asking),
    /// Those whose HPA has this name, by the object's namespace and the way it is applied.
    Hpa(String, String, Applying),
}

/// What decides which of several ScaledObjects of one name is the nearest to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Beside {
    /// Nothing: each name is there once.
    AnyFile,
    /// The file of the object.
    File(Option<FileId>),
}

/// ScaledObjects that belong together with an object, as places in the world.
#[derive(Debug)]
struct Candidates {
    places: Vec<usize>,
    has_namesakes: bool,
    most_min: Option<i32>,
}

/// The ScaledObjects that may scale one target, or have one HPA, as seen from one object. Of several with one name, the
/// nearest.
#[derive(Debug, Default)]
pub struct KedaGroup {
    /// By name, as places in the world.
    by_name: BTreeMap<String, usize>,
    /// The first one for which KEDA creates an HPA of this name.
    by_hpa: BTreeMap<String, usize>,
    active: KedaPart,
    paused: KedaPart,
}

/// Those of a group that are paused, or all others.
#[derive(Debug, Default)]
pub struct KedaPart {
    /// In the order of addition, as places in the world.
    places: Vec<usize>,
    /// Sorted by name.
    by_name: Vec<usize>,
}

impl Clone for KedaGroups {
    /// The copy computes them again.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Candidates {
    fn of(world: &World, mut places: Vec<usize>) -> Self {
        places.sort_unstable();
        let all = || places.iter().map(|place| &world.scaled_objects[*place]);
        let mut names: Vec<&str> = all().map(|one| &*one.object.name).collect();
        names.sort_unstable();
        Self {
            has_namesakes: names.windows(2).any(|pair| pair[0] == pair[1]),
            most_min: all().map(|one| one.min_replicas.unwrap_or(0)).max(),
            places,
        }
    }
}

impl KedaGroup {
    /// The one with this name.
    pub fn called<'a>(&self, world: &'a World, name: &str) -> Option<&'a ScaledObject> {
        Some(&world.scaled_objects[*self.by_name.get(name)?])
    }

    /// The first of those with one of these names, or for which KEDA creates an HPA of the name `hpa`.
    pub fn maker<'a>(
        &self,
        world: &'a World,
        names: impl Iterator<Item = &'a str>,
        hpa: &str,
    ) -> Option<&'a ScaledObject> {
        let called = names.filter_map(|name| self.by_name.get(name));
        let first = called.chain(self.by_hpa.get(hpa)).min()?;
        Some(&world.scaled_objects[*first])
    }

    /// Those that are paused, or all others.
    pub fn part(&self, is_paused: bool) -> &KedaPart {
        if is_paused {
            &self.paused
        } else {
            &self.active
        }
    }

    /// All, sorted by name.
    pub fn by_name<'a>(&self, world: &'a World) -> impl Iterator<Item = &'a ScaledObject> {
        let places = self.by_name.values();
        places.map(|place| &world.scaled_objects[*place])
    }

    /// All, in the order of addition.
    pub fn in_order<'a>(&self, world: &'a World) -> impl Iterator<Item = &'a ScaledObject> {
        let (mut active, mut paused) = (&self.active.places[..], &self.paused.places[..]);
        std::iter::from_fn(move || {
            let is_paused = match (active.first(), paused.first()) {
                (Some(one), Some(other)) => other < one,
                (one, _) => one.is_none(),
            };
            let next = if is_paused { &mut paused } else { &mut active };
            let (first, rest) = next.split_first()?;
            *next = rest;
            Some(&world.scaled_objects[*first])
        })
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.by_name.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    fn of(world: &World, places: &[usize]) -> Self {
        let mut group = Self::default();
        for place in places {
            let one = &world.scaled_objects[*place];
            group.by_name.insert(one.object.name.clone(), *place);
            group.by_hpa.entry(one.name_of_hpa()).or_insert(*place);
            group.part_mut(one.is_paused()).places.push(*place);
        }
        let by_name: Vec<usize> = group.by_name.values().copied().collect();
        for place in by_name {
            let is_paused = world.scaled_objects[place].is_paused();
            group.part_mut(is_paused).by_name.push(place);
        }
        group
    }

    fn part_mut(&mut self, is_paused: bool) -> &mut KedaPart {
        if is_paused {
            &mut self.paused
        } else {
            &mut self.active
        }
    }
}

impl KedaPart {
    /// Their number.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// In the order of addition.
    pub fn in_order<'a>(&self, world: &'a World) -> impl Iterator<Item = &'a ScaledObject> {
        let places = self.places.iter();
        places.map(|place| &world.scaled_objects[*place])
    }

    /// Sorted by name.
    pub fn by_name<'a>(&self, world: &'a World) -> impl Iterator<Item = &'a ScaledObject> {
        let places = self.by_name.iter();
        places.map(|place| &world.scaled_objects[*place])
    }
}

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
            return Candidates::of(self, few).most_min;
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
        Arc::new(KedaGroup::of(self, &nearest))
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
        let candidates = Arc::new(Candidates::of(self, places()));
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
