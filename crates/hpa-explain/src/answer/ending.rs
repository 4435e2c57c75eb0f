//! How an answer ends: what to do, or why there is nothing to do.

use hpa_words::clock::duration;
use jiff::SignedDuration;

use super::{
    disagreement::{self, confirm_if_kept},
    waiting::Waiting,
};
use crate::{
    Decider, ExplainContext, NoteTopic, NoteView, NoteWeight,
    command::{ShellCommand, of_target},
    context::{
        downstream::{
            missing::{few_exist, is_settling, missing},
            quotas::{self, QuotaBehind},
        },
        external, writers,
    },
    fall::fall,
    not_counted::few_ready,
    problems::is_more_useless,
    rules::{
        invalid_metrics,
        max_replicas::{self, needed_maximum},
    },
    situation::{Place, Situation},
    well::is_well,
};

/// How an answer ends.
#[derive(Default)]
pub(super) struct Ending {
    /// The last sentence, if the others do not say what to do.
    pub(super) sentence: Option<String>,
    /// The command to run next.
    pub(super) command: Option<ShellCommand>,
    /// Whether it is not the step of the situation that qualifies the decision.
    pub(super) is_another: bool,
}

impl Ending {
    fn of_command(command: ShellCommand) -> Self {
        Self {
            command: Some(command),
            ..Self::default()
        }
    }

    fn of_sentence(sentence: impl Into<String>) -> Self {
        Self {
            sentence: Some(sentence.into()),
            ..Self::default()
        }
    }
}

/// The ending by the situation that the answer names, if any, and by the pods that wait.
pub(super) fn ending(
    cx: &ExplainContext<'_>,
    waiting: Option<&Waiting>,
    situation: Option<&Situation>,
) -> Ending {
    let Some(situation) = situation else {
        return of_decision(cx, waiting);
    };
    if is_second(cx, waiting, situation) {
        let ending = of_decision(cx, waiting);
        let is_another = ending.sentence.is_some() || ending.command.is_some() || has_step(cx);
        return Ending {
            is_another,
            ..ending
        };
    }
    let of_pods = || waiting?.command.clone();
    let command = situation.command.clone();
    // A quota that comes second has its remedy in its sentence.
    let command = if situation.place == Place::After && is_of_quota(cx, situation) {
        of_pods().or(command)
    } else {
        command.or_else(of_pods)
    };
    Ending {
        sentence: None,
        command: command.or_else(|| invalid_metrics::command(cx)),
        is_another: false,
    }
}

/// Whether it is a quota: pods of the target that wait are no part of it.
pub(super) fn is_of_quota(cx: &ExplainContext<'_>, situation: &Situation) -> bool {
    situation.command.as_ref() == Some(&quotas::command(cx))
}

/// The quota that would refuse pods next, now or with a higher maxReplicas that helps.
pub(super) fn quota_behind(cx: &ExplainContext<'_>) -> Option<QuotaBehind> {
    let higher = needed_maximum(cx).filter(|_| !is_more_useless(cx));
    quotas::behind(cx, higher)
}

/// Whether a situation leaves what to do to the decision. Pods and metrics that fail, and an edit, come before what only qualifies
/// it. So does an earlier recommendation before what a Value target multiplies.
fn is_second(cx: &ExplainContext<'_>, waiting: Option<&Waiting>, situation: &Situation) -> bool {
    match situation.place {
        Place::Before | Place::Instead | Place::Undone => false,
        Place::Aside => true,
        Place::After => {
            let stabilized = cx.facts.stabilize.map(|step| step.stabilized);
            let is_earlier = stabilized.is_some() && stabilized != cx.facts.proposal();
            let comes_after = waiting.is_some_and(|pods| pods.command.is_some())
                || !cx.facts.failed().is_empty()
                || disagreement::edit(cx).is_some()
                || is_earlier && external::value_times_pods(cx).as_ref() == Some(situation);
            comes_after && situation.command.is_none()
        }
    }
}

/// Whether the answer says how to fix a metric, or what follows from an edit.
pub(super) fn has_step(cx: &ExplainContext<'_>) -> bool {
    !cx.facts.failed().is_empty() || disagreement::edit(cx).is_some_and(|(_, then)| then.is_some())
}

/// The ending where nothing but the decision is to be reported.
fn of_decision(cx: &ExplainContext<'_>, waiting: Option<&Waiting>) -> Ending {
    if let Some(confirm) = confirm_if_kept(cx) {
        return Ending::of_command(confirm);
    }
    if let Some(command) = waiting.and_then(|waiting| waiting.command.clone()) {
        // Pods do not change that a direction is off.
        let is_off = cx.rule.decider() == Decider::DisabledDirection;
        let sentence = is_off.then(|| (cx.rule.words().advice)(cx)).flatten();
        return Ending {
            sentence,
            command: Some(command),
            ..Ending::default()
        };
    }
    let words = cx.rule.words();
    if let Some(command) = (words.command)(cx) {
        return Ending {
            sentence: (words.before_command)(cx),
            command: Some(command),
            ..Ending::default()
        };
    }
    if let Some(command) = invalid_metrics::command(cx) {
        return Ending::of_command(command);
    }
    if let Some(few) = lacking(cx) {
        return few;
    }
    if let Some(ending) = toward_max(cx).or_else(|| by_hand(cx)) {
        return ending;
    }
    if let Some(fall) = fall(cx) {
        return Ending::of_sentence(fall);
    }
    if let Some(remove) = cx.remove_duplicate() {
        return Ending::of_sentence(remove);
    }
    if is_well(cx) && waiting.is_none_or(|waiting| waiting.ends_by_itself) {
        return Ending::of_sentence(format!("Nothing to do: {}.", (words.why_nothing)(cx)));
    }
    if quota_behind(cx).is_some() {
        return Ending::of_command(quotas::command(cx));
    }
    otherwise(cx)
}

