//! Who changed the replicas, from reads of an HPA one after another.

use hpa_engine::{
    engine::after,
    model::{Context, FieldManager, HpaStatus, Observation, ReplicaWrite, ReplicaWriter},
    trace::{Decision, Trace},
};
use jiff::{SignedDuration, Timestamp};

use super::{
    replica_write::is_hpa,
    rescale_events::{proved_rescales, reason_of},
};

/// Follows the replicas of an HPA from one read to the next.
#[derive(Clone, Debug)]
pub struct ReplicaTracker {
    /// The last observed replicas.
    replicas: Option<i32>,
    /// When they last changed, by any writer.
    changed_at: Option<Timestamp>,
    /// The status of the latest read.
    status: HpaStatus,
    /// What the latest read decided, and why.
    decided: Option<(i32, Option<String>)>,
    /// A change of the replicas whose writer is not known.
    unexplained: Option<Unexplained>,
    /// `status.lastScaleTime` of the last rescale that was found.
    scaled_at: Option<Timestamp>,
    /// When the last rescale was found, and its size.
    found: Option<(Timestamp, i32)>,
    /// When the target was created, as last known.
    target_created: Option<Timestamp>,
}

/// One read of an HPA.
#[derive(Clone, Copy, Debug)]
pub struct ReplicaRead<'a> {
    /// Its time.
    pub at: Timestamp,
    /// What the controller reads.
    pub observation: &'a Observation,
    /// The objects around it.
    pub context: &'a Context,
    /// The recomputed sync.
    pub trace: &'a Trace,
}

/// The rescales of a time in which nothing was observed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnseenRescales {
    /// Replicas before.
    pub from: i32,
    /// Replicas afterwards.
    pub to: i32,
    /// The steps that Events and status prove, oldest first: the time, the size and the reason, as far as known.
    pub steps: Vec<(Timestamp, Option<i32>, Option<String>)>,
}

impl ReplicaTracker {
    /// Begins with the first read.
    pub fn begin(read: &ReplicaRead<'_>) -> Self {
        let status = &read.observation.hpa.status;
        let mut tracker = Self {
            replicas: read.trace.current(),
            changed_at: status.last_scale_time,
            status: HpaStatus::default(),
            decided: None,
            unexplained: None,
            scaled_at: status.last_scale_time,
            found: None,
            target_created: None,
        };
        tracker.pass(read);
        tracker
    }

    /// Like [`read`](Self::read), for the tracker of a recording: its first read begins one.
    pub fn follow(tracker: &mut Option<Self>, read: &ReplicaRead<'_>) -> Vec<ReplicaWrite> {
        if let Some(tracker) = tracker {
            return tracker.read(read);
        }
        *tracker = Some(Self::begin(read));
        Vec::new()
    }

    /// When the replicas last changed, by any writer, as far as known.
    pub fn changed_at(&self) -> Option<Timestamp> {
        self.changed_at
    }

    /// The changes of the replicas whose writer the next read shows. The decision of a sync is not a change yet: the
    /// controller may decide otherwise, and its write may be rejected.
    pub fn read(&mut self, read: &ReplicaRead<'_>) -> Vec<ReplicaWrite> {
        let found = self.writes(read);
        self.pass(read);
        found
    }

    /// The controller's rescales since `since`, from when on nothing was observed, by its Events and its status. None:
    /// they show none.
    pub fn read_after_gap(
        &mut self,
        read: &ReplicaRead<'_>,
        since: Timestamp,
    ) -> Option<UnseenRescales> {
        let unseen = self.unseen(read, since)?;
        self.pass(read);
        Some(unseen)
    }

    /// Takes a read that shows nothing of the replicas.
    pub fn pass(&mut self, read: &ReplicaRead<'_>) {
        self.status = read.observation.hpa.status.clone();
        self.target_created = read.target_created().or(self.target_created);
        let outcome = read.trace.outcome.as_ref();
        let reason = || {
            let mut events = outcome?.events.iter();
            events.find_map(|event| reason_of(&event.message))
        };
        self.decided = match read.trace.decision {
            Decision::Rescale { to, .. } => Some((to, reason())),
            _ => None,
        };
    }

