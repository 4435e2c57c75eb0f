//! Another autoscaler beside the HPA.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ScaledObject, VerticalAutoscaler};
use crate::model;

/// An object of another autoscaler that has to do with the HPA or its target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Autoscaler {
    /// `apiVersion`.
    pub api_version: String,
    /// `kind`, such as `ScaledObject`.
    pub kind: String,
    /// `metadata.name`.
    pub name: String,
    /// What it has to do with the HPA.
    pub relation: Relation,
    /// `kind/name` of what it scales.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale_target: Option<String>,
    /// The fewest replicas that it allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_replicas: Option<i32>,
    /// The most replicas that it allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_replicas: Option<i32>,
    /// The replicas that it wanted last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desired_replicas: Option<i32>,
    /// When it scaled last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_scale: Option<Timestamp>,
    /// How it works, in its own word, such as `Preview`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// What only KEDA's `ScaledObject` has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scaled_object: Option<ScaledObject>,
    /// What only a `VerticalPodAutoscaler` has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertical: Option<VerticalAutoscaler>,
}

/// What another autoscaler has to do with the HPA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Relation {
    /// It owns the HPA.
    Owner,
    /// Its target is the HPA's target.
    #[default]
    SameTarget,
    /// Its target is the HPA itself.
    ScalesHpa,
}

impl From<&Autoscaler> for model::Autoscaler {
    fn from(autoscaler: &Autoscaler) -> Self {
        Self {
            api_version: autoscaler.api_version.clone(),
            kind: autoscaler.kind.clone(),
            name: autoscaler.name.clone(),
            relation: match autoscaler.relation {
                Relation::Owner => model::Relation::Owner,
                Relation::SameTarget => model::Relation::SameTarget,
                Relation::ScalesHpa => model::Relation::ScalesHpa,
            },
            scale_target: autoscaler.scale_target.clone(),
            min_replicas: autoscaler.min_replicas,
            max_replicas: autoscaler.max_replicas,
            desired_replicas: autoscaler.desired_replicas,
            last_scale: autoscaler.last_scale,
            mode: autoscaler.mode.clone(),
            scaled_object: autoscaler.scaled_object.as_ref().map(Into::into),
            vertical: autoscaler.vertical.as_ref().map(Into::into),
        }
    }
}
