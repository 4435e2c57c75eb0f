//! Counterfactuals as JSON.

use hpa_analysis::ReplicaChange;
use hpa_explain::{EditView, ExplainContext, Page, UsageView, WhatIfView, threshold_milli};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Range;

/// What would be decided if one thing were different: by the same controller, with the same recommendation history, at
/// the same instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhatIf {
    /// The family: `usage`, `pods-ready`, `without-absent-pods`, `without-foreign-pods`, `without-failing-metrics`,
    /// `without-winning-metrics`, `without-other-hpas`, `without-policy`, `without-window`, `without-tolerance`,
    /// `select-policy-enabled`, `max-replicas` or `min-replicas`.
    pub kind: String,
    /// What is different, in words.
    pub change: String,
    /// The edits of the HPA that make the change, if it is an edit of its spec.
    pub edits: Vec<EditView>,
    /// The values of the metrics, if the change is about them.
    pub usage: Vec<Usage>,
    /// The pods that the change is about.
    pub pods: Vec<String>,
    /// Replicas after the next sync; null if the controller cannot decide.
    pub replicas: Option<i32>,
    /// The least and the most replicas that may result, if the recommendation history decides and is not known.
    pub range: Option<Range>,
    /// The rule that would decide, in the words of `verdict.rule`.
    pub rule: String,
    /// The changes that follow if nothing else changes.
    pub changes: Vec<ReplicaChange>,
    /// Whether the result differs from today's decision, or only one of the two can be decided.
    pub differs: bool,
    /// Whether the final result differs, although the next sync's does not.
    pub differs_later: bool,
    /// Whether it matters to the verdict, so that the short page shows it.
    pub matters: bool,
    /// The result, in words.
    pub result: String,
}

/// The value of a metric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Index in `spec.metrics`.
    pub metric: usize,
    /// The metric's name.
    pub name: String,
    /// Total usage over the counted pods or all series, in thousandths; one thousandth less (or more) and the metric
    /// asks for other replicas.
    pub total_milli: i64,
    /// The value that `kubectl get hpa` shows at that usage.
    pub value: String,
    /// Whether the result holds for more usage; otherwise for less.
    pub or_more: bool,
    /// The replicas that the metric asks for at that usage.
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
