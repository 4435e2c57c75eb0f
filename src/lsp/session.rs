//! The session with a client.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    mem,
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use gen_lsp_types::{
    self as lsp, CodeActionKind, CodeActionParams, Diagnostic, DidChangeTextDocumentParams,
    DidChangeWatchedFilesRegistrationOptions, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, FileSystemWatcher, GlobPattern, Hover,
    HoverParams, InitializeParams, LogMessageParams, MarkupContent, MarkupKind, MessageType,
    PublishDiagnosticsParams, Registration, RegistrationParams, Uri, WorkspaceFolders,
};
use hpa_render::lint::editor_page;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    cli::LintArgs,
    linting::config_file,
    lsp::{
        actions::{actions, fix_all, is_kind},
        address::path_of,
        client::{Client, FIX_ALL, SOURCE, diagnostic, severity},
        documents::{OpenDocument, OpenDocuments},
        position::Lines,
        workspace::{Checked, PlacedDiagnostic, Remark, Workspace},
    },
};

/// How a session ended.
pub(super) enum Ended {
    /// The client sent `shutdown` and `exit`, as the protocol requires.
    AfterShutdown,
    /// The client sent `exit` without `shutdown`.
    WithoutShutdown,
    /// The client has disconnected.
    Disconnected,
}

/// The text is checked after this pause in typing.
const PAUSE: Duration = Duration::from_millis(150);

/// A session.
pub(super) struct Session<'a> {
    args: &'a LintArgs,
    connection: &'a Connection,
    client: Client,
    /// Folders of the workspace.
    folders: Vec<PathBuf>,
    documents: OpenDocuments,
    /// The result of the last run.
    checked: Checked,
    /// The diagnostics that the editor shows now, by URI.
    published: BTreeMap<String, (Option<i32>, Vec<Diagnostic>)>,
    /// When the next run is due; none: nothing changed.
    due: Option<Instant>,
    /// How long the last run took. The next one waits as long for more changes, so that runs take half the time at most.
    took: Duration,
    /// Messages that have arrived.
    waiting: VecDeque<Message>,
    is_shut_down: bool,
}

impl<'a> Session<'a> {
    /// The session that begins with these parameters.
    pub(super) fn new(
        args: &'a LintArgs,
        connection: &'a Connection,
        client: Client,
        params: &InitializeParams,
    ) -> Self {
        let given = &params.workspace_folders_initialize_params.workspace_folders;
        let mut folders: Vec<PathBuf> = match given {
            Some(WorkspaceFolders::WorkspaceFolderList(given)) => {
                given.iter().filter_map(|one| path_of(&one.uri)).collect()
            }
            _ => Vec::new(),
        };
        #[expect(deprecated, reason = "older clients have only this")]
        if folders.is_empty() {
            folders.extend(params.root_uri.as_ref().and_then(path_of));
        }
        Self {
            args,
            connection,
            client,
            folders,
            documents: OpenDocuments::new(),
            checked: Checked::default(),
            published: BTreeMap::new(),
            due: None,
            took: Duration::ZERO,
            waiting: VecDeque::new(),
            is_shut_down: false,
        }
    }

    /// Answers requests until the client leaves.
    pub(super) fn serve(mut self) -> anyhow::Result<Ended> {
        loop {
            let receiver = &self.connection.receiver;
            if self.waiting.is_empty() {
                let message = match self.due {
                    None => receiver.recv().ok(),
                    Some(due) => match receiver.recv_deadline(due) {
                        Ok(message) => Some(message),
                        Err(error) if error.is_timeout() => {
                            self.check()?;
                            continue;
                        }
                        Err(_) => None,
                    },
                };
                let Some(message) = message else {
                    return Ok(Ended::Disconnected);
                };
                self.waiting.push_back(message);
            }
            self.waiting.extend(receiver.try_iter());
            match self.waiting.pop_front() {
                Some(Message::Request(request)) => {
                    let answer = self.answer(request)?;
                    self.send(answer)?;
                }
                Some(Message::Notification(exit)) if exit.method == "exit" => {
                    return Ok(if self.is_shut_down {
                        Ended::AfterShutdown
                    } else {
                        Ended::WithoutShutdown
                    });
                }
                Some(Message::Notification(notification)) => self.note(notification)?,
                // The client's response to a registration is ignored.
                Some(Message::Response(_)) | None => {}
            }
        }
    }

