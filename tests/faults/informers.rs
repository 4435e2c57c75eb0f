//! Watching a cluster: objects that come, change and go, and failures of the server or the connection.

use std::{fs, time::Duration};

use hpa_cluster::{Client, ConnectionArgs, InformerChange, Informers, Selection, connect};
use hpa_engine::model::{HpaKey, SnapshotField, Source};
use hpa_objects::recording::Snapshot;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    living::{Deleted, Living},
    plugin::kubeconfig,
    world::{self, POD_METRICS, usage},
};

/// The HPAs.
pub(crate) const HPAS: &str = "/apis/autoscaling/v2/horizontalpodautoscalers";
/// The pods.
pub(crate) const PODS: &str = "/api/v1/pods";
/// The Deployments.
pub(crate) const DEPLOYMENTS: &str = "/apis/apps/v1/deployments";
/// The ReplicaSets.
pub(crate) const SETS: &str = "/apis/apps/v1/replicasets";
/// The events.
pub(crate) const EVENTS: &str = "/api/v1/events";

/// A server with the small world.
pub(crate) fn server() -> Living {
    let server = Living::start();
    for collection in [HPAS, PODS, DEPLOYMENTS, SETS, EVENTS] {
        server.collection(collection);
    }
    server.answer(
        "/version",
        json!({"gitVersion": "v1.36.3", "platform": "linux/amd64"}),
    );
    server.answer("/apis", json!({"groups": []}));
    server.answer(
        POD_METRICS,
        world::list(vec![usage("web-a", "50m"), usage("web-b", "50m")]),
    );
    server.put(HPAS, world::hpa("web"));
    server.put(DEPLOYMENTS, world::deployment());
    server.put(SETS, replica_set("web-1", 2));
    for pod in ["web-a", "web-b"] {
        server.put(PODS, world::pod(pod));
    }
    server
}

/// A ReplicaSet of the Deployment.
pub(crate) fn replica_set(name: &str, replicas: i32) -> Value {
    json!({
        "metadata": {
            "name": name, "namespace": "shop", "labels": {"app": "web"},
            "annotations": {"deployment.kubernetes.io/revision": "1"},
            "ownerReferences": [{"kind": "Deployment", "name": "web", "controller": true}],
        },
        "status": {"replicas": replicas},
    })
}

/// An event on the HPA `web`.
pub(crate) fn event(name: &str, reason: &str, time: &str) -> Value {
    json!({
        "metadata": {"name": name, "namespace": "shop"},
        "involvedObject": {"kind": "HorizontalPodAutoscaler", "namespace": "shop", "name": "web"},
        "type": "Normal", "reason": reason, "message": "New size: 3", "count": 1, "lastTimestamp": time,
    })
}

/// A connection to a server, and the files that it needs.
pub(crate) struct Connected {
    pub(crate) client: Client,
    _home: TempDir,
}

/// Connects with a kubeconfig whose user is `user`.
pub(crate) async fn connected(server: &Living, user: &Value) -> Connected {
    let home = TempDir::new().unwrap();
    let path = home.path().join("config");
    let mut config: Value = serde_saphyr::from_str(&kubeconfig("test", &server.url())).unwrap();
    config["users"] = json!([{"name": "test", "user": user}]);
    config["contexts"][0]["context"]["user"] = json!("test");
    fs::write(&path, config.to_string()).unwrap();
    let args = ConnectionArgs {
        kubeconfig: Some(path),
        ..ConnectionArgs::default()
    };
    let client = connect(&args).await.unwrap();
    Connected {
        client,
        _home: home,
    }
}

