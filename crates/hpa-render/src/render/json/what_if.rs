//! What would be decided if one thing were different, as JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Range;
use crate::{
    explain::{EditView, ExplainContext, Page, UsageView, WhatIfView, threshold_milli},
    inference::ReplicaChange,
};

/// What would be decided if one thing were different: by the same controller, with the same memory, at the same moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhatIf {
    /// The family: `usage`, `pods-ready`, `without-absent-pods`, `without-foreign-pods`, `without-failing-metrics`,
    /// `without-winning-metrics`, `without-other-hpas`, `without-policy`, `without-window`, `without-tolerance`,
    /// `select-policy-enabled`, `max-replicas` or `min-replicas`.
    pub kind: String,
    /// What is different, in words.
    pub change: String,
    /// The edits of the HPA that make it different, if it is about its spec.
    pub edits: Vec<EditView>,
    /// What the metrics measure, if it is about that.
    pub usage: Vec<Usage>,
    /// The pods that it is about.
    pub pods: Vec<String>,
    /// Replicas after the next sync; null if the controller can't decide.
    pub replicas: Option<i32>,
    /// The least and the most replicas that it may come to, where the controller's memory decides and is not known.
    pub range: Option<Range>,
    /// The rule that would decide, in the words of `verdict.rule`.
    pub rule: String,
    /// The changes that follow if it stays like that.
    pub changes: Vec<ReplicaChange>,
    /// Whether it comes to another number than today's decision, or only one of both can be made.
    pub differs: bool,
    /// Whether it comes to another number in the end, though not at the next sync.
    pub differs_later: bool,
    /// Whether it matters to the verdict, so that the short page tells it.
    pub matters: bool,
    /// What comes of it, in words.
    pub result: String,
}

/// What a metric measures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Index in `spec.metrics`.
    pub metric: usize,
    /// The metric's name.
    pub name: String,
    /// Total usage over the counted pods or all series, in thousandths: one beside it, the metric asks for another number.
    pub total_milli: i64,
    /// The value that `kubectl get hpa` shows then.
    pub value: String,
    /// Whether more leads there, too; else less does.
    pub or_more: bool,
    /// The replicas that it asks for then.
    pub replicas: i32,
}

/// All counterfactuals of `cx`.
pub(super) fn what_ifs(page: &Page, cx: &ExplainContext<'_>) -> Vec<WhatIf> {
    let page = page.clone().with_all_what_ifs(cx);
    page.what_if.iter().map(Into::into).collect()
}

impl From<&WhatIfView> for WhatIf {
    fn from(view: &WhatIfView) -> Self {
        Self {
            kind: view.kind.to_owned(),
            change: if view.usage.is_empty() {
                format!("{} {}", view.title, view.change)
            } else {
                view.change.clone()
            },
            edits: view.edits.clone(),
            usage: view.usage.iter().map(Into::into).collect(),
            pods: view.pods.clone(),
            replicas: view.replicas,
            range: view.range.map(|(min, max)| Range { min, max }),
            rule: view.rule.as_str().to_owned(),
            changes: view.ahead.clone(),
            differs: view.differs,
            differs_later: view.differs_later,
            matters: view.matters,
            result: view.outcome(),
        }
    }
}

impl From<&UsageView> for Usage {
    fn from(usage: &UsageView) -> Self {
        Self {
            metric: usage.metric,
            name: usage.name.clone(),
            total_milli: threshold_milli(&usage.threshold),
            value: usage.value.clone(),
            or_more: usage.holds_above,
            replicas: usage.threshold.replicas,
        }
    }
}
