//! One counterfactual as the page and the JSON show it.

use hpa_analysis::{AlterationKind, Counterfactual, ReplicaChange, Today, counterfactuals};
use hpa_engine::model::Direction;

use super::{
    EditView, UsageView,
    change::{change, edits, pods, usage},
    relevance::{is_about, order},
    result::{held_by_policy, in_the_end, result},
};
use crate::{
    Decider, ExplainContext, Facts, NextView, Rule,
    context::{
        downstream,
        pods::{groups::PodGroups, starting},
    },
    failing_pods::FailingPods,
    pods::pending_pods,
    problems::is_more_useless,
};

/// What would be decided if one thing were different.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIfView {
    /// The family, in kebab case.
    pub kind: &'static str,
    /// The word that introduces the change: `if`, `with` or `without`.
    pub title: &'static str,
    /// What is different, without the title: `cpu is at 67% or more`, `maxReplicas 32`.
    pub change: String,
    /// The result of the next sync: `scales to 32`.
    pub result: String,
    /// The rule that holds it there, if that is another rule or another policy than today, and not a metric.
    pub why: Option<String>,
    /// The final replicas, if windows and periods come first; none if the next sync sets them.
    pub in_the_end: Option<i32>,
    /// Replicas after the next sync; none if the controller cannot decide.
    pub replicas: Option<i32>,
    /// The least and the most replicas that may result, if the recommendation history decides and is not known.
    pub range: Option<(i32, i32)>,
    /// The rule that would decide.
    pub rule: Rule,
    /// The changes that follow if nothing else changes.
    pub ahead: Vec<ReplicaChange>,
    /// Whether the result differs from today's decision.
    pub differs: bool,
    /// Whether the final result differs, although the next sync's does not.
    pub differs_later: bool,
    /// Whether it matters to the verdict, so that the short page shows it.
    pub matters: bool,
    /// The edits of the HPA that make the change, if it is an edit.
    pub edits: Vec<EditView>,
    /// The values of the metrics, if the change is about them.
    pub usage: Vec<UsageView>,
    /// The pods that the change is about.
    pub pods: Vec<String>,
}

impl WhatIfView {
    /// The result and how it continues: `scales to 10 (in one step, eventually 20)`.
    pub fn outcome(&self) -> String {
        match self.more() {
            Some(more) => format!("{} ({more})", self.result),
            None => self.result.clone(),
        }
    }

    /// The outcome in a list of all counterfactuals, by what it changes, and more about it: `scales to 10`, `9 later`,
    /// `no change`.
    pub fn in_list(&self) -> (String, Option<String>) {
        if self.differs {
            return (self.result.clone(), self.more());
        }
        let outcome = match self.in_the_end {
            _ if !self.differs_later => "no change".to_owned(),
            Some(end) => format!("{end} later"),
            None => self.result.clone(),
        };
        (outcome, self.why.clone())
    }

