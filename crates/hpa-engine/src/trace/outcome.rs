//! The result of a sync.

use jiff::Timestamp;

use crate::{
    model::{HpaStatus, NotRead, Switches},
    trace::{ChooseProposal, MetricEvaluation, Stabilize, Step},
};

/// The record of one sync.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The controller's clock.
    pub at: Timestamp,
    /// The version-specific behavior of the controller.
    pub switches: Switches,
    /// The calculations, in the controller's order.
    pub steps: Vec<Step>,
    /// Replicas before and after.
    pub decision: Decision,
    /// What the controller writes and emits. None if a read that the decision needs is missing.
    pub outcome: Option<Outcome>,
}

impl Trace {
    /// `spec.replicas` of the scale, if it was read.
    pub fn current(&self) -> Option<i32> {
        self.steps.iter().find_map(|step| match step {
            Step::ReadScale(scale) => scale.spec_replicas,
            _ => None,
        })
    }

    /// The choice among the proposals, if the sync got that far.
    pub fn choice(&self) -> Option<&ChooseProposal> {
        self.steps.iter().find_map(|step| match step {
            Step::ChooseProposal(choice) => Some(choice),
            _ => None,
        })
    }

    /// Stabilization, if the sync got that far.
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

/// Replicas before and after a sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The controller does not scale: it could not read the scale or the metrics, the selector is invalid or ambiguous,
    /// or it crashed.
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
    /// A read that the decision needs is missing, so the decision is unknown.
    Unknown {
        /// `spec.replicas` of the scale, if it was read.
        current: Option<i32>,
        /// What could not be read.
        missing: Vec<NotRead>,
    },
}

impl Decision {
    /// The replicas after the sync, if the controller decides.
    pub fn replicas(&self) -> Option<i32> {
        match *self {
            Self::Hold { current } => Some(current),
            Self::Rescale { to, .. } => Some(to),
            Self::Failed { .. } | Self::Disabled | Self::Unknown { .. } => None,
        }
    }
}

/// What the controller writes and emits in one sync.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Replicas written to the scale, even if the write was refused. None: no write.
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
