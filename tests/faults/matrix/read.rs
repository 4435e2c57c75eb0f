//! What a request reads, in words.

use axum::http::{HeaderMap, Uri, header};

/// What a request reads: all requests of one kind that a command uses in the same way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Read(String);

impl Read {
    /// The read that a request makes.
    pub(super) fn of(uri: &Uri, headers: &HeaderMap) -> Self {
        let segments: Vec<&str> = uri.path().trim_matches('/').split('/').collect();
        let query = uri.query().unwrap_or_default();
        let (group, rest) = match segments.as_slice() {
            ["api", _, rest @ ..] => ("", rest),
            ["apis", group, _, rest @ ..] if !rest.is_empty() => (*group, rest),
            ["apis"] => return Self("the API groups".to_owned()),
            ["apis", group, ..] => return Self(format!("discovery of `{group}`")),
            other => return Self(format!("the {}", other.join("/"))),
        };
        let (namespace, rest) = match rest {
            ["namespaces", namespace, rest @ ..] => (*namespace, rest),
            rest => ("", rest),
        };
        let resource = |name: &str| match group {
            "" => name.to_owned(),
            group => format!("{name}.{group}"),
        };
        let mut name = match (group, rest) {
            ("custom.metrics.k8s.io", [of, _, metric]) => format!("the metric `{metric}` of {of}"),
            ("external.metrics.k8s.io", [metric]) => format!("the external metric `{metric}`"),
            (_, [name, _, below]) => format!("get `{}/{below}`", resource(name)),
            (_, [name, _]) => format!("get `{}`", resource(name)),
            (_, [name]) => format!("list `{}`", resource(name)),
            (_, rest) => format!("{namespace} {rest:?}"),
        };
        if query.contains("watch=") {
            name = name.replace("list", "watch");
        }
        let accept = headers
            .get(header::ACCEPT)
            .and_then(|value| value.to_str().ok());
        if accept.is_some_and(|accept| accept.contains("as=Table")) {
            name += " as a table";
        }
        for reason in ["FailedCreate", "Pulled"] {
            if query.contains(&format!("reason%3D{reason}")) {
                name += &format!(" with the reason {reason}");
            }
        }
        if namespace == "kube-system" && rest.len() == 1 {
            name += " of kube-system";
        }
        Self(name)
    }

    /// Its words.
    pub(super) fn name(&self) -> &str {
        &self.0
    }

    /// Whether the answer has no end.
    pub(super) fn is_watch(&self) -> bool {
        self.0.starts_with("watch ")
    }
}
