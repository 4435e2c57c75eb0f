//! The whole state of watching.

use std::collections::{BTreeMap, VecDeque};

use hpa_analysis::ReplicaTracker;
use hpa_engine::model::{HpaKey, Source};
use hpa_explain::{Action, Rule, Urgency};
use jiff::{SignedDuration, Timestamp};

use crate::{
    Alarm, AlarmKind, Change, EntryId, HistoryEntry, HpaHistory, Mark, PodCounts, SeenHpa,
    alarm::{AlarmGroup, Conditions},
    freshness::Freshness,
    log::HpaLog,
};

/// The whole state of watching.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The HPAs, including deleted ones. Boxed, as nodes of the map are half empty.
    pub hpas: BTreeMap<HpaKey, Box<HpaState>>,
    /// Sources that cannot be read now.
    pub failures: BTreeMap<Source, SourceFailure>,
    /// The user's marks, oldest first.
    pub marks: Vec<Mark>,
    /// The alarm that the API server does not answer, if it is on.
    pub not_connected: Option<Alarm>,
    /// The active alarms with a cause that may affect several HPAs.
    pub(super) groups: Vec<AlarmGroup>,
    /// How fresh each source is.
    pub(super) freshness: Freshness,
    /// When a status of any HPA was last observed to change.
    pub(super) status_changed_at: Option<Timestamp>,
    /// When the API server last answered again after a silence.
    pub(super) returned_at: Option<Timestamp>,
    /// The next entry id.
    pub(super) next_entry: u64,
    /// Whether the past is not needed.
    pub(super) is_brief: bool,
}

/// The state of one HPA.
#[derive(Clone, Debug)]
pub struct HpaState {
    /// Its latest assessment.
    pub latest: SeenHpa,
    /// The time of that assessment.
    pub seen_at: Timestamp,
    /// When the controller was last observed to sync.
    pub reconciled_at: Option<Timestamp>,
    /// The latest regular sync, not caused by an edit: the next one comes a period later.
    pub(super) in_turn_at: Option<Timestamp>,
    /// Its past.
    pub history: HpaHistory,
    /// The alarms that are on, the most urgent first.
    pub alarms: Vec<Alarm>,
    /// When it was deleted, if it was.
    pub deleted_at: Option<Timestamp>,
    /// Its pods in the latest read.
    pub(super) pods: PodCounts,
    /// Who changed the replicas so far.
    pub(super) replicas: ReplicaTracker,
    /// The latest changes that numbers do not show, oldest first.
    pub(super) notes: VecDeque<Note>,
    /// The latest edit of the spec and its time, until a sync that found it is reported.
    pub(super) edit: Option<(Timestamp, String)>,
    /// What the latest read decides.
    pub(super) shown: Option<(Action, Rule)>,
    /// The first entry since the HPA exists: those before are of an earlier HPA of the same name.
    pub(super) first_entry: EntryId,
    /// The part of its past that alarms need.
    pub(super) log: HpaLog,
    /// Conditions that hold and may become an alarm, or were one.
    pub(super) conditions: Conditions,
}

/// A change that the numbers of an entry do not show: an edit, what followed from it, or scalings that were seen late.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The time of its entry.
    pub at: Timestamp,
    /// The change.
    pub change: Change,
}

/// A source that cannot be read now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFailure {
    /// Since when.
    pub since: Timestamp,
    /// The reason, as a sentence fragment.
    pub why: String,
    /// When it was noticed.
    pub(super) noticed_at: Timestamp,
    /// Whether it was reported. Failures that follow from a lost connection are not.
    pub(super) is_reported: bool,
}

impl State {
    /// Entries of all HPAs together, unless there are so many HPAs that each would have fewer than
    /// [`LEAST`](Self::LEAST).
    pub const MOST_IN_ALL: usize = 57_600;

    /// Least entries of each HPA, however many there are: a quarter of an hour at a sync period of fifteen seconds.
    pub const LEAST: usize = 60;

    /// Entries of each HPA if the past is not needed.
    pub const BRIEF: usize = 4;

