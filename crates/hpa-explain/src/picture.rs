//! The decision as positions on a line of replicas: the content of the picture, without its looks.

use hpa_engine::{
    model::Direction,
    trace::{Choice, Decision, LimitPath, LimitRate, Stabilize, StabilizePath},
};

use crate::{ExplainContext, Facts, MetricFacts, StepKind, StepView};

/// The decision as positions on a line of replicas.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The part of the line that is shown.
    pub axis: ReplicaAxis,
    /// `spec.replicas` now.
    pub current: i32,
    /// What is shown, from top to bottom in the controller's order.
    pub lanes: Vec<Lane>,
}

/// One thing shown on the line of replicas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// What it is.
    pub kind: LaneKind,
    /// The metric that it belongs to: its index in `spec.metrics`.
    pub metric: Option<usize>,
    /// Its title: `cpu`, `stabilize`.
    pub title: String,
    /// Its outcome, short: `asks for 12`.
    pub outcome: String,
    /// Its position.
    pub shape: PictureShape,
    /// Whether it decides.
    pub is_deciding: bool,
}

/// What a lane is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LaneKind {
    /// minReplicas and maxReplicas.
    Bounds,
    /// What a metric asks for.
    Metric,
    /// The recommendations of the stabilization window.
    Stabilize,
    /// What policies, `minReplicas` and `maxReplicas` allow.
    Limits,
    /// The result.
    Result,
}

/// The position of something on the line of replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureShape {
    /// From the least to the most, and the outcome.
    Band {
        /// The least.
        low: i32,
        /// The most.
        high: i32,
        /// The outcome.
        outcome: Option<i32>,
    },
    /// A change.
    Move {
        /// Replicas before.
        from: i32,
        /// Replicas after.
        to: i32,
    },
    /// No position: it failed or is not known.
    Nothing,
}

/// The part of the line that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplicaAxis {
    /// Replicas at its left end.
    pub low: i32,
    /// Replicas at its right end, more than `low`.
    pub high: i32,
}

impl ReplicaAxis {
    /// An axis that shows `current` well; values many times as large lie beyond its right end.
    fn around(current: i32, values: impl Iterator<Item = i32>) -> Self {
        let most = current.saturating_mul(REACH).max(LEAST_REACH);
        let (mut low, mut high) = (current, current);
        let mut is_cut = false;
        for value in values {
            low = low.min(value);
            if value <= most {
                high = high.max(value);
            } else {
                is_cut = true;
            }
        }
        if is_cut {
            high = high.max(current.saturating_add(current / 2));
        }
        let span = high.saturating_sub(low);
        // If everything happens far from 0, the part next to 0 only takes room.
        let low = if span < low / 2 {
            low.saturating_sub((span / 8).max(1))
        } else {
            low.min(0)
        };
        let low = low.min(i32::MAX - 1);
        Self {
            low,
            high: high.max(low + 1),
        }
    }

    /// The position of `replicas` from 0 at the left end to 1 at the right end; `None` beyond the right end.
    pub fn place(self, replicas: i32) -> Option<f64> {
        let span = f64::from(self.high) - f64::from(self.low);
        let place = (f64::from(replicas) - f64::from(self.low)) / span;
        (place <= 1.0).then(|| place.max(0.0))
    }
}

impl PictureShape {
    /// The numbers that it shows.
    pub fn values(self) -> impl Iterator<Item = i32> {
        let values = match self {
            Self::Band { low, high, outcome } => [Some(low), Some(high), outcome],
            Self::Move { from, to } => [Some(from), Some(to), None],
            Self::Nothing => [None, None, None],
        };
        values.into_iter().flatten()
    }
}

impl Picture {
    /// A picture of these lanes.
    pub fn new(current: i32, lanes: Vec<Lane>) -> Self {
        Self {
            axis: ReplicaAxis::around(current, lanes.iter().flat_map(|lane| lane.shape.values())),
            current,
            lanes,
        }
    }
}

/// The decision as positions; none if the replicas could not be read.
pub(super) fn picture(cx: &ExplainContext<'_>, steps: &[StepView]) -> Option<Picture> {
    let facts = &cx.facts;
    let current = facts.current()?;
    let mut lanes = vec![bounds(facts)];
    lanes.extend(facts.metrics.iter().map(|one| metric(one, current)));
    lanes.extend(facts.stabilize.map(stabilize));
    lanes.extend(facts.limit.map(limits));
    lanes.push(result(cx, current));
    if let Some((kind, metric)) = deciding(facts, steps) {
        for lane in &mut lanes {
            lane.is_deciding = lane.kind == kind && lane.metric == metric;
        }
    }
    Some(Picture::new(current, lanes))
}

fn lane(kind: LaneKind, title: &str, outcome: String, shape: PictureShape) -> Lane {
    Lane {
        kind,
        metric: None,
        title: title.to_owned(),
        outcome,
        shape,
        is_deciding: false,
    }
}

fn bounds(facts: &Facts<'_>) -> Lane {
    let (low, high) = (facts.min(), facts.max());
    let shape = PictureShape::Band {
        low,
        high,
        outcome: None,
    };
    lane(LaneKind::Bounds, "min/max", format!("{low}–{high}"), shape)
}

fn metric(metric: &MetricFacts<'_>, current: i32) -> Lane {
    let (outcome, shape) = match (metric.replicas(), metric.failure()) {
        (Some(to), _) => (
            format!("asks for {to}"),
            PictureShape::Move { from: current, to },
        ),
        (None, Some(_)) => ("failed".to_owned(), PictureShape::Nothing),
        (None, None) => ("not known".to_owned(), PictureShape::Nothing),
    };
    Lane {
        metric: Some(metric.evaluation.index),
        ..lane(LaneKind::Metric, &metric.full_name(), outcome, shape)
    }
}

