//! Putting findings right in the text: only the bytes concerned are touched.
//!
//! ```text
//! findings with steps ─▶ edits of the text, one step after another ─▶ read again ─▶ is it what the steps mean?
//! ```
//!
//! Whether an edit is right is not left to the code that makes it: the new text is read again and has to mean what
//! the old one means with the steps applied to its values. An edit that would touch anything else, such as another
//! place that an alias refers to, is refused.

mod block;
mod difference;
mod edit;
mod flow;
mod meaning;
mod preview;
#[cfg(test)]
mod tests;
mod written;

use std::collections::BTreeMap;

use super::{FileId, Input, ObjectRef, Report, Reported, Source};
pub use difference::Difference;
use edit::apply_steps;
pub use preview::{Replacement, preview};

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
    let mut files: BTreeMap<FileId, BTreeMap<u32, Vec<&Reported>>> = BTreeMap::new();
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
        if let Some(why) = unwritable(source) {
            let refused = objects.into_values().flatten();
            round.refused.extend(refused.map(|reported| Refused {
                code: reported.rule.code,
                object: reported.object.clone(),
                why: why.to_owned(),
            }));
            continue;
        }
        let before = &source.text;
        let mut text = before.clone();
        // From the last object to the first, so that those before it stay where they are.
        for (start, candidates) in objects.into_iter().rev() {
            for reported in candidates {
                match apply_steps(&text, start, &reported.finding.fix) {
                    Ok(changed) if changed != text => {
                        text = changed;
                        round.fixed += 1;
                        break;
                    }
                    Ok(_) => {}
                    Err(why) => round.refused.push(Refused {
                        code: reported.rule.code,
                        object: reported.object.clone(),
                        why,
                    }),
                }
            }
        }
        if text != *before {
            round.texts.insert(file, text);
        }
    }
    round
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
