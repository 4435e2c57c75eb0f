//! Errors of the API server, worded as Go clients, and so the controller, report them.

use hpa_engine::model::ApiError;
use serde::Deserialize;

use super::protobuf;

/// What a request is about; Go clients name it in errors that have no `metav1.Status`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ResourceName<'a> {
    /// API group; empty: the core group.
    pub(super) group: &'a str,
    /// Resource, such as `pods`; empty: the path is not a resource.
    pub(super) resource: &'a str,
    /// Name of the object; empty: a list.
    pub(super) name: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct ErrorStatus {
    kind: String,
    status: String,
    message: String,
    reason: String,
    code: u16,
}

impl From<protobuf::StatusMessage> for ErrorStatus {
    fn from(from: protobuf::StatusMessage) -> Self {
        Self {
            kind: String::new(),
            status: from.status,
            message: from.message,
            reason: from.reason,
            code: from.code.try_into().unwrap_or_default(),
        }
    }
}

/// The error in an answer: its `metav1.Status`, else the text that client-go generates. Upstream: `Result.Error` and
/// `NewGenericServerResponse`.
pub(super) fn from_answer(
    code: u16,
    content_type: &str,
    body: &[u8],
    about: ResourceName<'_>,
) -> ApiError {
    let status: Option<ErrorStatus> = if protobuf::is(content_type) {
        protobuf::status(body).map(Into::into)
    } else {
        serde_json::from_slice(body).ok()
    };
    if let Some(status) = status
        && (status.kind == "Status" || status.kind.is_empty())
        && status.status == "Failure"
    {
        return ApiError {
            message: status.message,
            reason: status.reason,
            code: if status.code == 0 { code } else { status.code },
        };
    }
    let is_text = content_type.is_empty() || content_type.starts_with("text/");
    let text = if is_text {
        let end = body.len().min(MAX_TEXT_BYTES);
        String::from_utf8_lossy(&body[..end]).trim().to_owned()
    } else {
        "unknown".to_owned()
    };
    from_text(code, &text, about)
}

/// The error that client-go generates for an answer with this text.
pub(super) fn from_text(code: u16, text: &str, about: ResourceName<'_>) -> ApiError {
    let (reason, message) = generic(code, text);
    ApiError {
        message: message + &about.suffix(),
        reason: reason.to_owned(),
        code,
    }
}

/// Whether the server does not know the path: the API is missing, not just an object.
pub(super) fn is_unknown_path(error: &ApiError) -> bool {
    error.code == 404 && error.message.starts_with(UNKNOWN_PATH)
}

impl ResourceName<'_> {
    fn suffix(self) -> String {
        if self.resource.is_empty() {
            return String::new();
        }
        let mut suffix = format!(" (get {}", self.resource);
        if !self.group.is_empty() {
            suffix.push('.');
            suffix.push_str(self.group);
        }
        if !self.name.is_empty() {
            suffix.push(' ');
            suffix.push_str(self.name);
        }
        suffix.push(')');
        suffix
    }
}

fn generic(code: u16, text: &str) -> (&'static str, String) {
    let (reason, message) = match code {
        400 => (
            "BadRequest",
            "the server rejected our request for an unknown reason",
        ),
        401 => (
            "Unauthorized",
            "the server has asked for the client to provide credentials",
        ),
        403 => ("Forbidden", text),
        404 => ("NotFound", UNKNOWN_PATH),
        405 => (
            "MethodNotAllowed",
            "the server does not allow this method on the requested resource",
        ),
        406 if text.is_empty() || text == "unknown" => (
            "NotAcceptable",
            "the server was unable to respond with a content type that the client supports",
        ),
        406 => ("NotAcceptable", text),
        409 => ("Conflict", "the server reported a conflict"),
        415 => ("UnsupportedMediaType", text),
        422 => (
            "Invalid",
            "the server rejected our request due to an error in our request",
        ),
        429 => (
            "TooManyRequests",
            "the server has received too many requests and has asked us to try again later",
        ),
        503 => (
            "ServiceUnavailable",
            "the server is currently unable to handle the request",
        ),
        504 => (
            "Timeout",
            "the server was unable to return a response in the time allotted, but may still be processing the request",
        ),
        500.. => {
            return (
                "InternalError",
                format!(
                    "an error on the server ({text:?}) has prevented the request from succeeding"
                ),
            );
        }
        _ => {
            return (
                "Unknown",
                format!(
                    "the server responded with the status code {code} but did not return more information"
                ),
            );
        }
    };
    (reason, message.to_owned())
}

const UNKNOWN_PATH: &str = "the server could not find the requested resource";

/// Upstream: `maxUnstructuredResponseTextBytes`.
const MAX_TEXT_BYTES: usize = 2048;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: u16, content_type: &str, body: &str, about: ResourceName<'_>, message: &str) {
        let error = from_answer(code, content_type, body.as_bytes(), about);
        assert_eq!(error.message, message);
        assert_eq!(error.code, code);
    }

    #[test]
    fn answers_without_a_status_are_worded_as_in_client_go() {
        let pods = ResourceName {
            group: "metrics.k8s.io",
            resource: "pods",
            name: "",
        };
        let metric = ResourceName {
            group: "custom.metrics.k8s.io",
            resource: "pods",
            name: "*",
        };
        check(
            404,
            "text/plain; charset=utf-8",
            "404 page not found\n",
            pods,
            "the server could not find the requested resource (get pods.metrics.k8s.io)",
        );
        check(
            503,
            "text/plain; charset=utf-8",
            "service unavailable\n",
            metric,
            "the server is currently unable to handle the request (get pods.custom.metrics.k8s.io *)",
        );
        check(
            500,
            "text/plain",
            "adapter is \"down\"\n",
            pods,
            r#"an error on the server ("adapter is \"down\"") has prevented the request from succeeding (get pods.metrics.k8s.io)"#,
        );
    }

    #[test]
    fn a_status_speaks_for_itself() {
        let body = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","message":"deployments.apps \"web\" not found","reason":"NotFound","code":404}"#;
        check(
            404,
            "application/json",
            body,
            ResourceName::default(),
            "deployments.apps \"web\" not found",
        );
    }
}
