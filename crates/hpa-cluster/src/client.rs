//! A single request to the API server and its result.

use std::{
    cell::{Cell, RefCell},
    error::Error as StdError,
    fmt, io,
    time::{Duration, Instant},
};

use http::{
    HeaderValue, Request, Response, StatusCode, Uri,
    header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, DATE, LOCATION},
    request::Builder,
};
use http_body_util::BodyExt as _;
use jiff::{SignedDuration, Timestamp};
use kube::client::Body;
use serde::de::DeserializeOwned;
use tokio::sync::watch;

use super::{
    address,
    api_error::{self, ResourceName},
    bounded::{self, Bounded, CutOff, causes, innermost},
    clock::ServerClock,
    connection::{Contact, Transport},
};
use crate::{
    ClusterError,
    model::{ApiError, ApiRequest},
    recording::wire::Answered,
    sanitize::one_line,
};

/// A connection to an API server, with the namespace that commands use by default.
pub struct Client {
    http: kube::Client,
    server: String,
    namespace: String,
    context: Option<String>,
    timeout: Option<Duration>,
    requests: RefCell<Vec<ApiRequest>>,
    answers: RefCell<Option<Vec<Answered>>>,
    clock: Cell<ServerClock>,
    credential_failures: watch::Receiver<String>,
    contact: Contact,
}

/// A read.
#[derive(Clone, Debug)]
pub(super) struct Get<'a> {
    /// Its name in messages, such as `pod metrics`.
    pub(super) what: &'a str,
    /// Path and query.
    pub(super) path: String,
    /// The resource of the path.
    pub(super) about: ResourceName<'a>,
    /// Longest time to wait; `--request-timeout` counts if it is shorter.
    pub(super) patience: Option<Duration>,
}

/// No answer within this time.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("no answer within {0:?}")]
pub(super) struct TooLate(pub(super) Duration);

/// Why a read failed.
#[derive(Clone, Debug)]
pub(super) enum ClientError {
    /// The server answered with an error.
    Status(ApiError),
    /// There was no usable answer; the reason is a sentence without a full stop.
    NoAnswer(String),
}

impl fmt::Display for ClientError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Status(error) => &error.message,
            Self::NoAnswer(why) => why,
        };
        formatter.write_str(&brief(text))
    }
}

/// A server's message on one line, shortened.
pub(super) fn brief(text: &str) -> String {
    let mut letters = text.char_indices();
    match letters.nth(MOST_LETTERS) {
        Some((end, _)) => format!("{} …", one_line(text[..end].trim_end())),
        None => one_line(text).into_owned(),
    }
}

/// A longer message does not help.
const MOST_LETTERS: usize = 2000;

impl Client {
    /// A client that sends through `transport`.
    pub(super) fn new(
        transport: Transport,
        server: &Uri,
        namespace: String,
        context: Option<String>,
        timeout: Option<Duration>,
    ) -> Self {
        Self {
            http: transport.http,
            server: redacted(server),
            namespace,
            context,
            timeout,
            requests: RefCell::default(),
            answers: RefCell::default(),
            clock: Cell::default(),
            credential_failures: transport.credential_failures,
            contact: transport.contact,
        }
    }

    /// Why the credentials cannot be renewed, updated continuously; empty: renewal works.
    pub fn credential_failures(&self) -> watch::Receiver<String> {
        self.credential_failures.clone()
    }

    /// The address of the server, safe for messages.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The namespace of `--namespace`, else the one of the context.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The same client for another namespace.
    pub(super) fn in_namespace(self, namespace: String) -> Self {
        Self { namespace, ..self }
    }

    /// The server's clock, now.
    pub fn now(&self) -> Timestamp {
        self.clock.get().server_time(Timestamp::now())
    }

    /// When the server last answered, by its clock.
    pub fn heard_at(&self) -> Timestamp {
        self.clock.get().server_time(self.contact.heard_at())
    }

    /// How long the server has not answered.
    pub fn silent_for(&self) -> SignedDuration {
        Timestamp::now().duration_since(self.contact.heard_at())
    }

    /// Closes all connections because the server does not answer: pending requests fail, and watches wait for
    /// [`Self::regain`].
    pub fn lose(&self) {
        self.contact.lose();
    }

    /// The server answers again.
    pub fn regain(&self) {
        self.contact.regain();
    }

    /// Whether the server answers, and what waits for it.
    pub(super) fn contact(&self) -> &Contact {
        &self.contact
    }

    /// The server's clock minus the local clock.
    pub(super) fn skew(&self) -> SignedDuration {
        self.clock.get().skew()
    }

    /// The requests since the last call, in the order of their answers.
    pub(super) fn take_requests(&self) -> Vec<ApiRequest> {
        self.requests.take()
    }

