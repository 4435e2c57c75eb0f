//! What the last sync recommended, from the reasons in its conditions.
//!
//! A status is written for one spec (`status_spec`). All numbers here come from that status alone: where a bound was
//! reached, `desiredReplicas` is that bound, whatever the current spec has.

use jiff::Timestamp;

use super::{
    earlier_proposals::{earlier_proposals, without_pods_since_rescale},
    inferred_history::InferredHistory,
    rescale_events::{RescaleCause, Rescaled},
    status_spec::{DecidedBy, StatusSpec, reason},
};
use crate::{
    engine,
    model::{Direction, HpaStatus, Observation},
};

/// The last sync, as its status shows it.
pub(super) struct LastSync<'a> {
    pub(super) observation: &'a Observation,
    /// The spec that it had.
    pub(super) spec: &'a StatusSpec,
    /// The newest rescale, if known.
    pub(super) rescale: Option<&'a Rescaled>,
    /// The time of the coming sync.
    pub(super) now: Timestamp,
}

impl LastSync<'_> {
    /// Adds what it recommended, and what its conditions prove about earlier recommendations.
    pub(super) fn remember(&self, history: &mut InferredHistory) {
        let limited = reason(self.status(), "ScalingLimited");
        match DecidedBy::of(self.status()) {
            DecidedBy::Bounds => self.corrected(limited, history),
            DecidedBy::Metrics => self.decided(limited, history),
            DecidedBy::Nothing => self.undecided(limited, history),
        }
    }

    fn decided(&self, limited: &str, history: &mut InferredHistory) {
        let desired = self.status().desired_replicas;
        let more = desired.saturating_add(1);
        let last = self.last();
        match (reason(self.status(), "AbleToScale"), limited) {
            // Here the window held nothing above the newest recommendation: that is the number that was limited.
            // An edit can also refuse the status of one more sync, which replaces what no window counts any more.
            ("ReadyForNewScale", "DesiredWithinRange") if self.has_doubtful_window() => {
                history.suppose(desired, last);
            }
            ("ReadyForNewScale", "DesiredWithinRange") => history.prove(desired, last),
            ("ReadyForNewScale" | "SucceededRescale", "TooManyReplicas")
            | ("ReadyForNewScale", "ScaleUpLimit") => self.above(more, last, history),
            ("ReadyForNewScale", "TooFewReplicas" | "ScaleDownLimit")
            | ("SucceededRescale", "TooFewReplicas") => self.below(desired, history),
            // An older recommendation was that high; the values in the status do not show it.
            ("ScaleDownStabilized", "TooManyReplicas") => self.held_above(more, history),
            // A recommendation within the window was that high, not necessarily the last one.
            ("ScaleDownStabilized", "DesiredWithinRange") => self.held_down(history),
            ("ScaleDownStabilized", "TooFewReplicas" | "ScaleDownLimit") if self.can_fall() => {
                history.allow(desired.saturating_sub(1), self.earlier());
            }
            // The newest recommendation was higher than what the window of scaleUp allowed.
            ("ScaleUpStabilized", _) if self.spec.has_lost_behavior() => {
                self.above(more, last, history);
            }
            ("ScaleUpStabilized", "DesiredWithinRange") => self.held_up(history),
            ("ScaleUpStabilized", "TooManyReplicas") if self.can_grow() => {
                history.suppose_least(more, self.earlier());
            }
            ("SucceededRescale", "DesiredWithinRange") => self.rescaled(history),
            ("SucceededRescale", "ScaleUpLimit") => {
                self.above(more, self.last_rescale_time(), history);
            }
            // All other pairs do not show which recommendation counted.
            _ => {}
        }
    }

    /// The metrics recommended `least` or more.
    fn above(&self, least: i32, at: Timestamp, history: &mut InferredHistory) {
        let proposal = self.proposal().filter(|(_, high)| least <= *high);
        // More than this has the same effect.
        let beyond = self.above_max().max(least);
        // The reason of a rescale does not show whether an older recommendation was higher. Without behavior, that
        // counts now if maxReplicas was lower then.
        let is_hidden = reason(self.status(), "AbleToScale") == "SucceededRescale"
            && self.observation.hpa.spec.behavior.is_none()
            && self.spec.is_other
            && self.can_grow();
        let (low, most) = match proposal {
            Some(_) if is_hidden || self.spec.has_lost_behavior() => (least, beyond),
            Some((low, high)) if !self.have_pods_moved() => (low.max(least), high),
            // With the pods of that time, the values in the status may have recommended more.
            Some((_, high)) if self.can_grow() && self.spec.is_other => (least, beyond.max(high)),
            Some((_, high)) => (least, high),
            None => (least, beyond),
        };
        history.prove_between((low, most), proposal, at);
    }

    /// The metrics recommended fewer than `bound`. That matters if the replicas can go there now, or if the window of
    /// `scaleUp` counts it.
    fn below(&self, bound: i32, history: &mut InferredHistory) {
        if !self.can_fall() && self.observation.hpa.spec.behavior.is_none() {
            return;
        }
        let most = bound.saturating_sub(1);
        match self.proposal().filter(|(low, _)| *low <= most) {
            Some((low, high)) => {
                history.prove_between((low, most), Some((low, high)), self.last());
            }
            None => history.allow(most, self.last()),
        }
    }

    /// An older recommendation was `least` or more; how high, nothing shows.
    fn held_above(&self, least: i32, history: &mut InferredHistory) {
        if self.has_doubtful_window() {
            history.suppose_least(least, self.earlier());
        } else {
            history.prove_least_by(least, self.earlier());
        }
        if self.can_grow() {
            history.allow(self.above_max(), self.earlier());
        }
    }

    /// In the last sync, some recommendation in the window was `desired`. If the known ones have expired since, there
    /// may be no other.
    fn held_down(&self, history: &mut InferredHistory) {
        let desired = self.status().desired_replicas;
        if history.has_proved(desired) {
            history.allow(desired, self.earlier());
        } else if self.has_doubtful_window() {
            history.suppose(desired, self.earlier());
        } else {
            history.prove_by(desired, self.earlier());
        }
    }

    /// In the last sync, some recommendation in the window of `scaleUp` was `desired`.
    fn held_up(&self, history: &mut InferredHistory) {
        let desired = self.status().desired_replicas;
        if self.has_doubtful_window() {
            history.suppose(desired, self.earlier());
        } else {
            history.prove_by(desired, self.earlier());
        }
    }

    /// A rescale that nothing limited: one recommendation had that size, and none was higher.
    fn rescaled(&self, history: &mut InferredHistory) {
        let status = self.status();
        let desired = status.desired_replicas;
        let at = self.last_rescale_time();
        let spec = &self.observation.hpa.spec;
        let is_at_bound = desired == spec.min_replicas() || desired == spec.max_replicas;
        match self.rescale.map(|rescale| rescale.cause) {
            Some(RescaleCause::AboveMax | RescaleCause::BelowMin) => return,
            Some(RescaleCause::Unknown) if is_at_bound => return history.suppose(desired, at),
            _ => {}
        }
        let proposal = self.proposal();
        if status.current_replicas < desired || proposal == Some((desired, desired)) {
            history.prove(desired, at);
        } else if proposal.is_some() {
            // The metrics may have recommended fewer already, held by an older recommendation that can expire at any
            // time.
            history.suppose(desired, at);
        } else {
            history.allow(desired, at);
        }
    }

    /// A bound replaced the replicas, and no metric was read. The history is that of the sync before, which left the
    /// replicas from before: `ScalingLimited` shows where its recommendation was.
    fn corrected(&self, limited: &str, history: &mut InferredHistory) {
        let before = self.status().current_replicas;
        match limited {
            "TooManyReplicas" if self.can_grow() => {
                history.suppose_least(
                    self.status().desired_replicas.saturating_add(1),
                    self.earlier(),
                );
                history.allow(self.above_max(), self.earlier());
            }
            "TooManyReplicas" => history.prove_least(self.above_max(), self.now),
            _ if !self.spec.is_other => {}
            "TooFewReplicas" | "ScaleDownLimit" => history.allow(before, self.earlier()),
            "DesiredWithinRange" => history.suppose(before, self.earlier()),
            "ScaleUpLimit" => history.allow(self.above_max(), self.earlier()),
            _ => {}
        }
    }

    /// The metrics could not be read, or the write failed: the earlier history still holds.
    fn undecided(&self, limited: &str, history: &mut InferredHistory) {
        let is_known = matches!(
            reason(self.status(), "AbleToScale"),
            "SucceededGetScale" | "FailedGetScale" | "FailedUpdateScale"
        );
        if !is_known || limited.is_empty() {
            return;
        }
        history.allow(self.status().desired_replicas, self.now);
        if limited == "TooManyReplicas" && self.can_grow() {
            history.allow(self.above_max(), self.earlier());
        }
    }

    fn status(&self) -> &HpaStatus {
        &self.observation.hpa.status
    }

    /// What the values in the status recommend, if they belong to the current metrics. It decides once more, and most
    /// reasons do not need it.
    fn proposal(&self) -> Option<(i32, i32)> {
        if self.spec.may_have_other_metrics() {
            return None;
        }
        earlier_proposals(self.observation, self.now)
    }

    /// Whether a pod that the last sync counted may have changed since: created, deleted, or another readiness.
    fn have_pods_moved(&self) -> bool {
        let period = self.observation.sync_period().value;
        let since = engine::before(self.now, period + period);
        let then = without_pods_since_rescale(self.observation);
        let pods = then.pods.read().map(|pods| pods.as_slice());
        pods.unwrap_or_default().iter().any(|pod| {
            let ready = pod.ready.and_then(|ready| ready.last_transition);
            let times = [pod.created, pod.started, pod.deleted, ready];
            times.into_iter().flatten().any(|at| since <= at)
        })
    }

    /// Any recommendation above the bound that the replicas can reach now has the same effect.
    fn above_max(&self) -> i32 {
        self.observation.hpa.spec.max_replicas.saturating_add(1)
    }

    /// Whether the replicas of the last sync are not at the current `maxReplicas`.
    fn can_grow(&self) -> bool {
        self.status().desired_replicas < self.observation.hpa.spec.max_replicas
    }

    /// Whether the replicas of the last sync are not at the current `minReplicas`.
    fn can_fall(&self) -> bool {
        self.observation.hpa.spec.min_replicas() < self.status().desired_replicas
    }

    /// Whether a recommendation that the last sync counted may no longer count: its windows may have been longer.
    fn has_doubtful_window(&self) -> bool {
        let spec = &self.observation.hpa.spec;
        let has_own = |direction| {
            let rules = spec.rules(direction);
            rules.is_some_and(|rules| rules.window().is_some())
        };
        self.spec.may_have_other_behavior() && Direction::BOTH.into_iter().any(has_own)
    }

    fn last_rescale_time(&self) -> Timestamp {
        self.status().last_scale_time.unwrap_or(self.now)
    }

    /// The time of the last sync, which was within the last sync period. The latest time is the conservative choice; but
    /// a window shorter than the period has ended since.
    fn last(&self) -> Timestamp {
        let period = self.observation.sync_period().value;
        let [up, down] = [Direction::Up, Direction::Down].map(|one| self.observation.window(one));
        if down < period || (up.is_positive() && up < period) {
            self.earlier()
        } else {
            self.now
        }
    }

    /// The latest time of a recommendation before the last sync.
    fn earlier(&self) -> Timestamp {
        let sync_period = self.observation.sync_period().value;
        engine::before(self.now, sync_period)
    }
}