    fn answer(&mut self, request: Request) -> anyhow::Result<Response> {
        let Request { id, method, params } = request;
        let refuse = |code: ErrorCode, message: &str| {
            Ok(Response::new_err(
                id.clone(),
                code as i32,
                message.to_owned(),
            ))
        };
        if self.is_canceled(&id) {
            return refuse(ErrorCode::RequestCanceled, "canceled by the client");
        }
        if self.is_shut_down {
            return refuse(ErrorCode::InvalidRequest, "the session is shut down");
        }
        let is_about_text = ["textDocument/hover", "textDocument/codeAction"].contains(&&*method);
        if is_about_text && !uri_in(&params).map_or(Ok(true), |uri| self.check_for(uri))? {
            return refuse(ErrorCode::ContentModified, "the text has changed since");
        }
        let answer = match method.as_str() {
            "shutdown" => {
                self.is_shut_down = true;
                Ok(Value::Null)
            }
            "initialize" => {
                return refuse(ErrorCode::InvalidRequest, "the session has started already");
            }
            "textDocument/hover" => match serde_json::from_value(params) {
                Ok(params) => to_value(self.hover(&params)),
                Err(error) => return refuse(ErrorCode::InvalidParams, &error.to_string()),
            },
            "textDocument/codeAction" => match serde_json::from_value(params) {
                Ok(params) => self.code_actions(&params).and_then(to_value),
                Err(error) => return refuse(ErrorCode::InvalidParams, &error.to_string()),
            },
            method => {
                let message = format!("{method} is not supported");
                return refuse(ErrorCode::MethodNotFound, &message);
            }
        };
        Ok(Response::new_ok(id, answer?))
    }

    /// Whether the client has canceled the request.
    fn is_canceled(&self, id: &RequestId) -> bool {
        let id = serde_json::to_value(id).unwrap_or_default();
        self.waiting.iter().any(|message| match message {
            Message::Notification(notification) => {
                notification.method == "$/cancelRequest" && notification.params["id"] == id
            }
            _ => false,
        })
    }

    fn note(&mut self, notification: Notification) -> anyhow::Result<()> {
        let Notification { method, params } = notification;
        match method.as_str() {
            "initialized" => self.watch_files()?,
            "textDocument/didOpen" => {
                if let Some(params) = self.read::<DidOpenTextDocumentParams>(&method, params)? {
                    let document = OpenDocument::new(params.text_document);
                    self.documents.insert(document.uri.0.clone(), document);
                    self.is_due_soon();
                }
            }
            "textDocument/didChange" => {
                if let Some(params) = self.read::<DidChangeTextDocumentParams>(&method, params)? {
                    self.change(params);
                }
            }
            "textDocument/didClose" => {
                if let Some(params) = self.read::<DidCloseTextDocumentParams>(&method, params)? {
                    self.documents.remove(&params.text_document.uri.0);
                    self.is_due_soon();
                }
            }
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => self.is_due_soon(),
            "workspace/didChangeWorkspaceFolders" => {
                let params = self.read::<DidChangeWorkspaceFoldersParams>(&method, params)?;
                if let Some(event) = params.map(|params| params.event) {
                    let paths = |folders: &[lsp::WorkspaceFolder]| -> Vec<PathBuf> {
                        folders.iter().filter_map(|one| path_of(&one.uri)).collect()
                    };
                    let removed = paths(&event.removed);
                    self.folders.retain(|folder| !removed.contains(folder));
                    self.folders.extend(paths(&event.added));
                    self.is_due_soon();
                }
            }
            // Other notifications, such as traces, are ignored.
            _ => {}
        }
        Ok(())
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let changed = params.text_document;
        let uri = &changed.text_document_identifier.uri.0;
        if let Some(document) = self.documents.get_mut(uri) {
            let encoding = self.client.encoding;
            document.change(changed.version, params.content_changes, encoding);
            self.due = Some(Instant::now() + PAUSE.max(self.took));
        }
    }

    /// Something changed. What changes next is checked in the same run.
    fn is_due_soon(&mut self) {
        let soon = Instant::now() + self.took;
        self.due = Some(self.due.map_or(soon, |due| due.min(soon)));
    }

