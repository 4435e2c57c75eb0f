//! A fake API server with changing objects: watches report them, and the server itself can fail.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard},
    thread,
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    http::{StatusCode, header},
    response::Response,
};
use futures::{StreamExt as _, stream};
use serde_json::{Value, json};

use crate::{
    audit,
    serving::{ANYWHERE, Serving, serve},
    world::{forbidden, status},
};

/// The server. Its objects outlive it: it can be stopped and restarted.
pub(crate) struct Living {
    address: SocketAddr,
    shared: Arc<Shared>,
    serving: Option<Serving>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<Objects>,
}

#[derive(Default)]
struct Objects {
    /// By path of the collection in all namespaces, then by namespace and name.
    objects: BTreeMap<String, BTreeMap<(String, String), Value>>,
    /// The changes of a collection's objects, each with the version after it.
    history: BTreeMap<String, Vec<(u64, &'static str, Value)>>,
    version: u64,
    /// Answers to paths that are not collections.
    answers: BTreeMap<String, Value>,
    denied: BTreeSet<(String, String)>,
    /// The part of a query that allows a denied verb.
    unless: Option<String>,
    token: Option<String>,
    /// Collections whose next watch gets an expired version.
    deleted: BTreeMap<String, Deleted>,
    /// Collections whose next event is truncated.
    breaks: BTreeSet<String>,
    /// Collections whose watches send an invalid event, and end.
    garbled: BTreeSet<String>,
    /// Incremented to end all watches.
    ended: u64,
    /// The version at which they end.
    ended_at: u64,
    delay: Duration,
    /// Paths whose next answer is held back.
    to_hold: BTreeSet<String>,
    /// Paths whose answer is held back.
    held: BTreeSet<String>,
    /// Methods, and paths with queries.
    seen: Vec<(String, String)>,
}

/// How a server reports an expired version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deleted {
    /// As an event of the watch.
    Event,
    /// As the answer to the watch.
    Answer,
    /// As an event of the watch, and then as the answer to the next piece of the list.
    Piece,
}

impl Living {
    /// Starts a server without objects.
    pub(crate) fn start() -> Self {
        let mut server = Self {
            address: ANYWHERE,
            shared: Arc::default(),
            serving: None,
        };
        server.up();
        server
    }

    /// Starts it again, at the same address.
    pub(crate) fn up(&mut self) {
        let router = Router::new()
            .fallback(answer)
            .with_state(Arc::clone(&self.shared));
        let serving = serve(self.address, router);
        self.address = serving.address();
        self.serving = Some(serving);
    }

    /// Stops it: all connections break.
    pub(crate) fn down(&mut self) {
        self.serving = None;
    }

    /// The address.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Adds a kind without objects.
    pub(crate) fn collection(&self, collection: &str) {
        let mut state = self.state();
        state.objects.entry(collection.to_owned()).or_default();
    }

    /// Adds an object, or changes it. `collection` is the path of the kind in all namespaces, such as `/api/v1/pods`.
    pub(crate) fn put(&self, collection: &str, mut object: Value) {
        let mut state = self.state();
        state.version += 1;
        let version = state.version;
        object["metadata"]["resourceVersion"] = json!(version.to_string());
        let objects = state.objects.entry(collection.to_owned()).or_default();
        let before = objects.insert(name_of(&object), object.clone());
        let event = if before.is_some() {
            "MODIFIED"
        } else {
            "ADDED"
        };
        state.note(collection, event, object);
    }

    /// Changes an object.
    pub(crate) fn edit(&self, collection: &str, name: &str, edit: impl FnOnce(&mut Value)) {
        let key = ("shop".to_owned(), name.to_owned());
        let mut object = self.state().objects[collection][&key].clone();
        edit(&mut object);
        self.put(collection, object);
    }

    /// Deletes an object of the namespace `shop`.
    pub(crate) fn delete(&self, collection: &str, name: &str) {
        let mut state = self.state();
        state.version += 1;
        let key = ("shop".to_owned(), name.to_owned());
        let objects = state.objects.entry(collection.to_owned()).or_default();
        let mut object = objects.remove(&key).unwrap();
        object["metadata"]["resourceVersion"] = json!(state.version.to_string());
        state.note(collection, "DELETED", object);
    }

    /// Sends a bookmark to all watches of a collection. Returns its version.
    pub(crate) fn bookmark(&self, collection: &str) -> String {
        let mut state = self.state();
        state.version += 1;
        let version = state.version.to_string();
        let bookmark =
            json!({"kind": "X", "apiVersion": "v1", "metadata": {"resourceVersion": &version}});
        state.note(collection, "BOOKMARK", bookmark);
        version
    }

