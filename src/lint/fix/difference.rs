//! What differs between a file before and after a change, line by line.

use std::{borrow::Cow, ops::Range};

use similar::{
    DiffOp, DiffTag,
    algorithms::{Capture, Compact, Replace, myers},
    group_diff_ops,
    udiff::UnifiedHunkHeader,
};

use crate::model::letters::is_unsafe;

/// Two texts, and the shortest way from one to the other.
pub struct Difference<'a> {
    before: Vec<&'a str>,
    after: Vec<&'a str>,
    ops: Vec<DiffOp>,
}

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

impl<'a> Difference<'a> {
    /// Compares two texts. One algorithm is called by its name: similar's `TextDiff` would bring all six, 0.3 MB.
    pub fn new(before: &'a str, after: &'a str) -> Self {
        let before: Vec<_> = before.split_inclusive('\n').collect();
        let after: Vec<_> = after.split_inclusive('\n').collect();
        let mut hook = Compact::new(Replace::new(Capture::new()), &before[..], &after[..]);
        let Ok(()) = myers::diff(
            &mut hook,
            &before[..],
            0..before.len(),
            &after[..],
            0..after.len(),
        );
        let ops = hook.into_inner().into_inner().into_ops();
        Self { before, after, ops }
    }

    /// The changed lines: which they are, and those that take their place.
    pub fn changes(&self) -> impl Iterator<Item = (Range<usize>, String)> {
        let changed = self.ops.iter().filter(|op| op.tag() != DiffTag::Equal);
        changed.map(|op| (op.old_range(), self.after[op.new_range()].concat()))
    }

    /// The changes in the form that `patch` and `git apply` read.
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

/// A name as git writes it: one with letters that are no text is in quotes, with those letters in octal.
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
