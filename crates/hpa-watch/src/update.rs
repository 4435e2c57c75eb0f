//! The updates that a reader gets.

use hpa_engine::model::{HpaKey, Source};
use jiff::{SignedDuration, Timestamp};

use crate::{Agreement, Alarm, EntryId, Mark};

/// An update for a reader.
#[derive(Clone, Debug, PartialEq)]
pub enum Update {
    /// An HPA is watched from now on.
    Appeared {
        /// The HPA.
        hpa: HpaKey,
        /// Its first entry.
        entry: EntryId,
    },
    /// An HPA was deleted, or is no longer selected.
    Deleted {
        /// The HPA.
        hpa: HpaKey,
    },
    /// The controller has synced.
    Reconciled {
        /// The HPA.
        hpa: HpaKey,
        /// The entry.
        entry: EntryId,
        /// The changes since the previous entry that matter to a reader; often none.
        changes: Vec<Change>,
    },
    /// Something changed between two syncs.
    Changed {
        /// The HPA.
        hpa: HpaKey,
        /// The entry.
        entry: EntryId,
        /// The changes; never empty.
        changes: Vec<Change>,
    },
    /// Whether the controller did what was recomputed is known now.
    Compared {
        /// The HPA.
        hpa: HpaKey,
        /// Time of the sync.
        at: Timestamp,
        /// The result of the comparison.
        agreement: Agreement,
    },
    /// An alarm was raised, or its text changed enough to be reported again.
    AlarmOn {
        /// The HPAs, sorted; empty: all of them.
        hpas: Vec<HpaKey>,
        /// The alarm.
        alarm: Alarm,
    },
    /// An alarm ended.
    AlarmOff {
        /// The HPAs, sorted; empty: all of them.
        hpas: Vec<HpaKey>,
        /// The alarm as it last was.
        alarm: Alarm,
        /// How long the alarm was on.
        lasted: SignedDuration,
    },
    /// A source cannot be read.
    Failing {
        /// The source.
        source: Source,
        /// The reason.
        why: String,
    },
    /// A source can be read again.
    Recovered {
        /// The source.
        source: Source,
        /// How long it could not be read.
        lasted: SignedDuration,
    },
    /// The user set a mark.
    Marked(Mark),
}

/// A rescale that was not observed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(schemars::JsonSchema, serde::Serialize),
    serde(rename = "WatchedStep")
)]
pub struct UnseenStep {
    /// Its time, to the second.
    #[cfg_attr(feature = "serde", serde(rename = "time"))]
    pub at: Timestamp,
    /// Replicas afterwards; null: not known.
    #[cfg_attr(feature = "serde", serde(rename = "replicas"))]
    pub to: Option<i32>,
    /// The controller's reason from its Event; null: not known.
    pub reason: Option<String>,
}

/// A change since the previous entry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(schemars::JsonSchema, serde::Serialize),
    serde(
        rename = "WatchedChange",
        tag = "what",
        rename_all = "camelCase",
        rename_all_fields = "camelCase"
    )
)]
pub enum Change {
    /// The controller scaled.
    Rescaled {
        /// Replicas before.
        from: i32,
        /// Replicas afterwards.
        to: i32,
        /// The edit of the HPA that its sync was the first to find: `max 6 → 16`; null: there was none.
        edit: Option<String>,
    },
    /// Another writer than the controller changed the replicas.
    ReplicasWritten {
        /// Replicas before.
        from: i32,
        /// Replicas afterwards.
        to: i32,
        /// The writer; null: not known.
        // According to `managedFields`.
        by: Option<String>,
    },
    /// The controller rescaled while it could not be observed.
    RescaledUnseen {
        /// Replicas before.
        from: i32,
        /// Replicas afterwards.
        to: i32,
        /// The steps proven by Events and status, oldest first; there may have been more.
        steps: Vec<UnseenStep>,
    },
    /// The action or the deciding rule changed.
    Verdict,
    /// The number of ready pods changed.
    Ready {
        /// Before.
        from: usize,
        /// Afterwards.
        to: usize,
    },
    /// The spec of the HPA was edited.
    SpecEdited {
        /// What it changed: `max 6 → 16`.
        edits: Vec<String>,
    },
    /// The controller has restarted with an empty recommendation history.
    ControllerRestarted,
    /// The recommendation history was observed over a whole window.
    // From now on it counts as observed, not inferred.
    HistoryObserved,
}
