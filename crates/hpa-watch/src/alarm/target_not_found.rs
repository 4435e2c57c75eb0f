//! The target does not exist.

use hpa_explain::is_target_missing;

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext},
};

/// Holds while the API server does not find the target.
pub(super) fn check(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    if !is_target_missing(&cx.facts) {
        return None;
    }
    let target = &cx.facts.observation.hpa.spec.scale_target;
    let able = cx
        .condition("AbleToScale")
        .filter(|able| able.status == "False" && able.reason == "FailedGetScale");
    Some(AlarmCondition {
        since: able.and_then(|able| cx.since(able)),
        ..cx.of_decision(
            AlarmKind::TargetNotFound,
            format!(
                "{target} does not exist in {}: nothing is scaled",
                cx.hpa.latest.hpa.namespace
            ),
            able.is_some(),
        )
    })
}
