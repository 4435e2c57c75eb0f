//! The first line: what is watched, how many HPAs, and the viewed time.

use hpa_words::{
    amount::count,
    clock::{duration, rough},
};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr as _;

use super::{
    causes::alarm_count,
    cx::{DrawContext, HpaRow},
    options::Mode,
    palette::ScreenRole,
    text::{cut_line, draw_line},
};

/// Draws the first line.
pub(super) fn draw(
    cx: &DrawContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    rows: &[HpaRow<'_>],
    filter: &str,
) {
    buffer.set_style(area.intersection(buffer.area), cx.style(ScreenRole::Bar));
    let time = time(cx);
    let room = usize::from(area.width).saturating_sub(time.width() + 1);
    let alarms = alarms(rows);
    let rest = left(cx, rows, filter, &alarms);
    // No badge covers the number of alarms.
    let lost = lost(cx, room.saturating_sub(alarms.width() + 2));
    let lost = lost.map(|text| cx.span(ScreenRole::Badge, &text));
    let rest = Span::styled(cx.clean(&rest), cx.style(ScreenRole::Bar));
    let left = lost.into_iter().chain([rest]).collect::<Line<'_>>();
    let left = cut_line(&left, room, cx.glyphs().ellipsis);
    draw_line(buffer, area, 0, &left);
    let width = u16::try_from(time.width())
        .unwrap_or(u16::MAX)
        .min(area.width);
    let at = Rect::new(area.right() - width, area.y, width, 1);
    let role = if cx.is_past {
        ScreenRole::Past
    } else {
        ScreenRole::Bar
    };
    draw_line(
        buffer,
        at,
        0,
        &Line::from(Span::styled(time, cx.style(role))),
    );
}

/// ` NOT CONNECTED since 05:11:58, data 43 s old `, or less in a narrower room, if the API server does not answer.
fn lost(cx: &DrawContext<'_>, room: usize) -> Option<String> {
    let (lost, age) = (cx.state.lost()?, cx.lost_for?);
    let short = " NOT CONNECTED";
    let since = format!("{short} since {}", cx.clock_now().time(lost.since));
    let full = format!("{since}, data {} old", rough(age));
    let fitting = [full, since].into_iter().find(|text| text.width() < room);
    Some(fitting.unwrap_or_else(|| short.to_owned()) + " ")
}

/// What is watched; while the API server does not answer, the alarms come first.
fn left(cx: &DrawContext<'_>, rows: &[HpaRow<'_>], filter: &str, alarms: &str) -> String {
    let what = match cx.options.mode {
        Mode::Live => "watch",
        Mode::Replay => "replay",
    };
    let all = cx.state.hpas.len();
    let hpas = if rows.len() == all {
        count(all, "HPA")
    } else {
        format!(
            "{} of {}, filter \"{filter}\"",
            rows.len(),
            count(all, "HPA")
        )
    };
    let title = &cx.options.title;
    if cx.lost_for.is_some() {
        return format!(" {alarms} · {hpas} · {what} · {title}");
    }
    format!(" {what} · {hpas} · {alarms} · {title}")
}

/// `! 13 alarms`.
fn alarms(rows: &[HpaRow<'_>]) -> String {
    match alarm_count(rows) {
        0 => "no alarm".to_owned(),
        more => format!("! {}", count(more, "alarm")),
    }
}

fn time(cx: &DrawContext<'_>) -> String {
    let time = cx.clock_now().time(cx.at);
    if cx.is_past {
        let ago = jiff::SignedDuration::from_secs(cx.now.duration_since(cx.at).as_secs());
        return cx.clean(&format!(" PAST {time}, {} ago ", duration(ago)));
    }
    match cx.options.mode {
        Mode::Live => format!(" {time} "),
        Mode::Replay => format!(" {} ", cx.clock_now().full(cx.at)),
    }
}
