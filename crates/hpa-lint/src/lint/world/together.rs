//! Which objects belong together, and which one a reference means.

use std::collections::BTreeMap;

use super::{TargetingHpa, Workload, World};
use crate::lint::{HpaSubject, Missing, ObjectRef, same_namespace};

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
        object: impl Fn(&T) -> &ObjectRef,
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
        target
            .zip(self.workload(other, group, kind, name))
            .is_none_or(|(one, other)| one.object == other.object)
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
                .filter_map(|name| self.workloads_by_name.get(name));
            indices.flatten().copied().find(|index| {
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
        // A manifest without a selector is a patch of one that has it.
        let is_partial = |workload: &Workload| {
            matches!(&*workload.group, "apps" | "extensions") && workload.selector.is_none()
        };
        let meant = self.indices_meant(beside, group, kind, name).into_iter();
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
        ranked.min().map(|(.., index)| index)
    }

    /// Why the target of an HPA is not known.
    pub fn target_not_found(&self, hpa: &HpaSubject) -> Missing {
        let target = &hpa.spec.scale_target;
        if target.kind.is_empty() || target.name.is_empty() {
            return Missing::Because("spec.scaleTargetRef has no kind or no name".to_owned());
        }
        let own = &hpa.manifest.object;
        let meant = self.indices_meant(own, hpa.target_group(), &target.kind, &target.name);
        if let Some(index) = meant.first() {
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

    fn indices_meant(&self, beside: &ObjectRef, group: &str, kind: &str, name: &str) -> Vec<usize> {
        let is_meant = |index: &usize| {
            let workload = &self.workloads[*index];
            workload.group == group
                && workload.object.kind == kind
                && (same_namespace(&workload.object.namespace, &beside.namespace)
                    || self.kustomize.unites_namespaces(beside, &workload.object))
        };
        self.candidates(&beside.namespace, name)
            .filter(is_meant)
            .collect()
    }

    /// Workloads of a name. Thousands of namespaces can contain the same one, so most other namespaces are left out;
    /// only a kustomization can unite two.
    fn candidates(&self, namespace: &str, name: &str) -> impl Iterator<Item = usize> {
        let is_anywhere = namespace.is_empty() || !self.kustomize.is_empty();
        let all = self.workloads_by_name.get(name).filter(|_| is_anywhere);
        let of = |namespace: &str| {
            let place = (name.to_owned(), namespace.to_owned());
            self.workloads_by_place.get(&place).filter(|_| !is_anywhere)
        };
        let indices = all.into_iter().chain(of(namespace)).chain(of(""));
        indices.flatten().copied()
    }
}

#[cfg(test)]
mod tests;