/// Runs a test against a server, without credentials.
pub(crate) fn against<F: Future<Output = ()>>(
    server: &Living,
    test: impl FnOnce(&'static Client) -> F,
) {
    runtime().block_on(async {
        let connected = connected(server, &json!({})).await;
        // So that tests need not name its lifetime.
        let connected: &'static Connected = Box::leak(Box::new(connected));
        test(&connected.client).await;
    });
}

/// A runtime as the commands have one.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

/// The selection for `names`.
pub(crate) fn selection(names: &[&str]) -> &'static Selection {
    Box::leak(Box::new(Selection {
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        ..Selection::default()
    }))
}

/// The HPA of this name.
pub(crate) fn hpa(name: &str) -> HpaKey {
    HpaKey {
        namespace: "shop".to_owned(),
        name: name.to_owned(),
    }
}

/// Waits until a condition holds. Returns the changes reported until then.
pub(crate) async fn until(
    informers: &mut Informers<'_>,
    what: &str,
    mut is_so: impl FnMut(&Informers<'_>, &[InformerChange]) -> bool,
) -> Vec<InformerChange> {
    let mut reported = Vec::new();
    let wait = async {
        while !is_so(informers, &reported) {
            reported.push(informers.next().await);
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(90), wait).await;
    assert!(
        waited.is_ok(),
        "{what} did not come; reported: {reported:?}"
    );
    reported
}

/// Waits for a condition that is not reported as a change.
pub(crate) async fn eventually<'a>(
    informers: &mut Informers<'a>,
    is_so: impl Fn(&Informers<'a>) -> bool,
) {
    let wait = async {
        while !is_so(informers) {
            let _ = tokio::time::timeout(Duration::from_millis(20), informers.next()).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(90), wait)
        .await
        .unwrap();
}

/// Polls the metrics.
pub(crate) async fn poll(informers: &mut Informers<'_>) -> Vec<InformerChange> {
    let polled = informers.poll("shop").await;
    informers.take(polled)
}

pub(crate) fn snapshot(informers: &Informers<'_>) -> Snapshot {
    informers.snapshot(&hpa("web")).unwrap()
}

pub(crate) fn pods(informers: &Informers<'_>) -> Vec<String> {
    let pods = snapshot(informers).pods;
    pods.iter().map(|pod| pod.metadata.name.clone()).collect()
}

pub(crate) fn watch_of(resource: &str) -> Source {
    Source::Watch {
        resource: resource.to_owned(),
    }
}

#[test]
fn watches_tell_what_comes_changes_and_goes_and_nothing_else() {
    let server = server();
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&[])).await.unwrap();
        assert_eq!(informers.hpas(), [hpa("web")]);
        assert_eq!(pods(&informers), ["web-a", "web-b"]);

        // A heartbeat, an object that no HPA scales and a pod that no HPA selects cause no change.
        server.edit(PODS, "web-a", |pod| {
            pod["metadata"]["managedFields"] =
                json!([{"manager": "kubelet", "time": "2026-01-02T00:00:00Z"}]);
        });
        let mut other = world::deployment();
        other["metadata"]["name"] = json!("other");
        server.put(DEPLOYMENTS, other);
        let mut stranger = world::pod("stranger");
        stranger["metadata"]["labels"] = json!({"app": "other"});
        server.put(PODS, stranger);
        server.put(PODS, world::pod("web-c"));
        let reported = until(&mut informers, "the pod", |informers, _| {
            pods(informers).len() == 3
        })
        .await;
        assert_eq!(reported, [InformerChange::Around(hpa("web"))]);

        server.edit(HPAS, "web", |hpa| {
            hpa["status"]["desiredReplicas"] = json!(3);
        });
        let reported = until(&mut informers, "the status", |_, reported| {
            !reported.is_empty()
        })
        .await;
        assert_eq!(reported, [InformerChange::Hpa(hpa("web"))]);
        assert_eq!(snapshot(&informers).hpa.status.desired_replicas, 3);

        server.delete(PODS, "web-a");
        until(&mut informers, "the end of the pod", |informers, _| {
            pods(informers) == ["web-b", "web-c"]
        })
        .await;

        // A later HPA scales a target that no HPA scaled before.
        let mut late = world::hpa("late");
        late["spec"]["scaleTargetRef"]["name"] = json!("other");
        server.put(HPAS, late);
        let reported = until(
            &mut informers,
            "the new HPA and its target",
            |informers, _| {
                informers
                    .snapshot(&hpa("late"))
                    .is_some_and(|snapshot| snapshot.target.is_some())
            },
        )
        .await;
        assert_eq!(reported[0], InformerChange::Hpa(hpa("late")));
        assert_eq!(informers.hpas(), [hpa("late"), hpa("web")]);

        server.delete(HPAS, "late");
        let reported = until(&mut informers, "its end", |_, reported| {
            reported.contains(&InformerChange::Deleted(hpa("late")))
        })
        .await;
        assert!(
            !reported.contains(&InformerChange::Hpa(hpa("late"))),
            "{reported:?}"
        );
        assert_eq!(informers.snapshot(&hpa("late")), None);
    });
}