    fn writes(&mut self, read: &ReplicaRead<'_>) -> Vec<ReplicaWrite> {
        let mut found = Vec::new();
        let Some(to) = read.trace.current().filter(|_| !read.context.is_torn) else {
            return found;
        };
        let known = self.target_created;
        if known.is_some_and(|known| Some(known) < read.target_created()) {
            // Nobody changed the replicas: those of the target that is gone were others.
            self.replicas = Some(to);
            self.unexplained = None;
            return found;
        }
        if let Some(from) = self.replicas.replace(to)
            && from != to
        {
            let status = &read.observation.hpa.status;
            let earlier = self.unexplained.take();
            let from = match earlier {
                Some(earlier) => match earlier.overtaken(to, status) {
                    Some(write) => {
                        found.push(write);
                        from
                    }
                    None => earlier.from,
                },
                None => from,
            };
            self.changed_at = Some(read.at);
            self.unexplained = Some(Unexplained {
                from,
                to,
                at: read.at,
                is_by_hpa: false,
                is_found: self.status.current_replicas != to && status.current_replicas == to,
                status: status.clone(),
                reason: self.decided.take_if(|decided| decided.0 == to),
            });
        }
        found.extend(self.explained(read));
        found
    }

    /// The earlier change of the replicas, if its writer is known now.
    fn explained(&mut self, read: &ReplicaRead<'_>) -> Option<ReplicaWrite> {
        let unexplained = self.unexplained.as_mut()?;
        unexplained.is_by_hpa = read.is_by_hpa();
        let unexplained = unexplained.clone();
        if unexplained.from == unexplained.to {
            self.unexplained = None;
            return None;
        }
        let by = match self.writer(&unexplained, read) {
            // The controller writes the status of its own rescale after the scale.
            FoundWriter::Unknown(_)
                if read.at.duration_since(unexplained.at) <= read.period() * 2 =>
            {
                return None;
            }
            FoundWriter::Unknown(_) if read.is_by_hpa() => unexplained.by_hpa(),
            FoundWriter::Hpa => unexplained.by_hpa(),
            FoundWriter::Other(by) | FoundWriter::Unknown(by) => ReplicaWriter::Other(by),
        };
        self.unexplained = None;
        if let ReplicaWriter::Hpa { .. } = by {
            let scaled_at = read.observation.hpa.status.last_scale_time;
            self.scaled_at = self.scaled_at.max(scaled_at);
            self.found = Some((unexplained.at, unexplained.to));
        }
        Some(unexplained.write(by))
    }

    fn unseen(&mut self, read: &ReplicaRead<'_>, since: Timestamp) -> Option<UnseenRescales> {
        let (from, to) = (self.replicas?, read.trace.current()?);
        let scaled_at = read.observation.hpa.status.last_scale_time;
        let is_unseen = |at: Timestamp, to: Option<i32>| {
            since < after(at, WHOLE_SECOND) && self.scaled_at < Some(at) && !self.has_found(at, to)
        };
        let events = proved_rescales(read.context).into_iter();
        let mut steps: Vec<(Timestamp, Option<i32>, Option<String>)> = events
            .filter(|event| is_unseen(event.at, Some(event.size)))
            .map(|event| {
                let reason = Some(event.reason).filter(|reason| !reason.is_empty());
                (event.at, Some(event.size), reason)
            })
            .collect();
        let known_until = steps.last().map(|last| after(last.0, WHOLE_SECOND * 2));
        // The status is written last, and Events may be lost.
        let last = read.is_by_hpa().then_some(to);
        steps.extend(
            scaled_at
                .filter(|at| is_unseen(*at, last) && known_until < Some(*at))
                .map(|at| (at, last, None)),
        );
        let last = steps.last()?.0;
        self.replicas = Some(to);
        self.unexplained = None;
        self.scaled_at = scaled_at.max(self.scaled_at);
        self.found = Some((last, to));
        self.changed_at = Some(last);
        Some(UnseenRescales { from, to, steps })
    }

    /// Whether a rescale at `at` to `to` replicas, if known, is the one that was found last.
    fn has_found(&self, at: Timestamp, to: Option<i32>) -> bool {
        self.found.is_some_and(|(found, size)| {
            // Events and statuses have whole seconds, and a write is observed a little later.
            at.duration_since(found) <= WRITTEN_TOGETHER && to.is_none_or(|to| to == size)
        })
    }

