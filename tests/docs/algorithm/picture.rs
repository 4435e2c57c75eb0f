//! Pictures in characters, drawn from numbers.

/// One bar with this many cells for each row: label, value, and the text after it.
pub(super) fn bars(rows: &[(String, i64, String)]) -> String {
    const CELLS: i64 = 40;
    let most = rows.iter().map(|(_, value, _)| *value).max().unwrap_or(1);
    let most = most.max(1);
    let labels = rows.iter().map(|(label, ..)| width(label)).max();
    let labels = labels.unwrap_or_default();
    let mut out = String::new();
    for (label, value, note) in rows {
        let cells = if most <= CELLS {
            *value
        } else {
            (value * CELLS + most / 2) / most
        };
        let bar = "█".repeat(usize::try_from(cells).unwrap_or_default());
        let line = format!("{}  {bar} {note}", pad(label, labels));
        push(&mut out, &line);
    }
    out
}

/// Replicas over time: `●` is the actual number, `○` what is asked for. One column for each pair.
pub(super) fn chart(points: &[(i32, i32)], columns: &[String]) -> String {
    let most = points
        .iter()
        .map(|(proposal, held)| *proposal.max(held))
        .max();
    let most = most.unwrap_or_default();
    let cell = columns.iter().map(|text| width(text)).max().unwrap_or(1) + 1;
    let mut out = String::new();
    for level in (0..=most).rev() {
        let is_used = points
            .iter()
            .any(|(proposal, held)| *proposal == level || *held == level);
        if !is_used {
            continue;
        }
        let mut line = format!("{level:>4} │");
        for &(proposal, held) in points {
            let mark = if held == level {
                "●"
            } else if proposal == level {
                "○"
            } else {
                ""
            };
            line.push_str(&pad(mark, cell));
        }
        push(&mut out, &line);
    }
    let mut axis = String::from("     └");
    let mut labels = String::from("      ");
    for column in columns {
        axis.push_str(&"─".repeat(cell));
        labels.push_str(&pad(column, cell));
    }
    push(&mut out, &axis);
    push(&mut out, &labels);
    out
}

/// Conditions in order, each with its result; the first true one is taken.
pub(super) fn branches(rows: &[(&str, String)]) -> String {
    let conditions = rows.iter().map(|(condition, _)| width(condition)).max();
    let conditions = conditions.unwrap_or_default();
    let mut out = String::new();
    for (number, (condition, outcome)) in rows.iter().enumerate() {
        let joint = match (number, number + 1 == rows.len()) {
            (0, false) => "┬",
            (_, true) => "└",
            (_, false) => "├",
        };
        let line = format!("{joint}─ {} ─▶ {outcome}", pad(condition, conditions));
        push(&mut out, &line);
    }
    out
}

/// A grid of cells: the first row has the labels, followed by rows of the same length.
pub(super) fn grid(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| width(cell)).max().unwrap_or_default()
        })
        .collect();
    let mut out = String::new();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| pad(cell, *width))
            .collect();
        push(&mut out, &cells.join("  "));
    }
    out
}

/// Boxes one below the other, joined by arrows.
pub(super) fn flow(boxes: &[Vec<String>]) -> String {
    let inner = boxes.iter().flatten().map(|line| width(line)).max();
    let inner = inner.unwrap_or_default();
    let mut out = String::new();
    for (number, lines) in boxes.iter().enumerate() {
        if 0 < number {
            push(&mut out, "   │");
            push(&mut out, "   ▼");
        }
        push(&mut out, &format!("┌─{}─┐", "─".repeat(inner)));
        for line in lines {
            push(&mut out, &format!("│ {} │", pad(line, inner)));
        }
        push(&mut out, &format!("└─{}─┘", "─".repeat(inner)));
    }
    out
}

fn pad(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(width(text));
    format!("{text}{}", " ".repeat(missing))
}

fn width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

fn push(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}
