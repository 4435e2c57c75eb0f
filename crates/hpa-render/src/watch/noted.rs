//! Changes that numbers do not show, in words.

use hpa_explain::edited;
use hpa_watch::{Change, UnseenStep};
use jiff::tz::TimeZone;

/// An edit, what followed from it, or scalings that were seen late: `the HPA was edited: max 6 → 16`. None: the change
/// is another one.
pub fn noted(change: &Change, zone: &TimeZone) -> Option<String> {
    Some(match change {
        Change::SpecEdited { edits } => edited(edits),
        Change::Rescaled {
            from,
            to,
            edit: Some(edit),
        } => format!("{from} → {to}, in the first sync after the edit: {edit}"),
        Change::RescaledUnseen { from, to, steps } => unseen(*from, *to, steps, zone),
        _ => return None,
    })
}

/// `3 → 6 (05:12:20, cpu above target) → 9 (05:12:35), seen late`.
fn unseen(from: i32, to: i32, steps: &[UnseenStep], zone: &TimeZone) -> String {
    let mut text = from.to_string();
    for step in steps {
        let to = step.to.map_or_else(|| "?".to_owned(), |to| to.to_string());
        let at = step.at.to_zoned(zone.clone()).strftime("%H:%M:%S");
        text.push_str(&format!(" → {to} ({at}"));
        if let Some(reason) = &step.reason {
            text.push_str(&format!(", {reason}"));
        }
        text.push(')');
    }
    if steps.last().is_none_or(|last| last.to != Some(to)) {
        text.push_str(&format!(" → {to}"));
    }
    format!("{text}, seen late")
}
