//! Fields that the API server takes away before it validates, because their feature gate is off.

use std::fmt;

use super::Rules;
use crate::{
    model::Provenance,
    recording::wire::{Behavior, HpaSpec},
};

/// A field that the API server takes away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedField {
    /// Its path.
    pub field: String,
    /// The gate that is off.
    pub gate: &'static str,
    /// Whether the gate is only assumed to be off, as it is by default in that version.
    pub is_assumed: bool,
}

impl fmt::Display for DroppedField {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, gate, .. } = self;
        write!(
            formatter,
            "{field} is dropped by the API server: the feature gate {gate} is off"
        )?;
        if self.is_assumed {
            write!(
                formatter,
                " by default in this version (if it is on: --feature-gate {gate}=true)"
            )?;
        }
        Ok(())
    }
}

/// Takes away what the API server does, and says what. Fields that the HPA had before stay.
///
/// Upstream: `dropDisabledFields` of the HPA's strategy.
pub fn drop_disabled_fields(spec: &mut HpaSpec, rules: Rules<'_>) -> Vec<DroppedField> {
    let mut dropped = Vec::new();
    let gates = &rules.config.feature_gates;
    let tolerance = gates.hpa_configurable_tolerance;
    if !tolerance.value && !rules.old.is_some_and(has_tolerance) {
        for (path, side) in sides(spec.behavior.as_mut()) {
            if side.tolerance.take().is_some() {
                dropped.push(DroppedField {
                    field: format!("spec.behavior.{path}.tolerance"),
                    gate: "HPAConfigurableTolerance",
                    is_assumed: tolerance.provenance == Provenance::Assumed,
                });
            }
        }
    }
    let is_used = |spec: &HpaSpec| {
        let mut metrics = spec.metrics.iter();
        metrics.any(|metric| metric.container_resource.is_some())
    };
    if rules.lacks_container_metrics() && !rules.old.is_some_and(is_used) {
        for (index, metric) in spec.metrics.iter_mut().enumerate() {
            if metric.container_resource.take().is_some() {
                dropped.push(DroppedField {
                    field: format!("spec.metrics[{index}].containerResource"),
                    gate: "HPAContainerMetrics",
                    is_assumed: gates.hpa_container_metrics.provenance == Provenance::Assumed,
                });
            }
        }
    }
    dropped
}

impl Rules<'_> {
    /// Whether containers have no metrics of their own: the gate is gone since 1.30.
    pub(super) fn lacks_container_metrics(&self) -> bool {
        !self.is_since(30) && !self.config.feature_gates.hpa_container_metrics.value
    }
}

fn has_tolerance(spec: &HpaSpec) -> bool {
    let behavior = spec.behavior.as_ref();
    let sides = behavior.map(|behavior| [&behavior.scale_up, &behavior.scale_down]);
    let mut sides = sides.into_iter().flatten().flatten();
    sides.any(|side| side.tolerance.is_some())
}

fn sides(
    behavior: Option<&mut Behavior>,
) -> impl Iterator<Item = (&'static str, &mut crate::recording::wire::ScalingRules)> {
    let sides = behavior.map(|behavior| {
        [
            ("scaleUp", behavior.scale_up.as_mut()),
            ("scaleDown", behavior.scale_down.as_mut()),
        ]
    });
    sides
        .into_iter()
        .flatten()
        .filter_map(|(path, side)| Some((path, side?)))
}
