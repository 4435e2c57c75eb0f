//! All fixes of one document.

use std::collections::BTreeMap;

use kubectl_hpa_yaml::{Document, YamlNode, YamlValue, check_agreement};

use super::{
    RefusedFix,
    cut::Cut,
    edit::{apply_steps, read, replace},
    meaning,
    place::TextEdit,
    written::YamlStyle,
};
use crate::{FixStep, Reported};

/// The findings to fix, by the byte where their object starts.
pub(super) type FixableFindings<'a> = BTreeMap<u32, Vec<&'a Reported>>;

/// The result of fixing a document.
#[derive(Default)]
pub(super) struct Fixed<'a> {
    /// The text.
    pub(super) text: String,
    /// For each object, the finding whose fix was applied.
    pub(super) applied: BTreeMap<u32, &'a Reported>,
    /// Fixes that were not applied.
    pub(super) refused: Vec<RefusedFix>,
}

/// A document in its file.
pub(super) struct FixPart<'a> {
    /// The whole file.
    pub(super) text: &'a str,
    /// One after the last byte of the document.
    pub(super) end: usize,
    pub(super) document: &'a Document,
    /// The style of the file.
    pub(super) style: YamlStyle,
}

impl FixPart<'_> {
    /// Applies the fix of one finding for each object, each on the object's own text, and checks the combined result
    /// once. If that fails the check, applies the fixes to the whole document and checks them one by one.
    pub(super) fn fix<'w>(&self, fixes: &FixableFindings<'w>) -> Fixed<'w> {
        if let Err(why) = readable(self.own_text()) {
            return Fixed {
                text: self.own_text().to_owned(),
                refused: fixes
                    .values()
                    .flatten()
                    .map(|one| RefusedFix::new(one, &why))
                    .collect(),
                ..Fixed::default()
            };
        }
        self.objects_alone(fixes)
            .filter(|fixed| self.is_selected(fixed))
            .unwrap_or_else(|| self.one_by_one(fixes))
    }

    fn own_text(&self) -> &str {
        &self.text[self.start()..self.end]
    }

    fn start(&self) -> usize {
        self.document.start as usize
    }

    /// None: an object depends on another one.
    fn objects_alone<'w>(&self, fixes: &FixableFindings<'w>) -> Option<Fixed<'w>> {
        let mut fixed = Fixed::default();
        let mut edits: Vec<TextEdit> = Vec::new();
        let mut are_apart = true;
        each_object(&self.document.root, &mut |object| {
            let Some(candidates) = fixes.get(&object.span.start).filter(|_| are_apart) else {
                return;
            };
            let cut = Cut::of(self.text, object);
            if !cut.is_apart(self.text, object) {
                are_apart = false;
                return;
            }
            let alone = cut.text(self.text);
            let changed = fixed.try_each(object.span.start, candidates, |steps| {
                let changed = apply_steps(&alone, cut.start(), steps, self.style)?;
                Ok((changed != *alone).then_some(changed))
            });
            if let Some(changed) = changed {
                match cut.edit(&changed) {
                    Some(edit) => edits.push(edit),
                    None => are_apart = false,
                }
            }
        });
        // A list comes after its items. An alias may repeat an object from earlier in the document.
        edits.sort_by_key(|edit| edit.range.start);
        are_apart &= edits.is_sorted_by(|one, other| one.range.end <= other.range.start);
        are_apart.then(|| {
            let start = self.start();
            for edit in &mut edits {
                edit.range = edit.range.start - start..edit.range.end - start;
            }
            fixed.text = replace(self.own_text(), &edits);
            fixed
        })
    }

    /// Whether the new text means the same as the old one with the steps applied.
    fn is_selected(&self, fixed: &Fixed<'_>) -> bool {
        if fixed.applied.is_empty() {
            return true;
        }
        let mut intended = self.document.root.clone();
        let mut is_applied = true;
        each_object_mut(&mut intended, &mut |object| {
            let applied = fixed.applied.get(&object.span.start);
            for step in applied.into_iter().flat_map(|one| &one.finding.fix) {
                is_applied &= meaning::apply(object, step).is_ok();
            }
        });
        let diagnostics = read(&fixed.text);
        let is_same_message = matches!(&diagnostics.as_deref(), Ok([diagnostics]) if diagnostics.root.to_json() == intended.to_json());
        is_applied && is_same_message && readable(&fixed.text).is_ok()
    }

    fn one_by_one<'w>(&self, fixes: &FixableFindings<'w>) -> Fixed<'w> {
        let mut fixed = Fixed::default();
        let mut text = self.own_text().to_owned();
        // From the last object to the first, so that earlier positions stay valid.
        for (start, candidates) in fixes.iter().rev() {
            let changed = fixed.try_each(*start, candidates, |steps| {
                let changed = in_document(&text, start - self.document.start, steps, self.style)?;
                Ok((changed != text).then_some(changed))
            });
            text = changed.unwrap_or(text);
        }
        Fixed { text, ..fixed }
    }
}

impl<'a> Fixed<'a> {
    /// Tries the fixes of an object's findings until one changes something, and returns the new text.
    fn try_each(
        &mut self,
        object: u32,
        candidates: &[&'a Reported],
        mut apply: impl FnMut(&[FixStep]) -> Result<Option<String>, String>,
    ) -> Option<String> {
        for reported in candidates {
            match apply(&reported.finding.fix) {
                Ok(Some(changed)) => {
                    self.applied.insert(object, reported);
                    return Some(changed);
                }
                Ok(None) => {}
                Err(why) => self.refused.push(RefusedFix::new(reported, &why)),
            }
        }
        None
    }
}

/// The document with the steps applied to the object at byte `start`. Fails if kubectl reads the document differently
/// than we do.
pub(super) fn in_document(
    text: &str,
    start: u32,
    steps: &[FixStep],
    style: YamlStyle,
) -> Result<String, String> {
    readable(text)?;
    let changed = apply_steps(text, start, steps, style)?;
    readable(&changed)?;
    Ok(changed)
}

/// Checks that kubectl reads a text as we do. If it does not, no edit is safe.
fn readable(text: &str) -> Result<(), String> {
    check_agreement(text).map_err(|other| match other.problem {
        Some(problem) => {
            format!("kubectl, which reads YAML 1.1, cannot read the document: {problem}")
        }
        None => "kubectl, which reads YAML 1.1, reads the document differently".to_owned(),
    })
}

/// Calls `take` for every object of a document: itself, or the items of lists.
pub(super) fn each_object(node: &YamlNode, take: &mut impl FnMut(&YamlNode)) {
    let items = node.entry("items").map(|entry| entry.node.items());
    for item in items.unwrap_or_default() {
        each_object(item, take);
    }
    take(node);
}

fn each_object_mut(node: &mut YamlNode, take: &mut impl FnMut(&mut YamlNode)) {
    if let YamlValue::Mapping(entries) = &mut node.value
        && let Some(items) = entries
            .iter_mut()
            .rev()
            .find(|entry| &*entry.key == "items")
        && let YamlValue::Sequence(items) = &mut items.node.value
    {
        for item in items {
            each_object_mut(item, take);
        }
    }
    take(node);
}
