//! ReplicaSets between Deployments and their pods.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use hpa_engine::model::{ResourceQuota, Selector};
use hpa_objects::recording::wire::IntermediateOwner;

use super::pods::Name;

/// The ReplicaSets that own pods or cannot create any, by namespace.
#[derive(Debug, Default)]
pub(crate) struct Sets {
    namespaces: BTreeMap<String, NamespaceSets>,
    /// Whether a quota has refused pods of any of them so far.
    pub(crate) has_quota_refused: bool,
}

/// A ReplicaSet and its labels.
pub(crate) type Set = (BTreeMap<String, String>, IntermediateOwner);

#[derive(Debug, Default)]
struct NamespaceSets {
    all: BTreeMap<Rc<str>, Set>,
    /// Their names, by label and value. After a rollout, thousands of selectors each look at a few of them.
    by_label: BTreeMap<String, BTreeMap<String, BTreeSet<Rc<str>>>>,
}

impl Sets {
    /// Takes the current state of a ReplicaSet; `None` if it does not exist. Returns its labels if it changed.
    pub(crate) fn put(
        &mut self,
        (namespace, name): &Name,
        set: Option<Set>,
    ) -> Option<BTreeMap<String, String>> {
        let sets = self.namespaces.entry(namespace.clone()).or_default();
        if sets.all.get(&**name) == set.as_ref() {
            return None;
        }
        let before = sets.all.remove_entry(&**name);
        if let Some((name, (labels, _))) = &before {
            sets.leave(name, labels);
        }
        let Some((labels, set)) = set else {
            return before.map(|(_, (labels, _))| labels);
        };
        self.has_quota_refused |= is_refused(&set);
        let name = before.map_or_else(|| Rc::from(&**name), |(name, _)| name);
        sets.join(&name, &labels);
        sets.all.insert(name, (labels.clone(), set));
        Some(labels)
    }

    /// The ReplicaSets of a namespace that `selector` matches, by name.
    pub(crate) fn matching(&self, namespace: &str, selector: &Selector) -> Vec<IntermediateOwner> {
        let Some(sets) = self.namespaces.get(namespace) else {
            return Vec::new();
        };
        let with_label = |(key, value)| {
            let values = sets.by_label.get(key);
            values.and_then(|values| values.get(value))
        };
        let labels = selector.required_labels();
        let rarest = labels
            .map(with_label)
            .min_by_key(|names| names.map_or(0, BTreeSet::len));
        let candidates: Vec<&Set> = match rarest {
            Some(names) => {
                let names = names.into_iter().flatten();
                names.filter_map(|name| sets.all.get(name)).collect()
            }
            None => sets.all.values().collect(),
        };
        let matching = candidates
            .into_iter()
            .filter(|(labels, _)| selector.matches(labels));
        matching.map(|(_, set)| set.clone()).collect()
    }

    /// Namespace and labels of those whose pods a quota has refused.
    pub(crate) fn refused(&self) -> impl Iterator<Item = (&str, &BTreeMap<String, String>)> {
        let namespaces = self.namespaces.iter();
        namespaces.flat_map(|(namespace, sets)| {
            let refused = sets.all.values().filter(|(_, set)| is_refused(set));
            refused.map(move |(labels, _)| (namespace.as_str(), labels))
        })
    }
}

impl NamespaceSets {
    fn join(&mut self, name: &Rc<str>, labels: &BTreeMap<String, String>) {
        for (key, value) in labels {
            let values = self.by_label.entry(key.clone()).or_default();
            let names = values.entry(value.clone()).or_default();
            names.insert(Rc::clone(name));
        }
    }

    fn leave(&mut self, name: &Rc<str>, labels: &BTreeMap<String, String>) {
        for (key, value) in labels {
            let Some(values) = self.by_label.get_mut(key) else {
                continue;
            };
            if let Some(names) = values.get_mut(value) {
                names.remove(name);
                if names.is_empty() {
                    values.remove(value);
                }
            }
        }
    }
}

/// Whether a quota has refused its pods.
pub(super) fn is_refused(set: &IntermediateOwner) -> bool {
    let failure = set.failure.as_deref();
    failure.and_then(ResourceQuota::refusal_in).is_some()
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::{KubeVersion, label_selector::Wording};

    use super::*;

    fn put(sets: &mut Sets, name: &str, labels: &[(&str, &str)]) {
        let labels = labels
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        let set = IntermediateOwner {
            name: name.to_owned(),
            ..IntermediateOwner::default()
        };
        let name = ("shop".to_owned(), name.to_owned());
        sets.put(&name, Some((labels.collect(), set)));
    }

    fn names(sets: &Sets, selector: &str) -> Vec<String> {
        let selector = Selector::parse(selector, Wording::of(KubeVersion::NEWEST)).unwrap();
        let matching = sets.matching("shop", &selector).into_iter();
        matching.map(|set| set.name).collect()
    }

    #[test]
    fn selector_finds_the_sets_with_all_of_its_labels() {
        let mut sets = Sets::default();
        put(&mut sets, "web-2", &[("app", "web"), ("team", "shop")]);
        put(&mut sets, "db-1", &[("app", "db"), ("team", "shop")]);
        put(&mut sets, "web-1", &[("app", "web"), ("team", "shop")]);
        for (selector, found) in [
            ("app=web", &["web-1", "web-2"][..]),
            ("app=db,team=shop", &["db-1"]),
            ("team=shop", &["db-1", "web-1", "web-2"]),
            ("app in (db,web)", &["db-1", "web-1", "web-2"]),
            ("app!=db", &["web-1", "web-2"]),
            ("app=web,tier", &[]),
            ("app=cron", &[]),
        ] {
            assert_eq!(names(&sets, selector), found, "{selector}");
        }
        put(&mut sets, "web-2", &[("app", "cron")]);
        assert_eq!(names(&sets, "app=web"), ["web-1"]);
        assert_eq!(names(&sets, "app=cron"), ["web-2"]);
        let name = ("shop".to_owned(), "web-1".to_owned());
        let labels = sets.put(&name, None).unwrap();
        assert_eq!(labels["app"], "web");
        assert_eq!(names(&sets, "app=web"), [""; 0]);
        assert_eq!(names(&sets, "team=shop"), ["db-1"]);
        assert_eq!(sets.put(&name, None), None, "it was removed before");
    }
}
