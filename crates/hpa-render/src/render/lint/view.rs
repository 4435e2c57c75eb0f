//! What the formats have in common: what is written, and where things stand.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use crate::{
    lint::{
        FileId, LintInput, Location, ObjectOrigin, ObjectRef, Report, ReportNote, Reported, fix,
    },
    render::Style,
    yaml::{Document, Span, parse_item, parse_part, parse_without_comments},
};

/// What is written, and how.
#[derive(Clone, Copy, Debug)]
pub struct LintView<'a> {
    /// What came of the run.
    pub report: &'a Report,
    /// What was looked at.
    pub input: &'a LintInput,
    /// How a page for people is written.
    pub style: Style,
    /// Whether the findings are all there is to print: neither notes nor a summary.
    pub is_quiet: bool,
    /// Whether the findings of each rule are counted instead of printed.
    pub has_statistics: bool,
}

/// A range of a file; lines and columns are counted from 1, columns in characters, and the end is the first column
/// that is no longer part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileRange<'a> {
    /// Path of the file, as it was given.
    pub(super) file: &'a str,
    /// Line and column of the first character.
    pub(super) start: (usize, usize),
    /// Line and column behind the last character.
    pub(super) end: (usize, usize),
    /// Whether lines and columns are those of what a program made of the file, and not of the file.
    pub(super) is_rendered: bool,
}

impl FileRange<'_> {
    /// The file for people, who also want to know what its lines are those of.
    pub(super) fn name(&self) -> String {
        display_name(self.file, self.is_rendered)
    }
}

/// A file for people.
pub fn display_name(file: &str, is_rendered: bool) -> String {
    let rendered = if is_rendered { " (rendered)" } else { "" };
    format!("{file}{rendered}")
}

/// A further field of a finding's object.
pub(super) struct RelatedLabel<'f> {
    /// Where it stands, if it is written in a file.
    pub(super) location: Option<Location>,
    /// The field.
    pub(super) path: &'f str,
    /// What it has to do with the finding.
    pub(super) text: &'f str,
}

/// Finds fields without reading a file again for each finding, for several threads at the same time.
pub(super) struct Index<'a> {
    input: &'a LintInput,
    /// Trees of related objects, or of whole documents.
    trees: Mutex<BTreeMap<DocumentPart, Arc<OnceLock<Option<Document>>>>>,
}

/// A document of a file, or the object in it that begins at a byte.
type DocumentPart = (FileId, u32, Option<u32>);

/// As many documents are kept as trees.
const MOST_TREES: usize = 16;

impl<'a> Index<'a> {
    /// An index of everything that was looked at.
    pub(super) fn new(view: &LintView<'a>) -> Self {
        Self {
            input: view.input,
            trees: Mutex::default(),
        }
    }

