//! Reads that fail, or whose answers come late: neither makes an object missing, and none replaces what is newer.

use std::pin::pin;

use futures::future;
use hpa_cluster::{Client, InformerChange, Informers, gather_bulk};
use hpa_engine::model::SnapshotField;
use hpa_objects::recording::Snapshot;
use serde_json::{Value, json};

use crate::{
    informers::{
        DEPLOYMENTS, HPAS, PODS, against, eventually, hpa, pods, poll, selection, server, snapshot,
        until,
    },
    informers_equal::{self, WIDGETS, hpa_of_widget, know_widgets, of_pods, widget},
    living::Living,
    world::{self, forbidden, status},
};

const OTHER: &str = "/apis/apps/v1/namespaces/shop/deployments/other";
const SCALE: &str = "/apis/apps/v1/namespaces/shop/deployments/other/scale";
const SETS_OF_SHOP: &str = "/apis/apps/v1/namespaces/shop/replicasets";
const WEB: &str = "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers/web";
const HPAS_OF_SHOP: &str = "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers";
const WIDGETS_OF_SHOP: &str = "/apis/example.com/v1/namespaces/shop/widgets";

/// A server with the Deployment `other`, which no HPA scales: its watch has nothing to keep.
fn server_with_other() -> Living {
    let server = server();
    let mut other = world::deployment();
    other["metadata"]["name"] = json!("other");
    server.put(DEPLOYMENTS, other);
    server
}

/// An HPA of it.
fn late() -> Value {
    let mut late = world::hpa("late");
    late["spec"]["scaleTargetRef"]["name"] = json!("other");
    late
}

fn of_late(informers: &Informers<'_>) -> Snapshot {
    informers.snapshot(&hpa("late")).unwrap()
}

fn replicas(snapshot: &Snapshot) -> Option<i32> {
    Some(snapshot.scale.as_ref()?.spec.replicas)
}

/// Waits until everything that was answered so far has been applied.
async fn applied(informers: &mut Informers<'_>, server: &Living) {
    // Answers and events that wait are applied in any order.
    for round in 0..8 {
        let before = pods(informers).len();
        server.put(PODS, world::pod(&format!("{before}-{round}")));
        until(informers, "a pod", |informers, _| {
            before < pods(informers).len()
        })
        .await;
    }
}

/// Starts, and adds an HPA whose target is then being read; only its scale is not answered yet.
async fn reading<'a>(client: &'a Client, server: &Living) -> Informers<'a> {
    let mut informers = Informers::start(client, selection(&[])).await.unwrap();
    server.hold(SCALE);
    server.put(HPAS, late());
    eventually(&mut informers, |_| server.is_held(SCALE)).await;
    assert!(informers.is_awaited(&hpa("late")));
    informers
}

#[test]
fn target_whose_read_fails_is_not_called_missing_and_is_read_again() {
    let internal = status(500, "InternalError", "etcd has no leader");
    let timeout = status(504, "Timeout", "the server was unable to respond in time");
    for (failure, code) in [
        // The controller gets these as well.
        (internal, Some(500)),
        (timeout, Some(504)),
        (forbidden("deployments"), None),
        (json!("not a scale"), None),
    ] {
        let server = server_with_other();
        let is_refused = failure.is_object();
        server.answer(SCALE, failure.clone());
        if is_refused {
            server.answer(OTHER, failure);
        }
        against(&server, async |client| {
            let mut informers = Informers::start(client, selection(&[])).await.unwrap();
            server.put(HPAS, late());
            until(&mut informers, "the failure", |informers, _| {
                informers.snapshot(&hpa("late")).is_some() && !informers.is_awaited(&hpa("late"))
            })
            .await;
            let failed = of_late(&informers);
            let error = failed.scale_error.as_ref();
            assert_eq!(error.map(|error| error.code), code, "{failed:?}");
            let not_read = |what| failed.not_read.iter().any(|one| one.what == what);
            assert_eq!(not_read(SnapshotField::Target), is_refused, "{failed:?}");
            assert_eq!(not_read(SnapshotField::Scale), code.is_none(), "{failed:?}");

            for path in [OTHER, SCALE] {
                server.forget_answer(path);
            }
            poll(&mut informers).await;
            let read = of_late(&informers);
            assert_eq!(replicas(&read), Some(2), "{read:?}");
            assert_eq!(read.target.unwrap().kind, "Deployment");

            // The watch says more than a read that failed.
            server.delete(DEPLOYMENTS, "other");
            until(&mut informers, "its end", |informers, _| {
                let error = of_late(informers).scale_error;
                error.is_some_and(|error| error.code == 404)
            })
            .await;
        });
    }
}

