//! The answer: cause, effect and the one thing to check, in a few sentences, by the rule that decides.
//!
//! `Rule::binding` finds that rule; `rules` has a file with its sentences, which `decision` asks.

mod disagreement;
mod ending;
mod fitting;
mod waiting;

use std::cmp::Reverse;

use disagreement::disagreement;
use ending::{Ending, ending, has_step, is_of_quota, quota_behind};
use fitting::{CAUSE, DETAIL, MUST, NAMED, SECOND, Sentences};
use hpa_analysis::{Comparison, UnreportedRescale};
use hpa_diagnosis::effect::Effect;
use hpa_engine::{
    model::{Direction, last_refusal},
    trace::{Decision, ScaleWrite},
};
use hpa_words::amount::upper_first;
pub(crate) use waiting::are_unready_named;
use waiting::{Named, Waiting, waiting};

use crate::{
    Action, Decider, ExplainContext, Facts, FullAnswer, MetricFacts, ShortAnswer,
    context::writers,
    failing_pods::FailingPods,
    problems,
    rule::is_write_refused,
    rules::{
        disabled_direction::off_meanwhile,
        invalid_metrics,
        max_replicas::needed_maximum,
        second_pass::counted_back,
        stabilization_window::{held, origin, then, then_first},
    },
    situation::{Place, Situation},
    steps_ahead::{end_of_path, path},
    verdict::action,
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
    /// The problem of `cx`, be it only one that the decision comes before, or pods that wait for longer than is normal;
    /// none: nothing is wrong.
    pub fn of(cx: &ExplainContext<'_>) -> Option<Self> {
        let lead = Lead::of(cx);
        let words = lead.short(cx).words().to_owned();
        let sentences = match lead {
            Lead::FailingPods(pods) => pods.sentences(),
            Lead::Problem(situation) => situation.sentences,
            Lead::Decision => waiting(cx, &[])?.unusual,
            Lead::Disagreement(_) => return None,
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
            let mut text = Sentences::default();
            text.add(pods.sentences(), MUST);
            let waiting = if let Some(replicas) = cx.disagreement() {
                text.add(disagreement(cx, replicas).sentences, MUST);
                None
            } else {
                text.decision(cx, None);
                text.edit(cx, None);
                text.pods(cx, None, &[Named::Failing])
            };
            let command = pods.command(cx);
            return FullAnswer::new(text.fitting(), command.or_else(|| waiting?.command));
        }
        Lead::Disagreement(replicas) => return disagreement(cx, replicas),
        Lead::Problem(situation) if situation.place == Place::Undone => {
            // The edit itself is named after the decision.
            let keep = situation.sentences.into_iter().skip(1);
            return of_situation(cx, problems::besides_edit(cx), keep.collect());
        }
        Lead::Problem(situation) => Some(situation),
        Lead::Decision => problems::qualification(cx),
    };
    of_situation(cx, situation, Vec::new())
}

/// The answer about a situation, if there is one, and the decision; and what keeps the replicas that a person set.
fn of_situation(
    cx: &ExplainContext<'_>,
    situation: Option<Situation>,
    keep: Vec<String>,
) -> FullAnswer {
    let mut text = Sentences::default();
    let place = situation.as_ref().map(|one| one.place);
    if let (Some(Place::Before | Place::Instead), Some(situation)) = (place, &situation) {
        text.add(situation.sentences.clone(), MUST);
    }
    let waiting = if place == Some(Place::Instead) {
        None
    } else {
        text.decision(cx, situation.as_ref());
        text.edit(cx, situation.as_ref());
        let named = situation.as_ref().and_then(|one| Named::of(cx, one));
        text.pods(cx, situation.as_ref(), &Vec::from_iter(named))
    };
    let ending = ending(cx, waiting.as_ref(), situation.as_ref());
    if let (Some(Place::After | Place::Aside), Some(situation)) = (place, situation) {
        text.qualify(situation, ending.is_another);
    }
    text.add(keep, SECOND);
    text.ended(cx, ending)
}