/// The range in which stabilization keeps the replicas, and the stabilized recommendation.
fn stabilize(step: &Stabilize) -> Lane {
    let (low, high) = match step.path {
        StabilizePath::Behavior {
            lowest, highest, ..
        } => (lowest, highest),
        StabilizePath::NoBehavior { .. } => {
            let remembered = step.considered.iter().map(|one| one.replicas);
            let lowest = remembered.min().unwrap_or(step.recommendation);
            (lowest.min(step.recommendation), step.stabilized)
        }
    };
    let shape = PictureShape::Band {
        low: low.min(high),
        high: high.max(low),
        outcome: Some(step.stabilized),
    };
    lane(
        LaneKind::Stabilize,
        "window",
        format!("gives {}", step.stabilized),
        shape,
    )
}

/// What `minReplicas`, `maxReplicas` and policies allow in this direction, and the limited recommendation.
fn limits(step: &LimitRate) -> Lane {
    let (low, high) = match &step.path {
        LimitPath::NoBehavior { scale_up_limit } => (step.min, step.max.min(*scale_up_limit)),
        LimitPath::Behavior {
            direction: Some(Direction::Up),
            limit: Some(limit),
            ..
        } => (step.min, step.max.min(*limit)),
        LimitPath::Behavior {
            direction: Some(Direction::Down),
            limit: Some(limit),
            ..
        } => (step.min.max(*limit), step.max),
        LimitPath::Behavior { .. } => (step.min, step.max),
    };
    let shape = PictureShape::Band {
        low: low.min(high),
        high: high.max(low),
        outcome: Some(step.desired),
    };
    lane(
        LaneKind::Limits,
        "rate limit",
        format!("allows {}", step.desired),
        shape,
    )
}

fn result(cx: &ExplainContext<'_>, current: i32) -> Lane {
    let to = match cx.facts.trace.decision {
        Decision::Rescale {
            to, succeeds: true, ..
        } => Some(to),
        Decision::Unknown { .. } => None,
        Decision::Disabled
        | Decision::Failed { .. }
        | Decision::Hold { .. }
        | Decision::Rescale { .. } => Some(current),
    };
    let (outcome, shape) = match (to, cx.range()) {
        (_, Some((low, high))) => (
            format!("{low}–{high}"),
            PictureShape::Band {
                low,
                high,
                outcome: None,
            },
        ),
        (None, None) => ("not known".to_owned(), PictureShape::Nothing),
        (Some(to), None) => {
            let outcome = if to == current {
                format!("stays at {to}")
            } else {
                format!("{current} → {to}")
            };
            (outcome, PictureShape::Move { from: current, to })
        }
    };
    lane(LaneKind::Result, "result", outcome, shape)
}

/// The lane of the step that decides.
fn deciding(facts: &Facts<'_>, steps: &[StepView]) -> Option<(LaneKind, Option<usize>)> {
    let step = steps.iter().find(|step| step.is_deciding)?;
    Some(match (step.kind, step.metric) {
        (_, Some(metric)) => (LaneKind::Metric, Some(metric)),
        (StepKind::CompareBounds, _) => (LaneKind::Bounds, None),
        (StepKind::Stabilize, _) => (LaneKind::Stabilize, None),
        (StepKind::Limits, _) => (LaneKind::Limits, None),
        (StepKind::Choice, _) => {
            let choice = facts.choice?;
            match choice.choice {
                Choice::Winner => (LaneKind::Metric, choice.winner),
                Choice::AllInvalid | Choice::RefusedScaleDown => {
                    (LaneKind::Metric, choice.first_invalid)
                }
            }
        }
        _ => (LaneKind::Result, None),
    })
}

/// Values above this multiple of the current replicas are not on the axis.
const REACH: i32 = 6;

/// An axis reaches at least this far, so that small numbers of replicas have room.
const LEAST_REACH: i32 = 12;

#[cfg(test)]
mod tests {
    use super::*;

    fn displayed(current: i32, values: &[i32]) -> ReplicaAxis {
        ReplicaAxis::around(current, values.iter().copied())
    }

    #[test]
    fn everything_near_is_on_the_axis_and_in_order() {
        let axis = displayed(8, &[2, 20, 12]);
        assert_eq!(axis, ReplicaAxis { low: 0, high: 20 });
        assert_eq!(axis.place(0), Some(0.0));
        assert_eq!(axis.place(20), Some(1.0));
        assert!(axis.place(8) < axis.place(12));
    }

    #[test]
    fn what_is_far_beyond_does_not_squash_the_rest() {
        let axis = displayed(2, &[2, 10, 258]);
        assert_eq!(axis, ReplicaAxis { low: 0, high: 10 });
        assert_eq!(axis.place(258), None);
    }

    #[test]
    fn axis_of_large_numbers_begins_near_them() {
        assert_eq!(
            displayed(950, &[900, 1000]),
            ReplicaAxis {
                low: 888,
                high: 1000
            }
        );
    }

    #[test]
    fn axis_has_two_ends_for_any_numbers() {
        for values in [[0, 0], [i32::MIN, i32::MAX], [-5, -5], [i32::MAX, i32::MAX]] {
            let axis = displayed(values[0], &values);
            assert!(axis.low < axis.high, "{axis:?}");
            for value in values {
                assert!(
                    axis.place(value)
                        .is_none_or(|place| (0.0..=1.0).contains(&place))
                );
            }
        }
    }
}