#[test]
fn answer_from_before_a_change_does_not_undo_it() {
    let server = server_with_other();
    against(&server, async |client| {
        let mut informers = reading(client, &server).await;
        server.edit(DEPLOYMENTS, "other", |other| {
            other["spec"]["replicas"] = json!(7);
        });
        until(&mut informers, "the change", |informers, _| {
            replicas(&of_late(informers)) == Some(7)
        })
        .await;
        server.release(SCALE);
        applied(&mut informers, &server).await;
        assert_eq!(replicas(&of_late(&informers)), Some(7));
    });
}

#[test]
fn answer_from_before_its_end_does_not_bring_a_target_back() {
    let server = server_with_other();
    against(&server, async |client| {
        let mut informers = reading(client, &server).await;
        server.delete(DEPLOYMENTS, "other");
        applied(&mut informers, &server).await;
        server.release(SCALE);
        applied(&mut informers, &server).await;
        let late = of_late(&informers);
        assert_eq!(late.scale_error.map(|error| error.code), Some(404));
        assert_eq!(late.target, None);
    });
}

#[test]
fn answer_for_an_hpa_that_is_gone_is_not_kept_for_the_next_one() {
    let server = server_with_other();
    against(&server, async |client| {
        let mut informers = reading(client, &server).await;
        server.delete(HPAS, "late");
        until(&mut informers, "its end", |_, reported| {
            reported.contains(&InformerChange::Deleted(hpa("late")))
        })
        .await;
        server.release(SCALE);
        applied(&mut informers, &server).await;
        server.edit(DEPLOYMENTS, "other", |other| {
            other["spec"]["replicas"] = json!(7);
        });
        applied(&mut informers, &server).await;
        server.put(HPAS, late());
        until(&mut informers, "its target", |informers, _| {
            let late = informers.snapshot(&hpa("late"));
            late.is_some_and(|late| replicas(&late).is_some())
        })
        .await;
        assert_eq!(replicas(&of_late(&informers)), Some(7));
    });
}

/// Begins a poll, and changes everything before its read of `path` is answered.
async fn polled_late(
    informers: &mut Informers<'_>,
    server: &Living,
    path: &str,
    change: impl AsyncFnOnce(&mut Informers<'_>),
) {
    server.hold(path);
    let mut polled = pin!(informers.poll("shop"));
    let held = pin!(async {
        while !server.is_held(path) {
            tokio::task::yield_now().await;
        }
    });
    assert!(matches!(
        future::select(polled.as_mut(), held).await,
        future::Either::Right(_)
    ));
    change(informers).await;
    server.release(path);
    informers.take(polled.await);
}

#[test]
fn poll_from_before_a_change_does_not_undo_what_its_watch_reported() {
    let server = server();
    server.deny("list", HPAS_OF_SHOP);
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["web"])).await.unwrap();
        polled_late(&mut informers, &server, WEB, async |informers| {
            server.edit(HPAS, "web", |hpa| {
                hpa["spec"]["maxReplicas"] = json!(12);
            });
            server.allow("list", HPAS_OF_SHOP);
            until(informers, "the change", |informers, _| {
                snapshot(informers).hpa.spec.max_replicas == 12
            })
            .await;
        })
        .await;
        assert_eq!(snapshot(&informers).hpa.spec.max_replicas, 12);
    });
}

