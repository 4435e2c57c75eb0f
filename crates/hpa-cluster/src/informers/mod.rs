//! Everything about the selected HPAs, kept current by watches.
//!
//! `informers` holds the watches and the requests beside them; what they tell goes into `world`, which knows everything and makes
//! snapshots of it without a request. One watch for each kind serves the whole selection (`subject`, `object`); kube's watcher
//! reconnects, resumes and lists again where that is too late. Metrics, which can't be watched, are polled (`metrics`, `reads`).

mod change;
mod changes;
mod connection;
mod failing;
mod hpas;
#[expect(clippy::module_inception, reason = "the entry point")]
mod informers;
mod metrics;
mod object;
mod pause;
mod pods;
mod reads;
mod subject;
mod targets;
mod world;

pub use change::InformerChange;
pub use informers::Informers;
pub use reads::Polled;
