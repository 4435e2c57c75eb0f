//! HPAs whose pods another selector also matches.

use std::collections::BTreeMap;

use super::{TargetingHpa, Workload, World};
use crate::lint::same_namespace;

impl World {
    /// Workloads in the namespace whose selector matches pods with these labels, or whose pods the selector of
    /// `selecting` matches. Each comes with the HPAs in any namespace that target it.
    ///
    /// A run can query thousands of workloads for each of thousands of HPAs, so this does no lookup by name.
    pub fn scaled_among_pods<'a>(
        &'a self,
        namespace: &'a str,
        labels: &'a BTreeMap<String, String>,
        selecting: &'a Workload,
    ) -> impl Iterator<Item = (&'a Workload, impl Iterator<Item = &'a TargetingHpa>)> {
        let is_scaled = |index: &usize| !self.hpas_of_each()[*index].is_empty();
        let selecting_them = self
            .workloads_by_selector
            .candidates(labels)
            .filter(is_scaled)
            .filter(move |index| {
                let workload = &self.workloads[*index];
                same_namespace(&workload.object.namespace, namespace) && workload.selects(labels)
            });
        let selected = self
            .indices_selected_by(namespace, selecting)
            .filter(is_scaled)
            .filter(move |index| !self.workloads[*index].selects(labels));
        selecting_them.chain(selected).map(|index| {
            let hpas = self.hpas_of_each()[index].iter();
            (&self.workloads[index], hpas.map(|hpa| &self.hpas[*hpa]))
        })
    }

    /// The HPAs that target each of the workloads.
    fn hpas_of_each(&self) -> &[Vec<usize>] {
        self.hpas_by_workload.get_or_init(|| {
            let names_it = |workload: &Workload, hpa: &TargetingHpa| {
                hpa.target_group == workload.group && hpa.target_kind == workload.object.kind
            };
            let hpas_of = |workload: &Workload| {
                let indices = self.hpas_by_target.get(&workload.object.name);
                let indices = indices.into_iter().flatten().copied();
                indices
                    .filter(|index| names_it(workload, &self.hpas[*index]))
                    .collect()
            };
            self.workloads.iter().map(hpas_of).collect()
        })
    }
}
