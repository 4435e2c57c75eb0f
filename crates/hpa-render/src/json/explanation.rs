//! The output of `explain -o json`: the contract for programs (docs/schema/explain.json).

use std::collections::BTreeMap;

use hpa_analysis::ReplicaChange;
use hpa_objects::recording::Outcome;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Changed, Delay, Pod, Range, Verdict, WhatIf};

/// Version of the contract. Fields may be added without a new version; none is removed or changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// What `kubectl hpa explain -o json` prints: one explanation, or several as `items`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ExplainOutput {
    /// One HPA.
    One(Box<Explanation>),
    /// Several HPAs.
    Several(Explanations),
}

/// Several HPAs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Explanations {
    /// Version of this contract.
    pub schema_version: u32,
    /// One for each HPA.
    pub items: Vec<Explanation>,
}

/// One HPA: what happens, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// Version of this contract.
    pub schema_version: u32,
    /// The HPA.
    pub hpa: ObjectName,
    /// Its scale target.
    pub scale_target: ScaleTarget,
    /// The instant that it describes: the clock of the API server, or of the recording.
    pub at: Timestamp,
    /// What happens, and by which rule.
    pub verdict: Verdict,
    /// What the controller writes and emits, in the shape of a recording's `outcome`; null if something that decides
    /// could not be read.
    pub predicted: Option<Outcome>,
    /// The steps of the recomputation, in the controller's order.
    pub steps: Vec<Step>,
    /// The pods that the selector matches; those that are not counted come first.
    pub pods: Vec<Pod>,
    /// Everything that decides, and its source.
    pub inputs: Vec<Input>,
    /// What would change the replicas.
    pub next: Next,
    /// What would be decided if one thing were different.
    pub what_if: Vec<WhatIf>,
    /// The notes on the context of the decision.
    pub around: Vec<Note>,
    /// How long it takes from a load to pods that are ready for it, by cause in chronological order.
    pub reaction: Vec<Delay>,
    /// The recomputation against what the controller wrote.
    pub cross_check: CrossCheck,
    /// What could not be read.
    pub not_read: Vec<NotRead>,
    /// With `--set` or `--with`: the edits of the spec, and the decision without them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<Changed>,
    /// How the sync is known, if it was recomputed afterwards from a monitoring server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<Afterwards>,
}

/// How a sync is known that was recomputed afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Afterwards {
    /// `certain`, `likely` or `unknown`.
    pub certainty: String,
    /// The same in sentences, with the reasons.
    pub text: String,
    /// The fewest and the most replicas that the recomputation allows; null: a recording does not have them.
    pub range: Option<Range>,
    /// The replicas that the controller decided; null: a recording has its outcome.
    pub decided: Option<i32>,
    /// Why it is not certain: `unseen`, `otherSyncs`, `pods`, `noPods`, `otherPods`, `noValues`, `begin`, `edited`;
    /// null: a recording does not have them.
    pub doubts: Option<Vec<String>>,
    /// The source of each input; null: a recording has it in its own `history`.
    pub provenance: Option<Vec<ProvenanceItem>>,
}

/// The source of an input of the past.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProvenanceItem {
    /// A stable key.
    pub input: String,
    /// `observed`, `bounded`, `inferred`, `assumed` or `unknown`.
    pub provenance: String,
    /// Its name, for people.
    pub words: String,
}

/// Namespace and name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ObjectName {
    /// The namespace.
    pub namespace: String,
    /// The name.
    pub name: String,
}

/// `scaleTargetRef` and the bounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScaleTarget {
    /// `kind`.
    pub kind: String,
    /// `name`.
    pub name: String,
    /// `minReplicas`, 1 if absent.
    pub min_replicas: i32,
    /// `maxReplicas`.
    pub max_replicas: i32,
}

