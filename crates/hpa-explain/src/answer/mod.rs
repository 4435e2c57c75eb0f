//! The answer: cause, effect and the one thing to check, in a few sentences, by the rule that decides.
//!
//! `Rule::binding` finds that rule; `rules` has a file with its sentences, which `decision` asks.

mod disagreement;
mod ending;
mod waiting;

use std::cmp::Reverse;

use disagreement::disagreement;
use ending::{Ending, ending, has_step, is_of_quota, quota_behind};
use hpa_analysis::{Comparison, UnreportedRescale};
use hpa_diagnosis::effect::Effect;
use hpa_engine::{
    model::{Direction, last_refusal},
    trace::{Decision, ScaleWrite},
};
use hpa_words::{amount::upper_first, wrap::wrap};
pub(crate) use waiting::are_unready_named;
use waiting::{Named, Waiting, waiting};

use crate::{
    Action, Decider, ExplainContext, Facts, FullAnswer, MetricFacts, ShortAnswer,
    failing_pods::FailingPods,
    problems,
    rule::is_write_refused,
    rules::{disabled_direction::off_meanwhile, invalid_metrics, second_pass::counted_back},
    situation::{Place, Situation},
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
            let waiting = match cx.disagreement() {
                Some(replicas) => {
                    text.add(disagreement(cx, replicas).sentences, MUST);
                    None
                }
                None => text.decision(cx, None, &[Named::Failing]),
            };
            let command = pods.command(cx);
            return FullAnswer::new(text.fitting(), command.or_else(|| waiting?.command));
        }
        Lead::Disagreement(replicas) => return disagreement(cx, replicas),
        Lead::Problem(situation) => situation,
        Lead::Decision => match problems::qualification(cx) {
            Some(situation) => situation,
            None => return of_decision(cx),
        },
    };
    let mut text = Sentences::default();
    let named = Vec::from_iter(Named::of(cx, &situation));
    let waiting = match situation.place {
        Place::After | Place::Aside => text.decision(cx, Some(&situation), &named),
        Place::Before => {
            text.add(situation.sentences.clone(), MUST);
            text.decision(cx, Some(&situation), &named)
        }
        Place::Instead => {
            text.add(situation.sentences.clone(), MUST);
            None
        }
    };
    let ending = ending(cx, waiting.as_ref(), Some(&situation));
    if matches!(situation.place, Place::After | Place::Aside) {
        text.qualify(situation, ending.is_another);
    }
    text.ended(cx, ending)
}

/// The answer if there is only the decision to report.
fn of_decision(cx: &ExplainContext<'_>) -> FullAnswer {
    let mut text = Sentences::default();
    let waiting = text.decision(cx, None, &[]);
    text.ended(cx, ending(cx, waiting.as_ref(), None))
}

/// Why the decision is what it is, worded to go with the situation that the answer names.
fn decision(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let mut text = Sentences::default();
    text.decision(cx, situation, &[]);
    text.all()
}

/// The sentences of an answer, each with how well the answer can do without it: 0, not at all.
#[derive(Default)]
struct Sentences {
    sentences: Vec<(String, u8)>,
    /// How the demand was computed, which is also in the rows.
    calculation: Option<String>,
    /// How important the sentence is that has it.
    calculation_rank: u8,
    /// The sentences with names of pods, and the same in one, ever shorter.
    names: (Vec<String>, Vec<String>),
    /// How important the first of these is.
    names_rank: u8,
    /// What to do about a quota behind the decision, which its row also says.
    remedy: String,
    /// The sentence about the decision after what leads, and the same in a few words.
    brief: Option<(String, String)>,
}

impl Sentences {
    fn add(&mut self, sentences: impl IntoIterator<Item = String>, rank: u8) {
        let sentences = sentences.into_iter().map(|one| (one, rank));
        self.sentences.extend(sentences);
    }

    /// Adds why the decision is what it is, the pods that wait, without those that are named, and the quota that would refuse more.
    fn decision(
        &mut self,
        cx: &ExplainContext<'_>,
        situation: Option<&Situation>,
        named: &[Named],
    ) -> Option<Waiting> {
        let waiting = self.decided(cx, situation, named);
        let after = situation.filter(|one| matches!(one.place, Place::After));
        let remedy = after.and_then(|one| one.sentences.last()?.split_once(": raise it to "));
        if let Some((_, limit)) = remedy {
            self.remedy = format!(": raise it to {}", limit.trim_end_matches('.'));
        }
        let said = situation.iter().flat_map(|one| &one.sentences);
        let mut said = said.chain(self.sentences.iter().map(|(text, _)| text));
        if let Some(quota) = quota_behind(cx)
            && !said.any(|text| text.to_lowercase().contains("quota "))
        {
            // A metric that fails matters more.
            let is_detail = quota.then.is_empty() || !cx.facts.failed().is_empty();
            let rank = if is_detail { SECOND } else { MUST };
            self.add([format!("{}{}.", quota.what, quota.then)], rank);
            self.remedy = quota.then;
        }
        waiting
    }

