//! One HPA in a line: what happens, by which rule, how far its metric is from the target, what it lacks.

use std::cmp::Reverse;

use hpa_analysis::ComparisonOutcome;
use hpa_engine::model::{MetricSpec, MetricTarget, ScaleTargetRef};
use jiff::Timestamp;

use crate::{
    Action, Decider, ExplainContext, Facts, FullAnswer, MetricFacts, Rule, ShortAnswer, Unmet,
    Verdict,
    answer::{Lead, answer},
    facts::current,
    series::total_of,
    unmet::ready,
    verdict::action,
};

/// One HPA in a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Overview {
    /// `metadata.namespace`.
    pub namespace: String,
    /// `metadata.name`.
    pub name: String,
    /// Its target.
    pub scale_target: ScaleTargetRef,
    /// The ScaledObject of KEDA that made it, if one did.
    pub scaled_object: Option<String>,
    /// The selector of the target's pods; none: it was not read.
    pub selector: Option<String>,
    /// `minReplicas`, 1 if absent.
    pub min: i32,
    /// `maxReplicas`.
    pub max: i32,
    /// What happens, and by which rule.
    pub verdict: Verdict,
    /// The state that it is counted under; if the controller wrote other desired replicas, by what it wrote.
    pub state: OverviewState,
    /// The verdict in full sentences; none: the output does not show them. They take longer than the rest of the line.
    pub full_answer: Option<FullAnswer>,
    /// How urgently it needs attention.
    pub urgency: Urgency,
    /// The verdict in a few words.
    pub answer: ShortAnswer,
    /// What the metrics ask for, before windows, policies and bounds; none: they were not read, or all of them failed.
    pub proposal: Option<i32>,
    /// The metric that wins, or whose failure decides; none: no metric was evaluated.
    pub metric: Option<OverviewMetric>,
    /// Pods of the target that are ready; none: not known.
    pub ready: Option<i32>,
    /// The demand that is not met.
    pub unmet: Unmet,
    /// When the controller changed the replicas last; none: never.
    pub last_scale_time: Option<Timestamp>,
    /// The comparison with what the controller wrote.
    pub agreement: ComparisonOutcome,
    /// The desired replicas that the controller wrote, if the recomputation differs.
    pub written: Option<i32>,
    /// The instant that the line describes.
    pub at: Timestamp,
}

/// A metric against its target.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(schemars::JsonSchema, serde::Serialize),
    serde(rename = "ListMetric")
)]
pub struct OverviewMetric {
    /// Index in `spec.metrics`.
    pub index: usize,
    /// The resource or the name of the metric.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub name: String,
    /// The resource or the name of the metric, with what it is measured on.
    #[cfg_attr(feature = "serde", serde(rename = "name"))]
    pub full_name: String,
    /// Its value: `85%`; null: it could not be read.
    pub current: Option<String>,
    /// Its target: `60%`.
    pub target: Option<String>,
    /// Value ÷ target, before missing and unready pods are added back; null also if it is not a finite number.
    pub ratio: Option<f64>,
    /// Number of other metrics of the HPA.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub others: usize,
}

/// The state that an HPA is counted under.
// Each HPA has exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase", rename = "ListStanding")
)]
pub enum OverviewState {
    /// The replicas change.
    Scaling,
    /// The replicas stay, by a decision.
    Held,
    /// The controller cannot decide, cannot write, does not scale the target, or does not sync the HPA.
    Failed,
    /// Scaling is off at zero replicas.
    Off,
    /// Something that decides could not be read by this program.
    Unknown,
}

/// How urgently an HPA needs attention, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase", rename = "ListUrgency")
)]
pub enum Urgency {
    /// At `maxReplicas`, and the metrics ask for more: pods are lacking now.
    BeyondMax,
    /// It does not scale at all, or not in one direction.
    Failed,
    /// Not known here.
    Unknown,
    /// The controller computed other desired replicas.
    Differs,
    /// Something around the decision is wrong: another writer, pods of other owners, flapping, pods that fail.
    Problem,
    /// Replicas that it should have are not ready.
    NotReady,
    /// The replicas change.
    Scaling,
    /// All is well.
    None,
}

impl OverviewState {
    fn of(cx: &ExplainContext<'_>) -> Self {
        let (action, from, _) = action(&cx.facts);
        let written = cx.contradiction();
        match action {
            _ if cx.is_not_synced() => Self::Failed,
            _ if written.is_some() && written == from => Self::Held,
            Action::Disabled => Self::Off,
            Action::Failed => Self::Failed,
            Action::Hold => Self::Held,
            Action::ScaleDown | Action::ScaleUp => Self::Scaling,
            Action::Unknown => Self::Unknown,
        }
    }
}