    /// Sets the answer to a path that is not a collection.
    pub(crate) fn answer(&self, path: &str, body: Value) {
        self.state().answers.insert(path.to_owned(), body);
    }

    /// Lets a path answer with its object again.
    pub(crate) fn forget_answer(&self, path: &str) {
        self.state().answers.remove(path);
    }

    /// Denies a verb on a path and all below it.
    pub(crate) fn deny(&self, verb: &str, path: &str) {
        let denied = (verb.to_owned(), path.to_owned());
        let mut state = self.state();
        state.denied.insert(denied);
        state.unless = None;
    }

    /// Denies a verb unless the query contains `part`.
    pub(crate) fn deny_unless(&self, verb: &str, path: &str, part: &str) {
        self.deny(verb, path);
        self.state().unless = Some(part.to_owned());
    }

    /// Allows a verb again.
    pub(crate) fn allow(&self, verb: &str, path: &str) {
        let denied = (verb.to_owned(), path.to_owned());
        self.state().denied.remove(&denied);
    }

    /// Accepts this token only.
    pub(crate) fn want_token(&self, token: &str) {
        self.state().token = Some(token.to_owned());
    }

    /// Reports an expired version to the next watch of a collection, or to the next piece of its list.
    pub(crate) fn forget(&self, collection: &str, deleted: Deleted) {
        self.state().deleted.insert(collection.to_owned(), deleted);
    }

    /// Breaks the connection in the middle of the next event.
    pub(crate) fn break_next_event(&self, collection: &str) {
        self.state().breaks.insert(collection.to_owned());
    }

    /// Sets whether watches of a collection send invalid events.
    pub(crate) fn garble(&self, collection: &str, is_garbled: bool) {
        let mut state = self.state();
        if is_garbled {
            state.garbled.insert(collection.to_owned());
        } else {
            state.garbled.remove(collection);
        }
    }

    /// Ends all watches, as servers do after a while.
    pub(crate) fn end_watches(&self) {
        let mut state = self.state();
        state.ended += 1;
        state.ended_at = state.version;
    }

    /// Delays all answers.
    pub(crate) fn delay(&self, delay: Duration) {
        self.state().delay = delay;
    }

    /// Holds the next answer to a path back: it is as old as its request.
    pub(crate) fn hold(&self, path: &str) {
        self.state().to_hold.insert(path.to_owned());
    }

    /// Whether an answer to a path is held back.
    pub(crate) fn is_held(&self, path: &str) -> bool {
        self.state().held.contains(path)
    }

    /// Sends the answer that is held back.
    pub(crate) fn release(&self, path: &str) {
        assert!(
            self.state().held.remove(path),
            "no answer to {path} is held"
        );
    }

    /// The requests so far, path and query.
    pub(crate) fn seen(&self) -> Vec<String> {
        let state = self.state();
        state.seen.iter().map(|(_, path)| path.clone()).collect()
    }

    /// How many of them contain each of `parts`.
    pub(crate) fn count(&self, parts: &[&str]) -> usize {
        let seen = self.seen();
        let has_all = |path: &&String| parts.iter().all(|part| path.contains(part));
        seen.iter().filter(has_all).count()
    }

    fn state(&self) -> MutexGuard<'_, Objects> {
        self.shared.state.lock().unwrap()
    }
}

impl Drop for Living {
    fn drop(&mut self) {
        if thread::panicking() {
            return;
        }
        let seen = self.state().seen.clone();
        audit::check(
            seen.iter()
                .map(|(method, path)| (method.as_str(), path.as_str())),
        );
    }
}

impl Objects {
    fn note(&mut self, collection: &str, event: &'static str, object: Value) {
        let version = self.version;
        let history = self.history.entry(collection.to_owned()).or_default();
        history.push((version, event, object));
    }

    fn is_denied(&self, verb: &str, path: &str) -> bool {
        self.denied
            .iter()
            .any(|(denied, below)| denied == verb && path.starts_with(below.as_str()))
    }