/// Why the decision is what it is, worded to go with the situation that the answer names.
fn decision(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let mut text = Sentences::default();
    text.decision(cx, situation);
    text.pods(cx, situation, &[]);
    text.all()
}

impl Sentences {
    /// Adds why the decision is what it is.
    fn decision(&mut self, cx: &ExplainContext<'_>, situation: Option<&Situation>) {
        // After a problem that leads, the decision comes second; so it does after an edit, which may change it.
        let is_led = !self.sentences.is_empty();
        let edit = disagreement::edit(cx);
        let is_edited = edit.is_some();
        let is_held = action(&cx.facts).0 == Action::Hold;
        let is_clear = cx.facts.failed().is_empty();
        // Where a direction is off, pods are no way out.
        let is_off = cx.rule.decider() == Decider::DisabledDirection;
        let fails = cx.rule.decider() == Decider::FailedMetric;
        let (first, check) = match (is_led, is_edited) {
            (true, _) if situation.is_some_and(|one| is_of_quota(cx, one)) => (SECOND, NAMED),
            (true, _) => (SECOND, SECOND),
            (false, true) if fails => (MUST, SECOND),
            (false, true) => (CAUSE, SECOND),
            (false, false) if cx.may_have_moved().is_some() => (MUST, SECOND),
            (false, false) if is_off => (MUST, SECOND),
            (false, false) => (MUST, MUST),
        };
        (self.is_led, self.check) = (is_led, check);
        self.add(under_way(cx), MUST);
        let mut sentences = (cx.rule.words().sentences)(cx, situation).into_iter();
        let decision = sentences.next();
        let winner = cx.facts.winner();
        if is_led && cx.rule.decider() != Decider::FailedMetric {
            let asked = winner.and(cx.facts.proposal());
            let brief = asked.map(|asked| brief(cx, asked));
            self.brief = decision.clone().zip(brief);
        }
        self.add(decision, first);
        let steps = match cx.rule.decider() {
            Decider::Window => then(cx).zip(then_first(cx)),
            _ => path(cx).zip(end_of_path(cx)),
        };
        let reached =
            needed_maximum(cx).map(|to| (format!(" (to {to} at this load)"), String::new()));
        self.shorter.extend(reached);
        self.shorter.extend(steps);
        self.shorter.extend(origin(cx));
        let described = winner.filter(|winner| winner.subject().contains(" metric "));
        let described = described.map(|winner| (winner.subject(), winner.name()));
        self.shorter.extend(described);
        self.calculation = winner.and_then(MetricFacts::how);
        // Average and pods are in the sentence where pods are added back, so readers can calculate themselves.
        let has_average = winner.and_then(counted_back).is_some();
        self.calculation_rank = match cx.rule.decider() {
            // A metric that fails matters more.
            _ if has_average || !is_clear => CAUSE,
            // What is to be done besides, too.
            _ if situation.is_some_and(|one| is_of_quota(cx, one)) => first.max(NAMED),
            // When it goes on, and what shows how to go faster, matter more.
            Decider::Policy(_) => SECOND,
            _ => first,
        };
        // Until when something holds the replicas, and what comes after a limit, is no detail; nor is why metrics fail.
        let seconds = match cx.rule.decider() {
            Decider::FailedMetric => cx.facts.failed().len(),
            Decider::Window if is_held && is_clear => 1,
            Decider::Policy(_) | Decider::StepLimit if is_clear => 1,
            _ => 0,
        };
        for (place, sentence) in sentences.enumerate() {
            let is_fix = sentence.starts_with("Fix: ");
            let rank = match place < seconds {
                _ if is_fix && is_led => CAUSE,
                _ if is_fix => MUST,
                true => SECOND,
                false => DETAIL,
            };
            self.add([sentence], rank);
        }
        if let Some((edit, then)) = edit {
            self.add([edit], if fails { SECOND } else { MUST });
            self.add(then, if is_led || fails { SECOND } else { MUST });
        }
        if let Some((moved, setting)) = disagreement::may_have_moved(cx) {
            self.add(moved, MUST);
            self.add(setting, SECOND);
        }
        if is_write_refused(&cx.facts) {
            self.add([write_refused(cx)], MUST);
        }
        if let Some((what, causes)) = unmentioned_failures(cx) {
            // After an edit, what comes next is not known.
            self.add([what], if is_edited { SECOND } else { MUST });
            self.add(causes, SECOND);
        }
        // What a scale-down takes away, nothing brings back, and replicas that stay do not grow.
        let off = match cx.facts.direction() {
            _ if is_led => SECOND,
            Direction::Up if !is_held => SECOND,
            // A metric that fails says more, and so do the steps of a policy.
            _ if !is_clear || matches!(cx.rule.decider(), Decider::Policy(_)) => SECOND,
            _ => MUST,
        };
        self.add(off_meanwhile(cx), off);
        self.add(unknown_history(cx), SECOND);
    }

