//! Finds services, budgets, workloads and others by name or label, in the scopes of their files and namespaces.

use super::{
    TargetingHpa, World,
    scopes::{FEW, ScopedIndices, identity},
};
use crate::ObjectRef;

impl World {
    pub(super) fn scoped(&self) -> &ScopedIndices {
        self.scoped.get_or_init(|| ScopedIndices::of(self))
    }
}

impl ScopedIndices {
    fn of(world: &World) -> Self {
        let kustomize = &world.kustomize;
        let mut scoped = Self::default();
        for (index, service) in world.services.iter().enumerate() {
            let services = scoped.services.of(kustomize, &service.object);
            services.add(index, &service.selector);
        }
        for (index, budget) in world.budgets.iter().enumerate() {
            let budgets = scoped.budgets.of(kustomize, &budget.object);
            budgets.add(index, &budget.match_labels);
        }
        let by_name = world.hpas_by_name.by_name(&world.hpas, TargetingHpa::name);
        for indices in by_name.filter(|indices| FEW < indices.len()) {
            for index in indices {
                let object = &world.hpas[*index].object;
                let by_name = scoped.hpas.entry(object.name.clone()).or_default();
                by_name.of(kustomize, object).push(*index);
            }
        }
        for (index, claim) in world.claims.iter().enumerate() {
            let by_name = scoped.claims.entry(claim.object.name.clone()).or_default();
            by_name.of(kustomize, &claim.object).push(index);
        }
        for (index, quota) in world.quotas.iter().enumerate() {
            scoped.quotas.of(kustomize, &quota.object).push(index);
        }
        for (index, range) in world.limit_ranges.iter().enumerate() {
            let ranges = scoped.limit_ranges.of(kustomize, &range.object);
            ranges.push(index);
        }
        scoped.add_workloads(world);
        scoped
    }

    fn add_workloads(&mut self, world: &World) {
        let (kustomize, scoped) = (&world.kustomize, self);
        let mut by_object: Box<[usize]> = (0..world.workloads.len()).collect();
        by_object.sort_by_key(|index| (&world.workloads[*index].object, *index));
        scoped.by_object = by_object;
        for (index, workload) in world.workloads.iter().enumerate() {
            let object = &workload.object;
            let selectors = scoped.selectors.of(kustomize, object);
            let match_labels = workload.match_labels.iter();
            selectors.add(index, match_labels.map(|(key, value)| (key, value)));
            if let Ok(template) = workload.pod_template() {
                let templates = scoped.templates.of(kustomize, object);
                templates.add(index, &template.labels);
            }
            if world.indices_of_workloads(&object.name).len() <= FEW {
                continue;
            }
            let by_name = scoped.workloads.entry(object.name.clone()).or_default();
            let called = by_name.of(kustomize, object);
            called.all.push(index);
            let (group, kind) = (workload.group.clone(), object.kind.clone());
            let near = called
                .near
                .entry((group, kind, workload.selector.is_some()));
            near.or_default().add(kustomize, index, object);
            if workload.selector.is_some() {
                let copies = scoped.copies.entry(identity(workload)).or_default();
                copies.all.add(kustomize, index, object);
                let of_class = copies.by_class.entry(kustomize.class(object)).or_default();
                of_class.add(kustomize, index, object);
            }
        }
    }

    /// The first workload that is this object.
    pub(super) fn place(&self, world: &World, object: &ObjectRef) -> Option<usize> {
        let is_before = |index: &usize| world.workloads[*index].object < *object;
        let first = self.by_object.partition_point(is_before);
        let index = *self.by_object.get(first)?;
        (world.workloads[index].object == *object).then_some(index)
    }
}

#[cfg(test)]
mod tests;
