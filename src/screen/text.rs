//! Texts made to fit.

use ratatui::{buffer::Buffer, layout::Rect, text::Line};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The text, cut at its end to `width` columns.
pub(super) fn cut(text: &str, width: usize, ellipsis: &str) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut cut = head(text, width.saturating_sub(ellipsis.width())).to_owned();
    cut.push_str(head(ellipsis, width));
    cut
}

/// The text, cut in its middle to `width` columns: of a long name the end tells more than the beginning.
pub(super) fn cut_middle(text: &str, width: usize, ellipsis: &str) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(ellipsis.width());
    let end = tail(text, room - room / 3);
    let start = head(text, room.saturating_sub(end.width()));
    format!("{start}{}{end}", head(ellipsis, width))
}

/// The text, filled up with blanks on the right to `width` columns.
pub(super) fn pad(text: &str, width: usize) -> String {
    let blanks = width.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(blanks))
}

/// Draws one line of `area`, the first being 0; nothing if it lies outside.
pub(super) fn draw_line(buffer: &mut Buffer, area: Rect, row: u16, line: &Line<'_>) {
    let area = area.intersection(buffer.area);
    if row < area.height && 0 < area.width {
        buffer.set_line(area.x, area.y + row, line, area.width);
    }
}

/// As much of the beginning as `width` columns hold.
pub(super) fn head(text: &str, width: usize) -> &str {
    let mut used = 0;
    let end = text
        .char_indices()
        .find(|(_, letter)| {
            used += letter.width().unwrap_or_default();
            width < used
        })
        .map_or(text.len(), |(index, _)| index);
    &text[..end]
}

/// As much of the end as `width` columns hold.
fn tail(text: &str, width: usize) -> &str {
    let mut used = 0;
    let start = text
        .char_indices()
        .rev()
        .take_while(|(_, letter)| {
            used += letter.width().unwrap_or_default();
            used <= width
        })
        .last()
        .map_or(text.len(), |(index, _)| index);
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_by_columns_and_never_through_a_letter() {
        assert_eq!(cut("frontend", 8, "…"), "frontend");
        assert_eq!(cut("frontend", 6, "…"), "front…");
        assert_eq!(cut("小さい木", 5, "…"), "小さ…");
        assert_eq!(cut("小さい木", 4, "…"), "小…");
        assert_eq!(cut("frontend", 1, ".."), ".");
        assert_eq!(cut("frontend", 0, "…"), "");
    }

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(cut_middle("shop-production-web", 10, "…"), "sho…on-web");
        assert_eq!(cut_middle("小さい木の名前", 7, "…"), "小…名前");
        assert_eq!(cut_middle("web", 0, "…"), "");
    }
}
