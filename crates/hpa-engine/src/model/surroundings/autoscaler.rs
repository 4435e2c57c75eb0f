//! Another autoscaler next to the HPA.

use jiff::Timestamp;

use super::{ScaledObject, VerticalAutoscaler};

/// An object of another autoscaler that affects the HPA or its target.
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
    /// How it relates to the HPA.
    pub relation: Relation,
    /// `kind/name` of its scale target.
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
    /// Its mode of operation, in its own word, such as `Preview`.
    // `Preview` only watches. For a canary, this is its phase.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub mode: Option<String>,
    /// Fields of KEDA's `ScaledObject` only.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub scaled_object: Option<ScaledObject>,
    /// Fields of a `VerticalPodAutoscaler` only.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub vertical: Option<VerticalAutoscaler>,
}

impl Autoscaler {
    /// Whether it is an HPA.
    pub fn is_hpa(&self) -> bool {
        self.kind == "HorizontalPodAutoscaler"
    }

    /// The API group.
    pub fn group(&self) -> &str {
        self.api_version
            .split_once('/')
            .map_or("", |(group, _)| group)
    }
}

/// How another autoscaler relates to the HPA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase")
)]
pub enum Relation {
    /// It owns the HPA.
    // It created it and writes its spec.
    Owner,
    /// Its target is the HPA's target.
    #[default]
    SameTarget,
    /// Its target is the HPA itself.
    // It changes its bounds.
    ScalesHpa,
}
