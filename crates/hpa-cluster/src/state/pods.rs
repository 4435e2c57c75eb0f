//! Pods, and which HPAs select them. The index avoids a walk through all pods and selectors whenever a pod changes or
//! an HPA is read.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
    rc::Rc,
    sync::Arc,
};

use hpa_engine::model::{HpaKey, Labels, Selector, Shared};
use hpa_objects::recording::wire::Pod;

/// Namespace and name; the namespace is empty for cluster-scoped objects.
pub(crate) type Name = (String, String);

/// A selector in its canonical form.
pub(crate) type SelectorText = Rc<str>;

/// All pods of the watched namespaces.
#[derive(Debug, Default)]
pub(crate) struct Pods {
    namespaces: BTreeMap<String, NamespacePods>,
}

#[derive(Debug, Default)]
struct NamespacePods {
    pods: BTreeMap<Rc<str>, PodEntry>,
    selectors: Selectors,
    /// The selector of each HPA.
    of_hpa: BTreeMap<String, SelectorText>,
    /// Whether there are selectors that were not compared with the pods yet.
    is_stale: bool,
}

#[derive(Debug)]
struct PodEntry {
    pod: Arc<Pod>,
    /// The selectors that match it.
    selectors: Vec<SelectorText>,
}

/// The selectors of a namespace's HPAs.
#[derive(Debug, Default)]
struct Selectors {
    all: BTreeMap<SelectorText, Selecting>,
    /// Selectors that require one value of a label, by label and value: of several labels, by the rarest so far.
    by_label: BTreeMap<String, BTreeMap<String, BTreeSet<SelectorText>>>,
    /// The other selectors.
    rest: BTreeSet<SelectorText>,
}

#[derive(Debug)]
struct Selecting {
    selector: Selector,
    hpas: BTreeSet<String>,
    pods: BTreeSet<Rc<str>>,
    /// The matched pods, cached from the first request until one of them changes.
    shared: OnceCell<Shared<Arc<Pod>>>,
}

impl Pods {
    /// Takes the current state of a pod. Returns the HPAs that select it or selected it before, if it changed.
    pub(crate) fn put(&mut self, (namespace, name): Name, pod: Arc<Pod>) -> BTreeSet<HpaKey> {
        let of_namespace = self.namespaces.entry(namespace.clone()).or_default();
        let before = of_namespace.pods.get(&*name);
        if before.is_some_and(|before| before.pod == pod) {
            return BTreeSet::new();
        }
        let selectors = of_namespace.selectors.matching(&pod.metadata.labels);
        let texts: BTreeSet<SelectorText> = before
            .into_iter()
            .flat_map(|before| &before.selectors)
            .chain(&selectors)
            .cloned()
            .collect();
        of_namespace.put(&name, pod, selectors);
        of_namespace.hpas(&namespace, &texts)
    }

    /// Takes a pod of a list of the namespace `listed` (empty: of all) if an HPA selects it.
    pub(crate) fn put_selected(&mut self, listed: &str, pod: Arc<Pod>) {
        let namespace = pod.metadata.namespace.as_deref().unwrap_or(listed);
        if let Some(of_namespace) = self.namespaces.get_mut(namespace) {
            let selectors = of_namespace.selectors.matching(&pod.metadata.labels);
            if !selectors.is_empty() {
                let name = pod.metadata.name.clone();
                of_namespace.put(&name, pod, selectors);
            }
        }
    }

    /// Removes all pods.
    pub(crate) fn clear(&mut self) {
        for of_namespace in self.namespaces.values_mut() {
            of_namespace.pods.clear();
            of_namespace.compare_all();
        }
    }

    /// Removes a pod. Returns the HPAs that selected it.
    pub(crate) fn remove(&mut self, (namespace, name): &Name) -> BTreeSet<HpaKey> {
        let Some(of_namespace) = self.namespaces.get_mut(namespace) else {
            return BTreeSet::new();
        };
        of_namespace.move_pod(&name.as_str().into(), &[]);
        let Some(entry) = of_namespace.pods.remove(name.as_str()) else {
            return BTreeSet::new();
        };
        of_namespace.hpas(namespace, &entry.selectors.into_iter().collect())
    }

