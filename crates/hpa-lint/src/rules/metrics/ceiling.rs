//! Targets in percent of requests, and what the limits allow.

use super::{
    entry::{Utilization, utilizations},
    target_pod::TargetPod,
};
use crate::{
    engine::{Reach, utilization_percent},
    lint::{Basis, Cx, Finding, HpaSubject, Missing},
    model::{Input, Provenance},
};

/// A target in percent of requests whose pods are limited.
#[derive(Debug)]
pub(super) struct Ceiling<'a> {
    /// The metric.
    pub(super) metric: Utilization<'a>,
    /// The least percentage that scales up.
    pub(super) least: i32,
    /// The percentage that the limits allow.
    pub(super) most: i32,
    /// The percentage that a measurement may show at most if it overshoots the limits by a twentieth.
    pub(super) most_measured: i32,
    /// What the ratio has to exceed 1 by.
    tolerance: Input<f64>,
}

impl Ceiling<'_> {
    /// The largest percentage that does not scale up.
    pub(super) fn threshold(&self) -> i32 {
        self.least - 1
    }

    /// Whether it scales up only from this share of the limits on.
    pub(super) fn is_late(&self, share: f64) -> bool {
        self.is_late_with(self.tolerance.value, share)
    }

    /// The same with another tolerance.
    pub(super) fn is_late_with(&self, tolerance: f64, share: f64) -> bool {
        let threshold = f64::from(self.metric.target) * (1.0 + tolerance);
        // Shares and tolerances are decimal numbers, which floating point misses by less than this.
        share - 1e-9 <= threshold / f64::from(self.most)
    }

    /// A finding, which rests on the flag for the tolerance if that is assumed and it would not hold without one.
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

/// All targets for `resource` whose pods are limited. What has no requests is left to the rules about those.
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
            ceilings.push(Ceiling {
                metric,
                least,
                most,
                most_measured,
                tolerance: reach.scale_up_tolerance(),
            });
        }
    }
    Ok(ceilings)
}
