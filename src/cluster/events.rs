//! Events on HPAs.

use jiff::Timestamp;
use serde::Deserialize;

use super::{
    access::{Right, not_read},
    api_error::ResourceName,
    client::Client,
    path::ApiPath,
};
use crate::recording::wire::{KubernetesEvent, NotRead};

/// An event with the HPA that it is about.
#[derive(Clone, Debug)]
pub(super) struct HpaEvent {
    /// Namespace of the HPA.
    pub(super) namespace: String,
    /// Name of the HPA.
    pub(super) hpa: String,
    /// The event.
    pub(super) event: KubernetesEvent,
}

/// Reads the events on the HPA `name`, or on all, oldest first. An empty namespace is all namespaces.
pub(super) async fn read(
    client: &Client,
    namespace: &str,
    name: Option<&str>,
) -> Result<Vec<HpaEvent>, NotRead> {
    let mut fields = "involvedObject.kind=HorizontalPodAutoscaler".to_owned();
    if let Some(name) = name {
        fields.push_str(",involvedObject.name=");
        fields.push_str(name);
    }
    let path = ApiPath::new("", "v1");
    let path = if namespace.is_empty() {
        path
    } else {
        path.namespace(namespace)
    };
    let about = ResourceName {
        group: "",
        resource: "events",
        name: "",
    };
    let path = path.segment("events").query("fieldSelector", &fields);
    let events: Vec<Event> = client
        .list("events", path, about, Some(super::OPTIONAL_PATIENCE))
        .await
        .map_err(|error| {
            let right = Right {
                verb: "list",
                group: "",
                resource: "events",
                namespace,
            };
            not_read(&error, "kubernetesEvents", right)
        })?;
    let mut events: Vec<HpaEvent> = events.into_iter().map(Into::into).collect();
    events.sort_by_key(|event| event.event.last_timestamp);
    Ok(events)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    involved_object: InvolvedObject,
    /// Set instead of the other two times by the newer events API.
    event_time: Option<Timestamp>,
    #[serde(flatten)]
    event: KubernetesEvent,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct InvolvedObject {
    namespace: String,
    name: String,
}

impl From<Event> for HpaEvent {
    fn from(event: Event) -> Self {
        let mut kept = event.event;
        kept.first_timestamp = kept.first_timestamp.or(event.event_time);
        kept.last_timestamp = kept.last_timestamp.or(kept.first_timestamp);
        Self {
            namespace: event.involved_object.namespace,
            hpa: event.involved_object.name,
            event: kept,
        }
    }
}
