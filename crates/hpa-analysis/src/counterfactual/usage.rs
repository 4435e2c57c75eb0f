//! Changes usage: the lowest that scales up or to `maxReplicas`, the highest that scales down or to `minReplicas`. A usage
//! that is already beyond such a value is no counterfactual: what follows from it is today's decision.

use hpa_engine::{model::Observation, trace::Trace};

use super::{Alteration, Goal, Today, UsageLevel};
use crate::{
    probe::{counted_pods, evaluation, proposal, set_total, shares_its_samples},
    thresholds::Edges,
};

/// Scaling up, or to `maxReplicas`, takes one metric. Scaling down, or to `minReplicas`, takes all of them.
pub(super) fn alterations(today: Today<'_>) -> Vec<Alteration> {
    let trace = &today.analysis.trace;
    let spec = &today.observation.hpa.spec;
    let (min, max) = (spec.min_replicas(), spec.max_replicas);
    let Some(current) = trace.current() else {
        return Vec::new();
    };
    let mut metrics: Vec<Metric> = trace
        .metrics()
        .filter_map(|metric| Metric::new(today.observation, trace, metric.index, current))
        .collect();
    let mut found = Vec::new();
    if current < max {
        for metric in &mut metrics {
            let up = metric.least_for(current.saturating_add(1));
            let to_max = metric.least_for(max).filter(|level| {
                up.as_ref()
                    .is_none_or(|up| up.threshold.total != level.threshold.total)
            });
            found.extend(up.map(|level| usage(Goal::Up, vec![level])));
            found.extend(to_max.map(|level| usage(Goal::Max, vec![level])));
        }
    }
    let valid = trace
        .metrics()
        .filter(|metric| proposal(metric).is_some())
        .count();
    // If the usage of one metric cannot be set, the effect of all metrics is unknown.
    if min < current && metrics.len() == valid {
        let down = all_for(&mut metrics, current.saturating_sub(1));
        let to_min = all_for(&mut metrics, min).filter(|levels| down.as_ref() != Some(levels));
        found.extend(down.map(|levels| usage(Goal::Down, levels)));
        found.extend(to_min.map(|levels| usage(Goal::Min, levels)));
    }
    found
}

/// Sets the usage of the metrics.
pub(super) fn set(observation: &mut Observation, trace: &Trace, levels: &[UsageLevel]) {
    for level in levels {
        if let Some(now) = evaluation(trace, level.index) {
            let counted = counted_pods(observation, now);
            set_total(observation, level.index, &counted, level.threshold.total);
        }
    }
}

fn usage(goal: Goal, levels: Vec<UsageLevel>) -> Alteration {
    Alteration::Usage { goal, levels }
}

/// A valid metric whose usage can be set.
struct Metric {
    index: usize,
    edges: Edges,
    now: i32,
}

impl Metric {
    fn new(observation: &Observation, trace: &Trace, index: usize, current: i32) -> Option<Self> {
        if shares_its_samples(observation, index) {
            return None;
        }
        Some(Self {
            index,
            edges: Edges::new(observation, trace, index, current)?,
            now: proposal(evaluation(trace, index)?)?,
        })
    }

    /// The lowest usage at which it recommends `replicas` or more. None if it does so now, or at no usage.
    fn least_for(&mut self, replicas: i32) -> Option<UsageLevel> {
        if replicas <= self.now {
            return None;
        }
        let threshold = self.edges.least_for(replicas)?;
        Some(UsageLevel {
            index: self.index,
            threshold,
        })
    }
}

/// For each metric that recommends more than `replicas` now, the highest usage at which it recommends `replicas` or
/// fewer. None if there is no such metric, or if one never gets that low.
fn all_for(metrics: &mut [Metric], replicas: i32) -> Option<Vec<UsageLevel>> {
    let levels = metrics
        .iter_mut()
        .filter(|metric| replicas < metric.now)
        .map(|metric| {
            let threshold = metric.edges.largest_for(replicas)?;
            Some(UsageLevel {
                index: metric.index,
                threshold,
            })
        })
        .collect::<Option<Vec<_>>>()?;
    (!levels.is_empty()).then_some(levels)
}
