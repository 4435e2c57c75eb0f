//! The first line: what is watched, how many, and which time is shown.

use super::text::{cut_line, draw_line};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr as _;

use super::{
    options::Mode,
    palette::Role,
    scene::{Scene, Shown},
};
use crate::explain::{
    amount::count,
    clock::{duration, rough},
};

/// Draws the first line.
pub(super) fn draw(
    scene: &Scene<'_>,
    buffer: &mut Buffer,
    area: Rect,
    rows: &[Shown<'_>],
    filter: &str,
) {
    buffer.set_style(area.intersection(buffer.area), scene.style(Role::Bar));
    let time = time(scene);
    let room = usize::from(area.width).saturating_sub(time.width() + 1);
    let lost = lost(scene).map(|text| scene.span(Role::Badge, &text));
    let rest = Span::styled(
        scene.clean(&left(scene, rows, filter)),
        scene.style(Role::Bar),
    );
    let left = lost.into_iter().chain([rest]).collect::<Line<'_>>();
    let left = cut_line(&left, room, scene.glyphs().ellipsis);
    draw_line(buffer, area, 0, &left);
    let width = u16::try_from(time.width())
        .unwrap_or(u16::MAX)
        .min(area.width);
    let at = Rect::new(area.right() - width, area.y, width, 1);
    let role = if scene.is_past { Role::Past } else { Role::Bar };
    draw_line(
        buffer,
        at,
        0,
        &Line::from(Span::styled(time, scene.style(role))),
    );
}

/// ` NOT CONNECTED since 05:11:58, data 43 s old `, if nothing is heard of the API server.
fn lost(scene: &Scene<'_>) -> Option<String> {
    let (lost, age) = (scene.state.lost()?, scene.lost_for?);
    let since = scene.clock_now().time(lost.since);
    Some(format!(
        " NOT CONNECTED since {since}, data {} old ",
        rough(age)
    ))
}

fn left(scene: &Scene<'_>, rows: &[Shown<'_>], filter: &str) -> String {
    let what = match scene.options.mode {
        Mode::Live => "watch",
        Mode::Replay => "replay",
    };
    let all = scene.state.hpas.len();
    let hpas = if rows.len() == all {
        count(all, "HPA")
    } else {
        format!(
            "{} of {}, filter \"{filter}\"",
            rows.len(),
            count(all, "HPA")
        )
    };
    let alarms: usize = rows.iter().map(|shown| shown.alarms().len()).sum();
    let alarms = match alarms {
        0 => "no alarm".to_owned(),
        more => format!("! {}", count(more, "alarm")),
    };
    format!(" {what} · {hpas} · {alarms} · {}", scene.options.title)
}

fn time(scene: &Scene<'_>) -> String {
    let time = scene.clock_now().time(scene.at);
    if scene.is_past {
        let ago = jiff::SignedDuration::from_secs(scene.now.duration_since(scene.at).as_secs());
        return scene.clean(&format!(" PAST {time}, {} ago ", duration(ago)));
    }
    match scene.options.mode {
        Mode::Live => format!(" {time} "),
        Mode::Replay => format!(" {} ", scene.clock_now().full(scene.at)),
    }
}