    /// Adds, after the decision, the pods that wait, without those that are named, and the quota that would refuse more.
    fn pods(
        &mut self,
        cx: &ExplainContext<'_>,
        situation: Option<&Situation>,
        named: &[Named],
    ) -> Option<Waiting> {
        let waiting = self.waiting(cx, situation, named);
        self.quota(cx, situation);
        waiting
    }

    fn quota(&mut self, cx: &ExplainContext<'_>, situation: Option<&Situation>) {
        let after = situation.filter(|one| matches!(one.place, Place::After));
        let remedy = after.and_then(|one| one.sentences.last()?.split_once(": raise it to "));
        if let Some((_, limit)) = remedy {
            self.remedy = format!(": raise it to {}", limit.trim_end_matches('.'));
            self.remedy_rank = NAMED;
        }
        let said = situation.iter().flat_map(|one| &one.sentences);
        let mut said = said.chain(self.sentences.iter().map(|(text, _)| text));
        if let Some(quota) = quota_behind(cx)
            && !said.any(|text| text.to_lowercase().contains("quota "))
        {
            // A metric that fails matters more, and so does why the HPA undoes what another writer sets.
            let is_led = situation.is_some_and(|one| one.place == Place::Before);
            let is_detail = is_led || quota.then.is_empty() || !cx.facts.failed().is_empty();
            let rank = if is_detail { SECOND } else { MUST };
            self.add([format!("{}{}.", quota.what, quota.then)], rank);
            self.quota = format!("{}.", quota.what);
            (self.remedy, self.remedy_rank) = (quota.then, rank.max(NAMED));
        }
    }

    fn waiting(
        &mut self,
        cx: &ExplainContext<'_>,
        situation: Option<&Situation>,
        named: &[Named],
    ) -> Option<Waiting> {
        let mut waiting = waiting(cx, named)?;
        // The names say how many there are as well.
        let is_off = cx.rule.decider() == Decider::DisabledDirection;
        let number = if self.is_led || is_off { DETAIL } else { CAUSE };
        self.add(waiting.number.take(), number);
        let checks = std::mem::take(&mut waiting.checks);
        self.names = (checks.check.clone(), checks.shorter);
        let mut checks = checks.check.into_iter().chain(checks.others);
        let check = if waiting.command.is_some() || situation.is_some() {
            self.check.max(NAMED)
        } else {
            self.check
        };
        self.names_rank = check;
        self.add(checks.next(), check);
        self.add(checks, CAUSE);
        self.add(
            waiting.with_them.take(),
            if self.is_led { SECOND } else { NAMED },
        );
        Some(waiting)
    }

