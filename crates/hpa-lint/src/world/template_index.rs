//! Finds the pod templates that a selector matches without trying all of them.

use std::collections::BTreeMap;

/// Workloads indexed by the labels of their pods.
#[derive(Clone, Debug, Default)]
pub(super) struct TemplateIndex {
    by_label: BTreeMap<String, BTreeMap<String, Vec<usize>>>,
    all: Vec<usize>,
}

impl TemplateIndex {
    /// Adds a workload whose pods have these labels.
    pub(super) fn add(&mut self, index: usize, labels: &BTreeMap<String, String>) {
        self.all.push(index);
        for (key, value) in labels {
            let by_value = self.by_label.entry(key.clone()).or_default();
            by_value.entry(value.clone()).or_default().push(index);
        }
    }

    /// The workloads whose pods may match a selector with these `matchLabels`: those with its rarest label, or all
    /// of them if it has none.
    pub(super) fn candidates(
        &self,
        match_labels: &[(String, String)],
    ) -> impl Iterator<Item = usize> {
        let with_label = |(key, value): &(String, String)| {
            let with_key = self.by_label.get(key);
            let with_label = with_key.and_then(|values| values.get(value));
            with_label.map_or(&[][..], Vec::as_slice)
        };
        let rarest = match_labels
            .iter()
            .map(with_label)
            .min_by_key(|some| some.len());
        rarest.unwrap_or(&self.all).iter().copied()
    }
}
