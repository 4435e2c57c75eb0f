//! The answer: cause, effect and the one thing to check, in a few sentences, by the rule that decides.
//!
//! `Rule::binding` finds that rule; `rules` has a file with its sentences, which `decision` asks.

mod disagreement;

use std::cmp::Reverse;

use disagreement::disagreement;
use hpa_analysis::{Comparison, UnreportedRescale};
use hpa_diagnosis::effect::Effect;
use hpa_engine::{
    model::last_refusal,
    trace::{Decision, ScaleWrite},
};

use crate::{
    Action, Decider, ExplainContext, Facts, FullAnswer, MetricFacts, ShortAnswer,
    failing_pods::FailingPods,
    problems,
    rule::is_write_refused,
    rules::invalid_metrics::failed_metrics,
    situation::{Place, Situation},
    verdict::action,
    well::is_well,
};

impl FullAnswer {
    /// The answer for `cx`.
    pub fn of(cx: &ExplainContext<'_>) -> Self {
        answer(cx, Lead::of(cx))
    }

    /// Why the decision is what it is, for a row about a rescale: without what leads the page, and without what the
    /// command there is for.
    pub fn of_rescale(cx: &ExplainContext<'_>) -> Vec<String> {
        decision(cx, None)
    }
}

/// The problem around a decision that leads its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// It in a few words, as in `list`.
    pub words: String,
    /// It in a sentence, without what to do.
    pub sentence: String,
}

impl Problem {
    /// The problem of `cx`; none: the decision itself leads.
    pub fn of(cx: &ExplainContext<'_>) -> Option<Self> {
        let lead = Lead::of(cx);
        let words = lead.problem()?;
        let sentences = match lead {
            Lead::FailingPods(pods) => pods.sentences(),
            Lead::Problem(situation) => situation.sentences,
            Lead::Decision | Lead::Disagreement(_) => return None,
        };
        let sentence = sentences.into_iter().next()?;
        Some(Self { words, sentence })
    }

    /// All problems of `cx` that can lead, with what would be different without each, the gravest first; none: it has no words of
    /// its own, and qualifies the decision. Pods that fail come before others that matter as much.
    pub fn all(cx: &ExplainContext<'_>) -> Vec<(Effect, Option<Self>)> {
        let failing = FailingPods::in_the_way(cx).into_iter();
        let failing = failing.map(|pods| (pods.effect(), Some(pods.words()), pods.sentences()));
        let others = problems::problems(cx).into_iter();
        let others = others.map(|one| (one.effect, one.situation.words, one.situation.sentences));
        let named = |words: Option<String>, sentences: Vec<String>| {
            let (words, sentence) = (words?, sentences.into_iter().next()?);
            Some(Self { words, sentence })
        };
        let mut all: Vec<(Effect, Option<Self>)> = failing
            .chain(others)
            .map(|(effect, words, sentences)| (effect, named(words, sentences)))
            .collect();
        all.sort_by_key(|(effect, _)| Reverse(*effect));
        all
    }
}