    fn list(&self, at: &Place) -> Value {
        let objects = self.objects.get(&at.collection);
        let items: Vec<&Value> = objects
            .into_iter()
            .flatten()
            .filter(|((namespace, _), object)| at.has(namespace, object))
            .map(|(_, object)| object)
            .collect();
        let from: usize = at.query("continue").parse().unwrap_or(0);
        let limit: usize = at.query("limit").parse().unwrap_or(usize::MAX);
        let rest = items.len().saturating_sub(from);
        let next = if limit < rest {
            (from + limit).to_string()
        } else {
            String::new()
        };
        let items: Vec<&Value> = items.into_iter().skip(from).take(limit).collect();
        json!({
            "kind": "List", "apiVersion": "v1", "items": items,
            "metadata": {"resourceVersion": self.version.to_string(), "continue": next},
        })
    }
}

/// The resource of a request.
#[derive(Clone, Debug)]
struct Place {
    /// The collection in all namespaces.
    collection: String,
    namespace: String,
    query: BTreeMap<String, String>,
}

impl Place {
    fn query(&self, name: &str) -> &str {
        self.query.get(name).map(String::as_str).unwrap_or_default()
    }

    fn has(&self, namespace: &str, object: &Value) -> bool {
        let meets = |selector: &str, root: &str| {
            let mut parts = selector.split(',').filter(|part| !part.is_empty());
            parts.all(|part| {
                let (path, value) = part.split_once('=').unwrap();
                let path = if root.is_empty() {
                    path.replace('.', "/")
                } else {
                    path.to_owned()
                };
                object.pointer(&format!("{root}/{path}")) == Some(&json!(value))
            })
        };
        (self.namespace.is_empty() || self.namespace == namespace)
            && meets(self.query("fieldSelector"), "")
            && meets(self.query("labelSelector"), "/metadata/labels")
    }
}