#[test]
fn only_what_is_selected_is_followed_also_when_it_matches_later() {
    let server = server();
    let mut back = world::hpa("back");
    back["metadata"]["labels"] = json!({"tier": "back"});
    server.put(HPAS, back);
    against(&server, async |client| {
        let front: &Selection = Box::leak(Box::new(Selection {
            selector: Some("tier=front".to_owned()),
            ..Selection::default()
        }));
        let mut informers = Informers::start(client, front).await.unwrap();
        assert_eq!(informers.hpas(), [hpa("web")]);
        server.edit(HPAS, "back", |hpa| {
            hpa["metadata"]["labels"]["tier"] = json!("front");
        });
        until(&mut informers, "the one that matches now", |_, reported| {
            reported.contains(&InformerChange::Hpa(hpa("back")))
        })
        .await;
        server.edit(HPAS, "web", |hpa| {
            hpa["metadata"]["labels"]["tier"] = json!("back");
        });
        until(
            &mut informers,
            "the one that does not any more",
            |_, reported| reported.contains(&InformerChange::Deleted(hpa("web"))),
        )
        .await;
        assert_eq!(informers.hpas(), [hpa("back")]);

        // Errors at the start are worded as in `explain`.
        let missing = Informers::start(client, selection(&["wbe"]))
            .await
            .err()
            .unwrap();
        assert_eq!(
            missing.to_string(),
            "HPA \"wbe\" not found in namespace shop. Did you mean web?"
        );
    });
}

#[test]
fn watch_that_comes_too_late_begins_again_and_misses_nothing() {
    let server = server();
    for number in 0..520 {
        let mut pod = world::pod(&format!("filler-{number}"));
        pod["metadata"]["labels"] = json!({});
        server.put(PODS, pod);
    }
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["web"])).await.unwrap();
        for (round, deleted) in [Deleted::Event, Deleted::Answer, Deleted::Piece]
            .into_iter()
            .enumerate()
        {
            server.forget(PODS, deleted);
            server.end_watches();
            let (old, new) = (format!("web-{round}"), format!("web-{}", round + 1));
            if 0 < round {
                server.delete(PODS, &old);
            }
            server.put(PODS, world::pod(&new));
            let reported = until(&mut informers, &format!("{deleted:?}"), |informers, _| {
                let pods = pods(informers);
                pods.contains(&new) && !pods.contains(&old)
            })
            .await;
            let fails = |change: &InformerChange| matches!(change, InformerChange::Failing { .. });
            assert!(
                deleted == Deleted::Piece || !reported.iter().any(fails),
                "that is daily business: {reported:?}"
            );
        }
        assert_eq!(pods(&informers), ["web-3", "web-a", "web-b"]);
    });
}

