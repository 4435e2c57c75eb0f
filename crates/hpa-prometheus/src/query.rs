//! A single request to a server, and its result.

use std::{cell::RefCell, collections::BTreeSet, time::Duration};

use hpa_cluster::{Client, Elsewhere, Fetch, FetchError, Fetched, connect_elsewhere};
use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;

use super::{
    MonitoringError, Scheme, ServicePlace, Settings, UrlPlace,
    answer::{self, BuildInfo, Outcome, QueryResult, RawSeries},
    chunks::{Chunk, duration, seconds},
    kind::Kind,
    response::{Respondent, brief},
    selector::Selector,
    token::Token,
};

/// The connection to a server, and the parameters that it needs.
pub(super) struct Api<'a> {
    way: Way<'a>,
    pub(super) respondent: Respondent,
    /// The path before `/api/v1`.
    base: String,
    pub(super) kind: Kind,
    pub(super) version: String,
    headers: HeaderMap,
    token: Option<Token>,
    pub(super) patience: Duration,
    permits: Semaphore,
    pub(super) warnings: RefCell<BTreeSet<String>>,
}

enum Way<'a> {
    /// Through the API server.
    Through(&'a Client),
    /// Directly.
    Direct(Box<Client>),
}

/// Why a query fails.
pub(super) enum QueryError {
    /// It requests more than the server or this program accepts: a smaller range may work.
    TooMuch(MonitoringError),
    /// Anything else.
    Failed(MonitoringError),
}

impl From<QueryError> for MonitoringError {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::TooMuch(error) | QueryError::Failed(error) => error,
        }
    }
}

impl<'a> Api<'a> {
    /// A connection through the API server.
    pub(super) fn through(client: &'a Client, place: ServicePlace, settings: &Settings) -> Self {
        let scheme = match place.scheme {
            Scheme::Http => "http:",
            Scheme::Https => "https:",
        };
        let ServicePlace {
            namespace,
            name,
            port,
            prefix,
            ..
        } = &place;
        let base =
            format!("/api/v1/namespaces/{namespace}/services/{scheme}{name}:{port}/proxy{prefix}");
        let name = place.to_string();
        Self::new(
            Way::Through(client),
            Respondent {
                name,
                has_prefix: !place.prefix.is_empty(),
                service: Some(place),
            },
            base,
            client.timeout(),
            settings,
        )
    }

    /// A direct connection, which uses nothing from the kubeconfig.
    pub(super) async fn direct(
        place: &UrlPlace,
        timeout: Option<Duration>,
        settings: &Settings,
    ) -> Result<Self, MonitoringError> {
        let client = connect_elsewhere(Elsewhere {
            server: place.uri().clone(),
            certificate_authority: settings.certificate_authority.as_deref(),
            is_insecure: settings.is_insecure,
            timeout,
        });
        let client = client
            .await
            .map_err(|error| MonitoringError::Settings(with_own_flags(&error.to_string())))?;
        let respondent = Respondent {
            name: place.to_string(),
            service: None,
            has_prefix: place.uri().path().len() > 1,
        };
        let way = Way::Direct(Box::new(client));
        Ok(Self::new(way, respondent, String::new(), timeout, settings))
    }

    fn new(
        way: Way<'a>,
        respondent: Respondent,
        base: String,
        timeout: Option<Duration>,
        settings: &Settings,
    ) -> Self {
        Self {
            way,
            respondent,
            base,
            kind: Kind::Unknown,
            version: String::new(),
            headers: settings.headers.clone(),
            token: settings.token_command.clone().map(Token::new),
            patience: timeout.unwrap_or(PATIENCE),
            permits: Semaphore::new(MOST_AT_ONCE),
            warnings: RefCell::default(),
        }
    }

