//! The replicas go up and down in turns.

use hpa_diagnosis::flapping::{Swing, Swings, WITHIN, flapping};
use hpa_words::clock::rough;
use jiff::SignedDuration;

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext, most_frequent},
};

/// Holds while the direction changes often.
pub(super) fn check(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    let swings = Swings::of(&cx.hpa.latest.assessment.context, cx.now);
    let flapping = flapping(&swings.times(), cx.now, cx.is_on(AlarmKind::Flapping))?;
    let swings = match cx.now.checked_sub(WITHIN) {
        Ok(from) => swings.since(from),
        Err(_) => swings,
    };
    let since = swings.rescales.first()?.at;
    let ups = swings.rescales.iter().filter(|one| one.is_up);
    let reasons = ups.filter_map(|one| one.reason.as_deref());
    let by = most_frequent(reasons.filter(|reason| !reason.is_empty())).map_or_else(
        String::new,
        |why| {
            format!(
                ", because of {}",
                why.replace(" (percentage of request)", "")
            )
        },
    );
    Some(AlarmCondition {
        since: Some(since),
        lingers: SignedDuration::ZERO,
        ..cx.condition_of(
            AlarmKind::Flapping,
            format!(
                "{} direction changes in {}: {}{by}",
                flapping.turns,
                rough(cx.now.duration_since(since)),
                chain(&swings.rescales)
            ),
        )
    })
}

/// `3 → 6 → 9 … 6`: an ellipsis where the HPA itself did not change one number into the next.
fn chain(rescales: &[Swing]) -> String {
    let mut text = String::new();
    for one in &rescales[rescales.len().saturating_sub(MOST_LISTED)..] {
        if !text.is_empty() {
            text.push_str(if one.follows { " → " } else { " … " });
        }
        if let Some(from) = one.from.filter(|_| text.is_empty() || !one.follows) {
            text.push_str(&format!("{from} → "));
        }
        text.push_str(&one.to.to_string());
    }
    text
}

/// At most this many rescales are shown.
const MOST_LISTED: usize = 5;
