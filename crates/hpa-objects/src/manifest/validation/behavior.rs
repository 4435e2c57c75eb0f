//! `spec.behavior`: windows, policies, tolerances.

use std::cmp::Ordering;

use super::{Violation, violation::quantity};
use crate::recording::wire::{Behavior, ScalingPolicy, ScalingRules};

/// Checks both directions. Upstream: `validateBehavior`.
pub(super) fn behavior(behavior: &Behavior) -> Vec<Violation> {
    let side =
        |side: Option<&ScalingRules>, path| side.map(|side| rules(side, path)).unwrap_or_default();
    let mut found = side(behavior.scale_up.as_ref(), "spec.behavior.scaleUp");
    found.extend(side(
        behavior.scale_down.as_ref(),
        "spec.behavior.scaleDown",
    ));
    found
}

/// Upstream: `validateScalingRules`.
fn rules(rules: &ScalingRules, path: &str) -> Vec<Violation> {
    let mut found = Vec::new();
    let field = |name: &str| format!("{path}.{name}");
    if let Some(window) = rules.stabilization_window_seconds {
        let name = "stabilizationWindowSeconds";
        if window < 0 {
            let detail = "must be greater than or equal to zero";
            found.push(Violation::number(field(name), window, detail));
        }
        if MOST_WINDOW_SECONDS < window {
            let detail = format!("must be less than or equal to {MOST_WINDOW_SECONDS}");
            found.push(Violation::number(field(name), window, &detail));
        }
    }
    if let Some(select) = &rules.select_policy
        && !SELECT_POLICIES.contains(&select.as_str())
    {
        let name = field("selectPolicy");
        found.push(Violation::unsupported(name, select, &SELECT_POLICIES));
    }
    let policies = rules.policies.as_deref().unwrap_or_default();
    if policies.is_empty() {
        let detail = "must specify at least one Policy";
        found.push(Violation::required(field("policies"), detail));
    }
    for (index, one) in policies.iter().enumerate() {
        found.extend(policy(one, &field(&format!("policies[{index}]"))));
    }
    if let Some((tolerance, Ordering::Less)) = quantity(rules.tolerance.as_ref()) {
        let detail = "must be greater than or equal to 0";
        found.push(Violation::quantity(field("tolerance"), &tolerance, detail));
    }
    found
}

/// Upstream: `validateScalingPolicy`.
fn policy(policy: &ScalingPolicy, path: &str) -> Vec<Violation> {
    let mut found = Vec::new();
    let field = |name: &str| format!("{path}.{name}");
    if !POLICY_TYPES.contains(&policy.policy_type.as_str()) {
        found.push(Violation::unsupported(
            field("type"),
            &policy.policy_type,
            &POLICY_TYPES,
        ));
    }
    for (name, value) in [
        ("value", policy.value),
        ("periodSeconds", policy.period_seconds),
    ] {
        if value <= 0 {
            let detail = "must be greater than zero";
            found.push(Violation::number(field(name), value, detail));
        }
    }
    if MOST_PERIOD_SECONDS < policy.period_seconds {
        let detail = format!("must be less than or equal to {MOST_PERIOD_SECONDS}");
        let name = field("periodSeconds");
        found.push(Violation::number(name, policy.period_seconds, &detail));
    }
    found
}

/// Upstream: `MaxStabilizationWindowSeconds`.
const MOST_WINDOW_SECONDS: i32 = 3600;

/// Upstream: `MaxPeriodSeconds`.
const MOST_PERIOD_SECONDS: i32 = 1800;

const SELECT_POLICIES: [&str; 3] = ["Disabled", "Max", "Min"];

const POLICY_TYPES: [&str; 2] = ["Percent", "Pods"];