    /// Parses the parameters of a notification. Notifications have no answer, so a parse error goes to the client's
    /// log.
    fn read<T: DeserializeOwned>(&self, method: &str, params: Value) -> anyhow::Result<Option<T>> {
        match serde_json::from_value(params) {
            Ok(params) => Ok(Some(params)),
            Err(error) => {
                let message = format!("the parameters of {method} cannot be read: {error}");
                self.log(MessageType::Error, message)?;
                Ok(None)
            }
        }
    }

    /// Asks the client to report changes of manifests and configuration files on disk.
    fn watch_files(&self) -> anyhow::Result<()> {
        if !self.client.has_watched_files {
            return Ok(());
        }
        let globs = [
            "**/*.{yaml,yml,json}".to_owned(),
            "**/Kustomization".to_owned(),
            format!("**/{}", config_file::NAME),
        ];
        let watchers = globs.map(|glob| FileSystemWatcher {
            glob_pattern: GlobPattern::Pattern(glob),
            kind: None,
        });
        let options = DidChangeWatchedFilesRegistrationOptions {
            watchers: watchers.into(),
        };
        let params = RegistrationParams {
            registrations: vec![Registration {
                id: "manifests".to_owned(),
                method: "workspace/didChangeWatchedFiles".to_owned(),
                register_options: Some(to_value(options)?),
            }],
        };
        self.send(Request {
            id: "manifests".to_owned().into(),
            method: "client/registerCapability".to_owned(),
            params: to_value(params)?,
        })
    }

    /// The messages of the rules at a position of the current text.
    fn hover(&self, params: &HoverParams) -> Option<Hover> {
        let at = &params.text_document_position_params;
        let document = self.documents.get(&at.text_document.uri.0)?;
        let lines = Lines::of(&document.text, self.client.encoding);
        let byte = lines.byte(at.position);
        let placed = self
            .checked
            .diagnostics
            .get(&document.uri.0)
            .into_iter()
            .flatten();
        let here: Vec<&PlacedDiagnostic> = placed
            .filter(|one| one.range.start <= byte && byte <= one.range.end)
            .collect();
        let mut pages: Vec<String> = Vec::new();
        for rule in here.iter().filter_map(|one| one.rule) {
            let page = editor_page(rule);
            if !pages.contains(&page) {
                pages.push(page);
            }
        }
        let first = here.first().filter(|_| !pages.is_empty())?;
        let kind = if self.client.has_markdown {
            MarkupKind::Markdown
        } else {
            MarkupKind::PlainText
        };
        Some(Hover {
            contents: MarkupContent {
                kind,
                value: pages.join("\n---\n\n"),
            }
            .into(),
            range: Some(lines.range(&first.range)),
        })
    }

    fn code_actions(
        &mut self,
        params: &CodeActionParams,
    ) -> anyhow::Result<Vec<lsp::CodeActionResponse>> {
        let only = params.context.only.as_deref();
        let is_for = |kind: &CodeActionKind| {
            only.is_some_and(|only| only.iter().any(|requested| is_kind(kind, requested)))
        };
        let Some(document) = self.documents.get(&params.text_document.uri.0) else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        if only.is_none() || is_for(&CodeActionKind::QuickFix) {
            found = actions(&self.client, document, &self.checked, params.range);
        }
        // Menus request all kinds with every move of the cursor, which would cause several runs of the rules each
        // time.
        if is_for(&FIX_ALL)
            && let Some(fixes) = self.checked.fixes(document)
        {
            for remark in &fixes.remarks {
                self.log(MessageType::Warning, remark.clone())?;
            }
            found.extend(fix_all(&self.client, document, fixes));
        }
        Ok(found)
    }

    /// Checks what has changed, for a request about this document. Returns whether the request can be answered: one
    /// about a text that has changed since cannot, and needs no run of the rules.
    fn check_for(&mut self, uri: &str) -> anyhow::Result<bool> {
        if self.due.is_none() {
            return Ok(true);
        }
        self.take_ahead(uri)?;
        let has_changed = self
            .waiting
            .iter()
            .any(|message| changed_by(message).is_some_and(|changed| changed == uri));
        if !has_changed {
            self.check()?;
        }
        Ok(!has_changed)
    }