#[test]
fn what_was_requested_when_the_server_was_lost_is_read_once_it_is_heard_of_again() {
    let server = server();
    for number in 0..520 {
        let mut pod = world::pod(&format!("filler-{number}"));
        pod["metadata"]["labels"] = json!({});
        server.put(PODS, pod);
    }
    server.forget(PODS, Deleted::Piece);
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["web"])).await.unwrap();
        let why = |informers: &Informers<'_>| {
            let mut not_read = snapshot(informers).not_read.into_iter();
            not_read
                .find(|one| one.what == SnapshotField::Pods)
                .map(|one| one.why)
        };
        assert!(why(&informers).is_some_and(|why| why.contains("too old")));
        assert!(!informers.is_catching_up());

        // The next list is running when the connection is closed.
        server.delay(Duration::from_hours(1));
        let lists = server.count(&["/pods"]);
        eventually(&mut informers, |_| lists < server.count(&["/pods"])).await;
        client.lose();
        eventually(&mut informers, Informers::is_catching_up).await;
        assert_eq!(why(&informers).as_deref(), Some("not read yet"));

        server.delay(Duration::ZERO);
        client.regain();
        eventually(&mut informers, |informers| !informers.is_catching_up()).await;
        assert_eq!(why(&informers), None);
        assert_eq!(pods(&informers), ["web-a", "web-b"]);
    });
}

#[test]
fn server_that_is_down_costs_nothing_that_was_known() {
    let mut server = server();
    let address = Box::leak(Box::new(server.url()));
    runtime().block_on(async {
        let connected = connected(&server, &json!({})).await;
        let mut informers = Informers::start(&connected.client, selection(&["web"]))
            .await
            .unwrap();
        poll(&mut informers).await;

        // In the middle of an event.
        server.break_next_event(PODS);
        server.put(PODS, world::pod("web-c"));
        until(&mut informers, "the pod", |informers, _| pods(informers).len() == 3).await;

        server.down();
        let reported = until(&mut informers, "the trouble", |_, reported| {
            reported.iter().filter(|change| matches!(change, InformerChange::Failing { .. })).count() == 5
        })
        .await;
        assert!(
            reported.contains(&InformerChange::Failing {
                source: watch_of("pods"),
                why: format!(
                    "the connection to the server {address} (context test) was refused: is the address right, and is the server up?"
                ),
            }),
            "{reported:?}"
        );
        let reported = poll(&mut informers).await;
        assert!(
            matches!(&reported[..], [InformerChange::Failing { source: Source::Metrics { api, .. }, .. }] if api == "metrics.k8s.io"),
            "{reported:?}"
        );
        let known = snapshot(&informers);
        assert_eq!(known.pods.len(), 3);
        assert_eq!(known.scale.unwrap().spec.replicas, 2);

        server.delete(PODS, "web-a");
        server.edit(DEPLOYMENTS, "web", |web| { web["spec"]["replicas"] = json!(5); });
        server.up();
        let reported = until(&mut informers, "all that happened meanwhile", |informers, reported| {
            let recovered = |change: &&InformerChange| matches!(change, InformerChange::Recovered { .. });
            pods(informers) == ["web-b", "web-c"]
                && snapshot(informers).scale.unwrap().spec.replicas == 5
                && reported.iter().filter(recovered).count() == 5
        })
        .await;
        assert!(
            !reported.iter().any(|change| matches!(change, InformerChange::Deleted(_) | InformerChange::Failing { .. })),
            "{reported:?}"
        );
        let reported = poll(&mut informers).await;
        assert!(matches!(&reported[..], [InformerChange::Recovered { .. }]), "{reported:?}");
    });
}

