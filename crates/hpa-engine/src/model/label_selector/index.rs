//! Finds the selectors that match given labels without trying each of many.

use std::collections::BTreeMap;

use super::Selector;

/// Selectors, indexed by one of the labels that each requires.
#[derive(Clone, Debug, Default)]
pub struct SelectorIndex {
    selectors: Vec<Selector>,
    by_label: BTreeMap<String, BTreeMap<String, Vec<usize>>>,
    without_label: Vec<usize>,
}

impl SelectorIndex {
    /// An index of `selectors`, which are identified by their positions.
    pub fn new(selectors: Vec<Selector>) -> Self {
        let mut with_label: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for label in selectors.iter().flat_map(Selector::required_labels) {
            *with_label.entry(label).or_default() += 1;
        }
        let mut by_label: BTreeMap<String, BTreeMap<String, Vec<usize>>> = BTreeMap::new();
        let mut without_label = Vec::new();
        for (place, selector) in selectors.iter().enumerate() {
            // Labels such as `app.kubernetes.io/managed-by` occur in all selectors.
            let rarest = selector
                .required_labels()
                .min_by_key(|label| with_label[label]);
            match rarest {
                Some((key, value)) => by_label
                    .entry(key.to_owned())
                    .or_default()
                    .entry(value.to_owned())
                    .or_default()
                    .push(place),
                None => without_label.push(place),
            }
        }
        Self {
            selectors,
            by_label,
            without_label,
        }
    }

    /// The positions of the selectors that match `labels`, in order.
    pub fn matching(&self, labels: &BTreeMap<String, String>) -> Vec<usize> {
        let with_label = labels
            .iter()
            .filter_map(|(key, value)| self.by_label.get(key)?.get(value));
        let candidates = with_label.flatten().chain(&self.without_label);
        let mut places: Vec<usize> = candidates
            .copied()
            .filter(|place| self.selectors[*place].matches(labels))
            .collect();
        places.sort_unstable();
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{KubeVersion, label_selector::Wording};

    #[test]
    fn the_index_finds_what_trying_all_selectors_finds() {
        let texts = [
            "",
            "app=web",
            "app=web,tier=front",
            "app in (web,api)",
            "tier in (front)",
            "tier!=front",
            "!app",
            "app==api,tier",
            "level>3",
        ];
        let wording = Wording::of(KubeVersion::NEWEST);
        let selectors = texts.map(|text| Selector::parse(text, wording).unwrap());
        let index = SelectorIndex::new(selectors.to_vec());
        for app in [None, Some("web"), Some("api"), Some("other")] {
            for tier in [None, Some("front"), Some("back")] {
                let all = [("app", app), ("tier", tier), ("level", Some("4"))];
                let labels: BTreeMap<String, String> = all
                    .into_iter()
                    .filter_map(|(key, value)| Some((key.to_owned(), value?.to_owned())))
                    .collect();
                let tried: Vec<usize> = (0..selectors.len())
                    .filter(|place| selectors[*place].matches(&labels))
                    .collect();
                assert_eq!(index.matching(&labels), tried, "{labels:?}");
            }
        }
    }
}
