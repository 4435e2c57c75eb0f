//! The last lines: what cannot be read, how certain the recommendation history is, the position in the sync period,
//! and the keys.

use hpa_analysis::MemoryBasis;
use hpa_engine::model::Source;
use hpa_render::watch::source_name;
use hpa_words::clock::rough;
use jiff::SignedDuration;
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    cx::{DrawContext, HpaRow},
    options::Mode,
    palette::ScreenRole,
    rows::{SortColumn, Sorting},
    text::{cut_line, draw_line},
};

/// The screen's own messages.
pub(super) struct StatusBar<'a> {
    /// A message in response to a key.
    pub(super) message: Option<&'a str>,
    pub(super) sorting: Sorting,
    /// The span of the charts.
    pub(super) minutes: i64,
}

/// Draws the state of reading and, below it, the keys. If there is only one line, it shows problems.
pub(super) fn draw(
    cx: &DrawContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    row: Option<&HpaRow<'_>>,
    status: &StatusBar<'_>,
) {
    let is_important = status.message.is_some() || !cx.state.failures.is_empty();
    if 1 < area.height || is_important {
        let line = match status.message {
            Some(message) => {
                let message = cx.cut(message, area.width.into());
                Line::from(cx.span(ScreenRole::Strong, &message))
            }
            None => cut_line(
                &state(cx, row, status),
                area.width.into(),
                cx.glyphs().ellipsis,
            ),
        };
        draw_line(buffer, area, 0, &line);
    }
    if 1 < area.height || !is_important {
        let line = keys(cx, area.width.into());
        draw_line(buffer, area, area.height.saturating_sub(1), &line);
    }
}

fn state(cx: &DrawContext<'_>, row: Option<&HpaRow<'_>>, status: &StatusBar<'_>) -> Line<'static> {
    let mut parts = Vec::new();
    if let Some((source, failure)) = cx.state.failures.iter().next() {
        let more = match cx.state.failures.len() {
            1 => String::new(),
            all => format!(" (+{})", all - 1),
        };
        let (since, why) = (cx.clock_now().time(failure.since), &failure.why);
        let text = match source_name(source) {
            _ if *source == Source::Server => format!("! {why}; nothing is judged meanwhile"),
            Some(name) => format!("! {name} cannot be read since {since}{more}: {why}"),
            None => format!("! {why}, since {since}{more}"),
        };
        parts.push(cx.span(ScreenRole::Badge, &text));
    } else if cx.options.mode == Mode::Live {
        parts.push(cx.span(ScreenRole::Text, "all is read"));
    }
    if let Some(row) = row {
        parts.push(sync(cx, row));
        parts.push(memory(cx, row));
    }
    if status.sorting.column != SortColumn::default() || status.sorting.is_reversed {
        let text = status.sorting.in_words();
        parts.push(cx.span(ScreenRole::Text, &text));
    }
    let span = rough(cx.seen_span(status.minutes));
    parts.push(cx.span(ScreenRole::Dim, &format!("charts: {span}")));
    let dot = format!(" {} ", cx.glyphs().dot);
    let mut spans = Vec::new();
    for part in parts.into_iter().filter(|part| !part.content.is_empty()) {
        if !spans.is_empty() {
            spans.push(Span::styled(dot.clone(), cx.style(ScreenRole::Dim)));
        }
        spans.push(part);
    }
    Line::from(spans)
}

/// The controller's position in its sync period: `synced 7 s ago, next in about 8 s`.
fn sync(cx: &DrawContext<'_>, row: &HpaRow<'_>) -> Span<'static> {
    let Some(at) = row.hpa.reconciled_at.filter(|_| row.is_latest) else {
        return Span::default();
    };
    if row.deleted_at.is_some() || cx.lost_for.is_some() {
        return Span::default();
    }
    if let Some(end) = cx.recording_end(row) {
        let end = cx.clock_now().time(end);
        return cx.span(ScreenRole::Warning, &format!("its recording ends at {end}"));
    }
    let since = (-cx.until(at)).max(SignedDuration::ZERO);
    let period = row.hpa.latest.assessment.observation.sync_period().value;
    let ago = rough(since);
    let (role, text) = if since <= period {
        let (earliest, latest) = row.hpa.next_sync(cx.at);
        let next = match rough(latest) {
            left if earliest == latest => format!("in about {left}"),
            left => format!("within {left}"),
        };
        (ScreenRole::Text, format!("synced {ago} ago, next {next}"))
    } else if since <= period * 3 {
        (ScreenRole::Text, format!("synced {ago} ago"))
    } else {
        (ScreenRole::Warning, format!("! not synced for {ago}"))
    };
    cx.span(role, &text)
}

/// Whether the recommendation history was observed or inferred.
fn memory(cx: &DrawContext<'_>, row: &HpaRow<'_>) -> Span<'static> {
    let seen = &row.hpa.latest;
    if !row.is_latest {
        Span::default()
    } else if seen.is_memory_observed {
        cx.span(ScreenRole::Text, "history observed")
    } else if seen.has_restarted {
        cx.span(
            ScreenRole::Warning,
            "controller restarted, remembers nothing",
        )
    } else if seen.assessment.analysis.memory_basis == MemoryBasis::Inferred {
        cx.span(ScreenRole::Warning, "history inferred")
    } else {
        cx.span(ScreenRole::Warning, "history inferred in part")
    }
}

/// The most important keys, as many as fit.
fn keys(cx: &DrawContext<'_>, width: usize) -> Line<'static> {
    let arrows = if cx.options.has_unicode {
        "← →"
    } else {
        "[ ]"
    };
    let first = if cx.is_past {
        vec![(".", "now"), (arrows, "step"), ("{ }", "change")]
    } else if cx.options.mode == Mode::Replay {
        vec![
            ("Space", "play"),
            ("< >", "speed"),
            (arrows, "step"),
            ("n a d", "jump"),
        ]
    } else {
        vec![(arrows, "past"), ("Space", "pause")]
    };
    let always = [
        ("?", "help"),
        ("q", "quit"),
        ("Enter", "explain"),
        ("/", "filter"),
        ("t", "table"),
        ("e", "events"),
        ("!", "alarm"),
        ("p", "pods"),
        ("f", "simulate"),
        ("s", "sort"),
        ("y", "copy"),
        ("m", "mark"),
        ("w", "save"),
        ("+ -", "zoom"),
        ("Tab", "metric"),
    ];
    let (known, others) = always.split_at(3);
    let mut spans = Vec::new();
    let mut used = 0;
    for (key, what) in known.iter().chain(&first).chain(others) {
        let needed = key.chars().count() + 1 + what.len() + 2;
        if width + 2 < used + needed {
            break;
        }
        used += needed;
        spans.push(cx.span(ScreenRole::Key, key));
        spans.push(cx.span(ScreenRole::Dim, &format!(" {what}  ")));
    }
    Line::from(spans)
}
