//! The ScaledObjects of one target, or of one HPA. Each HPA and each ScaledObject asks for them, so they are collected
//! once.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock},
};

use super::{
    ScaledObject,
    target_group::{Asking, ByTarget},
};
use crate::{FileId, kustomize::Applying};

/// The ScaledObjects of each target; computed on demand.
#[derive(Debug, Default)]
pub(super) struct KedaGroups {
    pub(super) by_target: OnceLock<ByTarget>,
    pub(super) candidates: Mutex<BTreeMap<Asked, Arc<Candidates>>>,
    pub(super) groups: Mutex<BTreeMap<(Asked, Beside), Arc<KedaGroup>>>,
}

/// What decides which ScaledObjects belong together with an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Asked {
    /// Those of its target.
    Target(Asking),
    /// Those whose HPA has this name, by the object's namespace and the way it is applied.
    Hpa(String, String, Applying),
}

/// What decides which of several ScaledObjects of one name is the nearest to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Beside {
    /// Nothing: each name is there once.
    AnyFile,
    /// The file of the object.
    File(Option<FileId>),
}

/// ScaledObjects that belong together with an object, as places in the world.
#[derive(Debug)]
pub(super) struct Candidates {
    pub(super) places: Vec<usize>,
    pub(super) has_namesakes: bool,
    pub(super) most_min: Option<i32>,
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
    pub(super) fn of(all: &[ScaledObject], mut places: Vec<usize>) -> Self {
        places.sort_unstable();
        let some = || places.iter().map(|place| &all[*place]);
        let mut names: Vec<&str> = some().map(|one| &*one.object.name).collect();
        names.sort_unstable();
        Self {
            has_namesakes: names.windows(2).any(|pair| pair[0] == pair[1]),
            most_min: some().map(|one| one.min_replicas.unwrap_or(0)).max(),
            places,
        }
    }
}

impl KedaGroup {
    /// The one with this name.
    pub fn called<'a>(&self, all: &'a [ScaledObject], name: &str) -> Option<&'a ScaledObject> {
        Some(&all[*self.by_name.get(name)?])
    }

    /// The first of those with one of these names, or for which KEDA creates an HPA of the name `hpa`.
    pub fn maker<'a>(
        &self,
        all: &'a [ScaledObject],
        names: impl Iterator<Item = &'a str>,
        hpa: &str,
    ) -> Option<&'a ScaledObject> {
        let called = names.filter_map(|name| self.by_name.get(name));
        let first = called.chain(self.by_hpa.get(hpa)).min()?;
        Some(&all[*first])
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
    pub fn by_name<'a>(&self, all: &'a [ScaledObject]) -> impl Iterator<Item = &'a ScaledObject> {
        let places = self.by_name.values();
        places.map(|place| &all[*place])
    }

    /// All, in the order of addition.
    pub fn in_order<'a>(&self, all: &'a [ScaledObject]) -> impl Iterator<Item = &'a ScaledObject> {
        let (mut active, mut paused) = (&self.active.places[..], &self.paused.places[..]);
        std::iter::from_fn(move || {
            let is_paused = match (active.first(), paused.first()) {
                (Some(one), Some(other)) => other < one,
                (one, _) => one.is_none(),
            };
            let next = if is_paused { &mut paused } else { &mut active };
            let (first, rest) = next.split_first()?;
            *next = rest;
            Some(&all[*first])
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

    pub(super) fn of(all: &[ScaledObject], places: &[usize]) -> Self {
        let mut group = Self::default();
        for place in places {
            let one = &all[*place];
            group.by_name.insert(one.object.name.clone(), *place);
            group.by_hpa.entry(one.name_of_hpa()).or_insert(*place);
            group.part_mut(one.is_paused()).places.push(*place);
        }
        let by_name: Vec<usize> = group.by_name.values().copied().collect();
        for place in by_name {
            let is_paused = all[place].is_paused();
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
    pub fn in_order<'a>(&self, all: &'a [ScaledObject]) -> impl Iterator<Item = &'a ScaledObject> {
        let places = self.places.iter();
        places.map(|place| &all[*place])
    }

    /// Sorted by name.
    pub fn by_name<'a>(&self, all: &'a [ScaledObject]) -> impl Iterator<Item = &'a ScaledObject> {
        let places = self.by_name.iter();
        places.map(|place| &all[*place])
    }
}
