//! HPA301 `scaledown-instant`.

use hpa_engine::engine::AfterMetrics;

use super::side::{Side, bounds, observation};
use crate::{Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA301",
    name: "scaledown-instant",
    summary: "scale-down can drop to minReplicas in one step",
    severity: Severity::Warning,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("scaledown_instant.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let side = Side::down(cx).filter(|side| !side.is_disabled());
    let (Some(side), Some((min, max))) = (side, bounds(cx)) else {
        return Ok(Vec::new());
    };
    if side.written.stabilization_window_seconds != Some(0) || min == max {
        return Ok(Vec::new());
    }
    // From fewer replicas, every policy reaches at least as far down.
    let observation = observation(cx);
    let lowest = AfterMetrics::of(&observation).limit(Some(side.rules), max, side.direction);
    if min < lowest {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding(side.field("stabilizationWindowSeconds"))
            .message(format!(
                "scale-down has no stabilization window, so one low sample can drop the replicas from {max} to {min}"
            ))
            .help(
                "set stabilizationWindowSeconds to a value from 60 to 300, or add a policy such as \
                 {type: Percent, value: 10, periodSeconds: 60}",
            ),
    ])
}
