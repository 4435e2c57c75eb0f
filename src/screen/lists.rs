//! What needs attention: the active alarms, and the Events on the HPA, newest first.

use hpa_engine::model::KubeEvent;
use hpa_render::watch::noted;
use hpa_watch::AlarmKind;
use hpa_words::amount::count;
use ratatui::{buffer::Buffer, layout::Rect, text::Line};

use super::{
    causes::SharedCause,
    cx::{DrawContext, HpaRow},
    palette::ScreenRole,
    text::{cut_line, draw_line},
};

/// Draws as many alarms and Events as fit; alarms come first, but leave a line for the Events.
pub(super) fn draw(cx: &DrawContext<'_>, buffer: &mut Buffer, area: Rect, row: &HpaRow<'_>) {
    let room = usize::from(area.height);
    let mut alarms = alarms(cx, row, &[]);
    let mut events = events(cx, row);
    let for_events = usize::from(!events.is_empty() && 1 < room);
    limit(cx, &mut alarms, room.saturating_sub(for_events), "alarm");
    let left = room.saturating_sub(alarms.len());
    limit(cx, &mut events, left, "event");
    let ellipsis = cx.glyphs().ellipsis;
    for (row, line) in (0..area.height).zip(alarms.iter().chain(&events)) {
        let line = cut_line(line, area.width.into(), ellipsis);
        draw_line(buffer, area, row, &line);
    }
}

/// Cuts a list to `room` lines; the last line counts the rest.
fn limit(cx: &DrawContext<'_>, lines: &mut Vec<Line<'static>>, room: usize, noun: &str) {
    if lines.len() <= room {
        return;
    }
    let hidden = lines.len() - room;
    if room < 3 {
        lines.truncate(room);
        if let Some(last) = lines.last_mut() {
            last.spans.insert(
                0,
                cx.span(ScreenRole::Dim, &format!("(+{hidden} more: e) ")),
            );
        }
        return;
    }
    lines.truncate(room - 1);
    let more = format!("  and {}: e", count(hidden + 1, &format!("more {noun}")));
    lines.push(Line::from(cx.span(ScreenRole::Dim, &more)));
}

/// Red if an HPA cannot scale or lacks pods, yellow if that may end by itself.
pub(super) fn alarm_role(kind: AlarmKind) -> ScreenRole {
    if kind.is_severe() {
        ScreenRole::Severe
    } else {
        ScreenRole::Badge
    }
}

/// The alarms of an HPA at the viewed time, a line each, without those of `shared` causes.
pub(super) fn alarms(
    cx: &DrawContext<'_>,
    row: &HpaRow<'_>,
    shared: &[SharedCause<'_>],
) -> Vec<Line<'static>> {
    let clock = cx.clock();
    row.alarms()
        .iter()
        .filter(|alarm| !shared.iter().any(|cause| cause.has(alarm)))
        .map(|alarm| {
            let since = format!(
                " since {} ({}): ",
                clock.time(alarm.since),
                clock.ago(alarm.since)
            );
            Line::from(vec![
                cx.span(
                    alarm_role(alarm.kind),
                    &format!("! {}", alarm.kind.as_str()),
                ),
                cx.span(ScreenRole::Dim, &since),
                cx.span(ScreenRole::Text, &alarm.text),
            ])
        })
        .collect()
}

/// The Events on the HPA and what happened to it without an Event, up to the viewed time, newest first, a line each.
pub(super) fn events(cx: &DrawContext<'_>, row: &HpaRow<'_>) -> Vec<Line<'static>> {
    let context = &row.hpa.latest.assessment.context;
    let events = context
        .events
        .iter()
        .filter(|event| row.is_latest || event.first.or(event.last).is_none_or(|at| at <= cx.at))
        .map(|event| (event.last.or(event.first), line(cx, event)));
    let notes = row.hpa.notes(cx.at).filter_map(|note| {
        let text = noted(&note.change, &cx.options.zone)?;
        let time = cx.span(
            ScreenRole::Dim,
            &format!("  {} ", cx.clock_now().time(note.at)),
        );
        let line = Line::from(vec![time, cx.span(ScreenRole::Strong, &text)]);
        Some((Some(note.at), line))
    });
    let mut lines: Vec<_> = notes.chain(events).collect();
    lines.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    lines.into_iter().map(|(_, line)| line).collect()
}

fn line(cx: &DrawContext<'_>, event: &KubeEvent) -> Line<'static> {
    let clock = cx.clock_now();
    let at = event.last.or(event.first);
    let at = at.map_or_else(|| "?".to_owned(), |at| clock.time(at));
    let is_warning = event.event_type == "Warning";
    let (role, mark) = if is_warning {
        (ScreenRole::Warning, "!")
    } else {
        (ScreenRole::Dim, " ")
    };
    let times = match event.count {
        ..=1 => String::new(),
        count => format!(" ×{count}"),
    };
    Line::from(vec![
        cx.span(role, &format!("{mark} ")),
        cx.span(ScreenRole::Dim, &format!("{at} ")),
        cx.span(ScreenRole::Strong, &format!("{}{times} ", event.reason)),
        cx.span(ScreenRole::Text, &event.message),
    ])
}
