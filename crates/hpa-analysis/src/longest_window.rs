//! How far back the controller looks.

use hpa_engine::model::{Direction, Observation};
use jiff::SignedDuration;

/// The longest time that the controller looks back.
pub fn longest_window(observation: &Observation) -> SignedDuration {
    let windows = Direction::BOTH.map(|direction| observation.window(direction));
    let flag = observation.controller.downscale_stabilization.value;
    windows
        .into_iter()
        .fold(longest_policy(observation).max(flag), SignedDuration::max)
}

/// The longest period in which a policy counts rescales.
pub fn longest_policy(observation: &Observation) -> SignedDuration {
    let rules = |direction| observation.hpa.spec.rules(direction);
    let policies = Direction::BOTH.into_iter().filter_map(rules);
    let periods = policies
        .flat_map(|rules| rules.policies.iter().flatten())
        .map(|policy| SignedDuration::from_secs(policy.period_seconds.into()));
    periods.max().unwrap_or_default()
}
