//! The usage above which a target recommends more replicas: queries to a cluster can skip everything below it.
//!
//! Upstream has no counterpart; this inverts the controller's ratio and tolerance.

use std::iter::once;

use crate::{
    engine::{
        tolerance::Tolerances,
        usage_ratio::{pod_average_ratio, utilization_ratio},
    },
    model::{Behavior, ControllerConfig, Input, Switches, quantity::Overflow},
    trace::{Pass, RatioFormula},
};

/// These questions are about numbers that fit, so that all versions give the same answer.
const EXACT: Overflow = Overflow::Saturate;

/// The usage above which the targets of one HPA recommend more replicas, if all pods are ready and have metrics.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    tolerances: Tolerances,
}

impl Reach {
    /// For an HPA with this behavior, under this controller.
    pub fn new(controller: &ControllerConfig, behavior: Option<&Behavior>) -> Self {
        let switches = Switches::of(controller.version.value, &controller.feature_gates);
        Self {
            tolerances: Tolerances::new(controller, &switches, behavior),
        }
    }

    /// The scale-down tolerance in effect.
    pub fn scale_down_tolerance(&self) -> Input<f64> {
        self.tolerances.scale_down()
    }

    /// The scale-up tolerance in effect.
    pub fn scale_up_tolerance(&self) -> Input<f64> {
        self.tolerances.scale_up()
    }

    /// The lowest whole percent of the requests at which `averageUtilization: target` recommends more replicas. None if
    /// no percentage that the controller can represent does, or if the target is below 1.
    pub fn least_utilization(&self, target: i32) -> Option<i32> {
        if target < 1 {
            return None;
        }
        let least = self.least(i64::from(target), i64::from(i32::MAX), |percent| {
            let sample = once((percent, 100));
            utilization_ratio(EXACT, Pass::First, sample, target)
                .map_or(0.0, |ratio| ratio.usage_ratio)
        })?;
        i32::try_from(least).ok()
    }

    /// The lowest average over the pods at which `averageValue: target` recommends more replicas; both in milli-units.
    /// None if no average does, or if the target is below 1.
    pub fn least_average(&self, target: i64) -> Option<i64> {
        if target < 1 {
            return None;
        }
        self.least(target, 1 << 62, |average| {
            pod_average_ratio(EXACT, Pass::First, once(average), target).usage_ratio
        })
    }

    /// The lowest number above the target whose ratio is outside tolerance. The ratio grows with the usage.
    fn least(&self, target: i64, most: i64, ratio: impl Fn(i64) -> f64) -> Option<i64> {
        let is_outside = |usage: i64| !self.tolerances.check(Pass::First, ratio(usage)).is_within;
        let (mut inside, mut outside) = (target, most);
        if !is_outside(outside) {
            return None;
        }
        while 1 < outside.saturating_sub(inside) {
            let middle = inside.midpoint(outside);
            if is_outside(middle) {
                outside = middle;
            } else {
                inside = middle;
            }
        }
        Some(outside)
    }
}

/// Usage in whole percent of the requests, truncated as the controller does it. Both arguments are in milli-units. None
/// if nothing is requested.
pub fn utilization_percent(usage: i64, request: i64) -> Option<i32> {
    let ratio = utilization_ratio(EXACT, Pass::First, once((usage, request)), 1).ok()?;
    match ratio.formula {
        RatioFormula::Utilization { utilization, .. } => Some(utilization.0),
        _ => None,
    }
}

/// How much the usage ratio changes when the utilization changes by one percentage point.
pub fn utilization_step(target: i32) -> f64 {
    utilization_ratio(EXACT, Pass::First, once((1, 100)), target)
        .map_or(0.0, |ratio| ratio.usage_ratio)
}
