//! The histories of all HPAs whose snapshots arrive one after another, from recordings or live.

use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
};

use hpa_analysis::{ReplicaRead, ReplicaTracker, apply_inferred, infer_settings};
use hpa_engine::model::{Context, HpaKey, InferredSetting, Observation, SeenWrites, SyncInput};
use hpa_objects::recording::{Converted, InvalidField, Outcome, Snapshot};
use hpa_watch::Agreement;
use jiff::{SignedDuration, Timestamp};

use super::{
    evidence::{
        Captured, ComparisonFit, ComparisonVerdict, compare_outcome, compare_with_inferred_memory,
    },
    followed::{Begin, FollowedRecording, FollowedStep},
    open::{Later, Open},
    reconcile::{Phase, Reconcile},
};

/// The histories of all HPAs whose snapshots arrive one after another. It is bounded: for each HPA it keeps the
/// controller's possible histories, and the syncs whose outcome is not known yet.
#[derive(Debug, Default)]
pub struct Session {
    infers_settings: bool,
    recordings: BTreeMap<String, SessionRecording>,
    /// Unsettled syncs by recording, in order.
    open: BTreeMap<String, VecDeque<Open>>,
    next_number: u64,
    /// Settings of the controller that follow from what it did, by recording; empty ones are left out.
    settings: BTreeMap<String, Vec<InferredSetting>>,
    /// The strictest of each of those settings.
    strictest: Vec<InferredSetting>,
    /// The last line of HPAs that are gone, by recording: one that comes soon under the same name may inherit what the
    /// controller remembers.
    ended: BTreeMap<String, Timestamp>,
    /// Lists that snapshots of several HPAs share.
    converted: RefCell<Converted>,
}

#[derive(Debug)]
struct SessionRecording {
    hpa: HpaKey,
    created: Option<Timestamp>,
    followed: FollowedRecording,
    /// Who changed the replicas; none: the first line is not taken yet.
    replicas: Option<ReplicaTracker>,
    seen_writes: SeenWrites,
}

/// A recomputed snapshot, and what it shows about earlier ones.
#[derive(Debug)]
pub struct Pushed {
    /// The sync.
    pub reconcile: Reconcile,
    /// Comparisons of earlier syncs.
    pub compared: Vec<EarlierComparison>,
}

/// The comparison of an earlier sync.
#[derive(Clone, Debug)]
pub struct EarlierComparison {
    /// Its number.
    pub(super) number: u64,
    /// Name of its recording.
    pub recording: String,
    /// Its HPA.
    pub hpa: HpaKey,
    /// Its time.
    pub time: Timestamp,
    /// The result of the comparison.
    pub verdict: ComparisonVerdict,
    /// The history and time with which it agrees, if they are not the most probable.
    pub fit: Option<ComparisonFit>,
    /// Whether the result is final. Until then a later snapshot may still show that the controller agreed.
    pub is_final: bool,
}

impl SessionRecording {
    /// Whether an HPA of the same name that was created at `created` is a later one.
    fn is_before(&self, created: Option<Timestamp>) -> bool {
        self.created.is_some_and(|own| Some(own) < created)
    }
}

impl SessionRecording {
    /// The changes of the replicas up to this read.
    fn seen_writes(&mut self, read: &ReplicaRead<'_>) -> SeenWrites {
        for write in ReplicaTracker::follow(&mut self.replicas, read) {
            self.seen_writes.push(write);
        }
        self.seen_writes.clone()
    }
}

impl EarlierComparison {
    /// The result in the form of `watch`.
    pub fn agreement(&self) -> Agreement {
        match self.fit {
            Some(_) => Agreement::AgreesOtherwise,
            None => self.verdict.agreement(),
        }
    }
}

impl Session {
    /// Plays recordings, which may be of several clusters.
    pub fn of_recordings() -> Self {
        Self::default()
    }

    /// Plays HPAs of one cluster. Settings of the controller that follow from one of them apply to all.
    pub fn of_cluster() -> Self {
        Self {
            infers_settings: true,
            ..Self::default()
        }
    }

    /// Takes the next snapshot, as a sync found it: recomputes it with the controller's history, and compares earlier
    /// syncs of the same HPA with its status.
    pub fn push(&mut self, snapshot: Snapshot) -> Result<Pushed, InvalidField> {
        let compared = self.compare_earlier(&snapshot);
        let (_, reconcile) = self.recompute(snapshot)?;
        Ok(Pushed {
            reconcile,
            compared,
        })
    }

    /// Compares the previous sync with a snapshot taken as soon as its status was written (or when none came in time),
    /// and records when that was. The snapshot itself is not a sync.
    pub fn compare(&mut self, after: &Snapshot) -> Result<Vec<EarlierComparison>, InvalidField> {
        let name = recording_name(after);
        let SyncInput {
            observation,
            context,
            ..
        } = self.input(after)?.0;
        if let Some(recording) = self.recordings.get_mut(&name) {
            recording.followed.settle(after, &observation, &context);
        }
        Ok(self.settle(&name, after, Later::After))
    }

