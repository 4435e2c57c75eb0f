//! Shared by all formats: what to print, and where fields are in files.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use hpa_lint::{FileId, LintInput, Location, ObjectRef, Report, ReportNote, Reported, fix};
use kubectl_hpa_yaml::{Document, parse_object, parse_without_comments};

use crate::Style;

/// What to print, and how.
#[derive(Clone, Copy, Debug)]
pub struct LintView<'a> {
    /// The result of the run.
    pub report: &'a Report,
    /// The input of the run.
    pub input: &'a LintInput,
    /// The style of text output.
    pub style: Style,
    /// Whether only findings are printed: neither notes nor a summary.
    pub is_quiet: bool,
    /// Whether the findings of each rule are counted instead of printed.
    pub has_statistics: bool,
}

/// A range of a file. Lines and columns are counted from 1, columns in characters. The end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileRange<'a> {
    /// Path of the file, as it was given.
    pub(super) file: &'a str,
    /// Line and column of the first character.
    pub(super) start: (usize, usize),
    /// Line and column after the last character.
    pub(super) end: (usize, usize),
    /// Whether lines and columns refer to the rendered text, and not to the file.
    pub(super) is_rendered: bool,
}

impl FileRange<'_> {
    /// The file for people, with what its lines refer to.
    pub(super) fn name(&self) -> String {
        display_name(self.file, self.is_rendered)
    }
}

/// The display name of a file.
pub fn display_name(file: &str, is_rendered: bool) -> String {
    let rendered = if is_rendered { " (rendered)" } else { "" };
    format!("{file}{rendered}")
}

/// A further field of a finding's object.
pub(super) struct RelatedLabel<'f> {
    /// Its location, if it is in a file.
    pub(super) location: Option<Location>,
    /// The field.
    pub(super) path: &'f str,
    /// How it is related to the finding.
    pub(super) text: &'f str,
}

/// Locates fields without parsing a file again for each finding; shared by threads.
pub(super) struct Index<'a> {
    input: &'a LintInput,
    /// Trees of related objects, or of whole documents.
    trees: Mutex<BTreeMap<DocumentPart, Arc<OnceLock<Option<Document>>>>>,
}

/// A document of a file, or the object in it that begins at a byte.
type DocumentPart = (FileId, u32, Option<u32>);

/// At most this many parsed documents are kept.
const MOST_TREES: usize = 16;

impl<'a> Index<'a> {
    /// An index of the whole input.
    pub(super) fn new(view: &LintView<'a>) -> Self {
        Self {
            input: view.input,
            trees: Mutex::default(),
        }
    }

    /// The location of a finding, if its object comes from a file.
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

    /// The location of an object's field; `None` if the field is not set, or the object comes from a cluster. An empty
    /// path means the object's name.
    pub(super) fn locate(&self, object: &ObjectRef, path: &str) -> Option<Location> {
        let origin = object.origin?;
        let text = self.text(origin.file);
        let object = self.tree((origin.file, origin.document, Some(origin.start)));
        let whole;
        let document = if let Some(object) = object
            .get_or_init(|| parse_object(text, origin.start, origin.document.saturating_sub(1)))
        {
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

    /// The cache slot of a tree.
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

    /// The edits of a fix: locations and the text that replaces them.
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
                let manifest = manifest.manifest(&self.input.sources);
                let origin = manifest.object.origin?;
                manifest.at(path)?;
                Some(Location::new(origin.file, manifest.locate(path)))
            }
            _ => self.locate(&reported.object, path),
        }
    }
}

/// The name of an object in a sentence, such as `hpa/web in namespace shop`, with its context if there are several.
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

/// The subject of a note; `None` for the whole run.
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

/// A whole document, parsed again.
fn document(text: &str, number: u32) -> Option<Document> {
    let mut documents = parse_without_comments(text).into_iter().flatten();
    documents.find(|document| document.number == number)
}
