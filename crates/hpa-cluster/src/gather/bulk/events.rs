//! The Events of HPAs, where they can show what the HPAs themselves do not.
//!
//! An API server does not cache Events: each list of a namespace reads all of its Events from etcd. So only those of HPAs
//! that were rescaled within the longest window, or that fail, are read.

use std::collections::{BTreeMap, BTreeSet};

use futures::future;
use jiff::{SignedDuration, Timestamp};

use super::Gathering;
use crate::{
    events,
    recording::{
        HpaEvent, Snapshot,
        wire::{Hpa, KubernetesEvent, NotRead},
    },
    selection::namespace_of,
};

/// The Events of HPAs, by namespace.
pub(super) struct HpaEvents(BTreeMap<String, NamespaceEvents>);

/// The Events of each HPA, oldest first.
type NamespaceEvents = Result<BTreeMap<String, Vec<KubernetesEvent>>, NotRead>;

impl HpaEvents {
    /// Reads them in the namespaces where they can matter.
    pub(super) async fn read(gathering: &Gathering<'_>) -> Self {
        let client = gathering.client;
        let now = client.now();
        let hpas = gathering.selected.hpas.iter();
        let namespaces: BTreeSet<&str> = hpas
            .filter(|hpa| can_matter(hpa, now))
            .map(namespace_of)
            .collect();
        if MOST_NAMESPACES < namespaces.len() {
            let all = events::read(client, gathering.namespace, None).await;
            return Self::of_all(all, &namespaces);
        }
        let reads = namespaces.into_iter().map(|namespace| async move {
            let events = events::read(client, namespace, None).await;
            (namespace.to_owned(), events.map(by_name))
        });
        Self(future::join_all(reads).await.into_iter().collect())
    }

    fn of_all(all: Result<Vec<HpaEvent>, NotRead>, namespaces: &BTreeSet<&str>) -> Self {
        let mut by_namespace: BTreeMap<String, Vec<HpaEvent>> = BTreeMap::new();
        let refused = match all {
            Ok(events) => {
                for event in events {
                    let of_namespace = by_namespace.entry(event.namespace.clone()).or_default();
                    of_namespace.push(event);
                }
                None
            }
            Err(reason) => Some(reason),
        };
        let events = |namespace: &&str| match &refused {
            Some(reason) => Err(reason.clone()),
            None => Ok(by_name(by_namespace.remove(*namespace).unwrap_or_default())),
        };
        let names = namespaces.iter().map(|namespace| (*namespace).to_owned());
        Self(names.zip(namespaces.iter().map(events)).collect())
    }

    /// Adds those of its HPA to `snapshot`, if they can matter.
    pub(super) fn share(&self, namespace: &str, hpa: &Hpa, snapshot: &mut Snapshot) {
        let Some(events) = self.0.get(namespace) else {
            return;
        };
        match events {
            Ok(by_name) => {
                let events = by_name.get(&hpa.metadata.name);
                snapshot.kubernetes_events = events.cloned().unwrap_or_default();
            }
            Err(reason) if can_matter(hpa, snapshot.time()) => {
                snapshot.not_read.push(reason.clone());
            }
            Err(_) => {}
        }
    }
}

fn by_name(events: Vec<HpaEvent>) -> BTreeMap<String, Vec<KubernetesEvent>> {
    let mut by_name: BTreeMap<String, Vec<KubernetesEvent>> = BTreeMap::new();
    for event in events {
        by_name.entry(event.hpa).or_default().push(event.event);
    }
    by_name
}

/// Whether Events can show more about an HPA than its status: when it was rescaled, or since when it fails.
fn can_matter(hpa: &Hpa, now: Timestamp) -> bool {
    let status = &hpa.status;
    let rescaled = status.last_scale_time;
    let holds = |name: &str| {
        let mut conditions = status.conditions.iter();
        conditions.any(|one| one.condition_type == name && one.status == "True")
    };
    let mut metrics = status.current_metrics.iter();
    rescaled.is_some_and(|at| now.duration_since(at) < LONGEST_WINDOW)
        || !holds("AbleToScale")
        || !holds("ScalingActive")
        || status.current_metrics.len() < hpa.spec.metrics.len()
        || metrics.any(|metric| metric.metric_type.is_empty())
}

/// No stabilization window and no period of a policy is longer, and the API server keeps an Event for so long.
const LONGEST_WINDOW: SignedDuration = SignedDuration::from_hours(1);

/// In up to so many namespaces each is read for itself; else all.
const MOST_NAMESPACES: usize = 10;

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Whether the Events of an HPA with this status can matter at noon.
    fn matter(status: &Value) -> bool {
        let hpa = json!({
            "metadata": {"name": "web"},
            "spec": {
                "scaleTargetRef": {"kind": "Deployment", "name": "web"},
                "maxReplicas": 3,
                "metrics": [{"type": "Resource"}],
            },
            "status": status,
        });
        let hpa = serde_json::from_value(hpa).unwrap();
        can_matter(&hpa, "2026-11-21T12:00:00Z".parse().unwrap())
    }

    /// The status of an HPA that is well, with another value in one place.
    fn status(change: (&str, Value)) -> Value {
        let mut status = json!({
            "lastScaleTime": "2026-11-21T10:59:59Z",
            "currentMetrics": [{"type": "Resource"}],
            "conditions": [
                {"type": "AbleToScale", "status": "True"},
                {"type": "ScalingActive", "status": "True"},
            ],
        });
        let (pointer, value) = change;
        *status.pointer_mut(pointer).unwrap() = value;
        status
    }

    #[test]
    fn events_of_an_hpa_that_is_well_and_was_not_rescaled_lately_are_not_read() {
        for never_or_long_ago in [Value::Null, json!("2026-11-21T03:12:00Z")] {
            assert!(!matter(&status(("/lastScaleTime", never_or_long_ago))));
        }
    }

    #[test]
    fn events_of_an_hpa_that_was_rescaled_lately_or_fails_are_read() {
        for change in [
            ("/lastScaleTime", json!("2026-11-21T11:00:01Z")),
            ("/conditions/0/status", json!("False")),
            ("/conditions/1/status", json!("Unknown")),
            ("/conditions", json!([])),
            ("/currentMetrics", Value::Null),
            ("/currentMetrics", json!([{"type": ""}])),
        ] {
            assert!(matter(&status(change.clone())), "{change:?}");
        }
    }
}