#[test]
fn poll_from_before_a_change_does_not_undo_a_later_read() {
    let server = server();
    know_widgets(&server);
    server.put(WIDGETS, widget("w"));
    server.put(HPAS, hpa_of_widget("web", "w"));
    let scale = format!("{WIDGETS_OF_SHOP}/w/scale");
    server.deny("get", &scale);
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["web"])).await.unwrap();
        assert_eq!(replicas(&snapshot(&informers)), None);
        server.allow("get", &scale);
        polled_late(&mut informers, &server, &scale, async |informers| {
            let mut more = widget("w");
            more["spec"]["replicas"] = json!(7);
            server.put(WIDGETS, more);
            until(informers, "the change", |informers, _| {
                replicas(&snapshot(informers)) == Some(7)
            })
            .await;
        })
        .await;
        assert_eq!(replicas(&snapshot(&informers)), Some(7));
    });
}

#[test]
fn many_targets_that_may_only_be_read_by_name_are_read_in_turns() {
    let server = server();
    know_widgets(&server);
    server.collection(WIDGETS);
    server.deny("list", WIDGETS_OF_SHOP);
    let names: Vec<String> = (0..25).map(|number| format!("w-{number}")).collect();
    for name in &names {
        server.put(WIDGETS, widget(name));
        server.put(HPAS, hpa_of_widget(name, name));
    }
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["w-*"])).await.unwrap();
        let mut requests = 0;
        for replicas in [3, 4] {
            for name in &names {
                let mut more = widget(name);
                more["spec"]["replicas"] = json!(replicas);
                server.put(WIDGETS, more);
            }
            for _ in 0..3 {
                let before = server.count(&["/widgets/", "/scale"]);
                poll(&mut informers).await;
                requests = server.count(&["/widgets/", "/scale"]) - before;
                assert!(requests <= 10, "{requests}");
            }
            for name in &names {
                let snapshot = informers.snapshot(&hpa(name)).unwrap();
                assert_eq!(self::replicas(&snapshot), Some(replicas), "{name}");
                assert_eq!(snapshot.not_read, []);
            }
        }
        assert_eq!(requests, 10);

        // What is selected comes first.
        let mut informers = Informers::start(client, selection(&["w-24"]))
            .await
            .unwrap();
        for replicas in [5, 6] {
            server.edit(WIDGETS, "w-24", |widget| {
                widget["spec"]["replicas"] = json!(replicas);
            });
            poll(&mut informers).await;
            let snapshot = informers.snapshot(&hpa("w-24")).unwrap();
            assert_eq!(self::replicas(&snapshot), Some(replicas));
        }
    });
}

#[test]
fn lists_say_for_each_hpa_that_replica_sets_could_not_be_read() {
    let message = "deployments and sets are unavailable";
    for (failure, is_forbidden) in [
        (forbidden("list of replicasets"), true),
        (status(500, "InternalError", message), false),
        (status(504, "Timeout", message), false),
    ] {
        let server = server();
        server.answer(SETS_OF_SHOP, failure);
        against(&server, async |client| {
            let snapshots = gather_bulk(client, selection(&[]), |_| false, &mut |_| {}).await;
            let snapshot = &snapshots.unwrap()[0];
            let mut not_read = snapshot.not_read.iter();
            let not_read = not_read.find(|one| one.what == SnapshotField::IntermediateOwners);
            let not_read = not_read.unwrap_or_else(|| panic!("{:?}", snapshot.not_read));
            assert_eq!(not_read.is_forbidden, is_forbidden);
            assert_eq!(
                not_read.remedy.as_deref(),
                is_forbidden.then_some(
                    r#"needs permission to list replicasets in API group apps, namespace shop: {apiGroups: ["apps"], resources: ["replicasets"], verbs: ["list"]}"#
                )
            );
            // The target itself is known.
            assert_eq!(replicas(snapshot), Some(2));
        });
    }
}

#[test]
fn request_for_a_metric_is_named_by_its_place_in_the_spec() {
    let server = server();
    informers_equal::metrics(&server);
    server.edit(HPAS, "web", |hpa| {
        let cpu = hpa["spec"]["metrics"][0].clone();
        hpa["spec"]["metrics"] = json!([cpu, of_pods()]);
    });
    against(&server, async |client| {
        let snapshots = gather_bulk(client, selection(&[]), |_| false, &mut |_| {}).await;
        let requests = &snapshots.unwrap()[0].requests;
        let names: Vec<&str> = requests.iter().map(|one| one.what.as_str()).collect();
        assert!(names.contains(&"custom metric 2"), "{names:?}");
    });
}
