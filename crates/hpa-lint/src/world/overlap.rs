//! HPAs whose pods another selector also matches.

use std::collections::BTreeMap;

use super::{TargetingHpa, Workload, World};
use crate::ObjectRef;

impl World {
    /// Workloads that belong together with an object, and whose selector matches pods with these labels, or whose pods the selector of
    /// `selecting` matches. Each comes with the HPAs in any namespace that target it.
    ///
    /// A run can query thousands of workloads for each of thousands of HPAs, so this does no lookup by name.
    pub fn scaled_among_pods<'a>(
        &'a self,
        beside: &'a ObjectRef,
        labels: &'a BTreeMap<String, String>,
        selecting: &'a Workload,
    ) -> impl Iterator<Item = (&'a Workload, impl Iterator<Item = &'a TargetingHpa>)> {
        let is_scaled = |index: &usize| !self.hpas_of_each()[*index].is_empty();
        let selectors = self.scoped().selectors.beside(&self.kustomize, beside);
        let selecting_them = selectors
            .flat_map(|some| some.candidates(labels))
            .filter(is_scaled)
            .filter(move |index| {
                let workload = &self.workloads[*index];
                workload.selects(labels)
                    && self.belong_together(beside, &workload.object)
                    && self.is_nearest_target(selecting, &workload.object)
            });
        let selected = self
            .indices_selected_by(beside, selecting)
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
            let mut hpas: Vec<Vec<usize>> = vec![Vec::new(); self.workloads.len()];
            for (index, hpa) in self.hpas.iter().enumerate() {
                if let Some(target) = self.index_of_target_of(hpa) {
                    hpas[target].push(index);
                }
            }
            hpas
        })
    }
}
