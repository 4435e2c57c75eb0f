//! Events on HPAs, as in the API server's lists and in files.

use jiff::Timestamp;
use serde::Deserialize;

use super::wire::KubernetesEvent;

/// An Event with the object that it is about, from a file or a cluster.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CoreEvent {
    involved_object: InvolvedObject,
    /// The newer events API sets this instead of the other two times.
    event_time: Option<Timestamp>,
    #[serde(flatten)]
    event: KubernetesEvent,
}

/// The object of an Event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct InvolvedObject {
    /// Its kind.
    pub kind: String,
    /// Its namespace. Empty if it has none.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

/// An Event with the HPA that it is about.
#[derive(Clone, Debug)]
pub struct HpaEvent {
    /// Namespace of the HPA.
    pub namespace: String,
    /// Name of the HPA.
    pub hpa: String,
    /// The Event, with both times if at least one is known.
    pub event: KubernetesEvent,
}

impl CoreEvent {
    /// The Event, if it is about an HPA.
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
