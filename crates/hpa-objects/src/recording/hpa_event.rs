//! Events on HPAs, as the API server lists them and files have them.

use jiff::Timestamp;
use serde::Deserialize;

use super::wire::KubernetesEvent;

/// An event with the object that it is about, from a file or a cluster.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CoreEvent {
    involved_object: InvolvedObject,
    /// Set instead of the other two times by the newer events API.
    event_time: Option<Timestamp>,
    #[serde(flatten)]
    event: KubernetesEvent,
}

/// What an event is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct InvolvedObject {
    /// Its kind.
    pub kind: String,
    /// Its namespace; empty: it is in none.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

/// An event with the HPA that it is about.
#[derive(Clone, Debug)]
pub struct HpaEvent {
    /// Namespace of the HPA.
    pub namespace: String,
    /// Name of the HPA.
    pub hpa: String,
    /// The event, with both times where at least one is known.
    pub event: KubernetesEvent,
}

impl CoreEvent {
    /// The event, if it is about an HPA.
    pub fn on_hpa(self) -> Option<HpaEvent> {
        if self.involved_object.kind != "HorizontalPodAutoscaler" {
            return None;
        }
        let mut event = self.event;
        event.first_timestamp = event.first_timestamp.or(self.event_time);
        event.last_timestamp = event.last_timestamp.or(event.first_timestamp);
        Some(HpaEvent {
            namespace: self.involved_object.namespace,
            hpa: self.involved_object.name,
            event,
        })
    }
}
