//! What the last sync recommended, from the reasons in its conditions.
//!
//! A status is written for one spec (`status_spec`). All numbers here come from that status alone: where a bound was
//! reached, `desiredReplicas` is that bound, whatever the current spec has.

use hpa_engine::{
    engine,
    model::{Direction, HpaStatus, Observation},
};
use jiff::Timestamp;

use super::{
    earlier_proposals::{earlier_proposals, without_pods_since_rescale},
    inferred_history::InferredHistory,
    rescale_events::{RescaleCause, Rescaled, is_same_second},
    rescales::latest,
    status_spec::{DecidedBy, StatusSpec, reason},
};

/// The last sync, as its status shows it.
pub(super) struct LastSync<'a> {
    pub(super) observation: &'a Observation,
    /// The spec that it had.
    pub(super) spec: &'a StatusSpec,
    /// The rescales that are known, oldest first. The newest one is that of the status.
    pub(super) rescales: &'a [Rescaled],
    /// When its status was written, if known: it was then, or later.
    pub(super) written: Option<Timestamp>,
    /// When the spec was edited last, if known.
    pub(super) edited: Option<Timestamp>,
    /// The time of the coming sync.
    pub(super) now: Timestamp,
}

/// Which recommendation a rescale up follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AskedBy {
    /// From that of its own sync.
    Own,
    /// From that, or from an older one that is as high.
    Any,
    /// From an older one: that of its own sync was not above the replicas.
    Older,
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
            // The highest one within the window was lower, not necessarily the last one.
            ("SucceededRescale", "ScaleDownLimit") => {
                history.allow(desired.saturating_sub(1), last);
            }
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
            // The lowest one within the window of scaleUp was above what the policies allowed.
            ("ScaleUpStabilized", "ScaleUpLimit") => history.allow(more, self.earlier()),
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
        let beyond = above_max(self.observation).max(least);
        let is_rescale = reason(self.status(), "AbleToScale") == "SucceededRescale";
        let may_be_older = is_rescale && self.asked_by() != AskedBy::Own;
        // A higher one counts now if maxReplicas was lower then, or if no sync could go that far yet.
        if may_be_older && self.can_grow() {
            history.allow(beyond, at);
        }
        if may_be_older && proposal.is_none_or(|(low, _)| low < least) {
            return history.suppose_least(least, at);
        }
        let (low, most) = match proposal {
            Some(_) if self.spec.has_lost_behavior() => (least, beyond),
            Some((low, high)) if !self.have_pods_moved() => (low.max(least), high),
            // With the pods of that time, the values in the status may have recommended more.
            Some((_, high)) if self.can_grow() && self.spec.is_other => (least, beyond.max(high)),
            Some((_, high)) => (least, high),
            None => (least, beyond),
        };
        history.prove_between((low, most), proposal, at);
    }

    /// Which recommendation the last rescale follows from, if it was one up.
    fn asked_by(&self) -> AskedBy {
        let cause = self.rescales.last().map(|rescale| rescale.cause);
        if matches!(cause, Some(RescaleCause::BelowTarget | RescaleCause::None)) {
            return AskedBy::Older;
        }
        let has_behavior = self.observation.hpa.spec.behavior.is_some();
        let is_lowest = has_behavior && !self.spec.may_have_other_behavior();
        // With behavior, none within the window of scaleUp was lower. Without it, an older one would have set the
        // replicas before, unless something limited them.
        if is_lowest || !(self.was_limited_before() || self.was_set_before()) {
            AskedBy::Own
        } else {
            AskedBy::Any
        }
    }

    /// Whether a limit held the replicas in the sync before the last rescale.
    fn was_limited_before(&self) -> bool {
        let limited = self.status().condition("ScalingLimited");
        let changed = limited.and_then(|limited| limited.last_transition_time);
        let times = changed.zip(self.status().last_scale_time);
        times.is_some_and(|(changed, at)| {
            let is_limited = limited.is_some_and(|limited| limited.status == "True");
            is_limited == (changed < at && !is_same_second(changed, at))
        })
    }

    /// Whether another writer or a bound set the replicas that the last rescale found.
    fn was_set_before(&self) -> bool {
        let [.., before, _] = self.rescales else {
            return false;
        };
        let by_bound = matches!(
            before.cause,
            RescaleCause::AboveMax | RescaleCause::BelowMin
        );
        by_bound || before.size != self.status().current_replicas
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
            history.allow(above_max(self.observation), self.earlier());
        }
    }

    /// In the last sync, some recommendation in the window was `desired`. If the known ones have expired since, there
    /// may be no other.
    fn held_down(&self, history: &mut InferredHistory) {
        let desired = self.status().desired_replicas;
        if self.is_over(Direction::Down, self.earlier()) {
            // It held in a sync that came before its turn.
            history.allow(desired, self.now);
        }
        // With behavior it keeps the replicas that it finds, however much higher it was.
        if self.is_least() {
            history.allow(above_max(self.observation), self.earlier());
        }
        let has_floor = self.observation.window(Direction::Up).is_positive();
        if has_floor {
            // The last one was lower.
            history.allow(desired, self.last());
        }
        if history.has_proved(desired) {
            history.allow(desired, self.earlier());
        } else if self.has_doubtful_window() {
            history.suppose(desired, self.earlier());
        } else {
            history.prove_by(desired, self.earlier());
        }
    }

    /// Whether a recommendation that held the replicas of the last sync may have been higher, and that matters now: the
    /// replicas are higher, or without behavior it raises them.
    fn is_least(&self) -> bool {
        let has_behavior = self.observation.hpa.spec.behavior.is_some();
        let scale = self.observation.scale.read();
        let desired = self.status().desired_replicas;
        let is_higher = scale.is_some_and(|scale| desired < scale.spec_replicas);
        (has_behavior && is_higher) || self.spec.has_lost_behavior()
    }

    /// In the last sync, some recommendation in the window of `scaleUp` was `desired`.
    fn held_up(&self, history: &mut InferredHistory) {
        let desired = self.status().desired_replicas;
        if Direction::BOTH
            .into_iter()
            .any(|one| self.is_over(one, self.earlier()))
        {
            // It held in a sync that came before its turn.
            history.allow(desired, self.now);
        }
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
        match self.rescales.last().map(|rescale| rescale.cause) {
            Some(RescaleCause::AboveMax | RescaleCause::BelowMin) => return,
            Some(RescaleCause::Unknown) if is_at_bound => return history.suppose(desired, at),
            _ => {}
        }
        let proposal = self.proposal();
        let is_up = status.current_replicas < desired;
        let asked_by = if is_up { self.asked_by() } else { AskedBy::Any };
        if asked_by == AskedBy::Older {
            history.suppose(desired, self.earlier());
        } else if proposal == Some((desired, desired)) {
            history.prove(desired, at);
        } else if is_up && self.observation.window(Direction::Up).is_positive() {
            // The lowest one within the window of scaleUp was that high, not necessarily the last one.
            history.prove_some(desired, above_max(self.observation).max(desired), at);
        } else if asked_by == AskedBy::Own {
            history.prove(desired, at);
        } else if is_up {
            history.suppose(desired, at);
        } else if proposal.is_some() {
            // The metrics may have recommended fewer already, held by an older recommendation that can expire at any
            // time.
            history.suppose(desired, at);
        } else {
            history.allow(desired, at);
        }
    }

    /// A bound replaced the replicas, and no metric was read. The history is that of the sync before, which left the
    /// replicas from before, unless another writer set them: `ScalingLimited` shows where its recommendation was.
    fn corrected(&self, limited: &str, history: &mut InferredHistory) {
        let status = self.status();
        let (before, bound) = (status.current_replicas, status.desired_replicas);
        let (above, earlier) = (above_max(self.observation), self.earlier());
        match limited {
            "TooManyReplicas" => {
                let least = if self.can_grow() {
                    bound.saturating_add(1)
                } else {
                    above
                };
                history.suppose_least(least, earlier);
                history.allow(above, earlier);
            }
            "TooFewReplicas" | "ScaleDownLimit" => history.allow(before, earlier),
            // The replicas were within both bounds, until another writer or an edit changed either.
            "DesiredWithinRange" if before < bound => {
                history.allow(bound, earlier);
                history.allow(above, earlier);
            }
            "DesiredWithinRange" => history.suppose(before, earlier),
            "ScaleUpLimit" => history.allow(above, earlier),
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
        let was_limited = matches!(limited, "TooManyReplicas" | "ScaleUpLimit");
        let was_unknown = self.was_edited_since_failure() || self.were_replicas_set();
        if (was_limited && self.can_grow()) || was_unknown {
            history.allow(above_max(self.observation), self.earlier());
        }
    }

    /// Whether another writer set the replicas since, so that those of the status are not the ones that it decided on.
    fn were_replicas_set(&self) -> bool {
        let status = self.status();
        let of_status = [status.current_replicas, status.desired_replicas];
        let scale = self.observation.scale.read();
        scale.is_some_and(|scale| !of_status.contains(&scale.spec_replicas))
    }

    /// Whether the last sync that decided something may have had another spec than the last one.
    fn was_edited_since_failure(&self) -> bool {
        let active = self.status().condition("ScalingActive");
        let failing = active.filter(|active| active.status != "True");
        let failed = failing.and_then(|active| active.last_transition_time);
        failed
            .zip(self.edited)
            .is_some_and(|(failed, edited)| failed <= edited)
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
    /// a window that is not longer than the period has ended since, unless the status was written within it.
    fn last(&self) -> Timestamp {
        let earlier = self.earlier();
        let written = self.written.filter(|written| earlier < latest(*written));
        let oldest = written.unwrap_or(earlier);
        if Direction::BOTH
            .into_iter()
            .any(|one| self.is_over(one, oldest))
        {
            oldest
        } else {
            self.now
        }
    }

    /// Whether the window of a direction no longer has a recommendation of `at`. One of `scaleUp` without length has
    /// none.
    fn is_over(&self, direction: Direction, at: Timestamp) -> bool {
        let window = self.observation.window(direction);
        let begin = engine::before(self.now, window);
        match direction {
            Direction::Up => window.is_positive() && at <= begin,
            Direction::Down if self.observation.hpa.spec.behavior.is_some() => at <= begin,
            Direction::Down => at < begin,
        }
    }

    /// The latest time of a recommendation before the last sync.
    fn earlier(&self) -> Timestamp {
        let sync_period = self.observation.sync_period().value;
        engine::before(self.now, sync_period)
    }
}

/// Any recommendation above the bound that the replicas can reach now has the same effect.
pub(super) fn above_max(observation: &Observation) -> i32 {
    observation.hpa.spec.max_replicas.saturating_add(1)
}
