//! Replays a past sync: what it wrote must follow from its inputs.

use std::mem;

use hpa_engine::{
    engine,
    model::{
        Context, ControllerConfig, Memory, MetricStatus, MetricValueStatus, Observation, Reading,
        quantity::Overflow,
    },
    trace::{Milli, RatioFormula, Trace},
};
use jiff::{SignedDuration, Timestamp};

use super::{
    cross_check::{Compared, Comparison, compare_with_status},
    earlier_proposals::{RoundingEnd, total_of, without_pods_since_rescale},
    memory::memory_from_outside,
    probe::{counted_pods, evaluation, first_ratio, set_total},
};

/// A past sync with its inputs, from which everything that it wrote must follow.
#[derive(Clone, Debug)]
pub(super) struct Replay<'a> {
    pub(super) observation: Observation,
    context: &'a Context,
    remembered: Remembered,
    now: Timestamp,
    kind: ReplayKind,
}

/// What the controller remembers before that sync.
#[derive(Clone, Debug)]
pub(super) enum Remembered {
    /// A known history.
    Known(Memory),
    /// Inferred from the status and the Events; depends on the controller's flags.
    FromOutside,
}

/// Which sync is replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReplayKind {
    /// The last sync, which changed the replicas: its status still has the number from before.
    LastRescale,
    /// Nothing has changed since.
    Present,
    /// The metrics have changed since: their values are those of the status.
    StatusValues,
}

impl<'a> Replay<'a> {
    /// The inputs as they are now.
    pub(super) fn present(
        observation: &Observation,
        context: &'a Context,
        remembered: Remembered,
        now: Timestamp,
    ) -> Self {
        Self {
            observation: observation.clone(),
            context,
            remembered,
            now,
            kind: ReplayKind::Present,
        }
    }

    /// Like `self`, with the metric values from the status, at both ends of their rounding. Empty if a metric failed
    /// then or fails now.
    pub(super) fn with_status_values(&self, trace: &Trace) -> Vec<Self> {
        let at = |end| {
            Some(Self {
                observation: with_status_values(&self.observation, trace, end)?,
                kind: ReplayKind::StatusValues,
                ..self.clone()
            })
        };
        RoundingEnd::BOTH.into_iter().filter_map(at).collect()
    }

    /// The last sync, if it changed the replicas and no other writer has since. Uses the values of its status, at both
    /// ends of their rounding, with the replicas and pods of that time.
    pub(super) fn last_rescale(&self, trace: &Trace) -> Vec<Self> {
        let status = &self.observation.hpa.status;
        let is = |condition_type: &str, reason: &str| {
            let condition = status.condition(condition_type);
            condition.is_some_and(|condition| condition.reason == reason)
        };
        // What policies allowed depends on the unknown scale events.
        let is_rated =
            is("ScalingLimited", "ScaleUpLimit") || is("ScalingLimited", "ScaleDownLimit");
        let has_rescaled = is("AbleToScale", "SucceededRescale")
            && !is_rated
            && status.current_replicas != status.desired_replicas
            && trace.current() == Some(status.desired_replicas);
        if !has_rescaled {
            return Vec::new();
        }
        let mut observation = without_pods_since_rescale(&self.observation);
        if let Reading::Read(scale) = &mut observation.scale {
            scale.spec_replicas = status.current_replicas;
            scale.status_replicas = status.current_replicas;
        }
        // An empty list, not None: the first sync of an HPA never scales down.
        let memory = Memory {
            recommendations: Some(Vec::new()),
            ..Memory::default()
        };
        let then = engine::decide(&observation, &mut memory.clone(), self.now);
        let at = |end| {
            Some(Self {
                observation: with_status_values(&observation, &then, end)?,
                remembered: Remembered::Known(memory.clone()),
                kind: ReplayKind::LastRescale,
                ..self.clone()
            })
        };
        RoundingEnd::BOTH.into_iter().filter_map(at).collect()
    }

    /// Variants one sync earlier, and with the least and the most that the controller can remember.
    pub(super) fn within_what_is_known(&self, sync_period: SignedDuration) -> Vec<Self> {
        let mut scenes = vec![Self {
            now: engine::before(self.now, sync_period),
            ..self.clone()
        }];
        if matches!(self.remembered, Remembered::FromOutside) {
            let outside = memory_from_outside(&self.observation, self.context, self.now);
            scenes.extend(outside.ends().map(|memory| Self {
                remembered: Remembered::Known(memory.clone()),
                ..self.clone()
            }));
        }
        scenes
    }

    /// Like `self`, with a controller that remembers nothing.
    pub(super) fn forgotten(&self) -> Self {
        Self {
            remembered: Remembered::Known(Memory::default()),
            ..self.clone()
        }
    }

    /// Whether everything that the controller wrote follows with the settings in `controller`.
    pub(super) fn fits(&mut self, controller: &ControllerConfig) -> bool {
        let trace = self.decide(controller);
        if self.kind == ReplayKind::LastRescale {
            let written = self.observation.hpa.status.desired_replicas;
            let outcome = trace.outcome.as_ref();
            return outcome.is_some_and(|outcome| outcome.status.desired_replicas == written);
        }
        let check = compare_with_status(&self.observation, &trace);
        let mut compared = check
            .compared
            .iter()
            .filter(|one| {
                self.kind == ReplayKind::Present || !matches!(one.what, Compared::Metric(_))
            })
            .peekable();
        compared.peek().is_some() && compared.all(Comparison::agrees)
    }

