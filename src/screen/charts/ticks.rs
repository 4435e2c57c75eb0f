//! What happened to an HPA, for lines of time and for jumping.

use crate::{
    explain::Action,
    screen::{ReplayStop, Tick, TickKind},
    watch::{Agreement, HistoryEntry},
};

/// What happened at moments in order, of which the first only says what was before.
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

/// What happened from one moment to the next.
fn kinds(before: &HistoryEntry, entry: &HistoryEntry) -> [Option<TickKind>; 3] {
    let is_new_alarm = |kind| before.alarm_kinds().all(|before| before != kind);
    // A moment between two reconciles previews the same decision again.
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

/// Whether a jump to `stop` ends at something of this kind.
pub(in crate::screen) fn is_stop(kind: TickKind, stop: ReplayStop) -> bool {
    match stop {
        ReplayStop::Alarm => kind == TickKind::Alarm,
        ReplayStop::Disagreement => kind == TickKind::Disagreement,
        ReplayStop::Scaling => matches!(kind, TickKind::ScaledDown | TickKind::ScaledUp),
    }
}
