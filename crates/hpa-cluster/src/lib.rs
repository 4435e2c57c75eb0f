//! The only code that talks to Kubernetes. It only reads. It serves the program `kubectl hpa`, and changes without
//! notice.
//!
//! `connection` builds a client from kubectl's flags and kubeconfig files, `client` sends single requests, and
//! `gather` combines all reads about an HPA into one `recording::Snapshot`.

mod access;
mod address;
mod api_error;
mod bounded;
mod changed_spec;
mod child_process;
mod chosen;
mod client;
mod clock;
mod connection;
mod context;
mod control_plane;
mod controller_command;
mod controller_manager;
mod discovery;
mod error;
mod events;
mod foreign;
mod gather;
mod hpa_resource;
mod informers;
mod list;
mod list_answer;
mod listed_value;
mod metric_requests;
mod metrics;
mod named;
mod names;
mod other_hpas;
mod path;
mod pods;
mod protobuf;
mod replica_sets;
mod selection;
pub mod shell;
mod state;
mod target;
mod vanished;
mod version;
mod watch;
mod written_hpa;

use std::time::Duration;

pub use access::Permission;
pub use address::redacted;
pub use changed_spec::read_missing;
pub use child_process::{ChildProcess, ProcessGroup, all_of, last_of};
pub use chosen::ChosenHpas;
pub use client::Client;
pub use connection::{
    ConnectionArgs, Elsewhere, KubeconfigNames, connect, connect_elsewhere, context_names,
    kubeconfig_names, without_secrets,
};
pub use error::ClusterError;
pub use foreign::{Fetch, FetchError, Fetched, NotListed, Service, ServicePort};
pub use gather::{GatherScope, ListedObject, SnapshotDetail, gather, gather_bulk};
pub use informers::{InformerChange, Informers, Polled};
pub use named::{is_kind, is_kind_alone, is_match, is_pattern, is_selected, namespace_of, no_hpa};
pub use names::NamedHpa;
pub use selection::{Selection, hpas, hpas_elsewhere};
pub use version::ServerVersion;
pub use watch::Watch;

/// How long to wait for data that a page can do without.
const OPTIONAL_PATIENCE: Duration = Duration::from_secs(5);

/// How many requests of a kind wait for their answers at the same time.
const PARALLEL: usize = 8;
