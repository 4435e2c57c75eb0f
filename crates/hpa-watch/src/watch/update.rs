//! What a reader should learn of an event.

use jiff::{SignedDuration, Timestamp};

use crate::{
    model::{HpaKey, Source},
    watch::{Agreement, Alarm, EntryId, Mark},
};

/// What a reader should learn of an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Update {
    /// An HPA is watched from now on.
    Appeared {
        /// The HPA.
        hpa: HpaKey,
        /// Its first moment.
        entry: EntryId,
    },
    /// An HPA is there no more.
    Deleted {
        /// The HPA.
        hpa: HpaKey,
    },
    /// The controller has reconciled.
    Reconciled {
        /// The HPA.
        hpa: HpaKey,
        /// The moment.
        entry: EntryId,
        /// What is different from the moment before, and matters to a reader. Often nothing.
        changes: Vec<Change>,
    },
    /// Something changed between two reconciles.
    Changed {
        /// The HPA.
        hpa: HpaKey,
        /// The moment.
        entry: EntryId,
        /// What; never empty.
        changes: Vec<Change>,
    },
    /// It is known now whether the controller did what was recomputed.
    Compared {
        /// The HPA.
        hpa: HpaKey,
        /// Time of the reconcile.
        at: Timestamp,
        /// What came of the comparison.
        agreement: Agreement,
    },
    /// An alarm went on, or its words changed so that they should be told again.
    AlarmOn {
        /// The HPAs, sorted; empty: all of them.
        hpas: Vec<HpaKey>,
        /// The alarm.
        alarm: Alarm,
    },
    /// An alarm went off.
    AlarmOff {
        /// The HPAs, sorted; empty: all of them.
        hpas: Vec<HpaKey>,
        /// The alarm as it was.
        alarm: Alarm,
        /// How long it was on.
        lasted: SignedDuration,
    },
    /// Something cannot be read.
    Failing {
        /// What.
        source: Source,
        /// Why.
        why: String,
    },
    /// It can be read again.
    Recovered {
        /// What.
        source: Source,
        /// How long it could not.
        lasted: SignedDuration,
    },
    /// The user marked a moment.
    Marked(Mark),
}

/// A scaling that was not seen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(schemars::JsonSchema, serde::Serialize),
    serde(rename = "WatchedStep")
)]
pub struct UnseenStep {
    /// When, to the second.
    #[cfg_attr(feature = "serde", serde(rename = "time"))]
    pub at: Timestamp,
    /// Replicas afterwards; null: not known.
    #[cfg_attr(feature = "serde", serde(rename = "replicas"))]
    pub to: Option<i32>,
    /// The controller's reason, in the words of its Event; null: not known.
    pub reason: Option<String>,
}

/// What is different from the moment before.
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
    },
    /// The replicas changed, and it was not the controller.
    ReplicasWritten {
        /// Replicas before.
        from: i32,
        /// Replicas afterwards.
        to: i32,
        /// Who wrote them; null: not known.
        // As far as `managedFields` tell.
        by: Option<String>,
    },
    /// The controller scaled while nobody could see it.
    RescaledUnseen {
        /// Replicas before.
        from: i32,
        /// Replicas afterwards.
        to: i32,
        /// The steps that Events and status prove, oldest first; there may have been more.
        steps: Vec<UnseenStep>,
    },
    /// The decision is another one, or another rule makes it.
    Verdict,
    /// The number of ready pods changed.
    Ready {
        /// Before.
        from: usize,
        /// Afterwards.
        to: usize,
    },
    /// Somebody edited the HPA.
    SpecEdited,
    /// The controller has restarted and remembers nothing.
    ControllerRestarted,
    /// What the controller remembers was seen over a whole window.
    // From now on it is observed.
    HistoryObserved,
}
