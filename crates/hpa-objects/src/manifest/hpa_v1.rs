//! `autoscaling/v1`: one CPU metric in the spec, everything else in annotations.

use jiff::Timestamp;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::{ManifestError, defaults, documents::FileObject, old_metrics::OldMetric};
use crate::recording::{
    InvalidField, decode,
    wire::{
        Behavior, Condition, Hpa, HpaSpec, HpaStatus, MetricStatus, MetricValueStatus, ObjectMeta,
        ObjectReference, ResourceStatus,
    },
};

/// Converts to `autoscaling/v2`. Upstream: `Convert_v1_HorizontalPodAutoscaler_To_autoscaling_HorizontalPodAutoscaler`.
pub(super) fn convert(object: &FileObject) -> Result<Hpa, ManifestError> {
    let V1 {
        metadata,
        spec,
        status,
    } = object.decode()?;
    let annotation = |name: &str| Annotation::new(object, &metadata, name);
    let metrics: Vec<OldMetric> = annotation("metrics").decode()?.unwrap_or_default();
    let behavior = annotated_behavior(object, &metadata)?;
    let current_metrics: Option<Vec<OldMetric>> = annotation("current-metrics").decode()?;
    let conditions: Option<Vec<Condition>> = annotation("conditions").decode()?;
    let cpu = spec.target_cpu_utilization_percentage.map(defaults::cpu);
    Ok(Hpa {
        spec: HpaSpec {
            scale_target_ref: spec.scale_target_ref,
            min_replicas: spec.min_replicas,
            max_replicas: spec.max_replicas,
            metrics: metrics
                .into_iter()
                .map(OldMetric::into_spec)
                .chain(cpu)
                .collect(),
            behavior: behavior.map(Box::new),
        },
        status: HpaStatus {
            observed_generation: status.observed_generation,
            last_scale_time: status.last_scale_time,
            current_replicas: status.current_replicas,
            desired_replicas: status.desired_replicas,
            current_metrics: match current_metrics {
                Some(metrics) => metrics.into_iter().map(OldMetric::into_status).collect(),
                None => status
                    .current_cpu_utilization_percentage
                    .map(cpu_status)
                    .into_iter()
                    .collect(),
            },
            conditions: conditions.unwrap_or_default(),
        },
        metadata,
    })
}

/// The behavior in an annotation, for API versions without a field for it. None if it is empty.
pub(super) fn annotated_behavior(
    object: &FileObject,
    metadata: &ObjectMeta,
) -> Result<Option<Behavior>, ManifestError> {
    let behavior: Option<Behavior> = Annotation::new(object, metadata, "behavior").decode()?;
    Ok(behavior.filter(|behavior| *behavior != Behavior::default()))
}

#[derive(Deserialize)]
struct V1 {
    metadata: ObjectMeta,
    spec: V1Spec,
    #[serde(default)]
    status: V1Status,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct V1Spec {
    scale_target_ref: ObjectReference,
    min_replicas: Option<i32>,
    max_replicas: i32,
    #[serde(rename = "targetCPUUtilizationPercentage")]
    target_cpu_utilization_percentage: Option<i32>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct V1Status {
    observed_generation: Option<i64>,
    last_scale_time: Option<Timestamp>,
    #[serde(default)]
    current_replicas: i32,
    #[serde(default)]
    desired_replicas: i32,
    #[serde(rename = "currentCPUUtilizationPercentage")]
    current_cpu_utilization_percentage: Option<i32>,
}

/// JSON in an annotation.
struct Annotation<'a> {
    object: &'a FileObject,
    name: String,
    text: Option<&'a String>,
}

impl<'a> Annotation<'a> {
    fn new(object: &'a FileObject, metadata: &'a ObjectMeta, name: &str) -> Self {
        let name = format!("{PREFIX}{name}");
        Self {
            object,
            text: metadata.annotations.get(&name),
            name,
        }
    }

    fn decode<T: DeserializeOwned>(&self) -> Result<Option<T>, ManifestError> {
        let Some(text) = self.text else {
            return Ok(None);
        };
        let fail = |field: InvalidField| {
            self.object
                .error(field.in_field(&format!("metadata.annotations[{}]", self.name)))
        };
        let value: Value =
            serde_json::from_str(text).map_err(|error| fail(InvalidField::here(error)))?;
        if value.is_null() {
            return Ok(None);
        }
        decode(&lower_case_keys(value)).map(Some).map_err(fail)
    }
}

/// The API server encodes the behavior from a type without JSON names, so its field names start with capitals.
fn lower_case_keys(value: Value) -> Value {
    match value {
        Value::Array(entries) => Value::Array(entries.into_iter().map(lower_case_keys).collect()),
        Value::Object(fields) => {
            let fields: Map<String, Value> = fields
                .into_iter()
                .map(|(mut key, value)| {
                    // Labels of a selector are not field names.
                    let value = match key.as_str() {
                        "matchLabels" | "MatchLabels" => value,
                        _ => lower_case_keys(value),
                    };
                    if let Some(first) = key.get_mut(..1) {
                        first.make_ascii_lowercase();
                    }
                    (key, value)
                })
                .collect();
            Value::Object(fields)
        }
        other => other,
    }
}

fn cpu_status(utilization: i32) -> MetricStatus {
    MetricStatus {
        metric_type: "Resource".to_owned(),
        resource: Some(ResourceStatus {
            name: "cpu".to_owned(),
            current: MetricValueStatus {
                average_utilization: Some(utilization),
                ..MetricValueStatus::default()
            },
        }),
        ..MetricStatus::default()
    }
}

/// The prefix of annotations for fields that `autoscaling/v1` does not have.
const PREFIX: &str = "autoscaling.alpha.kubernetes.io/";
