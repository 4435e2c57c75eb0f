//! Which pods belong to a scale target: it owns them, or a ReplicaSet of it does.

use hpa_history::{Certainty, Series, needs_replica_set_owners};
use serde_json::json;

use super::{Scrape, SeriesSet, each_sync, labeled, pods, queue, scrape, series, today};

const REPLICA_SET: &str = "web-5c9f8d7b6c";

fn scrapes() -> Vec<Scrape> {
    let scrapes = (0..4).map(|sync| scrape(f64::from(sync) * 15.0, 4, 4, 10.0));
    scrapes.collect()
}

/// The series of an HPA whose 4 pods have an owner of this kind and name.
fn of_pods(kind: &str, name: &str) -> Vec<Series> {
    let scrapes = scrapes();
    let mut all = series(&scrapes, ("queue", "average"));
    let names = ["a", "b", "c", "d"].map(|pod| (pod, -600, 0));
    for mut one in pods(&scrapes, &names) {
        if let Some(owner) = one.labels.get_mut("owner_kind") {
            kind.clone_into(owner);
        }
        if let Some(owner) = one.labels.get_mut("owner_name") {
            name.clone_into(owner);
        }
        all.push(one);
    }
    all
}

/// The owner of the ReplicaSet.
fn owner(kind: &str, name: &str) -> Series {
    let labels = [
        ("replicaset", REPLICA_SET),
        ("owner_kind", kind),
        ("owner_name", name),
    ];
    let times = scrapes().into_iter().map(|one| (one.millis(), 1.0));
    labeled("kube_replicaset_owner", &labels, times)
}

/// How many pods the last sync of an HPA on `web` of this kind counted. None: the pods are unknown.
fn counted(kind: &str, series: Vec<Series>) -> Option<usize> {
    let mut today = today(Some(json!({"metrics": [queue()]})));
    kind.clone_into(&mut today.hpa.spec.scale_target.kind);
    let syncs = each_sync(series, &today, &[], |sync| {
        let is_certain = sync.recomputed.unwrap().certainty == Certainty::Certain;
        let pods = sync.details.unwrap().observation.pods.read().unwrap();
        is_certain.then_some(pods.len())
    });
    *syncs.last().unwrap()
}

#[test]
fn pods_of_a_custom_kind_belong_to_it_directly_or_through_its_replica_sets() {
    let through = |owner: Series| [of_pods("ReplicaSet", REPLICA_SET), vec![owner]].concat();
    for kind in ["Rollout", "CloneSet"] {
        assert_eq!(
            counted(kind, through(owner(kind, "web"))),
            Some(4),
            "{kind}"
        );
        assert_eq!(counted(kind, of_pods(kind, "web")), Some(4), "{kind}");
        // A Deployment with the name of the Rollout has other pods.
        assert_eq!(
            counted(kind, through(owner("Deployment", "web"))),
            None,
            "{kind}"
        );
        assert_eq!(
            counted(kind, of_pods("ReplicaSet", REPLICA_SET)),
            None,
            "{kind}"
        );
    }
}

#[test]
fn owners_of_replica_sets_are_needed_only_where_pods_belong_to_replica_sets() {
    let are_needed = |kind: &str, series| needs_replica_set_owners(&SeriesSet::new(series), kind);
    let through = || of_pods("ReplicaSet", REPLICA_SET);
    assert!(are_needed("Deployment", Vec::new()));
    assert!(are_needed("Rollout", through()));
    assert!(!are_needed("CloneSet", of_pods("CloneSet", "web")));
    for kind in ["ReplicaSet", "ReplicationController", "StatefulSet"] {
        assert!(!are_needed(kind, through()), "{kind}");
    }
}
