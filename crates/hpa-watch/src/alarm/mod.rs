//! Alarms for a person to check, one file per alarm. An alarm is on as long as its condition holds, and slightly
//! longer, so that it does not flicker.

mod blocked;
mod cause;
mod common_cause;
mod condition;
mod conditions;
mod disagreement;
mod evaluation;
mod flapping;
mod foreign_writer;
mod group;
mod held;
mod invalid_metric;
mod not_reconciled;
mod outlier_sample;
mod pods_not_running;
mod target_not_found;
mod unmet_demand;
mod unready_pods;

use hpa_explain::Urgency;
use jiff::Timestamp;

pub use cause::AlarmCause;
pub(super) use evaluation::{all_off, evaluate};
pub(super) use group::AlarmGroup;
pub(super) use held::Conditions;

/// The kind of an alarm, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
pub enum AlarmKind {
    /// The API server does not answer. It affects all HPAs.
    NotConnected,
    /// The target does not exist.
    TargetNotFound,
    /// Another HPA selects the same pods, so the controller scales neither.
    Blocked,
    /// The recomputation and the status disagree.
    Disagreement,
    /// The replicas are at `maxReplicas`, and the metrics ask for more.
    UnmetDemand,
    /// A metric cannot be read.
    InvalidMetric,
    /// Pods are not created, or not scheduled.
    PodsNotRunning,
    /// The controller has not synced for three sync periods.
    NotReconciled,
    /// Many pods are not ready.
    UnreadyPods,
    /// The replicas go up and down in turns.
    Flapping,
    /// Another writer than the controller changes the replicas.
    ForeignWriter,
    /// One pod's sample is far from those of the others.
    OutlierSample,
}

impl AlarmKind {
    /// The urgency of an HPA with this alarm.
    pub fn urgency(self) -> Urgency {
        match self {
            Self::Blocked | Self::InvalidMetric | Self::TargetNotFound => Urgency::Failed,
            Self::UnmetDemand => Urgency::BeyondMax,
            Self::NotConnected | Self::NotReconciled => Urgency::Unknown,
            Self::Disagreement => Urgency::Differs,
            Self::PodsNotRunning | Self::UnreadyPods => Urgency::NotReady,
            _ => Urgency::Scaling,
        }
    }

    /// The name in kebab case, as JSON has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotConnected => "not-connected",
            Self::TargetNotFound => "target-not-found",
            Self::Blocked => "blocked",
            Self::Disagreement => "disagreement",
            Self::UnmetDemand => "unmet-demand",
            Self::InvalidMetric => "invalid-metric",
            Self::PodsNotRunning => "pods-not-running",
            Self::NotReconciled => "not-reconciled",
            Self::UnreadyPods => "unready-pods",
            Self::Flapping => "flapping",
            Self::ForeignWriter => "foreign-writer",
            Self::OutlierSample => "outlier-sample",
        }
    }

    /// Whether the HPA cannot scale, or lacks pods. Other alarms may end by themselves.
    pub fn is_severe(self) -> bool {
        !matches!(
            self,
            Self::Disagreement | Self::Flapping | Self::ForeignWriter | Self::OutlierSample
        )
    }
}

/// An alarm.
// An alarm that is on.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(schemars::JsonSchema, serde::Serialize),
    serde(rename = "WatchedAlarm")
)]
pub struct Alarm {
    /// Its kind, in kebab case.
    #[cfg_attr(feature = "serde", serde(rename = "alarm"), schemars(with = "String"))]
    pub kind: AlarmKind,
    /// Its subject, such as the name of a metric; may be empty.
    // Several alarms of a kind may be on at the same time.
    pub subject: String,
    /// The alarm in words.
    // A sentence fragment with the numbers: `at max 10, cpu asks for 14: 4 short`.
    pub text: String,
    /// Since when it is on.
    pub since: Timestamp,
    /// A cause that may affect other HPAs as well; null: none is known.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub cause: Option<AlarmCause>,
}
