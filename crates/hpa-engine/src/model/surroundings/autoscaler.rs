//! Another autoscaler beside the HPA.

use jiff::Timestamp;

use super::{ScaledObject, VerticalAutoscaler};

/// An object of another autoscaler that has to do with the HPA or its target.
#[derive(Clone, Debug, Default, PartialEq)]
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
    pub scale_target: Option<String>,
    /// The fewest replicas that it allows.
    pub min_replicas: Option<i32>,
    /// The most replicas that it allows.
    pub max_replicas: Option<i32>,
    /// The replicas that it wanted last.
    pub desired_replicas: Option<i32>,
    /// When it scaled last.
    pub last_scale: Option<Timestamp>,
    /// How it works, in its own word: `Preview` for one that only looks on, the phase of a canary.
    pub mode: Option<String>,
    /// What only KEDA's `ScaledObject` has.
    pub scaled_object: Option<ScaledObject>,
    /// What only a `VerticalPodAutoscaler` has.
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
pub enum Relation {
    /// It owns the HPA: it made it and writes its spec.
    Owner,
    /// Its target is the HPA's target.
    #[default]
    SameTarget,
    /// Its target is the HPA itself, of which it moves the bounds.
    ScalesHpa,
}
