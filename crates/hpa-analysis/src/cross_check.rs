//! Compares the recomputed sync with what the controller wrote.

use hpa_engine::{
    model::{HpaStatus, MetricStatus, Observation},
    trace::Trace,
};

use super::{
    cause::{Cause, Hypothesis},
    status_spec::StatusSpec,
};

/// The recomputed sync against what the controller wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossCheck {
    /// What it was compared with.
    pub basis: CheckBasis,
    /// Every comparison, in order.
    pub compared: Vec<Comparison>,
    /// The result.
    pub agreement: ComparisonOutcome,
    /// Causes of a disagreement, the most probable first.
    pub hypotheses: Vec<Hypothesis>,
}

impl CrossCheck {
    /// Nothing was compared: the controller does not have this spec.
    pub(super) fn of_changed_spec() -> Self {
        Self::without(ComparisonOutcome::SpecChanged)
    }

    /// Nothing was compared: the caller compares in another way.
    pub fn not_needed() -> Self {
        Self::without(ComparisonOutcome::NotRecomputed)
    }

    /// Nothing was compared: the controller wrote the status during the reads.
    pub(super) fn torn() -> Self {
        Self::without(ComparisonOutcome::Torn)
    }

    /// The desired replicas as written and as recomputed, where they differ.
    pub fn differing_replicas(&self) -> Option<&Comparison> {
        let mut compared = self.compared.iter();
        compared.find(|one| one.what == Compared::DesiredReplicas && !one.agrees())
    }

    fn without(agreement: ComparisonOutcome) -> Self {
        Self {
            basis: CheckBasis::Status,
            compared: Vec::new(),
            agreement,
            hypotheses: Vec::new(),
        }
    }

    /// The comparison with the recorded outcome of the same sync. `differences` has the field, the recorded and the
    /// recomputed value of everything that differs.
    pub fn with_outcome(differences: impl Iterator<Item = (String, String, String)>) -> Self {
        let compared: Vec<Comparison> = differences
            .map(|(field, written, recomputed)| Comparison {
                what: Compared::Field(field),
                written,
                recomputed,
            })
            .collect();
        Self {
            basis: CheckBasis::Outcome,
            agreement: if compared.is_empty() {
                ComparisonOutcome::Agrees
            } else {
                ComparisonOutcome::Differs
            },
            compared,
            hypotheses: Vec::new(),
        }
    }
}

/// What a recomputation is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckBasis {
    /// The outcome of the same sync, from a recording.
    Outcome,
    /// The status, written by the previous sync.
    Status,
}

/// One thing that was compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The field: `desiredReplicas`, `currentMetrics[0]`, `AbleToScale`.
    pub what: Compared,
    /// What the controller wrote.
    pub written: String,
    /// What was recomputed.
    pub recomputed: String,
}

impl Comparison {
    /// Whether both are equal.
    pub fn agrees(&self) -> bool {
        self.written == self.recomputed
    }
}

/// What was compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Reason of a condition.
    Condition(&'static str),
    /// `desiredReplicas`.
    DesiredReplicas,
    /// `desiredReplicas` of the last sync, if that changed the replicas.
    LastRescale,
    /// A field of a recorded outcome.
    Field(String),
    /// Message of a condition.
    Message(String),
    /// The value of the metric at this index.
    Metric(usize),
}

impl Compared {
    /// The field as JSON names it.
    pub fn path(&self) -> String {
        match self {
            Self::Condition(condition) => format!("conditions[{condition}].reason"),
            Self::DesiredReplicas | Self::LastRescale => "desiredReplicas".to_owned(),
            Self::Field(field) => field.clone(),
            Self::Message(condition) => format!("conditions[{condition}].message"),
            Self::Metric(index) => format!("currentMetrics[{index}]"),
        }
    }
}

/// The result of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonOutcome {
    /// Everything that can be compared is equal.
    Agrees,
    /// The same inputs led to another decision.
    Differs,
    /// Metrics, pods or time have changed since the last sync, and that explains the differences.
    Moved,
    /// The decision is another one. Inputs may have changed since the last sync, and a setting may differ.
    MayHaveMoved,
    /// The controller has written nothing yet.
    NothingWritten,
    /// Nothing was recomputed.
    NotRecomputed,
    /// The controller wrote the status during the reads: it may belong to the new inputs or to the old ones.
    Torn,
    /// The controller does not have this spec.
    SpecChanged,
    /// The HPA's spec does not fit its status: it was edited since.
    SpecEdited,
}

