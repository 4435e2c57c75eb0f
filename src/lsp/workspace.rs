//! One run of the rules: the manifests of the workspace, with the editor's texts of open documents.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use gen_lsp_types::{self as lsp, Uri};
use hpa_lint::{
    File, FileId, LintInput, LintSettings, Report, Rule, Severity, config, fix, is_kustomization,
    rules,
};
use hpa_render::{
    Style,
    lint::{EditorFinding, LintView, editor},
};
use kubectl_hpa_yaml::Span;

use crate::{
    cli::LintArgs,
    linting::{
        baseline_file,
        config_file::{self, ConfigFile},
        files, settings,
        walk::{self, FoundFile, WalkOptions, real},
    },
    lsp::{
        address::uri_of,
        documents::{OpenDocument, OpenDocuments, TextChange},
        placing::Placing,
        position::{Encoding, Lines},
    },
};

/// The input of a run.
pub(super) struct Workspace<'a> {
    /// The flags of the server.
    pub(super) args: &'a LintArgs,
    /// Its folders.
    pub(super) folders: &'a [PathBuf],
    /// The texts of the editor.
    pub(super) documents: &'a OpenDocuments,
    /// The encoding of positions.
    pub(super) encoding: Encoding,
}

/// The result of a run.
#[derive(Default)]
pub(super) struct Checked {
    /// The inputs and reports, one for each configuration.
    pub(super) runs: Vec<Run>,
    /// The diagnostics of each open document, by URI.
    pub(super) diagnostics: BTreeMap<String, Vec<PlacedDiagnostic>>,
    /// Problems in configuration files, by URI.
    pub(super) configs: BTreeMap<String, Vec<(lsp::Range, Severity, String)>>,
    /// What is of no place.
    pub(super) remarks: BTreeSet<Remark>,
}

/// What the editor's log shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Remark {
    /// Documents could not be checked.
    Error(String),
    /// Something was left out.
    Warning(String),
    /// What is of no place in a document.
    Note(String),
}

/// An input and its report.
pub(super) struct Run {
    /// URIs of the documents that have this configuration.
    documents: BTreeSet<String>,
    pub(super) input: LintInput,
    settings: LintSettings,
    report: Report,
    /// The findings with a location.
    pub(super) findings: Vec<EditorFinding>,
    /// The files by name.
    files: BTreeMap<String, FileId>,
    /// The files by path with links resolved; found on demand.
    places: OnceCell<BTreeMap<PathBuf, FileId>>,
}

/// A diagnostic of an open document.
#[derive(Clone)]
pub(super) struct PlacedDiagnostic {
    /// Its range in bytes.
    pub(super) range: Range<usize>,
    /// The rule that reports it.
    pub(super) rule: Option<&'static Rule>,
    /// Its severity.
    pub(super) severity: Severity,
    /// What is wrong, and what to do.
    pub(super) message: String,
    /// Related locations.
    pub(super) related: Vec<(Uri, lsp::Range, String)>,
    /// The index of the run and of its finding, for the fix; none: there is no fix, or the text has changed since.
    pub(super) finding: Option<(usize, usize)>,
}

/// The fixes of a document.
pub(super) struct DocumentFixes {
    /// Number of fixed findings.
    pub(super) fixed: usize,
    /// The edits; empty: there is nothing to fix.
    pub(super) edits: Vec<fix::Replacement>,
    /// What cannot be fixed.
    pub(super) remarks: Vec<String>,
}

impl Checked {
    /// What `--fix` would change in a document, and in no other file; `None` if the document cannot be parsed now, or
    /// its configuration is invalid.
    pub(super) fn fixes(&self, document: &OpenDocument) -> Option<DocumentFixes> {
        let mut runs = self.runs.iter();
        let run = runs.find(|run| run.documents.contains(&document.uri.0))?;
        let file = run.file_of(document)?;
        let sources = &run.input.sources;
        let before = &sources.get(file).text;
        if **before != document.text {
            return None;
        }
        let others = sources.iter().map(|(other, _)| other);
        let others: BTreeSet<FileId> = others.filter(|other| *other != file).collect();
        let linted = sources.iter().count();
        let all = fix::rounds(run.input.clone(), linted, &run.settings, &others);
        Some(DocumentFixes {
            fixed: all.fixed,
            edits: fix::replacements(before, &all.input.sources.get(file).text),
            remarks: all.remarks,
        })
    }
}

impl Run {
    /// The report as a view.
    pub(super) fn view(&self) -> LintView<'_> {
        LintView {
            report: &self.report,
            input: &self.input,
            style: Style::plain(),
            is_quiet: false,
            has_statistics: false,
        }
    }

    /// The file of a document.
    pub(super) fn file_of(&self, document: &OpenDocument) -> Option<FileId> {
        let name = document.name();
        self.files.get(&name).copied().or_else(|| {
            // It is in a folder through a link.
            let places = self.places.get_or_init(|| {
                let mut places = BTreeMap::new();
                for (file, source) in self.input.sources.iter() {
                    places.entry(real(Path::new(&*source.name))).or_insert(file);
                }
                places
            });
            places.get(&real(document.path.as_deref()?)).copied()
        })
    }
}