    fn decided(
        &mut self,
        cx: &ExplainContext<'_>,
        situation: Option<&Situation>,
        named: &[Named],
    ) -> Option<Waiting> {
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
            (true, _) => (SECOND, CAUSE),
            (false, true) if fails => (MUST, SECOND),
            (false, true) => (CAUSE, SECOND),
            (false, false) if cx.may_have_moved().is_some() => (MUST, SECOND),
            (false, false) if is_off => (MUST, SECOND),
            (false, false) => (MUST, MUST),
        };
        self.add(under_way(cx), MUST);
        let mut sentences = (cx.rule.words().sentences)(cx, situation).into_iter();
        let decision = sentences.next();
        let winner = cx.facts.winner();
        if is_led && cx.rule.decider() != Decider::FailedMetric {
            let asked = winner.and(cx.facts.proposal());
            let brief =
                asked.map(|asked| format!("{}{}.", upper_first(&cx.asks()), cx.beyond(asked)));
            self.brief = decision.clone().zip(brief);
        }
        self.add(decision, first);
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
            Direction::Up if !is_held => SECOND,
            // A metric that fails says more.
            _ if !is_clear => SECOND,
            _ => MUST,
        };
        self.add(off_meanwhile(cx), off);
        self.add(unknown_history(cx), SECOND);
        let mut waiting = waiting(cx, named)?;
        // The names say how many there are as well.
        let number = if is_led || is_off { DETAIL } else { CAUSE };
        self.add(waiting.number.take(), number);
        let checks = std::mem::take(&mut waiting.checks);
        self.names = (checks.check.clone(), checks.shorter);
        let mut checks = checks.check.into_iter().chain(checks.others);
        let check = if waiting.command.is_some() || situation.is_some() {
            check.max(NAMED)
        } else {
            check
        };
        self.names_rank = check;
        self.add(checks.next(), check);
        self.add(checks, CAUSE);
        self.add(
            waiting.with_them.take(),
            if is_led { SECOND } else { NAMED },
        );
        Some(waiting)
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

    fn all(self) -> Vec<String> {
        self.sentences.into_iter().map(|(text, _)| text).collect()
    }

    fn text(&self) -> String {
        let texts: Vec<&str> = self
            .sentences
            .iter()
            .map(|(text, _)| text.as_str())
            .collect();
        texts.join(" ")
    }

    fn replace(&mut self, what: &str, with: &str) {
        let brief = self.brief.iter_mut().map(|(decision, _)| decision);
        let sentences = self.sentences.iter_mut().map(|(text, _)| text);
        for text in sentences.chain(brief) {
            *text = text.replacen(what, with, 1);
        }
    }

    fn shorten_names(&mut self) {
        let (names, shorter) = &mut self.names;
        let short = vec![shorter.remove(0)];
        let long = std::mem::replace(names, short);
        if let ([first, others @ ..], [short]) = (long.as_slice(), names.clone().as_slice()) {
            self.sentences.retain(|(text, _)| !others.contains(text));
            self.replace(first, short);
        }
    }

    /// As many of them as fit: the rows of the page have what the others say. Details go first, then names, then whole
    /// sentences, and last the calculation of the sentence that has it.
    fn fitting(mut self) -> Vec<String> {
        let mut names = None;
        while LINES < wrap(&self.text(), COLUMNS).len() {
            let ranks = self.sentences.iter().map(|(_, rank)| *rank);
            let rank = ranks.max().unwrap_or(MUST);
            // Why the first pod waits goes last: its command shows it.
            let shortens = match self.names.1.len() {
                0 => false,
                1 => rank <= self.names_rank.max(SECOND),
                _ => rank < DETAIL,
            };
            if shortens {
                self.shorten_names();
            } else if rank <= self.calculation_rank
                && let Some(calculation) = self.calculation.take()
            {
                self.replace(&format!(" ({calculation})"), "");
            } else if rank == SECOND
                && let Some((decision, brief)) = self.brief.take()
            {
                self.replace(&decision, &brief);
            } else if rank <= NAMED && !self.remedy.is_empty() {
                let remedy = std::mem::take(&mut self.remedy);
                self.replace(&remedy, "");
            } else if rank == MUST {
                break;
            } else if let Some(place) = self.sentences.iter().rposition(|(_, one)| *one == rank) {
                let sentence = self.sentences.remove(place);
                if self.names.0.first() == Some(&sentence.0) {
                    names = Some((place, sentence));
                }
            }
        }
        // What went after the pods may have made room for them.
        if let Some((place, sentence)) = names {
            let place = place.min(self.sentences.len());
            self.sentences.insert(place, sentence);
            if LINES < wrap(&self.text(), COLUMNS).len() {
                self.sentences.remove(place);
            }
        }
        self.all()
    }
}

/// What is so, and what to do.
const MUST: u8 = 0;

/// Pods that the command names as well.
const NAMED: u8 = 1;

/// The decision after what leads, and what it would be with pods that wait.
const SECOND: u8 = 2;

/// Why something is so that is not what leads.
const CAUSE: u8 = 3;

/// More about the decision.
const DETAIL: u8 = 4;

/// An answer that is longer is not read in an incident.
const LINES: usize = 4;

/// The width of a terminal.
const COLUMNS: usize = 80;

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
