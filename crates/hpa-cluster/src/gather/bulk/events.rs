//! The Events of HPAs, where they can show what the HPAs themselves do not.
//!
//! An API server does not cache Events: each list of a namespace reads all of its Events from etcd. So only those of HPAs
//! that were rescaled within the longest window, or that fail, are read.

use std::collections::{BTreeMap, BTreeSet};

use futures::future;
use hpa_objects::recording::{
    Snapshot,
    wire::{Hpa, NotRead},
};
use jiff::{SignedDuration, Timestamp};

use super::Gathering;
use crate::{
    events,
    gather::gathering::{EventsByHpa, by_hpa},
    hpa_resource::namespace_of,
};

/// The Events of HPAs.
pub(in crate::gather) struct HpaEvents {
    /// By namespace and name of their HPA, oldest first.
    by_hpa: EventsByHpa,
    /// The namespaces where they could not be read.
    refused: BTreeMap<String, NotRead>,
}

impl HpaEvents {
    /// Reads them in the namespaces where they can matter.
    pub(super) async fn read(gathering: &Gathering<'_>) -> Self {
        let client = gathering.client;
        let now = client.now();
        let hpas = gathering.selected.hpas();
        let namespaces: BTreeSet<&str> = hpas
            .filter(|hpa| can_matter(hpa, now))
            .map(namespace_of)
            .collect();
        let parts = if namespaces.len() <= MOST_NAMESPACES {
            namespaces.iter().copied().collect()
        } else {
            vec![gathering.namespace]
        };
        let reads = parts.iter().map(|part| events::read(client, part, None));
        let (mut found, mut refused) = (Vec::new(), BTreeMap::new());
        for (part, read) in parts.iter().zip(future::join_all(reads).await) {
            match read {
                Ok(events) => found.extend(events),
                Err(reason) => {
                    let of_part = namespaces
                        .iter()
                        .filter(|one| part.is_empty() || *one == part);
                    refused.extend(of_part.map(|one| ((*one).to_owned(), reason.clone())));
                }
            }
        }
        found.retain(|event| namespaces.contains(event.namespace.as_str()));
        Self {
            by_hpa: by_hpa(found),
            refused,
        }
    }

    /// Adds those of its HPA to `snapshot`, if they can matter.
    pub(in crate::gather) fn share(&self, namespace: &str, hpa: &Hpa, snapshot: &mut Snapshot) {
        match self.refused.get(namespace) {
            Some(reason) if can_matter(hpa, snapshot.time()) => {
                snapshot.not_read.push(reason.clone());
            }
            Some(_) => {}
            None => {
                let key = (namespace.to_owned(), hpa.metadata.name.clone());
                let events = self.by_hpa.get(&key);
                snapshot.kubernetes_events = events.cloned().unwrap_or_default();
            }
        }
    }
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
