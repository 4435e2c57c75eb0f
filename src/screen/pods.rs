//! The pods behind the selector by class: a bar, and the numbers.

use super::text::draw_line;
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    cx::{DrawContext, HpaRow},
    palette::ScreenRole,
};
use crate::watch::PodCounts;

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
    if pods.without_sample != 0 {
        let text = format!("  ! {} without a sample", pods.without_sample);
        spans.push(cx.span(ScreenRole::Warning, &text));
    }
    draw_line(buffer, area, 0, &Line::from(spans));
}

fn classes(pods: &PodCounts) -> [(ScreenRole, usize, &'static str); 5] {
    [
        (ScreenRole::Ready, pods.ready, "ready"),
        (ScreenRole::Unready, pods.unready, "not ready"),
        (ScreenRole::Starting, pods.starting, "starting"),
        (ScreenRole::Unscheduled, pods.unscheduled, "not scheduled"),
        (ScreenRole::Dim, pods.ignored, "ignored"),
    ]
}

/// Divides `width` cells in proportion to the counts; whatever is there at all has a cell.
fn share(counts: [usize; 5], width: usize) -> [usize; 5] {
    let all: usize = counts.iter().sum();
    let mut cells = counts.map(|count| match count {
        0 => 0,
        _ => (count * width / all.max(1)).max(1),
    });
    // Rounding is taken from, or given to, the largest.
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
