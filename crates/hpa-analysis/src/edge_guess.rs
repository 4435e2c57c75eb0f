//! Guesses where a usage edge is. The search starts there, and two decisions usually suffice.

use hpa_engine::trace::{
    MetricEvaluation, MetricStep, Milli, Percent, RatioFormula, ToleranceCheck,
};

use super::{probe::first_ratio, thresholds::LARGEST};

/// A metric in the whole numbers of its first ratio: percent, or thousandths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    target: i64,
    /// The replicas at a ratio of 1.
    replicas: i64,
    /// One whole number is `usage ÷ divisor` thousandths of total usage.
    usage: i64,
    /// See `usage`.
    divisor: i64,
    lowest_ratio: f64,
    highest_ratio: f64,
}

impl Terms {
    /// None if the target is zero, or so large that the controller's numbers can overflow.
    pub(super) fn new(evaluation: &MetricEvaluation, current: i32) -> Option<Self> {
        let current = i64::from(current.max(1));
        let (target, replicas, usage, divisor) = match *first_ratio(evaluation)? {
            RatioFormula::AveragePerReplica {
                target: Milli(target),
                status_replicas,
                ..
            } => {
                let replicas = i64::from(status_replicas);
                (target.checked_mul(replicas)?, replicas, 1, 1)
            }
            RatioFormula::PodAverage {
                target: Milli(target),
                pods,
                ..
            } => {
                let pods = i64::try_from(pods).ok()?;
                (target, pods, pods, 1)
            }
            RatioFormula::Utilization {
                requests: Milli(requests),
                target: Percent(target),
                pods,
                ..
            } => (target.into(), i64::try_from(pods).ok()?, requests, 100),
            RatioFormula::Value {
                target: Milli(target),
                ..
            } => (target, ready_pods(evaluation).unwrap_or(current), 1, 1),
        };
        let on_target = target.checked_mul(usage)? / divisor;
        if !(1..LARGEST).contains(&on_target) || replicas < 1 {
            return None;
        }
        let tolerance = evaluation.steps.iter().find_map(|step| match step {
            MetricStep::ToleranceCheck(check) => Some(check),
            _ => None,
        });
        let (lowest_ratio, highest_ratio) = tolerance.map_or((0.9, 1.1), ToleranceCheck::band);
        Some(Self {
            target,
            replicas,
            usage,
            divisor,
            lowest_ratio,
            highest_ratio,
        })
    }

    /// Approximately the lowest usage that recommends `replicas`: above tolerance, and for more than `replicas - 1`.
    pub(super) fn guess_least(&self, replicas: i32) -> Option<i64> {
        let inside = self.on_target_times(self.highest_ratio);
        let fewer = self.for_replicas(replicas.saturating_sub(1))?;
        Some(self.total(inside.max(fewer).saturating_add(1)))
    }

    /// Approximately the highest usage that recommends `replicas`: outside tolerance, and not for `replicas + 1`. It is above
    /// tolerance where there are fewer pods than replicas.
    pub(super) fn guess_largest(&self, replicas: i32) -> Option<i64> {
        let inside = self.on_target_times(self.lowest_ratio);
        let as_many = self.for_replicas(replicas)?;
        let is_above = self.on_target_times(self.highest_ratio) < as_many;
        let largest = if is_above {
            as_many
        } else {
            as_many.min(inside.saturating_sub(1))
        };
        Some(self.total(largest.saturating_add(1)).saturating_sub(1))
    }

    fn for_replicas(&self, replicas: i32) -> Option<i64> {
        Some(self.target.checked_mul(replicas.max(0).into())? / self.replicas)
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "a guess, from which the engine searches"
    )]
    fn on_target_times(&self, ratio: f64) -> i64 {
        (self.target as f64 * ratio) as i64
    }

    /// The lowest total usage that gives the whole number `number`.
    fn total(&self, number: i64) -> i64 {
        let total = i128::from(number) * i128::from(self.usage);
        let divisor = i128::from(self.divisor);
        let rest = i128::from(total % divisor != 0);
        let total = total / divisor + rest;
        i64::try_from(total.clamp(0, LARGEST.into())).unwrap_or(LARGEST)
    }
}

/// The pods that a Value target is multiplied by.
fn ready_pods(evaluation: &MetricEvaluation) -> Option<i64> {
    let ready = evaluation.steps.iter().find_map(|step| match step {
        MetricStep::CountReadyPods(step) => Some(step.ready),
        _ => None,
    })?;
    i64::try_from(ready).ok().filter(|ready| 0 < *ready)
}
