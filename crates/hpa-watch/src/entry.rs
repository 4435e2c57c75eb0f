//! One entry of an HPA's history, in the numbers that charts and lists draw.

use std::sync::Arc;

use hpa_explain::{Action, Rule, ShortAnswer, Urgency};
use jiff::Timestamp;

use crate::{Agreement, Alarm, AlarmKind};

/// Identifies an entry of an HPA's history; increases with time and is never reused.
pub type EntryId = u64;

/// One entry of an HPA's history: a sync, or a read between two syncs.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryEntry {
    /// Its id.
    pub id: EntryId,
    /// Its time.
    pub at: Timestamp,
    /// Whether the controller synced at that time.
    pub is_reconcile: bool,
    /// What happens.
    pub action: Action,
    /// The rule that decides.
    pub rule: Rule,
    /// How urgently the HPA needs attention, alarms aside; the sort order of `list`.
    pub urgency: Urgency,
    /// The verdict in a few words, as in `list`.
    pub answer: ShortAnswer,
    /// `STAYS AT 8 (maxReplicas)`.
    pub headline: String,
    /// `spec.replicas` of the scale.
    pub current: Option<i32>,
    /// Replicas after the decision.
    pub desired: Option<i32>,
    /// The fewest and the most replicas after the decision, if they are not known.
    pub range: Option<(i32, i32)>,
    /// The desired replicas that the controller wrote, if it certainly computed others.
    pub written: Option<i32>,
    /// What the metrics ask for, before window, policies and bounds.
    pub proposal: Option<i32>,
    /// What the stabilization window turns that into.
    pub stabilized: Option<i32>,
    /// The fewest and the most replicas that policies and bounds allow. Policies limit only the direction of the next
    /// change; the other end is `min` or `max`.
    pub limits: Option<(i32, i32)>,
    /// `minReplicas`.
    pub min: i32,
    /// `maxReplicas`.
    pub max: i32,
    /// The pods that the selector matches.
    pub pods: PodCounts,
    /// The metrics, in the order of the spec.
    pub metrics: Vec<MetricPoint>,
    /// Whether the controller did what was recomputed.
    pub agreement: Agreement,
    /// The alarms that were on, the most urgent first. Successive entries share them.
    pub alarms: Arc<[Alarm]>,
}

impl HistoryEntry {
    /// The kinds of the alarms, without duplicates, the most urgent first.
    pub fn alarm_kinds(&self) -> impl Iterator<Item = AlarmKind> {
        let kinds = self.alarms.chunk_by(|one, next| one.kind == next.kind);
        kinds
            .filter_map(|alarms| alarms.first())
            .map(|alarm| alarm.kind)
    }
}

/// Pods by class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(schemars::JsonSchema, serde::Serialize),
    serde(rename = "WatchedPods", rename_all = "camelCase")
)]
pub struct PodCounts {
    /// All pods of the target, except finished ones.
    // The sum of ready, unscheduled, starting, unready and ignored pods.
    pub all: usize,
    /// Ready pods.
    // As the kubelet reports (condition `Ready`).
    pub ready: usize,
    /// Not scheduled to a node.
    pub unscheduled: usize,
    /// Pending with a node.
    pub starting: usize,
    /// Running and not ready.
    pub not_ready: usize,
    /// Terminating or failed.
    // The controller ignores them.
    pub ignored: usize,
    /// Without a sample of the metric that decides.
    pub no_metrics: usize,
}

/// One metric at one instant.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(schemars::JsonSchema, serde::Serialize),
    serde(rename = "WatchedMetric", rename_all = "camelCase")
)]
pub struct MetricPoint {
    /// Its name.
    pub name: String,
    /// Value ÷ target; null: not known.
    pub ratio: Option<f64>,
    /// The ratios between which the replicas do not change.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub tolerance: Option<(f64, f64)>,
    /// Its value in words; null: not known.
    // `85%`
    pub value: Option<String>,
    /// Its target in words.
    // `60%`
    pub target: Option<String>,
    /// What it asks for.
    #[cfg_attr(feature = "serde", serde(rename = "recommendation"))]
    pub proposal: Option<i32>,
    /// Why it is invalid; null: it is valid.
    pub failure: Option<String>,
    /// Whether it decides.
    pub is_winner: bool,
}
