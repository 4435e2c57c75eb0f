//! All that is known while watching.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use crate::{
    explain::Urgency,
    model::{HpaKey, Source},
    watch::{
        Alarm, AlarmKind, HistoryEntry, HpaHistory, PodCounts, SeenHpa,
        alarm::{AlarmGroup, Conditions},
        changes::Unexplained,
        freshness::Freshness,
        log::HpaLog,
    },
};

/// All that is known while watching.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The HPAs, those that are gone included.
    pub hpas: BTreeMap<HpaKey, HpaState>,
    /// What cannot be read at present.
    pub failures: BTreeMap<Source, SourceFailure>,
    /// The user's marks, oldest first.
    pub marks: Vec<Mark>,
    /// The alarm that nothing is heard of the API server, if it is on.
    pub not_connected: Option<Alarm>,
    /// The alarms that are on and may stop several HPAs together.
    pub(super) groups: Vec<AlarmGroup>,
    /// How fresh each source is.
    pub(super) freshness: Freshness,
    /// When a status of whichever HPA was seen to change last.
    pub(super) status_changed_at: Option<Timestamp>,
    /// The next number of a moment.
    pub(super) next_entry: u64,
    /// Whether nobody looks at the past.
    pub(super) is_brief: bool,
}

/// What is known of one HPA.
#[derive(Clone, Debug)]
pub struct HpaState {
    /// Its latest look, whole.
    pub latest: SeenHpa,
    /// When that was.
    pub seen_at: Timestamp,
    /// When the controller reconciled last, as far as it was seen.
    pub reconciled_at: Option<Timestamp>,
    /// The latest of those that came in its turn, and not because of an edit: the next comes a period later.
    pub(super) in_turn_at: Option<Timestamp>,
    /// When the replicas were seen changing last, by whomever.
    pub changed_at: Option<Timestamp>,
    /// Its past.
    pub history: HpaHistory,
    /// The alarms that are on, the most urgent first.
    pub alarms: Vec<Alarm>,
    /// When it went, if it did.
    pub deleted_at: Option<Timestamp>,
    /// Its pods, as the latest look has them.
    pub(super) pods: PodCounts,
    /// The replicas that were seen last.
    pub(super) replicas: Option<i32>,
    /// A change of the replicas by nobody knows whom.
    pub(super) unexplained: Option<Unexplained>,
    /// `status.lastScaleTime` of the last rescaling that was told.
    pub(super) scaled_at: Option<Timestamp>,
    /// What alarms ask of its past.
    pub(super) log: HpaLog,
    /// What holds at present and may become an alarm, or was one.
    pub(super) conditions: Conditions,
}

/// Something that cannot be read at present.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFailure {
    /// Since when.
    pub since: Timestamp,
    /// Why, in one sentence fragment.
    pub why: String,
    /// When it was noticed.
    pub(super) noticed_at: Timestamp,
    /// Whether a reader knows of it. What follows from the lost connection is no news.
    pub(super) is_reported: bool,
}

/// A moment that the user marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// When.
    pub at: Timestamp,
    /// The user's words; may be empty.
    pub note: String,
}

impl State {
    /// Moments of all HPAs together, unless there are so many HPAs that each has fewer than [`LEAST`](Self::LEAST).
    pub const MOST_IN_ALL: usize = 57_600;

    /// Moments of each HPA, however many there are: a quarter of an hour at a sync period of fifteen seconds.
    pub const LEAST: usize = 60;

    /// Moments of each HPA where nobody looks at the past.
    pub const BRIEF: usize = 4;

    /// Marks that are kept.
    pub const MOST_MARKS: usize = 1_000;

    /// How long nothing is heard of the API server before that is an alarm, from when it was noticed: it may only be
    /// restarted.
    pub const NOT_CONNECTED_AFTER: SignedDuration = SignedDuration::from_secs(15);

    /// How long a watch that goes on may take to tell what it missed. What is seen meanwhile may be old.
    pub const CATCHING_UP: SignedDuration = SignedDuration::from_secs(2);

    /// How long an HPA is kept that is there no more.
    pub const DELETED_IS_KEPT: SignedDuration = SignedDuration::from_mins(60);

    /// One that keeps only the moments that changes and alarms are worked out from: for those who look at the latest alone.
    pub fn brief() -> Self {
        Self {
            is_brief: true,
            ..Self::default()
        }
    }

    /// Why and since when nothing is heard of the API server; none: it is heard of.
    pub fn lost(&self) -> Option<&SourceFailure> {
        self.failures.get(&Source::Server)
    }

    /// Whether what is known of an HPA may be old: something that it rests on cannot be read, or was not read again yet.
    pub fn is_old(&self, hpa: &HpaState) -> bool {
        self.freshness.is_old(hpa)
    }

    /// How late it is, as far as anything was heard: the time of what is known.
    pub fn known_at(&self, now: Timestamp) -> Timestamp {
        self.lost().map_or(now, |lost| lost.since.min(now))
    }

    /// How many moments of each HPA are kept, so that all together are level.
    pub(super) fn most_moments(&self) -> usize {
        if self.is_brief {
            return Self::BRIEF;
        }
        let hpas = self.hpas.len().max(1);
        (Self::MOST_IN_ALL / hpas).clamp(Self::LEAST, HpaHistory::MOST)
    }
}

/// How much somebody should look at an HPA, the most urgent first: the order of `list`, by the most urgent of what is so and of the
/// alarms; within each, HPAs with alarms come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HpaUrgency {
    is_deleted: bool,
    urgency: Urgency,
    has_no_alarm: bool,
    /// The most urgent one.
    alarm: Option<AlarmKind>,
}

impl HpaUrgency {
    /// Of an HPA at a moment; without an entry nothing is known of it.
    pub fn of(
        is_deleted: bool,
        entry: Option<&HistoryEntry>,
        alarms: impl Iterator<Item = AlarmKind>,
    ) -> Self {
        let urgency = entry.map_or(Urgency::None, |entry| entry.urgency);
        let alarm = alarms.min_by_key(|alarm| (alarm.urgency(), *alarm));
        Self {
            is_deleted,
            urgency: alarm.map_or(urgency, |alarm| alarm.urgency().min(urgency)),
            has_no_alarm: alarm.is_none(),
            alarm,
        }
    }

    /// Whether somebody should look at it: it has an alarm, or it cannot scale.
    pub fn is_urgent(&self) -> bool {
        !self.is_deleted && (!self.has_no_alarm || self.urgency == Urgency::Failed)
    }
}

impl HpaState {
    /// How much somebody should look at it.
    pub fn urgency(&self) -> HpaUrgency {
        let alarms = self.alarms.iter().map(|alarm| alarm.kind);
        HpaUrgency::of(self.deleted_at.is_some(), self.history.last(), alarms)
    }
}
