//! Another autoscaler beside the HPA.

use jiff::Timestamp;

use super::{ScaledObject, VerticalAutoscaler};

/// An object of another autoscaler that has to do with the HPA or its target.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase", default)
)]
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
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub scale_target: Option<String>,
    /// The fewest replicas that it allows.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub min_replicas: Option<i32>,
    /// The most replicas that it allows.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub max_replicas: Option<i32>,
    /// The replicas that it wanted last.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub desired_replicas: Option<i32>,
    /// When it scaled last.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub last_scale: Option<Timestamp>,
    /// How it works, in its own word, such as `Preview`.
    // That is one that only looks on. The phase of a canary.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub mode: Option<String>,
    /// What only KEDA's `ScaledObject` has.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub scaled_object: Option<ScaledObject>,
    /// What only a `VerticalPodAutoscaler` has.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub vertical: Option<VerticalAutoscaler>,
}

impl Autoscaler {
    /// The API group.
    pub fn group(&self) -> &str {
        self.api_version
            .split_once('/')
            .map_or("", |(group, _)| group)
    }
}

/// What another autoscaler has to do with the HPA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase")
)]
pub enum Relation {
    /// It owns the HPA.
    // It made it and writes its spec.
    Owner,
    /// Its target is the HPA's target.
    #[default]
    SameTarget,
    /// Its target is the HPA itself.
    // It moves its bounds.
    ScalesHpa,
}
