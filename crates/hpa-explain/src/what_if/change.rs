//! The change of a counterfactual, in the words of the spec.

use hpa_analysis::{Alteration, Goal, Threshold, UsageLevel, Whose};
use hpa_engine::model::Direction;
use hpa_words::amount::{count, names};

use crate::{
    ExplainContext,
    edge::{at_least, at_most, metric_at, threshold_text, with_the_uncounted},
    reach::out_of_reach,
    rules::policy::policy_rate,
};

/// An edit of the HPA.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename = "Edit")
)]
pub struct EditView {
    /// The field, such as `spec.behavior.scaleDown.stabilizationWindowSeconds`.
    pub path: String,
    /// Its value; null: the field or the list entry is removed.
    pub value: Option<String>,
}

/// The hypothetical value of a metric.
#[derive(Clone, Debug, PartialEq)]
pub struct UsageView {
    /// Index in `spec.metrics`.
    pub metric: usize,
    /// Its name.
    pub name: String,
    /// The value that `kubectl get hpa` would show, rounded to the side where the decision holds.
    pub value: String,
    /// The usage at the edge.
    pub threshold: Threshold,
    /// Whether the decision holds for larger values; otherwise for smaller ones.
    pub holds_above: bool,
}

/// The change, with the word that introduces it.
pub(super) fn change(cx: &ExplainContext<'_>, alteration: &Alteration) -> (&'static str, String) {
    match alteration {
        Alteration::Usage { goal, levels } => {
            let levels: Vec<String> = levels
                .iter()
                .map(|level| usage_text(cx, *goal, level))
                .collect();
            ("if", levels.join(" and "))
        }
        Alteration::PodsReady { pods } => (
            "with",
            format!("{} ready and just as busy", not_counted(pods)),
        ),
        Alteration::WithoutPods { whose, pods } => {
            let pods = match whose {
                Whose::Absent => not_counted(pods),
                Whose::Foreign => {
                    format!("{} of others ({})", the_pods(pods), names(pods, 2))
                }
            };
            ("without", pods)
        }
        Alteration::WithoutMetrics {
            indices,
            are_failing,
        } => ("without", metrics_text(cx, indices, *are_failing)),
        Alteration::WithoutOtherHpas { hpas } => {
            let noun = if hpas.len() == 1 { "HPA" } else { "HPAs" };
            ("without", format!("the {noun} {}", names(hpas, 3)))
        }
        Alteration::WithoutPolicy {
            side,
            index,
            policy,
            is_only,
        } => {
            let mut text = format!(
                "{}.policies[{index}] ({})",
                side.as_str(),
                policy_rate(policy.policy_type, policy.value, policy.period_seconds)
            );
            if *is_only {
                text += ", so the default policies apply";
            }
            ("without", text)
        }
        Alteration::WithoutWindow { side, window } => (
            "with",
            format!(
                "{}.stabilizationWindowSeconds 0 instead of {}",
                side.as_str(),
                window.as_secs()
            ),
        ),
        Alteration::WithoutTolerance { side } => ("with", format!("{}.tolerance 0", side.as_str())),
        Alteration::WithoutToleranceFlag => (
            "with",
            "--horizontal-pod-autoscaler-tolerance=0 in the controller".to_owned(),
        ),
        Alteration::Enabled { side } => (
            "without",
            format!("{}.selectPolicy Disabled", side.as_str()),
        ),
        Alteration::MaxReplicas { to } => ("with", format!("maxReplicas {to}")),
        Alteration::MinReplicas { to } => ("with", format!("minReplicas {to}")),
    }
}