    /// What would be decided if a sync found this snapshot. Nothing is recorded.
    pub fn preview(&self, snapshot: &Snapshot) -> Result<Reconcile, InvalidField> {
        let SyncInput {
            observation,
            mut context,
            ..
        } = self.input(snapshot)?.0;
        let name = recording_name(snapshot);
        let created = observation.hpa.created;
        let known = self.recordings.get(&name);
        let known = known.filter(|one| !one.is_before(created));
        context.seen_writes = known.map_or_else(SeenWrites::default, |one| one.seen_writes.clone());
        let is_known = known.is_some();
        let begin = Begin {
            snapshot,
            observation: &observation,
            context: &context,
            predecessor: self.predecessor(&name),
        };
        let has_started = begin.has_started();
        let mut followed = match known {
            Some(known) => known.followed.clone(),
            None => FollowedRecording::begin(&begin),
        };
        let step = followed.step(snapshot, &observation, &context);
        let phase = phase(is_known, has_started);
        let outcome = snapshot.outcome.clone();
        let inputs = (observation, context);
        Ok(reconcile(name, snapshot.time, outcome, phase, inputs, step))
    }

    /// Drops the data of a deleted HPA.
    pub fn forget(&mut self, hpa: &HpaKey) {
        let deleted = |recording: &SessionRecording| recording.hpa == *hpa;
        let names: Vec<String> = self
            .recordings
            .iter()
            .filter(|(_, recording)| deleted(recording))
            .map(|(name, _)| name.clone())
            .collect();
        for name in &names {
            self.open.remove(name);
            self.end_recording(name);
        }
    }

    /// Takes the last state of an HPA that is gone: compares earlier syncs with it, and drops its data.
    pub fn end(&mut self, last: &Snapshot) -> Vec<EarlierComparison> {
        let name = recording_name(last);
        // Nothing shows that a sync found this state.
        let mut compared = self.settle(&name, last, Later::After);
        let open = self.open.remove(&name).unwrap_or_default();
        let mut open = open.into_iter();
        compared.extend(
            open.by_ref()
                .filter_map(|mut open| open.settle(&name, last, Later::Other)),
        );
        self.end_recording(&name);
        compared
    }

    /// The name of the recording that a snapshot belongs to.
    pub fn recording_of(snapshot: &Snapshot) -> String {
        recording_name(snapshot)
    }

    /// Drops what is known of an HPA, except when it was last seen.
    fn end_recording(&mut self, name: &str) {
        if let Some(recording) = self.recordings.remove(name) {
            let until = recording.followed.seen();
            let kept = |at: &Timestamp| until.duration_since(*at) < ENDED_ARE_KEPT;
            self.ended.retain(|_, at| kept(at));
            self.ended.insert(name.to_owned(), until);
        }
        self.note_settings(name, Vec::new());
    }

    /// When the HPA that had this name before was last seen, if there was one.
    fn predecessor(&self, name: &str) -> Option<Timestamp> {
        let known = self.recordings.get(name);
        let seen = known.map(|known| known.followed.seen());
        seen.or_else(|| self.ended.get(name).copied())
    }

    /// Compares earlier syncs with the snapshot that follows them.
    pub(super) fn compare_earlier(&mut self, snapshot: &Snapshot) -> Vec<EarlierComparison> {
        let name = recording_name(snapshot);
        let created = snapshot.hpa.metadata.creation_timestamp;
        let known = self.recordings.get(&name);
        let what = if known.is_some_and(|known| known.is_before(created)) {
            Later::Other
        } else {
            Later::Next
        };
        self.settle(&name, snapshot, what)
    }

    /// Recomputes a snapshot with the controller's history; returns its number.
    pub(super) fn recompute(
        &mut self,
        snapshot: Snapshot,
    ) -> Result<(u64, Reconcile), InvalidField> {
        let (input, settings) = self.input(&snapshot)?;
        let SyncInput {
            observation,
            mut context,
            ..
        } = input;
        let name = recording_name(&snapshot);
        let created = observation.hpa.created;
        let begin = Begin {
            snapshot: &snapshot,
            observation: &observation,
            context: &context,
            predecessor: self.predecessor(&name),
        };
        let known = self.recordings.get(&name);
        if known.is_some_and(|known| known.is_before(created)) {
            self.end_recording(&name);
        }
        let phase = phase(self.recordings.contains_key(&name), begin.has_started());
        let recording = self
            .recordings
            .entry(name.clone())
            .or_insert_with(|| SessionRecording {
                hpa: observation.hpa.key(),
                created,
                followed: FollowedRecording::begin(&begin),
                replicas: None,
                seen_writes: SeenWrites::default(),
            });
        let step = recording.followed.step(&snapshot, &observation, &context);
        context.seen_writes = recording.seen_writes(&ReplicaRead {
            at: snapshot.time,
            observation: &observation,
            context: &context,
            trace: &step.trace,
        });
        self.note_settings(&name, settings);
        let Snapshot {
            time,
            hpa,
            outcome,
            history,
            ..
        } = snapshot;
        let is_certain = history.map(|read| read.certainty == "certain");
        let reconcile = reconcile(name, time, outcome, phase, (observation, context), step);
        let number = self.next_number;
        self.next_number += 1;
        if let Some(open) = Open::new(number, &reconcile, hpa.status, is_certain) {
            let of_recording = self.open.entry(reconcile.recording.clone()).or_default();
            of_recording.push_back(open);
            if MOST_OPEN < of_recording.len() {
                of_recording.pop_front();
            }
        }
        Ok((number, reconcile))
    }

