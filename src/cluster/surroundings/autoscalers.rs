//! Other autoscalers: objects of kinds that a cluster may have or not.

use std::collections::BTreeSet;

use crate::{
    cluster::client::{Client, ReadError},
    recording::{Snapshot, wire::Autoscaler},
};

/// The other autoscalers of a namespace, or of all.
pub(super) struct Autoscalers {}

/// Reads the other autoscalers of `namespace`, of the API groups that the server has.
pub(super) async fn read(
    _client: &Client,
    _namespace: &str,
    _groups: &Result<BTreeSet<String>, ReadError>,
) -> Autoscalers {
    Autoscalers {}
}

impl Autoscalers {
    /// Those that have to do with the HPA of the snapshot.
    pub(super) fn around(&self, _snapshot: &Snapshot) -> Vec<Autoscaler> {
        Vec::new()
    }
}
