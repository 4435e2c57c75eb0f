//! The capabilities of client and server, and the conversion of findings for the client.

use gen_lsp_types::{
    self as lsp, ClientCapabilities, Code, CodeActionKind, CodeActionOptions, CodeActionProvider,
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, HoverProvider,
    InitializeParams, MarkupKind, Save, ServerCapabilities, TextDocumentSync, TextDocumentSyncKind,
    TextDocumentSyncOptions, Uri, WorkspaceFoldersServerCapabilities, WorkspaceOptions,
};
use hpa_lint::Severity;
use hpa_render::lint::page_address;

use crate::lsp::{
    position::{Encoding, Lines},
    workspace::PlacedDiagnostic,
};

/// The capabilities of the client that matter here.
#[expect(clippy::struct_excessive_bools, reason = "each is a capability")]
pub(super) struct Client {
    /// The encoding of positions.
    pub(super) encoding: Encoding,
    /// Whether edits can name the document version that they apply to.
    pub(super) has_document_changes: bool,
    /// Whether it shows related locations of a finding.
    pub(super) has_related_information: bool,
    /// Whether it shows Markdown.
    pub(super) has_markdown: bool,
    /// Whether it can watch files for the server.
    pub(super) has_watched_files: bool,
}

impl Client {
    /// The capabilities that the client declares.
    pub(super) fn of(params: &InitializeParams) -> Self {
        let ClientCapabilities {
            general,
            text_document,
            workspace,
            ..
        } = &params.capabilities;
        let offered = general
            .as_ref()
            .and_then(|it| it.position_encodings.as_deref());
        let text_document = text_document.as_ref();
        let diagnostics = text_document.and_then(|it| it.publish_diagnostics.as_ref());
        let hover = text_document.and_then(|it| it.hover.as_ref());
        let formats = hover.and_then(|it| it.content_format.as_deref());
        let workspace = workspace.as_ref();
        let edit = workspace.and_then(|it| it.workspace_edit.as_ref());
        let watched = workspace.and_then(|it| it.did_change_watched_files.as_ref());
        Self {
            encoding: Encoding::of(offered),
            has_document_changes: edit.is_some_and(|it| it.document_changes == Some(true)),
            has_related_information: diagnostics
                .is_some_and(|it| it.diagnostics_capabilities.related_information == Some(true)),
            has_markdown: formats.is_none_or(|formats| formats.contains(&MarkupKind::Markdown)),
            has_watched_files: watched.is_some_and(|it| it.dynamic_registration == Some(true)),
        }
    }
}

/// The capabilities of the server.
pub(super) fn capabilities(client: &Client) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(client.encoding.kind()),
        text_document_sync: Some(TextDocumentSync::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::Incremental),
            save: Some(Save::Bool(true)),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProvider::Bool(true)),
        code_action_provider: Some(CodeActionProvider::CodeActionOptions(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QuickFix, FIX_ALL]),
            ..CodeActionOptions::default()
        })),
        workspace: Some(WorkspaceOptions {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(true.into()),
            }),
            ..WorkspaceOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// The diagnostic for a finding.
pub(super) fn diagnostic(
    client: &Client,
    lines: &Lines<'_>,
    placed: &PlacedDiagnostic,
) -> Diagnostic {
    let related = placed.related.iter().map(|(uri, range, text)| {
        let location = lsp::Location {
            uri: uri.clone(),
            range: *range,
        };
        DiagnosticRelatedInformation {
            location,
            message: text.clone(),
        }
    });
    let has_related = client.has_related_information && !placed.related.is_empty();
    Diagnostic {
        range: lines.range(&placed.range),
        severity: Some(severity(placed.severity)),
        code: placed.rule.map(|rule| Code::String(rule.code.to_owned())),
        code_description: placed.rule.map(|rule| CodeDescription {
            href: Uri(page_address(rule)),
        }),
        source: Some(SOURCE.to_owned()),
        message: placed.message.clone().into(),
        related_information: has_related.then(|| related.collect()),
        ..Diagnostic::default()
    }
}

/// The severity in the protocol.
pub(super) fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning => DiagnosticSeverity::Warning,
        Severity::Info => DiagnosticSeverity::Information,
        Severity::Note => DiagnosticSeverity::Hint,
    }
}

/// The source of diagnostics.
pub(super) const SOURCE: &str = "kubectl-hpa";

/// All fixes of a document as one action. Editors request it by its kind, or by `source.fixAll`, when a file is saved.
pub(super) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.kubectl-hpa");
