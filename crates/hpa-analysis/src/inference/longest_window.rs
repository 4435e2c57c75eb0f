//! How far back the controller looks.

use jiff::SignedDuration;

use crate::model::{Direction, Observation};

/// How long the controller looks back at most.
pub fn longest_window(observation: &Observation) -> SignedDuration {
    let rules = |direction| observation.hpa.spec.rules(direction);
    let periods = Direction::BOTH
        .into_iter()
        .filter_map(rules)
        .flat_map(|rules| rules.policies.iter().flatten())
        .map(|policy| SignedDuration::from_secs(policy.period_seconds.into()));
    Direction::BOTH
        .map(|direction| observation.window(direction))
        .into_iter()
        .chain([observation.controller.downscale_stabilization.value])
        .chain(periods)
        .max()
        .unwrap_or_default()
}
