//! Which reconciles `--at` means.

use std::collections::BTreeMap;

use jiff::{Timestamp, tz::TimeZone};

use super::view::whole_second;
use crate::{cli::Moment, playback::Reconcile};

/// The reconciles that `--at` means: of every recording that was running then, the last one up to that moment.
pub(super) struct Chosen<'a> {
    at: Moment,
    zone: &'a TimeZone,
    candidates: BTreeMap<String, Candidate>,
}

struct Candidate {
    reconcile: Reconcile,
    /// Whether a later reconcile shows that the recording went on.
    is_followed: bool,
}

impl<'a> Chosen<'a> {
    /// Nothing chosen so far.
    pub(super) fn new(at: Moment, zone: &'a TimeZone) -> Self {
        Self {
            at,
            zone,
            candidates: BTreeMap::new(),
        }
    }

    /// Takes the reconcile if it fits better than those before.
    pub(super) fn offer(&mut self, reconcile: Reconcile) {
        let time = reconcile.time;
        let is_up_to = self
            .resolve(time)
            .is_none_or(|at| to_precision_of(at, time) <= at);
        if is_up_to {
            let candidate = Candidate {
                is_followed: false,
                reconcile,
            };
            self.candidates
                .insert(candidate.reconcile.recording.clone(), candidate);
        } else if let Some(candidate) = self.candidates.get_mut(&reconcile.recording) {
            candidate.is_followed = true;
        }
    }

    /// The reconciles, in the order of their recordings' names.
    pub(super) fn into_reconciles(self) -> Vec<Reconcile> {
        let is_then = |candidate: &Candidate| {
            let reconcile = &candidate.reconcile;
            let period = reconcile.observation.controller.sync_period.value;
            candidate.is_followed
                || self
                    .resolve(reconcile.time)
                    .is_none_or(|at| at.duration_since(reconcile.time) <= period)
        };
        let chosen = self.candidates.values().filter(|one| is_then(one));
        chosen.map(|one| one.reconcile.clone()).collect()
    }

    /// The moment as a point in time, on the day of `time`. None: the end of the recording.
    fn resolve(&self, time: Timestamp) -> Option<Timestamp> {
        match self.at {
            Moment::Now => None,
            Moment::At(at) => Some(at),
            Moment::TimeOfDay(of_day) => {
                let date = time.to_zoned(self.zone.clone()).date();
                let zoned = date.to_datetime(of_day).to_zoned(self.zone.clone());
                zoned.ok().map(|zoned| zoned.timestamp())
            }
        }
    }
}

/// Pages show whole seconds, so a moment without a fraction means that second.
fn to_precision_of(at: Timestamp, time: Timestamp) -> Timestamp {
    if at.subsec_nanosecond() == 0 {
        whole_second(time)
    } else {
        time
    }
}
