//! The HPAs that others of the namespace can conflict with.

use hpa_engine::model::{HpaKey, Neighbors};
use hpa_objects::recording::wire::OtherHpa;

use super::cluster_state::ClusterState;
use crate::{other_hpas::is_remembered, target};

impl ClusterState {
    /// The remembered HPAs that select pods of a selector, sorted by name.
    pub(crate) fn others(&self, namespace: &str, selector: &str) -> Neighbors<OtherHpa> {
        let sharing = self.pods.sharing(namespace, selector).into_iter();
        sharing
            .map(|name| HpaKey {
                namespace: namespace.to_owned(),
                name: name.to_owned(),
            })
            .filter(|other| self.is_remembered(other))
            .filter_map(|other| {
                let target = target::key(&self.hpas.get(&other)?.hpa)?;
                let scale = self.targets.scale(&target)?;
                self.hpas.other(&other, &scale.status.selector)
            })
            .collect()
    }

    /// The remembered HPAs whose selector is not known, sorted by name.
    pub(crate) fn unknown(&self, namespace: &str) -> Vec<String> {
        let first = HpaKey {
            namespace: namespace.to_owned(),
            name: String::new(),
        };
        let of_namespace = self.unknown.range(first..);
        let of_namespace = of_namespace.take_while(|one| one.namespace == namespace);
        let remembered = of_namespace.filter(|one| self.is_remembered(one));
        remembered.map(|one| one.name.clone()).collect()
    }

    fn is_remembered(&self, key: &HpaKey) -> bool {
        let since = self.plane.leader_since();
        let hpa = self.hpas.get(key);
        hpa.is_some_and(|one| is_remembered(&one.hpa, since))
    }
}
