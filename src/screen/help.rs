//! The help: all keys, and the meaning of the symbols.

use ratatui::text::Line;

use super::{
    cx::DrawContext,
    options::{Mode, TickKind},
    palette::ScreenRole,
};

/// The lines of the help.
pub(super) fn lines(cx: &DrawContext<'_>) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    section(cx, &mut lines, "Keys", EVERYWHERE);
    match cx.options.mode {
        Mode::Live => section(cx, &mut lines, "Time", LIVE),
        Mode::Replay => section(cx, &mut lines, "Replay", REPLAY),
    }
    section(cx, &mut lines, "Page", PAGE);
    section(cx, &mut lines, "Mouse", MOUSE);
    let glyphs = cx.glyphs();
    let ticks = [
        (TickKind::ScaledUp, "scaled up"),
        (TickKind::ScaledDown, "scaled down"),
        (TickKind::Alarm, "an alarm went on"),
        (
            TickKind::Disagreement,
            "the controller did something else than recomputed",
        ),
        (TickKind::Mark, "your mark"),
    ];
    heading(cx, &mut lines, "Marks on lines of time");
    for (kind, what) in ticks {
        entry(cx, &mut lines, glyphs.tick(kind), what);
    }
    heading(cx, &mut lines, "Charts");
    for (glyph, what) in [
        (
            glyphs.steps[0],
            "desired replicas; in a metric's chart its value as a multiple of the target",
        ),
        (glyphs.fill[7], "ready pods"),
        (
            glyphs.proposal,
            "what the metrics ask for, before window, policies and bounds",
        ),
        (glyphs.beyond, "the same, where it is above the chart"),
        (
            glyphs.bound,
            "minReplicas and maxReplicas; in a metric's chart the target",
        ),
        (glyphs.least, "the least that policies and bounds allow"),
        (glyphs.most, "the most that policies and bounds allow"),
        (
            glyphs.window,
            "what the stabilization window makes of the proposal",
        ),
        (glyphs.band, "the tolerance: within it nothing changes"),
        (glyphs.cross, "the metric cannot be read"),
    ] {
        entry(cx, &mut lines, glyph, what);
    }
    lines
}

fn section(
    cx: &DrawContext<'_>,
    lines: &mut Vec<Line<'static>>,
    title: &str,
    entries: &[(&str, &str)],
) {
    heading(cx, lines, title);
    for (key, what) in entries {
        entry(cx, lines, key, what);
    }
}

fn heading(cx: &DrawContext<'_>, lines: &mut Vec<Line<'static>>, title: &str) {
    if !lines.is_empty() {
        lines.push(Line::default());
    }
    lines.push(Line::from(cx.span(ScreenRole::Title, title)));
}

fn entry(cx: &DrawContext<'_>, lines: &mut Vec<Line<'static>>, key: &str, what: &str) {
    let key = if cx.options.has_unicode {
        key.to_owned()
    } else {
        key.replace("↑ ↓", "arrows").replace("← →", "arrows")
    };
    let key = format!("  {key:<20}");
    lines.push(Line::from(vec![
        cx.span(ScreenRole::Key, &key),
        cx.span(ScreenRole::Text, what),
    ]));
}

const EVERYWHERE: &[(&str, &str)] = &[
    ("↑ ↓, j k", "previous, next HPA"),
    ("PgUp PgDn", "a page of HPAs up, down"),
    ("Home End, g G", "first, last HPA"),
    ("Enter", "explain the chosen HPA at the time that is shown"),
    ("f", "simulate the next hour, if the load stays as it is"),
    ("!", "next HPA with an alarm"),
    ("e", "all alarms and events"),
    ("p", "the pods that are not ready, and why"),
    ("t", "the table first, the table alone, the charts first"),
    (
        "/",
        "filter by name, answer, rule or alarm; ! matches any alarm",
    ),
    ("s, S", "sort by the next column, reverse the order"),
    ("o", "keep the HPAs of a namespace together"),
    ("Tab, Shift-Tab", "next, previous metric in the charts"),
    ("+ -", "less, more time in the charts"),
    ("y", "copy the answer as text"),
    ("m", "mark this time with a note"),
    ("w", "save what was seen as a recording"),
    ("?", "this help"),
    ("Esc", "close what is open, back to now, clear the filter"),
    ("Ctrl-Z", "suspend"),
    ("q, Ctrl-C", "quit"),
];

const LIVE: &[(&str, &str)] = &[
    ("Space", "pause: keep this sync on the screen, or go on"),
    ("← →, [ ]", "previous, next sync"),
    ("{ }", "previous, next change of replicas or decision"),
    ("n N", "next, previous scaling"),
    ("a A", "next, previous alarm of the chosen HPA"),
    ("d D", "next, previous disagreement"),
    ("Shift-← Shift-→", "a minute back, forward"),
    (".", "now"),
];

const REPLAY: &[(&str, &str)] = &[
    ("Space", "play, pause"),
    ("< >", "slower, faster: 1 to 60 times"),
    ("← →, [ ]", "previous, next sync"),
    ("n N", "next, previous scaling"),
    ("a A", "next, previous alarm"),
    ("d D", "next, previous disagreement"),
    ("Shift-← Shift-→", "a minute back, forward"),
    ("0 .", "start, end"),
];

const PAGE: &[(&str, &str)] = &[
    ("↑ ↓, j k", "scroll; PgUp PgDn Home End as well"),
    ("← →", "scroll sideways"),
    ("/", "search"),
    ("n N", "next, previous match"),
    ("r", "explain again, as it is now"),
    ("Esc, q", "back"),
];

const MOUSE: &[(&str, &str)] = &[
    (
        "click",
        "choose an HPA; in a chart or on the line of time: that time",
    ),
    ("double click", "explain the HPA"),
    ("wheel", "scroll"),
];
