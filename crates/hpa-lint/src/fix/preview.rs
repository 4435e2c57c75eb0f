//! What the fix of a finding would change, for display with the finding.

use std::ops::Range;

use super::{TextDifference, apply_alone, difference::line_starts};
use crate::{LintInput, Reported};

/// Lines of a file, as a byte range, and their replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The lines, with their line breaks.
    pub range: Range<usize>,
    /// The replacement.
    pub text: String,
}

/// Bytes above which no fix of a file is shown: each preview parses the whole file again.
const MOST_TEXT: usize = 128 * 1024;

/// Bytes above which the fix of a line is not shown: for a whole list on one line, each fix would repeat the list.
const LONGEST_LINE: usize = 1_000;

/// What the fix of a finding would change. Empty if there is no fix, or none that is certain.
pub fn preview(input: &LintInput, reported: &Reported) -> Vec<Replacement> {
    let steps = &reported.finding.fix;
    let Some(origin) = reported.object.origin.filter(|_| !steps.is_empty()) else {
        return Vec::new();
    };
    let before = &input.sources.get(origin.file).text;
    if MOST_TEXT < before.len() || LONGEST_LINE < line_at(before, origin.start as usize).len() {
        return Vec::new();
    }
    let Ok(after) = apply_alone(before, origin.start, steps) else {
        return Vec::new();
    };
    let changes = lines(before, &TextDifference::new(before, &after));
    let is_long = |text: &str| text.lines().any(|line| LONGEST_LINE < line.len());
    let mut changed = changes.iter();
    if changed.any(|change| is_long(&change.text) || is_long(&before[change.range.clone()])) {
        return Vec::new();
    }
    changes
}

/// What fixes changed in a whole file.
pub fn replacements(before: &str, after: &str) -> Vec<Replacement> {
    lines(before, &TextDifference::of_objects(before, after))
}

fn lines(before: &str, difference: &TextDifference<'_>) -> Vec<Replacement> {
    let starts = line_starts(before);
    let changes = difference.changes();
    changes
        .map(|(lines, text)| Replacement {
            range: starts[lines.start]..starts[lines.end],
            text,
        })
        .collect()
}

/// The line of a byte.
fn line_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[start..];
    line.split_once('\n').map_or(line, |(line, _)| line)
}
