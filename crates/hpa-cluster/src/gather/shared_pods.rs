//! One list of pods and one of usages for all HPAs of a namespace.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    sync::Arc,
};

use futures::future;
use hpa_engine::model::{ApiError, Selector, Shared, label_selector::SelectorIndex};
use hpa_objects::recording::{
    Snapshot,
    wire::{self, Hpa, NotRead, Pod, PodMetrics},
};

use super::conditional::when;
use crate::{
    client::Client,
    metrics::{MetricReading, MetricsReader, needs_pod_metrics},
    pods,
};

/// The selectors of the HPAs of a namespace.
#[derive(Default)]
pub(super) struct PodSelectors {
    index: SelectorIndex,
    places: BTreeMap<String, usize>,
}

impl PodSelectors {
    /// The selectors of HPAs, one for each HPA.
    pub(super) fn new(of_hpas: impl IntoIterator<Item = Selector>) -> Self {
        let mut distinct = Vec::new();
        let mut selectors = Self::default();
        for selector in of_hpas {
            if let Entry::Vacant(entry) = selectors.places.entry(selector.to_string()) {
                entry.insert(distinct.len());
                distinct.push(selector);
            }
        }
        selectors.index = SelectorIndex::new(distinct);
        selectors
    }

    /// The distinct selectors, as text.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.places.keys().map(String::as_str)
    }

    /// The distinct selectors, by index.
    pub(super) fn texts_by_place(&self) -> Vec<&str> {
        let mut texts = vec![""; self.places.len()];
        for (text, place) in &self.places {
            texts[*place] = text;
        }
        texts
    }

    /// The indexes of the selectors that match these labels.
    pub(super) fn matching(&self, labels: &BTreeMap<String, String>) -> Vec<usize> {
        self.index.matching(labels)
    }

    /// The index of a selector.
    pub(super) fn place(&self, selector: &Selector) -> Option<usize> {
        self.places.get(&selector.to_string()).copied()
    }
}

/// Usages, and the API's error.
type UsageAnswer = (PodShares<Arc<PodMetrics>>, Option<ApiError>);

/// Pods and usages of a namespace, shared by several HPAs.
pub(super) struct SharedPods {
    selectors: PodSelectors,
    pods: Result<PodShares<Arc<Pod>>, NotRead>,
    usages: Option<Result<UsageAnswer, NotRead>>,
}

impl SharedPods {
    /// Reads all pods of the namespace, and their usages if one of `hpas` needs them.
    pub(super) async fn read(
        client: &Client,
        reader: &MetricsReader<'_>,
        hpas: &[&Hpa],
        selectors: PodSelectors,
    ) -> Self {
        let needs_usages = hpas.iter().any(|hpa| needs_pod_metrics(hpa));
        let (pods, usages) = future::join(
            pods::read(client, reader.namespace, ""),
            when(needs_usages, reader.pod_metrics("")),
        )
        .await;
        Self::of(selectors, pods, usages)
    }

    /// Built from data that was already read.
    pub(super) fn of(
        selectors: PodSelectors,
        pods: Result<Vec<Arc<Pod>>, NotRead>,
        usages: Option<MetricReading<Arc<PodMetrics>>>,
    ) -> Self {
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let is_nameless = |usage: &Arc<PodMetrics>| usage.metadata.labels.is_empty();
        let has_nameless =
            matches!(&usages, Some(Ok(answer)) if answer.items.iter().any(is_nameless));
        if has_nameless && let Ok(pods) = &pods {
            for pod in pods {
                let places = selectors.matching(&pod.metadata.labels);
                by_name.insert(pod.metadata.name.clone(), places);
            }
        }
        let pods = pods.map(|pods| {
            PodShares::new(pods, &selectors, |pod| {
                selectors.matching(&pod.metadata.labels)
            })
        });
        let usages = usages.map(|answer| {
            let answer = answer?;
            let shares = PodShares::new(answer.items.into_vec(), &selectors, |usage| {
                // Some servers of this API omit labels.
                if is_nameless(usage) {
                    let places = by_name.get(&usage.metadata.name);
                    places.cloned().unwrap_or_default()
                } else {
                    selectors.matching(&usage.metadata.labels)
                }
            });
            Ok((shares, answer.error))
        });
        Self {
            selectors,
            pods,
            usages,
        }
    }

    /// Adds the HPA's part of the namespace's data to its snapshot.
    pub(super) fn share(&self, selector: &Selector, snapshot: &mut Snapshot) {
        let place = self.selectors.place(selector);
        match &self.pods {
            Ok(pods) => snapshot.pods = pods.of(place),
            Err(not_read) => snapshot.not_read.push(not_read.clone()),
        }
        match &self.usages {
            Some(Ok((usages, error))) if needs_pod_metrics(&snapshot.hpa) => {
                snapshot.pod_metrics = Some(wire::Answer {
                    items: usages.of(place),
                    error: error.clone(),
                });
            }
            Some(Err(not_read)) => snapshot.not_read.push(not_read.clone()),
            _ => {}
        }
    }
}

/// The objects of each selector, in list order. HPAs with the same selector share them.
struct PodShares<T>(Vec<Shared<T>>);

impl<T: Clone> PodShares<T> {
    fn new(items: Vec<T>, selectors: &PodSelectors, places: impl Fn(&T) -> Vec<usize>) -> Self {
        let mut of_selectors = vec![Vec::new(); selectors.places.len()];
        for item in items {
            let places = places(&item);
            // Among tens of thousands of pods hardly any is selected twice.
            let Some((last, others)) = places.split_last() else {
                continue;
            };
            for place in others {
                of_selectors[*place].push(item.clone());
            }
            of_selectors[*last].push(item);
        }
        Self(of_selectors.into_iter().map(Shared::from).collect())
    }

    fn of(&self, place: Option<usize>) -> Shared<T> {
        place.map(|place| self.0[place].clone()).unwrap_or_default()
    }
}
