//! A recording and its recomputed syncs in words, as `replay` prints them.

use hpa_analysis::{Analysis, FollowedMemory, MemoryBasis};
use hpa_engine::{
    model::{Hpa, SyncInput},
    trace::Decision,
};
use hpa_explain::{ExplainContext, Facts, Urgency, edited, spec_edits};
use hpa_objects::recording::Difference;
use hpa_words::clock::{Clock, whole_second};
use jiff::{Timestamp, tz::TimeZone};

use crate::{ComparisonVerdict, ExplainSubject, Phase, Reconcile};

/// A recording, as in its heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingView {
    /// Its name.
    pub name: String,
    /// `namespace/name` of the HPA.
    pub hpa: String,
    /// `kind/name` of the scale target.
    pub scale_target: String,
    /// `min 1 · max 10`.
    pub bounds: String,
    /// Version of the controller.
    pub version: String,
    /// Its start, with date and zone.
    pub begin: String,
}

/// A recomputed sync in words.
#[derive(Clone, Debug, PartialEq)]
pub struct ReconcileView {
    /// The time, to the second.
    pub time: String,
    /// `6 → 9`, or `6` if they stay.
    pub replicas: String,
    /// What happened, in one word.
    pub happened: &'static str,
    /// The verdict in a few words, as in `list`.
    pub words: String,
    /// What each metric asks for.
    pub proposals: String,
    /// What failed, in the controller's words.
    pub failure: Option<String>,
    /// Notes before the line.
    pub notes: Vec<String>,
    /// Whether the recording shows that the replicas changed.
    pub is_scaling: bool,
    /// Whether it agrees with the recording, if known.
    pub agrees: Option<bool>,
    /// Whether it differs, possibly because of something that is not in the recording.
    pub is_unclear: bool,
    /// The fields that differ.
    pub differences: Vec<Difference>,
}

impl RecordingView {
    /// The recording that a sync belongs to.
    pub fn of(reconcile: &Reconcile, clock: &Clock) -> Self {
        let hpa = &reconcile.observation.hpa;
        Self {
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
}

impl ReconcileView {
    /// The sync as a line, and as the subject of a page.
    pub fn of(reconcile: Reconcile, clock: &Clock) -> (Self, ExplainSubject) {
        let mut view = without_words(&reconcile, clock);
        let is_seen = is_seen(&reconcile);
        let subject = ExplainSubject::of_reconcile(reconcile);
        add_words(&mut view, &subject.input, is_seen, clock);
        (view, subject)
    }

    /// Notes how the HPA was edited since the sync before, if it is the same one.
    pub fn note_edit(&mut self, before: &Hpa, hpa: &Hpa) {
        let edits = spec_edits(&before.spec, &hpa.spec);
        if before.created == hpa.created && !edits.is_empty() {
            self.notes.push(edited(&edits));
        }
    }
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

/// Truncated to the second, as `--at` reads it.
pub fn time_of_day(at: Timestamp, zone: &TimeZone) -> String {
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