impl ComparisonOutcome {
    /// In kebab case, as JSON has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::Moved => "inputs-moved",
            Self::MayHaveMoved => "inputs-may-have-moved",
            Self::NothingWritten => "nothing-written",
            Self::NotRecomputed => "not-recomputed",
            Self::Torn => "torn",
            Self::SpecChanged => "spec-changed",
            Self::SpecEdited => "spec-edited",
        }
    }
}

/// Compares a recomputation with the last status as far as possible: the values of the metrics always, decision and
/// reasons only if the last sync kept the current replicas.
pub(super) fn compare_with_status(observation: &Observation, trace: &Trace) -> CrossCheck {
    let status = &observation.hpa.status;
    let mut check = CrossCheck {
        basis: CheckBasis::Status,
        compared: Vec::new(),
        agreement: ComparisonOutcome::Agrees,
        hypotheses: Vec::new(),
    };
    let Some(outcome) = &trace.outcome else {
        check.agreement = ComparisonOutcome::NotRecomputed;
        return check;
    };
    if status.conditions.is_empty() {
        check.agreement = ComparisonOutcome::NothingWritten;
        return check;
    }
    // A sync that reads no metric keeps the old values, so comparing them proves nothing.
    if trace.metrics().next().is_some() {
        check.compared = metrics(status, &outcome.status);
    }
    if is_steady(observation, trace) {
        check.compared.push(Comparison {
            what: Compared::DesiredReplicas,
            written: status.desired_replicas.to_string(),
            recomputed: outcome.status.desired_replicas.to_string(),
        });
        check.compared.extend(conditions(status, &outcome.status));
    }
    if StatusSpec::shown(observation).is_other {
        check.agreement = ComparisonOutcome::SpecEdited;
        check
            .hypotheses
            .push(Hypothesis::fitting(Cause::SpecEdited));
    } else if check
        .compared
        .iter()
        .any(|one| one.what == Compared::DesiredReplicas && !one.agrees())
    {
        check.agreement = ComparisonOutcome::Differs;
    } else if !check.compared.iter().all(Comparison::agrees) {
        // The same decision from other values or for another reason: the inputs have changed since.
        check.agreement = ComparisonOutcome::Moved;
    }
    check
}

/// Whether the last sync left the current replicas, so that it is comparable with one that starts now.
pub(super) fn is_steady(observation: &Observation, trace: &Trace) -> bool {
    let status = &observation.hpa.status;
    let able = status.condition("AbleToScale");
    trace.current() == Some(status.current_replicas)
        && status.current_replicas == status.desired_replicas
        && able.is_none_or(|condition| condition.reason != "SucceededRescale")
}

fn metrics(written: &HpaStatus, recomputed: &HpaStatus) -> Vec<Comparison> {
    // A sync that reads no metric leaves an empty list.
    if written.current_metrics.is_empty() || recomputed.current_metrics.is_empty() {
        return Vec::new();
    }
    written
        .current_metrics
        .iter()
        .zip(&recomputed.current_metrics)
        .enumerate()
        .map(|(index, (written, recomputed))| Comparison {
            what: Compared::Metric(index),
            written: value_text(written),
            recomputed: value_text(recomputed),
        })
        .collect()
}

/// The value of a metric as `kubectl get hpa` shows it.
pub fn value_text(status: &MetricStatus) -> String {
    let Some(value) = status.current() else {
        return "failed".to_owned();
    };
    match (
        value.average_utilization,
        &value.average_value,
        &value.value,
    ) {
        (Some(percent), _, _) => format!("{percent}%"),
        (None, Some(average), _) => average.to_string(),
        (None, None, Some(value)) => value.to_string(),
        (None, None, None) => "nothing".to_owned(),
    }
}

fn conditions(written: &HpaStatus, recomputed: &HpaStatus) -> Vec<Comparison> {
    let reason = |status: &HpaStatus, condition| {
        let condition = status.condition(condition)?;
        Some(condition.reason.clone())
    };
    ["AbleToScale", "ScalingActive", "ScalingLimited"]
        .into_iter()
        .filter_map(|condition| {
            Some(Comparison {
                what: Compared::Condition(condition),
                written: reason(written, condition)?,
                recomputed: reason(recomputed, condition)?,
            })
        })
        .collect()
}
