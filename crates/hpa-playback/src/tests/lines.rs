//! Updates as lines of text.

use hpa_watch::{Agreement, Change, FieldDifference, HistoryEntry, State, Update};
use jiff::Timestamp;

/// The update in a line; `None` if it is not reported.
pub(super) fn line(state: &State, update: &Update, now: Timestamp) -> Option<String> {
    let (hpa, what) = match update {
        Update::Appeared { hpa, entry } => {
            let entry = state.hpas[hpa].history.get(*entry)?;
            (hpa, format!("appeared: {}", reported(entry)))
        }
        Update::Deleted { hpa } => (hpa, "gone".to_owned()),
        Update::Reconciled { changes, .. } if changes.is_empty() => return None,
        Update::Reconciled {
            hpa,
            entry,
            changes,
        } => {
            let entry = state.hpas[hpa].history.get(*entry)?;
            (hpa, format!("{}{}", reported(entry), list(changes)))
        }
        Update::Changed { hpa, changes, .. } => (hpa, format!("between{}", list(changes))),
        Update::Compared { hpa, agreement, .. } => match agreement {
            Agreement::Agrees | Agreement::AgreesOtherwise | Agreement::Open => return None,
            Agreement::Differs(fields) => (
                hpa,
                format!("differs: {}", FieldDifference::join(fields, ", ")),
            ),
            Agreement::Unclear(fields) => (
                hpa,
                format!("unclear: {}", FieldDifference::join(fields, ", ")),
            ),
        },
        Update::AlarmOn { hpas, alarm } => {
            let kind = alarm.kind.as_str();
            (hpas.first()?, format!("ALARM {kind}: {}", alarm.text))
        }
        Update::AlarmOff {
            hpas,
            alarm,
            lasted,
        } => {
            let kind = alarm.kind.as_str();
            let over = format!("over {kind} after {} s", lasted.as_secs());
            (hpas.first()?, over)
        }
        Update::Failing { why, .. } => return Some(format!("{} failing: {why}", time(now))),
        Update::Recovered { lasted, .. } => {
            let seconds = lasted.as_secs();
            return Some(format!("{} recovered after {seconds} s", time(now)));
        }
        Update::Marked(mark) => return Some(format!("{} mark: {}", time(now), mark.note)),
    };
    Some(format!("{} {} {what}", time(now), hpa.name))
}

fn reported(entry: &HistoryEntry) -> String {
    format!("{} by {}", entry.headline, entry.rule.as_str())
}

fn list(changes: &[Change]) -> String {
    let texts: Vec<String> = changes
        .iter()
        .map(|change| match change {
            Change::Rescaled { from, to, .. } => format!("rescaled {from} → {to}"),
            Change::RescaledUnseen { from, to, steps } => {
                format!("rescaled {from} → {to} unseen in {} steps", steps.len())
            }
            Change::ReplicasWritten { from, to, by } => {
                let by = by.as_deref().unwrap_or("somebody else");
                format!("{by} set {from} → {to}")
            }
            Change::Verdict => "verdict".to_owned(),
            Change::Ready { from, to } => format!("ready {from} → {to}"),
            Change::SpecEdited { edits } => format!("spec edited: {}", edits.join(", ")),
            Change::ControllerRestarted => "controller restarted".to_owned(),
            Change::HistoryObserved => "memory observed".to_owned(),
        })
        .collect();
    format!(" [{}]", texts.join(", "))
}

fn time(at: Timestamp) -> String {
    at.strftime("%H:%M:%S").to_string()
}
