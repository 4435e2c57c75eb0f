//! What a reconcile comes to.

use jiff::Timestamp;

use crate::{
    model::{HpaStatus, NotRead, Switches},
    trace::{ChooseProposal, MetricEvaluation, Stabilize, Step},
};

/// The record of one reconcile.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The controller's clock.
    pub at: Timestamp,
    /// How that version of the controller behaves.
    pub switches: Switches,
    /// What was worked out, in the controller's order.
    pub steps: Vec<Step>,
    /// Replicas before and after.
    pub decision: Decision,
    /// What the controller writes and emits. None if something that decides could not be read.
    pub outcome: Option<Outcome>,
}

impl Trace {
    /// `spec.replicas` of the scale, if that was read.
    pub fn current(&self) -> Option<i32> {
        self.steps.iter().find_map(|step| match step {
            Step::ReadScale(scale) => scale.spec_replicas,
            _ => None,
        })
    }

    /// The choice among the proposals, if it came to that.
    pub fn choice(&self) -> Option<&ChooseProposal> {
        self.steps.iter().find_map(|step| match step {
            Step::ChooseProposal(choice) => Some(choice),
            _ => None,
        })
    }

    /// Stabilization, if it came to that.
    pub fn stabilize(&self) -> Option<&Stabilize> {
        self.steps.iter().find_map(|step| match step {
            Step::Stabilize(stabilize) => Some(stabilize),
            _ => None,
        })
    }

    /// The metrics, in order.
    pub fn metrics(&self) -> impl Iterator<Item = &MetricEvaluation> {
        self.steps.iter().filter_map(|step| match step {
            Step::Metric(metric) => Some(metric.as_ref()),
            _ => None,
        })
    }
}

/// Replicas before and after a reconcile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// No attempt: the controller could not read the scale or the metrics, a selector is at fault, or it crashed.
    Failed {
        /// `spec.replicas` of the scale, unless that could not be read.
        current: Option<i32>,
    },
    /// The replicas stay.
    Hold {
        /// `spec.replicas` of the scale.
        current: i32,
    },
    /// The controller does nothing, because the target has zero replicas.
    Disabled,
    /// The replicas change.
    Rescale {
        /// `spec.replicas` of the scale.
        from: i32,
        /// What is written to it.
        to: i32,
        /// Whether the write succeeds.
        succeeds: bool,
    },
    /// Something that decides could not be read, so the decision is not known here.
    Unknown {
        /// `spec.replicas` of the scale, if that was read.
        current: Option<i32>,
        /// What could not be read.
        missing: Vec<NotRead>,
    },
}

impl Decision {
    /// The replicas after it, if the controller decides.
    pub fn replicas(&self) -> Option<i32> {
        match *self {
            Self::Hold { current } => Some(current),
            Self::Rescale { to, .. } => Some(to),
            Self::Failed { .. } | Self::Disabled | Self::Unknown { .. } => None,
        }
    }
}

/// What the controller writes and emits in one reconcile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Number written to the scale, also if the write was refused; none: no write.
    pub scale_to: Option<i32>,
    /// The status afterwards, as a client reads it.
    pub status: HpaStatus,
    /// Events in the order emitted, before any aggregation.
    pub events: Vec<Event>,
}

/// An event on the HPA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// `type`.
    pub event_type: EventType,
    /// `reason`.
    pub reason: &'static str,
    /// `message`.
    pub message: String,
}

/// Type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventType {
    /// `Normal`.
    Normal,
    /// `Warning`.
    Warning,
}

impl EventType {
    /// The API's spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "Normal",
            Self::Warning => "Warning",
        }
    }
}
