//! Why a monitoring server gives no usable data, in words.

use std::time::Duration;

/// Why a monitoring server gives no usable data.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MonitoringError {
    /// The user's settings are invalid.
    #[error("{0}")]
    Settings(String),
    /// `--prometheus-token-command` gave no token.
    #[error("--prometheus-token-command: {0}")]
    TokenCommand(String),
    /// No monitoring server was found in the cluster, or none answers.
    #[error("{0}")]
    NotFound(String),
    /// `--cluster-label` selects nothing.
    #[error(
        "{server} has series of {of}, but none with --cluster-label {given}: they have {found}"
    )]
    OtherCluster {
        /// The server.
        server: String,
        /// What was read.
        of: String,
        /// The labels of the flag.
        given: String,
        /// The values that these labels have.
        found: String,
    },
    /// There is no connection, or it broke.
    #[error("cannot read {server}: {why}")]
    Unreachable {
        /// The server.
        server: String,
        /// The reason.
        why: String,
    },
    /// The answer takes too long.
    #[error(
        "{server} gives no answer within {patience:?}: use a longer --request-timeout or a shorter time range"
    )]
    TooLate {
        /// The server.
        server: String,
        /// The time limit.
        patience: Duration,
    },
    /// The API server denies access to the Service.
    #[error("cannot read {server}: {message}; {rule}")]
    Forbidden {
        /// The server.
        server: String,
        /// The API server's message.
        message: String,
        /// The missing RBAC rule.
        rule: String,
    },
    /// The API server cannot reach the Service.
    #[error(
        "cannot read {server} through the API server: {message}{}",
        help(help_text)
    )]
    NotProxied {
        /// The server.
        server: String,
        /// The API server's message.
        message: String,
        /// A hint; empty: none.
        help_text: &'static str,
    },
    /// The server requires authentication.
    #[error("{server} refuses to answer ({status}): {help}")]
    Unauthorized {
        /// The server.
        server: String,
        /// HTTP status.
        status: u16,
        /// A hint.
        help: &'static str,
    },
    /// The server has tenants, and the request names none.
    #[error(
        "{server} refuses to answer ({status} {message:?}): it can have several tenants, and the request names none. Name one with --prometheus-header 'X-Scope-OrgID: TENANT'"
    )]
    NoTenant {
        /// The server.
        server: String,
        /// HTTP status.
        status: u16,
        /// Its message.
        message: String,
    },
    /// The server redirects elsewhere.
    #[error(
        "{server} redirects to {to:?} instead of answering: give the final address in --prometheus, and log in with --prometheus-token-command if it leads to a login page"
    )]
    Redirected {
        /// The server.
        server: String,
        /// The target.
        to: String,
    },
    /// The server has another API.
    #[error(
        "{server} is not a Prometheus API: it answers {what}{}",
        help(help_text)
    )]
    NotPrometheus {
        /// The server.
        server: String,
        /// A description of the answer.
        what: String,
        /// A hint; empty: none.
        help_text: &'static str,
    },
    /// The server rejects the query.
    #[error("{server} refuses the query ({status} {error_type}): {message}")]
    Refused {
        /// The server.
        server: String,
        /// HTTP status.
        status: u16,
        /// Prometheus' type of error.
        error_type: String,
        /// Its message.
        message: String,
    },
    /// There is too much data, even for a short time.
    #[error("{server} has too much to read: {why}. Use a shorter time range")]
    TooMuch {
        /// The server.
        server: String,
        /// The kind of data.
        why: String,
    },
    /// The answer cannot be parsed.
    #[error("the answer of {server} cannot be read: {why}")]
    Broken {
        /// The server.
        server: String,
        /// The reason.
        why: String,
    },
    /// The answer has series that the query does not select.
    #[error("{server} answers with the series {series}, which the query {query} does not select")]
    Foreign {
        /// The server.
        server: String,
        /// The series in the answer.
        series: String,
        /// The query.
        query: String,
    },
}

fn help(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!(". {text}")
    }
}

impl MonitoringError {
    /// Whether another server may work better: this one does not answer, or not as Prometheus does.
    pub(super) fn is_about_the_place(&self) -> bool {
        !matches!(self, Self::Settings(_) | Self::TokenCommand(_))
    }
}
