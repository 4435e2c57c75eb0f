//! Fields that the API server drops before validation because their feature gate is off.

use std::fmt;

use hpa_engine::model::{Input, Provenance};

use super::Rules;
use crate::recording::wire::{Behavior, HpaSpec, ScalingRules};

/// A dropped field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedField {
    /// Its path.
    pub field: String,
    /// Why.
    pub cause: DropCause,
}

/// Why the API server drops a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropCause {
    /// The feature gate is off. The flag says whether that is only assumed from the version's default.
    GateOff(&'static str, bool),
    /// Only versions from 1.`minor` on have the field.
    Unknown {
        /// The first minor version with the field.
        since: u32,
    },
}

impl fmt::Display for DroppedField {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} is dropped by the API server: ", self.field)?;
        match self.cause {
            DropCause::GateOff(gate, false) => write!(formatter, "the feature gate {gate} is off"),
            DropCause::GateOff(gate, true) => write!(
                formatter,
                "the feature gate {gate} is off by default in this version (if it is on: --feature-gate {gate}=true)"
            ),
            DropCause::Unknown { since } => write!(
                formatter,
                "versions before 1.{since} do not know it (kubectl refuses it unless --validate=false is given)"
            ),
        }
    }
}

/// Drops the same fields as the API server and returns them. Fields that the old spec had stay.
///
/// Upstream: `dropDisabledFields` of the HPA's strategy.
pub fn drop_disabled_fields(spec: &mut HpaSpec, rules: Rules<'_>) -> Vec<DroppedField> {
    let mut dropped = Vec::new();
    let gates = &rules.config.feature_gates;
    let tolerance = gates.hpa_configurable_tolerance;
    let is_unknown = !rules.is_since(TOLERANCE_SINCE);
    if is_unknown || (!tolerance.value && !rules.old.is_some_and(has_tolerance)) {
        for (path, side) in sides(spec.behavior.as_deref_mut()) {
            if side.tolerance.take().is_some() {
                dropped.push(DroppedField {
                    field: format!("spec.behavior.{path}.tolerance"),
                    cause: if is_unknown {
                        DropCause::Unknown {
                            since: TOLERANCE_SINCE,
                        }
                    } else {
                        gate_off("HPAConfigurableTolerance", tolerance)
                    },
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
                    cause: gate_off("HPAContainerMetrics", gates.hpa_container_metrics),
                });
            }
        }
    }
    dropped
}

fn gate_off(gate: &'static str, input: Input<bool>) -> DropCause {
    DropCause::GateOff(gate, input.provenance == Provenance::Assumed)
}

impl Rules<'_> {
    /// Whether container metrics are unavailable. The gate was removed in 1.30.
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
) -> impl Iterator<Item = (&'static str, &mut ScalingRules)> {
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

/// The first minor version whose rules have a tolerance.
const TOLERANCE_SINCE: u32 = 33;
