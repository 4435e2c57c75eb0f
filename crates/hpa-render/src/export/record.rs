//! The state of one HPA over time: its latest decision, and counters.

use std::collections::BTreeMap;

use hpa_engine::model::KubeEvent;
use hpa_watch::{Agreement, Change, SeenHpa};
use jiff::{SignedDuration, Timestamp};

use super::{decision::Decision, held::Holder};

/// The state of one HPA.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// Its latest decision.
    pub(super) decision: Option<Decision>,
    /// Whether that decision was made in a sync, and not read between two of them.
    is_sync: bool,
    /// Whether everything that it depends on can be read.
    pub(super) is_visible: bool,
    /// The latest observed sync.
    pub(super) synced_at: Option<Timestamp>,
    /// Seconds that each of [`Holder::ALL`] held the replicas, in that order.
    pub(super) held: [f64; Holder::ALL.len()],
    /// Number of rescales up and down.
    pub(super) rescales: [u64; 2],
    /// How often the controller reversed the direction of scaling.
    pub(super) turns: u64,
    /// Whether it last scaled down.
    is_falling: Option<bool>,
    /// How often another writer set the replicas.
    pub(super) written: u64,
    /// Whether the controller last did what was recomputed, when that was known.
    pub(super) agrees: Option<bool>,
    /// Types and reasons of conditions, as last read.
    pub(super) conditions: Vec<(&'static str, String)>,
    /// Events by reason.
    pub(super) events: BTreeMap<String, u64>,
    /// The Events that the API server keeps, and how often each was counted.
    counted: BTreeMap<EventKey, u64>,
    /// The latest sync, and what has held the replicas since then.
    since: Option<(Timestamp, Option<Holder>)>,
}

/// The identity of an Event.
type EventKey = (String, String, Option<Timestamp>);

impl Record {
    /// Records a read of the HPA. Between two syncs the decision stays that of the last sync, because the controller
    /// decides nothing there.
    pub(super) fn look(&mut self, seen: &SeenHpa, is_sync: bool) {
        let assessment = &seen.assessment;
        self.count_events(&assessment.context.events);
        let status = &assessment.observation.hpa.status;
        self.conditions = CONDITIONS
            .into_iter()
            .filter_map(|kind| Some((kind, status.condition(kind)?.reason.clone())))
            .collect();
        if !is_sync && self.is_sync && self.is_visible {
            return;
        }
        let decision = Decision::of(seen);
        if is_sync {
            self.hold(decision.at, decision.period);
            self.since = Some((decision.at, decision.holder));
            self.synced_at = Some(decision.at);
        }
        let at = decision.at;
        self.decision = Some(decision);
        self.is_sync = is_sync;
        self.compare(at, &seen.agreement);
    }

    /// Records whether the controller did what was recomputed for a sync.
    pub(super) fn compare(&mut self, at: Timestamp, agreement: &Agreement) {
        match agreement {
            Agreement::Agrees | Agreement::AgreesOtherwise => self.agrees = Some(true),
            Agreement::Differs(_) => {
                self.agrees = Some(false);
                if let Some(decision) = self.decision.as_mut().filter(|one| one.at == at) {
                    decision.contradict();
                }
                self.since = self
                    .since
                    .map(|(since, holder)| (since, holder.filter(|_| since != at)));
            }
            // The comparison has no result.
            Agreement::Open | Agreement::Unclear(_) => {}
        }
    }

    /// Records whether everything can be read. Time without visibility is not counted as held by anything.
    pub(super) fn see(&mut self, is_visible: bool) {
        let is_known = self.decision.as_ref().is_some_and(|one| one.is_known);
        self.is_visible = is_visible && is_known;
        if !is_visible {
            self.since = None;
        }
    }

    /// Counts rescales, and writes by others.
    pub(super) fn rescale(&mut self, changes: &[Change]) {
        for change in changes {
            match change {
                Change::Rescaled { from, to, .. } => self.step(*from, *to),
                Change::ReplicasWritten { .. } => self.written += 1,
                Change::RescaledUnseen { from, steps, .. } => {
                    let mut from = *from;
                    for to in steps.iter().filter_map(|step| step.to) {
                        self.step(from, to);
                        from = to;
                    }
                }
                _ => {}
            }
        }
    }

    fn step(&mut self, from: i32, to: i32) {
        if from == to {
            return;
        }
        let is_falling = to < from;
        self.rescales[usize::from(is_falling)] += 1;
        let before = self.is_falling.replace(is_falling);
        if before.is_some_and(|before| before != is_falling) {
            self.turns += 1;
        }
    }

    /// Adds the time since the previous sync. If syncs were missed, it is not known what held the replicas.
    fn hold(&mut self, at: Timestamp, period: SignedDuration) {
        let Some((since, Some(holder))) = self.since else {
            return;
        };
        let lasted = at.duration_since(since);
        if lasted.is_positive() && lasted <= period.saturating_mul(MOST_PERIODS) {
            self.held[holder as usize] += lasted.as_secs_f64();
        }
    }

    /// Counts the warnings among the Events. The API server keeps each for an hour and increments repeated ones.
    pub(super) fn count_events(&mut self, events: &[KubeEvent]) {
        let mut counted = BTreeMap::new();
        let is_warning =
            |event: &&KubeEvent| event.event_type == "Warning" && event.reason != REPEATS;
        for event in events.iter().filter(is_warning) {
            let key = (event.reason.clone(), event.message.clone(), event.first);
            let number = u64::try_from(event.count).unwrap_or_default().max(1);
            let before = self.counted.get(&key).copied().unwrap_or_default();
            let more = number.saturating_sub(before);
            let is_named = self.events.contains_key(&event.reason)
                || self.events.keys().filter(|one| *one != OTHER).count() < MOST_REASONS;
            let reason = if is_named { &event.reason } else { OTHER };
            *self.events.entry(reason.to_owned()).or_default() += more;
            counted.insert(key, number.max(before));
        }
        self.counted = counted;
    }
}

/// The conditions whose reasons are served.
const CONDITIONS: [&str; 3] = ["AbleToScale", "ScalingActive", "ScalingLimited"];

/// A sync comes once per period; after a longer gap, some were missed.
const MOST_PERIODS: i32 = 3;

/// At most this many reasons of an HPA have a series of their own.
const MOST_REASONS: usize = 1;

/// This warning accompanies another one and repeats its text.
const REPEATS: &str = "FailedComputeMetricsReplicas";

/// The label value for all other reasons.
const OTHER: &str = "other";
