//! How long image pulls of young pods took, from the kubelet's Events `Pulled`.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use futures::future;
use hpa_engine::model::go_duration;
use hpa_objects::recording::{
    InvolvedObject, Snapshot,
    wire::{Hpa, ImagePull},
};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use crate::{client::Client, events};

/// The pull times of young pods, for the snapshots at these indexes.
pub(super) struct ImagePulls(Vec<(Vec<usize>, BTreeMap<String, SignedDuration>)>);

/// Pull time by pod, for each namespace.
pub(crate) type Pulls = BTreeMap<String, BTreeMap<String, SignedDuration>>;

/// Reads the pulls in the namespaces of HPAs that scaled or were created recently. Most of them have young pods; these
/// are read at the same time, so that no request waits for another.
pub(crate) async fn early_pulls(client: &Client, hpas: &[Arc<Hpa>]) -> Pulls {
    let now = client.now();
    let is_young =
        |time: Option<Timestamp>| time.is_some_and(|time| now.duration_since(time) < YOUNG);
    let namespaces: BTreeSet<&str> = hpas
        .iter()
        .filter(|hpa| {
            is_young(hpa.status.last_scale_time) || is_young(hpa.metadata.creation_timestamp)
        })
        .filter_map(|hpa| hpa.metadata.namespace.as_deref())
        .collect();
    let reads = namespaces.into_iter().map(|namespace| async move {
        let pulls = pulls_of(client, namespace).await;
        (namespace.to_owned(), pulls)
    });
    future::join_all(reads).await.into_iter().collect()
}

/// Reads the pull times of young pods that are not known yet: one list for each namespace. A page is complete without
/// them, so a failed read is not reported.
pub(super) async fn read(client: &Client, snapshots: &[Snapshot], mut known: Pulls) -> ImagePulls {
    let mut by_namespace: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, snapshot) in snapshots.iter().enumerate() {
        if let Some(namespace) = &snapshot.hpa.metadata.namespace
            && has_young_pods(snapshot)
        {
            by_namespace
                .entry(namespace.clone())
                .or_default()
                .push(index);
        }
    }
    let reads = by_namespace.into_iter().map(|(namespace, indices)| {
        let known = known.remove(&namespace);
        async move {
            let pulls = match known {
                Some(pulls) => pulls,
                None => pulls_of(client, &namespace).await,
            };
            (indices, pulls)
        }
    });
    ImagePulls(future::join_all(reads).await)
}

impl ImagePulls {
    /// Adds them to the snapshots that they were read for.
    pub(super) fn share(self, snapshots: &mut [Snapshot]) {
        for (indices, pulls) in self.0 {
            for index in indices {
                if let Some(snapshot) = snapshots.get_mut(index) {
                    share(&pulls, snapshot);
                }
            }
        }
    }
}

/// Whether a pod is young enough that its Events certainly still exist, and that its startup time matters.
fn has_young_pods(snapshot: &Snapshot) -> bool {
    snapshot.pods.iter().any(|pod| {
        pod.metadata
            .creation_timestamp
            .is_some_and(|created| snapshot.time().duration_since(created) < YOUNG)
    })
}

/// Pull time by pod.
async fn pulls_of(client: &Client, namespace: &str) -> BTreeMap<String, SignedDuration> {
    let fields = "involvedObject.kind=Pod,reason=Pulled";
    let events: Vec<PullEvent> = events::list(client, "events of the pods", namespace, fields)
        .await
        .unwrap_or_default();
    let mut pulls: BTreeMap<String, SignedDuration> = BTreeMap::new();
    for event in events {
        if let Some(took) = duration_in(&event.message) {
            let total = pulls.entry(event.involved_object.name).or_default();
            *total = total.saturating_add(took);
        }
    }
    pulls
}

fn share(pulls: &BTreeMap<String, SignedDuration>, snapshot: &mut Snapshot) {
    let found: Vec<ImagePull> = snapshot
        .pods
        .iter()
        .filter_map(|pod| {
            let took = pulls.get(&pod.metadata.name)?;
            Some(ImagePull {
                pod: pod.metadata.name.clone(),
                seconds: took.as_secs_f64(),
            })
        })
        .collect();
    snapshot
        .surroundings
        .get_or_insert_default()
        .image_pulls
        .extend(found);
}

/// The time in `Successfully pulled image "…" in 1.5s (2.3s including waiting). …`: the longer one, with waiting. Zero
/// for an image that was already present.
fn duration_in(message: &str) -> Option<SignedDuration> {
    if message.ends_with("already present on machine") {
        return Some(SignedDuration::ZERO);
    }
    let words: Vec<&str> = message.split(' ').collect();
    let after_in = words
        .iter()
        .position(|word| *word == "in")
        .and_then(|position| words.get(position + 1));
    let with_waiting = words
        .iter()
        .position(|word| *word == "including")
        .and_then(|position| words.get(position.checked_sub(1)?));
    let text = with_waiting.or(after_in)?;
    go_duration::parse(text.trim_matches(['(', ')', '.'])).ok()
}

/// Events last for one hour by default.
const YOUNG: SignedDuration = SignedDuration::from_mins(30);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PullEvent {
    #[serde(default)]
    message: String,
    involved_object: InvolvedObject,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_of_a_pull_is_read_with_its_waiting() {
        let seconds = |message| duration_in(message).map(|took| took.as_secs_f64());
        assert_eq!(
            seconds(
                "Successfully pulled image \"web:1\" in 1.5s (1m2.25s including waiting). Image size: 7 bytes."
            ),
            Some(62.25)
        );
        assert_eq!(
            seconds("Successfully pulled image \"web:1\" in 850ms"),
            Some(0.85)
        );
        assert_eq!(
            seconds("Container image \"web:1\" already present on machine"),
            Some(0.0)
        );
        assert_eq!(seconds("Pulled in no time at all"), None);
    }
}
