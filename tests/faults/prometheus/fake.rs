//! A fake monitoring server: directly, and as a Service behind the fake API server.

use hpa_cluster::ConnectionArgs;
use std::{
    collections::BTreeMap,
    fs,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::{Query, Request, State},
    http::{HeaderMap, Response},
};
use clap::{Args as _, FromArgMatches as _};
use hpa_prometheus::PrometheusArgs;
use hpa_prometheus::{MonitoringError, RequiredSeries, Selector, Series, Server, Settings};
use jiff::Timestamp;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    plugin::kubeconfig,
    serving::{ANYWHERE, Serving, serve},
};

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Path, without the prefix of the API server's proxy.
    pub(crate) path: String,
    /// The prefix of the API server's proxy; empty for direct access.
    pub(crate) way: String,
    /// Parameters.
    pub(crate) query: BTreeMap<String, String>,
    /// Headers.
    pub(crate) headers: HeaderMap,
}

/// An answer, and its delay.
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(&'static str, &'static str)>,
    body: Body,
    delay: Duration,
}

impl Reply {
    /// Any answer.
    pub(crate) fn new(status: u16, content_type: &'static str, body: impl Into<Body>) -> Self {
        Self {
            status,
            headers: vec![("content-type", content_type)],
            body: body.into(),
            delay: Duration::ZERO,
        }
    }

    /// JSON.
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::new(status, "application/json", body.to_string())
    }

    /// An answer with these series: labels, and samples as Prometheus writes them.
    pub(crate) fn series(series: &Value) -> Self {
        Self::json(
            200,
            &json!({"status": "success", "data": {"resultType": "matrix", "result": series}}),
        )
    }

    /// An error of Prometheus' API.
    pub(crate) fn error(status: u16, error_type: &str, error: &str) -> Self {
        let body = json!({"status": "error", "errorType": error_type, "error": error});
        Self::json(status, &body)
    }

    /// With a header.
    pub(crate) fn with(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Delays the answer.
    pub(crate) fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }
}

/// The range of a request in milliseconds: start (exclusive) and end.
pub(crate) fn span(asked: &Asked) -> (i64, i64) {
    let time: f64 = asked.query["time"].parse().unwrap();
    let query = &asked.query["query"];
    let range = &query[query.rfind('[').unwrap() + 1..query.len() - 1];
    let length = match range.strip_suffix("ms") {
        Some(millis) => millis.parse().unwrap(),
        None => range.trim_end_matches('s').parse::<i64>().unwrap() * 1000,
    };
    #[expect(clippy::cast_possible_truncation, reason = "a time of a test")]
    let end = (time * 1000.0).round() as i64;
    (end - length, end)
}

/// A result of a query: its labels, and its value up to a second.
pub(crate) type Constant = (Value, f64, i32);

/// Prometheus' answer to a query over a range that has these results.
pub(crate) fn evaluated(asked: &Asked, results: &[Constant]) -> Reply {
    let query = &asked.query["query"];
    if query.matches('(').count() != query.matches(')').count() {
        let error = "invalid parameter \"query\": 1:4: parse error: unclosed left parenthesis";
        return Reply::error(400, "bad_data", error);
    }
    let second = |name: &str| -> i32 { asked.query[name].parse().unwrap() };
    let step: usize = asked.query["step"].parse().unwrap();
    let series = results.iter().filter_map(|(labels, value, until)| {
        let times = second("start")..=second("end").min(*until);
        let values: Vec<Value> = times
            .step_by(step)
            .map(|at| json!([at, value.to_string()]))
            .collect();
        (!values.is_empty()).then(|| json!({"metric": labels, "values": values}))
    });
    Reply::series(&Value::Array(series.collect()))
}

type Answering = Arc<dyn Fn(&Asked) -> Reply + Send + Sync>;

/// The server.
pub(crate) struct Fake {
    serving: Serving,
    shared: Arc<Shared>,
    home: TempDir,
}

struct Shared {
    answer: Answering,
    seen: Mutex<Vec<Asked>>,
    running: AtomicUsize,
    most_at_once: AtomicUsize,
}

impl Fake {
    /// Prometheus 3, with this answer to everything except the request for its identity.
    pub(crate) fn prometheus(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        Self::new(move |asked| {
            if asked.path.ends_with("/status/buildinfo") {
                let data = json!({"version": "3.1.0", "revision": "abc"});
                return Reply::json(200, &json!({"status": "success", "data": data}));
            }
            answer(asked)
        })
    }