impl Workspace<'_> {
    /// Checks the open documents. Documents with an invalid configuration keep their diagnostics.
    pub(super) fn check(&self, mut before: BTreeMap<String, Vec<PlacedDiagnostic>>) -> Checked {
        let mut checked = Checked::default();
        let mut groups: BTreeMap<Option<PathBuf>, Vec<&OpenDocument>> = BTreeMap::new();
        for document in self.documents.values() {
            let config = self.config_of(document);
            groups.entry(config).or_default().push(document);
        }
        for (path, documents) in groups {
            if let Err(error) = self.group(path.as_deref(), &documents, &mut checked) {
                checked.remarks.insert(Remark::Error(format!("{error:#}")));
                for document in documents {
                    let mut kept = before.remove(&document.uri.0).unwrap_or_default();
                    for one in &mut kept {
                        one.finding = None;
                    }
                    checked.diagnostics.insert(document.uri.0.clone(), kept);
                }
            }
        }
        checked
    }

    /// Checks the documents that share one configuration.
    fn group(
        &self,
        config: Option<&Path>,
        documents: &[&OpenDocument],
        checked: &mut Checked,
    ) -> anyhow::Result<()> {
        let config = config
            .map(|path| self.read_config(path, checked))
            .transpose()?;
        let now = self.run(config.as_ref(), current, &mut checked.remarks)?;
        // While a document cannot be parsed, everything that refers to it is checked against its last parseable text.
        let before = if self
            .documents
            .values()
            .any(|one| one.before_typing().is_some())
        {
            Some(self.run(config.as_ref(), readable, &mut checked.remarks)?)
        } else {
            None
        };
        self.place(&now, before.as_ref(), documents, checked);
        let mut run = before.unwrap_or(now);
        let uris = documents.iter().map(|document| document.uri.0.clone());
        run.documents.extend(uris);
        checked.runs.push(run);
        Ok(())
    }

    /// Places the findings of a run, and of one on the texts before the user typed.
    fn place(
        &self,
        now: &Run,
        before: Option<&Run>,
        documents: &[&OpenDocument],
        checked: &mut Checked,
    ) {
        let at = checked.runs.len();
        let current = Placing::of(self, now, at);
        let whole = before.map(|before| Placing::of(self, before, at));
        let whole = whole.as_ref().unwrap_or(&current);
        for document in documents {
            let placed = match document.before_typing() {
                None => whole.diagnostics(document),
                Some(text) => {
                    let mut placed = current.diagnostics(document);
                    let undecodable = rules::undecodable().code;
                    placed.retain(|one| one.rule.is_some_and(|rule| rule.code == undecodable));
                    let change = TextChange::of(text, &document.text);
                    let kept = whole.diagnostics(document);
                    let kept = kept.into_iter().filter_map(|one| {
                        Some(PlacedDiagnostic {
                            range: change.moved(&one.range)?,
                            related: Vec::new(),
                            finding: None,
                            ..one
                        })
                    });
                    placed.extend(kept);
                    for one in &mut placed {
                        one.finding = None;
                    }
                    placed
                }
            };
            checked.diagnostics.insert(document.uri.0.clone(), placed);
        }
    }

    /// Runs the rules on the files of the workspace, with a text for each open document.
    fn run(
        &self,
        config: Option<&ConfigFile>,
        text: fn(&OpenDocument) -> &str,
        remarks: &mut BTreeSet<Remark>,
    ) -> anyhow::Result<Run> {
        let mut input = LintInput::default();
        let files = self.files(text, remarks);
        files::add(files.into_iter().map(Ok), &mut input)?;
        let mut messages = Vec::new();
        let settings = settings::settings(self.args, config, None, &input, &mut messages);
        let mut report = hpa_lint::run(&input, &settings);
        if let Some(baseline) = baseline_file::read(self.args, config)? {
            messages.extend(baseline_file::apply(
                &baseline,
                &input,
                &settings,
                &mut report,
            ));
        }
        remarks.extend(messages.into_iter().map(Remark::Warning));
        let mut files = BTreeMap::new();
        for (file, source) in input.sources.iter() {
            files.entry(source.name.to_string()).or_insert(file);
        }
        let mut run = Run {
            documents: BTreeSet::new(),
            files,
            places: OnceCell::new(),
            input,
            settings,
            report,
            findings: Vec::new(),
        };
        let has_unused = self.args.rules.report_unused_suppressions;
        let (findings, elsewhere) = editor(&run.view(), has_unused);
        remarks.extend(elsewhere.into_iter().map(Remark::Note));
        run.findings = findings;
        Ok(run)
    }

    /// The manifests of the workspace's folders, those next to open documents elsewhere, and the open documents.
    fn files(&self, text: fn(&OpenDocument) -> &str, remarks: &mut BTreeSet<Remark>) -> Vec<File> {
        let mut known = BTreeSet::new();
        let mut found = Vec::new();
        let mut add = |folder: &Path, is_recursive: bool, known: &mut BTreeSet<PathBuf>| {
            let options = WalkOptions {
                is_recursive,
                is_lenient: true,
                stdin: None,
            };
            match walk::files(&[folder.to_owned()], options, known) {
                Ok(files) => found.extend(files),
                Err(error) => {
                    remarks.insert(Remark::Warning(format!("{error:#}")));
                }
            }
        };
        for folder in self.folders {
            add(folder, true, &mut known);
        }
        let folders: Vec<PathBuf> = self.folders.iter().map(|one| real(one)).collect();
        let mut open: BTreeMap<PathBuf, &str> = BTreeMap::new();
        let mut files = Vec::new();
        let mut listed = BTreeSet::new();
        for document in self.documents.values() {
            let Some(path) = &document.path else {
                files.push(open_file(document.name(), text(document)));
                continue;
            };
            let real = real(path);
            let folder = path.parent().filter(|folder| folder.is_dir());
            let is_inside = folders.iter().any(|folder| real.starts_with(folder));
            if let Some(folder) = folder.filter(|folder| !is_inside && listed.insert(*folder)) {
                add(folder, false, &mut known);
            }
            open.insert(real, text(document));
        }
        // An open document that was not found is new, hidden, or has an unusual name for a manifest.
        for document in self.documents.values() {
            if let Some(path) = &document.path
                && known.insert(real(path))
            {
                found.push(FoundFile {
                    path: path.clone(),
                    is_stdin: false,
                    is_in_directory: true,
                });
            }
        }
        found.extend(walk::kustomizations_above(&found, &mut known));
        for found in found {
            let name = found.path.display().to_string();
            if let Some(text) = open.get(&real(&found.path)) {
                files.push(open_file(name, text));
                continue;
            }
            match files::file(&found, true) {
                Ok(file) => files.push(file),
                Err(error) => {
                    remarks.insert(Remark::Warning(format!("{error:#}")));
                }
            }
        }
        files.sort_by_cached_key(|file| (!is_kustomization(&file.name), file.name.clone()));
        files
    }

    /// The configuration file of a document.
    fn config_of(&self, document: &OpenDocument) -> Option<PathBuf> {
        let rules = &self.args.rules;
        if rules.no_config || rules.config.is_some() {
            return rules.config.clone();
        }
        let above = document
            .path
            .iter()
            .flat_map(|path| path.ancestors().skip(1));
        let mut folders = above.chain(self.folders.iter().map(PathBuf::as_path));
        let folder = folders.find(|folder| folder.is_dir())?;
        config_file::search(&dunce::canonicalize(folder).ok()?).nearest
    }

    /// Reads a configuration file; its problems become diagnostics in it.
    fn read_config(&self, path: &Path, checked: &mut Checked) -> anyhow::Result<ConfigFile> {
        let place = real(path);
        let is_it = |one: &&OpenDocument| one.path.as_deref().map(real).as_ref() == Some(&place);
        let open = self.documents.values().find(is_it);
        let text = match open {
            Some(document) => document.text.clone(),
            None => files::text(path, true).with_context(|| path.display().to_string())?,
        };
        let uri = open.map_or_else(|| uri_of(&place), |document| document.uri.clone());
        let range = |span: Span| {
            let bytes = span.start as usize..span.end as usize;
            Lines::of(&text, self.encoding).range(&bytes)
        };
        let problems = match config::decode(&text) {
            Ok(config) => {
                let unknown = config.unknown.into_iter();
                let warning = |(span, text)| (range(span), Severity::Warning, text);
                unknown.map(warning).collect()
            }
            Err(error) => {
                let colon = if error.path.is_empty() { "" } else { ": " };
                let message = format!("{}{colon}{}", error.path, error.problem);
                vec![(range(error.span), Severity::Error, message)]
            }
        };
        checked.configs.insert(uri.0, problems);
        config_file::of_text(path, text)
    }
}

/// The text in the editor.
fn current(document: &OpenDocument) -> &str {
    &document.text
}

/// The last parseable text.
fn readable(document: &OpenDocument) -> &str {
    document.readable.as_deref().unwrap_or(&document.text)
}

fn open_file(name: String, text: &str) -> File {
    File {
        name,
        bytes: text.as_bytes().to_owned(),
        // An opened document is not always meant to be a manifest.
        is_found: true,
        is_linted: true,
        is_rendered: false,
    }
}
