//! The pods behind the selector by class: a bar, and the numbers.

use super::text::draw_line;
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    palette::Role,
    scene::{Scene, Shown},
};
use crate::watch::PodCounts;

/// Draws the pods in one line.
pub(super) fn draw(scene: &Scene<'_>, buffer: &mut Buffer, area: Rect, shown: &Shown<'_>) {
    let mut spans = vec![scene.span(Role::Title, "pods  ")];
    let Some(pods) = shown.moment.map(|moment| moment.pods) else {
        spans.push(scene.span(Role::Dim, "not seen"));
        draw_line(buffer, area, 0, &Line::from(spans));
        return;
    };
    if pods.all == 0 {
        spans.push(scene.span(Role::Text, "none match the selector"));
        draw_line(buffer, area, 0, &Line::from(spans));
        return;
    }
    let classes = classes(&pods);
    let glyphs = scene.glyphs().pods;
    let width = usize::from(area.width / 5).clamp(6, 40);
    let counts = classes.map(|(_, count, _)| count);
    for ((role, ..), (glyph, cells)) in classes.iter().zip(glyphs.iter().zip(share(counts, width)))
    {
        spans.push(Span::styled(glyph.repeat(cells), scene.style(*role)));
    }
    for ((role, count, name), glyph) in classes.iter().zip(glyphs) {
        if *count != 0 {
            spans.push(Span::raw("  "));
            spans.push(Span::styled(glyph, scene.style(*role)));
            spans.push(Span::raw(format!(" {count} {name}")));
        }
    }
    if pods.without_sample != 0 {
        let text = format!("  ! {} without a sample", pods.without_sample);
        spans.push(scene.span(Role::Warning, &text));
    }
    draw_line(buffer, area, 0, &Line::from(spans));
}

fn classes(pods: &PodCounts) -> [(Role, usize, &'static str); 5] {
    [
        (Role::Ready, pods.ready, "ready"),
        (Role::Unready, pods.unready, "not ready"),
        (Role::Starting, pods.starting, "starting"),
        (Role::Unscheduled, pods.unscheduled, "not scheduled"),
        (Role::Dim, pods.ignored, "ignored"),
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
