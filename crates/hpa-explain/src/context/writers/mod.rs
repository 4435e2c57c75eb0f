//! Who else writes the replicas.

mod belongs;
mod writer;

pub use writer::name as writer_name;

use hpa_analysis::{ForeignWrite, ReplicaHistory, replica_history};
use hpa_diagnosis::{
    effect::Effect,
    other_writer::{SeenWriter, UndoneWrite, last_writer, seen_writer, undone_now},
};
use hpa_engine::{
    model::{FieldManager, Target},
    trace::Decision,
};
use hpa_words::{
    amount::{self, names},
    clock::{duration, rough},
};
use jiff::SignedDuration;

use super::{NoteTopic, NoteView, NoteWeight};
use crate::{
    ExplainContext,
    command::{ShellCommand, of_target},
    situation::{MeasuredProblem, Place, Situation, within_a_cell},
};

/// Who else writes the replicas; empty if only the HPA does.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let history = replica_history(cx.context, cx.clock.now);
    let mut notes = Vec::new();
    let seen = seen_writer(cx.context, cx.clock.now);
    let write = write_of_others(cx);
    let is_fought = seen.is_some() || write.is_some() || !history.undone.is_empty();
    if let Some(seen) = seen {
        notes.push(seen_note(cx, &seen));
    } else {
        notes.extend(write.map(|write| written(cx, &write)));
        notes.extend(undone(cx, &history));
    }
    notes.extend(downscaled(cx));
    if let Some(target) = &cx.context.target {
        notes.extend(declared(cx, target, is_fought));
        notes.extend(belongs::owner(target, is_fought));
        notes.extend(belongs::target(target, is_fought));
    }
    notes.extend(own_writes(cx));
    notes.extend(belongs::hpa(cx));
    notes
}

/// Problem: the HPA is about to undo what another writer wrote, and how to stop that.
pub(crate) fn fought(cx: &ExplainContext<'_>) -> Option<MeasuredProblem> {
    let (observation, decision) = (cx.facts.observation, &cx.facts.trace.decision);
    let undone = undone_now(observation, cx.context, decision, cx.clock.now)?;
    let effect = undone.effect();
    let UndoneWrite { write, had, to } = undone;
    let is_manual = writer::is_manual(&write.by);
    // Where the HPA does not go back to its number, a write that a person made is over.
    if to != had && matches!(effect, Effect::Later(_)) && is_manual {
        return None;
    }
    let replicas = amount::replicas(write.replicas);
    let mut sentences = vec![format!("{}.", edit_in_words(&write, had))];
    sentences.extend(fix_of(cx, &write.by, write.replicas));
    let situation = Situation {
        place: if is_manual {
            Place::Undone
        } else {
            Place::Before
        },
        words: Some(within_a_cell(
            format!("{} set {replicas}", writer::short_name(&write.by)),
            || format!("another writer set {}", write.replicas),
        )),
        sentences,
        command: Some(managed_fields(cx)),
    };
    situation.measured(Some(effect))
}

/// The last write of another in a sentence, where it explains the replicas that there are: for an answer that is about something
/// else.
pub(crate) fn in_short(cx: &ExplainContext<'_>) -> Option<String> {
    let write = write_of_others(cx).filter(|write| !is_over(cx, write));
    let of_write = write.and_then(|write| Some(edit_in_words(&write, write.hpa_set?)));
    let of_seen = || Some(seen_text(cx, &seen_writer(cx.context, cx.clock.now)?));
    Some(format!("{}.", of_write.or_else(of_seen)?))
}

/// `kubectl scale set 5 replicas after the HPA had set 7`
fn edit_in_words(write: &ForeignWrite, had: i32) -> String {
    let by = match writer::short_name(&write.by) {
        "kubectl" => writer::name(&write.by),
        by => by.to_owned(),
    };
    let had_set = had_set(write, had);
    let replicas = amount::replicas(write.replicas);
    format!("{by} set {replicas} after {had_set}")
}

/// How to stop a writer that set so many replicas, or what keeps those that a person set.
fn fix_of(cx: &ExplainContext<'_>, by: &FieldManager, set: i32) -> Option<String> {
    if writer::is_manual(by) {
        return to_keep(cx, set);
    }
    Some(writer::fix(by, cx.context.target.as_ref()))
}

/// `To keep at least 8, set minReplicas to 8.`: what keeps the replicas that a person set, where a bound does that and it still
/// scales after that. What the load asks for and what a window holds passes by itself.
fn to_keep(cx: &ExplainContext<'_>, set: i32) -> Option<String> {
    let (min, max) = (cx.facts.min(), cx.facts.max());
    let is_beyond = set < min || max < set;
    if is_beyond && min == max {
        return Some(format!(
            "With minReplicas and maxReplicas at {min} it always goes back: for {set}, set both."
        ));
    }
    if max < set {
        return Some(format!("To allow {set}, raise maxReplicas to {set}."));
    }
    if set < min {
        return Some(format!("To allow {set}, lower minReplicas to {set}."));
    }
    let is_reduced = cx
        .facts
        .trace
        .decision
        .replicas()
        .is_some_and(|to| to < set);
    (is_reduced && set < max).then(|| format!("To keep at least {set}, set minReplicas to {set}."))
}

