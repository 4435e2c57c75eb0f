//! The wrong answers, and the words in which each is reported.

/// A wrong answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    Unauthorized,
    Forbidden,
    NotFoundInPlainText,
    Conflict,
    Deleted,
    TooManyRequests,
    InternalError,
    Unavailable,
    Truncated,
    WrongContentType,
    InvalidJson,
    Endless,
    Silent,
    BreaksOff,
    Slow,
    Redirect,
}

impl Fault {
    /// All of them.
    pub(super) const ALL: [Self; 16] = [
        Self::Unauthorized,
        Self::Forbidden,
        Self::NotFoundInPlainText,
        Self::Conflict,
        Self::Deleted,
        Self::TooManyRequests,
        Self::InternalError,
        Self::Unavailable,
        Self::Truncated,
        Self::WrongContentType,
        Self::InvalidJson,
        Self::Endless,
        Self::Silent,
        Self::BreaksOff,
        Self::Slow,
        Self::Redirect,
    ];

    /// Its name in the table.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Unauthorized => "401",
            Self::Forbidden => "403",
            Self::NotFoundInPlainText => "404 in plain text",
            Self::Conflict => "409",
            Self::Deleted => "410",
            Self::TooManyRequests => "429 with Retry-After",
            Self::InternalError => "500",
            Self::Unavailable => "503 in plain text",
            Self::Truncated => "half of the body",
            Self::WrongContentType => "a page of HTML",
            Self::InvalidJson => "invalid JSON",
            Self::Endless => "a body of 1 GB",
            Self::Silent => "no answer, ever",
            Self::BreaksOff => "a connection that breaks off",
            Self::Slow => "byte by byte",
            Self::Redirect => "a redirect",
        }
    }

    /// A message about it must contain one of these.
    pub(super) fn words(self) -> &'static [&'static str] {
        match self {
            Self::Unauthorized => &["Unauthorized"],
            Self::Forbidden => &["cannot do that", "needs permission to "],
            Self::NotFoundInPlainText => &["could not find the requested resource"],
            Self::Conflict => &["the object has been modified"],
            Self::Deleted => &["too old resource version"],
            Self::TooManyRequests => &["too many requests, please try again later"],
            Self::InternalError => &["etcd is on fire"],
            Self::Unavailable => &["is currently unable to handle the request"],
            Self::Truncated => &["ends early, after "],
            Self::WrongContentType => {
                &["answers text/html; charset=utf-8 instead of the Kubernetes API's JSON"]
            }
            Self::InvalidJson => &["cannot be parsed: "],
            Self::Endless => &["is longer than 64 MiB"],
            Self::Silent | Self::Slow => &["gave no answer within "],
            Self::BreaksOff => &["broke off"],
            Self::Redirect => &["redirects to https://login.example.com"],
        }
    }

    /// Whether it takes as long as the program waits.
    pub(super) fn is_slow(self) -> bool {
        matches!(self, Self::Silent | Self::Slow)
    }
}