/// One step of the recomputation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// Its kind, such as `usage-ratio`.
    pub kind: String,
    /// Index in `spec.metrics`, for steps of one metric.
    pub metric: Option<usize>,
    /// Its title on the page.
    pub title: String,
    /// Its outcome, in words.
    pub outcome: String,
    /// The calculation, in numbers.
    pub how: String,
    /// The formula in names.
    pub formula: Option<String>,
    /// Further remarks.
    pub notes: Vec<String>,
    /// The numbers in full, by name; those that end in `Milli` are thousandths of a unit.
    pub values: BTreeMap<String, serde_json::Value>,
    /// The function of the controller, below `pkg/controller/podautoscaler/` of kubernetes/kubernetes.
    pub upstream: Option<UpstreamFunction>,
    /// Id of the page that explains it, for `explain --learn ID` and docs/algorithm.
    #[serde(default)]
    pub learn: Option<String>,
    /// Whether this is the step that decides.
    pub deciding: bool,
    /// Whether it failed.
    pub failed: bool,
}

/// A function of the controller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UpstreamFunction {
    /// File.
    pub file: String,
    /// Function.
    pub function: String,
}

/// Something that decides, and its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// `observed`, `given`, `inferred` or `assumed`.
    pub source: String,
    /// The evidence that it was inferred from, or that speaks for another value.
    #[serde(default)]
    pub evidence: Option<String>,
    /// The flag or permission that would make it certain.
    pub remedy: Option<String>,
    /// Whether this sync depends on it.
    pub matters: bool,
}

/// What would change the replicas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Next {
    /// The lowest usage of each metric at which the HPA scales up.
    pub up: Vec<Threshold>,
    /// The highest usage of each metric at which the HPA scales down; all metrics must reach it.
    pub down: Vec<Threshold>,
    /// The changes that time alone brings if the metrics keep asking for the same.
    pub changes: Vec<ReplicaChange>,
    /// When the first of these changes comes at the earliest; null if it may come at any time, or there is none.
    pub earliest: Option<Timestamp>,
    /// When it comes at the latest, not counting the sync period; null if there is none.
    pub latest: Option<Timestamp>,
    /// The same in sentences.
    pub sentences: Vec<Line>,
}

/// One note on the context of the decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// What it is about: `decision`, `pods`, `pipeline`, `downstream`, `writers`, `autoscalers`, `reaction` or
    /// `history`.
    pub topic: String,
    /// Its title on the page.
    pub title: String,
    /// The text.
    pub text: String,
    /// `warning`, `normal`, or `detail`, which the page shows only with `--verbose`.
    pub weight: String,
}

/// A usage at which a metric asks for other replicas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Threshold {
    /// Index in `spec.metrics`.
    pub metric: usize,
    /// The metric's name.
    pub name: String,
    /// Total usage over the counted pods or all series, in thousandths.
    pub total_milli: i64,
    /// The value that `kubectl get hpa` shows at that usage.
    pub value: String,
    /// The replicas that the metric asks for at that usage.
    pub replicas: i32,
}

/// A line of the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// Its first word.
    pub title: String,
    /// Its text.
    pub text: String,
}

/// The recomputation compared with what the controller wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CrossCheck {
    /// `status`: written by the previous sync; `outcome`: recorded for this very sync.
    pub basis: String,
    /// `agrees`, `inputs-moved`, `inputs-may-have-moved`, `spec-edited`, `spec-changed`, `nothing-written`, `not-recomputed` or `differs`.
    pub agreement: String,
    /// Whether nothing speaks against the recomputation; null if there was nothing to compare.
    pub agrees: Option<bool>,
    /// Every comparison.
    pub compared: Vec<Compared>,
    /// Reasons for a disagreement, the most probable first.
    pub hypotheses: Vec<Hypothesis>,
}

/// One comparison of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Compared {
    /// The field.
    pub field: String,
    /// What the controller wrote.
    pub written: String,
    /// What was recomputed.
    pub recomputed: String,
    /// Whether both are the same.
    pub agrees: bool,
}

/// A reason for a disagreement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hypothesis {
    /// The reason in words.
    pub text: String,
    /// Whether it explains everything that the controller wrote.
    pub fits: bool,
    /// The command that confirms it.
    pub confirm: Option<String>,
}

/// What could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotRead {
    /// What could not be read.
    pub what: String,
    /// The reason.
    pub why: String,
    /// What the user can do about it.
    pub remedy: Option<String>,
}
