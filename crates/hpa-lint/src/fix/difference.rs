//! A line diff of a file before and after a change.

use std::{borrow::Cow, ops::Range};

use hpa_words::letters::is_unsafe;
use similar::{
    DiffOp, DiffTag,
    algorithms::{Capture, Compact, Replace, myers},
    group_diff_ops,
    udiff::UnifiedHunkHeader,
};

use super::{document::each_object, edit::read_each};

/// A diff of two texts.
pub struct TextDifference<'a> {
    before: Vec<&'a str>,
    after: Vec<&'a str>,
    ops: Vec<DiffOp>,
}

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

impl<'a> TextDifference<'a> {
    /// Compares two texts.
    pub fn new(before: &'a str, after: &'a str) -> Self {
        Self::cut(before, after, &[])
    }

    /// Compares a file before and after fixes, object by object: the time for a whole file grows with the square of the
    /// number of changes.
    pub fn of_objects(before: &'a str, after: &'a str) -> Self {
        let cuts = match (lines_of_objects(before), lines_of_objects(after)) {
            (Ok(before), Ok(after)) if before.len() == after.len() => {
                before.into_iter().zip(after).collect()
            }
            _ => Vec::new(),
        };
        Self::cut(before, after, &cuts)
    }

    /// `cuts` are pairs of corresponding lines. Calls one algorithm directly, because similar's `TextDiff` would link
    /// all six, 0.3 MB.
    fn cut(before: &'a str, after: &'a str, cuts: &[(usize, usize)]) -> Self {
        let before: Vec<_> = before.split_inclusive('\n').collect();
        let after: Vec<_> = after.split_inclusive('\n').collect();
        let mut ops: Vec<DiffOp> = Vec::new();
        let end = (before.len(), after.len());
        let mut start = (0, 0);
        for next in cuts.iter().copied().chain([end]) {
            // Several objects may start on one line.
            if next != end && (next.0 <= start.0 || next.1 <= start.1) {
                continue;
            }
            let mut hook = Compact::new(Replace::new(Capture::new()), &before[..], &after[..]);
            let (old, new) = (start.0..next.0, start.1..next.1);
            let Ok(()) = myers::diff(&mut hook, &before[..], old, &after[..], new);
            for op in hook.into_inner().into_inner().into_ops() {
                match (ops.last_mut(), op) {
                    (Some(DiffOp::Equal { len, .. }), DiffOp::Equal { len: more, .. }) => {
                        *len += more;
                    }
                    _ => ops.push(op),
                }
            }
            start = next;
        }
        Self { before, after, ops }
    }

    /// The changed line ranges, each with its replacement.
    pub fn changes(&self) -> impl Iterator<Item = (Range<usize>, String)> {
        let changed = self.ops.iter().filter(|op| op.tag() != DiffTag::Equal);
        changed.map(|op| (op.old_range(), self.after[op.new_range()].concat()))
    }

    /// The diff in the format of `patch` and `git apply`.
    pub fn unified(self, name: &str) -> String {
        let (old, new) = (format!("a/{name}"), format!("b/{name}"));
        let mut text = format!("--- {}\n+++ {}\n", quoted(&old), quoted(&new));
        for ops in group_diff_ops(self.ops, CONTEXT) {
            text += &format!("{}\n", UnifiedHunkHeader::new(&ops));
            for op in &ops {
                for change in op.iter_changes(&self.before[..], &self.after[..]) {
                    text += &format!("{}{}", change.tag(), change.value());
                    if !text.ends_with('\n') {
                        text += "\n\\ No newline at end of file\n";
                    }
                }
            }
        }
        text
    }
}

/// Numbers of the lines on which the objects of a text start.
fn lines_of_objects(text: &str) -> Result<Vec<usize>, String> {
    let starts = line_starts(text);
    let mut lines = Vec::new();
    read_each(text, |document| {
        each_object(&document.root, &mut |object| {
            let start = object.span.start as usize;
            lines.push(starts.partition_point(|line| *line <= start) - 1);
        });
    })?;
    lines.sort_unstable();
    Ok(lines)
}

/// The start of each line, and the end of the last one.
pub(super) fn line_starts(text: &str) -> Vec<usize> {
    let mut starts = vec![0];
    starts.extend(text.split_inclusive('\n').scan(0, |at, line| {
        *at += line.len();
        Some(*at)
    }));
    starts
}

/// A name as git writes it: a name with special characters is quoted, with those in octal.
fn quoted(name: &str) -> Cow<'_, str> {
    if !name.contains(is_unsafe) {
        return Cow::Borrowed(name);
    }
    let mut quoted = String::from("\"");
    for letter in name.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if is_unsafe(letter) => {
                let mut bytes = [0; 4];
                for byte in letter.encode_utf8(&mut bytes).bytes() {
                    quoted += &format!("\\{byte:03o}");
                }
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    Cow::Owned(quoted)
}