#[test]
fn watch_that_sends_nonsense_is_reported_once_until_it_makes_sense_again() {
    let server = server();
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["web"])).await.unwrap();
        server.garble(PODS, true);
        server.end_watches();
        let watches = || server.count(&["/pods?", "watch=true"]);
        let (before, mut reported) = (watches(), Vec::new());
        while watches() < before + 4 {
            let next = tokio::time::timeout(Duration::from_millis(50), informers.next());
            reported.extend(next.await);
        }
        let [InformerChange::Failing { source, why }] = &reported[..] else {
            panic!("{reported:?}");
        };
        assert_eq!(*source, watch_of("pods"));
        assert!(why.contains("cannot be parsed"), "{why}");
        assert_eq!(pods(&informers), ["web-a", "web-b"]);

        server.garble(PODS, false);
        server.put(PODS, world::pod("web-c"));
        let reported = until(&mut informers, "the pod", |informers, _| {
            pods(informers).len() == 3
        });
        let recovered = InformerChange::Recovered {
            source: watch_of("pods"),
        };
        assert!(reported.await.contains(&recovered));
    });
}

#[test]
fn watch_goes_on_from_the_last_bookmark() {
    let server = server();
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["web"])).await.unwrap();
        // So that the watch has started.
        server.put(PODS, world::pod("web-c"));
        until(&mut informers, "the pod", |informers, _| {
            pods(informers).len() == 3
        })
        .await;
        let bookmark = server.bookmark(PODS);
        server.end_watches();
        server.put(PODS, world::pod("web-d"));
        until(&mut informers, "the next pod", |informers, _| {
            pods(informers).len() == 4
        })
        .await;
        let pods = "/api/v1/namespaces/shop/pods?";
        let version = format!("resourceVersion={bookmark}");
        assert_eq!(server.count(&[pods, "watch=true", &version]), 1);
        assert_eq!(
            server.count(&[pods, "limit="]),
            1,
            "nothing is listed again"
        );
    });
}

#[test]
fn number_of_replicas_that_does_not_last_is_seen() {
    let server = server();
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&[])).await.unwrap();
        let before = replicas(&informers);
        for replicas in [7, 3, 9] {
            server.edit(DEPLOYMENTS, "web", |deployment| {
                deployment["spec"]["replicas"] = json!(replicas);
            });
        }
        // All three are on the way before the first is processed.
        tokio::time::sleep(Duration::from_millis(200)).await;
        let mut seen = vec![before];
        while seen.last() != Some(&9) {
            let change = informers.next();
            let change = tokio::time::timeout(Duration::from_secs(10), change).await;
            if change.unwrap() == InformerChange::Scaled(hpa("web")) {
                seen.push(replicas(&informers));
            }
        }
        assert_eq!(seen, [before, 7, 3, 9]);
    });
}

fn replicas(informers: &Informers<'_>) -> i32 {
    snapshot(informers).scale.unwrap().spec.replicas
}

#[test]
fn slow_server_is_waited_for() {
    let server = server();
    server.delay(Duration::from_millis(500));
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["web"])).await.unwrap();
        assert_eq!(poll(&mut informers).await, []);
        assert_eq!(snapshot(&informers).not_read, []);
        server.put(PODS, world::pod("web-c"));
        let reported = until(&mut informers, "the pod", |informers, _| {
            pods(informers).len() == 3
        })
        .await;
        assert_eq!(reported, [InformerChange::Around(hpa("web"))]);
    });
}

#[test]
fn poll_that_comes_before_the_target_is_read_is_known_to_lack_the_hpa() {
    let server = server();
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&[])).await.unwrap();
        poll(&mut informers).await;
        assert!(!informers.is_unpolled(&hpa("web")));
        let slow = informers.poll("shop").await;
        server.delete(HPAS, "web");
        until(&mut informers, "its end", |_, reported| {
            reported.contains(&InformerChange::Deleted(hpa("web")))
        })
        .await;
        informers.take(slow);
        server.put(HPAS, world::hpa("web"));
        until(&mut informers, "the new one", |_, reported| {
            reported.contains(&InformerChange::Hpa(hpa("web")))
        })
        .await;
        assert!(informers.is_awaited(&hpa("web")));
        // The metrics of the HPA before it are not its own.
        assert!(informers.is_unpolled(&hpa("web")));
        poll(&mut informers).await;
        assert!(informers.is_unpolled(&hpa("web")));
        let reported = until(&mut informers, "the target", |informers, _| {
            !informers.is_awaited(&hpa("web"))
        });
        assert!(reported.await.contains(&InformerChange::Around(hpa("web"))));
        poll(&mut informers).await;
        assert!(!informers.is_unpolled(&hpa("web")));
        assert_eq!(snapshot(&informers).not_read, []);
    });
}

