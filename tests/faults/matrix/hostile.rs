//! A server that answers one read of each client in one wrong way, and everything else correctly. Clients are
//! distinguished by their tokens.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::Response,
};
use futures::{StreamExt as _, stream};
use serde_json::Value;

use super::{fault::Fault, read::Read, world};
use crate::{
    serving::{ANYWHERE, Serving, serve},
    world::{HPAS, status},
};

/// The server.
pub(super) struct Hostile {
    serving: Serving,
    shared: Arc<Shared>,
}

struct Shared {
    answers: BTreeMap<String, Value>,
    clients: Mutex<BTreeMap<String, Client>>,
}

/// The requests and the fault of one client.
#[derive(Clone, Default)]
struct Client {
    wrong: Option<(Read, Fault)>,
    seen: Vec<Read>,
}

impl Hostile {
    /// Starts it.
    pub(super) fn start() -> Self {
        let shared = Arc::new(Shared {
            answers: world::answers(),
            clients: Mutex::default(),
        });
        let router = Router::new()
            .fallback(answer)
            .with_state(Arc::clone(&shared));
        let serving = serve(ANYWHERE, router);
        Self { serving, shared }
    }

    /// Its address.
    pub(super) fn url(&self) -> String {
        self.serving.url()
    }

    /// From now on the client with this token gets a wrong answer to a read.
    pub(super) fn admit(&self, token: &str, wrong: Option<(Read, Fault)>) {
        let client = Client {
            wrong,
            seen: Vec::new(),
        };
        let mut clients = self.shared.clients.lock().unwrap();
        clients.insert(token.to_owned(), client);
    }

    /// What the client has read.
    pub(super) fn seen(&self, token: &str) -> Vec<Read> {
        self.shared.clients.lock().unwrap()[token].seen.clone()
    }
}

async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    // Any other request is a bug, reported by the first assertion on the requests.
    assert_eq!(request.method(), Method::GET, "{}", request.uri());
    let (parts, _) = request.into_parts();
    let (uri, headers) = (&parts.uri, &parts.headers);
    let read = Read::of(uri, headers);
    let token = headers[header::AUTHORIZATION].to_str().unwrap();
    let token = token.strip_prefix("Bearer ").unwrap();
    let wrong = {
        let mut clients = shared.clients.lock().unwrap();
        let client = clients.get_mut(token).unwrap();
        client.seen.push(read.clone());
        client.wrong.clone()
    };
    let mut response = match wrong {
        Some((hit, fault)) if hit == read => {
            wrong_answer(fault, &right_body(&shared, uri, headers)).await
        }
        _ if read.is_watch() => streamed(stream::pending().boxed()),
        _ => right_answer(&shared, uri, headers),
    };
    let now = world::NOW.parse().unwrap();
    response.headers_mut().insert(header::DATE, now);
    response
}

fn right_answer(shared: &Shared, uri: &Uri, headers: &HeaderMap) -> Response {
    let body = right_body(shared, uri, headers);
    if body.is_empty() {
        let page = Body::from("404 page not found\n");
        return with(StatusCode::NOT_FOUND, "text/plain", page);
    }
    json_of(StatusCode::OK, Body::from(body))
}

/// The right answer as text; empty if there is none.
fn right_body(shared: &Shared, uri: &Uri, headers: &HeaderMap) -> String {
    let path = uri.path();
    if wants_table(headers) && path == HPAS {
        let row: &[&str] = &["web", "Deployment/web", "cpu: 50%/50%", "2"];
        return world::table(&["Name", "Reference", "Targets", "Replicas"], &[row]).to_string();
    }
    let Some(body) = shared.answers.get(path) else {
        return String::new();
    };
    let mut body = body.clone();
    let query = uri.query().unwrap_or_default();
    if path == crate::world::PODS
        && let Some(items) = body["items"].as_array_mut()
    {
        items.retain(|pod| {
            let app = pod["metadata"]["labels"]["app"].as_str().unwrap();
            let others = if app == "web" { "worker" } else { "web" };
            !query.contains(&format!("app%3D{others}")) || query.contains(&format!("app%3D{app}"))
        });
    }
    body.to_string()
}