    /// Where a finding stands, if its object is from a file.
    pub(super) fn place_of(&self, reported: &Reported) -> Option<FileRange<'a>> {
        reported.location.map(|location| self.place(location))
    }

    /// Lines and columns of a range of bytes.
    pub(super) fn place(&self, location: Location) -> FileRange<'a> {
        let sources = &self.input.sources;
        let start = sources.line_and_column(location.file, location.start);
        let end = sources.line_and_column(location.file, location.end);
        FileRange {
            file: &sources.get(location.file).name,
            start,
            end: end.max(start),
            is_rendered: sources.get(location.file).is_rendered,
        }
    }

    /// The text of a file.
    pub(super) fn text(&self, file: FileId) -> &'a str {
        &self.input.sources.get(file).text
    }

    /// Where a field of an object stands; none: it is not written, or the object is from a cluster.
    /// An empty path is the object's name.
    pub(super) fn locate(&self, object: &ObjectRef, path: &str) -> Option<Location> {
        let origin = object.origin?;
        let text = self.text(origin.file);
        let object = self.tree((origin.file, origin.document, Some(origin.start)));
        let whole;
        let document = if let Some(object) = object.get_or_init(|| object_at(text, origin)) {
            object
        } else {
            whole = self.tree((origin.file, origin.document, None));
            let document = whole.get_or_init(|| document(text, origin.document));
            document.as_ref()?
        };
        let node = document.root.object_at(origin.start)?;
        let path = if path.is_empty() {
            "metadata.name"
        } else {
            path
        };
        node.at(path)?;
        Some(Location::new(origin.file, node.locate(path)))
    }

    /// Where a tree is kept once it has been read.
    fn tree(&self, part: DocumentPart) -> Arc<OnceLock<Option<Document>>> {
        let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        if trees.len() == MOST_TREES && !trees.contains_key(&part) {
            trees.clear();
        }
        Arc::clone(trees.entry(part).or_default())
    }

    /// The further fields of a finding's object.
    pub(super) fn labels<'f>(&self, reported: &'f Reported) -> Vec<RelatedLabel<'f>> {
        let labels = reported.finding.labels.iter();
        labels
            .map(|(path, text)| RelatedLabel {
                location: self.label(reported, path),
                path,
                text,
            })
            .collect()
    }

    /// What the fix of a finding would change: lines and what would stand there instead.
    pub(super) fn fix(&self, reported: &Reported) -> Vec<(Location, String)> {
        let origin = reported.object.origin;
        let is_written = |file: FileId| !self.input.sources.get(file).is_rendered;
        let Some(origin) = origin.filter(|origin| is_written(origin.file)) else {
            return Vec::new();
        };
        let byte = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
        let replacements = fix::preview(self.input, reported).into_iter();
        replacements
            .map(|replacement| {
                let location = Location {
                    file: origin.file,
                    start: byte(replacement.range.start),
                    end: byte(replacement.range.end),
                };
                (location, replacement.text)
            })
            .collect()
    }

    fn label(&self, reported: &Reported, path: &str) -> Option<Location> {
        let manifests = &self.input.manifests;
        let first = manifests.partition_point(|one| one.object.origin < reported.object.origin);
        match manifests.get(first) {
            Some(manifest) if manifest.object == reported.object => {
                let origin = manifest.object.origin?;
                manifest.at(path)?;
                Some(Location::new(origin.file, manifest.locate(path)))
            }
            _ => self.locate(&reported.object, path),
        }
    }
}

/// How an object is named in a sentence, such as `hpa/web in namespace shop`, of which context if there are several.
pub(super) fn named(object: &ObjectRef) -> String {
    let kind = match (object.kind.as_str(), object.origin) {
        ("HorizontalPodAutoscaler", _) => "hpa",
        ("", Some(origin)) => return format!("document {}", origin.document),
        ("", None) => return "a document".to_owned(),
        (kind, _) => kind,
    };
    let name = match object.name.as_str() {
        "" => " without a name".to_owned(),
        name => format!("/{name}"),
    };
    let place = if object.namespace.is_empty() {
        String::new()
    } else {
        format!(" in namespace {}", object.namespace)
    };
    let context = object.context.as_ref();
    let context = context.map_or_else(String::new, |context| format!(" of context {context}"));
    format!("{kind}{name}{place}{context}")
}

/// What a note is about; none: the whole run.
pub(super) fn about(note: &ReportNote) -> Option<String> {
    let context = note.context.as_ref();
    let whole = || context.map(|context| format!("context {context}"));
    note.object.as_ref().map(named).or_else(whole)
}

/// `1 HPA`, `2 HPAs`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

/// An object, read once more without the rest of its document; none: the rest is needed.
fn object_at(text: &str, origin: ObjectOrigin) -> Option<Document> {
    let start = origin.start as usize;
    let number = origin.document.saturating_sub(1);
    let is_at_line = start == 0 || text[..start].ends_with('\n');
    if !is_at_line || text[start..].starts_with('{') {
        return parse_item(text, origin.start, number);
    }
    // It begins its document, which ends before the next.
    let end = text[start..]
        .find("\n---")
        .map_or(text.len(), |end| start + end + 1);
    let part = Span {
        start: origin.start,
        end: u32::try_from(end).ok()?,
    };
    parse_part(text, part, number).into_iter().next()?.ok()
}

/// A whole document, read once more.
fn document(text: &str, number: u32) -> Option<Document> {
    let mut documents = parse_without_comments(text).into_iter().flatten();
    documents.find(|document| document.number == number)
}
