//! The messages of failed requests.

use std::{error::Error as StdError, io, time::Duration};

use hpa_engine::model::ApiError;

use super::{Client, ClientError, HttpAnswer, NoApi};
use crate::{
    api_error::{self, ResourceName},
    bounded::{CutOff, TooLate, causes, innermost},
};

impl Client {
    /// The error of a failed request through [`Self::http`]. `about` is the resource requested.
    pub(crate) fn failure(&self, error: &kube::Error, about: ResourceName<'_>) -> ClientError {
        let cut_off = causes(error).find_map(|cause| cause.downcast_ref::<CutOff>());
        let late = causes(error).find_map(|cause| cause.downcast_ref::<TooLate>());
        let no_api = causes(error).find_map(|cause| cause.downcast_ref::<NoApi>());
        match (error, cut_off, late, no_api) {
            (_, Some(cut_off), ..) => ClientError::NoAnswer(self.cut_off(cut_off)),
            (_, _, Some(TooLate(patience)), _) => ClientError::NoAnswer(self.too_late(*patience)),
            (.., Some(no_api)) => ClientError::NoAnswer(self.no_api(no_api)),
            (kube::Error::Api(status), ..) if status.reason == NO_STATUS => {
                ClientError::Status(api_error::from_text(status.code, &status.message, about))
            }
            (kube::Error::Api(status), ..) => ClientError::Status(ApiError {
                message: status.message.clone(),
                reason: status.reason.clone(),
                code: status.code,
            }),
            (kube::Error::SerdeError(error), ..) if error.is_eof() => {
                ClientError::NoAnswer(format!(
                    "the answer of {} ends early, after line {} column {}",
                    self.server,
                    error.line(),
                    error.column()
                ))
            }
            (kube::Error::SerdeError(error), ..) => ClientError::NoAnswer(self.unparsable(error)),
            (kube::Error::FromUtf8(error), ..) => ClientError::NoAnswer(format!(
                "the answer of {} is not text: {error}",
                self.server
            )),
            (kube::Error::ReadEvents(error), ..) => {
                ClientError::NoAnswer(self.broke_off(&innermost(error)))
            }
            (error, ..) => ClientError::NoAnswer(self.no_connection(error)),
        }
    }

    /// The message for an answer that is not the JSON of the Kubernetes API.
    pub(super) fn undecodable(&self, answer: &HttpAnswer, error: &serde_json::Error) -> String {
        let HttpAnswer { content_type, body } = answer;
        let looks_like_json = body.trim_ascii_start().starts_with(b"{");
        if !looks_like_json {
            let what = if content_type.is_empty() {
                "something"
            } else {
                content_type
            };
            format!(
                "{} answers {what} instead of the Kubernetes API's JSON",
                self.server
            )
        } else if error.is_eof() {
            format!(
                "the answer of {} ends early, after {} bytes",
                self.server,
                body.len()
            )
        } else {
            self.unparsable(error)
        }
    }

    /// The message for an answer that cannot be parsed.
    pub(crate) fn unparsable(&self, error: &dyn StdError) -> String {
        format!("the answer of {} cannot be parsed: {error}", self.server)
    }

    pub(crate) fn too_late(&self, patience: Duration) -> String {
        let limit = Some(patience) == self.timeout;
        let flag = if limit { " (--request-timeout)" } else { "" };
        format!("{} gave no answer within {patience:?}{flag}", self.server)
    }

    pub(super) fn cut_off(&self, why: &CutOff) -> String {
        match why {
            CutOff::TooLong(longest) => format!(
                "the answer of {} is longer than {} MiB",
                self.server,
                longest >> 20
            ),
            CutOff::TooMuch(excess) => {
                format!(
                    "the answer of {} has {excess}, which is too much to read",
                    self.server
                )
            }
            CutOff::Endless(why) => format!("a list of {} has no end: {why}", self.server),
            CutOff::TooLate(TooLate(patience)) => self.too_late(*patience),
            CutOff::Broken(error) => self.broke_off(&innermost(error)),
        }
    }

    /// The message for a list of `resource` that does not end.
    pub(crate) fn endless(&self, resource: &str, why: &str) -> String {
        format!(
            "the list of {resource} of {} has no end: {why}",
            self.server
        )
    }

    /// The message for an answer that is not a list of `resource`, but `what`.
    pub(crate) fn no_list(&self, resource: &str, what: &str) -> String {
        format!(
            "{} answers {what} instead of a list of {resource}",
            self.server
        )
    }

    pub(crate) fn broke_off(&self, why: &str) -> String {
        format!(
            "the connection to {} broke off in the middle of an answer: {why}",
            self.server
        )
    }

    pub(super) fn no_api(&self, what: &NoApi) -> String {
        match what {
            NoApi::Redirected(place) => format!(
                "{} redirects to {place} instead of answering: check that this is the address of an API server, not of a proxy before it",
                self.server
            ),
            NoApi::Text(content_type) => format!(
                "{} answers {content_type} instead of the Kubernetes API's JSON",
                self.server
            ),
        }
    }

    pub(super) fn no_connection(&self, error: &dyn StdError) -> String {
        let server = &self.server;
        let context = self
            .context
            .as_ref()
            .map(|context| format!(" (context {context})"))
            .unwrap_or_default();
        match io_kind(error) {
            Some(io::ErrorKind::ConnectionRefused) => format!(
                "the connection to the server {server}{context} was refused: is the address right, and is the server up?"
            ),
            Some(io::ErrorKind::TimedOut) => {
                format!("the connection to the server {server}{context} timed out")
            }
            _ if causes(error).any(is_cut_short) => {
                format!("the connection to {server}{context} broke off before an answer came")
            }
            _ => format!(
                "cannot connect to the server {server}{context}: {}",
                in_words(innermost(error))
            ),
        }
    }
}

/// The reason that kube generates for an error without a `metav1.Status`.
const NO_STATUS: &str = "Failed to parse error data";

fn io_kind(error: &dyn StdError) -> Option<io::ErrorKind> {
    causes(error).find_map(|cause| cause.downcast_ref::<io::Error>().map(io::Error::kind))
}

/// A TLS error of rustls in words that help to fix it.
fn in_words(why: String) -> String {
    let words = [
        (
            "UnknownIssuer",
            "the authority that signed its certificate is not known here: --certificate-authority names the file of its authority",
        ),
        (
            "CaUsedAsEndEntity",
            "its certificate is that of an authority, not of a server",
        ),
        ("NotValidForName", "its certificate is not for this address"),
        (
            "certificate not valid for name",
            "its certificate is not for this address",
        ),
        ("certificate expired", "its certificate has expired"),
        (
            "InvalidContentType",
            "it does not speak TLS: is it http:// instead of https://?",
        ),
    ];
    match words.iter().find(|(part, _)| why.contains(part)) {
        Some((_, words)) => format!("{words} ({why})"),
        None => why,
    }
}

fn is_cut_short(cause: &(dyn StdError + 'static)) -> bool {
    cause
        .downcast_ref::<hyper::Error>()
        .is_some_and(hyper::Error::is_incomplete_message)
}
