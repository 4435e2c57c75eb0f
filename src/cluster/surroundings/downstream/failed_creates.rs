//! Why pods could not be created, where no condition of the owner says so.

use jiff::Timestamp;
use serde::Deserialize;

use crate::{
    cluster::{client::Client, events},
    recording::{
        Snapshot,
        wire::{FailedCreate, NotRead},
    },
};

/// An object that has fewer pods than it wants, and that says why only in events.
pub(super) struct Owner {
    namespace: String,
    kind: String,
    name: String,
}

/// The target, if it has fewer pods than it wants and is no Deployment: those ReplicaSets have a condition.
pub(super) fn owner_of_missing_pods(snapshot: &Snapshot) -> Option<Owner> {
    let scale = snapshot.scale.as_ref()?;
    let reference = &snapshot.hpa.spec.scale_target_ref;
    let is_short = scale.status.replicas < scale.spec.replicas;
    (is_short && reference.kind != "Deployment").then(|| Owner {
        namespace: snapshot.hpa.metadata.namespace.clone().unwrap_or_default(),
        kind: reference.kind.clone(),
        name: reference.name.clone(),
    })
}

/// Reads the events `FailedCreate` on the owner, newest first.
pub(super) async fn read(client: &Client, owner: &Owner) -> Result<Vec<FailedCreate>, NotRead> {
    let Owner {
        namespace,
        kind,
        name,
    } = owner;
    let fields =
        format!("involvedObject.kind={kind},involvedObject.name={name},reason=FailedCreate");
    let events: Vec<Event> =
        events::list(client, "events of the target", namespace, &fields).await?;
    let mut events: Vec<FailedCreate> = events
        .into_iter()
        .map(|event| FailedCreate {
            kind: kind.clone(),
            name: name.clone(),
            last: event.last_timestamp.or(event.event_time),
            message: event.message,
        })
        .collect();
    events.sort_by_key(|event| std::cmp::Reverse(event.last));
    Ok(events)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    #[serde(default)]
    message: String,
    last_timestamp: Option<Timestamp>,
    event_time: Option<Timestamp>,
}