fn wants_table(headers: &HeaderMap) -> bool {
    let accepts = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok());
    accepts.is_some_and(|accepts| accepts.contains("as=Table"))
}

async fn wrong_answer(fault: Fault, right: &str) -> Response {
    let refusal = |code: u16, reason: &str, message: &str| {
        let body = status(code, reason, message);
        json_of(
            StatusCode::from_u16(code).unwrap(),
            Body::from(body.to_string()),
        )
    };
    match fault {
        Fault::Unauthorized => refusal(401, "Unauthorized", "Unauthorized"),
        Fault::Forbidden => refusal(
            403,
            "Forbidden",
            "it is forbidden: User \"eve\" cannot do that",
        ),
        Fault::NotFoundInPlainText => with(
            StatusCode::NOT_FOUND,
            "text/plain; charset=utf-8",
            Body::from("404 page not found\n"),
        ),
        Fault::Conflict => refusal(409, "Conflict", "the object has been modified"),
        Fault::Deleted => refusal(410, "Expired", "too old resource version: 1 (2)"),
        Fault::TooManyRequests => {
            let mut response = refusal(
                429,
                "TooManyRequests",
                "too many requests, please try again later",
            );
            let seconds = "1".parse().unwrap();
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
            response
        }
        Fault::InternalError => refusal(
            500,
            "InternalError",
            "Internal error occurred: etcd is on fire",
        ),
        Fault::Unavailable => with(
            StatusCode::SERVICE_UNAVAILABLE,
            "text/plain; charset=utf-8",
            Body::from("service unavailable\n"),
        ),
        Fault::Truncated => {
            let right = if right.is_empty() {
                "{\"items\": []}"
            } else {
                right
            };
            json_of(
                StatusCode::OK,
                Body::from(right[..right.len() / 2].to_owned()),
            )
        }
        Fault::WrongContentType => {
            let page = "<!DOCTYPE html><title>Log in</title><form>";
            with(StatusCode::OK, "text/html; charset=utf-8", Body::from(page))
        }
        Fault::InvalidJson => json_of(
            StatusCode::OK,
            Body::from("{\"items\": [}, \"kind\": oops\n"),
        ),
        Fault::Endless => {
            let chunk = Bytes::from(vec![b'x'; 1 << 20]);
            let begin = Bytes::from_static(b"{\"kind\":\"List\",\"items\":[],\"padding\":\"");
            let rest = std::iter::repeat_n(chunk, 1 << 10);
            streamed(stream::iter(std::iter::once(begin).chain(rest).map(Ok)).boxed())
        }
        Fault::Silent => std::future::pending().await,
        Fault::BreaksOff => {
            let half = Bytes::from(right[..right.len() / 2].to_owned() + "{");
            let end = stream::once(async {
                // So that the first half is on the way.
                tokio::time::sleep(Duration::from_millis(30)).await;
                Err(std::io::Error::other("broken off"))
            });
            streamed(stream::iter([Ok(half)]).chain(end).boxed())
        }
        Fault::Slow => {
            let bytes = right.to_owned().into_bytes();
            let drops = stream::iter(bytes)
                .chain(stream::repeat(b' '))
                .then(|byte| async move {
                    tokio::time::sleep(Duration::from_millis(40)).await;
                    Ok(Bytes::from(vec![byte]))
                });
            streamed(drops.boxed())
        }
        Fault::Redirect => {
            let mut response = with(
                StatusCode::FOUND,
                "text/html",
                Body::from("<a href=\"/login\">Found</a>"),
            );
            let login = "https://login.example.com/start?token=hunter2"
                .parse()
                .unwrap();
            response.headers_mut().insert(header::LOCATION, login);
            response
        }
    }
}

fn streamed(body: stream::BoxStream<'static, Result<Bytes, std::io::Error>>) -> Response {
    json_of(StatusCode::OK, Body::from_stream(body))
}

fn json_of(code: StatusCode, body: Body) -> Response {
    with(code, "application/json", body)
}

fn with(code: StatusCode, content_type: &str, body: Body) -> Response {
    Response::builder()
        .status(code)
        .header(header::CONTENT_TYPE, content_type)
        .body(body)
        .unwrap()
}
