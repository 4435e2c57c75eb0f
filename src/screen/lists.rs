//! What asks for attention: the alarms that are on, and the events on the HPA, newest first.

use super::text::{cut_line, draw_line};
use ratatui::{buffer::Buffer, layout::Rect, text::Line};

use super::{
    palette::Role,
    scene::{Scene, Shown},
};
use crate::{explain::amount::count, model::KubeEvent};

/// Draws as many alarms and events as fit; the alarms come first, but leave a line to the events.
pub(super) fn draw(scene: &Scene<'_>, buffer: &mut Buffer, area: Rect, shown: &Shown<'_>) {
    let room = usize::from(area.height);
    let mut alarms = alarms(scene, shown);
    let mut events = events(scene, shown);
    let for_events = usize::from(!events.is_empty() && 1 < room);
    limit(scene, &mut alarms, room.saturating_sub(for_events), "alarm");
    let left = room.saturating_sub(alarms.len());
    limit(scene, &mut events, left, "event");
    let ellipsis = scene.glyphs().ellipsis;
    for (row, line) in (0..area.height).zip(alarms.iter().chain(&events)) {
        let line = cut_line(line, area.width.into(), ellipsis);
        draw_line(buffer, area, row, &line);
    }
}

/// Cuts a list to `room` lines, of which the last says how many more there are.
fn limit(scene: &Scene<'_>, lines: &mut Vec<Line<'static>>, room: usize, noun: &str) {
    if lines.len() <= room {
        return;
    }
    let hidden = lines.len() - room;
    if room < 3 {
        lines.truncate(room);
        if let Some(last) = lines.last_mut() {
            last.spans
                .insert(0, scene.span(Role::Dim, &format!("(+{hidden} more: e) ")));
        }
        return;
    }
    lines.truncate(room - 1);
    let more = format!("  and {}: e", count(hidden + 1, &format!("more {noun}")));
    lines.push(Line::from(scene.span(Role::Dim, &more)));
}

/// All alarms of an HPA at the time that is looked at, a line each.
pub(super) fn alarms(scene: &Scene<'_>, shown: &Shown<'_>) -> Vec<Line<'static>> {
    let clock = scene.clock();
    shown
        .alarms()
        .iter()
        .map(|alarm| {
            let since = format!(
                " since {} ({}): ",
                clock.time(alarm.since),
                clock.ago(alarm.since)
            );
            Line::from(vec![
                scene.span(Role::Badge, &format!("! {}", alarm.kind.as_str())),
                scene.span(Role::Dim, &since),
                scene.span(Role::Text, &alarm.text),
            ])
        })
        .collect()
}

/// The events on the HPA up to the time that is looked at, newest first, a line each.
pub(super) fn events(scene: &Scene<'_>, shown: &Shown<'_>) -> Vec<Line<'static>> {
    let mut events: Vec<&KubeEvent> = shown
        .hpa
        .latest
        .assessment
        .context
        .events
        .iter()
        .filter(|event| {
            shown.is_latest || event.first.or(event.last).is_none_or(|at| at <= scene.at)
        })
        .collect();
    events.sort_by_key(|event| std::cmp::Reverse(event.last.or(event.first)));
    events.into_iter().map(|event| line(scene, event)).collect()
}

fn line(scene: &Scene<'_>, event: &KubeEvent) -> Line<'static> {
    let clock = scene.clock_now();
    let at = event.last.or(event.first);
    let at = at.map_or_else(|| "?".to_owned(), |at| clock.time(at));
    let is_warning = event.event_type == "Warning";
    let (role, mark) = if is_warning {
        (Role::Warning, "!")
    } else {
        (Role::Dim, " ")
    };
    let times = match event.count {
        ..=1 => String::new(),
        count => format!(" ×{count}"),
    };
    Line::from(vec![
        scene.span(role, &format!("{mark} ")),
        scene.span(Role::Dim, &format!("{at} ")),
        scene.span(Role::Strong, &format!("{}{times} ", event.reason)),
        scene.span(Role::Text, &event.message),
    ])
}
