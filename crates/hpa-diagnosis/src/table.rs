//! The table of conditions: who asks, with which threshold, and why two of them differ.

use crate::flapping::{STILL, TURNS, WITHIN};

/// A condition with what counts for whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionRow {
    /// Its name, as in alarms.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// What shows it.
    pub evidence: &'static str,
    /// What `explain`, `list` and `replay` call so now.
    pub now: String,
    /// What raises the alarm of `watch` and `export`, and what keeps it on.
    pub alarm: String,
    /// What the rules of `lint` report, with their codes.
    pub finding: String,
    /// What `history` and `simulate` count.
    pub past: String,
    /// Why some differ.
    pub why: &'static str,
}

/// All conditions that are judged in this package.
pub static CONDITIONS: &[fn() -> ConditionRow] = &[flapping, short_at_max];

fn flapping() -> ConditionRow {
    let minutes = WITHIN.as_mins();
    let many = format!("{TURNS} changes of direction within {minutes} min");
    ConditionRow {
        name: "flapping",
        summary: "The HPA scales up and down again and again.",
        evidence: "its rescales: all that were seen, and those that its Events show from before; the larger number counts. \
                   A change by another writer is none",
        now: format!(
            "{many} before now: of a recording those of its earlier lines, of a cluster those that Events show"
        ),
        alarm: format!("{many} before now; while it is on, {STILL} keep it on"),
        finding: format!("HPA901: {many}, at any time that the recording or the Events show"),
        past: format!("{many}, at any time"),
        why: "A rescale counts from the next sync on, which shows that the controller made it. An alarm that is on ends later than it began, so that it does not go on and off itself. A finding is about \
              the spec, so it also counts what is over.",
    }
}

fn short_at_max() -> ConditionRow {
    let is_short = "at maxReplicas, or scaling to it now, and the metrics ask for more".to_owned();
    ConditionRow {
        name: "unmet-demand",
        summary: "The metrics ask for more replicas than maxReplicas allows.",
        evidence: "the decision of the sync: its proposal, the replicas after it, maxReplicas",
        now: is_short.clone(),
        alarm: format!("{is_short}, as soon as the controller has written it"),
        finding: "HPA804: ScalingLimited with TooManyReplicas for 10 min; HPA902: 10% of a recording of 7 d".to_owned(),
        past: "at maxReplicas, and the metrics asked for more or ScalingLimited said so".to_owned(),
        why: "A finding asks for another spec, and minutes at the maximum do not justify that. The series of the past \
              do not have the proposal of each sync.",
    }
}