fn name_of(object: &Value) -> (String, String) {
    let text = |field: &str| {
        object["metadata"][field]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    (text("namespace"), text("name"))
}

async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let is_held = shared.state.lock().unwrap().to_hold.remove(&path);
    let response = immediate_answer(Arc::clone(&shared), request).await;
    if is_held {
        shared.state.lock().unwrap().held.insert(path.clone());
        while shared.state.lock().unwrap().held.contains(&path) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    response
}

async fn immediate_answer(shared: Arc<Shared>, request: Request) -> Response {
    let uri = request.uri().clone();
    let path = uri.path().to_owned();
    let bearer = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "))
        .map(str::to_owned);
    // A delayed answer is as old as the request.
    let (delay, answer) = {
        let mut state = shared.state.lock().unwrap();
        let method = request.method().to_string();
        state.seen.push((method, uri.to_string()));
        (state.delay, state.answers.get(&path).cloned())
    };
    tokio::time::sleep(delay).await;
    let mut state = shared.state.lock().unwrap();
    if state.token.is_some() && state.token != bearer {
        return refusal(&status(401, "Unauthorized", "Unauthorized"));
    }
    let query: BTreeMap<String, String> = uri
        .query()
        .unwrap_or_default()
        .split('&')
        .filter_map(|part| part.split_once('='))
        .map(|(name, value)| (name.to_owned(), decode(value)))
        .collect();
    let is_watch = query.get("watch").is_some_and(|watch| watch == "true");
    let (collection, namespace, rest) = split(&path);
    let place = Place {
        collection,
        namespace,
        query,
    };
    let is_known = state.objects.contains_key(&place.collection);
    let verb = match (is_watch, rest.is_empty()) {
        (true, _) => "watch",
        (false, true) => "list",
        (false, false) => "get",
    };
    let is_excepted = state
        .unless
        .as_ref()
        .is_some_and(|part| uri.to_string().contains(part.as_str()));
    if state.is_denied(verb, &path) && !is_excepted {
        return refusal(&forbidden(&format!("{verb} of {path}")));
    }
    if let Some(answer) = answer {
        return match answer["code"].as_u64() {
            Some(_) => refusal(&answer),
            None => json_body(&answer),
        };
    }
    match (is_known, rest.as_slice()) {
        (true, []) if is_watch && state.garbled.contains(&place.collection) => {
            stream_of(Body::from("<html>Please log in</html>\n"))
        }
        (true, []) if is_watch => {
            let from: u64 = place.query("resourceVersion").parse().unwrap_or(0);
            match state.deleted.get(&place.collection).copied() {
                Some(Deleted::Answer) => {
                    state.deleted.remove(&place.collection);
                    return refusal(&too_old());
                }
                Some(Deleted::Event | Deleted::Piece) => {
                    if state.deleted[&place.collection] == Deleted::Event {
                        state.deleted.remove(&place.collection);
                    }
                    let event = json!({"type": "ERROR", "object": too_old()});
                    return stream_of(Body::from(format!("{event}\n")));
                }
                None => {}
            }
            let ended = state.ended;
            drop(state);
            watch(shared, place, from, ended)
        }
        (true, []) => {
            let goes_on = !place.query("continue").is_empty();
            if goes_on && state.deleted.get(&place.collection) == Some(&Deleted::Piece) {
                state.deleted.remove(&place.collection);
                return refusal(&too_old());
            }
            json_body(&state.list(&place))
        }
        (true, [name, below @ ..]) => {
            let key = (place.namespace.clone(), (*name).clone());
            match state.objects[&place.collection].get(&key) {
                Some(object) if below.is_empty() => json_body(object),
                Some(object) => json_body(&scale_of(object)),
                None => {
                    let resource = place.collection.rsplit('/').next().unwrap();
                    let group = place.collection.split('/').nth(2).unwrap();
                    let message = format!("{resource}.{group} \"{name}\" not found");
                    refusal(&status(404, "NotFound", &message))
                }
            }
        }
        (false, _) => refusal(&status(
            404,
            "NotFound",
            "the server could not find the requested resource",
        )),
    }
}

fn watch(shared: Arc<Shared>, place: Place, from: u64, ended: u64) -> Response {
    let events = stream::unfold((shared, place, from, false), move |state| async move {
        let (shared, place, from, is_broken) = state;
        if is_broken {
            return Some((
                Err(std::io::Error::other("broken off")),
                (shared, place, from, true),
            ));
        }
        loop {
            {
                let mut objects = shared.state.lock().unwrap();
                let is_over = objects.ended != ended;
                let last = if is_over { objects.ended_at } else { u64::MAX };
                let history = objects.history.get(&place.collection);
                let next = history
                    .into_iter()
                    .flatten()
                    .find(|(version, event, object)| {
                        let (namespace, _) = name_of(object);
                        (from < *version && *version <= last)
                            && (*event == "BOOKMARK" || place.has(&namespace, object))
                    });
                if let Some((version, event, object)) = next.cloned() {
                    let line = format!("{}\n", json!({"type": event, "object": object}));
                    let breaks = objects.breaks.remove(&place.collection);
                    drop(objects);
                    let line = if breaks {
                        line[..line.len() / 2].to_owned()
                    } else {
                        line
                    };
                    return Some((Ok(Bytes::from(line)), (shared, place, version, breaks)));
                }
                if is_over {
                    return None;
                }
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    stream_of(Body::from_stream(events.boxed()))
}

fn too_old() -> Value {
    status(410, "Expired", "too old resource version")
}

fn scale_of(object: &Value) -> Value {
    let selector = match &object["spec"]["selector"]["matchLabels"]["app"] {
        Value::String(app) => format!("app={app}"),
        _ => object["status"]["podSelector"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
    };
    json!({
        "metadata": object["metadata"],
        "spec": {"replicas": object["spec"]["replicas"]},
        "status": {"replicas": object["status"]["replicas"], "selector": selector},
    })
}

fn stream_of(body: Body) -> Response {
    Response::builder()
        .header(header::CONTENT_TYPE, "application/json")
        .body(body)
        .unwrap()
}

fn json_body(body: &Value) -> Response {
    stream_of(Body::from(body.to_string()))
}

fn refusal(body: &Value) -> Response {
    let mut response = json_body(body);
    let code = u16::try_from(body["code"].as_u64().unwrap()).unwrap();
    *response.status_mut() = StatusCode::from_u16(code).unwrap();
    response
}

/// The collection in all namespaces, the namespace, and what follows.
fn split(path: &str) -> (String, String, Vec<String>) {
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let root = if parts[0] == "api" { 2 } else { 3 };
    let root = root.min(parts.len());
    let (base, rest) = parts.split_at(root);
    let (namespace, rest) = match rest {
        ["namespaces", namespace, rest @ ..] => (*namespace, rest),
        rest => ("", rest),
    };
    let (resource, rest) = rest.split_first().unwrap_or((&"", &[]));
    let collection = format!("/{}/{resource}", base.join("/"));
    let rest = rest.iter().map(|part| (*part).to_owned()).collect();
    (collection, namespace.to_owned(), rest)
}

fn decode(text: &str) -> String {
    let bytes = text.replace('+', " ").into_bytes();
    percent_decode(&bytes)
}

fn percent_decode(bytes: &[u8]) -> String {
    let mut text = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'%' {
            let hex = std::str::from_utf8(&bytes[at + 1..at + 3]).unwrap();
            text.push(u8::from_str_radix(hex, 16).unwrap());
            at += 3;
        } else {
            text.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(text).unwrap()
}