    /// Adds who else set the replicas that there are, if no other sentence says it.
    fn edit(&mut self, cx: &ExplainContext<'_>, situation: Option<&Situation>) {
        let sentences = situation.map(|one| one.sentences.join(" "));
        let text = self.text() + &sentences.unwrap_or_default();
        if text.contains(" after the HPA had ") || text.contains(" set the replicas ") {
            return;
        }
        let Some(edit) = writers::in_short(cx) else {
            return;
        };
        let is_held = action(&cx.facts).0 == Action::Hold;
        let rank = if is_held { SECOND } else { NAMED };
        self.add([edit], rank);
        if !is_held {
            self.add(["The HPA overwrites that now.".to_owned()], CAUSE);
        }
    }

    /// Adds what qualifies the decision: its last sentence is the step to take, unless the answer ends with `another`.
    fn qualify(&mut self, mut situation: Situation, has_another: bool) {
        let (what, why) = match situation.place {
            Place::Aside => (CAUSE, CAUSE),
            _ if has_another => (DETAIL, DETAIL),
            _ => (MUST, SECOND),
        };
        let step = situation.sentences.pop();
        // A command is a step as well.
        let has_command = situation.command.is_some() && !situation.sentences.is_empty();
        let mut sentences = situation.sentences.into_iter();
        self.add(sentences.next(), what);
        self.add(sentences, why);
        self.add(step, if has_command { what.max(SECOND) } else { what });
    }

    /// The answer with its ending.
    fn ended(mut self, cx: &ExplainContext<'_>, ending: Ending) -> FullAnswer {
        // A command says what to do without its sentence, unless that introduces it, and so do others.
        let introduces = ending
            .sentence
            .as_ref()
            .is_some_and(|text| text.ends_with(':'));
        let rank = if !introduces && (ending.command.is_some() || has_step(cx)) {
            SECOND
        } else {
            MUST
        };
        self.add(ending.sentence, rank);
        FullAnswer::new(self.fitting(), ending.command)
    }
}

/// Why the decision is what it is in a few words, after a problem that leads: `CPU asks for 41 replicas, above maxReplicas 14: 10
/// now, eventually 14.`
fn brief(cx: &ExplainContext<'_>, asked: i32) -> String {
    if let Some((step, held)) = cx
        .facts
        .stabilize
        .and_then(|step| Some((step, held(cx, step)?)))
    {
        // A limit of one step down.
        let limit = cx
            .facts
            .limit
            .filter(|limit| step.stabilized < limit.desired);
        let now = limit.map_or_else(String::new, |limit| format!(", {} now", limit.desired));
        return format!(
            "{}{now}{}.",
            upper_first(&held),
            then(cx).unwrap_or_default()
        );
    }
    let steps = || {
        let (now, last) = (cx.facts.limit?.desired, cx.analysis.timeline.last()?.to);
        Some(format!(": {now} now, eventually {last}"))
    };
    let steps = cx.is_stepwise().then(steps).flatten().unwrap_or_default();
    format!("{}{}{steps}.", upper_first(&cx.asks()), cx.beyond(asked))
}

/// That the controller has scaled since it wrote the status.
fn under_way(cx: &ExplainContext<'_>) -> Option<String> {
    let UnreportedRescale { from, to } = cx.unreported()?;
    Some(format!(
        "The HPA has scaled {from} → {to} since it wrote its status."
    ))
}

/// Metrics that failed without deciding: a broken metric deserves a sentence even if nothing depends on it now.
fn unmentioned_failures(cx: &ExplainContext<'_>) -> Option<(String, Vec<String>)> {
    let is_known = !matches!(cx.facts.trace.decision, Decision::Unknown { .. });
    if !is_known || cx.rule.decider() == Decider::FailedMetric {
        return None;
    }
    let what = invalid_metrics::what_they_block(cx)?;
    Some((what, invalid_metrics::causes(cx)))
}

/// That the recommendation history decides, and is not known.
fn unknown_history(cx: &ExplainContext<'_>) -> Option<String> {
    let (low, high) = cx.analysis.range?;
    Some(format!(
        "{low} to {high} replicas: that depends on earlier recommendations, which cannot be read from outside."
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
