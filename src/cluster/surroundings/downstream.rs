//! What becomes of the replicas: quotas, disruption budgets, nodes.

use crate::{
    cluster::client::Client,
    recording::{Snapshot, wire::Downstream},
};

/// What limits the pods of a namespace, or of all.
pub(super) struct Downstreams {}

/// Reads what limits the pods of `namespace`.
pub(super) async fn read(_client: &Client, _namespace: &str) -> Downstreams {
    Downstreams {}
}

impl Downstreams {
    /// What limits the pods of the snapshot's target.
    pub(super) fn around(&self, _snapshot: &Snapshot) -> Downstream {
        Downstream::default()
    }
}
