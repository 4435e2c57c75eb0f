//! Events on HPAs, and the shared function that reads Events.

use hpa_engine::model::SnapshotField;
use hpa_objects::recording::{CoreEvent, HpaEvent, wire::NotRead};
use serde::de::DeserializeOwned;

use super::{
    access::{Permission, not_read},
    api_error::ResourceName,
    client::Client,
    path::ApiPath,
};

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
    let events: Vec<CoreEvent> = list(client, "events", namespace, &fields).await?;
    let mut events: Vec<HpaEvent> = events.into_iter().filter_map(CoreEvent::on_hpa).collect();
    events.sort_by_key(|event| event.event.last_timestamp);
    Ok(events)
}

/// Reads the Events that match the field selector, named `what` in errors. An empty namespace is all namespaces.
pub(super) async fn list<T: DeserializeOwned>(
    client: &Client,
    what: &str,
    namespace: &str,
    field_selector: &str,
) -> Result<Vec<T>, NotRead> {
    let path = ApiPath::new("", "v1")
        .namespace_or_all(namespace)
        .segment("events")
        .query("fieldSelector", field_selector);
    let about = ResourceName {
        group: "",
        resource: "events",
        name: "",
    };
    client
        .list(what, path, about, Some(super::OPTIONAL_PATIENCE))
        .await
        .map_err(|error| {
            let permission = Permission {
                verb: "list",
                group: "",
                resource: "events",
                namespace,
            };
            not_read(&error, SnapshotField::Events, permission)
        })
}
