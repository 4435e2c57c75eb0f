//! Watching quotas: only once one has refused pods, and what the refusal is worth afterwards.

use hpa_analysis::{RefusalState, failed_creations};
use hpa_cluster::{InformerChange, Informers};
use hpa_engine::model::SnapshotField;
use hpa_objects::recording::Snapshot;
use serde_json::{Value, json};

use crate::{
    informers::{SETS, against, hpa, poll, replica_set, selection, server, snapshot, until},
    living::Living,
};

/// The quotas.
const QUOTAS: &str = "/api/v1/resourcequotas";

const REFUSAL: &str = "pods \"web-1-x\" is forbidden: exceeded quota: compute, requested: pods=1, \
                       used: pods=2, limited: pods=2";

fn quota(name: &str, hard: i32, used: i32) -> Value {
    json!({
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {"hard": {"pods": hard.to_string()}},
        "status": {"hard": {"pods": hard.to_string()}, "used": {"pods": used.to_string()}},
    })
}

fn refused() -> Value {
    let mut refused = replica_set("web-1", 2);
    refused["status"]["conditions"] =
        json!([{"type": "ReplicaFailure", "status": "True", "message": REFUSAL}]);
    refused
}

fn server_with_quotas() -> Living {
    let server = server();
    server.collection(QUOTAS);
    server.put(QUOTAS, quota("compute", 2, 2));
    server.put(QUOTAS, quota("other", 9, 2));
    server
}

fn refusal_state(snapshot: &Snapshot) -> Vec<RefusalState> {
    let (observation, context) = (snapshot.observation().unwrap(), snapshot.context());
    let failed = failed_creations(&observation, &context);
    failed.iter().map(|failed| failed.state).collect()
}

#[test]
fn refusal_of_a_quota_holds_until_the_quota_has_room() {
    let server = server_with_quotas();
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["web"])).await.unwrap();
        poll(&mut informers).await;
        assert_eq!(snapshot(&informers).surroundings, None);
        assert_eq!(server.count(&["resourcequotas"]), 0);

        server.put(SETS, refused());
        until(&mut informers, "the refusal", |informers, _| {
            refusal_state(&snapshot(informers)) == [RefusalState::Holds]
        })
        .await;
        // Another quota says nothing.
        server.put(QUOTAS, quota("other", 9, 0));
        server.put(QUOTAS, quota("compute", 5, 2));
        let around = InformerChange::Around(hpa("web"));
        until(&mut informers, "more room", |informers, reported| {
            reported.contains(&around)
                && refusal_state(&snapshot(informers)) == [RefusalState::Over]
        })
        .await;
        server.put(QUOTAS, quota("compute", 2, 2));
        until(&mut informers, "less room", |informers, reported| {
            reported.contains(&around)
                && refusal_state(&snapshot(informers)) == [RefusalState::Holds]
        })
        .await;
        server.delete(QUOTAS, "compute");
        until(&mut informers, "no quota", |informers, reported| {
            reported.contains(&around)
                && refusal_state(&snapshot(informers)) == [RefusalState::Over]
        })
        .await;
        server.put(SETS, replica_set("web-1", 2));
        until(&mut informers, "all pods", |informers, _| {
            snapshot(informers).surroundings.is_none()
        })
        .await;
    });
}

#[test]
fn refusal_is_neither_now_nor_over_where_quotas_may_not_be_read() {
    let server = server_with_quotas();
    server.deny("list", "/api/v1/namespaces/shop/resourcequotas");
    server.put(SETS, refused());
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["web"])).await.unwrap();
        let is_known = |informers: &Informers<'_>| {
            let snapshot = snapshot(informers);
            let mut not_read = snapshot.not_read.iter();
            not_read.any(|one| one.what == SnapshotField::ResourceQuotas && one.is_forbidden)
        };
        until(&mut informers, "the answer", |informers, _| {
            is_known(informers)
        })
        .await;
        assert_eq!(
            refusal_state(&snapshot(&informers)),
            [RefusalState::Unknown]
        );
    });
}
