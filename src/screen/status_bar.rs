//! The last lines: what cannot be read, how sure the memory is, where in its period the controller is, and the keys.

use super::text::{cut_line, draw_line};
use jiff::SignedDuration;
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    options::Mode,
    palette::Role,
    rows::{Column, Sorting},
    scene::{Scene, Shown},
};
use crate::{explain::clock::rough, inference::MemoryBasis, model::Source};

/// What the screen itself has to say.
pub(super) struct Status<'a> {
    /// What was told in answer to a key.
    pub(super) message: Option<&'a str>,
    pub(super) sorting: Sorting,
    /// What the charts span.
    pub(super) minutes: i64,
}

/// Draws the state of the reading and, below it, the keys. If there is one line only, what is wrong takes it.
pub(super) fn draw(
    scene: &Scene<'_>,
    buffer: &mut Buffer,
    area: Rect,
    shown: Option<&Shown<'_>>,
    status: &Status<'_>,
) {
    let is_important = status.message.is_some() || !scene.state.troubles.is_empty();
    if 1 < area.height || is_important {
        let line = match status.message {
            Some(message) => {
                let message = scene.cut(message, area.width.into());
                Line::from(scene.span(Role::Strong, &message))
            }
            None => cut_line(
                &state(scene, shown, status),
                area.width.into(),
                scene.glyphs().ellipsis,
            ),
        };
        draw_line(buffer, area, 0, &line);
    }
    if 1 < area.height || !is_important {
        let line = keys(scene, area.width.into());
        draw_line(buffer, area, area.height.saturating_sub(1), &line);
    }
}

fn state(scene: &Scene<'_>, shown: Option<&Shown<'_>>, status: &Status<'_>) -> Line<'static> {
    let mut parts = Vec::new();
    if let Some((source, trouble)) = scene.state.troubles.iter().next() {
        let more = match scene.state.troubles.len() {
            1 => String::new(),
            all => format!(" (+{})", all - 1),
        };
        let (since, why) = (scene.clock_now().time(trouble.since), &trouble.why);
        let text = match name(source) {
            _ if *source == Source::Server => format!("! {why}; nothing is judged meanwhile"),
            Some(name) => format!("! {name} can't be read since {since}{more}: {why}"),
            None => format!("! {why}, since {since}{more}"),
        };
        parts.push(scene.span(Role::Badge, &text));
    } else if scene.options.mode == Mode::Live {
        parts.push(scene.span(Role::Text, "all is read"));
    }
    if let Some(shown) = shown {
        parts.push(sync(scene, shown));
        parts.push(memory(scene, shown));
    }
    if status.sorting.column != Column::default() || status.sorting.is_reversed {
        let text = status.sorting.in_words();
        parts.push(scene.span(Role::Text, &text));
    }
    let span = rough(SignedDuration::from_mins(status.minutes));
    parts.push(scene.span(Role::Dim, &format!("charts: {span}")));
    let dot = format!(" {} ", scene.glyphs().dot);
    let mut spans = Vec::new();
    for part in parts.into_iter().filter(|part| !part.content.is_empty()) {
        if !spans.is_empty() {
            spans.push(Span::styled(dot.clone(), scene.style(Role::Dim)));
        }
        spans.push(part);
    }
    Line::from(spans)
}

/// Where in its period the controller is: `synced 7 s ago, next in about 8 s`.
fn sync(scene: &Scene<'_>, shown: &Shown<'_>) -> Span<'static> {
    let Some(at) = shown.hpa.reconciled_at.filter(|_| shown.is_latest) else {
        return Span::default();
    };
    if shown.gone_at.is_some() || scene.lost_for.is_some() {
        return Span::default();
    }
    if let Some(end) = scene.recording_end(shown) {
        let end = scene.clock_now().time(end);
        return scene.span(Role::Warning, &format!("its recording ends at {end}"));
    }
    let since = (-scene.until(at)).max(SignedDuration::ZERO);
    let period = shown.hpa.latest.assessment.observation.sync_period().value;
    let ago = rough(since);
    let (role, text) = if since <= period {
        let (earliest, latest) = shown.hpa.next_sync(scene.at);
        let next = match rough(latest) {
            left if earliest == latest => format!("in about {left}"),
            left => format!("within {left}"),
        };
        (Role::Text, format!("synced {ago} ago, next {next}"))
    } else if since <= period * 3 {
        (Role::Text, format!("synced {ago} ago"))
    } else {
        (Role::Warning, format!("! not synced for {ago}"))
    };
    scene.span(role, &text)
}

/// Whether what the controller remembers was seen, or is worked out.
fn memory(scene: &Scene<'_>, shown: &Shown<'_>) -> Span<'static> {
    let seen = &shown.hpa.latest;
    if !shown.is_latest {
        Span::default()
    } else if seen.is_memory_observed {
        scene.span(Role::Text, "history observed")
    } else if seen.has_restarted {
        scene.span(Role::Warning, "controller restarted, remembers nothing")
    } else if seen.assessment.look.memory_basis == MemoryBasis::Inferred {
        scene.span(Role::Warning, "history inferred")
    } else {
        scene.span(Role::Warning, "history inferred in part")
    }
}

/// What can't be read; none: everything can, but late.
fn name(source: &Source) -> Option<String> {
    match source {
        Source::Server => Some("the API server".to_owned()),
        Source::Watch { resource } => Some(resource.clone()),
        Source::Metrics { api, namespace } => Some(format!("{api} of {namespace}")),
        Source::Answers => None,
    }
}

/// The keys that matter most, as many as fit.
fn keys(scene: &Scene<'_>, width: usize) -> Line<'static> {
    let arrows = if scene.options.has_unicode {
        "← →"
    } else {
        "[ ]"
    };
    let first = if scene.is_past {
        vec![(".", "now"), (arrows, "step"), ("{ }", "change")]
    } else if scene.options.mode == Mode::Replay {
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
        ("e", "events"),
        ("s", "sort"),
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
        spans.push(scene.span(Role::Key, key));
        spans.push(scene.span(Role::Dim, &format!(" {what}  ")));
    }
    Line::from(spans)
}