    /// Who changed the replicas. `managedFields` name as owner the last writer of another number, and every writer of the
    /// same number since. So the HPA is missing from them exactly if another writer changed the number after it.
    fn writer(&self, change: &Unexplained, read: &ReplicaRead<'_>) -> FoundWriter {
        let Unexplained { from, to, .. } = *change;
        let status = &read.observation.hpa.status;
        // The status that was read with the change may be of a sync before it, and says nothing about it.
        let is_newer = *status != change.status;
        let is_by_hpa = read.is_by_hpa();
        let other = read.writers().first().filter(|_| !is_by_hpa);
        // A controller may write the scale under an unknown name.
        let may_be_hpa = |other: &FieldManager| {
            other.subresource.as_deref() == Some("scale") && !other.manager.starts_with("kubectl")
        };
        if let Some(other) = other.filter(|other| !may_be_hpa(other)) {
            return FoundWriter::Other(Some(other.clone()));
        }
        if self.scaled_at < status.last_scale_time {
            return FoundWriter::Hpa;
        }
        // The desired replicas of a status are new only if their write succeeded. A recording of the past has no times,
        // and two rescales within a second have the same.
        if (is_newer || status.last_scale_time.is_none())
            && (status.current_replicas, status.desired_replicas) == (from, to)
        {
            return FoundWriter::Hpa;
        }
        // The status of its rescale may be lost because the API server failed between the two writes, or it has the same
        // second as that of the previous rescale.
        if is_by_hpa && (status.current_replicas == to || status.desired_replicas == to) {
            return FoundWriter::Hpa;
        }
        let by = other.cloned();
        // The controller has synced since, and found these replicas.
        if status.current_replicas == to && (is_newer || change.is_found) {
            return FoundWriter::Other(by);
        }
        FoundWriter::Unknown(by)
    }
}

impl<'a> ReplicaRead<'a> {
    /// The writers of the replicas, from the target.
    fn writers(&self) -> &'a [FieldManager] {
        let target = self.context.target.as_ref();
        target.map_or(&[][..], |target| &target.replicas_written_by)
    }

    fn is_by_hpa(&self) -> bool {
        self.writers().iter().any(is_hpa)
    }

    fn target_created(&self) -> Option<Timestamp> {
        self.context.target.as_ref()?.created
    }

    fn period(&self) -> SignedDuration {
        let period = self.observation.sync_period().value;
        period.max(SignedDuration::from_millis(1))
    }
}

/// A change of the replicas whose writer is not known yet.
#[derive(Clone, Debug)]
struct Unexplained {
    from: i32,
    to: i32,
    /// When it was observed.
    at: Timestamp,
    /// Whether `managedFields` name the HPA.
    is_by_hpa: bool,
    /// The status that was read together with the change. The sync that wrote it may be older than the change.
    status: HpaStatus,
    /// Whether that status is new and has the new replicas: a sync found them.
    is_found: bool,
    /// The decision of the read before, if it came to these replicas, with its reason.
    reason: Option<(i32, Option<String>)>,
}

impl Unexplained {
    fn write(&self, by: ReplicaWriter) -> ReplicaWrite {
        ReplicaWrite {
            at: self.at,
            from: self.from,
            to: self.to,
            by,
        }
    }

    /// What this change was whose writer was not known when the replicas changed again, to `to`. None: it counts as
    /// one with the new one.
    fn overtaken(&self, to: i32, status: &HpaStatus) -> Option<ReplicaWrite> {
        // The status that would have reported it was rejected, or the next rescale came before it.
        if self.is_by_hpa && self.from != to {
            return Some(self.write(self.by_hpa()));
        }
        // A sync found these replicas and set others; none has decided them.
        let is_undone = self.status != *status
            && (status.current_replicas, status.desired_replicas) == (self.to, to);
        let is_of_other = is_undone && !self.is_by_hpa && self.reason.is_none();
        is_of_other.then(|| self.write(ReplicaWriter::Other(None)))
    }

    fn by_hpa(&self) -> ReplicaWriter {
        let reason = self.reason.as_ref();
        ReplicaWriter::Hpa {
            reason: reason.and_then(|(_, reason)| reason.clone()),
        }
    }
}

enum FoundWriter {
    /// The HPA.
    Hpa,
    /// Another writer, if known which.
    Other(Option<FieldManager>),
    /// This writer, unless the status shows later that it was the HPA.
    Unknown(Option<FieldManager>),
}

/// Events and statuses have times in whole seconds.
const WHOLE_SECOND: SignedDuration = SignedDuration::from_secs(1);

/// Scale, Event and status of one sync are written within this time.
const WRITTEN_TOGETHER: SignedDuration = SignedDuration::from_secs(2);
