//! Putting findings right in the text: only the bytes concerned are touched.
//!
//! ```text
//! findings with steps ─▶ the text of each object, cut out ─▶ edits, one step after another ─▶ the document ─▶ is it what the
//! steps mean, and does kubectl read it so?
//! ```
//!
//! Whether an edit is right is not left to the code that makes it: the new text is read again and has to mean what
//! the old one means with the steps applied to its values. An edit that would touch anything else, such as another
//! place that an alias refers to, is refused, and so is one in a document that kubectl reads differently.

mod block;
mod cut;
mod difference;
mod document;
mod edit;
mod flow;
mod meaning;
mod preview;
#[cfg(test)]
mod tests;
mod written;

use std::collections::BTreeMap;

use super::{FileId, FixStep, Input, ObjectRef, Report, Reported, Source};
use crate::yaml::Document;
pub use difference::Difference;
use document::{Part, Wanted, in_document};
use edit::{Edit, read, replace};
pub(super) use meaning::value_at;
pub use preview::{Replacement, preview};
use written::Style;

/// What one round of fixes did.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// The new texts of the files that changed.
    pub texts: BTreeMap<FileId, String>,
    /// How many findings were put right.
    pub fixed: usize,
    /// Fixes that were refused, and why.
    pub refused: Vec<Refused>,
}

/// A fix that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Code of the rule.
    pub code: &'static str,
    /// The object.
    pub object: ObjectRef,
    /// Why.
    pub why: String,
}

/// Applies the steps of one finding of each object, as a fix may change what the others say. The files that changed
/// are to be linted again, until a round changes nothing.
pub fn round(input: &Input, report: &Report) -> Round {
    let mut round = Round::default();
    let mut files: BTreeMap<FileId, Wanted<'_>> = BTreeMap::new();
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
        let documents = refusal.map_or_else(|| read(&source.text), Err);
        match documents {
            Ok(documents) => {
                if let Some(text) = round.file(&source.text, &documents, objects) {
                    round.texts.insert(file, text);
                }
            }
            Err(why) => {
                let refused = objects.into_values().flatten();
                round
                    .refused
                    .extend(refused.map(|one| Refused::new(one, &why)));
            }
        }
    }
    round
}

/// The text with the steps applied to the object that begins at byte `start`.
fn apply_alone(text: &str, start: u32, steps: &[FixStep]) -> Result<String, String> {
    let documents = read(text)?;
    let index = documents.partition_point(|document| document.start <= start);
    let first = index
        .checked_sub(1)
        .ok_or("the object is not where it was")?;
    let range = documents[first].start as usize..end_of(&documents, first, text);
    let start = start - documents[first].start;
    let changed = in_document(&text[range.clone()], start, steps, Style::of(text))?;
    Ok(replace(
        text,
        &[Edit {
            range,
            text: changed,
        }],
    ))
}

/// Where a document ends.
fn end_of(documents: &[Document], index: usize, text: &str) -> usize {
    let next = documents.get(index + 1);
    next.map_or(text.len(), |next| next.start as usize)
}

impl Round {
    /// The new text of a file, if anything changes.
    fn file(
        &mut self,
        text: &str,
        documents: &[Document],
        mut wanted: Wanted<'_>,
    ) -> Option<String> {
        let style = Style::of(text);
        let mut edits = Vec::new();
        let mut applied = Vec::new();
        for (index, document) in documents.iter().enumerate() {
            let end = end_of(documents, index, text);
            let behind = wanted.split_off(&u32::try_from(end).unwrap_or(u32::MAX));
            let own = std::mem::replace(&mut wanted, behind);
            if own.is_empty() {
                continue;
            }
            let part = Part {
                text,
                end,
                document,
                style,
            };
            let fixed = part.fix(&own);
            self.refused.extend(fixed.refused);
            if !fixed.applied.is_empty() {
                applied.extend(fixed.applied.into_values());
                edits.push(Edit {
                    range: document.start as usize..end,
                    text: fixed.text,
                });
            }
        }
        let changed = replace(text, &edits);
        if edits.is_empty() || is_of_documents(&changed, documents, text, &edits) {
            self.fixed += applied.len();
            return (!edits.is_empty()).then_some(changed);
        }
        let why = "the next document would begin elsewhere";
        let refused = applied.into_iter().map(|one| Refused::new(one, why));
        self.refused.extend(refused);
        None
    }
}

/// Whether a text has the documents that another one has, but for those that were edited as a whole.
fn is_of_documents(changed: &str, documents: &[Document], text: &str, edits: &[Edit]) -> bool {
    let mut edits = edits.iter().peekable();
    let meant = documents.iter().enumerate().map(|(index, document)| {
        let range = document.start as usize..end_of(documents, index, text);
        match edits.next_if(|edit| edit.range == range) {
            Some(edit) => &*edit.text,
            None => &text[range],
        }
    });
    read(changed).is_ok_and(|read| {
        let said = read.iter().enumerate().map(|(index, document)| {
            &changed[document.start as usize..end_of(&read, index, changed)]
        });
        said.eq(meant)
    })
}

impl Refused {
    fn new(reported: &Reported, why: &str) -> Self {
        Self {
            code: reported.rule.code,
            object: reported.object.clone(),
            why: why.to_owned(),
        }
    }
}

/// Why a file's text cannot be written back without changing what no fix is about.
fn unwritable(source: &Source) -> Option<&'static str> {
    if source.is_utf16 {
        Some("the file is UTF-16; write it as UTF-8 first")
    } else if source.replaced.is_empty() {
        None
    } else {
        Some("the file has bytes that are not UTF-8; write them as UTF-8 first")
    }
}
