//! A fake API server on 127.0.0.1.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    response::Response,
};
use futures::{StreamExt as _, stream};
use serde_json::{Value, json};

use crate::{
    audit,
    serving::{ANYWHERE, Serving, serve},
    world,
};

/// The answer to a path.
#[derive(Clone)]
pub(crate) struct Answer {
    code: u16,
    content_type: &'static str,
    body: Bytes,
    delay: Duration,
    date: Option<String>,
    breaks_off: bool,
}

/// A request that came.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// Method.
    pub(crate) method: String,
    /// Path and query.
    pub(crate) path: String,
    /// Headers.
    pub(crate) headers: HeaderMap,
}

/// A server with the small world; tests can change its answers.
pub(crate) struct Server {
    serving: Serving,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    answers: BTreeMap<String, Answer>,
    date: Option<String>,
    seen: Vec<Seen>,
    /// The events of watches by path; `None`: nothing can be watched.
    events: Option<BTreeMap<String, Vec<String>>>,
}

impl Answer {
    /// JSON with status 200.
    pub(crate) fn json(body: &Value) -> Self {
        Self::text(200, "application/json", &body.to_string())
    }

    /// A `metav1.Status` with its own code.
    pub(crate) fn status(body: &Value) -> Self {
        let code = u16::try_from(body["code"].as_u64().unwrap()).unwrap();
        Self::text(code, "application/json", &body.to_string())
    }

    /// Any text.
    pub(crate) fn text(code: u16, content_type: &'static str, body: &str) -> Self {
        Self {
            code,
            content_type,
            body: Bytes::from(body.to_owned()),
            delay: Duration::ZERO,
            date: None,
            breaks_off: false,
        }
    }

    /// Delays the answer.
    pub(crate) fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Closes the connection in the middle of the answer.
    pub(crate) fn broken_off(mut self) -> Self {
        self.breaks_off = true;
        self
    }
}

impl Server {
    /// Starts a server.
    pub(crate) fn start() -> Self {
        let shared = Arc::new(Mutex::new(Shared::default()));
        let router = Router::new()
            .fallback(answer)
            .with_state(Arc::clone(&shared));
        let serving = serve(ANYWHERE, router);
        let server = Self { serving, shared };
        for (path, body) in world::answers() {
            server.set(path, Answer::json(&body));
        }
        server
    }

    /// Lets everything be watched.
    pub(crate) fn allow_watches(&self) -> &Self {
        self.shared.lock().unwrap().events = Some(BTreeMap::new());
        self
    }

    /// Reports a change to watches of `path`: `ADDED`, `MODIFIED` or `DELETED`.
    pub(crate) fn report(&self, path: &str, kind: &str, object: &Value) -> &Self {
        let mut shared = self.shared.lock().unwrap();
        let events = shared.events.as_mut().unwrap();
        let reported = events.entry(path.to_owned()).or_default();
        // The version in lists is 1.
        let mut object = object.clone();
        object["metadata"]["resourceVersion"] = json!((reported.len() + 2).to_string());
        reported.push(format!("{}\n", json!({"type": kind, "object": object})));
        self
    }

    /// Sets the answer to `path`.
    pub(crate) fn set(&self, path: &str, answer: Answer) -> &Self {
        let mut shared = self.shared.lock().unwrap();
        shared.answers.insert(path.to_owned(), answer);
        self
    }

    /// Sets the answer to `path` to JSON.
    pub(crate) fn set_json(&self, path: &str, body: &Value) -> &Self {
        self.set(path, Answer::json(body))
    }

    /// The answer to `path`.
    pub(crate) fn answer(&self, path: &str) -> String {
        let shared = self.shared.lock().unwrap();
        String::from_utf8_lossy(&shared.answers[path].body).into_owned()
    }

    /// Changes the clock.
    pub(crate) fn set_date(&self, date: &str) -> &Self {
        self.shared.lock().unwrap().date = Some(date.to_owned());
        self
    }

    /// The address.
    pub(crate) fn url(&self) -> String {
        self.serving.url()
    }

