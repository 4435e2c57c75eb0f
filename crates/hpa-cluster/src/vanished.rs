//! Why a requested HPA does not exist, where KEDA would make it of a `ScaledObject`.

use hpa_engine::model::ScaledObject;
use hpa_objects::recording;
use serde_json::Value;

use super::{
    OPTIONAL_PATIENCE, api_error::ResourceName, client::Client, named::Named, path::ApiPath,
};

/// Says why KEDA has made no HPA of the `ScaledObject` that is named, or whose HPA or workload is. `namespace` is read;
/// empty: all. `None` without KEDA, without permission to read its objects, or if there is no such object.
pub(super) async fn missing_hpa_of_keda(
    client: &Client,
    named: Named<'_>,
    namespace: &str,
) -> Option<String> {
    let about = ResourceName {
        group: "keda.sh",
        resource: "scaledobjects",
        name: "",
    };
    let path = ApiPath::new(about.group, "v1alpha1")
        .namespace_or_all(namespace)
        .segment(about.resource);
    let objects: Vec<Value> = client
        .list(about.resource, path, about, Some(OPTIONAL_PATIENCE))
        .await
        .ok()?;
    let object = objects.iter().find(|object| is_meant(object, named))?;
    let name = text(object, "/metadata/name");
    Some(why(name, &recording::scaled_object(object), || {
        name_of_hpa(object)
    }))
}

fn is_meant(object: &Value, named: Named<'_>) -> bool {
    let is_in_namespace = named
        .namespace
        .is_none_or(|namespace| namespace == text(object, "/metadata/namespace"));
    is_in_namespace
        && match named.kind {
            None => named.has_name(&name_of_hpa(object)),
            Some(_) if named.is_scaled_object() => named.has_name(text(object, "/metadata/name")),
            Some(_) => named.has_name(text(object, "/spec/scaleTargetRef/name")),
        }
}

/// Upstream: `reconcileScaledObject`.
fn why(name: &str, object: &ScaledObject, hpa: impl Fn() -> String) -> String {
    let pausing = ["paused-replicas", "paused"]
        .into_iter()
        .find(|annotation| ScaledObject::is_paused_by(&object.annotations, annotation));
    if let Some(annotation) = pausing {
        return format!(
            "ScaledObject {name} is paused (annotation {}{annotation}), and KEDA deletes the HPA of a paused ScaledObject",
            ScaledObject::PAUSING
        );
    }
    match object.condition("Ready") {
        Some(ready) if ready.status == "False" => format!(
            "ScaledObject {name} is not ready ({}): {}",
            ready.reason, ready.message
        ),
        Some(ready) if ready.status == "True" => format!(
            "KEDA reports ScaledObject {name} ready, and its HPA is named {}",
            hpa()
        ),
        _ => format!(
            "KEDA's operator has not checked ScaledObject {name}: its condition Ready is not set"
        ),
    }
}

/// Upstream: `getHPAName`.
fn name_of_hpa(object: &Value) -> String {
    match text(object, "/spec/advanced/horizontalPodAutoscalerConfig/name") {
        "" => format!("keda-hpa-{}", text(object, "/metadata/name")),
        given => given.to_owned(),
    }
}

fn text<'a>(object: &'a Value, pointer: &str) -> &'a str {
    let text = object.pointer(pointer).and_then(Value::as_str);
    text.unwrap_or_default()
}
