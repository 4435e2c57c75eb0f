//! The pods that the selector matches by class: a bar, the counts, and a list of those that are not ready.

use hpa_analysis::own_pods;
use hpa_engine::model::{Pod, PodPhase};
use hpa_watch::PodCounts;
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    cx::{DrawContext, HpaRow},
    palette::ScreenRole,
    text::draw_line,
};

/// Draws the pods in one line.
pub(super) fn draw(cx: &DrawContext<'_>, buffer: &mut Buffer, area: Rect, row: &HpaRow<'_>) {
    let mut spans = vec![cx.span(ScreenRole::Title, "pods  ")];
    let Some(pods) = row.entry.map(|entry| entry.pods) else {
        spans.push(cx.span(ScreenRole::Dim, "not seen"));
        draw_line(buffer, area, 0, &Line::from(spans));
        return;
    };
    if pods.all == 0 {
        spans.push(cx.span(ScreenRole::Text, "none match the selector"));
        draw_line(buffer, area, 0, &Line::from(spans));
        return;
    }
    let classes = classes(&pods);
    let glyphs = cx.glyphs().pods;
    let width = usize::from(area.width / 5).clamp(6, 40);
    let counts = classes.map(|(_, count, _)| count);
    for ((role, ..), (glyph, cells)) in classes.iter().zip(glyphs.iter().zip(share(counts, width)))
    {
        spans.push(Span::styled(glyph.repeat(cells), cx.style(*role)));
    }
    for ((role, count, name), glyph) in classes.iter().zip(glyphs) {
        if *count != 0 {
            spans.push(Span::raw("  "));
            spans.push(Span::styled(glyph, cx.style(*role)));
            spans.push(Span::raw(format!(" {count} {name}")));
        }
    }
    if pods.no_metrics != 0 {
        let text = format!("  ! {} without a sample", pods.no_metrics);
        spans.push(cx.span(ScreenRole::Warning, &text));
    }
    draw_line(buffer, area, 0, &Line::from(spans));
}

/// The pods that are not ready, a line each: state, time and reason.
pub(super) fn not_ready(cx: &DrawContext<'_>, row: &HpaRow<'_>) -> Vec<Line<'static>> {
    let observation = &row.hpa.latest.assessment.observation;
    if observation.pods.read().is_none() {
        let text = "The pods cannot be read.";
        return vec![cx.span(ScreenRole::Warning, text).into()];
    }
    let clock = cx.clock();
    let context = &row.hpa.latest.assessment.context;
    let mut pods: Vec<&Pod> = own_pods(observation, context)
        .into_iter()
        .filter(|pod| {
            pod.phase != PodPhase::Succeeded && !(pod.is_ready() && pod.deleted.is_none())
        })
        .collect();
    pods.sort_by_key(|pod| (state(pod).1, &pod.name));
    let mut lines: Vec<Line<'static>> = pods
        .into_iter()
        .map(|pod| {
            let (role, state) = state(pod);
            let age = pod.created.map_or_else(String::new, |created| {
                format!(", {} old", clock.ago(created))
            });
            let why = pod.waiting.as_deref().unwrap_or("no reason in its status");
            Line::from(vec![
                cx.span(ScreenRole::Strong, &pod.name),
                cx.span(role, &format!(" {state}{age}: ")),
                cx.span(ScreenRole::Text, why),
            ])
        })
        .collect();
    if lines.is_empty() {
        let text = "All pods of the target are ready.";
        lines.push(cx.span(ScreenRole::Text, text).into());
    }
    lines
}

/// The class of a pod that is not ready, as in the bar.
fn state(pod: &Pod) -> (ScreenRole, &'static str) {
    if pod.deleted.is_some() {
        (ScreenRole::Dim, "is being deleted")
    } else if pod.phase == PodPhase::Failed {
        (ScreenRole::Dim, "failed")
    } else if !pod.has_node() {
        (ScreenRole::Unscheduled, "not scheduled")
    } else if pod.phase == PodPhase::Pending {
        (ScreenRole::Starting, "starting")
    } else {
        (ScreenRole::Unready, "not ready")
    }
}

fn classes(pods: &PodCounts) -> [(ScreenRole, usize, &'static str); 5] {
    [
        (ScreenRole::Ready, pods.ready, "ready"),
        (ScreenRole::Unready, pods.not_ready, "not ready"),
        (ScreenRole::Starting, pods.starting, "starting"),
        (ScreenRole::Unscheduled, pods.unscheduled, "not scheduled"),
        (ScreenRole::Dim, pods.ignored, "ignored"),
    ]
}

/// Divides `width` cells in proportion to the counts; every class that is not empty has a cell.
fn share(counts: [usize; 5], width: usize) -> [usize; 5] {
    let all: usize = counts.iter().sum();
    let mut cells = counts.map(|count| match count {
        0 => 0,
        _ => (count * width / all.max(1)).max(1),
    });
    // The rounding error goes to the largest.
    let used: usize = cells.iter().sum();
    if let Some(largest) = (0..cells.len()).max_by_key(|index| cells[*index]) {
        cells[largest] = (cells[largest] + width).saturating_sub(used).max(1);
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_that_is_there_has_a_cell_and_the_bar_has_its_width() {
        assert_eq!(share([8, 0, 0, 0, 0], 10), [10, 0, 0, 0, 0]);
        assert_eq!(share([197, 1, 1, 1, 0], 10), [7, 1, 1, 1, 0]);
        assert_eq!(share([6, 2, 0, 0, 0], 16), [12, 4, 0, 0, 0]);
        assert_eq!(share([1, 1, 1, 0, 0], 10), [3, 3, 4, 0, 0]);
    }
}
