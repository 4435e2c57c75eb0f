//! Values that no cluster has, so a recording with them was edited.
//!
//! Recordings of real clusters have strange values that stay: a scale below 0, which a custom resource allows, and a flag
//! that the controller really runs with.

use hpa_engine::model::Provenance;

use super::{InvalidField, Snapshot, wire::HpaSpec};

impl Snapshot {
    /// The first field whose value is impossible.
    pub(crate) fn impossible(&self) -> Option<InvalidField> {
        let field =
            |path: &str, value: f64, valid: &str| Some(impossible(value, valid).in_field(path));
        let controller = &self.controller;
        let period = "syncPeriodSeconds";
        let others = [
            (
                "downscaleStabilizationSeconds",
                controller.downscale_stabilization_seconds,
            ),
            (
                "cpuInitializationPeriodSeconds",
                controller.cpu_initialization_period_seconds,
            ),
            (
                "initialReadinessDelaySeconds",
                controller.initial_readiness_delay_seconds,
            ),
            ("tolerance", controller.tolerance),
        ];
        let is_observed = |name: &str| {
            controller.provenance.get(name).map(String::as_str)
                == Some(Provenance::Observed.as_str())
        };
        if let Some(seconds) = controller.sync_period_seconds
            && seconds <= 0.0
            && !is_observed(period)
        {
            let valid = "a time above 0, such as 15";
            return field(&format!("controller.{period}"), seconds, valid);
        }
        for (name, value) in others {
            if let Some(value) = value
                && value < 0.0
                && !is_observed(name)
            {
                return field(&format!("controller.{name}"), value, "a number from 0 up");
            }
        }
        if let Some(tolerance) = controller.tolerance
            && 1e6 < tolerance
            && !is_observed("tolerance")
        {
            let valid = "a number from 0 to 1000000, such as 0.1";
            return field("controller.tolerance", tolerance, valid);
        }
        let bound = self.hpa.spec.impossible_bound()?;
        Some(bound.in_field("spec").in_field("hpa"))
    }
}

impl HpaSpec {
    /// The first bound that no API server accepts.
    pub fn impossible_bound(&self) -> Option<InvalidField> {
        let bounds = [
            ("minReplicas", self.min_replicas),
            ("maxReplicas", Some(self.max_replicas)),
        ];
        let (name, replicas) = bounds.into_iter().find_map(|(name, replicas)| {
            Some((name, replicas.filter(|replicas| *replicas < 0)?))
        })?;
        Some(impossible(f64::from(replicas), "a number from 0 up").in_field(name))
    }
}

fn impossible(value: f64, valid: &str) -> InvalidField {
    InvalidField::here(format!("impossible value {value}: use {valid}"))
}
