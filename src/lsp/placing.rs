//! The findings of a run as diagnostics of open documents. A document can have thousands of findings, so nothing here
//! searches a text, a file or a document for each of them.

use std::{cell::RefCell, collections::BTreeMap, ops::Range, path::Path, rc::Rc};

use gen_lsp_types::Uri;
use hpa_lint::FileId;
use hpa_render::lint::EditorFinding;

use crate::lsp::{
    address::uri_of,
    documents::OpenDocument,
    position::{Encoding, Lines},
    workspace::{PlacedDiagnostic, Run, Workspace},
};

/// Places the findings of a run.
pub(super) struct Placing<'a> {
    run: &'a Run,
    /// The index of the run.
    at: usize,
    encoding: Encoding,
    /// The findings of each file, in order.
    of_files: BTreeMap<FileId, Vec<&'a EditorFinding>>,
    /// The URIs of open documents, by name.
    uris: BTreeMap<String, &'a Uri>,
    /// The lines of each file that is referred to.
    lines: RefCell<BTreeMap<FileId, Rc<Lines<'a>>>>,
}

impl<'a> Placing<'a> {
    /// For the run with the index `at`.
    pub(super) fn of(workspace: &Workspace<'a>, run: &'a Run, at: usize) -> Self {
        let mut of_files: BTreeMap<FileId, Vec<&EditorFinding>> = BTreeMap::new();
        for finding in &run.findings {
            let of_file = of_files.entry(finding.location.file).or_default();
            of_file.push(finding);
        }
        let mut uris = BTreeMap::new();
        for document in workspace.documents.values() {
            uris.entry(document.name()).or_insert(&document.uri);
        }
        Self {
            run,
            at,
            encoding: workspace.encoding,
            of_files,
            uris,
            lines: RefCell::default(),
        }
    }

    /// The diagnostics of a document.
    pub(super) fn diagnostics(&self, document: &OpenDocument) -> Vec<PlacedDiagnostic> {
        let file = self.run.file_of(document);
        let findings = file.and_then(|file| self.of_files.get(&file));
        let findings = findings.into_iter().flatten();
        findings.map(|finding| self.one(finding)).collect()
    }

    fn one(&self, finding: &EditorFinding) -> PlacedDiagnostic {
        let related = finding.related.iter().map(|(place, text)| {
            let range = self.lines(place.file).range(&bytes(place));
            (self.uri(place.file), range, text.clone())
        });
        PlacedDiagnostic {
            range: bytes(&finding.location),
            rule: finding.rule,
            severity: finding.severity,
            message: finding.message.clone(),
            related: related.collect(),
            finding: finding.finding.map(|index| (self.at, index)),
        }
    }

    fn lines(&self, file: FileId) -> Rc<Lines<'a>> {
        let mut known = self.lines.borrow_mut();
        let lines = known.entry(file).or_insert_with(|| {
            let text = &self.run.input.sources.get(file).text;
            Rc::new(Lines::of(text, self.encoding))
        });
        Rc::clone(lines)
    }

    /// The URI of a file, as the editor writes it if it is open.
    fn uri(&self, file: FileId) -> Uri {
        let name = &*self.run.input.sources.get(file).name;
        let open = self.uris.get(name).map(|uri| (*uri).clone());
        open.unwrap_or_else(|| uri_of(Path::new(name)))
    }
}

fn bytes(place: &hpa_lint::Location) -> Range<usize> {
    place.start as usize..place.end as usize
}
