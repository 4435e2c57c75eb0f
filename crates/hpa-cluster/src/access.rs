//! Whether a failed read is the controller's problem or ours, and what would help.

use super::client::ClientError;
use crate::model::{ApiError, NotRead, SnapshotField};

/// What a user may be allowed to do.
#[derive(Clone, Copy, Debug)]
pub struct Right<'a> {
    /// `get` or `list`.
    pub verb: &'a str,
    /// API group; empty: the core group.
    pub group: &'a str,
    /// Resource with its subresource, such as `deployments/scale`.
    pub resource: &'a str,
    /// Namespace; empty: the whole cluster.
    pub namespace: &'a str,
}

/// A read that failed.
pub(super) enum ReadFailure {
    /// The controller gets this error, too.
    Shared(ApiError),
    /// It says nothing about the controller.
    Ours(NotRead),
}

/// Decides whose problem a failed read is. The controller may read everything and is not hurried, so missing rights, missing
/// credentials, throttling and silence are ours.
pub(super) fn compare(error: ClientError, what: SnapshotField, right: Right<'_>) -> ReadFailure {
    match error {
        ClientError::Status(status) if !is_about_us(&status) => ReadFailure::Shared(status),
        error => ReadFailure::Ours(not_read(&error, what, right)),
    }
}

/// Whether the server refuses because of who asks, or how often. A metrics adapter has other reasons for 403, and they hold for everybody.
fn is_about_us(error: &ApiError) -> bool {
    match error.code {
        403 => error.message.contains("is forbidden: "),
        401 | 429 => true,
        _ => false,
    }
}

/// Why `what` was not read.
pub(super) fn not_read(error: &ClientError, what: SnapshotField, right: Right<'_>) -> NotRead {
    NotRead {
        what,
        why: error.to_string(),
        remedy: is_forbidden(error).then(|| right.rule()),
        is_forbidden: is_forbidden(error),
    }
}

pub(super) fn is_forbidden(error: &ClientError) -> bool {
    matches!(error, ClientError::Status(status) if status.code == 403)
}

/// A failed read in one line, with the right that would help.
pub(super) fn failure(error: &ClientError, right: Right<'_>) -> String {
    let remedy = is_forbidden(error).then(|| right.rule());
    with_remedy(&error.to_string(), remedy.as_deref())
}

/// Why it was not read, and the right that would help, in one line.
pub(super) fn description(reason: &NotRead) -> String {
    with_remedy(&reason.why, reason.remedy.as_deref())
}

fn with_remedy(why: &str, remedy: Option<&str>) -> String {
    match remedy {
        Some(remedy) => format!("{why}; {remedy}"),
        None => why.to_owned(),
    }
}

impl Right<'_> {
    /// The RBAC rule that grants it.
    pub fn rule(self) -> String {
        let Self {
            verb,
            group,
            resource,
            namespace,
        } = self;
        let place = if namespace.is_empty() {
            "all namespaces".to_owned()
        } else {
            format!("namespace {namespace}")
        };
        let api = if group.is_empty() {
            "the core API group".to_owned()
        } else {
            format!("API group {group}")
        };
        format!(
            "needs the right to {verb} {resource} in {api}, {place}: {{apiGroups: [\"{group}\"], resources: [\"{resource}\"], verbs: [\"{verb}\"]}}"
        )
    }
}
