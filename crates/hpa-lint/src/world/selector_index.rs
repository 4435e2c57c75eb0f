//! Finds the selectors that match a set of labels without trying all of them.

use std::collections::BTreeMap;

/// Selectors indexed by one of their labels: only those that share a label with the query are tried.
///
/// A selector is indexed by its label with the fewest selectors so far, because labels such as
/// `app.kubernetes.io/managed-by` occur in all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelIndex {
    by_label: BTreeMap<String, BTreeMap<String, Vec<usize>>>,
    without_label: Vec<usize>,
}

impl LabelIndex {
    /// Adds a selector with these `matchLabels`.
    pub(super) fn add<'a>(
        &mut self,
        index: usize,
        match_labels: impl IntoIterator<Item = (&'a String, &'a String)>,
    ) {
        let rarest = match_labels
            .into_iter()
            .min_by_key(|(key, value)| self.with(key, value).len());
        match rarest {
            Some((key, value)) => {
                let by_value = self.by_label.entry(key.clone()).or_default();
                by_value.entry(value.clone()).or_default().push(index);
            }
            None => self.without_label.push(index),
        }
    }

    /// The selectors that may match these labels, unordered.
    pub(super) fn candidates<'a>(
        &'a self,
        labels: &'a BTreeMap<String, String>,
    ) -> impl Iterator<Item = usize> + 'a {
        let with = labels
            .iter()
            .flat_map(move |(key, value)| self.with(key, value));
        self.without_label.iter().chain(with).copied()
    }

    fn with(&self, key: &str, value: &str) -> &[usize] {
        let indices = self.by_label.get(key).and_then(|values| values.get(value));
        indices.map_or(&[][..], Vec::as_slice)
    }
}
