//! What is known of one HPA over time: its latest decision, and counters.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use super::{decision::Decision, held::Holder};
use crate::{
    model::KubeEvent,
    watch::{Agreement, Change, SeenHpa},
};

/// What is known of one HPA.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// Its latest decision.
    pub(super) decision: Option<Decision>,
    /// Whether that is one of a sync, and not of a look between two of them.
    is_sync: bool,
    /// Whether all can be seen that it rests on.
    pub(super) is_visible: bool,
    /// The latest sync that was seen.
    pub(super) synced_at: Option<Timestamp>,
    /// Seconds, in the order of [`Holder::ALL`].
    pub(super) held: [f64; Holder::ALL.len()],
    /// Scalings up and down.
    pub(super) rescales: [u64; 2],
    /// How often the controller scaled in another direction than the time before.
    pub(super) turns: u64,
    /// Whether it scaled down the last time.
    is_falling: Option<bool>,
    /// How often another writer set the replicas.
    pub(super) written: u64,
    /// Whether the controller did what was recomputed, when that could be said last.
    pub(super) agrees: Option<bool>,
    /// Types and reasons of conditions, as the latest look has them.
    pub(super) conditions: Vec<(&'static str, String)>,
    /// Events by reason.
    pub(super) events: BTreeMap<String, u64>,
    /// The Events that are kept by the API server, and how often each was counted.
    counted: BTreeMap<EventKey, u64>,
    /// The latest sync, and what held the replicas from then on.
    since: Option<(Timestamp, Option<Holder>)>,
}

/// What makes an Event the same one.
type EventKey = (String, String, Option<Timestamp>);

impl Record {
    /// Takes a look at it. Between two syncs, the decision of the sync stays what it was: the controller decides nothing there.
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

    /// What came of the comparison of a sync with what the controller did.
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
            // Nobody can say.
            Agreement::Open | Agreement::Unclear(_) => {}
        }
    }

    /// Whether all can be seen. Time in which that is not so is held by nothing that is known.
    pub(super) fn see(&mut self, is_visible: bool) {
        let is_known = self.decision.as_ref().is_some_and(|one| one.is_known);
        self.is_visible = is_visible && is_known;
        if !is_visible {
            self.since = None;
        }
    }

    /// Counts scalings, and what others do to the replicas.
    pub(super) fn rescale(&mut self, changes: &[Change]) {
        for change in changes {
            match change {
                Change::Rescaled { from, to } => self.step(*from, *to),
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

    /// Adds the time since the sync before. Where syncs are missing, nobody knows what held.
    fn hold(&mut self, at: Timestamp, period: SignedDuration) {
        let Some((since, Some(holder))) = self.since else {
            return;
        };
        let lasted = at.duration_since(since);
        if lasted.is_positive() && lasted <= period.saturating_mul(MOST_PERIODS) {
            self.held[holder as usize] += lasted.as_secs_f64();
        }
    }

    /// Counts the warnings among the Events. The API server keeps each for an hour and counts repeated ones.
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

/// A sync comes once per period; where it takes longer than that, some were not seen.
const MOST_PERIODS: i32 = 3;

/// Reasons of an HPA with a series of their own.
const MOST_REASONS: usize = 1;

/// It comes with another warning, whose text it repeats.
const REPEATS: &str = "FailedComputeMetricsReplicas";

/// What the others are counted as.
const OTHER: &str = "other";