/// Problem: another writer changes the replicas again and again, or did just now.
pub(crate) fn recent(cx: &ExplainContext<'_>) -> Option<MeasuredProblem> {
    let seen = seen_writer(cx.context, cx.clock.now)?;
    let to = seen.last.to;
    let name = seen.by.map_or("another writer", writer::short_name);
    let situation = Situation {
        place: Place::Before,
        words: Some(within_a_cell(
            format!("{name} set {}", amount::replicas(to)),
            || format!("another writer set {to}"),
        )),
        sentences: vec![
            format!("{}.", seen_text(cx, &seen)),
            seen_fix(cx, &seen).unwrap_or_else(|| {
                let is_known = seen.by.is_some();
                let find = "Find what writes spec.replicas.";
                let manual = "A manual change lasts until the next scaling.";
                if is_known { manual } else { find }.to_owned()
            }),
        ],
        command: Some(managed_fields(cx)),
    };
    let effect = |current| seen.effect(current, &cx.facts.trace.decision);
    situation.measured(cx.facts.current().map(effect))
}

/// `Argo CD (argocd-controller) set the replicas from 4 to 2 at 08:59:07, 10 such changes in 9 min`
fn seen_text(cx: &ExplainContext<'_>, seen: &SeenWriter<'_>) -> String {
    let SeenWriter {
        first,
        last,
        times,
        by,
    } = *seen;
    let by = by.map_or_else(|| "Something other than the HPA".to_owned(), writer::name);
    let often = if times == 1 {
        String::new()
    } else {
        let span = cx.clock.age(first.at);
        format!(", {times} such changes in {}", rough(span))
    };
    let at = cx.clock.time(last.at);
    format!(
        "{by} set the replicas from {} to {} at {at}{often}",
        last.from, last.to
    )
}

fn seen_note(cx: &ExplainContext<'_>, seen: &SeenWriter<'_>) -> NoteView {
    let fix = seen_fix(cx, seen).map_or_else(String::new, |fix| format!(" {fix}"));
    let text = format!("{}.{fix}", seen_text(cx, seen));
    NoteTopic::Writers.note("set by", NoteWeight::Warning, text)
}

fn seen_fix(cx: &ExplainContext<'_>, seen: &SeenWriter<'_>) -> Option<String> {
    fix_of(cx, seen.by?, seen.last.to)
}

/// What shows who wrote the replicas.
pub(crate) fn managed_fields(cx: &ExplainContext<'_>) -> ShellCommand {
    of_target(cx, "kubectl get")
        .arg("-o")
        .arg("yaml")
        .arg("--show-managed-fields")
}

fn write_of_others(cx: &ExplainContext<'_>) -> Option<ForeignWrite> {
    last_writer(cx.facts.observation, cx.context, cx.clock.now)
}

/// `the HPA had set 6`
fn had_set(write: &ForeignWrite, replicas: i32) -> String {
    let what = match write.hpa_scaled {
        Some(_) => "set",
        None => "decided on",
    };
    format!("the HPA had {what} {replicas}")
}

/// `spec.replicas was set to 3 by helm at 10:31:02, 12 s after the HPA had set 6.`
fn written(cx: &ExplainContext<'_>, write: &ForeignWrite) -> NoteView {
    let clock = cx.clock;
    let had = match write.hpa_set {
        Some(set) => had_set(write, set),
        None => "the HPA had scaled".to_owned(),
    };
    let by = writer::name(&write.by);
    let when = match (write.at, write.hpa_scaled) {
        (Some(at), Some(scaled)) => format!(
            " at {} at the latest, {} after {had}",
            clock.time(at),
            duration(at.duration_since(scaled))
        ),
        (Some(at), None) => format!(" at {} at the latest, after {had}", clock.time(at)),
        (None, Some(scaled)) => format!(", after {had} at {}", clock.time(scaled)),
        (None, None) => format!(", after {had}"),
    };
    let then = match cx.facts.trace.decision {
        Decision::Rescale { to, .. } => format!(" The HPA sets {to} now."),
        Decision::Hold { .. } if write.is_accepted => {
            " The HPA has synced since then and keeps it.".to_owned()
        }
        Decision::Hold { .. } => " The HPA keeps it.".to_owned(),
        _ => String::new(),
    };
    let weight = if is_over(cx, write) {
        NoteWeight::Normal
    } else {
        NoteWeight::Warning
    };
    let fix = fix_of(cx, &write.by, write.replicas);
    let fix = fix.map_or_else(String::new, |fix| format!(" {fix}"));
    NoteTopic::Writers.note(
        "set by",
        weight,
        format!(
            "spec.replicas was set to {} by {by}{when}.{then}{fix}",
            write.replicas
        ),
    )
}

/// Whether a write no longer matters: it set what the HPA wants, or a sync has kept it for a while.
fn is_over(cx: &ExplainContext<'_>, write: &ForeignWrite) -> bool {
    let age = write
        .latest()
        .map(|since| cx.clock.now.duration_since(since));
    let is_old = age.is_some_and(|age| RECENT < age);
    write.hpa_set == Some(write.replicas) || (write.is_accepted && is_old)
}

