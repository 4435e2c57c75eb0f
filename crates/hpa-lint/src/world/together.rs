//! Which objects belong together, and which one a reference means.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Claim, LimitRange, Quota, TargetingHpa, Workload, World,
    scopes::{Called, FEW, Scopes},
};
use crate::{HpaSubject, Missing, ObjectRef, same_namespace};

impl World {
    /// Whether two objects may be applied together, into one namespace. Every rule that compares objects asks this.
    pub fn belong_together(&self, one: &ObjectRef, other: &ObjectRef) -> bool {
        let is_one_namespace = same_namespace(&one.namespace, &other.namespace)
            || self.kustomize.unites_namespaces(one, other);
        is_one_namespace && !self.kustomize.are_apart(one, other)
    }

    /// Those that belong together with `own`. Of manifests with one kind and name, which describe one object, only the
    /// nearest counts.
    pub fn nearest_beside<'a, T>(
        &self,
        own: &ObjectRef,
        candidates: impl Iterator<Item = &'a T>,
        object: impl Fn(&'a T) -> &'a ObjectRef,
    ) -> Vec<&'a T> {
        let mut nearest: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
        let candidates: Vec<&'a T> = candidates
            .filter(|one| self.belong_together(own, object(one)))
            .collect();
        for (index, one) in candidates.iter().enumerate() {
            let distance = self.kustomize.distance(own, object(one));
            let identity = (&*object(one).kind, &*object(one).name);
            let known = nearest.entry(identity).or_insert((distance, index));
            *known = (*known).min((distance, index));
        }
        let mut indices: Vec<usize> = nearest.into_values().map(|(_, index)| index).collect();
        indices.sort_unstable();
        indices.into_iter().map(|index| candidates[index]).collect()
    }

    /// Whether no copy of a target is nearer to an object than the target itself: folders with a copy each are
    /// alternatives, and what is next to a copy belongs to that one.
    pub fn is_nearest_target(&self, target: &Workload, other: &ObjectRef) -> bool {
        let distance = |workload: &Workload| self.kustomize.distance(other, &workload.object);
        let few = self.indices_of_workloads(&target.object.name).len() <= FEW;
        if !few && !self.kustomize.has_deletions() {
            let least = self.scoped().least_distance(&self.kustomize, target, other);
            return least.is_none_or(|least| distance(target) <= least);
        }
        let mut copies = self.workloads_called(&target.object.name).filter(|one| {
            one.object.origin != target.object.origin
                && one.group == target.group
                && one.object.kind == target.object.kind
                && one.selector.is_some()
                && !self.kustomize.are_apart(&one.object, other)
        });
        !copies.any(|copy| distance(copy) < distance(target))
    }

    /// Whether another object's reference means the target of an HPA. If one of the two is not known, their names
    /// decide.
    pub fn is_same_target(
        &self,
        target: Option<&Workload>,
        other: &ObjectRef,
        group: &str,
        kind: &str,
        name: &str,
    ) -> bool {
        target.is_none_or(|one| {
            let other = self.workload(other, group, kind, name);
            other.is_none_or(|other| one.object == other.object)
        })
    }

    /// The object that a reference in `beside` means: the nearest one, preferably in exactly that namespace. Compares
    /// the group and not the version, as the controller does.
    ///
    /// If everything of that name is applied by others, such as a base that is applied alone, the nearest of those; but
    /// never one that no kustomization lists.
    pub fn workload(
        &self,
        beside: &ObjectRef,
        group: &str,
        kind: &str,
        name: &str,
    ) -> Option<&Workload> {
        let index = self.index_of_workload(beside, group, kind, name)?;
        Some(&self.workloads[index])
    }

    /// The HPA's scale target.
    pub fn workload_of(&self, hpa: &HpaSubject) -> Option<&Workload> {
        let target = &hpa.spec.scale_target;
        let own = &hpa.manifest.object;
        let index = self.index_of_target(own, hpa.target_group(), &target.kind, &target.name)?;
        Some(&self.workloads[index])
    }

    /// The scale target of any HPA.
    pub fn target_of(&self, hpa: &TargetingHpa) -> Option<&Workload> {
        Some(&self.workloads[self.index_of_target_of(hpa)?])
    }

    /// The index of the scale target of any HPA.
    pub(super) fn index_of_target_of(&self, hpa: &TargetingHpa) -> Option<usize> {
        self.index_of_target(
            &hpa.object,
            &hpa.target_group,
            &hpa.target_kind,
            &hpa.target_name,
        )
    }

    fn index_of_target(
        &self,
        own: &ObjectRef,
        group: &str,
        kind: &str,
        name: &str,
    ) -> Option<usize> {
        self.index_of_workload(own, group, kind, name).or_else(|| {
            // A kustomization puts a prefix before the names of what it builds.
            let names = self.kustomize.names_before(own, name);
            let indices = names
                .iter()
                .flat_map(|name| self.indices_of_workloads(name));
            indices.copied().find(|index| {
                let workload = &self.workloads[*index];
                workload.group == group
                    && workload.object.kind == kind
                    && self.kustomize.are_built_together(own, &workload.object)
            })
        })
    }

    pub(super) fn index_of_workload(
        &self,
        beside: &ObjectRef,
        group: &str,
        kind: &str,
        name: &str,
    ) -> Option<usize> {
        let kind = (group, kind);
        let few = self.indices_of_workloads(name);
        if few.len() <= FEW {
            let nearest = self.nearest_of(beside, kind, few.iter().copied());
            return nearest.map(|(_, index)| index);
        }
        let called = self.scoped().workloads.get(name)?;
        let nearest = self.nearest_meant(beside, kind, called.beside(&self.kustomize, beside));
        match nearest {
            Some((false, index)) => Some(index),
            _ if self.kustomize.classes_beside(beside).is_none() => nearest.map(|(_, index)| index),
            _ => {
                let nearest = self.nearest_meant(beside, kind, called.all());
                nearest.map(|(_, index)| index)
            }
        }
    }

    /// The nearest of these workloads that a reference may mean, and whether it is applied by others.
    fn nearest_meant<'a>(
        &'a self,
        beside: &ObjectRef,
        kind: (&str, &str),
        called: impl Iterator<Item = &'a Called>,
    ) -> Option<(bool, usize)> {
        let has_deletions = self.kustomize.has_deletions();
        let candidates = called.flat_map(|called| {
            // In a scope only distance and place differ, unless a patch deletes one of several.
            let all = called.all.iter().copied().filter(|_| has_deletions);
            let nearest = (!has_deletions).then(|| called.nearest(&self.kustomize, beside, kind));
            all.chain(nearest.into_iter().flatten())
        });
        self.nearest_of(beside, kind, candidates)
    }

    /// The nearest of these places of workloads that a reference may mean, and whether it is applied by others.
    fn nearest_of(
        &self,
        beside: &ObjectRef,
        kind: (&str, &str),
        candidates: impl Iterator<Item = usize>,
    ) -> Option<(bool, usize)> {
        // A manifest without a selector is a patch of one that has it.
        let is_partial = |workload: &Workload| {
            matches!(&*workload.group, "apps" | "extensions") && workload.selector.is_none()
        };
        let meant = candidates.filter(|index| self.is_meant(beside, kind, *index));
        let ranked = meant.filter_map(|index| {
            let workload = &self.workloads[index];
            let is_apart = self.kustomize.are_apart(beside, &workload.object);
            if is_apart && self.kustomize.leaves_out(&workload.object) {
                return None;
            }
            let distance = self.kustomize.distance(beside, &workload.object);
            let is_elsewhere = workload.object.namespace != beside.namespace;
            Some((
                is_apart,
                is_partial(workload),
                distance,
                is_elsewhere,
                index,
            ))
        });
        ranked
            .min()
            .map(|(is_apart, _, _, _, index)| (is_apart, index))
    }

    /// Why the target of an HPA is not known.
    pub fn target_not_found(&self, hpa: &HpaSubject) -> Missing {
        let target = &hpa.spec.scale_target;
        if target.kind.is_empty() || target.name.is_empty() {
            return Missing::Because("spec.scaleTargetRef has no kind or no name".to_owned());
        }
        let own = &hpa.manifest.object;
        let mut called = self.indices_of_workloads(&target.name).iter();
        let kind = (hpa.target_group(), &*target.kind);
        if let Some(index) = called.find(|index| self.is_meant(own, kind, **index)) {
            return Missing::Because(format!(
                "the kustomization that builds this HPA does not list {}",
                self.workloads[*index].object
            ));
        }
        match self.kustomize.unread_part(own) {
            Some((folder, part)) => Missing::Because(format!(
                "{target} is not in the given files, and the kustomization in {folder} also builds from {part}"
            )),
            None => self.not_found(&target.kind, &target.name),
        }
    }

    /// The workload with the template of another one's pods: itself, or the one that an Argo Rollout references.
    pub fn template_workload<'a>(
        &'a self,
        workload: &'a Workload,
    ) -> Result<&'a Workload, Missing> {
        let Some((kind, name)) = &workload.workload_ref else {
            return Ok(workload);
        };
        self.workload(&workload.object, "apps", kind, name)
            .ok_or_else(|| self.not_found(kind, name))
    }

    /// Whether a reference in an object may mean a workload that has the right name.
    fn is_meant(&self, beside: &ObjectRef, (group, kind): (&str, &str), index: usize) -> bool {
        let workload = &self.workloads[index];
        workload.group == group
            && workload.object.kind == kind
            && (same_namespace(&workload.object.namespace, &beside.namespace)
                || self.kustomize.unites_namespaces(beside, &workload.object))
    }

    /// HPAs of a name that belong together with an object, in the order of addition.
    pub fn hpas_called_beside(
        &self,
        name: &str,
        own: &ObjectRef,
    ) -> impl Iterator<Item = &TargetingHpa> {
        let object = |index: usize| &*self.hpas[index].object;
        let few = self.indices_called(name);
        let places: Vec<usize> = if few.len() <= FEW {
            let few = few.iter().copied();
            few.filter(|index| self.belong_together(object(*index), own))
                .collect()
        } else {
            let called = self.scoped().hpas.get(name);
            let places = self.places_together(called, own, object);
            places.into_iter().collect()
        };
        places.into_iter().map(|index| &self.hpas[index])
    }

    /// The first PersistentVolumeClaim of a name that belongs together with an object.
    pub fn claim_beside(&self, name: &str, own: &ObjectRef) -> Option<&Claim> {
        let called = self.scoped().claims.get(name);
        let object = |index: usize| &self.claims[index].object;
        let places = self.places_together(called, own, object);
        Some(&self.claims[*places.first()?])
    }

    /// The ResourceQuotas next to an object. Of several with one name, the nearest counts.
    pub fn quotas_beside(&self, own: &ObjectRef) -> Vec<&Quota> {
        let object = |index: usize| &self.quotas[index].object;
        let places = self.places_together(Some(&self.scoped().quotas), own, object);
        let quotas = places.into_iter().map(|index| &self.quotas[index]);
        self.nearest_beside(own, quotas, |one| &one.object)
    }

    /// The LimitRanges that belong together with an object, in the order of addition.
    pub fn limit_ranges_beside(&self, own: &ObjectRef) -> impl Iterator<Item = &LimitRange> {
        let object = |index: usize| &self.limit_ranges[index].object;
        let places = self.places_together(Some(&self.scoped().limit_ranges), own, object);
        let places = places.into_iter();
        places.map(|index| &self.limit_ranges[index])
    }

    fn places_together<'a>(
        &'a self,
        scopes: Option<&Scopes<Vec<usize>>>,
        own: &ObjectRef,
        object: impl Fn(usize) -> &'a ObjectRef,
    ) -> BTreeSet<usize> {
        let places = scopes
            .into_iter()
            .flat_map(|scopes| scopes.beside(&self.kustomize, own))
            .flatten()
            .copied();
        places
            .filter(|index| self.belong_together(object(*index), own))
            .collect()
    }

    /// Workloads of a name that may belong together with an object, and some that do not.
    pub(super) fn workloads_beside<'a>(
        &'a self,
        beside: &'a ObjectRef,
        name: &str,
    ) -> impl Iterator<Item = usize> {
        let few = self.indices_of_workloads(name);
        let few = (few.len() <= FEW).then_some(few).into_iter().flatten();
        // More than a few are collected once.
        let by_name = self.scoped().workloads.get(name).into_iter();
        let scopes = by_name.flat_map(|scopes| scopes.beside(&self.kustomize, beside));
        few.chain(scopes.flat_map(|called| &called.all)).copied()
    }
}

#[cfg(test)]
mod tests;
