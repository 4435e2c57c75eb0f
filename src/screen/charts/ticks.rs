//! Events of an HPA, for time lines and for jumping.

use hpa_explain::Action;
use hpa_watch::{Agreement, HistoryEntry};

use crate::screen::{ReplayStop, Tick, TickKind};

/// The ticks between successive entries; the first entry is only the starting point.
pub(in crate::screen) fn ticks<'a>(
    entries: impl Iterator<Item = &'a HistoryEntry>,
) -> impl Iterator<Item = Tick> {
    let mut before: Option<&HistoryEntry> = None;
    entries.flat_map(move |entry| {
        let kinds = before
            .map(|before| kinds(before, entry))
            .unwrap_or_default();
        before = Some(entry);
        let at = entry.at;
        kinds
            .into_iter()
            .flatten()
            .map(move |kind| Tick { at, kind })
    })
}

/// The events from one entry to the next.
fn kinds(before: &HistoryEntry, entry: &HistoryEntry) -> [Option<TickKind>; 3] {
    let is_new_alarm = |kind| before.alarm_kinds().all(|before| before != kind);
    // An entry between two syncs previews the same decision again.
    let scaled = match entry.action {
        Action::ScaleDown if entry.is_reconcile => Some(TickKind::ScaledDown),
        Action::ScaleUp if entry.is_reconcile => Some(TickKind::ScaledUp),
        _ => None,
    };
    [
        scaled,
        entry
            .alarm_kinds()
            .any(is_new_alarm)
            .then_some(TickKind::Alarm),
        matches!(entry.agreement, Agreement::Differs(_)).then_some(TickKind::Disagreement),
    ]
}

/// Whether a jump to `stop` ends at an event of this kind.
pub(in crate::screen) fn is_stop(kind: TickKind, stop: ReplayStop) -> bool {
    match stop {
        ReplayStop::Alarm => kind == TickKind::Alarm,
        ReplayStop::Disagreement => kind == TickKind::Disagreement,
        ReplayStop::Scaling => matches!(kind, TickKind::ScaledDown | TickKind::ScaledUp),
    }
}
