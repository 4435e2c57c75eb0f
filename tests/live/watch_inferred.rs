//! What `watch` has to infer because it is not recorded: the time of a sync, who changed the replicas, which HPA was
//! synced first, and what must happen before anything can change. None of it becomes an alarm or a difference.

use portable_pty::CommandBuilder;
use serde_json::{Value, json};

use crate::{
    cluster::{cluster, eventually},
    manifest::{average, deployment, hpa},
    namespace::free_namespace,
    terminal::Terminal,
    watch::{objects, stop, watch},
    watched::{load, shop},
};

#[test]
fn replicas_set_by_hand_are_no_change_of_direction() {
    let shop = shop(free_namespace("by-hand"));
    let watching = watch(&shop, "jsonl", "by-hand.jsonl");
    let scaled = |from: i64, to: i64, times: usize| {
        eventually(&format!("{from} → {to}"), || {
            let objects = objects("by-hand.jsonl");
            let changes = objects.iter().flat_map(changes);
            let is_it = |change: &&Value| {
                change["what"] == "rescaled" && change["from"] == from && change["to"] == to
            };
            (times <= changes.filter(is_it).count()).then_some(())
        });
    };
    eventually("watch has begun", || {
        objects("by-hand.jsonl")
            .iter()
            .any(|one| one["type"] == "reconcile")
            .then_some(())
    });
    load(&shop, 9);
    scaled(3, 9, 1);
    for time in 2..4 {
        shop.scale("web", 3);
        scaled(3, 9, time);
    }
    load(&shop, 8);
    scaled(9, 8, 1);
    assert!(!is_flapping());

    // The HPA itself may go up and down.
    load(&shop, 6);
    scaled(8, 6, 1);
    load(&shop, 9);
    scaled(6, 9, 1);
    load(&shop, 7);
    scaled(9, 7, 1);
    eventually("the alarm", || is_flapping().then_some(()));
    stop(watching);
}

#[test]
fn end_of_a_window_is_no_disagreement_although_the_status_stood_still() {
    let namespace = free_namespace("still");
    namespace.metrics(&json!({"external": [{"metric": "queue_depth", "value": 90}]}));
    let behavior = json!({"scaleDown": {"stabilizationWindowSeconds": 30}});
    namespace.apply([
        deployment("web", 3).object(),
        hpa("web")
            .bounds(2, 20)
            .external("queue_depth", average("10"))
            .behavior(behavior)
            .object(),
    ]);
    let watching = watch(&namespace, "jsonl", "still.jsonl");
    let until = |replicas: i64| {
        eventually("the replicas", || {
            let target = namespace.get("deployment", "web");
            (target["spec"]["replicas"] == replicas).then_some(())
        });
    };
    until(9);
    namespace.metrics(&json!({"external": [{"metric": "queue_depth", "value": 50}]}));
    until(5);
    eventually("the scaling is judged", || {
        let objects = objects("still.jsonl");
        let is_down = |one: &&Value| {
            one["type"] == "reconcile"
                && one["replicas"]["current"] == 9
                && one["replicas"]["desired"] == 5
        };
        let down = objects.iter().find(is_down)?;
        let compared = |one: &Value| one["type"] == "compared" && one["time"] == down["time"];
        objects.iter().any(compared).then_some(())
    });
    stop(watching);
    nothing_differs("still.jsonl");
}

#[test]
fn two_hpas_of_one_target_differ_in_nothing_from_sync_to_sync() {
    let namespace = free_namespace("twins");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
        hpa("web-2")
            .target("apps/v1", "Deployment", "web")
            .cpu(50)
            .object(),
    ]);
    eventually("the controller finds both", || {
        let is_found = |name| {
            let conditions = namespace.get("hpa", name)["status"]["conditions"].to_string();
            conditions.contains("AmbiguousSelector").then_some(())
        };
        is_found("web").and_then(|()| is_found("web-2"))
    });
    let watching = watch(&namespace, "jsonl", "twins.jsonl");
    eventually("some syncs are judged", || {
        let objects = objects("twins.jsonl");
        let compared = objects.iter().filter(|one| one["type"] == "compared");
        (5 <= compared.count()).then_some(())
    });
    for name in ["web", "web-2"] {
        let page = namespace.explain(name, []);
        for printed in ["differs", "would fit"] {
            assert!(!page.contains(printed), "{page}");
        }
    }
    stop(watching);
    nothing_differs("twins.jsonl");
}

#[test]
fn what_must_happen_before_anything_can_change_is_named_until_it_has_happened() {
    let namespace = free_namespace("blocked");
    namespace.apply([
        deployment("asleep", 0).object(),
        hpa("asleep").cpu(60).object(),
        hpa("early").cpu(60).object(),
        deployment("web", 2).pods("cpu", "60m").object(),
        hpa("web").cpu(60).object(),
        hpa("twin")
            .target("apps/v1", "Deployment", "web")
            .cpu(60)
            .object(),
    ]);
    let blocked = |name: &str, reason: &str| {
        eventually(reason, || {
            let conditions = namespace.get("hpa", name)["status"]["conditions"].to_string();
            conditions.contains(reason).then_some(())
        });
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
        command.args(["watch", name, "--namespace", namespace.name()]);
        command.env("KUBECONFIG", cluster().file("kubeconfig"));
        Terminal::start((100, 40), command)
    };
    let asleep = blocked("asleep", "ScalingDisabled");
    let early = blocked("early", "FailedGetScale");
    let web = blocked("web", "AmbiguousSelector");
    let (set, read, alone) = (
        "next possible change: after the replicas are set to 1 or more",
        "next possible change: after the controller can read the scale of the target",
        "next possible change: after only one HPA selects these pods",
    );
    for (screen, printed) in [(&asleep, set), (&early, read), (&web, alone)] {
        let text = screen.shows(printed);
        assert!(!text.contains("if the metrics change"), "{text}");
    }

    namespace.scale("asleep", 1);
    asleep.shows_no(set);
    namespace.apply([deployment("early", 1).object()]);
    early.shows_no(read);
    namespace.run(["delete", "hpa", "twin"]);
    web.shows_no(alone);
    web.shows("if the metrics change");
}

/// All changes that a line of the watch reports.
fn changes(one: &Value) -> impl Iterator<Item = &Value> {
    one["changes"].as_array().into_iter().flatten()
}

fn is_flapping() -> bool {
    let objects = objects("by-hand.jsonl");
    objects
        .iter()
        .any(|one| one["type"] == "alarm" && one["alarm"] == "flapping")
}

#[track_caller]
fn nothing_differs(file: &str) {
    for one in objects(file) {
        assert_ne!(one["agrees"], false, "{one}");
        assert_ne!(one["alarm"], "disagreement", "{one}");
    }
}
