//! `HPA3xx`: behavior and tolerance.

mod both_disabled;
mod dominance;
mod dominated_policy;
mod no_behavior;
mod one_sided_behavior;
mod percent_float_edge;
mod percent_over_100_down;
mod period_below_sync;
mod period_quantized;
mod policies_under_disabled;
mod policy_longer_than_window;
mod policy_without_effect;
mod scaledown_disabled;
mod scaledown_instant;
mod scaledown_too_slow;
mod scaledown_window_long;
mod scaledown_window_short;
mod scaleup_disabled;
mod scaleup_too_slow;
mod scaleup_window_long;
mod selectpolicy_min_surprise;
mod selectpolicy_single;
mod side;
mod slow_way;
#[cfg(test)]
pub(super) mod testing;
mod tolerance_below_step;
mod tolerance_large_fleet;
mod tolerance_scale;
mod tolerance_zero;
mod up_window_exceeds_down;
mod window_without_effect;

use crate::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[
    &scaledown_instant::RULE,
    &scaledown_window_short::RULE,
    &scaledown_window_long::RULE,
    &scaleup_window_long::RULE,
    &up_window_exceeds_down::RULE,
    &scaleup_disabled::RULE,
    &scaledown_disabled::RULE,
    &both_disabled::RULE,
    &policies_under_disabled::RULE,
    &dominated_policy::RULE,
    &policy_without_effect::RULE,
    &selectpolicy_single::RULE,
    &selectpolicy_min_surprise::RULE,
    &scaleup_too_slow::RULE,
    &scaledown_too_slow::RULE,
    &period_below_sync::RULE,
    &period_quantized::RULE,
    &one_sided_behavior::RULE,
    &percent_over_100_down::RULE,
    &percent_float_edge::RULE,
    &tolerance_scale::RULE,
    &tolerance_zero::RULE,
    &tolerance_below_step::RULE,
    &tolerance_large_fleet::RULE,
    &no_behavior::RULE,
    &policy_longer_than_window::RULE,
    &window_without_effect::RULE,
];