    /// Starts to keep whole answers.
    pub(super) fn keep_answers(&self) {
        self.answers.borrow_mut().get_or_insert_default();
    }

    /// The answers since the last call, if they are kept.
    pub(super) fn take_answers(&self) -> Vec<Answered> {
        self.answers
            .borrow_mut()
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Reads an object. There is no retry: the controller gets the same error.
    pub(super) async fn get<T: DeserializeOwned>(&self, get: &Get<'_>) -> Result<T, ClientError> {
        self.get_measured(get).await.map(|(object, _)| object)
    }

    /// Like [`Self::get`], with the length of the answer in bytes.
    pub(super) async fn get_measured<T: DeserializeOwned>(
        &self,
        get: &Get<'_>,
    ) -> Result<(T, usize), ClientError> {
        let started = Instant::now();
        let mut status = None;
        let patience = [get.patience, self.timeout].into_iter().flatten().min();
        let exchange = self.exchange(get, &mut status);
        let result = match patience {
            Some(patience) => tokio::time::timeout(patience, exchange)
                .await
                .unwrap_or_else(|_| Err(ClientError::NoAnswer(self.too_late(patience)))),
            None => exchange.await,
        };
        self.requests.borrow_mut().push(ApiRequest {
            what: get.what.to_owned(),
            path: get.path.clone(),
            status: status.map(|status: StatusCode| status.as_u16()),
            took: started.elapsed().try_into().unwrap_or(SignedDuration::MAX),
        });
        result
    }

    async fn exchange<T: DeserializeOwned>(
        &self,
        get: &Get<'_>,
        status: &mut Option<StatusCode>,
    ) -> Result<(T, usize), ClientError> {
        let sent = Timestamp::now();
        let response = self.send(&get.path).await?;
        *status = Some(response.status());
        self.note_date(&response, sent);
        let content_type = header(&response, CONTENT_TYPE).to_owned();
        if let Some(redirected) = NoApi::redirection(&response) {
            return Err(ClientError::NoAnswer(self.no_api(&redirected)));
        }
        let body = bounded::whole(response.into_body()).await;
        let body = body.map_err(|error| ClientError::NoAnswer(self.cut_off(&error)))?;
        match *status {
            Some(status) if !status.is_success() => Err(ClientError::Status(
                api_error::from_answer(status.as_u16(), &content_type, &body, get.about),
            )),
            _ => {
                if let Some(answers) = self.answers.borrow_mut().as_mut() {
                    answers.push(Answered {
                        path: get.path.clone(),
                        body: self.decode(&content_type, &body)?,
                    });
                }
                Ok((self.decode(&content_type, &body)?, body.len()))
            }
        }
    }

    /// How long the API server takes for a trivial answer; `None` if there is no answer.
    pub fn answer_time(&self) -> impl Future<Output = Option<SignedDuration>> {
        let request = async {
            let started = Instant::now();
            self.send("/version").await.ok()?;
            started.elapsed().try_into().ok()
        };
        async { tokio::time::timeout(LONGEST_MEASURED, request).await.ok()? }
    }

    /// Requests a trivial answer. The error says why there is none within `patience`, as a sentence fragment.
    pub async fn ping(&self, patience: Duration) -> Result<(), String> {
        let request = async {
            let response = self.send("/version").await?;
            // A connection can be reused once its answer is read to the end.
            let _ = Bounded::whole(response.into_body()).collect().await;
            Ok(())
        };
        let answered = tokio::time::timeout(patience, request).await;
        let answered =
            answered.map_err(|_| format!("no answer within {} s", patience.as_secs()))?;
        answered.map_err(|error: ClientError| error.to_string())
    }

    /// Sends the request and returns its answer; the body is not read yet.
    pub(super) async fn send(&self, path: &str) -> Result<Response<Body>, ClientError> {
        self.send_request(Request::get(path), path).await
    }

    /// Like [`Self::send`], for a watch: each event arrives immediately, and not once a compressed block is full.
    pub(super) async fn open(&self, path: &str) -> Result<Response<Body>, ClientError> {
        let request = Request::get(path).header(ACCEPT_ENCODING, IDENTITY);
        self.send_request(request, path).await
    }

    pub(super) async fn send_request(
        &self,
        request: Builder,
        path: &str,
    ) -> Result<Response<Body>, ClientError> {
        let request = request
            .header(ACCEPT, "application/json")
            .body(Body::empty())
            .map_err(|error| ClientError::NoAnswer(format!("invalid path {path:?}: {error}")))?;
        self.http
            .send(request)
            .await
            .map_err(|error| ClientError::NoAnswer(self.no_connection(&error)))
    }

    fn note_date(&self, response: &Response<Body>, sent: Timestamp) {
        if let Some(date) = date(response) {
            self.note_clock(date, sent, Timestamp::now());
        }
    }

    /// Records that the server's clock showed `date` between `sent` and `received`.
    pub(super) fn note_clock(&self, date: Timestamp, sent: Timestamp, received: Timestamp) {
        let mut clock = self.clock.get();
        clock.note(date, sent, received);
        self.clock.set(clock);
    }

    /// The HTTP client, for callers that build their own requests.
    pub(super) fn http(&self) -> &kube::Client {
        &self.http
    }

    /// The longest time to wait for an answer, if the user has set one.
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// The error of a failed request through [`Self::http`]. `about` is the resource requested.
    pub(super) fn failure(&self, error: &kube::Error, about: ResourceName<'_>) -> ClientError {
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
            (kube::Error::SerdeError(error), ..) => ClientError::NoAnswer(format!(
                "the answer of {} cannot be parsed: {error}",
                self.server
            )),
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

    fn decode<T: DeserializeOwned>(
        &self,
        content_type: &str,
        body: &[u8],
    ) -> Result<T, ClientError> {
        serde_json::from_slice(body).map_err(|error| {
            let looks_like_json = body.trim_ascii_start().starts_with(b"{");
            ClientError::NoAnswer(if !looks_like_json {
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
                format!("the answer of {} cannot be parsed: {error}", self.server)
            })
        })
    }

    pub(super) fn too_late(&self, patience: Duration) -> String {
        let limit = Some(patience) == self.timeout;
        let flag = if limit { " (--request-timeout)" } else { "" };
        format!("{} gave no answer within {patience:?}{flag}", self.server)
    }

    fn cut_off(&self, why: &CutOff) -> String {
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
    pub(super) fn endless(&self, resource: &str, why: &str) -> String {
        format!(
            "the list of {resource} of {} has no end: {why}",
            self.server
        )
    }

    /// The message for an answer that is not a list of `resource`, but `what`.
    pub(super) fn no_list(&self, resource: &str, what: &str) -> String {
        format!(
            "{} answers {what} instead of a list of {resource}",
            self.server
        )
    }

    pub(super) fn broke_off(&self, why: &str) -> String {
        format!(
            "the connection to {} broke off in the middle of an answer: {why}",
            self.server
        )
    }

    fn no_api(&self, what: &NoApi) -> String {
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

    fn no_connection(&self, error: &dyn StdError) -> String {
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

/// The header value that requests an uncompressed answer.
pub(super) const IDENTITY: HeaderValue = HeaderValue::from_static("identity");

/// A later answer counts as none.
const LONGEST_MEASURED: Duration = Duration::from_mins(1);

/// The reason that kube generates for an error without a `metav1.Status`.
const NO_STATUS: &str = "Failed to parse error data";

impl From<ClientError> for ClusterError {
    fn from(error: ClientError) -> Self {
        Self::Unreachable(match error {
            ClientError::Status(status) if status.code == 401 => format!(
                "authentication failed (401 {}): log in again, or use another kubeconfig user",
                status.message
            ),
            error => error.to_string(),
        })
    }
}

/// An address for messages: without credentials and without a trailing slash.
pub(super) fn redacted(server: &Uri) -> String {
    let redacted = address::redacted(&server.to_string());
    redacted.trim_end_matches('/').to_owned()
}

/// The server is not the Kubernetes API.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum NoApi {
    /// It redirects elsewhere. The redirect is not followed, because the credentials do not belong there.
    #[error("redirected to {0}")]
    Redirected(String),
    /// It answers with text for people, of this type.
    #[error("answered {0}")]
    Text(String),
}

impl NoApi {
    /// Whether an answer is a redirect.
    fn redirection(response: &Response<Body>) -> Option<Self> {
        if !response.status().is_redirection() {
            return None;
        }
        let place = address::redacted(header(response, LOCATION));
        let place = if place.is_empty() {
            "nowhere".to_owned()
        } else {
            place
        };
        Some(Self::Redirected(place))
    }

    /// Whether the head of an answer shows that it is not from the API.
    pub(super) fn of(response: &Response<Body>) -> Option<Self> {
        let content_type = header(response, CONTENT_TYPE);
        let is_text = response.status().is_success() && content_type.starts_with("text/html");
        Self::redirection(response).or_else(|| is_text.then(|| Self::Text(content_type.to_owned())))
    }
}

/// The server's clock, from an answer.
pub(super) fn date(response: &Response<Body>) -> Option<Timestamp> {
    let date = httpdate::parse_http_date(header(response, DATE)).ok()?;
    Timestamp::try_from(date).ok()
}

pub(super) fn header(response: &Response<Body>, name: http::HeaderName) -> &str {
    response
        .headers()
        .get(name)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

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