    /// Sets the selector of an HPA; `None`: it selects nothing.
    pub(crate) fn select(&mut self, hpa: &HpaKey, selector: Option<Selector>) {
        let of_namespace = self.namespaces.entry(hpa.namespace.clone()).or_default();
        let text: Option<SelectorText> = selector.as_ref().map(|one| one.to_string().into());
        let before = of_namespace.of_hpa.get(&hpa.name);
        if before == text.as_ref() {
            return;
        }
        if let Some(before) = before.cloned() {
            of_namespace.of_hpa.remove(&hpa.name);
            of_namespace.selectors.leave(&before, &hpa.name);
        }
        if let (Some(text), Some(selector)) = (text, selector) {
            of_namespace
                .of_hpa
                .insert(hpa.name.clone(), Rc::clone(&text));
            of_namespace.is_stale |= of_namespace.selectors.join(text, selector, &hpa.name);
        }
    }

    /// Compares new selectors with the existing pods. Must be called before any query.
    pub(crate) fn settle(&mut self) {
        for namespace in self.namespaces.values_mut() {
            if std::mem::take(&mut namespace.is_stale) {
                namespace.compare_all();
            }
        }
    }

    /// The pods that `selector`, a selector of one of the HPAs, matches. Calls share the same list until one of the
    /// pods changes.
    pub(crate) fn selected(&self, namespace: &str, selector: &str) -> Shared<Arc<Pod>> {
        let Some(of_namespace) = self.namespaces.get(namespace) else {
            return Shared::default();
        };
        let Some(selecting) = of_namespace.selectors.all.get(selector) else {
            return Shared::default();
        };
        let pods = || {
            let names = selecting.pods.iter();
            names
                .filter_map(|name| Some(Arc::clone(&of_namespace.pods.get(name)?.pod)))
                .collect()
        };
        selecting.shared.get_or_init(pods).clone()
    }

    /// The labels of a pod.
    pub(crate) fn labels(&self, namespace: &str, name: &str) -> Option<&Labels> {
        let entry = self.namespaces.get(namespace)?.pods.get(name)?;
        Some(&entry.pod.metadata.labels)
    }

    /// The HPAs that select one of the pods that `selector` matches.
    pub(crate) fn sharing(&self, namespace: &str, selector: &str) -> BTreeSet<&str> {
        let Some(of_namespace) = self.namespaces.get(namespace) else {
            return BTreeSet::new();
        };
        let all = &of_namespace.selectors.all;
        let pods = all
            .get(selector)
            .into_iter()
            .flat_map(|selecting| &selecting.pods);
        let texts: BTreeSet<&SelectorText> = pods
            .filter_map(|name| of_namespace.pods.get(name))
            .flat_map(|entry| &entry.selectors)
            .collect();
        texts
            .into_iter()
            .filter_map(|text| all.get(text))
            .flat_map(|selecting| &selecting.hpas)
            .map(String::as_str)
            .collect()
    }

    /// The selectors of the namespace's HPAs that match `labels`.
    pub(crate) fn matching(
        &self,
        namespace: &str,
        labels: &BTreeMap<String, String>,
    ) -> Vec<SelectorText> {
        self.namespaces
            .get(namespace)
            .map(|of_namespace| of_namespace.selectors.matching(labels))
            .unwrap_or_default()
    }

    /// The HPAs with one of these selectors.
    pub(crate) fn hpas(&self, namespace: &str, texts: &BTreeSet<SelectorText>) -> BTreeSet<HpaKey> {
        self.namespaces
            .get(namespace)
            .map(|of_namespace| of_namespace.hpas(namespace, texts))
            .unwrap_or_default()
    }

    /// All selectors of the namespace's HPAs.
    pub(crate) fn selectors(&self, namespace: &str) -> impl Iterator<Item = &SelectorText> {
        let of_namespace = self.namespaces.get(namespace);
        of_namespace
            .into_iter()
            .flat_map(|of_namespace| of_namespace.selectors.all.keys())
    }
}

impl NamespacePods {
    fn put(&mut self, name: &str, mut pod: Arc<Pod>, selectors: Vec<SelectorText>) {
        let known = self.pods.get_key_value(name);
        let like_it = known.map(|(_, entry)| entry);
        if let Some(like_it) = like_it.or_else(|| self.next_to(name)) {
            share_template(Arc::make_mut(&mut pod), &like_it.pod);
        }
        // One text for the maps of all selectors.
        let name = known.map_or_else(|| Rc::from(name), |(name, _)| Rc::clone(name));
        self.move_pod(&name, &selectors);
        self.pods.insert(name, PodEntry { pod, selectors });
    }

    /// The pod that precedes it by name: often it has the same template.
    fn next_to(&self, name: &str) -> Option<&PodEntry> {
        let before = (Bound::Unbounded, Bound::Excluded(name));
        self.pods
            .range::<str, _>(before)
            .next_back()
            .map(|(_, entry)| entry)
    }

