//! The usage from which on a target asks for more replicas: what lies beyond it need not be asked of a cluster.
//!
//! Nothing of it is upstream's; it turns the controller's own ratio and tolerance round.

use std::iter::once;

use crate::{
    engine::{
        tolerance::Tolerances,
        usage_ratio::{pod_average_ratio, utilization_ratio},
    },
    model::{Behavior, ControllerConfig, Input, Switches},
    trace::{Pass, RatioFormula},
};

/// From which usage on the targets of one HPA ask for more replicas, if all pods are ready and measured.
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

    /// The tolerance on the way down that holds.
    pub fn scale_down_tolerance(&self) -> Input<f64> {
        self.tolerances.scale_down()
    }

    /// The tolerance on the way up that holds.
    pub fn scale_up_tolerance(&self) -> Input<f64> {
        self.tolerances.scale_up()
    }

    /// The least whole percent of the requests at which `averageUtilization: target` asks for more. None if no
    /// percentage that the controller can hold does, or if the target is below 1.
    pub fn least_utilization(&self, target: i32) -> Option<i32> {
        if target < 1 {
            return None;
        }
        let least = self.least(i64::from(target), i64::from(i32::MAX), |percent| {
            let sample = once((percent, 100));
            utilization_ratio(Pass::First, sample, target).map_or(0.0, |ratio| ratio.usage_ratio)
        })?;
        i32::try_from(least).ok()
    }

    /// The least average over the pods at which `averageValue: target` asks for more; both in milli-units. None if no
    /// average does, or if the target is below 1.
    pub fn least_average(&self, target: i64) -> Option<i64> {
        if target < 1 {
            return None;
        }
        self.least(target, 1 << 62, |average| {
            pod_average_ratio(Pass::First, once(average), target).usage_ratio
        })
    }

    /// The least number above the target whose ratio is outside the tolerance: a ratio grows with its usage.
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

/// Usage in whole percent of the requests, truncated as the controller does it; both in milli-units. None if nothing is
/// requested.
pub fn utilization_percent(usage: i64, request: i64) -> Option<i32> {
    let ratio = utilization_ratio(Pass::First, once((usage, request)), 1).ok()?;
    match ratio.formula {
        RatioFormula::Utilization { utilization, .. } => Some(utilization.0),
        _ => None,
    }
}

/// What a ratio of 1 moves by if the utilization moves by one percent point.
pub fn utilization_step(target: i32) -> f64 {
    utilization_ratio(Pass::First, once((1, 100)), target).map_or(0.0, |ratio| ratio.usage_ratio)
}