    /// The requests so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.shared.lock().unwrap().seen.clone()
    }

    /// The requests so far except the version, discovery, and kinds that only add detail, each of which causes at most
    /// one request.
    #[track_caller]
    pub(crate) fn decisive(&self) -> Vec<Seen> {
        let mut extra: Vec<String> = Vec::new();
        let mut decisive = Vec::new();
        for seen in self.seen() {
            let Some(kind) = kind(&seen.path) else {
                continue; // the version, or discovery
            };
            if DECISIVE.contains(&kind.as_str()) || kind.contains("metrics.k8s.io/") {
                decisive.push(seen);
            } else {
                assert!(
                    !extra.contains(&kind),
                    "more than one request for {kind}: {seen:?}"
                );
                extra.push(kind);
            }
        }
        decisive
    }

    /// The number of requests for `path`, whatever their query.
    pub(crate) fn count(&self, path: &str) -> usize {
        self.seen()
            .iter()
            .filter(|seen| seen.path.split('?').next() == Some(path))
            .count()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let seen = self.seen();
        audit::check(
            seen.iter()
                .map(|seen| (seen.method.as_str(), seen.path.as_str())),
        );
    }
}

/// Kinds that are required for a decision, or for a target.
const DECISIVE: [&str; 7] = [
    "/pods",
    "/events",
    "apps/deployments",
    "apps/replicasets",
    "apps/statefulsets",
    "autoscaling/horizontalpodautoscalers",
    "coordination.k8s.io/leases",
];

/// `GROUP/RESOURCE` of a path of the Kubernetes API; `None` if it is not a resource.
fn kind(path: &str) -> Option<String> {
    let path = path.split('?').next()?;
    let mut segments = path.trim_start_matches('/').split('/');
    let group = match segments.next()? {
        "api" => "",
        "apis" => segments.next()?,
        _ => return None,
    };
    let _version = segments.next()?;
    let rest: Vec<&str> = segments.collect();
    let (["namespaces", _, resource, ..] | [resource, ..]) = rest.as_slice() else {
        return None;
    };
    Some(format!("{group}/{resource}"))
}

/// The endless events of a watch, from the requested version on.
fn watched(shared: Arc<Mutex<Shared>>, path: String, query: &str) -> Body {
    let version = query
        .split('&')
        .find_map(|part| part.strip_prefix("resourceVersion="))
        .and_then(|version| version.parse().ok())
        .unwrap_or(1_usize);
    Body::from_stream(stream::unfold(version - 1, move |index| {
        let (shared, path) = (Arc::clone(&shared), path.clone());
        async move {
            loop {
                let reported = {
                    let shared = shared.lock().unwrap();
                    let events = shared.events.as_ref().unwrap();
                    events
                        .get(&path)
                        .and_then(|reported| reported.get(index).cloned())
                };
                if let Some(reported) = reported {
                    return Some((Ok::<_, std::io::Error>(reported), index + 1));
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    }))
}

async fn answer(State(shared): State<Arc<Mutex<Shared>>>, request: Request) -> Response {
    let uri = request.uri().clone();
    let (answer, date) = {
        let mut shared = shared.lock().unwrap();
        shared.seen.push(Seen {
            method: request.method().to_string(),
            path: uri.to_string(),
            headers: request.headers().clone(),
        });
        (shared.answers.get(uri.path()).cloned(), shared.date.clone())
    };
    let query = uri.query().unwrap_or_default();
    let is_watch = query.contains("watch=true");
    if is_watch && shared.lock().unwrap().events.is_some() {
        let path = uri.path().to_owned();
        return Response::builder()
            .header(header::CONTENT_TYPE, "application/json")
            .body(watched(Arc::clone(&shared), path, query))
            .unwrap();
    }
    let Some(answer) = answer.filter(|_| !is_watch) else {
        let mut response = Response::new(Body::from("404 page not found\n"));
        *response.status_mut() = StatusCode::NOT_FOUND;
        if let Some(date) = date {
            response
                .headers_mut()
                .insert(header::DATE, date.parse().unwrap());
        }
        return response;
    };
    tokio::time::sleep(answer.delay).await;
    let mut response = Response::builder()
        .status(answer.code)
        .header(header::CONTENT_TYPE, answer.content_type);
    if let Some(date) = answer.date.or(date) {
        response = response.header(header::DATE, date);
    }
    let body = if answer.breaks_off {
        let half = answer.body.slice(..answer.body.len() / 2);
        let whole = stream::iter([Ok(half)]).chain(stream::once(async {
            // So that the first half is on the way.
            tokio::time::sleep(Duration::from_millis(50)).await;
            Err(std::io::Error::other("broken off"))
        }));
        Body::from_stream(whole)
    } else {
        Body::from(answer.body)
    };
    response.body(body).unwrap()
}