/// What other writers did between the HPA's own rescales.
fn undone(cx: &ExplainContext<'_>, history: &ReplicaHistory) -> Option<NoteView> {
    let last = history.undone.last()?;
    let clock = cx.clock;
    let undone = history.undone.iter();
    let times = undone.fold(0_i32, |sum, one| sum.saturating_add(one.times));
    let first = history.undone.first().map_or(last.from, |one| one.from);
    let how_often = match times {
        1 => String::new(),
        times => format!(", {times} times since {}", clock.time(first)),
    };
    let what = if last.before == last.size {
        format!(
            "the HPA set {} at {} and, with nothing of its own between, again at {}",
            last.size,
            clock.time(last.from),
            clock.time(last.at)
        )
    } else {
        format!(
            "the HPA set {} at {} and scaled up to {} at {}",
            last.before,
            clock.time(last.from),
            last.size,
            clock.time(last.at)
        )
    };
    let who = suspects(cx);
    let rivals = cx.context.surroundings.autoscalers.hpas();
    let rivals: Vec<&str> = rivals.map(|other| other.name.as_str()).collect();
    let by = match (&rivals[..], &who[..]) {
        ([], []) => "something else".to_owned(),
        ([], who) => format!("something else (belongs to {})", names(who, 3)),
        (rivals, _) => format!("HPA {}", names(rivals, 3)),
    };
    Some(NoteTopic::Writers.note(
        "set by",
        NoteWeight::Warning,
        format!("{what}: {by} changed the replicas in between{how_often} (from the HPA's Events)."),
    ))
}

/// Who may have changed the replicas, if no write was observed.
fn suspects(cx: &ExplainContext<'_>) -> Vec<String> {
    let target = cx.context.target.as_ref();
    target
        .map(|target| belongs::managers(&target.origin))
        .unwrap_or_default()
}

/// A manifest with replicas sets them again whenever it is applied.
fn declared(cx: &ExplainContext<'_>, target: &Target, is_fought: bool) -> Option<NoteView> {
    let current = cx.facts.current()?;
    let object = format!("{}/{}", target.kind, target.name);
    let applier = target
        .replicas_written_by
        .iter()
        .find(|manager| manager.operation == "Apply");
    let (text, replicas) = match (target.applied_replicas, applier) {
        (Some(replicas), _) => (
            format!(
                "the last applied manifest of {object} has replicas: {replicas}: each apply sets that again. \
                 Leave the field out (first in the last-applied configuration: kubectl apply edit-last-applied, \
                 or the next apply sets 1)."
            ),
            replicas,
        ),
        (None, Some(manager)) => (
            format!(
                "the manifest that {} applies to {object} has replicas: {current}: each apply sets that again, or \
                 fails with a conflict. Leave the field out.",
                writer::name(manager)
            ),
            current,
        ),
        (None, None) => return None,
    };
    let weight = if is_fought || replicas != current {
        NoteWeight::Normal
    } else {
        NoteWeight::Detail
    };
    Some(NoteTopic::Writers.note("set by", weight, text))
}

/// kube-downscaler stores the original replicas on what it scales down.
fn downscaled(cx: &ExplainContext<'_>) -> Option<NoteView> {
    const MARK: &str = "downscaler/original-replicas";
    let hpa = &cx.facts.observation.hpa;
    let target = cx.context.target.as_ref();
    let of_target = target.and_then(|target| {
        let replicas = target.origin.mark(MARK)?;
        Some((format!("{}/{}", target.kind, target.name), replicas))
    });
    let of_hpa = || {
        let replicas = cx.context.hpa_origin.mark(MARK)?;
        Some((format!("HPA/{}", hpa.name), replicas))
    };
    let (object, replicas) = of_target.or_else(of_hpa)?;
    Some(NoteTopic::Writers.note("set by", 
        NoteWeight::Warning,
        format!(
            "a downscaler has scaled {object} down by its schedule and will restore {replicas} replicas (annotation \
             {MARK}); annotation downscaler/exclude=true keeps it away."
        ),
    ))
}

/// Who wrote the replicas (a detail).
fn own_writes(cx: &ExplainContext<'_>) -> Option<NoteView> {
    let target = cx.context.target.as_ref()?;
    let writers: Vec<String> = target
        .replicas_written_by
        .iter()
        .map(|manager| written_by(cx, manager))
        .collect();
    (!writers.is_empty()).then(|| {
        NoteTopic::Writers.note(
            "set by",
            NoteWeight::Detail,
            format!("spec.replicas was written by {}", names(&writers, 5)),
        )
    })
}

fn written_by(cx: &ExplainContext<'_>, manager: &FieldManager) -> String {
    let at = manager
        .time
        .map(|time| format!(" ({})", cx.clock.time(time)))
        .unwrap_or_default();
    format!("{}{at}", writer::name(manager))
}

/// A write that the controller accepted matters for this long.
const RECENT: SignedDuration = SignedDuration::from_mins(30);