#[test]
fn kind_that_the_server_does_not_know_is_reported_when_that_is_known() {
    let server = server();
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&[])).await.unwrap();
        let mut late = world::hpa("late");
        late["spec"]["scaleTargetRef"] =
            json!({"apiVersion": "example.com/v1", "kind": "Widget", "name": "web"});
        server.put(HPAS, late);
        until(&mut informers, "the new HPA", |_, reported| {
            reported.contains(&InformerChange::Hpa(hpa("late")))
        })
        .await;
        assert!(informers.is_awaited(&hpa("late")));
        let around = InformerChange::Around(hpa("late"));
        until(&mut informers, "its kind", |_, reported| {
            reported.contains(&around)
        })
        .await;
        assert!(!informers.is_awaited(&hpa("late")));
    });
}

#[test]
fn version_that_could_not_be_read_is_requested_again() {
    let server = server();
    let down = world::status(503, "ServiceUnavailable", "no endpoints");
    server.answer("/version", down.clone());
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&["web"])).await.unwrap();
        let version = |informers: &Informers<'_>| snapshot(informers).server_version;
        assert_eq!(version(&informers), None);
        server.answer("/version", json!({"gitVersion": "v1.30.2"}));
        poll(&mut informers).await;
        assert_eq!(version(&informers).as_deref(), Some("v1.30.2"));
        let reported = until(&mut informers, "the news", |_, reported| {
            !reported.is_empty()
        });
        assert_eq!(reported.await, [InformerChange::Around(hpa("web"))]);
        assert_eq!(snapshot(&informers).controller.version, "1.30.2");
        assert_eq!(snapshot(&informers).not_read, []);
    });
}

#[test]
fn failure_of_a_metric_is_over_when_it_is_no_longer_needed() {
    let server = server();
    server.answer(
        world::EXTERNAL_METRICS,
        world::status(503, "ServiceUnavailable", "no endpoints"),
    );
    let cpu = world::hpa("web")["spec"]["metrics"][0].clone();
    let queue = json!({"type": "External", "external": {
        "metric": {"name": "queue_depth"}, "target": {"type": "AverageValue", "averageValue": "30"},
    }});
    let measure = |metrics: Value| {
        server.edit(HPAS, "web", |hpa| hpa["spec"]["metrics"] = metrics);
    };
    measure(json!([cpu, queue]));
    let recovered = [InformerChange::Recovered {
        source: Source::Metrics {
            api: "external.metrics.k8s.io".to_owned(),
            namespace: "shop".to_owned(),
        },
    }];
    let fails = |reported: &[InformerChange]| matches!(reported, [InformerChange::Failing { .. }]);
    against(&server, async |client| {
        let mut informers = Informers::start(client, selection(&[])).await.unwrap();
        assert!(fails(&poll(&mut informers).await));
        measure(json!([cpu]));
        until(&mut informers, "the edit", |_, reported| {
            !reported.is_empty()
        })
        .await;
        assert_eq!(poll(&mut informers).await, recovered);

        measure(json!([cpu, queue]));
        until(&mut informers, "the next edit", |_, reported| {
            !reported.is_empty()
        })
        .await;
        assert!(fails(&poll(&mut informers).await));
        server.delete(HPAS, "web");
        let reported = until(&mut informers, "the end of the last HPA", |_, reported| {
            reported.contains(&InformerChange::Deleted(hpa("web")))
        });
        assert!(reported.await.contains(&recovered[0]));
    });
}