    /// A server with any answers.
    pub(crate) fn new(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared {
            answer: Arc::new(answer),
            seen: Mutex::default(),
            running: AtomicUsize::new(0),
            most_at_once: AtomicUsize::new(0),
        });
        let router = Router::new()
            .fallback(handle)
            .with_state(Arc::clone(&shared));
        Self {
            serving: serve(ANYWHERE, router),
            shared,
            home: TempDir::new().unwrap(),
        }
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        self.serving.url()
    }

    /// The requests so far.
    pub(crate) fn seen(&self) -> Vec<Asked> {
        self.shared.seen.lock().unwrap().clone()
    }

    /// The queries so far.
    pub(crate) fn queries(&self) -> Vec<Asked> {
        let mut seen = self.seen();
        seen.retain(|asked| asked.path.ends_with("/query"));
        seen
    }

    /// The largest number of requests in parallel.
    pub(crate) fn most_at_once(&self) -> usize {
        self.shared.most_at_once.load(Ordering::SeqCst)
    }

    /// Connects with these flags of `--prometheus`, and runs `work` with the server. Nothing takes longer than half a
    /// minute.
    pub(crate) fn with_server<T>(
        &self,
        words: &[&str],
        wanted: Option<&RequiredSeries>,
        timeout: &str,
        work: impl AsyncFnOnce(&Server<'_>) -> Result<T, MonitoringError>,
    ) -> Result<T, MonitoringError> {
        let file = self.home.path().join("config");
        fs::write(&file, kubeconfig("test", &self.url())).unwrap();
        let connection = ConnectionArgs {
            kubeconfig: Some(file),
            request_timeout: Some(timeout.to_owned()),
            ..ConnectionArgs::default()
        };
        let command = PrometheusArgs::augment_args(clap::Command::new("test"));
        let words = std::iter::once("test").chain(words.iter().copied());
        let matches = command.try_get_matches_from(words).unwrap();
        let settings = Settings::of(&PrometheusArgs::from_arg_matches(&matches).unwrap())?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let client = hpa_cluster::connect(&connection).await.unwrap();
            tokio::time::timeout(Duration::from_secs(30), async {
                let server = hpa_prometheus::connect(&client, &settings, wanted).await?;
                work(&server).await
            })
            .await
            .expect("it hangs")
        })
    }

    /// Reads [`pods`] in a range, directly and through the API server.
    pub(crate) fn both(
        &self,
        from: i64,
        to: i64,
        timeout: &str,
    ) -> [(&'static str, Result<Read, MonitoringError>); 2] {
        let url = format!("--prometheus={}", self.url());
        [
            ("direct", self.read(&[&url], from, to, timeout)),
            ("proxied", self.read(&[SERVICE], from, to, timeout)),
        ]
    }

    /// Reads [`pods`] in a range.
    pub(crate) fn read(
        &self,
        words: &[&str],
        from: i64,
        to: i64,
        timeout: &str,
    ) -> Result<Read, MonitoringError> {
        self.with_server(words, None, timeout, async |server| {
            let (from, to) = (timestamp(from), timestamp(to));
            let series = server.raw(&pods(), from, to).await?;
            assert_eq!(server.progress().done(), server.progress().total());
            Ok(Read {
                series,
                warnings: server.take_warnings(),
            })
        })
    }
}

/// What was read.
#[derive(Debug)]
pub(crate) struct Read {
    /// The series.
    pub(crate) series: Vec<Series>,
    /// The server's warnings.
    pub(crate) warnings: Vec<String>,
}

/// The series that the tests request.
pub(crate) fn pods() -> Selector {
    Selector::new("kube_pod_info").is("namespace", "shop")
}

/// A point in time.
pub(crate) fn timestamp(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).unwrap()
}

/// The start of the tests' time range.
pub(crate) const NOON: i64 = 1_700_000_000_000;
/// Access through the API server.
pub(crate) const SERVICE: &str = "--prometheus=service:monitoring/prometheus:9090";

async fn handle(
    State(shared): State<Arc<Shared>>,
    Query(query): Query<BTreeMap<String, String>>,
    request: Request,
) -> Response<Body> {
    assert_eq!(request.method(), "GET", "{request:?}");
    let path = request.uri().path();
    let (way, path) = match path.split_once("/proxy/") {
        Some((way, path)) => (way.to_owned(), format!("/{path}")),
        None => (String::new(), path.to_owned()),
    };
    let asked = Asked {
        path,
        way,
        query,
        headers: request.headers().clone(),
    };
    let query = asked.query.get("query").cloned().unwrap_or_default();
    // Except for queries over a range: those a metrics API evaluates as well.
    let is_computed = query.contains('(') && !asked.path.ends_with("/query_range");
    assert!(!is_computed, "the server must not compute: {query}");
    shared.seen.lock().unwrap().push(asked.clone());
    let running = shared.running.fetch_add(1, Ordering::SeqCst) + 1;
    shared.most_at_once.fetch_max(running, Ordering::SeqCst);
    let reply = (shared.answer)(&asked);
    tokio::time::sleep(reply.delay).await;
    shared.running.fetch_sub(1, Ordering::SeqCst);
    let mut response = Response::builder().status(reply.status);
    for (name, value) in reply.headers {
        response = response.header(name, value);
    }
    response.body(reply.body).unwrap()
}
