//! What is known of a cluster: its HPAs and everything that decides about them, and snapshots of it. No requests here.
//!
//! Watches keep it current (`informers`), or lists fill it once (`gather/bulk`).

mod cluster_state;
mod hpas;
mod known;
mod metrics;
mod neighbors;
mod pods;
mod sets;
mod shared_metrics;
mod targets;
mod unread;
mod update;

pub(crate) use cluster_state::ClusterState;
pub(crate) use hpas::{Hpas, key_of};
pub(crate) use known::note_skew;
pub(crate) use metrics::{Metrics, SelectorUsages};
pub(crate) use pods::{Name, Pods};
pub(crate) use shared_metrics::{MetricKey, Recipient, SharedMetrics, requested_metric};
pub(crate) use targets::{KindState, Turn, group_kind};
pub(crate) use unread::{EVENTS, GroupKind, PODS, QUOTAS, not_yet};
pub(crate) use update::Effect;