/// The edits of the HPA that make the change.
pub(super) fn edits(alteration: &Alteration) -> Vec<EditView> {
    let rules = |side: &Direction, field: &str| format!("spec.behavior.{}.{field}", side.as_str());
    let set = |path: String, value: String| {
        vec![EditView {
            path,
            value: Some(value),
        }]
    };
    let remove = |path: String| EditView { path, value: None };
    match alteration {
        Alteration::Usage { .. }
        | Alteration::PodsReady { .. }
        | Alteration::WithoutPods { .. }
        | Alteration::WithoutOtherHpas { .. }
        | Alteration::WithoutToleranceFlag => Vec::new(),
        Alteration::WithoutMetrics { indices, .. } => indices
            .iter()
            .map(|index| remove(format!("spec.metrics[{index}]")))
            .collect(),
        Alteration::WithoutPolicy {
            side,
            index,
            is_only,
            ..
        } => vec![remove(if *is_only {
            rules(side, "policies")
        } else {
            rules(side, &format!("policies[{index}]"))
        })],
        Alteration::WithoutWindow { side, .. } => {
            set(rules(side, "stabilizationWindowSeconds"), "0".to_owned())
        }
        Alteration::WithoutTolerance { side } => set(rules(side, "tolerance"), "0".to_owned()),
        Alteration::Enabled { side } => vec![remove(rules(side, "selectPolicy"))],
        Alteration::MaxReplicas { to } => set("spec.maxReplicas".to_owned(), to.to_string()),
        Alteration::MinReplicas { to } => set("spec.minReplicas".to_owned(), to.to_string()),
    }
}

/// The hypothetical values of the metrics.
pub(super) fn usage(cx: &ExplainContext<'_>, alteration: &Alteration) -> Vec<UsageView> {
    let Alteration::Usage { goal, levels } = alteration else {
        return Vec::new();
    };
    levels
        .iter()
        .filter_map(|level| {
            let (name, value) = threshold_text(cx, level.index, &level.threshold)?;
            Some(UsageView {
                metric: level.index,
                name,
                value,
                threshold: level.threshold.clone(),
                holds_above: leads_up(*goal),
            })
        })
        .collect()
}

/// The pods that the change is about.
pub(super) fn pods(alteration: &Alteration) -> Vec<String> {
    match alteration {
        Alteration::PodsReady { pods } | Alteration::WithoutPods { pods, .. } => pods.clone(),
        _ => Vec::new(),
    }
}

/// `cpu is at 67% or more`.
fn usage_text(cx: &ExplainContext<'_>, goal: Goal, level: &UsageLevel) -> String {
    let Some(metric) = metric_at(&cx.facts, level.index) else {
        return String::new();
    };
    let threshold = &level.threshold;
    let edge = if leads_up(goal) {
        at_least(metric, threshold)
    } else {
        at_most(metric, threshold)
    };
    let over_all = with_the_uncounted(metric, threshold);
    let reach = out_of_reach(&cx.facts, metric, threshold)
        .map_or_else(String::new, |reason| format!(", {reason}"));
    format!("{} is {edge}{over_all}{reach}", metric.full_name())
}

fn leads_up(goal: Goal) -> bool {
    matches!(goal, Goal::Max | Goal::Up)
}

/// `the 2 pods that are not counted`: the page already names them.
fn not_counted(pods: &[String]) -> String {
    let are = if pods.len() == 1 { "is" } else { "are" };
    format!("{} that {are} not counted", the_pods(pods))
}

/// `the pod`, `the 12 pods`.
fn the_pods(pods: &[String]) -> String {
    match pods.len() {
        1 => "the pod".to_owned(),
        more => format!("the {}", count(more, "pod")),
    }
}

/// `cpu, which fails`, `queue_depth, which asks for 9`.
fn metrics_text(cx: &ExplainContext<'_>, indices: &[usize], are_failing: bool) -> String {
    let metrics: Vec<_> = indices
        .iter()
        .filter_map(|index| metric_at(&cx.facts, *index))
        .collect();
    let called: Vec<String> = metrics.iter().map(|metric| metric.full_name()).collect();
    let verb = match (are_failing, metrics.len()) {
        (true, 1) => "fails".to_owned(),
        (true, _) => "fail".to_owned(),
        (false, number) => {
            let verb = if number == 1 { "asks" } else { "ask" };
            let proposal = metrics.first().and_then(|metric| metric.replicas());
            format!("{verb} for {}", proposal.unwrap_or_default())
        }
    };
    format!("{}, which {verb}", names(&called, 3))
}