    /// Lists the pod under exactly the selectors that match it now.
    fn move_pod(&mut self, name: &Rc<str>, selectors: &[SelectorText]) {
        let before = self.pods.get(name).map(|entry| &entry.selectors);
        for text in before.into_iter().flatten() {
            if let Some(selecting) = self.selectors.all.get_mut(text) {
                selecting.pods.remove(name);
                selecting.shared.take();
            }
        }
        for text in selectors {
            if let Some(selecting) = self.selectors.all.get_mut(text) {
                selecting.pods.insert(Rc::clone(name));
                selecting.shared.take();
            }
        }
    }

    fn compare_all(&mut self) {
        for selecting in self.selectors.all.values_mut() {
            selecting.pods.clear();
            selecting.shared.take();
        }
        for (name, entry) in &mut self.pods {
            entry.selectors = self.selectors.matching(&entry.pod.metadata.labels);
            for text in &entry.selectors {
                if let Some(selecting) = self.selectors.all.get_mut(text) {
                    selecting.pods.insert(Rc::clone(name));
                }
            }
        }
    }

    fn hpas(&self, namespace: &str, texts: &BTreeSet<SelectorText>) -> BTreeSet<HpaKey> {
        texts
            .iter()
            .filter_map(|text| self.selectors.all.get(text))
            .flat_map(|selecting| &selecting.hpas)
            .map(|name| HpaKey {
                namespace: namespace.to_owned(),
                name: name.clone(),
            })
            .collect()
    }
}

impl Selectors {
    /// Adds an HPA with this selector. Returns whether the selector is new.
    fn join(&mut self, text: SelectorText, selector: Selector, hpa: &str) -> bool {
        if let Some(selecting) = self.all.get_mut(&text) {
            selecting.hpas.insert(hpa.to_owned());
            return false;
        }
        // Labels such as `app.kubernetes.io/managed-by` occur in all selectors.
        let others = |(key, value): &(&str, &str)| {
            let others = self
                .by_label
                .get(*key)
                .and_then(|values| values.get(*value));
            others.map_or(0, BTreeSet::len)
        };
        let place = match selector.required_labels().min_by_key(others) {
            Some((key, value)) => self
                .by_label
                .entry(key.to_owned())
                .or_default()
                .entry(value.to_owned())
                .or_default(),
            None => &mut self.rest,
        };
        place.insert(Rc::clone(&text));
        let selecting = Selecting {
            selector,
            hpas: BTreeSet::from([hpa.to_owned()]),
            pods: BTreeSet::new(),
            shared: OnceCell::new(),
        };
        self.all.insert(text, selecting);
        true
    }

    /// Removes an HPA, and its selector if no other HPA has it.
    fn leave(&mut self, text: &SelectorText, hpa: &str) {
        let Some(selecting) = self.all.get_mut(text) else {
            return;
        };
        selecting.hpas.remove(hpa);
        if !selecting.hpas.is_empty() {
            return;
        }
        for (key, value) in selecting.selector.required_labels() {
            let values = self.by_label.get_mut(key);
            if let Some(place) = values.and_then(|values| values.get_mut(value)) {
                place.remove(text);
            }
        }
        self.rest.remove(text);
        self.all.remove(text);
    }

    fn matching(&self, labels: &BTreeMap<String, String>) -> Vec<SelectorText> {
        let by_label = labels
            .iter()
            .filter_map(|(key, value)| self.by_label.get(key)?.get(value))
            .flatten();
        let mut matching: Vec<SelectorText> = by_label
            .chain(&self.rest)
            .filter(|text| {
                self.all
                    .get(*text)
                    .is_some_and(|selecting| selecting.selector.matches(labels))
            })
            .cloned()
            .collect();
        // Kept for each pod.
        matching.shrink_to_fit();
        matching
    }
}

