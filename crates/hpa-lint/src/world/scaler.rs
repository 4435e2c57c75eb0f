//! Other autoscalers that write replicas, or bounds of HPAs.

use hpa_objects::recording::{AutoscalerKind, ScaleTarget};
use serde_json::Value;

use crate::{Object, ObjectRef};

/// An object of another autoscaler. KEDA's ScaledObject and the VerticalPodAutoscaler have their own files.
#[derive(Clone, Debug)]
pub struct Scaler {
    /// Its identity.
    pub object: ObjectRef,
    /// Its API group.
    pub group: String,
    /// Its scale target.
    pub target: ScaleTarget,
    /// Whether it only recommends.
    pub is_dry_run: bool,
}

impl Scaler {
    /// Reads an object of a known autoscaler kind. None for other kinds.
    pub fn of(object: &Object) -> Option<Self> {
        let known = AutoscalerKind::of_manifest(object.group(), &object.kind)?;
        if AutoscalerKind::leaves_replicas(known.kind) {
            return None;
        }
        let value = object.node.to_json();
        let mode = value.pointer(known.mode).and_then(Value::as_str);
        let is_dry_run = value.pointer("/spec/dryRun").and_then(Value::as_bool);
        Some(Self {
            object: object.reference(),
            group: object.group().to_owned(),
            target: ScaleTarget::of(known, &value)?,
            is_dry_run: is_dry_run == Some(true) || matches!(mode, Some("Preview" | "Off")),
        })
    }
}
