//! Reads the past from a monitoring server with the Prometheus API: Prometheus, Thanos, VictoriaMetrics, Mimir and
//! others.
//!
//! `place` is its location, `discover` finds it in a cluster, `server` requests raw samples, `answer` parses them. It
//! only reads, by GET. It lets the server compute only queries that a metrics API evaluates, too.

mod answer;
mod args;
mod chunks;
mod discover;
mod error;
mod join;
mod kind;
mod place;
mod probe;
mod progress;
mod query;
mod replicas;
mod response;
mod selector;
mod server;
mod settings;
mod token;

pub use args::PrometheusArgs;
pub use discover::{RequiredSeries, connect};
pub use error::MonitoringError;
pub use join::Series;
pub use kind::Kind;
pub use place::{Place, Scheme, ServicePlace, UrlPlace};
pub use probe::Presence;
pub use progress::{Progress, with_progress};
pub use selector::Selector;
pub use server::Server;
pub(crate) use settings::parse_cluster_label;
pub use settings::{Secret, Settings};
