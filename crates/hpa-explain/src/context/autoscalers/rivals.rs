//! Other HPAs with the same target.

use hpa_engine::model::Autoscaler;
use hpa_words::amount::names_of;

use crate::{
    ExplainContext,
    context::{NoteView, NoteWeight},
    note::NoteTopic,
};

/// One warning for each other HPA on the same target, or one for all of them if there are many.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let autoscalers = &cx.context.surroundings.autoscalers;
    let others = autoscalers.hpas();
    let number = autoscalers.count_of_hpas();
    let warning = |text| NoteTopic::Autoscalers.note("two HPAs", NoteWeight::Warning, text);
    if number <= MOST_ONE_BY_ONE {
        let each = others.map(|other| text(cx, other));
        return each.map(warning).collect();
    }
    vec![warning(format!(
        "{} other HPAs have the same target {}: {}. Within the bounds of several the controller scales none of them. \
         Delete all but one.",
        number,
        cx.target(),
        names_of(others.map(|other| &other.name), number, MOST_ONE_BY_ONE)
    ))]
}

/// Up to this many HPAs get a note each.
const MOST_ONE_BY_ONE: usize = 5;

fn text(cx: &ExplainContext<'_>, other: &Autoscaler) -> String {
    let (min, max) = (cx.facts.min(), cx.facts.max());
    let other_min = other.min_replicas.unwrap_or(1);
    let other_max = other.max_replicas.unwrap_or(i32::MAX);
    let desired = match (other.desired_replicas, other.last_scale) {
        (Some(desired), Some(at)) => {
            format!(
                ", last desired {desired}, last scaled at {}",
                cx.clock.time(at)
            )
        }
        (Some(desired), None) => format!(", last desired {desired}"),
        (None, _) => String::new(),
    };
    let what = format!(
        "HPA {} (min {other_min} · max {other_max}) has the same target {}{desired}.",
        other.name,
        cx.target()
    );
    let effect = if other_max < min || max < other_min {
        " Their bounds do not overlap, so each brings the replicas within its own before the controller sees \
         both: they fight forever."
    } else {
        " While the replicas are within both bounds, the controller scales neither. Outside the bounds of one HPA, that HPA corrects them."
    };
    format!("{what}{effect} Delete one of them.")
}
