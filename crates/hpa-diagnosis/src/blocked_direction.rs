//! A direction is off: `selectPolicy: Disabled`. It is not slow: no later sync takes the rest.

use hpa_engine::{
    model::SelectPolicy,
    trace::{LimitPath, LimitRate},
};

/// Whether the direction of this sync is off.
pub fn is_direction_off(limit: &LimitRate) -> bool {
    matches!(
        limit.path,
        LimitPath::Behavior {
            select_policy: SelectPolicy::Disabled,
            ..
        }
    )
}