    /// Determines which program it is, and whether it answers queries.
    pub(super) async fn identify(&mut self) -> Result<(), MonitoringError> {
        let path = format!("{}/api/v1/status/buildinfo", self.base);
        let fetched = self.fetch(&path, MOST_BYTES_OF_INFO).await;
        let fetched = fetched.map_err(MonitoringError::from)?;
        let is_victoria = fetched.headers.contains_key("x-server-hostname");
        match self.respondent.check(fetched) {
            Ok(body) => {
                if let Ok(Outcome::Data { data, .. }) = answer::read::<BuildInfo>(&body) {
                    self.kind = Kind::of(&data, is_victoria);
                    self.version = brief(&data.version);
                }
            }
            // Not every server identifies itself.
            Err(MonitoringError::NotPrometheus { .. } | MonitoringError::Refused { .. }) => {}
            Err(error) => return Err(error),
        }
        if self.kind != Kind::Unknown {
            return Ok(());
        }
        match self.query::<QueryResult>("1", None).await {
            Ok(_) => Ok(()),
            // Some reject unknown parameters.
            Err(QueryError::Failed(MonitoringError::Refused { status: 400, .. })) => {
                self.kind = Kind::Strict;
                self.query::<QueryResult>("1", None).await?;
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The raw samples in a piece of time.
    pub(super) async fn samples(
        &self,
        selector: &Selector,
        chunk: Chunk,
    ) -> Result<Vec<RawSeries>, QueryError> {
        let query = format!("{selector}[{}]", duration(chunk.range()));
        let result: QueryResult = self.query(&query, Some(chunk.last)).await?;
        let series = self.series(result)?;
        for one in &series {
            if !selector.covers(&one.metric) {
                let labels: Vec<String> = one
                    .metric
                    .iter()
                    .map(|(name, value)| format!("{name}={value:?}"))
                    .collect();
                return Err(QueryError::Failed(MonitoringError::Foreign {
                    server: self.respondent.name.clone(),
                    series: brief(&format!("{{{}}}", labels.join(", "))),
                    query: brief(&selector.to_string()),
                }));
            }
        }
        Ok(series)
    }

    /// The results of a query in a piece of time, from its first millisecond on, every `step` milliseconds.
    pub(super) async fn evaluated(
        &self,
        query: &str,
        chunk: Chunk,
        step: i64,
    ) -> Result<Vec<RawSeries>, QueryError> {
        let path = format!(
            "query_range?query={}&start={}&end={}&step={}",
            utf8_percent_encode(query, QUERY),
            seconds(chunk.first),
            seconds(chunk.last),
            seconds(step)
        );
        self.series(self.read(&path).await?)
    }

    /// The series of a result.
    fn series(&self, result: QueryResult) -> Result<Vec<RawSeries>, QueryError> {
        let broken = |why: &str| {
            QueryError::Failed(MonitoringError::Broken {
                server: self.respondent.name.clone(),
                why: brief(why),
            })
        };
        let series = result.into_series().map_err(|why| broken(&why))?;
        if series.iter().any(RawSeries::is_something_else) {
            return Err(broken(
                "it has histograms or single values instead of samples",
            ));
        }
        Ok(series)
    }

    /// Evaluates a query at a time; `None`: now.
    async fn query<T: DeserializeOwned>(
        &self,
        query: &str,
        at: Option<i64>,
    ) -> Result<T, QueryError> {
        let mut path = format!("query?query={}", utf8_percent_encode(query, QUERY));
        if let Some(at) = at {
            path.push_str("&time=");
            path.push_str(&seconds(at));
        }
        self.read(&path).await
    }

    /// Requests a path after `/api/v1/`.
    async fn read<T: DeserializeOwned>(&self, path: &str) -> Result<T, QueryError> {
        let parameters = self.kind.parameters();
        let path = format!("{}/api/v1/{path}{parameters}", self.base);
        let fetched = self.fetch(&path, MOST_BYTES).await?;
        let status = fetched.status.as_u16();
        let body = self.respondent.check(fetched).map_err(too_much)?;
        let outcome = answer::read(&body)
            .map_err(|error| QueryError::Failed(self.respondent.broken(&error, body.len())))?;
        match outcome {
            Outcome::Data {
                data,
                warnings,
                is_partial,
            } => {
                let mut known = self.warnings.borrow_mut();
                if is_partial {
                    known.insert(
                        "the answer is partial: some of its storage is unavailable".to_owned(),
                    );
                }
                for warning in warnings {
                    if known.len() < MOST_WARNINGS {
                        known.insert(brief(&warning));
                    }
                }
                Ok(data)
            }
            Outcome::Failed(error_type, message) => Err(too_much(MonitoringError::Refused {
                server: self.respondent.name.clone(),
                status,
                error_type: brief(&error_type),
                message: brief(&message),
            })),
        }
    }

    /// Sends a request, with a token if there is one, and with a new token if it is rejected.
    async fn fetch(&self, path: &str, most_bytes: usize) -> Result<Fetched, QueryError> {
        let _permit = self.permits.acquire().await;
        let Some(token) = &self.token else {
            return self.fetch_with(path, most_bytes, None).await;
        };
        let header = token.header().await.map_err(QueryError::Failed)?;
        let fetched = self.fetch_with(path, most_bytes, Some(&header)).await?;
        if fetched.status != 401 {
            return Ok(fetched);
        }
        match token.renewed(&header).await.map_err(QueryError::Failed)? {
            Some(renewed) => self.fetch_with(path, most_bytes, Some(&renewed)).await,
            None => Ok(fetched),
        }
    }

    async fn fetch_with(
        &self,
        path: &str,
        most_bytes: usize,
        authorization: Option<&HeaderValue>,
    ) -> Result<Fetched, QueryError> {
        let mut headers = self.headers.clone();
        if let Some(authorization) = authorization {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
        let client = match &self.way {
            Way::Through(client) => client,
            Way::Direct(client) => &**client,
        };
        let fetch = Fetch {
            path,
            headers: &headers,
            most_bytes,
            patience: self.patience,
        };
        let server = self.respondent.name.clone();
        client.fetch(fetch).await.map_err(|error| match error {
            FetchError::NoAnswer(why) => QueryError::Failed(MonitoringError::Unreachable {
                server,
                why: match self.way {
                    Way::Direct(_) => with_own_flags(&why),
                    Way::Through(_) => why,
                },
            }),
            FetchError::TooLate(patience) => {
                QueryError::Failed(MonitoringError::TooLate { server, patience })
            }
            FetchError::TooLong(most) => QueryError::TooMuch(MonitoringError::TooMuch {
                server,
                why: format!("an answer is longer than {} MiB", most >> 20),
            }),
        })
    }
}

/// The text with the flags for a URL.
fn with_own_flags(text: &str) -> String {
    text.replace(
        "--certificate-authority",
        "--prometheus-certificate-authority",
    )
}

/// Whether the server rejects the query because it requests too much.
fn too_much(error: MonitoringError) -> QueryError {
    let MonitoringError::Refused {
        status,
        error_type,
        message,
        ..
    } = &error
    else {
        return QueryError::Failed(error);
    };
    let message = message.to_lowercase();
    let is_limit = LIMIT_WORDS.iter().any(|word| message.contains(word));
    let is_too_much = match status {
        413 | 422 => true,
        429 => false,
        _ => error_type == "timeout" || is_limit,
    };
    if is_too_much {
        QueryError::TooMuch(error)
    } else {
        QueryError::Failed(error)
    }
}

/// Words in the messages of servers about queries that request too much.
const LIMIT_WORDS: [&str; 6] = [
    "too many",
    "limit",
    "exceed",
    "resource exhausted",
    "resourceexhausted",
    "too long",
];
/// Time limit for a request, unless `--request-timeout` sets it.
const PATIENCE: Duration = Duration::from_mins(1);
/// Requests in parallel.
pub(super) const MOST_AT_ONCE: usize = 4;
/// Longest answer that is read, in bytes. Four are read in parallel.
const MOST_BYTES: usize = 8 << 20;
/// Longest answer about the server, in bytes.
const MOST_BYTES_OF_INFO: usize = 1 << 20;
/// Warnings that are kept.
const MOST_WARNINGS: usize = 20;
/// The characters that are escaped in a parameter.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');
