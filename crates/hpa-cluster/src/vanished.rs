//! Why a requested HPA does not exist: KEDA deletes the HPA of a paused `ScaledObject`.

use serde_json::Value;

use super::{OPTIONAL_PATIENCE, api_error::ResourceName, client::Client, path::ApiPath};

/// Names the paused `ScaledObject` that the HPA, or the HPA of that workload, belongs to. `None` without KEDA, or
/// without permission to read its objects.
pub(super) async fn paused_by_keda(
    client: &Client,
    hpa: Option<&str>,
    workload: Option<&str>,
) -> Option<String> {
    let about = ResourceName {
        group: "keda.sh",
        resource: "scaledobjects",
        name: "",
    };
    let path = ApiPath::new(about.group, "v1alpha1")
        .namespace(client.namespace())
        .segment(about.resource);
    let objects: Vec<Value> = client
        .list(about.resource, path, about, Some(OPTIONAL_PATIENCE))
        .await
        .ok()?;
    let text = |object: &Value, pointer: &str| {
        let text = object.pointer(pointer).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    objects.iter().find_map(|object| {
        let name = text(object, "/metadata/name");
        let given = text(object, "/spec/advanced/horizontalPodAutoscalerConfig/name");
        let own = if given.is_empty() {
            format!("keda-hpa-{name}")
        } else {
            given
        };
        let is_selected = hpa == Some(own.as_str())
            || workload.is_some_and(|workload| workload == text(object, "/spec/scaleTargetRef/name"));
        let annotations = object.pointer("/metadata/annotations")?;
        let set = PAUSING
            .into_iter()
            .find(|annotation| annotations.get(annotation).is_some_and(|value| value != "false"))?;
        is_selected.then(|| {
            format!(
                "ScaledObject {name} is paused (annotation {set}), and KEDA deletes the HPA of a paused ScaledObject"
            )
        })
    })
}

/// The annotations that pause both directions.
const PAUSING: [&str; 2] = [
    "autoscaling.keda.sh/paused-replicas",
    "autoscaling.keda.sh/paused",
];
