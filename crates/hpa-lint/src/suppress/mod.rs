//! Suppressed findings: by annotation, by comment, by path.

mod comment;
mod directive;
mod marks;
mod scope;

use std::collections::BTreeMap;

use super::{
    FileId, LintInput, LintSettings, Location, Object, ObjectRef, Remark, Report, Reported,
    RuleSelector, Suppressed, SuppressedBy,
};
pub use comment::accepting;
use directive::Directive;
pub(super) use marks::{may_have_comment, may_suppress};
use scope::SuppressionScope;

/// Moves the suppressed findings of the report to `suppressed`. Reports unknown rule names in suppressions, and
/// suppressions that suppress nothing.
pub(super) fn apply(input: &LintInput, settings: &LintSettings, report: &mut Report) {
    let mut suppressions = Suppressions::of(input, report);
    let findings = std::mem::take(&mut report.findings).into_iter();
    let left = findings.filter_map(|reported| {
        let accepted = suppressions.accept(&reported);
        let Some((by, reason)) = accepted.or_else(|| by_path(settings, &reported)) else {
            return Some(reported);
        };
        report.suppressed.push(Suppressed {
            reported,
            by,
            reason,
        });
        None
    });
    report.findings = left.collect();
    report.unused_suppressions = suppressions.unused(settings, report);
}

fn by_path(settings: &LintSettings, reported: &Reported) -> Option<(SuppressedBy, Option<String>)> {
    let file = reported.object.origin.map(|origin| origin.file);
    let ignored = &settings.of_file(file).ignored;
    let (_, reason) = ignored
        .iter()
        .find(|(selector, _)| selector.covers(reported.rule))?;
    Some((SuppressedBy::Configuration, reason.clone()))
}

/// All suppressing annotations and comments.
#[derive(Default)]
struct Suppressions {
    all: Vec<Suppression>,
    /// Annotations, by object.
    of_objects: BTreeMap<ObjectRef, Vec<usize>>,
    /// Comments, by file.
    of_files: BTreeMap<FileId, Vec<usize>>,
}

/// One rule or family in an annotation or a comment.
struct Suppression {
    by: SuppressedBy,
    selector: RuleSelector,
    reason: Option<String>,
    scope: Where,
    /// The objects that it applies to.
    objects: Vec<ObjectRef>,
    location: Option<Location>,
    is_used: bool,
}

enum Where {
    Objects,
    Document(FileId, u32),
    Bytes(Location),
}

impl Suppressions {
    fn of(input: &LintInput, report: &mut Report) -> Self {
        let mut suppressions = Self::default();
        let mut documents: BTreeMap<(FileId, u32), Vec<&Object>> = BTreeMap::new();
        let manifests = input.manifests.iter().filter_map(|one| one.tree());
        let scaled_objects = input.scaled_objects.iter().filter_map(|one| one.tree());
        for object in manifests.chain(scaled_objects).chain(&input.rejected) {
            suppressions.annotation(object, report);
            if let Some(origin) = object.origin
                && !object.comments.is_empty()
            {
                let document = (origin.file, origin.document);
                documents.entry(document).or_default().push(object);
            }
        }
        for ((file, document), objects) in documents {
            suppressions.comments(input, (file, document), &objects, report);
        }
        suppressions
    }

    fn annotation(&mut self, object: &Object, report: &mut Report) {
        let Some(annotations) = object.node.at("metadata.annotations") else {
            return;
        };
        let Some(value) = annotations.get(marks::ANNOTATION) else {
            return;
        };
        let path = format!("metadata.annotations[{}]", marks::ANNOTATION);
        let location = object
            .origin
            .map(|origin| Location::new(origin.file, object.node.locate(&path)));
        let reason = annotations
            .get(marks::REASON_ANNOTATION)
            .and_then(|reason| reason.as_str());
        let reference = object.reference();
        let directive = value
            .as_str()
            .ok_or_else(|| "is not a string".to_owned())
            .and_then(|value| directive::of_annotation(value, reason));
        let what = format!("annotation {} of {reference}", marks::ANNOTATION);
        self.take(directive, &what, location, report, |selector, reason| {
            Suppression {
                by: SuppressedBy::Annotation,
                selector,
                reason,
                scope: Where::Objects,
                objects: vec![reference.clone()],
                location,
                is_used: false,
            }
        });
    }

