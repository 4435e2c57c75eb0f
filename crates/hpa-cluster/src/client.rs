//! A single request to the API server and its result.

mod failure;

use std::{
    cell::{Cell, RefCell},
    fmt,
    time::{Duration, Instant},
};

use hpa_engine::model::{ApiError, ApiRequest};
use hpa_objects::recording::wire::Answered;
use hpa_words::sanitize::one_line;
use http::{
    HeaderValue, Request, Response, StatusCode, Uri,
    header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, DATE, LOCATION},
    request::Builder,
};
use http_body_util::BodyExt as _;
use hyper::body::Bytes;
use jiff::{SignedDuration, Timestamp};
use kube::client::Body;
use serde::de::DeserializeOwned;
use tokio::sync::watch;

use super::{
    address,
    api_error::{self, ResourceName},
    bounded::{self, Bounded},
    clock::ServerClock,
    connection::{Contact, Transport},
    protobuf,
};
use crate::ClusterError;

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

/// The answer to a read that succeeded.
#[derive(Debug)]
pub(super) struct HttpAnswer {
    /// Its `Content-Type`.
    pub(super) content_type: String,
    /// Its body.
    pub(super) body: Bytes,
}

/// The format that every API server has.
pub(super) const JSON: &str = "application/json";

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
            server: address::of_server(server),
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
        let answer = self.answer(get, JSON).await?;
        self.decode(&answer)
    }

    /// Reads an answer in one of the formats that `accept` names.
    pub(super) async fn answer(
        &self,
        get: &Get<'_>,
        accept: &'static str,
    ) -> Result<HttpAnswer, ClientError> {
        let started = Instant::now();
        let mut status = None;
        let patience = [get.patience, self.timeout].into_iter().flatten().min();
        let exchange = self.exchange(get, accept, &mut status);
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

    async fn exchange(
        &self,
        get: &Get<'_>,
        accept: &'static str,
        status: &mut Option<StatusCode>,
    ) -> Result<HttpAnswer, ClientError> {
        let sent = Timestamp::now();
        // Whole answers are kept as JSON.
        let keeps = self.answers.borrow().is_some();
        let accept = if keeps { JSON } else { accept };
        let request = Request::get(&get.path).header(ACCEPT, accept);
        let response = self.send_request(request, &get.path).await?;
        *status = Some(response.status());
        self.note_date(&response, sent);
        if let Some(redirected) = NoApi::redirection(&response) {
            return Err(ClientError::NoAnswer(self.no_api(&redirected)));
        }
        let content_type = header(&response, CONTENT_TYPE).to_owned();
        let body = if protobuf::is(&content_type) {
            bounded::bytes(response.into_body()).await
        } else {
            bounded::whole(response.into_body()).await
        };
        let body = body.map_err(|error| ClientError::NoAnswer(self.cut_off(&error)))?;
        let answer = HttpAnswer { content_type, body };
        if let Some(status) = status.filter(|status| !status.is_success()) {
            let HttpAnswer { content_type, body } = &answer;
            let error = api_error::from_answer(status.as_u16(), content_type, body, get.about);
            return Err(ClientError::Status(error));
        }
        if let Some(answers) = self.answers.borrow_mut().as_mut() {
            answers.push(Answered {
                path: get.path.clone(),
                body: self.decode(&answer)?,
            });
        }
        Ok(answer)
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
        let request = Request::get(path).header(ACCEPT, JSON);
        self.send_request(request, path).await
    }

    /// Like [`Self::send`], for a watch: each event arrives immediately, and not once a compressed block is full.
    pub(super) async fn open(&self, path: &str) -> Result<Response<Body>, ClientError> {
        let request = Request::get(path)
            .header(ACCEPT, JSON)
            .header(ACCEPT_ENCODING, IDENTITY);
        self.send_request(request, path).await
    }

    pub(super) async fn send_request(
        &self,
        request: Builder,
        path: &str,
    ) -> Result<Response<Body>, ClientError> {
        let request = request
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

    /// Decodes an answer in JSON.
    pub(super) fn decode<T: DeserializeOwned>(
        &self,
        answer: &HttpAnswer,
    ) -> Result<T, ClientError> {
        let decoded = serde_json::from_slice(&answer.body);
        decoded.map_err(|error| ClientError::NoAnswer(self.undecodable(answer, &error)))
    }
}

/// The header value that requests an uncompressed answer.
pub(super) const IDENTITY: HeaderValue = HeaderValue::from_static("identity");

/// A later answer counts as none.
const LONGEST_MEASURED: Duration = Duration::from_mins(1);

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