    /// What holds it there, and how it continues: `in one step, eventually 20`.
    pub fn more(&self) -> Option<String> {
        let why = self.why.clone();
        let end = self.in_the_end.map(|end| format!("eventually {end}"));
        let parts: Vec<String> = why.into_iter().chain(end).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// The few that matter to the verdict.
pub(crate) fn deciding_what_ifs(cx: &ExplainContext<'_>) -> Vec<WhatIfView> {
    // If the controller decided otherwise, nothing can be built on the recomputation.
    if cx.written_instead().is_some() {
        return Vec::new();
    }
    let mut deciding: Vec<(AlterationKind, WhatIfView)> = views(cx, |kind| is_about(cx, kind))
        .filter(|(_, view)| view.matters)
        .collect();
    deciding.sort_by_key(|(kind, _)| order(*kind));
    let deciding = deciding.into_iter().map(|(_, view)| view);
    deciding.take(MOST_LINES).collect()
}

/// All counterfactuals; the `deciding` ones matter.
pub(crate) fn all_what_ifs(cx: &ExplainContext<'_>, deciding: &[WhatIfView]) -> Vec<WhatIfView> {
    let mut all: Vec<WhatIfView> = views(cx, |_| true).map(|(_, view)| view).collect();
    for view in &mut all {
        view.matters = deciding.contains(view);
    }
    all
}

/// The line of the short page.
pub(crate) fn page_line(view: &WhatIfView) -> NextView {
    NextView {
        title: "what if",
        text: format!("{} {}: {}", view.title, view.change, view.outcome()),
    }
}

fn views(
    cx: &ExplainContext<'_>,
    includes: impl Fn(AlterationKind) -> bool,
) -> impl Iterator<Item = (AlterationKind, WhatIfView)> {
    let today = Today {
        observation: cx.facts.observation,
        context: cx.context,
        analysis: cx.analysis,
    };
    // If pods cannot run, a higher `maxReplicas` does not help. While they start, it is too early for one.
    let is_max_offered = || {
        starting::situation(cx).is_none()
            && FailingPods::in_the_way(cx).is_none()
            && pending_pods(&cx.facts).is_empty()
            && downstream::has_room(cx)
            && !is_more_useless(cx)
    };
    let includes =
        move |kind| includes(kind) && (kind != AlterationKind::MaxReplicas || is_max_offered());
    counterfactuals(today, includes).map(|one| (one.alteration.kind(), view(cx, &one)))
}

fn view(cx: &ExplainContext<'_>, one: &Counterfactual) -> WhatIfView {
    let kind = one.alteration.kind();
    let differs = one.differs_from(&cx.analysis.trace);
    let facts = Facts::new(&one.observation, &one.trace);
    let rule = Rule::binding(&facts);
    let ahead = one.changes_ahead();
    let (title, mut change) = change(cx, &one.alteration);
    // Each new replica of a group adds pods, which ask for more: no end is known.
    let has_end = PodGroups::of(cx).is_none();
    let in_the_end = in_the_end(one, &ahead).filter(|_| has_end);
    let differs_later = !differs && in_the_end.or(one.replicas()) != end_of_today(cx);
    let why = match kind {
        AlterationKind::Policy(side) if rule == cx.rule => held_by_policy(&facts, side),
        _ => rule
            .words()
            .held_by
            .filter(|_| rule != cx.rule)
            .map(str::to_owned),
    };
    let edits = edits(&one.alteration);
    let is_first_behavior = cx.facts.observation.hpa.spec.behavior.is_none()
        && edits
            .iter()
            .any(|edit| edit.path.starts_with("spec.behavior."));
    // These rules are others with behavior, whatever is set in it.
    let depends_on_behavior = matches!(
        cx.rule.decider(),
        Decider::OldRecommendation | Decider::StepLimit | Decider::Window
    );
    let is_changed = differs || differs_later;
    if is_first_behavior && depends_on_behavior && is_changed && !is_about(cx, kind) {
        change += ", so the defaults of behavior apply";
    }
    WhatIfView {
        kind: kind.as_str(),
        title,
        change,
        result: result(one),
        why,
        in_the_end,
        replicas: one.replicas(),
        range: one.range,
        rule,
        ahead,
        differs,
        differs_later,
        matters: differs && leads_further(cx, one) && is_about(cx, kind),
        edits,
        usage: usage(cx, &one.alteration),
        pods: pods(&one.alteration),
    }
}

/// The final replicas if nothing changes.
fn end_of_today(cx: &ExplainContext<'_>) -> Option<i32> {
    let last = cx.analysis.timeline.last().map(|last| last.to);
    last.or(cx.analysis.trace.decision.replicas())
}

/// Whether there is a decision, and, without a policy, whether it goes further than today's.
fn leads_further(cx: &ExplainContext<'_>, one: &Counterfactual) -> bool {
    let Some(replicas) = one.replicas() else {
        return false;
    };
    let today = cx.analysis.trace.decision.replicas();
    match one.alteration.kind() {
        AlterationKind::Policy(Direction::Up) => today < Some(replicas),
        AlterationKind::Policy(Direction::Down) => today.is_none_or(|today| replicas < today),
        _ => true,
    }
}

/// More lines would hide the verdict.
const MOST_LINES: usize = 3;