    /// The sync of a controller with the settings in `controller`.
    pub(super) fn decide(&mut self, controller: &ControllerConfig) -> Trace {
        self.under(controller, |replay| {
            engine::decide(&replay.observation, &mut replay.memory(), replay.now)
        })
    }

    /// What a controller with the settings in `controller` remembers before the sync.
    pub(super) fn memory_under(&mut self, controller: &ControllerConfig) -> Memory {
        self.under(controller, Self::memory)
    }

    /// What the controller remembers.
    pub(super) fn memory(&self) -> Memory {
        match &self.remembered {
            Remembered::Known(memory) => memory.clone(),
            Remembered::FromOutside => {
                memory_from_outside(&self.observation, self.context, self.now).likely
            }
        }
    }

    fn under<T>(&mut self, controller: &ControllerConfig, ask: impl FnOnce(&Self) -> T) -> T {
        let assumed = mem::replace(&mut self.observation.controller, controller.clone());
        let answer = ask(self);
        self.observation.controller = assumed;
        answer
    }
}

/// The observation with the metric values from its status.
fn with_status_values(
    observation: &Observation,
    trace: &Trace,
    end: RoundingEnd,
) -> Option<Observation> {
    let values = &observation.hpa.status.current_metrics;
    with_metric_values(observation, trace, values, end)
}

/// The observation with the metric values from a status, at one end of their rounding. `trace` is the sync with the
/// current values. None if a metric failed then or fails now.
pub fn with_metric_values(
    observation: &Observation,
    trace: &Trace,
    values: &[MetricStatus],
    end: RoundingEnd,
) -> Option<Observation> {
    let values = values.iter().map(MetricStatus::current).enumerate();
    let values = values.map(|(index, value)| Some((index, value?)));
    let values: Vec<_> = values.collect::<Option<_>>()?;
    with_values_of_metrics(observation, trace, &values, end)
}

/// The totals of which the average of a utilization is the one in the status. None: the status does not have both.
fn totals_of_average(value: &MetricValueStatus, pods: usize) -> Option<(i64, i64)> {
    let average = value.average_value.as_ref();
    let average = average.filter(|_| value.average_utilization.is_some())?;
    let pods = i64::try_from(pods).ok()?;
    let sum = average.milli_value(Overflow::Saturate).saturating_mul(pods);
    // Truncated.
    Some((sum, sum.saturating_add(pods.saturating_sub(1))))
}

/// Whether the values in a status can be those of the pods that `trace` counts: for an average and a utilization of the
/// same metric, some total usage has both. Their quotient is the mean request of the pods.
pub fn fit_counted_pods(
    observation: &Observation,
    trace: &Trace,
    values: &[(usize, &MetricValueStatus)],
) -> bool {
    values.iter().all(|(index, value)| {
        let totals = || {
            let counted = counted_pods(observation, evaluation(trace, *index)?);
            let Milli(least) = total_of(trace, *index, value, RoundingEnd::Least)?;
            let Milli(most) = total_of(trace, *index, value, RoundingEnd::Most)?;
            Some(((least, most), totals_of_average(value, counted.len())?))
        };
        totals().is_none_or(|((least, most), (from, to))| least.max(from) <= most.min(to))
    })
}

/// One end of a value's range. For a utilization, its average narrows the range further, because it is rounded
/// separately.
fn total_of_both(
    trace: &Trace,
    index: usize,
    value: &MetricValueStatus,
    pods: usize,
    end: RoundingEnd,
) -> Option<Milli> {
    let Milli(least) = total_of(trace, index, value, RoundingEnd::Least)?;
    let Milli(most) = total_of(trace, index, value, RoundingEnd::Most)?;
    let (mut low, mut high) = (least, most);
    if let Some((from, to)) = totals_of_average(value, pods)
        && from <= most
        && least <= to
    {
        (low, high) = (least.max(from), most.min(to));
    }
    // The length of a queue is a whole number.
    let whole = high.saturating_sub(high.checked_rem(1000)?);
    let is_over_replicas = matches!(
        first_ratio(evaluation(trace, index)?),
        Some(RatioFormula::AveragePerReplica { .. })
    );
    Some(Milli(match end {
        RoundingEnd::Middle if is_over_replicas && low <= whole => whole,
        RoundingEnd::Least => low,
        RoundingEnd::Middle => low.midpoint(high),
        RoundingEnd::Most => high,
    }))
}

/// Like [`with_metric_values`], for some metrics only, each with its index in `spec.metrics`. None if one of them fails
/// now.
pub fn with_values_of_metrics(
    observation: &Observation,
    trace: &Trace,
    values: &[(usize, &MetricValueStatus)],
    end: RoundingEnd,
) -> Option<Observation> {
    let mut then = observation.clone();
    for (index, value) in values {
        let counted = counted_pods(observation, evaluation(trace, *index)?);
        let total = total_of_both(trace, *index, value, counted.len(), end)?;
        set_total(&mut then, *index, &counted, total);
    }
    Some(then)
}
