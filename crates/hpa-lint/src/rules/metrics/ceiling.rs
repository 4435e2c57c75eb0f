//! Compares targets in percent of requests with limits.

use hpa_diagnosis::unreachable_target::{HighestUsage, OutOfReach, highest_below, out_of_reach};
use hpa_engine::{engine::Reach, model::Provenance, trace::RatioFormula};
use hpa_explain::{Facts, highest_usage};

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
    /// The percentages that the limits allow.
    pub(super) highest: HighestUsage,
    /// The percentage that the pods use now; none: not known.
    usage: Option<i32>,
    reach: Reach,
}

impl Ceiling<'_> {
    /// The highest percentage that does not scale up.
    pub(super) fn threshold(&self) -> i32 {
        self.least - 1
    }

    /// Whether even pods at their limits do not scale it up.
    pub(super) fn out_of_reach(&self) -> Option<OutOfReach> {
        out_of_reach(&self.reach, self.metric.target, self.highest, self.usage)
    }

    /// Whether it scales up only at or above this share of the limits.
    pub(super) fn is_late(&self, share: f64) -> bool {
        self.is_late_with(self.reach.scale_up_tolerance().value, share)
    }

    /// Like [`is_late`](Self::is_late), with another tolerance.
    pub(super) fn is_late_with(&self, tolerance: f64, share: f64) -> bool {
        self.is_target_late(self.metric.target, tolerance, share)
    }

    /// The highest lower target that scales up below this share of the limits.
    pub(super) fn highest_in_time(&self, share: f64) -> Option<i32> {
        let tolerance = self.reach.scale_up_tolerance().value;
        highest_below(self.metric.target, |target| {
            !self.is_target_late(target, tolerance, share)
        })
    }

    fn is_target_late(&self, target: i32, tolerance: f64, share: f64) -> bool {
        let threshold = f64::from(target) * (1.0 + tolerance);
        // Shares and tolerances are decimal numbers; the error in floating point is smaller than this.
        share - 1e-9 <= threshold / f64::from(self.highest.most)
    }

    /// A finding. Its evidence is the assumed tolerance flag, unless it also holds without tolerance.
    pub(super) fn finding(
        &self,
        cx: &Cx<'_, HpaSubject>,
        holds_without_tolerance: bool,
    ) -> Finding {
        let finding = cx.finding(self.metric.entry.field("target.averageUtilization"));
        if self.reach.scale_up_tolerance().provenance == Provenance::Assumed
            && !holds_without_tolerance
        {
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
    let reach = Reach::new(cx.config, spec.behavior.as_ref());
    let ceiling = |metric: Utilization<'a>, highest| {
        Some(Ceiling {
            least: reach.least_utilization(metric.target)?,
            usage: of_live(cx, &metric).map(|(_, usage)| usage),
            metric,
            highest,
            reach,
        })
    };
    let target = match TargetPod::of(cx) {
        Ok(target) => target,
        // A recording has pods and no template.
        Err(missing) => {
            let of_pods = |metric| ceiling(metric, of_live(cx, &metric)?.0);
            let of_pods: Vec<_> = metrics.into_iter().filter_map(of_pods).collect();
            return if of_pods.is_empty() {
                Err(missing)
            } else {
                Ok(of_pods)
            };
        }
    };
    let mut ceilings = Vec::new();
    for metric in metrics {
        let Ok(request) = target.request(&metric) else {
            continue;
        };
        let Some(limit) = target.limit(cx, resource, metric.container)? else {
            continue;
        };
        let highest = HighestUsage::of(limit, request);
        ceilings.extend(highest.and_then(|highest| ceiling(metric, highest)));
    }
    Ok(ceilings)
}

/// What the pods of a cluster can use and use now.
fn of_live(cx: &Cx<'_, HpaSubject>, metric: &Utilization<'_>) -> Option<(HighestUsage, i32)> {
    let live = cx.live().ok()?;
    let facts = Facts::new(&live.observation, &live.analysis.trace);
    let mut metrics = facts.metrics.iter();
    let metric = metrics.find(|one| one.evaluation.index == metric.entry.index)?;
    let RatioFormula::Utilization { utilization, .. } = metric.ratio?.formula else {
        return None;
    };
    Some((highest_usage(&facts, metric)?, utilization.0))
}