    fn settle(&mut self, name: &str, later: &Snapshot, what: Later) -> Vec<EarlierComparison> {
        let mut compared = Vec::new();
        let mut settle = |of_recording: &mut VecDeque<Open>| {
            let open = of_recording.iter_mut();
            compared.extend(open.filter_map(|open| open.settle(name, later, what)));
            of_recording.retain(|open| !open.is_settled());
            !of_recording.is_empty()
        };
        if later.controller_started {
            // Recordings one after another: the others may be over.
            self.open.retain(|_, of_recording| settle(of_recording));
        } else if let Some(of_recording) = self.open.get_mut(name) {
            settle(of_recording);
        }
        compared
    }

    /// Records settings of the controller that follow from what it did to one HPA.
    fn note_settings(&mut self, name: &str, settings: Vec<InferredSetting>) {
        let before = if settings.is_empty() {
            self.settings.remove(name)
        } else {
            self.settings.insert(name.to_owned(), settings)
        };
        if before.as_ref() != self.settings.get(name) {
            self.strictest = strictest(self.settings.values().flatten());
        }
    }

    /// The controller's inputs and the context, with the settings that follow from what it did, and those that follow
    /// from this HPA alone.
    fn input(
        &self,
        snapshot: &Snapshot,
    ) -> Result<(SyncInput, Vec<InferredSetting>), InvalidField> {
        let mut converted = self.converted.borrow_mut();
        converted.forget_unused();
        let mut input = snapshot.sync_input(&mut converted)?;
        let mut settings = Vec::new();
        if self.infers_settings {
            settings = infer_settings([(&input.observation, &input.context)]);
            let all = strictest(settings.iter().chain(&self.strictest));
            apply_inferred(&mut input.observation, &mut input.context, &all);
        }
        Ok((input, settings))
    }
}

/// The strictest of each setting.
pub fn strictest<'a>(settings: impl Iterator<Item = &'a InferredSetting>) -> Vec<InferredSetting> {
    let mut strictest: Vec<InferredSetting> = Vec::new();
    for one in settings {
        match strictest
            .iter_mut()
            .find(|kept| kept.setting() == one.setting())
        {
            Some(kept) if one.most < kept.most => *kept = one.clone(),
            Some(_) => {}
            None => strictest.push(one.clone()),
        }
    }
    strictest
}

fn phase(is_known: bool, has_started: bool) -> Phase {
    match (is_known, has_started) {
        (false, false) => Phase::JoinedLate,
        (false, true) => Phase::Begin,
        (true, false) => Phase::Continued,
        (true, true) => Phase::Restarted,
    }
}

fn reconcile(
    recording: String,
    time: Timestamp,
    recorded: Option<Outcome>,
    phase: Phase,
    (observation, context): (Observation, Context),
    step: FollowedStep,
) -> Reconcile {
    let predicted = step.trace.outcome.as_ref().map(Outcome::from);
    let (verdict, fit) = match (&predicted, &recorded) {
        (Some(predicted), Some(recorded)) if step.is_from_inside => {
            (compare_outcome(predicted, recorded), None)
        }
        (Some(predicted), Some(recorded)) => {
            let captured = Captured {
                observation: &observation,
                memories: &step.memories,
                has_unseen: step.has_unseen,
                time,
                predicted,
            };
            compare_with_inferred_memory(&captured, recorded)
        }
        _ => (ComparisonVerdict::NotCompared, None),
    };
    let mut reconcile = Reconcile {
        recording,
        time,
        phase,
        is_from_inside: step.is_from_inside,
        has_restarted: phase == Phase::Restarted || step.has_new_leader,
        memories: step.memories,
        has_other_memory: false,
        has_unseen: step.has_unseen,
        watched: step.watched,
        observation,
        context,
        trace: step.trace,
        predicted,
        recorded,
        verdict,
    };
    if let Some(fit) = fit {
        reconcile.adopt(fit);
    }
    reconcile
}

/// Distinguishes recordings.
fn recording_name(snapshot: &Snapshot) -> String {
    let hpa = &snapshot.hpa.metadata;
    match (snapshot.metadata.name.as_str(), &hpa.namespace) {
        ("", Some(namespace)) => format!("{namespace}/{}", hpa.name),
        ("", None) => hpa.name.clone(),
        (name, _) => name.to_owned(),
    }
}

/// How long it is known when an HPA that is gone was last seen: longer than any window.
const ENDED_ARE_KEPT: SignedDuration = SignedDuration::from_hours(2);

/// At most this many syncs of other HPAs may come between two syncs of the same one.
pub(super) const MOST_OPEN: usize = 2_000;
