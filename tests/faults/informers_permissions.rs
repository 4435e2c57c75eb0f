//! Watching with restricted permissions, and with credentials that expire.

use std::fs;

use hpa_cluster::{InformerChange, Informers};
use hpa_engine::model::SnapshotField;
use serde_json::json;
use tempfile::TempDir;

use crate::{
    informers::{
        DEPLOYMENTS, HPAS, PODS, against, connected, hpa, pods, poll, runtime, selection, server,
        snapshot, until, watch_of,
    },
    world,
};

const OF_SHOP: &str = "/api/v1/namespaces/shop/pods";
const HPAS_OF_SHOP: &str = "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers";
const DEPLOYMENTS_OF_SHOP: &str = "/apis/apps/v1/namespaces/shop/deployments";

#[test]
fn what_may_not_be_listed_is_named_in_every_snapshot_and_reported_once() {
    let server = server();
    server.deny("list", OF_SHOP);
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["web"])).await.unwrap();
        poll(&mut informers).await;
        let snapshot = || informers.snapshot(&hpa("web")).unwrap();
        let [not_read] = &snapshot().not_read[..] else {
            panic!("only pods are not read: {:?}", snapshot().not_read);
        };
        assert_eq!(not_read.what, SnapshotField::Pods);
        assert_eq!(
            not_read.remedy.as_deref(),
            Some(
                r#"needs permission to list pods in the core API group, namespace shop: {apiGroups: [""], resources: ["pods"], verbs: ["list"]}"#
            )
        );
        assert_eq!(snapshot().scale.unwrap().spec.replicas, 2);

        // Everything else continues, and a permission granted later takes effect by itself.
        server.edit(HPAS, "web", |hpa| {
            hpa["spec"]["maxReplicas"] = json!(11);
        });
        let reported = until(&mut informers, "the HPA", |_, reported| {
            reported.contains(&InformerChange::Hpa(hpa("web")))
        })
        .await;
        let fails = |change: &&InformerChange| matches!(change, InformerChange::Failing { source, .. } if *source == watch_of("pods"));
        assert_eq!(reported.iter().filter(fails).count(), 1, "{reported:?}");
        server.allow("list", OF_SHOP);
        let recovered = InformerChange::Recovered {
            source: watch_of("pods"),
        };
        let reported = until(&mut informers, "the pods", |informers, reported| {
            pods(informers).len() == 2 && reported.contains(&recovered)
        })
        .await;
        assert_eq!(reported.iter().filter(fails).count(), 0, "{reported:?}");
        assert_eq!(informers.snapshot(&hpa("web")).unwrap().not_read, []);
    });
}

#[test]
fn what_may_be_listed_but_not_watched_is_listed_again_and_again() {
    let server = server();
    server.deny("watch", OF_SHOP);
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["web"])).await.unwrap();
        poll(&mut informers).await;
        assert_eq!(snapshot(&informers).not_read, []);
        assert_eq!(pods(&informers), ["web-a", "web-b"]);
        server.put(PODS, world::pod("web-c"));
        server.delete(PODS, "web-a");
        let reported = until(&mut informers, "the next list", |informers, _| {
            pods(informers) == ["web-b", "web-c"]
        })
        .await;
        let Some(InformerChange::Failing { why, .. }) = reported
            .iter()
            .find(|change| matches!(change, InformerChange::Failing { .. }))
        else {
            panic!("{reported:?}");
        };
        assert_eq!(
            why,
            "watch of /api/v1/namespaces/shop/pods is forbidden: User \"eve\" cannot do that; \
             needs permission to watch pods in the core API group, namespace shop: \
             {apiGroups: [\"\"], resources: [\"pods\"], verbs: [\"watch\"]}; until then listed every 12 s"
        );
    });
}

