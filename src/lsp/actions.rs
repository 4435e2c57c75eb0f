//! The actions for a finding in an editor: the fix, and a comment that suppresses it.

use std::collections::HashMap;

use gen_lsp_types::{
    self as lsp, CodeAction, CodeActionKind, CodeActionResponse, DocumentChange, Edit,
    OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextDocumentIdentifier, TextEdit,
    WorkspaceEdit,
};
use hpa_lint::{fix::Replacement, suppress};
use hpa_render::lint::{editor_fix, editor_fix_all, editor_suppression};

use crate::lsp::{
    client::{Client, FIX_ALL, diagnostic},
    documents::OpenDocument,
    position::{Encoding, Lines},
    workspace::{Checked, DocumentFixes, PlacedDiagnostic},
};

/// Whether an action's kind equals or is below the requested kind: `source.fixAll.kubectl-hpa` is below
/// `source.fixAll`.
pub(super) fn is_kind(action: &CodeActionKind, requested: &CodeActionKind) -> bool {
    let rest = action.as_str().strip_prefix(requested.as_str());
    *requested == CodeActionKind::Empty
        || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The action that applies all fixes of a document; `None` if there are none.
pub(super) fn fix_all(
    client: &Client,
    document: &OpenDocument,
    fixes: DocumentFixes,
) -> Option<CodeActionResponse> {
    (!fixes.edits.is_empty()).then(|| {
        CodeActionResponse::CodeAction(CodeAction {
            title: editor_fix_all(fixes.fixed),
            kind: Some(FIX_ALL),
            edit: Some(edit(client, document, fixes.edits)),
            ..CodeAction::default()
        })
    })
}

/// The actions for the diagnostics in a range of a document.
pub(super) fn actions(
    client: &Client,
    document: &OpenDocument,
    checked: &Checked,
    range: lsp::Range,
) -> Vec<CodeActionResponse> {
    let lines = Lines::of(&document.text, client.encoding);
    let bytes = lines.bytes(range);
    let placed = checked
        .diagnostics
        .get(&document.uri.0)
        .into_iter()
        .flatten();
    let touched = placed.filter(|one| one.range.start <= bytes.end && bytes.start <= one.range.end);
    let mut actions = Vec::new();
    let mut suppressions = Vec::new();
    for one in touched {
        let action = |title: String, edits: Vec<Replacement>, is_preferred: bool| CodeAction {
            title,
            kind: Some(CodeActionKind::QuickFix),
            diagnostics: Some(vec![diagnostic(client, &lines, one)]),
            is_preferred: is_preferred.then_some(true),
            edit: Some(edit(client, document, edits)),
            ..CodeAction::default()
        };
        if let Some((title, edits)) = fix(checked, one) {
            actions.push(action(title, edits, true));
        }
        if let (Some(rule), Some(_)) = (one.rule, one.finding)
            && let Some(edit) = suppress::accepting(&document.text, one.range.start, rule.code)
        {
            suppressions.push(action(editor_suppression(rule), vec![edit], false));
        }
    }
    actions.append(&mut suppressions);
    actions
        .into_iter()
        .map(CodeActionResponse::CodeAction)
        .collect()
}

fn fix(checked: &Checked, one: &PlacedDiagnostic) -> Option<(String, Vec<Replacement>)> {
    let (run, finding) = one.finding?;
    editor_fix(&checked.runs.get(run)?.view(), finding)
}

/// The edits of a document, for its exact version if the client can compare versions.
fn edit(client: &Client, document: &OpenDocument, edits: Vec<Replacement>) -> WorkspaceEdit {
    let edits = text_edits(&document.text, client.encoding, edits);
    let uri = document.uri.clone();
    if client.has_document_changes {
        return WorkspaceEdit {
            document_changes: Some(vec![DocumentChange::TextDocumentEdit(TextDocumentEdit {
                text_document: OptionalVersionedTextDocumentIdentifier {
                    version: Some(document.version),
                    text_document_identifier: TextDocumentIdentifier { uri },
                },
                edits: edits.into_iter().map(Edit::TextEdit).collect(),
            })]),
            ..WorkspaceEdit::default()
        };
    }
    WorkspaceEdit {
        changes: Some(HashMap::from([(uri, edits)])),
        ..WorkspaceEdit::default()
    }
}

fn text_edits(text: &str, encoding: Encoding, edits: Vec<Replacement>) -> Vec<TextEdit> {
    let lines = Lines::of(text, encoding);
    let edits = edits.into_iter().map(|edit| TextEdit {
        range: lines.range(&edit.range),
        new_text: edit.text,
    });
    edits.collect()
}
