//! Rules of `spec.behavior`.

use hpa_engine::model::{PolicyType, ScalingPolicy, ScalingRules, SelectPolicy};

use super::quantity;

/// The rules of one direction; unset fields keep the defaults.
#[derive(Clone, Default)]
pub(crate) struct Rules {
    pub(super) is_up: bool,
    pub(super) rules: ScalingRules,
}

/// Rules of scaling up.
pub(crate) fn up() -> Rules {
    Rules {
        is_up: true,
        ..Rules::default()
    }
}

/// Rules of scaling down.
pub(crate) fn down() -> Rules {
    Rules::default()
}

impl Rules {
    pub(crate) fn window(mut self, seconds: i32) -> Self {
        self.rules.stabilization_window_seconds = Some(seconds);
        self
    }

    pub(crate) fn tolerance(mut self, text: &str) -> Self {
        self.rules.tolerance = Some(quantity(text));
        self
    }

    pub(crate) fn select(mut self, policy: SelectPolicy) -> Self {
        self.rules.select_policy = Some(policy);
        self
    }

    /// A policy of this many pods per period.
    pub(crate) fn pods(self, value: i32, period_seconds: i32) -> Self {
        self.policy(PolicyType::Pods, value, period_seconds)
    }

    /// A policy of this many percent per period.
    pub(crate) fn percent(self, value: i32, period_seconds: i32) -> Self {
        self.policy(PolicyType::Percent, value, period_seconds)
    }

    fn policy(mut self, policy_type: PolicyType, value: i32, period_seconds: i32) -> Self {
        self.rules
            .policies
            .get_or_insert_default()
            .push(ScalingPolicy {
                policy_type,
                value,
                period_seconds,
            });
        self
    }
}