/// What the answer is about first, in full sentences and in a few words alike.
pub(super) enum Lead<'a> {
    /// Pods whose containers cannot run.
    FailingPods(FailingPods<'a>),
    /// The controller comes to another number.
    Disagreement(&'a Comparison),
    /// A problem around the decision.
    Problem(Situation),
    /// The decision itself.
    Decision,
}

impl<'a> Lead<'a> {
    /// Finds it. It needs no sentence about the decision: `watch` asks at every sync of every HPA.
    ///
    /// Where the controller comes to another number, what the recomputation shows of the effects is in question: only pods that
    /// fail come before that.
    pub(super) fn of(cx: &ExplainContext<'a>) -> Self {
        let failing = FailingPods::in_the_way(cx);
        let disagreement = cx.disagreement();
        let problem = disagreement.is_none().then(|| problems::leading(cx));
        match (failing, problem.flatten()) {
            (Some(pods), problem)
                if problem.as_ref().is_none_or(|one| {
                    one.effect <= pods.effect() || one.situation.words.is_none()
                }) =>
            {
                Self::FailingPods(pods)
            }
            (_, Some(problem)) => Self::Problem(problem.situation),
            (_, None) => disagreement.map_or(Self::Decision, Self::Disagreement),
        }
    }

    /// The answer in a few words.
    pub(super) fn short(&self, cx: &ExplainContext<'_>) -> ShortAnswer {
        if let Some(problem) = self.problem() {
            return problem.into();
        }
        if let Self::Disagreement(_) = self {
            return "differs from the controller".into();
        }
        if cx.may_have_moved().is_some() {
            return "inputs may have changed".into();
        }
        let facts = &cx.facts;
        let (action, ..) = action(facts);
        match (action, cx.unreported()) {
            (Action::Failed, _) if is_write_refused(facts) => "write refused".into(),
            (Action::Hold, Some(UnreportedRescale { from, to })) => {
                format!("scaled {from} → {to}").into()
            }
            _ => (cx.rule.words().short)(cx, action).unwrap_or_else(|| by_metric(facts, action)),
        }
    }

    /// The problem in a few words; none: there is none but the decision, or that it differs.
    pub(super) fn problem(&self) -> Option<String> {
        match self {
            Self::FailingPods(pods) => Some(pods.words()),
            Self::Problem(situation) => situation.words.clone(),
            Self::Decision | Self::Disagreement(_) => None,
        }
    }
}

/// What happens because of the metrics: `up by cpu`.
fn by_metric(facts: &Facts<'_>, action: Action) -> ShortAnswer {
    let direction = match action {
        Action::Hold => return "within tolerance".into(),
        Action::ScaleDown => "down",
        Action::ScaleUp => "up",
        Action::Disabled | Action::Failed | Action::Unknown => return "not scaling".into(),
    };
    let name = facts.winner().map(MetricFacts::name);
    name.map_or_else(
        || direction.into(),
        |name| format!("{direction} by {name}").into(),
    )
}

/// The answer by what leads.
pub(super) fn answer(cx: &ExplainContext<'_>, lead: Lead<'_>) -> FullAnswer {
    let situation = match lead {
        Lead::FailingPods(pods) => {
            let rest = match cx.disagreement() {
                Some(replicas) => disagreement(cx, replicas).sentences,
                None => decision(cx, None),
            };
            let sentences = [pods.sentences(), rest].concat();
            return FullAnswer::new(sentences, false, pods.command(cx));
        }
        Lead::Disagreement(replicas) => return disagreement(cx, replicas),
        Lead::Problem(situation) => situation,
        Lead::Decision => match problems::qualification(cx) {
            Some(situation) => situation,
            None => return of_decision(cx),
        },
    };
    let mut sentences = Vec::new();
    if situation.place == Place::After {
        sentences.extend(decision(cx, Some(&situation)));
    }
    sentences.extend(situation.sentences.iter().cloned());
    if situation.place == Place::Before {
        sentences.extend(decision(cx, Some(&situation)));
    }
    FullAnswer::new(sentences, false, situation.command)
}

/// The answer if there is only the decision to report.
fn of_decision(cx: &ExplainContext<'_>) -> FullAnswer {
    let mut sentences = decision(cx, None);
    if let Some(confirm) = disagreement::confirm_if_kept(cx) {
        return FullAnswer::new(sentences, false, Some(confirm));
    }
    let command = (cx.rule.words().command)(cx);
    sentences.extend(
        cx.rule
            .words()
            .before_command
            .filter(|_| command.is_some())
            .map(str::to_owned),
    );
    FullAnswer::new(sentences, is_well(cx), command)
}

/// Why the decision is what it is, worded to go with the situation that the answer names.
fn decision(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let mut sentences = Vec::from_iter(under_way(cx));
    sentences.extend((cx.rule.words().sentences)(cx, situation));
    sentences.extend(disagreement::edit(cx));
    sentences.extend(disagreement::may_have_moved(cx));
    if is_write_refused(&cx.facts) {
        sentences.push(write_refused(cx));
    }
    sentences.extend(unmentioned_failures(cx));
    if let Some((low, high)) = cx.analysis.range {
        sentences.push(format!(
            "The result depends on the controller's recommendation history, which cannot be read from outside: {low} \
             to {high} replicas."
        ));
    }
    sentences
}

/// That the controller has scaled since it wrote the status.
fn under_way(cx: &ExplainContext<'_>) -> Option<String> {
    let UnreportedRescale { from, to } = cx.unreported()?;
    Some(format!(
        "The HPA has scaled {from} → {to} since it wrote its status."
    ))
}

/// Metrics that failed without deciding: a broken metric deserves a sentence even if nothing depends on it now.
fn unmentioned_failures(cx: &ExplainContext<'_>) -> Option<String> {
    let is_known = !matches!(cx.facts.trace.decision, Decision::Unknown { .. });
    if !is_known || cx.rule.decider() == Decider::FailedMetric {
        return None;
    }
    let failed = failed_metrics(&cx.facts)?;
    Some(format!(
        "{failed}, so the HPA does not scale down until that is fixed."
    ))
}

fn write_refused(cx: &ExplainContext<'_>) -> String {
    match cx.facts.rescale.map(|rescale| &rescale.write) {
        Some(ScaleWrite::Refused(error)) => {
            let message = error.message.trim_end_matches('.');
            if last_refusal(cx.facts.observation).is_none() {
                return format!("But the API server refuses to change the scale: {message}.");
            }
            // The time of the condition is useless: it changes twice within every sync.
            format!(
                "But the API server refused the last change of the scale, and most likely refuses this one: {message}."
            )
        }
        _ => String::new(),
    }
}