    fn comments(
        &mut self,
        input: &LintInput,
        (file, document): (FileId, u32),
        objects: &[&Object],
        report: &mut Report,
    ) {
        let text = &input.sources.get(file).text;
        for comment in objects[0].comments.iter() {
            let Some(directive) = directive::of_comment(&comment.text) else {
                continue;
            };
            let location = Location::new(file, comment.span);
            let scope = scope::of(comment, text, objects);
            self.take(
                directive,
                "comment",
                Some(location),
                report,
                |selector, reason| Suppression {
                    by: SuppressedBy::Comment,
                    selector,
                    reason,
                    scope: match &scope {
                        SuppressionScope::Document => Where::Document(file, document),
                        SuppressionScope::Bytes(bytes) => Where::Bytes(Location {
                            file,
                            start: bytes.start,
                            end: bytes.end,
                        }),
                    },
                    objects: objects.iter().map(|object| object.reference()).collect(),
                    location: Some(location),
                    is_used: false,
                },
            );
        }
    }

    fn take(
        &mut self,
        directive: Result<Directive, String>,
        what: &str,
        location: Option<Location>,
        report: &mut Report,
        make: impl Fn(RuleSelector, Option<String>) -> Suppression,
    ) {
        let mut warn = |problem: &str| {
            report.remarks.push(Remark {
                location,
                message: format!("{what}: {problem}"),
            });
        };
        match directive {
            Ok(directive) => {
                for unknown in &directive.unknown {
                    warn(&unknown.to_string());
                }
                for selector in directive.selectors {
                    self.add(make(selector, directive.reason.clone()));
                }
            }
            Err(problem) => warn(&problem),
        }
    }

    fn add(&mut self, suppression: Suppression) {
        let index = self.all.len();
        match &suppression.scope {
            Where::Objects => {
                for object in &suppression.objects {
                    let of_object = self.of_objects.entry(object.clone()).or_default();
                    of_object.push(index);
                }
            }
            Where::Document(file, _) | Where::Bytes(Location { file, .. }) => {
                self.of_files.entry(*file).or_default().push(index);
            }
        }
        self.all.push(suppression);
    }

    /// How a finding is suppressed, if it is. Marks all suppressions that match it as used.
    fn accept(&mut self, reported: &Reported) -> Option<(SuppressedBy, Option<String>)> {
        let mut accepted = None;
        let origin = reported.object.origin.map(|origin| origin.file);
        let place = reported.location.map(|location| location.file);
        let files = [origin, place.filter(|place| Some(*place) != origin)];
        let of_files = files
            .iter()
            .flatten()
            .filter_map(|file| self.of_files.get(file));
        let of_object = self.of_objects.get(&reported.object);
        for index in of_object.into_iter().chain(of_files).flatten() {
            let suppression = &mut self.all[*index];
            if suppression.selector.covers(reported.rule) && suppression.is_about(reported) {
                suppression.is_used = true;
                accepted.get_or_insert_with(|| (suppression.by, suppression.reason.clone()));
            }
        }
        accepted
    }

    /// Suppressions that suppress nothing although their rules ran.
    fn unused(&self, settings: &LintSettings, report: &Report) -> Vec<Remark> {
        let did_run = |suppression: &Suppression| match &suppression.selector {
            RuleSelector::Rule(rule) => {
                settings.is_enabled(rule)
                    && !report.notes.iter().any(|note| {
                        let concerns = |object| suppression.objects.contains(object);
                        note.rules.contains(&rule.code) && note.object.as_ref().is_none_or(concerns)
                    })
            }
            RuleSelector::All | RuleSelector::Family(_) => true,
        };
        self.all
            .iter()
            .filter(|suppression| !suppression.is_used && did_run(suppression))
            .map(|suppression| Remark {
                location: suppression.location,
                message: format!(
                    "this {} suppresses nothing: {} finds nothing here",
                    suppression.by.as_str(),
                    suppression.selector
                ),
            })
            .collect()
    }
}

impl Suppression {
    fn is_about(&self, reported: &Reported) -> bool {
        match &self.scope {
            Where::Objects => self.objects.contains(&reported.object),
            Where::Document(file, document) => reported
                .object
                .origin
                .is_some_and(|origin| (origin.file, origin.document) == (*file, *document)),
            Where::Bytes(bytes) => reported.location.is_some_and(|location| {
                location.file == bytes.file
                    && bytes.start <= location.start
                    && location.start < bytes.end
            }),
        }
    }
}
