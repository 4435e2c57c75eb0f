//! Events on HPAs.

use super::{
    access::{Right, not_read},
    api_error::ResourceName,
    client::Client,
    path::ApiPath,
};
use crate::recording::{CoreEvent, HpaEvent, wire::NotRead};

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
    let events: Vec<CoreEvent> = client
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
    let mut events: Vec<HpaEvent> = events.into_iter().filter_map(CoreEvent::on_hpa).collect();
    events.sort_by_key(|event| event.event.last_timestamp);
    Ok(events)
}
