//! All that is known while watching.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::watch::{Alarm, History, HpaKey, Seen, Source};

/// All that is known while watching.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The HPAs, those that are gone included.
    pub hpas: BTreeMap<HpaKey, HpaState>,
    /// What cannot be read at present.
    pub troubles: BTreeMap<Source, Trouble>,
    /// The user's marks, oldest first.
    pub marks: Vec<Mark>,
    /// The next number of a moment.
    pub(super) next_moment: u64,
}

/// What is known of one HPA.
#[derive(Clone, Debug)]
pub struct HpaState {
    /// Its latest look, whole.
    pub latest: Seen,
    /// When that was.
    pub seen_at: Timestamp,
    /// When the controller reconciled last, as far as it was seen.
    pub reconciled_at: Option<Timestamp>,
    /// When the replicas were seen changing last, by whomever.
    pub changed_at: Option<Timestamp>,
    /// Its past.
    pub history: History,
    /// The alarms that are on, the most urgent first.
    pub alarms: Vec<Alarm>,
    /// When it went, if it did.
    pub gone_at: Option<Timestamp>,
}

/// Something that cannot be read at present.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// Since when.
    pub since: Timestamp,
    /// Why, in one sentence fragment.
    pub why: String,
}

/// A moment that the user marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// When.
    pub at: Timestamp,
    /// The user's words; may be empty.
    pub note: String,
}
