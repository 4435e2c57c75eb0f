//! The part of a sync after the metrics, for questions about limits alone: how fast, how far, whether at all.

use jiff::Timestamp;

use crate::{
    engine::{
        context::ReconcileContext,
        scale_events::store_scale_event,
        scaling_policies::{bound, limit_rate, policies, select, select_policy},
        stabilization::{record_initial_recommendation, stabilize},
        tolerance::Tolerances,
    },
    model::{
        Behavior, Direction, Input, Memory, Observation, ScalingPolicy, ScalingRules, Switches,
    },
    trace::Pass,
};

/// The part of a sync after the metrics. It reads only the HPA and the controller settings of the observation.
#[derive(Clone, Copy, Debug)]
pub struct AfterMetrics<'a> {
    observation: &'a Observation,
    switches: Switches,
}

impl<'a> AfterMetrics<'a> {
    /// For this HPA and this controller.
    pub fn of(observation: &'a Observation) -> Self {
        let controller = &observation.controller;
        Self {
            observation,
            switches: Switches::of(controller.version.value, &controller.feature_gates),
        }
    }

    /// Replicas after a sync whose metrics recommend `recommendation` (not negative). `current` must be above zero and
    /// within the bounds. `memory` is updated as in [`decide`](super::decide).
    pub fn reconcile(
        &self,
        memory: &mut Memory,
        current: i32,
        recommendation: i32,
        now: Timestamp,
    ) -> i32 {
        let cx = self.cx(now);
        record_initial_recommendation(memory, current, now);
        let stabilized = stabilize(&cx, memory, current, recommendation).stabilized;
        let desired = limit_rate(&cx, memory, current, stabilized).desired;
        if desired != current {
            store_scale_event(memory, self.behavior(), current, desired, now);
        }
        desired
    }

    /// The replicas that one policy allows, given the replicas at the start of its period.
    pub fn policy_bound(&self, policy: &ScalingPolicy, start: i32, direction: Direction) -> i32 {
        let cx = self.cx(Timestamp::UNIX_EPOCH);
        bound(cx.float, policy, start, direction)
    }

    /// The furthest that one sync can scale from `start` when nothing has changed within the policy periods. Ignores
    /// `minReplicas` and `maxReplicas`.
    pub fn limit(&self, rules: Option<&ScalingRules>, start: i32, direction: Direction) -> i32 {
        let bounds = Self::policies(rules, direction)
            .iter()
            .map(|policy| self.policy_bound(policy, start, direction));
        select(select_policy(rules), direction, start, bounds)
    }

    /// The policies in effect for a direction: the API server's defaults if `rules` sets none.
    pub fn policies(rules: Option<&ScalingRules>, direction: Direction) -> &[ScalingPolicy] {
        policies(rules, direction)
    }

    /// The tolerances of scaling up and down, as ratios.
    pub fn tolerances(&self) -> (Input<f64>, Input<f64>) {
        let check = Tolerances::of(&self.cx(Timestamp::UNIX_EPOCH)).check(Pass::First, 1.0);
        (check.scale_up, check.scale_down)
    }

    /// Whether a usage ratio is within tolerance.
    pub fn is_within_tolerance(&self, usage_ratio: f64) -> bool {
        Tolerances::of(&self.cx(Timestamp::UNIX_EPOCH))
            .check(Pass::First, usage_ratio)
            .is_within
    }

    fn behavior(&self) -> Option<&'a Behavior> {
        self.observation.hpa.spec.behavior.as_ref()
    }

    fn cx(&self, now: Timestamp) -> ReconcileContext<'_> {
        ReconcileContext::new(self.observation, &self.switches, now)
    }
}
