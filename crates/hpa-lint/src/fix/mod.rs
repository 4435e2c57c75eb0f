//! Fixes findings in the text, changing only the bytes concerned.
//!
//! ```text
//! findings with steps ─▶ the text of each object, cut out ─▶ edits, step by step ─▶ the document ─▶ check: does it mean
//! what the steps mean, and does kubectl read it the same?
//! ```
//!
//! The code that makes an edit is not trusted: the new text is parsed again and must mean what the old one means with
//! the steps applied to its values. An edit is rejected if it would affect anything else, such as another place that an
//! alias refers to, or if kubectl reads the document differently.

mod block;
mod cut;
mod difference;
mod document;
mod edit;
mod flow;
mod meaning;
mod place;
mod preview;
mod rounds;
#[cfg(test)]
mod tests;
mod written;

use std::{collections::BTreeMap, ops::Range};

use super::{FileId, FixStep, LintInput, ObjectRef, Report, Reported, SourceText};
pub use difference::TextDifference;
use document::{FixPart, FixableFindings, in_document};
use edit::{read_each, replace};
pub(super) use meaning::value_at;
use place::TextEdit;
pub use preview::{Replacement, preview, replacements};
pub use rounds::{FixedInput, rounds};
use written::YamlStyle;

/// The result of one round of fixes.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// The new texts of the changed files.
    pub texts: BTreeMap<FileId, String>,
    /// Number of findings fixed.
    pub fixed: usize,
    /// Fixes that were not applied, with the reasons.
    pub refused: Vec<RefusedFix>,
}

/// A fix that was not applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedFix {
    /// Code of the rule.
    pub code: &'static str,
    /// The object.
    pub object: ObjectRef,
    /// The reason.
    pub why: String,
}

/// Applies the fix of one finding for each object, because a fix may change the other findings. The caller lints the
/// changed files again, until a round changes nothing.
pub fn round(input: &LintInput, report: &Report) -> Round {
    let mut round = Round::default();
    let mut files: BTreeMap<FileId, FixableFindings<'_>> = BTreeMap::new();
    for reported in &report.findings {
        if reported.finding.fix.is_empty() {
            continue;
        }
        if let Some(origin) = reported.object.origin {
            let objects = files.entry(origin.file).or_default();
            objects.entry(origin.start).or_default().push(reported);
        }
    }
    for (file, objects) in files {
        let source = input.sources.get(file);
        let refusal = unwritable(source).map(str::to_owned);
        let starts = refusal.map_or_else(|| starts(&source.text), Err);
        match starts {
            Ok(starts) => {
                if let Some(text) = round.file(&source.text, &starts, objects) {
                    round.texts.insert(file, text);
                }
            }
            Err(why) => {
                let refused = objects.into_values().flatten();
                round
                    .refused
                    .extend(refused.map(|one| RefusedFix::new(one, &why)));
            }
        }
    }
    round
}

/// The text with the steps applied to the object at byte `start`.
fn apply_alone(text: &str, start: u32, steps: &[FixStep]) -> Result<String, String> {
    let starts = starts(text)?;
    let index = starts.partition_point(|document| *document <= start);
    let first = index.checked_sub(1).ok_or("the object has moved")?;
    let range = range_of(&starts, first, text);
    let start = start - starts[first];
    let changed = in_document(&text[range.clone()], start, steps, YamlStyle::of(text))?;
    Ok(replace(
        text,
        &[TextEdit {
            range,
            text: changed,
        }],
    ))
}

/// The start of each document of a text.
fn starts(text: &str) -> Result<Vec<u32>, String> {
    let mut starts = Vec::new();
    read_each(text, |document| starts.push(document.start))?;
    Ok(starts)
}

/// The byte range of a document.
fn range_of(starts: &[u32], index: usize, text: &str) -> Range<usize> {
    let next = starts.get(index + 1);
    starts[index] as usize..next.map_or(text.len(), |next| *next as usize)
}

impl Round {
    /// The new text of a file, if anything changes. Only one document at a time is in memory.
    fn file(
        &mut self,
        text: &str,
        starts: &[u32],
        mut fixes: FixableFindings<'_>,
    ) -> Option<String> {
        let style = YamlStyle::of(text);
        let mut edits = Vec::new();
        let mut applied = Vec::new();
        let mut indices = 0..starts.len();
        let each = read_each(text, |document| {
            let Some(index) = indices.next() else {
                return;
            };
            let range = range_of(starts, index, text);
            let behind = fixes.split_off(&u32::try_from(range.end).unwrap_or(u32::MAX));
            let own = std::mem::replace(&mut fixes, behind);
            if own.is_empty() {
                return;
            }
            let part = FixPart {
                text,
                end: range.end,
                document: &document,
                style,
            };
            let fixed = part.fix(&own);
            self.refused.extend(fixed.refused);
            if !fixed.applied.is_empty() {
                applied.extend(fixed.applied.into_values());
                edits.push(TextEdit {
                    range,
                    text: fixed.text,
                });
            }
        });
        each.ok()?;
        let changed = replace(text, &edits);
        if edits.is_empty() || is_of_documents(&changed, starts, text, &edits) {
            self.fixed += applied.len();
            return (!edits.is_empty()).then_some(changed);
        }
        let why = "the edit would move the next document";
        let refused = applied.into_iter().map(|one| RefusedFix::new(one, why));
        self.refused.extend(refused);
        None
    }
}

/// Whether a text has the same documents as another one, except those that were edited as a whole.
fn is_of_documents(changed: &str, documents: &[u32], text: &str, edits: &[TextEdit]) -> bool {
    let mut edits = edits.iter().peekable();
    let intended = (0..documents.len()).map(|index| {
        let range = range_of(documents, index, text);
        match edits.next_if(|edit| edit.range == range) {
            Some(edit) => &*edit.text,
            None => &text[range],
        }
    });
    starts(changed).is_ok_and(|starts| {
        let diagnostics =
            (0..starts.len()).map(|index| &changed[range_of(&starts, index, changed)]);
        diagnostics.eq(intended)
    })
}

impl RefusedFix {
    fn new(reported: &Reported, why: &str) -> Self {
        Self {
            code: reported.rule.code,
            object: ObjectRef::clone(&reported.object),
            why: why.to_owned(),
        }
    }
}

/// Why a file cannot be written back without unrelated changes.
fn unwritable(source: &SourceText) -> Option<&'static str> {
    if source.is_utf16 {
        Some("the file is UTF-16; write it as UTF-8 first")
    } else if source.replaced.is_none() {
        None
    } else {
        Some("the file has bytes that are not UTF-8; write them as UTF-8 first")
    }
}