    /// Takes the changes that wait behind a request about `uri`, so that one run is enough for all requests of a burst.
    /// Changes of documents that a waiting request is about keep their place.
    fn take_ahead(&mut self, uri: &str) -> anyhow::Result<()> {
        let mut requested = BTreeSet::from([uri.to_owned()]);
        for message in mem::take(&mut self.waiting) {
            let is_ahead = changed_by(&message).is_some_and(|uri| !requested.contains(uri));
            match message {
                Message::Notification(notification) if is_ahead => self.note(notification)?,
                message => {
                    if let Message::Request(Request { params, .. }) = &message {
                        requested.extend(uri_in(params).map(str::to_owned));
                    }
                    self.waiting.push_back(message);
                }
            }
        }
        Ok(())
    }

    /// Checks everything, and publishes what changed.
    fn check(&mut self) -> anyhow::Result<()> {
        let begun = Instant::now();
        self.due = None;
        for document in self.documents.values_mut() {
            document.note_readable();
        }
        let before = mem::take(&mut self.checked);
        let workspace = Workspace {
            args: self.args,
            folders: &self.folders,
            documents: &self.documents,
            encoding: self.client.encoding,
        };
        self.checked = workspace.check(before.diagnostics);
        for remark in self.checked.remarks.difference(&before.remarks) {
            let (kind, text) = match remark {
                Remark::Error(text) => (MessageType::Error, text),
                Remark::Warning(text) => (MessageType::Warning, text),
                Remark::Note(text) => (MessageType::Info, text),
            };
            self.log(kind, text.clone())?;
        }
        self.publish()?;
        self.took = begun.elapsed();
        Ok(())
    }

    /// Sends the diagnostics that changed, and removes those of closed documents.
    fn publish(&mut self) -> anyhow::Result<()> {
        let mut current: BTreeMap<String, (Option<i32>, Vec<Diagnostic>)> = BTreeMap::new();
        for (uri, placed) in &self.checked.diagnostics {
            if let Some(document) = self.documents.get(uri) {
                let lines = Lines::of(&document.text, self.client.encoding);
                let diagnostics = placed
                    .iter()
                    .map(|one| diagnostic(&self.client, &lines, one));
                current.insert(uri.clone(), (Some(document.version), diagnostics.collect()));
            }
        }
        for (uri, problems) in &self.checked.configs {
            let (_, diagnostics) = current.entry(uri.clone()).or_default();
            diagnostics.extend(problems.iter().map(|(range, of, message)| Diagnostic {
                range: *range,
                severity: Some(severity(*of)),
                source: Some(SOURCE.to_owned()),
                message: message.clone().into(),
                ..Diagnostic::default()
            }));
        }
        for uri in self.published.keys() {
            current.entry(uri.clone()).or_default();
        }
        for (uri, (version, diagnostics)) in &current {
            let is_known = match self.published.get(uri) {
                Some(published) => *published == (*version, diagnostics.clone()),
                None => diagnostics.is_empty() && version.is_none(),
            };
            if is_known {
                continue;
            }
            self.notify(
                "textDocument/publishDiagnostics",
                PublishDiagnosticsParams {
                    uri: Uri(uri.clone()),
                    version: *version,
                    diagnostics: diagnostics.clone(),
                },
            )?;
        }
        let is_open = |uri: &String| self.documents.contains_key(uri);
        current.retain(|uri, (_, diagnostics)| is_open(uri) || !diagnostics.is_empty());
        self.published = current;
        Ok(())
    }

    fn log(&self, kind: MessageType, message: String) -> anyhow::Result<()> {
        self.notify("window/logMessage", LogMessageParams { kind, message })
    }

    fn notify(&self, method: &str, params: impl Serialize) -> anyhow::Result<()> {
        self.send(Notification {
            method: method.to_owned(),
            params: to_value(params)?,
        })
    }

    fn send(&self, message: impl Into<Message>) -> anyhow::Result<()> {
        let sent = self.connection.sender.send(message.into());
        sent.context("the client does not read any more")
    }
}

/// The document that a message opens, changes or closes.
fn changed_by(message: &Message) -> Option<&str> {
    match message {
        Message::Notification(Notification { method, params }) => {
            let changes = ["didOpen", "didChange", "didClose"];
            let name = method.strip_prefix("textDocument/")?;
            changes.contains(&name).then(|| uri_in(params))?
        }
        _ => None,
    }
}

/// The document that a message is about.
fn uri_in(params: &Value) -> Option<&str> {
    params["textDocument"]["uri"].as_str()
}

fn to_value(value: impl Serialize) -> anyhow::Result<Value> {
    Ok(serde_json::to_value(value)?)
}

#[cfg(test)]
mod tests;