#[test]
fn targets_that_may_only_be_read_by_name_are_read_with_each_poll() {
    let server = server();
    server.deny("list", DEPLOYMENTS_OF_SHOP);
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["web"])).await.unwrap();
        assert_eq!(snapshot(&informers).scale.unwrap().spec.replicas, 2);
        server.edit(DEPLOYMENTS, "web", |web| {
            web["spec"]["replicas"] = json!(4);
        });
        poll(&mut informers).await;
        let snapshot = snapshot(&informers);
        assert_eq!(snapshot.scale.unwrap().spec.replicas, 4);
        assert_eq!(snapshot.target.unwrap().kind, "Deployment");
        assert_eq!(snapshot.not_read, []);
    });
}

#[test]
fn named_hpa_is_watched_or_read_alone_where_hpas_may_not_be_listed() {
    let server = server();
    // As RBAC does with resourceNames: only a list of this one object is allowed.
    server.deny_unless("list", HPAS_OF_SHOP, "metadata.name%3Dweb");
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["web"])).await.unwrap();
        assert_eq!(informers.hpas(), [hpa("web")]);
        server.edit(HPAS, "web", |hpa| {
            hpa["spec"]["maxReplicas"] = json!(11);
        });
        until(&mut informers, "its change", |informers, _| {
            snapshot(informers).hpa.spec.max_replicas == 11
        })
        .await;
        let not_read = snapshot(&informers).not_read;
        assert!(
            not_read
                .iter()
                .any(|reason| reason.what == SnapshotField::OtherHpas),
            "{not_read:?}"
        );
    });
    server.deny("list", HPAS_OF_SHOP);
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["web"])).await.unwrap();
        server.edit(HPAS, "web", |hpa| {
            hpa["spec"]["maxReplicas"] = json!(12);
        });
        poll(&mut informers).await;
        assert_eq!(snapshot(&informers).hpa.spec.max_replicas, 12);
        let reported = until(&mut informers, "its change", |_, reported| {
            reported.contains(&InformerChange::Hpa(hpa("web")))
        })
        .await;
        assert!(
            reported.iter().any(|change| matches!(change, InformerChange::Failing { source, .. } if *source == watch_of("horizontalpodautoscalers"))),
            "{reported:?}"
        );
    });
}

#[test]
fn expired_token_is_replaced_by_the_new_one_of_its_file_or_plugin() {
    let server = server();
    runtime().block_on(async {
        let home = TempDir::new().unwrap();
        let (token, plugin) = (home.path().join("token"), home.path().join("plugin.sh"));
        let script = format!(
            "printf '{{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"kind\": \"ExecCredential\", \
             \"status\": {{\"token\": \"%s\", \"expirationTimestamp\": \"2100-01-01T00:00:00Z\"}}}}' \"$(cat {})\"",
            token.display()
        );
        fs::write(&plugin, script).unwrap();
        for user in [
            json!({"tokenFile": token}),
            json!({"exec": {
                "apiVersion": "client.authentication.k8s.io/v1", "interactiveMode": "Never",
                "command": "sh", "args": [plugin],
            }}),
        ] {
            // Files end with a line feed.
            fs::write(&token, "first\n").unwrap();
            server.want_token("first");
            let first = connected(&server, &user).await;
            let mut informers = Informers::start(&first.client, selection(&["web"]))
                .await
                .unwrap();
            // The server rejects it long before it would expire.
            fs::write(&token, "second\n").unwrap();
            server.want_token("second");
            server.end_watches();
            let before = pods(&informers).len();
            server.put(PODS, world::pod(&format!("web-{before}")));
            until(&mut informers, "the pod", |informers, _| {
                before < pods(informers).len()
            })
            .await;
            assert_eq!(poll(&mut informers).await, [], "{user}");
            // A read that is rejected with the old one is sent again with the new one.
            let second = connected(&server, &user).await;
            fs::write(&token, "third\n").unwrap();
            server.want_token("third");
            let version = second.client.server_version().await;
            assert!(version.is_ok(), "{user}: {version:?}");
        }
    });
}