impl Urgency {
    /// The urgency and the short answer of `cx`, in one pass: `watch` calls it at every sync of every HPA.
    pub fn with_words(cx: &ExplainContext<'_>) -> (Self, ShortAnswer) {
        let lead = Lead::of(cx);
        (Self::of(cx, &lead, Unmet::of(cx)), lead.short(cx))
    }

    fn of(cx: &ExplainContext<'_>, lead: &Lead<'_>, unmet: Unmet) -> Self {
        match OverviewState::of(cx) {
            OverviewState::Failed => Self::Failed,
            _ if unmet.is_at_max => Self::BeyondMax,
            OverviewState::Held | OverviewState::Scaling if !cx.facts.failed().is_empty() => {
                Self::Failed
            }
            OverviewState::Unknown => Self::Unknown,
            _ if cx.contradiction().is_some() => Self::Differs,
            _ if lead.problem().is_some() => Self::Problem,
            _ if unmet.not_ready.is_some_and(|number| 0 < number) => Self::NotReady,
            OverviewState::Scaling => Self::Scaling,
            OverviewState::Held | OverviewState::Off => Self::None,
        }
    }
}

impl Overview {
    /// The line for `cx`, with or without the full sentences.
    pub fn new(cx: &ExplainContext<'_>, has_sentences: bool) -> Self {
        let facts = &cx.facts;
        let observation = facts.observation;
        let hpa = &observation.hpa;
        let lead = Lead::of(cx);
        let unmet = Unmet::of(cx);
        let (urgency, short) = (Urgency::of(cx, &lead, unmet), lead.short(cx));
        let verdict = Verdict::of(cx);
        Self {
            namespace: hpa.namespace.clone(),
            name: hpa.name.clone(),
            scale_target: hpa.spec.scale_target.clone(),
            scaled_object: scaled_object(cx),
            selector: observation.scale.read().map(|scale| scale.selector.clone()),
            min: facts.min(),
            max: facts.max(),
            urgency,
            state: OverviewState::of(cx),
            answer: short,
            proposal: facts.proposal(),
            metric: displayed_metric(facts, cx.rule, verdict.action)
                .map(|metric| OverviewMetric::new(metric, facts)),
            ready: ready(cx),
            unmet,
            verdict,
            full_answer: has_sentences.then(|| answer(cx, lead)),
            last_scale_time: hpa.status.last_scale_time,
            agreement: cx.cross_check.agreement,
            written: cx.contradiction(),
            at: cx.clock.now,
        }
    }

    /// Whether the replicas are at `maxReplicas`, or go there now, and the metrics ask for more.
    pub fn is_limited_at_max(&self) -> bool {
        self.unmet.is_at_max
    }

    /// What lines are ordered by, the most urgent first: within the same urgency, what lacks most comes first.
    pub fn by_urgency(&self) -> (Urgency, (Reverse<i32>, bool)) {
        (self.urgency, self.unmet.by_total())
    }
}

impl OverviewMetric {
    fn new(metric: &MetricFacts<'_>, facts: &Facts<'_>) -> Self {
        let unit = metric.unit();
        Self {
            index: metric.evaluation.index,
            name: metric.name(),
            full_name: metric.full_name(),
            current: match metric.replaced_total() {
                Some(_) => Some(total_of(metric.series)),
                None => metric.ratio.map(|ratio| current(unit, &ratio.formula).0),
            },
            target: metric
                .metric_target_text()
                .or_else(|| metric.spec.and_then(target_text)),
            ratio: metric.ratio.map(|ratio| ratio.usage_ratio),
            others: facts.metrics.len().saturating_sub(1),
        }
    }
}

fn scaled_object(cx: &ExplainContext<'_>) -> Option<String> {
    let owner = cx.context.hpa_origin.owner.as_ref()?;
    (owner.kind == "ScaledObject").then(|| owner.name.clone())
}

/// The metric that decides: a failed one if failures decide or nothing else happens, else the winner.
fn displayed_metric<'f, 'a>(
    facts: &'f Facts<'a>,
    rule: Rule,
    action: Action,
) -> Option<&'f MetricFacts<'a>> {
    let failed = || facts.failed().first().copied();
    match rule.decider() {
        Decider::FailedMetric => failed(),
        Decider::Max => facts.winner().or_else(failed),
        _ if action == Action::Hold => failed().or_else(|| facts.winner()),
        _ => facts.winner().or_else(failed),
    }
    .or_else(|| facts.metrics.first())
}

/// The metric's target as written in the spec, for a metric without a ratio.
pub(super) fn target_text(spec: &MetricSpec) -> Option<String> {
    let MetricTarget {
        value,
        average_value,
        average_utilization,
        ..
    } = spec.target()?;
    let quantity = average_value.as_ref().or(value.as_ref());
    average_utilization
        .map(|percent| format!("{percent}%"))
        .or_else(|| quantity.map(ToString::to_string))
}
