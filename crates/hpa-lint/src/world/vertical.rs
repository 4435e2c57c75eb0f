//! VerticalPodAutoscalers.

use hpa_engine::model::VerticalAutoscaler;
use hpa_objects::recording;

use crate::{Object, ObjectRef};

/// A VerticalPodAutoscaler.
#[derive(Clone, Debug)]
pub struct Vertical {
    /// Its identity.
    pub object: ObjectRef,
    /// Group of `spec.targetRef`.
    pub target_group: String,
    /// Kind of `spec.targetRef`.
    pub target_kind: String,
    /// Name of `spec.targetRef`.
    pub target_name: String,
    /// `spec.updatePolicy.updateMode`. Absent means `Auto`.
    pub update_mode: String,
    /// What it controls.
    pub policies: VerticalAutoscaler,
}

impl Vertical {
    /// Reads a VerticalPodAutoscaler.
    pub fn of(object: &Object) -> Self {
        let update_mode = match object.text("spec.updatePolicy.updateMode") {
            "" => "Auto",
            mode => mode,
        };
        Self {
            object: object.reference(),
            target_group: recording::group_of(object.text("spec.targetRef.apiVersion")).to_owned(),
            target_kind: object.text("spec.targetRef.kind").to_owned(),
            target_name: object.text("spec.targetRef.name").to_owned(),
            update_mode: update_mode.to_owned(),
            policies: recording::vertical(&object.node.to_json()),
        }
    }
}
