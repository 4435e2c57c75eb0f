//! Compares targets in percent of requests with limits.

use hpa_engine::{
    engine::{Reach, utilization_percent},
    model::{Input, Provenance},
};

use super::{
    entry::{Utilization, utilizations},
    target_pod::TargetPod,
};
use crate::{Basis, Cx, Finding, HpaSubject, Missing};

/// A target in percent of requests for pods with limits.
#[derive(Debug)]
pub(super) struct Ceiling<'a> {
    /// The metric.
    pub(super) metric: Utilization<'a>,
    /// The lowest percentage that scales up.
    pub(super) least: i32,
    /// The percentage that the limits allow.
    pub(super) most: i32,
    /// The highest percentage that a measurement can show if it overshoots the limits by 5%.
    pub(super) most_measured: i32,
    /// The highest lower target that can scale up within the limits.
    pub(super) highest_reachable: Option<i32>,
    /// The tolerance for scaling up.
    tolerance: Input<f64>,
}

impl Ceiling<'_> {
    /// The highest percentage that does not scale up.
    pub(super) fn threshold(&self) -> i32 {
        self.least - 1
    }

    /// Whether it scales up only at or above this share of the limits.
    pub(super) fn is_late(&self, share: f64) -> bool {
        self.is_late_with(self.tolerance.value, share)
    }

    /// Like [`is_late`](Self::is_late), with another tolerance.
    pub(super) fn is_late_with(&self, tolerance: f64, share: f64) -> bool {
        self.is_target_late(self.metric.target, tolerance, share)
    }

    /// The highest lower target that scales up below this share of the limits.
    pub(super) fn highest_in_time(&self, share: f64) -> Option<i32> {
        let tolerance = self.tolerance.value;
        highest_below(self.metric.target, |target| {
            !self.is_target_late(target, tolerance, share)
        })
    }

    fn is_target_late(&self, target: i32, tolerance: f64, share: f64) -> bool {
        let threshold = f64::from(target) * (1.0 + tolerance);
        // Shares and tolerances are decimal numbers; the error in floating point is smaller than this.
        share - 1e-9 <= threshold / f64::from(self.most)
    }

    /// A finding. Its evidence is the assumed tolerance flag, unless it also holds without tolerance.
    pub(super) fn finding(
        &self,
        cx: &Cx<'_, HpaSubject>,
        holds_without_tolerance: bool,
    ) -> Finding {
        let finding = cx.finding(self.metric.entry.field("target.averageUtilization"));
        if self.tolerance.provenance == Provenance::Assumed && !holds_without_tolerance {
            finding.basis(Basis::AssumedFlag)
        } else {
            finding
        }
    }
}

/// The advice: the target to write, if one is low enough, or `raise`.
pub(super) fn lower_target(highest: Option<i32>, raise: &str) -> String {
    highest.map_or_else(
        || raise.to_owned(),
        |highest| format!("lower averageUtilization to {highest} or less, or {raise}"),
    )
}

/// The highest target below `end` that suits. If it suits, all below it must.
fn highest_below(end: i32, suits: impl Fn(i32) -> bool) -> Option<i32> {
    let (mut suiting, mut other) = (0, end);
    while suiting + 1 < other {
        let middle = i32::midpoint(suiting, other);
        if suits(middle) {
            suiting = middle;
        } else {
            other = middle;
        }
    }
    (0 < suiting).then_some(suiting)
}

/// All targets for `resource` whose pods have limits. Skips missing requests, which other rules report.
pub(super) fn ceilings<'a>(
    cx: &Cx<'a, HpaSubject>,
    resource: &str,
) -> Result<Vec<Ceiling<'a>>, Missing> {
    let spec = &cx.subject.spec;
    let mut metrics = utilizations(spec);
    metrics.retain(|metric| metric.resource == resource);
    if metrics.is_empty() {
        return Ok(Vec::new());
    }
    let target = TargetPod::of(cx)?;
    let reach = Reach::new(cx.config, spec.behavior.as_ref());
    let mut ceilings = Vec::new();
    for metric in metrics {
        let Ok(request) = target.request(&metric) else {
            continue;
        };
        let Some(limit) = target.limit(cx, resource, metric.container)? else {
            continue;
        };
        let percent = |usage| utilization_percent(usage, request);
        let overshoot = limit.saturating_add(limit / 20);
        if let (Some(most), Some(most_measured), Some(least)) = (
            percent(limit),
            percent(overshoot),
            reach.least_utilization(metric.target),
        ) {
            let reaches = |target| {
                let least = reach.least_utilization(target);
                least.is_some_and(|least| least <= most)
            };
            ceilings.push(Ceiling {
                metric,
                highest_reachable: highest_below(metric.target, reaches),
                least,
                most,
                most_measured,
                tolerance: reach.scale_up_tolerance(),
            });
        }
    }
    Ok(ceilings)
}
