//! Rules of `spec.behavior`.

use hpa_engine::model::{PolicyType, ScalingPolicy, ScalingRules, SelectPolicy};

use crate::{World, quantity};

/// The rules of one direction; unset fields keep the defaults.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Rules {
    is_up: bool,
    rules: ScalingRules,
}

/// Rules of scaling up.
pub fn up() -> Rules {
    Rules {
        is_up: true,
        ..Rules::default()
    }
}

/// Rules of scaling down.
pub fn down() -> Rules {
    Rules::default()
}

impl Rules {
    /// `stabilizationWindowSeconds`.
    pub fn window(mut self, seconds: i32) -> Self {
        self.rules.stabilization_window_seconds = Some(seconds);
        self
    }

    /// `tolerance`.
    pub fn tolerance(mut self, text: &str) -> Self {
        self.rules.tolerance = Some(quantity(text));
        self
    }

    /// `selectPolicy`.
    pub fn select(mut self, policy: SelectPolicy) -> Self {
        self.rules.select_policy = Some(policy);
        self
    }

    /// A policy of this many pods per period.
    pub fn pods(self, value: i32, period_seconds: i32) -> Self {
        self.policy(PolicyType::Pods, value, period_seconds)
    }

    /// A policy of this many percent per period.
    pub fn percent(self, value: i32, period_seconds: i32) -> Self {
        self.policy(PolicyType::Percent, value, period_seconds)
    }

    fn policy(mut self, policy_type: PolicyType, value: i32, period_seconds: i32) -> Self {
        let policies = self.rules.policies.get_or_insert_default();
        policies.push(ScalingPolicy {
            policy_type,
            value,
            period_seconds,
        });
        self
    }
}

impl World {
    /// One direction of `behavior`; the other keeps the defaults.
    pub fn behavior(mut self, rules: Rules) -> Self {
        let behavior = self.observation.hpa.spec.behavior.get_or_insert_default();
        if rules.is_up {
            behavior.scale_up = Some(rules.rules);
        } else {
            behavior.scale_down = Some(rules.rules);
        }
        self
    }
}
