//! Whether the controller gets the same error as a failed read here, and which permission would help.

use hpa_engine::model::{ApiError, NotRead, SnapshotField};

use super::client::ClientError;

/// An action that RBAC may allow.
#[derive(Clone, Copy, Debug)]
pub struct Permission<'a> {
    /// `get` or `list`.
    pub verb: &'a str,
    /// API group; empty: the core group.
    pub group: &'a str,
    /// Resource with its subresource, such as `deployments/scale`.
    pub resource: &'a str,
    /// Namespace; empty: the whole cluster.
    pub namespace: &'a str,
}

/// A failed read of what the controller requests in every sync: scales and metrics.
pub(super) enum ReadFailure {
    /// The controller gets this error as well.
    Shared(ApiError),
    /// The error says nothing about the controller.
    Ours(NotRead),
}

impl ReadFailure {
    /// Whose failure it is. The controller may read everything and is not in a hurry, so missing permissions, missing
    /// credentials, throttling and timeouts are ours alone.
    pub(super) fn of(error: ClientError, what: SnapshotField, permission: Permission<'_>) -> Self {
        match error {
            ClientError::Status(status) if !is_about_us(&status) => Self::Shared(status),
            error => Self::Ours(not_read(&error, what, permission)),
        }
    }
}

/// Whether the server rejects the request because of our identity or our rate. A metrics adapter has other reasons for
/// 403, and they apply to everyone.
fn is_about_us(error: &ApiError) -> bool {
    match error.code {
        403 => error.message.contains("is forbidden: "),
        401 | 429 => true,
        _ => false,
    }
}

/// Why `what` was not read here. That is all there is to say of pods: the controller reads them from a cache that
/// watches fill, so it does not get the error of a request.
pub(super) fn not_read(
    error: &ClientError,
    what: SnapshotField,
    permission: Permission<'_>,
) -> NotRead {
    NotRead {
        what,
        why: error.to_string(),
        remedy: is_forbidden(error).then(|| permission.rule()),
        is_forbidden: is_forbidden(error),
    }
}

pub(super) fn is_forbidden(error: &ClientError) -> bool {
    matches!(error, ClientError::Status(status) if status.code == 403)
}

/// A failed read in one line, with the permission that would help.
pub(super) fn failure(error: &ClientError, permission: Permission<'_>) -> String {
    let remedy = is_forbidden(error).then(|| permission.rule());
    with_remedy(&error.to_string(), remedy.as_deref())
}

/// Why something was not read, and the permission that would help, in one line.
pub(super) fn description(reason: &NotRead) -> String {
    with_remedy(&reason.why, reason.remedy.as_deref())
}

fn with_remedy(why: &str, remedy: Option<&str>) -> String {
    match remedy {
        Some(remedy) => format!("{why}; {remedy}"),
        None => why.to_owned(),
    }
}

impl Permission<'_> {
    /// The RBAC rule that grants the permission.
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
            "needs permission to {verb} {resource} in {api}, {place}: {{apiGroups: [\"{group}\"], resources: [\"{resource}\"], verbs: [\"{verb}\"]}}"
        )
    }
}