/// Shares the data that a pod has in common with another one: with thousands of pods, that is most of it.
fn share_template(pod: &mut Pod, other: &Pod) {
    if pod.metadata.labels == other.metadata.labels {
        pod.metadata.labels = Labels::clone(&other.metadata.labels);
    }
    if pod.spec == other.spec {
        pod.spec = Arc::clone(&other.spec);
    }
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::{KubeVersion, label_selector::Wording};

    use super::*;

    fn hpa(name: &str) -> HpaKey {
        HpaKey {
            namespace: "shop".to_owned(),
            name: name.to_owned(),
        }
    }

    fn select(pods: &mut Pods, name: &str, text: &str) {
        let selector = Selector::parse(text, Wording::of(KubeVersion::NEWEST)).unwrap();
        pods.select(&hpa(name), Some(selector));
    }

    fn put(pods: &mut Pods, name: &str, app: &str) -> Vec<String> {
        let mut pod = Pod::default();
        pod.metadata.name = name.to_owned();
        pod.metadata.labels = BTreeMap::from([("app".to_owned(), app.to_owned())]).into();
        let hpas = pods.put(("shop".to_owned(), name.to_owned()), pod.into());
        hpas.into_iter().map(|hpa| hpa.name).collect()
    }

    fn names(pods: &Pods, selector: &str) -> Vec<String> {
        let selected = pods.selected("shop", selector);
        selected
            .iter()
            .map(|pod| pod.metadata.name.clone())
            .collect()
    }

    #[test]
    fn pods_belong_to_the_hpas_that_select_them_whatever_comes_first() {
        let mut pods = Pods::default();
        put(&mut pods, "early", "web");
        select(&mut pods, "web", "app=web");
        select(&mut pods, "all", "app");
        pods.settle();
        assert_eq!(put(&mut pods, "late", "web"), ["all", "web"]);
        assert_eq!(
            put(&mut pods, "late", "web"),
            [""; 0],
            "nothing of it is new"
        );
        assert_eq!(put(&mut pods, "other", "db"), ["all"]);
        assert_eq!(names(&pods, "app=web"), ["early", "late"]);
        assert_eq!(names(&pods, "app"), ["early", "late", "other"]);
        let sharing = pods.sharing("shop", "app=web");
        assert_eq!(sharing, BTreeSet::from(["all", "web"]));
    }

    #[test]
    fn pods_of_one_template_share_what_they_have_in_common() {
        let mut pods = Pods::default();
        select(&mut pods, "web", "app=web");
        pods.settle();
        put(&mut pods, "one", "web");
        put(&mut pods, "two", "web");
        let selected = pods.selected("shop", "app=web");
        let [one, two] = &selected[..] else {
            panic!("{selected:?}");
        };
        assert!(Arc::ptr_eq(&one.metadata.labels, &two.metadata.labels));
        assert!(Arc::ptr_eq(&one.spec, &two.spec));
    }

    #[test]
    fn pod_with_a_new_label_leaves_one_hpa_for_another_and_reports_both() {
        let mut pods = Pods::default();
        select(&mut pods, "web", "app=web");
        select(&mut pods, "db", "app in (db)");
        pods.settle();
        put(&mut pods, "one", "web");
        assert_eq!(put(&mut pods, "one", "db"), ["db", "web"]);
        assert_eq!(names(&pods, "app=web"), [""; 0]);
        assert_eq!(names(&pods, "app in (db)"), ["one"]);
        let deleted = pods.remove(&("shop".to_owned(), "one".to_owned()));
        assert_eq!(deleted, BTreeSet::from([hpa("db")]));
    }

    #[test]
    fn of_a_list_only_pods_that_an_hpa_selects_are_kept_until_it_starts_again() {
        let mut pods = Pods::default();
        // The second has its own label, as `team` is that of both.
        select(&mut pods, "web", "app=web,team=shop");
        select(&mut pods, "db", "app=db,team=shop");
        pods.settle();
        for (name, app) in [("one", "db"), ("two", "web"), ("other", "cron")] {
            let mut pod = Pod::default();
            pod.metadata.name = name.to_owned();
            let labels = [("app", app), ("team", "shop")];
            let labels = labels.map(|(key, value)| (key.to_owned(), value.to_owned()));
            pod.metadata.labels = BTreeMap::from(labels).into();
            pods.put_selected("shop", pod.clone().into());
            pods.put_selected("elsewhere", pod.into());
        }
        assert_eq!(names(&pods, "app=web,team=shop"), ["two"]);
        assert_eq!(names(&pods, "app=db,team=shop"), ["one"]);
        assert!(pods.labels("shop", "other").is_none());
        pods.select(&hpa("web"), None);
        assert_eq!(put(&mut pods, "three", "web"), [""; 0]);
        pods.clear();
        assert_eq!(names(&pods, "app=db,team=shop"), [""; 0]);
    }

    #[test]
    fn selector_that_no_pod_has_any_more_selects_nothing() {
        let mut pods = Pods::default();
        select(&mut pods, "web", "app=web");
        pods.settle();
        put(&mut pods, "one", "web");
        select(&mut pods, "web", "app=db");
        pods.settle();
        assert_eq!(names(&pods, "app=web"), [""; 0]);
        assert_eq!(put(&mut pods, "two", "web"), [""; 0]);
        assert_eq!(put(&mut pods, "three", "db"), ["web"]);
    }
}
