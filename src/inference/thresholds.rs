//! The usage at which a metric would ask for more or for fewer replicas, found with the engine itself.

use super::probe::{Probe, evaluation, first_ratio, proposal};
use crate::{
    model::Observation,
    trace::{MetricEvaluation, Milli, Percent, RatioFormula, Trace},
};

/// The usage at which one metric changes its mind.
#[derive(Clone, Debug, PartialEq)]
pub struct Thresholds {
    /// Index in `spec.metrics`.
    pub index: usize,
    /// The least usage at which it asks for more than there are; none if no usage does, or if it does so now.
    pub up: Option<Threshold>,
    /// The largest usage at which it asks for fewer than there are; none if no usage does, or if it does so now.
    pub down: Option<Threshold>,
    /// Whether it asks for fewer, for as many, or for more than there are now.
    pub now: std::cmp::Ordering,
}

/// A usage at the edge, and what the engine makes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// Total usage over the counted pods, or over all series.
    pub total: Milli,
    /// The metric at that usage.
    pub evaluation: MetricEvaluation,
    /// What it asks for.
    pub replicas: i32,
}

/// Finds the usage at which the metric at `index` of `spec.metrics` would ask for more and for fewer replicas than
/// `current`, everything else being as it is. One thousandth of a unit less or more, and it would not.
pub fn thresholds(
    observation: &Observation,
    trace: &Trace,
    index: usize,
    current: i32,
) -> Option<Thresholds> {
    let now = evaluation(trace, index)?;
    let proposed = proposal(now)?;
    let ratio = first_ratio(now)?;
    let guesses = guess(ratio, current)?;
    let mut probe = Probe::new(observation, trace, index)?;
    let ordering = proposed.cmp(&current);
    Some(Thresholds {
        index,
        up: (ordering != std::cmp::Ordering::Greater)
            .then(|| edge(&mut probe, guesses.up, Direction::Up, current))
            .flatten(),
        down: (ordering != std::cmp::Ordering::Less)
            .then(|| edge(&mut probe, guesses.down, Direction::Down, current))
            .flatten(),
        now: ordering,
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Down,
    Up,
}

struct Guesses {
    up: i64,
    down: i64,
}

/// A usage near each edge, from the metric target and the usual tolerance: where the search begins.
fn guess(formula: &RatioFormula, current: i32) -> Option<Guesses> {
    let target_total = match *formula {
        RatioFormula::AveragePerReplica {
            target: Milli(target),
            status_replicas,
            ..
        } => target.checked_mul(status_replicas.into())?,
        RatioFormula::PodAverage {
            target: Milli(target),
            pods,
            ..
        } => target.checked_mul(i64::try_from(pods).ok()?)?,
        RatioFormula::Utilization {
            requests: Milli(requests),
            target: Percent(target),
            ..
        } => requests.checked_mul(target.into())? / 100,
        RatioFormula::Value {
            target: Milli(target),
            ..
        } => target,
    };
    if !(1..LARGEST).contains(&target_total) {
        return None;
    }
    let current = i64::from(current.max(1));
    let one_fewer = target_total.checked_mul(current - 1)? / current;
    Some(Guesses {
        up: target_total + target_total / 10,
        down: one_fewer.min(target_total - target_total / 10),
    })
}

/// Gallops from `guess` until the answer changes, then halves the interval.
fn edge(probe: &mut Probe, guess: i64, direction: Direction, current: i32) -> Option<Threshold> {
    let mut wants = |total: i64| {
        let evaluation = probe.at(Milli(total))?;
        let replicas = proposal(&evaluation)?;
        let wants = match direction {
            Direction::Down => replicas < current,
            Direction::Up => current < replicas,
        };
        wants.then_some(Threshold {
            total: Milli(total),
            evaluation,
            replicas,
        })
    };
    // `outward` leads to where it certainly wants, `inward` back to where it does not.
    let outward = match direction {
        Direction::Down => -1,
        Direction::Up => 1,
    };
    let limit = match direction {
        Direction::Down => 0,
        Direction::Up => LARGEST,
    };
    let clamp = |total: i64| total.clamp(0, LARGEST);
    let mut step = 1_i64;
    let (mut inside, mut outside) = if let Some(mut found) = wants(guess) {
        loop {
            let next = clamp(found.total.0 - outward * step);
            if next == found.total.0 {
                return Some(found);
            }
            match wants(next) {
                Some(threshold) => found = threshold,
                None => break (next, found),
            }
            step = step.saturating_mul(2).min(LARGEST);
        }
    } else {
        let mut last = guess;
        loop {
            let next = clamp(last + outward * step);
            match wants(next) {
                Some(threshold) => break (last, threshold),
                None if next == limit => return None,
                None => last = next,
            }
            step = step.saturating_mul(2).min(LARGEST);
        }
    };
    while 1 < (outside.total.0 - inside).abs() {
        let middle = inside.midpoint(outside.total.0);
        match wants(middle) {
            Some(threshold) => outside = threshold,
            None => inside = middle,
        }
    }
    Some(outside)
}

/// Thousandths beyond which a product with 100 or with a number of pods may overflow in the controller.
const LARGEST: i64 = 1 << 56;
