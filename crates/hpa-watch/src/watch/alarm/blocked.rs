//! Several HPAs select the same pods, so the controller scales none of them.

use super::{
    AlarmKind,
    cause::AlarmCause,
    conditions::{AlarmCondition, AlarmContext},
};
use crate::{
    explain::amount::{names, names_within},
    trace::SelectorVerdict,
};

/// Holds while the controller refuses to scale because of another HPA.
pub(super) fn check(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    let SelectorVerdict::Ambiguous { hpas } = &cx.facts.selector?.verdict else {
        return None;
    };
    let active = cx
        .condition("ScalingActive")
        .filter(|active| active.status == "False" && active.reason == "AmbiguousSelector");
    let hpa = &cx.facts.observation.hpa;
    let all = names_within(hpas, &hpa.namespace);
    let mut others = all.clone();
    others.retain(|name| *name != hpa.name);
    let text = format!(
        "shares pods with {}: nothing is scaled (AmbiguousSelector)",
        names(&others, 3)
    );
    let is_written = active.is_some();
    Some(AlarmCondition {
        since: active.and_then(|active| cx.since(active)),
        gist: hpas.join(" "),
        cause: Some(AlarmCause {
            key: hpas.join(" "),
            text: format!(
                "{} of {} share pods (AmbiguousSelector)",
                names(&all, 3),
                hpa.namespace
            ),
        }),
        ..cx.of_decision(AlarmKind::Blocked, text, is_written)
    })
}
