//! Keeps everything about the selected HPAs current by watches.
//!
//! `informers` holds the watches and the additional requests; their results go into a `state::ClusterState`, which
//! builds snapshots without a request. One watch for each kind serves the whole selection (`subject`,
//! `object`); kube's watcher reconnects, resumes, and lists again if it is too late to resume. Metrics, which cannot
//! be watched, are polled (`metrics`, `reads`).

mod change;
mod changes;
mod connection;
mod failing;
#[expect(clippy::module_inception, reason = "the entry point")]
mod informers;
mod metrics;
mod object;
mod pause;
mod reads;
mod subject;

pub use change::InformerChange;
pub use informers::Informers;
pub use reads::Polled;
