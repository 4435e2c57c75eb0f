//! Converts HPAs of every API version to `autoscaling/v2`, with the API server's defaults.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ManifestError, defaults, documents::FileObject, hpa_v1, old_metrics::OldMetric};
use crate::recording::{
    InvalidField,
    wire::{Condition, Hpa, HpaSpec, HpaStatus, ObjectMeta, ObjectReference},
};

/// The metadata and target of an HPA whose other fields may be wrong. `None`: it is not an HPA, or these are wrong.
pub(super) fn identity(object: &FileObject) -> Option<Hpa> {
    let is_hpa = (object.group(), object.kind.as_str()) == ("autoscaling", KIND);
    let value = Some(&object.value).filter(|_| is_hpa)?;
    let mut hpa: Hpa = serde_json::from_value(json!({
        "metadata": value.get("metadata")?,
        "spec": {"scaleTargetRef": value.pointer("/spec/scaleTargetRef")?, "maxReplicas": 0},
    }))
    .ok()?;
    add_namespace(&mut hpa, object);
    Some(hpa)
}

/// Converts an HPA of any version.
pub(super) fn convert(object: &FileObject) -> Result<Hpa, ManifestError> {
    let mut hpa = as_v2(object)?;
    add_namespace(&mut hpa, object);
    defaults::apply(&mut hpa.spec);
    hpa.to_model().map_err(|field| object.error(field))?;
    Ok(hpa)
}

fn add_namespace(hpa: &mut Hpa, object: &FileObject) {
    let namespace = &mut hpa.metadata.namespace;
    namespace.get_or_insert_with(|| object.namespace().to_owned());
}

/// The spec of an HPA of any version in the shape of v2, without defaults. A v2 spec is returned as written.
pub(super) fn spec_as_v2(object: &FileObject) -> Result<Value, ManifestError> {
    if is_v2(object) {
        return Ok(object.value.get("spec").cloned().unwrap_or(Value::Null));
    }
    let hpa = as_v2(object)?;
    let problem = |error: serde_json::Error| {
        object.error(InvalidField::decoding("spec".to_owned(), error.to_string()))
    };
    serde_json::to_value(hpa.spec).map_err(problem)
}

/// v2beta2 has the same shape as v2.
pub(super) fn is_v2(object: &FileObject) -> bool {
    matches!(
        &*object.api_version,
        "autoscaling/v2" | "autoscaling/v2beta2"
    )
}

pub(super) fn as_v2(object: &FileObject) -> Result<Hpa, ManifestError> {
    Ok(match object.api_version.as_str() {
        _ if is_v2(object) => object.decode()?,
        "autoscaling/v2beta1" => v2beta1(object)?,
        "autoscaling/v1" => hpa_v1::convert(object)?,
        other => {
            let problem = format!(
                "unknown HPA version {other:?}: use autoscaling/v2, v2beta2, v2beta1 or v1"
            );
            return Err(object.error(InvalidField::at("apiVersion", problem)));
        }
    })
}

#[derive(Deserialize)]
struct V2Beta1 {
    metadata: ObjectMeta,
    spec: V2Beta1Spec,
    #[serde(default)]
    status: V2Beta1Status,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct V2Beta1Spec {
    scale_target_ref: ObjectReference,
    min_replicas: Option<i32>,
    max_replicas: i32,
    metrics: Option<Vec<OldMetric>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct V2Beta1Status {
    observed_generation: Option<i64>,
    last_scale_time: Option<Timestamp>,
    #[serde(default)]
    current_replicas: i32,
    #[serde(default)]
    desired_replicas: i32,
    current_metrics: Option<Vec<OldMetric>>,
    conditions: Option<Vec<Condition>>,
}

/// Upstream: `Convert_v2beta1_HorizontalPodAutoscaler_To_autoscaling_HorizontalPodAutoscaler`, which takes the behavior
/// from an annotation and drops all others of that kind.
fn v2beta1(object: &FileObject) -> Result<Hpa, ManifestError> {
    let old: V2Beta1 = object.decode()?;
    let behavior = hpa_v1::annotated_behavior(object, &old.metadata)?;
    let metrics = |metrics: Option<Vec<OldMetric>>| metrics.into_iter().flatten();
    Ok(Hpa {
        metadata: old.metadata,
        spec: HpaSpec {
            scale_target_ref: old.spec.scale_target_ref,
            min_replicas: old.spec.min_replicas,
            max_replicas: old.spec.max_replicas,
            metrics: metrics(old.spec.metrics)
                .map(OldMetric::into_spec)
                .collect(),
            behavior: behavior.map(Box::new),
        },
        status: HpaStatus {
            observed_generation: old.status.observed_generation,
            last_scale_time: old.status.last_scale_time,
            current_replicas: old.status.current_replicas,
            desired_replicas: old.status.desired_replicas,
            current_metrics: metrics(old.status.current_metrics)
                .map(OldMetric::into_status)
                .collect(),
            conditions: old.status.conditions.unwrap_or_default(),
        },
    })
}

/// The kind of these objects.
pub(super) const KIND: &str = "HorizontalPodAutoscaler";
