//! Fits texts to a width.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Cuts the end of a text to `width` columns.
pub(super) fn cut(text: &str, width: usize, ellipsis: &str) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut cut = head(text, width.saturating_sub(ellipsis.width())).to_owned();
    cut.push_str(head(ellipsis, width));
    cut
}

/// Cuts the end of a line to `width` columns.
pub(super) fn cut_line(line: &Line<'static>, width: usize, ellipsis: &str) -> Line<'static> {
    if line.width() <= width {
        return line.clone();
    }
    let mut room = width.saturating_sub(ellipsis.width());
    let mut spans = Vec::new();
    for span in &line.spans {
        let seen = head(&span.content, room);
        room -= seen.width();
        spans.push(Span::styled(seen.to_owned(), span.style));
        if seen.len() < span.content.len() {
            spans.push(Span::styled(head(ellipsis, width).to_owned(), span.style));
            break;
        }
    }
    Line {
        spans,
        ..line.clone()
    }
}

/// Wraps a line between words to `width` columns; all lines but the first are indented by `indent`.
pub(super) fn wrap_line(line: &Line<'static>, width: usize, indent: usize) -> Vec<Line<'static>> {
    let mut wrapped = Vec::new();
    let mut rest: Vec<(char, Style)> = line
        .spans
        .iter()
        .flat_map(|span| span.content.chars().map(|letter| (letter, span.style)))
        .collect();
    loop {
        let indented = if wrapped.is_empty() {
            0
        } else {
            indent.min(width / 2)
        };
        let room = width.saturating_sub(indented).max(2);
        let mut used = 0;
        let fitting = rest.iter().take_while(|(letter, _)| {
            used += letter.width().unwrap_or_default();
            used <= room
        });
        let fitting = fitting.count();
        let blank = (fitting < rest.len()).then(|| {
            rest[..=fitting]
                .iter()
                .rposition(|(letter, _)| *letter == ' ')
        });
        // A word longer than a line is cut at the end of the line.
        let end = blank
            .flatten()
            .filter(|blank| 0 < *blank)
            .unwrap_or(fitting);
        let after = rest.split_off(end);
        let mut spans = vec![Span::raw(" ".repeat(indented))];
        for piece in rest.chunk_by(|one, next| one.1 == next.1) {
            let text: String = piece.iter().map(|(letter, _)| letter).collect();
            spans.push(Span::styled(text, piece[0].1));
        }
        wrapped.push(Line::from(spans));
        rest = after
            .into_iter()
            .skip_while(|(letter, _)| *letter == ' ')
            .collect();
        if rest.is_empty() {
            return wrapped;
        }
    }
}

/// Cuts the middle of a text to `width` columns: the end of a long name matters more than its middle.
pub(super) fn cut_middle(text: &str, width: usize, ellipsis: &str) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(ellipsis.width());
    let end = tail(text, room - room / 3);
    let start = head(text, room.saturating_sub(end.width()));
    format!("{start}{}{end}", head(ellipsis, width))
}

/// Pads a text on the right to `width` columns.
pub(super) fn pad(text: &str, width: usize) -> String {
    let blanks = width.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(blanks))
}

/// Draws one line of `area`, the first being 0; nothing if it is outside.
pub(super) fn draw_line(buffer: &mut Buffer, area: Rect, row: u16, line: &Line<'_>) {
    let area = area.intersection(buffer.area);
    if row < area.height && 0 < area.width {
        buffer.set_line(area.x, area.y + row, line, area.width);
    }
}

/// As much of the start as fits into `width` columns.
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

/// As much of the end as fits into `width` columns.
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
    fn lines_are_cut_within_the_piece_that_has_no_room() {
        let text =
            |line: &Line<'_>| -> String { line.spans.iter().map(|span| &*span.content).collect() };
        let line = Line::from(vec![
            Span::raw("! alarm".to_owned()),
            Span::raw(" since".to_owned()),
        ]);
        assert_eq!(text(&cut_line(&line, 13, "…")), "! alarm since");
        assert_eq!(text(&cut_line(&line, 12, "…")), "! alarm sin…");
        assert_eq!(text(&cut_line(&line, 8, "…")), "! alarm…");
        assert_eq!(text(&cut_line(&line, 7, "...")), "! al...");
        assert_eq!(text(&cut_line(&line, 2, "...")), "..");
    }

    #[test]
    fn lines_are_wrapped_between_words_and_keep_their_colors() {
        let bold = Style::new().bold();
        let line = Line::from(vec![
            Span::styled("! alarm".to_owned(), bold),
            Span::raw(" since 11:30, averyveryverylongword".to_owned()),
        ]);
        let wrapped = wrap_line(&line, 12, 2);
        let texts: Vec<String> = wrapped.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "! alarm",
                "  since",
                "  11:30,",
                "  averyveryv",
                "  erylongwor",
                "  d"
            ]
        );
        assert_eq!(wrapped[0].spans[1].style, bold);
        assert_eq!(wrap_line(&Line::default(), 12, 2).len(), 1);
    }

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(cut_middle("shop-production-web", 10, "…"), "sho…on-web");
        assert_eq!(cut_middle("小さい木の名前", 7, "…"), "小…名前");
        assert_eq!(cut_middle("web", 0, "…"), "");
    }
}
