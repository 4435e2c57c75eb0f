//! Why pods could not be created, if no condition of the owner says so.

use hpa_engine::model::{KnownKind, KubeEvent};
use hpa_objects::recording::{
    InvolvedObject, Snapshot,
    wire::{FailedCreate, NotRead},
};
use jiff::Timestamp;
use serde::Deserialize;

use crate::{client::Client, events};

/// The target, if it has fewer pods than it wants and gives the reason only in Events: the ReplicaSets of a Deployment
/// have a condition.
pub(super) fn owner_of_missing_pods(snapshot: &Snapshot) -> Option<InvolvedObject> {
    let scale = snapshot.scale.as_ref()?;
    let reference = &snapshot.hpa.spec.scale_target_ref;
    let is_short = scale.status.replicas < scale.spec.replicas;
    (is_short && !KnownKind::of(&reference.kind).is_deployment()).then(|| InvolvedObject {
        namespace: snapshot.hpa.metadata.namespace.clone().unwrap_or_default(),
        kind: reference.kind.clone(),
        name: reference.name.clone(),
    })
}

/// Reads the Events `FailedCreate` on the owner, newest first.
pub(super) async fn read(
    client: &Client,
    owner: &InvolvedObject,
) -> Result<Vec<FailedCreate>, NotRead> {
    let InvolvedObject {
        namespace,
        kind,
        name,
    } = owner;
    let fields =
        format!("involvedObject.kind={kind},involvedObject.name={name},reason=FailedCreate");
    let events: Vec<FailedCreateEvent> =
        events::list(client, "events of the target", namespace, &fields).await?;
    Ok(newest_first(events.iter(), owner))
}

/// Reads the Events `FailedCreate` of a namespace, or of all, once for all snapshots whose target has fewer pods than
/// it wants.
pub(super) async fn read_all(
    client: &Client,
    namespace: &str,
    snapshots: &[Snapshot],
) -> Vec<Option<Result<Vec<FailedCreate>, NotRead>>> {
    let owners: Vec<Option<InvolvedObject>> = snapshots.iter().map(owner_of_missing_pods).collect();
    if owners.iter().all(Option::is_none) {
        return Vec::new();
    }
    let fields = "reason=FailedCreate";
    let events: Result<Vec<FailedCreateEvent>, NotRead> =
        events::list(client, "events of the targets", namespace, fields).await;
    owners
        .iter()
        .map(|owner| {
            let owner = owner.as_ref()?;
            let is_about = |event: &&FailedCreateEvent| event.involved_object == *owner;
            Some(match &events {
                Ok(events) => Ok(newest_first(events.iter().filter(is_about), owner)),
                Err(reason) => Err(reason.clone()),
            })
        })
        .collect()
}

fn newest_first<'a>(
    events: impl Iterator<Item = &'a FailedCreateEvent>,
    owner: &InvolvedObject,
) -> Vec<FailedCreate> {
    let mut events: Vec<FailedCreate> = events
        .map(|event| FailedCreate {
            kind: owner.kind.clone(),
            name: owner.name.clone(),
            last: event.last_timestamp.or(event.event_time),
            message: KubeEvent::combined(&event.message)
                .unwrap_or(&event.message)
                .to_owned(),
        })
        .collect();
    events.sort_by_key(|event| std::cmp::Reverse(event.last));
    events
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FailedCreateEvent {
    #[serde(default)]
    message: String,
    last_timestamp: Option<Timestamp>,
    event_time: Option<Timestamp>,
    #[serde(default)]
    involved_object: InvolvedObject,
}
