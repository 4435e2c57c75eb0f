//! One recomputed sync in words, for the output of `replay`.

use hpa_analysis::{Analysis, FollowedMemory, MemoryBasis};
use hpa_engine::{
    model::{Hpa, SyncInput},
    trace::Decision,
};
use hpa_explain::{ExplainContext, Facts, Urgency, edited, spec_edits};
use hpa_playback::{ComparisonVerdict, ExplainSubject, Phase, Reconcile};
use hpa_render::replay::{ReconcileView, RecordingView};
use hpa_words::clock::{Clock, whole_second};
use jiff::{Timestamp, tz::TimeZone};

/// The sync as a line, and as the subject of a page.
pub(super) fn reconcile(reconcile: Reconcile, clock: &Clock) -> (ReconcileView, ExplainSubject) {
    let mut view = without_words(&reconcile, clock);
    let is_seen = is_seen(&reconcile);
    let subject = ExplainSubject::of_reconcile(reconcile);
    add_words(&mut view, &subject.input, is_seen, clock);
    (view, subject)
}

/// Adds the verdict in the words of `list` and `watch`. Comparisons with a later line have lines of their own. If there is
/// none, the status of this very line can contradict the recomputation: then the controller did not do it, as the page
/// also says.
fn add_words(view: &mut ReconcileView, input: &SyncInput, is_seen: bool, clock: &Clock) {
    let basis = match input.memory {
        Some(_) => MemoryBasis::Recorded,
        None => MemoryBasis::Inferred,
    };
    let followed = FollowedMemory { basis, others: &[] };
    let analysis = if is_seen {
        Analysis::following(input, &followed)
    } else {
        Analysis::new(input)
    };
    let cx = ExplainContext::new(&input.observation, &input.context, &analysis, clock);
    let (_, answer) = Urgency::with_words(&cx);
    let Some(written) = cx.kept_instead() else {
        view.words = answer.at(clock);
        return;
    };
    if cx.contradiction().is_none() {
        view.words = answer.at(clock);
        view.happened = "unclear";
        view.replicas = written.to_string();
        return;
    }
    let (current, recomputed) = (analysis.trace.current(), analysis.trace.decision.replicas());
    if let Some(recomputed) = recomputed {
        view.words = format!("recomputed: {recomputed}");
    }
    if current == Some(written) {
        view.happened = "held";
        view.replicas = written.to_string();
    } else {
        view.happened = "unclear";
    }
}

fn without_words(reconcile: &Reconcile, clock: &Clock) -> ReconcileView {
    let facts = Facts::new(&reconcile.observation, &reconcile.trace);
    let is_seen = is_seen(reconcile);
    ReconcileView {
        time: time_of_day(reconcile.time, &clock.zone),
        replicas: replicas(&reconcile.trace.decision),
        proposals: proposals(&facts),
        words: String::new(),
        happened: happened(&reconcile.trace.decision, is_seen),
        failure: failure(reconcile),
        notes: match reconcile.phase {
            Phase::Begin | Phase::Continued => Vec::new(),
            Phase::JoinedLate => vec!["what the controller remembers here is inferred".to_owned()],
            Phase::Restarted => {
                vec!["the controller has restarted and remembers nothing".to_owned()]
            }
        },
        is_scaling: is_seen
            && matches!(
                reconcile.trace.decision,
                Decision::Rescale { succeeds: true, .. }
            ),
        agrees: reconcile.verdict.agrees(),
        is_unclear: matches!(reconcile.verdict, ComparisonVerdict::Unclear(_)),
        differences: reconcile.verdict.differences().to_vec(),
    }
}

/// Whether the recording shows what the controller did in this sync.
fn is_seen(reconcile: &Reconcile) -> bool {
    !matches!(reconcile.verdict, ComparisonVerdict::NotCompared)
}

/// How an HPA was edited since the sync before; none: not at all, or it is another one of its name.
pub(super) fn edit(before: &Hpa, hpa: &Hpa) -> Option<String> {
    let edits = spec_edits(&before.spec, &hpa.spec);
    let is_same = before.created == hpa.created;
    (is_same && !edits.is_empty()).then(|| edited(&edits))
}

/// The recording that a sync belongs to.
pub(super) fn recording(reconcile: &Reconcile, clock: &Clock) -> RecordingView {
    let hpa = &reconcile.observation.hpa;
    RecordingView {
        name: reconcile.recording.clone(),
        hpa: hpa.key().to_string(),
        scale_target: hpa.spec.scale_target.to_string(),
        bounds: format!(
            "min {} · max {}",
            hpa.spec.min_replicas(),
            hpa.spec.max_replicas
        ),
        version: reconcile.observation.controller.version.value.to_string(),
        begin: clock.full(whole_second(reconcile.time)),
    }
}

/// Truncated to the second, as `--at` reads it.
pub(super) fn time_of_day(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%H:%M:%S").to_string()
}

fn replicas(decision: &Decision) -> String {
    match decision {
        Decision::Failed { current } | Decision::Unknown { current, .. } => {
            current.map_or_else(|| "?".to_owned(), |current| current.to_string())
        }
        Decision::Hold { current } => current.to_string(),
        Decision::Disabled => "0".to_owned(),
        Decision::Rescale { from, to, .. } => format!("{from} → {to}"),
    }
}

/// What each metric asks for: `cpu 4, queue_depth ✗`.
fn proposals(facts: &Facts<'_>) -> String {
    let proposals: Vec<String> = facts
        .metrics
        .iter()
        .map(|metric| match (metric.replicas(), metric.failure()) {
            (Some(replicas), _) => format!("{} {replicas}", metric.name()),
            (None, Some(_)) => format!("{} ✗", metric.name()),
            (None, None) => format!("{} ?", metric.name()),
        })
        .collect();
    proposals.join(", ")
}

/// The outcome in one word. Without a later status, nothing shows that the controller did it.
fn happened(decision: &Decision, is_seen: bool) -> &'static str {
    match decision {
        Decision::Rescale { .. } if !is_seen => "expected",
        Decision::Failed { .. } => "failed",
        Decision::Hold { .. } => "held",
        Decision::Disabled => "off",
        Decision::Rescale {
            succeeds: false, ..
        } => "refused",
        Decision::Rescale { .. } => "rescaled",
        Decision::Unknown { .. } => "unknown",
    }
}

/// What failed: the controller's first warning, or why it could not be recomputed.
fn failure(reconcile: &Reconcile) -> Option<String> {
    if let Decision::Unknown { missing, .. } = &reconcile.trace.decision {
        let missing: Vec<String> = missing.iter().map(|one| one.what.to_string()).collect();
        return Some(format!("not recorded: {}", missing.join(", ")));
    }
    let events = &reconcile.predicted.as_ref()?.events;
    let warning = events.iter().find(|event| event.event_type == "Warning")?;
    Some(format!("{}: {}", warning.reason, warning.message))
}
