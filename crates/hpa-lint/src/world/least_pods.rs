//! How many pods a PodDisruptionBudget selects while all HPAs are at `minReplicas`.

use std::collections::{BTreeMap, BTreeSet};

use hpa_objects::recording::group_of;

use super::{BudgetObject, Workload, World};
use crate::ObjectRef;

impl World {
    /// Number of pods that a budget selects besides those of `own`, from known workloads. Upstream:
    /// `getExpectedPodCount` of the disruption controller, which counts the pods of all workloads that the budget
    /// selects.
    pub fn least_pods_beside(&self, own: &Workload, budget: &BudgetObject) -> i32 {
        let by_budget = self
            .least_pods_by_budget
            .get_or_init(|| self.least_pods_by_budget());
        let all = by_budget.get(&budget.object).copied().unwrap_or(0);
        all.saturating_sub(self.least_pods_of(own)).max(0)
    }

    /// Computed for all budgets in one pass over the workloads, because one budget may select them all.
    fn least_pods_by_budget(&self) -> BTreeMap<ObjectRef, i32> {
        let mut counted = BTreeSet::new();
        let mut least: BTreeMap<ObjectRef, i32> = BTreeMap::new();
        let workloads = self.workloads.iter();
        for workload in workloads.filter(|one| !self.is_made_by_another(one)) {
            let Ok(template) = workload.pod_template() else {
                continue;
            };
            let object = &workload.object;
            for budget in self.budgets_selecting(object, workload, &template.labels) {
                // Files may contain the same object several times.
                let id = (
                    &workload.group,
                    &object.kind,
                    &object.namespace,
                    &object.name,
                );
                if counted.insert((&budget.object, id)) {
                    let sum = least.entry(budget.object.clone()).or_default();
                    *sum = sum.saturating_add(self.least_pods_of(workload));
                }
            }
        }
        least
    }

    /// The lowest number that its HPA or ScaledObject allows, or else `spec.replicas`.
    fn least_pods_of(&self, workload: &Workload) -> i32 {
        // If an Argo Rollout uses the workload's template, the pods are the Rollout's.
        let scaled = self.borrower_of(workload).unwrap_or(workload);
        let (object, group) = (&scaled.object, &scaled.group);
        let target = (group.as_str(), object.kind.as_str(), object.name.as_str());
        let of_hpas = self.target_group(object, target, None).most_min();
        let of_keda = self.most_min_of_keda(object, target);
        let least = of_hpas.max(of_keda);
        least.unwrap_or_else(|| match &**group {
            // Jobs are temporary.
            "batch" => 0,
            _ => scaled.replicas.unwrap_or(1).max(0),
        })
    }

    fn borrower_of(&self, workload: &Workload) -> Option<&Workload> {
        let kind = &workload.object.kind;
        let mut borrowers = self.workloads_referring_to(&workload.object.name);
        borrowers.find(|one| {
            let reference = one.workload_ref.as_ref();
            reference.is_some_and(|(of_kind, _)| of_kind == kind)
                && self.belong_together(&one.object, &workload.object)
        })
    }

    /// Whether its pods belong to its owner, which is also known.
    fn is_made_by_another(&self, workload: &Workload) -> bool {
        let mut owners = workload.owners.iter();
        let owner = owners.find(|owner| owner.is_controller);
        owner.is_some_and(|owner| {
            let group = group_of(&owner.api_version);
            self.workload(&workload.object, group, &owner.kind, &owner.name)
                .is_some()
        })
    }
}
