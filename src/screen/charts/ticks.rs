//! What happened to an HPA, for lines of time and for jumping.

use crate::{
    explain::Action,
    screen::{Stop, Tick, TickKind},
    watch::{Agreement, Moment},
};

/// What happened at moments in order, of which the first only says what was before.
pub(in crate::screen) fn ticks<'a>(
    moments: impl Iterator<Item = &'a Moment>,
) -> impl Iterator<Item = Tick> {
    let mut before: Option<&Moment> = None;
    moments.flat_map(move |moment| {
        let kinds = before
            .map(|before| kinds(before, moment))
            .unwrap_or_default();
        before = Some(moment);
        let at = moment.at;
        kinds
            .into_iter()
            .flatten()
            .map(move |kind| Tick { at, kind })
    })
}

/// What happened from one moment to the next.
fn kinds(before: &Moment, moment: &Moment) -> [Option<TickKind>; 3] {
    let is_new_alarm = |kind| before.alarm_kinds().all(|before| before != kind);
    // A moment between two reconciles previews the same decision again.
    let scaled = match moment.action {
        Action::ScaleDown if moment.is_reconcile => Some(TickKind::ScaledDown),
        Action::ScaleUp if moment.is_reconcile => Some(TickKind::ScaledUp),
        _ => None,
    };
    [
        scaled,
        moment
            .alarm_kinds()
            .any(is_new_alarm)
            .then_some(TickKind::Alarm),
        matches!(moment.agreement, Agreement::Differs(_)).then_some(TickKind::Disagreement),
    ]
}

/// Whether a jump to `stop` ends at something of this kind.
pub(in crate::screen) fn is_stop(kind: TickKind, stop: Stop) -> bool {
    match stop {
        Stop::Alarm => kind == TickKind::Alarm,
        Stop::Disagreement => kind == TickKind::Disagreement,
        Stop::Scaling => matches!(kind, TickKind::ScaledDown | TickKind::ScaledUp),
    }
}
