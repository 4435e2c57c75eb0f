//! Why a monitoring server gives nothing that can be used, in words.

use std::time::Duration;

/// Why a monitoring server gives nothing that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MonitoringError {
    /// What was typed makes no sense.
    #[error("{0}")]
    Settings(String),
    /// `--prometheus-token-command` gives no token.
    #[error("--prometheus-token-command: {0}")]
    TokenCommand(String),
    /// Nothing in the cluster looks like a monitoring server, or nothing that does answers.
    #[error("{0}")]
    NotFound(String),
    /// There is no connection, or it broke off.
    #[error("cannot read {server}: {why}")]
    Unreachable {
        /// The server.
        server: String,
        /// Why.
        why: String,
    },
    /// It takes too long.
    #[error(
        "{server} gives no answer within {patience:?}: use a longer --request-timeout or a shorter time range"
    )]
    TooLate {
        /// The server.
        server: String,
        /// How long it may take.
        patience: Duration,
    },
    /// The API server does not let the user reach the Service.
    #[error("cannot read {server}: {message}; {rule}")]
    Forbidden {
        /// The server.
        server: String,
        /// What the API server says.
        message: String,
        /// The RBAC rule that is missing.
        rule: String,
    },
    /// The API server does not get through to the Service.
    #[error(
        "cannot read {server} through the API server: {message}{}",
        help(help_text)
    )]
    NotProxied {
        /// The server.
        server: String,
        /// What the API server says.
        message: String,
        /// What helps; empty: nothing in particular.
        help_text: &'static str,
    },
    /// The server wants to know who asks.
    #[error("{server} refuses to answer ({status}): {help}")]
    Unauthorized {
        /// The server.
        server: String,
        /// Status of HTTP.
        status: u16,
        /// What helps.
        help: &'static str,
    },
    /// It sends the request elsewhere.
    #[error(
        "{server} redirects to {to:?} instead of answering: give the final address in --prometheus, and log in with --prometheus-token-command if it leads to a login page"
    )]
    Redirected {
        /// The server.
        server: String,
        /// Where to.
        to: String,
    },
    /// What answers has another API.
    #[error(
        "{server} is not a Prometheus API: it answers {what}{}",
        help(help_text)
    )]
    NotPrometheus {
        /// The server.
        server: String,
        /// What it answers.
        what: String,
        /// What helps; empty: nothing in particular.
        help_text: &'static str,
    },
    /// It does not answer the query.
    #[error("{server} refuses the query ({status} {error_type}): {message}")]
    Refused {
        /// The server.
        server: String,
        /// Status of HTTP.
        status: u16,
        /// Prometheus' type of error.
        error_type: String,
        /// What it says.
        message: String,
    },
    /// It has more than fits, even of a short time.
    #[error("{server} has too much to read: {why}. Use a shorter time range")]
    TooMuch {
        /// The server.
        server: String,
        /// Of what.
        why: String,
    },
    /// Its answer makes no sense.
    #[error("the answer of {server} cannot be read: {why}")]
    Broken {
        /// The server.
        server: String,
        /// Why.
        why: String,
    },
    /// It answers with series that the query does not ask for.
    #[error("{server} answers with the series {series}, which the query {query} does not select")]
    Foreign {
        /// The server.
        server: String,
        /// What it answers with.
        series: String,
        /// What was asked.
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
    /// Whether another server may be better: this one does not answer, or not as Prometheus does.
    pub(super) fn is_about_the_place(&self) -> bool {
        !matches!(self, Self::Settings(_) | Self::TokenCommand(_))
    }
}
