//! Several HPAs select the same pods, so the controller scales none of them.

use hpa_engine::trace::SelectorVerdict;
use hpa_words::amount::{names_of, names_within};

use super::{
    AlarmKind,
    cause::AlarmCause,
    conditions::{AlarmCondition, AlarmContext},
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
    // Every tick asks for every HPA: no more names are looked at than are shown.
    let all = || names_within(hpas, &hpa.namespace);
    let others = all().filter(|name| *name != hpa.name);
    let text = format!(
        "shares pods with {}: nothing is scaled (AmbiguousSelector)",
        names_of(others, hpas.len() - 1, 3)
    );
    let gist = gist(hpas);
    let is_written = active.is_some();
    Some(AlarmCondition {
        since: active.and_then(|active| cx.since(active)),
        gist: gist.clone(),
        cause: Some(AlarmCause {
            key: gist,
            text: format!(
                "{} of {} share pods (AmbiguousSelector)",
                names_of(all(), hpas.len(), 3),
                hpa.namespace
            ),
        }),
        ..cx.of_decision(AlarmKind::Blocked, text, is_written)
    })
}

/// What identifies these HPAs among others: each of thousands would keep the names of all.
fn gist(hpas: &[String]) -> String {
    match hpas {
        [first, .., last] if FEW < hpas.len() => format!("{first} {} {last}", hpas.len()),
        few => few.join(" "),
    }
}

/// Up to this many names are kept.
const FEW: usize = 20;