    /// Marks that are kept.
    pub const MOST_MARKS: usize = 1_000;

    /// How long the API server must be silent before that is an alarm, counted from when it was noticed: it may just
    /// be restarting.
    pub const NOT_CONNECTED_AFTER: SignedDuration = SignedDuration::from_secs(15);

    /// How long a resumed watch may take to deliver what it missed. Data read meanwhile may be old.
    pub const CATCHING_UP: SignedDuration = SignedDuration::from_secs(2);

    /// How long a deleted HPA is kept.
    pub const DELETED_IS_KEPT: SignedDuration = SignedDuration::from_mins(60);

    /// A state that keeps only the entries needed for changes and alarms, for users of the latest entry alone.
    pub fn brief() -> Self {
        Self {
            is_brief: true,
            ..Self::default()
        }
    }

    /// Why and since when the API server is silent; `None`: it answers.
    pub fn lost(&self) -> Option<&SourceFailure> {
        self.failures.get(&Source::Server)
    }

    /// Whether the data of an HPA may be old: a source that it depends on cannot be read, or was not read again yet.
    pub fn is_old(&self, hpa: &HpaState) -> bool {
        self.freshness.is_old(hpa)
    }

    /// The time up to which data is known.
    pub fn known_at(&self, now: Timestamp) -> Timestamp {
        self.lost().map_or(now, |lost| lost.since.min(now))
    }

    /// How many entries of each HPA are kept, so that the total stays constant.
    pub(super) fn most_entries(&self) -> usize {
        if self.is_brief {
            return Self::BRIEF;
        }
        let hpas = self.hpas.len().max(1);
        (Self::MOST_IN_ALL / hpas).clamp(Self::LEAST, HpaHistory::MOST)
    }
}

/// How urgently an HPA needs attention, the most urgent first, as in `list`: by the more urgent of its state and its
/// alarms. Within one urgency, HPAs with alarms come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HpaUrgency {
    is_deleted: bool,
    urgency: Urgency,
    has_no_alarm: bool,
    /// The most urgent alarm.
    alarm: Option<AlarmKind>,
}

impl HpaUrgency {
    /// The urgency of an HPA with this entry; without an entry nothing is known.
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

    /// Whether it needs attention: it has an alarm, or it cannot scale.
    pub fn is_urgent(&self) -> bool {
        !self.is_deleted && (!self.has_no_alarm || self.urgency == Urgency::Failed)
    }
}

impl HpaState {
    /// The entries of its past without those of an earlier HPA of the same name, oldest first.
    pub(super) fn own_entries(&self) -> impl DoubleEndedIterator<Item = &HistoryEntry> {
        let entries = self.history.entries();
        entries.filter(|entry| self.first_entry <= entry.id)
    }

    /// The latest changes that numbers do not show, up to `at`, newest first.
    pub fn notes(&self, at: Timestamp) -> impl Iterator<Item = &Note> {
        let notes = self.notes.iter().rev();
        notes.filter(move |note| note.at <= at)
    }

    /// Keeps those of `changes` that numbers do not show.
    pub(super) fn note(&mut self, changes: &[Change], at: Timestamp) {
        let is_noted = |change: &&Change| {
            matches!(
                change,
                Change::SpecEdited { .. }
                    | Change::RescaledUnseen { .. }
                    | Change::Rescaled { edit: Some(_), .. }
            )
        };
        for change in changes.iter().filter(is_noted).cloned() {
            if self.notes.len() == Self::MOST_NOTES {
                self.notes.pop_front();
            }
            self.notes.push_back(Note { at, change });
        }
    }

    /// Notes that are kept of each HPA.
    const MOST_NOTES: usize = 32;

    /// When the replicas last changed, by any writer.
    pub fn changed_at(&self) -> Option<Timestamp> {
        self.replicas.changed_at()
    }

    /// How urgently it needs attention.
    pub fn urgency(&self) -> HpaUrgency {
        let alarms = self.alarms.iter().map(|alarm| alarm.kind);
        HpaUrgency::of(self.deleted_at.is_some(), self.history.last(), alarms)
    }
}
