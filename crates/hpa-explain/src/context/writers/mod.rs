//! Who else writes the replicas.

mod belongs;
mod writer;

pub use writer::{is_autoscaler as writer_is_autoscaler, name as writer_name};

use hpa_analysis::{ForeignWrite, ReplicaHistory, foreign_write, replica_history};
use hpa_engine::{
    model::{FieldManager, Target},
    trace::Decision,
};
use hpa_words::{
    amount::{self, names},
    clock::duration,
};
use jiff::SignedDuration;

use super::{NoteTopic, NoteView, NoteWeight};
use crate::{
    ExplainContext,
    command::of_target,
    situation::{Place, Situation, within_a_cell},
};

/// Who else writes the replicas; empty if only the HPA does.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let history = replica_history(cx.context, cx.clock.now);
    let mut notes = Vec::new();
    let write = write_of_others(cx, &history);
    let is_fought = write.is_some() || !history.undone.is_empty();
    notes.extend(write.map(|write| written(cx, &write)));
    notes.extend(undone(cx, &history));
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

/// Situation: the HPA is about to undo what another writer wrote, and how to stop that.
pub(crate) fn situation(cx: &ExplainContext<'_>) -> Option<Situation> {
    let Decision::Rescale { to, .. } = cx.facts.trace.decision else {
        return None;
    };
    let write = write_of_others(cx, &replica_history(cx.context, cx.clock.now))?;
    let set = write.hpa_set.filter(|set| *set != write.replicas)?;
    let replicas = amount::replicas(write.replicas);
    (!write.is_accepted).then(|| Situation {
        place: Place::Instead,
        words: Some(within_a_cell(
            format!("{} set {replicas}", writer::short_name(&write.by)),
            || format!("another writer set {}", write.replicas),
        )),
        sentences: vec![
            format!(
                "{} set the replicas to {} after the HPA had set {set}, and the HPA now sets {to}{}.",
                writer::name(&write.by),
                write.replicas,
                if to == set { " again" } else { "" },
            ),
            writer::fix(&write.by, cx.context.target.as_ref()),
        ],
        command: Some(
            of_target(cx, "kubectl get")
                .arg("-o")
                .arg("yaml")
                .arg("--show-managed-fields"),
        ),
    })
}

/// A writer that moves the replicas by design is reported with its autoscaler.
fn write_of_others(cx: &ExplainContext<'_>, history: &ReplicaHistory) -> Option<ForeignWrite> {
    let write = foreign_write(cx.facts.observation, cx.context, history);
    write.filter(|write| !writer::is_autoscaler(&write.by))
}

/// `spec.replicas was set to 3 by helm at 10:31:02, 12 s after the HPA had set 6.`
fn written(cx: &ExplainContext<'_>, write: &ForeignWrite) -> NoteView {
    let clock = cx.clock;
    let had = match write.hpa_set {
        Some(set) => format!("the HPA had set {set}"),
        None => "the HPA had scaled".to_owned(),
    };
    let by = writer::name(&write.by);
    let when = match write.at {
        Some(at) => format!(
            " at {} at the latest, {} after {had}",
            clock.time(at),
            duration(at.duration_since(write.hpa_scaled))
        ),
        None => format!(", after {had} at {}", clock.time(write.hpa_scaled)),
    };
    let then = match cx.facts.trace.decision {
        Decision::Rescale { to, .. } => format!(" The HPA sets {to} now."),
        Decision::Hold { .. } if write.is_accepted => {
            " The HPA has synced since then and keeps it.".to_owned()
        }
        Decision::Hold { .. } => " The HPA keeps it.".to_owned(),
        _ => String::new(),
    };
    let since = write.at.unwrap_or(write.hpa_scaled);
    let age = clock.now.duration_since(since);
    let is_over = write.hpa_set == Some(write.replicas) || (write.is_accepted && RECENT < age);
    let weight = if is_over {
        NoteWeight::Normal
    } else {
        NoteWeight::Warning
    };
    let fix = writer::fix(&write.by, cx.context.target.as_ref());
    NoteTopic::Writers.note(
        "set by",
        weight,
        format!(
            "spec.replicas was set to {} by {by}{when}.{then} {fix}",
            write.replicas
        ),
    )
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
