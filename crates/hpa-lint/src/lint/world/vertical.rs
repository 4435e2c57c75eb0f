//! VerticalPodAutoscalers.

use crate::{
    lint::{Object, ObjectRef},
    model::VerticalAutoscaler,
    recording,
    yaml::YamlNode,
};

use serde_json::Value;

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
    /// The first mode that is written without quotes and that kubectl reads as a boolean: its path. The API server rejects
    /// the object.
    pub mode_as_boolean: Option<String>,
    /// What it controls.
    pub policies: VerticalAutoscaler,
}

impl Vertical {
    /// Reads a VerticalPodAutoscaler.
    pub fn of(object: &Object) -> Self {
        const UPDATE_MODE: &str = "spec.updatePolicy.updateMode";
        let update_mode = match object.node.at(UPDATE_MODE) {
            // The author means Off: YAML 1.1 reads it as false.
            Some(node) if node.as_bool() == Some(false) => "Off",
            Some(node) => node
                .as_str()
                .filter(|text| !text.is_empty())
                .unwrap_or("Auto"),
            None => "Auto",
        };
        let policies = object.node.at(POLICIES).map(YamlNode::items);
        let modes = (0..policies.unwrap_or_default().len())
            .map(|index| format!("{POLICIES}[{index}].mode"));
        let mut modes = std::iter::once(UPDATE_MODE.to_owned()).chain(modes);
        let is_boolean = |path: &String| {
            object
                .node
                .at(path)
                .is_some_and(|node| node.as_bool().is_some())
        };
        Self {
            object: object.reference(),
            target_group: recording::group_of(object.text("spec.targetRef.apiVersion")).to_owned(),
            target_kind: object.text("spec.targetRef.kind").to_owned(),
            target_name: object.text("spec.targetRef.name").to_owned(),
            update_mode: update_mode.to_owned(),
            mode_as_boolean: modes.find(is_boolean),
            policies: recording::vertical(&with_modes_as_text(object.node.to_json())),
        }
    }
}

/// The object with modes that YAML 1.1 reads as booleans as the text that is meant.
fn with_modes_as_text(mut object: Value) -> Value {
    let policies = object.pointer_mut("/spec/resourcePolicy/containerPolicies");
    let policies = policies.and_then(Value::as_array_mut);
    for mode in policies
        .into_iter()
        .flatten()
        .filter_map(|policy| policy.get_mut("mode"))
    {
        if *mode == Value::Bool(false) {
            *mode = Value::from("Off");
        }
    }
    object
}

const POLICIES: &str = "spec.resourcePolicy.containerPolicies";
