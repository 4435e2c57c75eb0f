//! The last lines: what cannot be read, how sure the memory is, where in its period the controller is, and the keys.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    palette::Role,
    scene::{Scene, Shown},
};
use crate::{explain::clock::rough, inference::MemoryBasis, watch::Source};

/// Draws the state of the reading and, below it, the keys.
pub(super) fn draw(
    scene: &Scene<'_>,
    buffer: &mut Buffer,
    area: Rect,
    shown: Option<&Shown<'_>>,
    message: Option<&str>,
) {
    let line = match message {
        Some(message) => {
            Line::from(scene.span(Role::Strong, &scene.cut(message, area.width.into())))
        }
        None => state(scene, shown),
    };
    scene.line(buffer, area, 0, &line);
    scene.line(buffer, area, 1, &keys(scene));
}

fn state(scene: &Scene<'_>, shown: Option<&Shown<'_>>) -> Line<'static> {
    let mut spans = Vec::new();
    match scene.state.troubles.iter().next() {
        None => spans.push(scene.span(Role::Text, "reads well")),
        Some((source, trouble)) => {
            let more = match scene.state.troubles.len() {
                1 => String::new(),
                all => format!(" (+{})", all - 1),
            };
            let text = format!(
                "! {} can't be read since {}{more}: {}",
                name(source),
                scene.clock_now().time(trouble.since),
                trouble.why
            );
            spans.push(scene.span(Role::Badge, &text));
        }
    }
    if let Some(shown) = shown {
        let dot = scene.glyphs().dot;
        spans.push(Span::raw(format!(" {dot} ")));
        spans.push(memory(scene, shown));
        if let Some(at) = shown.hpa.reconciled_at.filter(|_| shown.is_latest) {
            let ago = rough(-scene.until(at).min(jiff::SignedDuration::ZERO));
            spans.push(scene.span(Role::Text, &format!(" · synced {ago} ago")));
        }
    }
    Line::from(spans)
}

/// Whether what the controller remembers was seen, or is worked out.
fn memory(scene: &Scene<'_>, shown: &Shown<'_>) -> Span<'static> {
    let seen = &shown.hpa.latest;
    if seen.is_memory_observed {
        scene.span(Role::Text, "memory observed")
    } else if seen.look.memory_basis == MemoryBasis::Inferred {
        scene.span(Role::Warning, "memory inferred from status and Events")
    } else {
        scene.span(
            Role::Warning,
            "memory inferred, a window not seen whole yet",
        )
    }
}

fn name(source: &Source) -> String {
    match source {
        Source::Watch { resource } => resource.clone(),
        Source::Metrics { api, namespace } => format!("{api} of {namespace}"),
    }
}

fn keys(scene: &Scene<'_>) -> Line<'static> {
    let keys = [
        ("Enter", "explain"),
        ("/", "filter"),
        ("?", "help"),
        ("q", "quit"),
    ];
    let mut spans = Vec::new();
    for (key, what) in keys {
        spans.push(scene.span(Role::Key, key));
        spans.push(scene.span(Role::Dim, &format!(" {what}  ")));
    }
    Line::from(spans)
}