/// Pods that do not exist, or that the target does not call ready, where no pod that was read waits.
fn lacking(cx: &ExplainContext<'_>) -> Option<Ending> {
    let describe = Some(of_target(cx, "kubectl describe"));
    let Some(missing) = missing(cx) else {
        let few = few_ready(cx)?;
        return Some(Ending {
            sentence: Some(format!("{few}, as {} reports.", cx.target())),
            command: describe,
            ..Ending::default()
        });
    };
    let few = few_exist(missing);
    if is_settling(cx) {
        return Some(Ending::of_sentence(format!(
            "{few}: more may follow within a minute."
        )));
    }
    Some(Ending {
        sentence: Some(format!("{few}: find what keeps them from being created.")),
        command: describe,
        ..Ending::default()
    })
}

/// A load that asks for more than `maxReplicas`, to which the HPA still has to go: at maxReplicas its rule says so.
fn toward_max(cx: &ExplainContext<'_>) -> Option<Ending> {
    let verdict = max_replicas::verdict(cx, None);
    let verdict = verdict.filter(|_| cx.is_stepwise() && cx.facts.failed().is_empty())?;
    let command = max_replicas::command(cx);
    let asks = needed_maximum(cx).filter(|_| command.is_some());
    let trying = asks.map_or_else(String::new, |asks| {
        format!(" {}", max_replicas::trying(asks))
    });
    Some(Ending {
        sentence: Some(format!("{verdict}{trying}")),
        command,
        ..Ending::default()
    })
}

/// A load that takes several syncs to meet: scaling by hand is faster, where all pods are ready and more of them help.
fn by_hand(cx: &ExplainContext<'_>) -> Option<Ending> {
    let last = cx.analysis.timeline.last()?;
    let takes = last.at.duration_since(cx.clock.now);
    // Where a window holds more than the load asks for, the last step goes down.
    let is_up = cx.analysis.timeline.iter().all(|one| one.from < one.to);
    let is_now = cx.is_stepwise() && is_up && cx.past.is_none();
    if takes < LONG || !is_now || !is_well(cx) {
        return None;
    }
    let takes = duration(SignedDuration::from_secs(takes.as_secs()));
    let replicas = format!("--replicas={}", last.to);
    Some(Ending {
        sentence: Some(format!(
            "If {takes} is too long, scale it yourself; the HPA goes on from there:"
        )),
        command: Some(of_target(cx, "kubectl scale").arg(replicas)),
        ..Ending::default()
    })
}

/// What remains where neither a command helps nor all is well.
fn otherwise(cx: &ExplainContext<'_>) -> Ending {
    let sentence = (cx.rule.words().advice)(cx).or_else(|| {
        if has_step(cx) {
            return None;
        }
        noted(cx).or_else(|| {
            let period = duration(cx.facts.observation.sync_period().value);
            let look = || format!("Look again after the next sync, in {period}.");
            // What may have moved, and an edit, say so themselves.
            let is_unknown = cx.analysis.range.is_some()
                || cx.unreported().is_some()
                || disagreement::edit(cx).is_some();
            (is_unknown && cx.may_have_moved().is_none()).then(look)
        })
    });
    // Where nothing else is to be done, who wrote is what remains to be found out.
    let is_written = sentence.is_none() && !has_step(cx) && writers::in_short(cx).is_some();
    Ending {
        sentence,
        command: is_written.then(|| writers::managed_fields(cx)),
        ..Ending::default()
    }
}

/// What a row below says is wrong, or who else writes the replicas.
fn noted(cx: &ExplainContext<'_>) -> Option<String> {
    let is_wrong = |note: &&NoteView| note.weight == NoteWeight::Warning;
    let is_written =
        |note: &&NoteView| note.topic == NoteTopic::Writers && note.weight == NoteWeight::Normal;
    // The answer itself names the last write.
    let is_named = writers::in_short(cx).is_some();
    let is_new = |note: &&NoteView| !is_named || note.topic != NoteTopic::Writers;
    let notes = cx.notes().iter().filter(is_new);
    let mut notes = notes.filter(|note| !note.title.is_empty());
    let note = notes
        .clone()
        .find(is_wrong)
        .or_else(|| notes.find(is_written))?;
    let first = note.text.split_inclusive(". ").next()?.trim_end();
    let is_short = first.chars().count() <= SHORT;
    Some(if is_short {
        format!(
            "See \"{}\" below: {}.",
            note.title,
            first.trim_end_matches('.')
        )
    } else {
        format!("See \"{}\" below.", note.title)
    })
}

/// So many letters of a row fit into an answer.
const SHORT: usize = 90;

/// A wait that is worth a step by hand.
const LONG: SignedDuration = SignedDuration::from_mins(1);
