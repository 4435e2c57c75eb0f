//! Other writers of `spec.replicas`: the page says who, when, and what the HPA does about it.

use std::fs;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    cluster::{cluster, eventually},
    manifest::{deployment, hpa},
    namespace::{Namespace, namespace},
};

#[test]
fn replicas_that_another_writer_sets_are_reported_with_name_and_time() {
    let namespace = namespace("writers");
    let web = |replicas| {
        let mut object = deployment("web", replicas).pods("cpu", "90m").object();
        object["metadata"]["annotations"] = json!({
            "meta.helm.sh/release-name": "web", "meta.helm.sh/release-namespace": "writers",
            "example.com/password": "hunter2",
        });
        object
    };
    // Policies that the scale events of the steps before don't use up.
    let behavior = json!({
        "scaleDown": {"stabilizationWindowSeconds": 0},
        "scaleUp": {"policies": [{"type": "Pods", "value": 20, "periodSeconds": 15}]},
    });
    namespace.apply([web(4), hpa("web").cpu(60).behavior(behavior).object()]);
    let decision = namespace.decision("web");
    assert!(decision.made().starts_with("4 → 6:"), "{}", decision.made());
    is_quiet(&decision.text);

    // Since then, only the HPA has written.
    next_second();
    let decision = namespace.decision("web");
    assert!(decision.made().starts_with("6 → 9:"), "{}", decision.made());
    is_quiet(&decision.text);

    next_second();
    namespace.scale("web", 3);
    let decision = namespace.decision("web");
    assert!(decision.made().starts_with("3 → 5:"), "{}", decision.made());
    decision.page_says([
        "kubectl scale set 3 replicas after the HPA had set 9.",
        "! spec.replicas was set to 3 by kubectl scale, after the HPA had set 9 at ",
        "The HPA sets 5 now.",
    ]);

    // As Helm does, also one that applies on the server.
    next_second();
    apply_as(&namespace, "helm", &web(2));
    let decision = namespace.decision("web");
    assert!(decision.made().starts_with("2 → 3:"), "{}", decision.made());
    decision.page_says([
        "! spec.replicas was set to 2 by helm at ",
        " after the HPA had set 5. The HPA sets 3 now.",
        "Remove spec.replicas from the chart of release writers/web",
        "the manifest that helm applies to Deployment/web has replicas: 2",
        "Deployment/web belongs to Helm release writers/web.",
    ]);

    next_second();
    apply_as(&namespace, "argocd-controller", &web(2));
    let decision = namespace.decision("web");
    assert!(decision.made().starts_with("2 → 3:"), "{}", decision.made());
    decision.page_says([
        "! spec.replicas was set to 2 by Argo CD (argocd-controller) at ",
        "RespectIgnoreDifferences=true",
    ]);
    // Three pods at 90% again: the same number as before, and nothing of the HPA's own between.
    let decision = namespace.decision("web");
    decision.page_says([
        "the HPA set 3 at ",
        " and, with nothing of its own between, again at ",
        "something else (belongs to Helm release writers/web) changed the replicas in between",
    ]);
    let recorded = namespace.page("web").to_string();
    assert!(!recorded.contains("hunter2"), "{recorded}");
}

#[test]
fn number_set_by_hand_gives_way_to_an_older_recommendation_although_the_load_is_low() {
    let namespace = namespace("old-number");
    namespace.apply([
        deployment("web", 2).pods("cpu", "120m").object(),
        hpa("web").cpu(60).object(),
    ]);
    let decision = namespace.decision("web");
    assert!(decision.made().starts_with("2 → 4:"), "{}", decision.made());
    namespace.annotate_pods("web", "cpu", "50m");
    // The window starts again here: 50% of four pods asks for four.
    namespace.pass();
    namespace.scale("web", 2);
    let decision = namespace.decision("web");
    assert!(decision.made().starts_with("2 → 4:"), "{}", decision.made());
    assert_eq!(decision.page["verdict"]["rule"], "old-recommendation");
    decision.page_says([
        "kubectl scale set 2 replicas after the HPA had set 4.",
        "! spec.replicas was set to 2 by kubectl scale, after the HPA had set 4 at ",
        "The HPA sets 4 now.",
    ]);
}

#[test]
fn manifest_that_was_applied_with_replicas_is_reported() {
    let namespace = namespace("applied");
    let file = write("applied", &deployment("web", 2).pods("cpu", "90m").object());
    namespace.run(["apply", "-f", &file]);
    namespace.apply([hpa("web").cpu(60).object()]);
    let decision = namespace.decision("web");
    assert!(decision.made().starts_with("2 → 3:"), "{}", decision.made());
    is_quiet(&decision.text);
    let decision = namespace.decision("web");
    decision.page_says([
        "the last applied manifest of Deployment/web has replicas: 2: each apply sets that again.",
        "kubectl apply edit-last-applied",
    ]);
}

/// Why the advice of HPA406 and HPA408 starts with the last applied configuration.
#[test]
fn replicas_fall_to_one_if_only_the_manifest_loses_them() {
    let namespace = namespace("lost-replicas");
    let with = deployment("web", 3).object();
    let mut without = with.clone();
    without["spec"].as_object_mut().unwrap().remove("replicas");
    let [with, without] =
        [("lost-with", with), ("lost-without", without)].map(|(name, object)| write(name, &object));
    let replicas = || namespace.get("deployment", "web")["spec"]["replicas"].clone();
    namespace.run(["apply", "-f", &with]);
    namespace.run(["apply", "-f", &without]);
    assert_eq!(replicas(), 1);
    namespace.run(["apply", "-f", &with]);
    // What `kubectl apply edit-last-applied` does in an editor.
    namespace.run(["apply", "set-last-applied", "-f", &without]);
    namespace.run(["apply", "-f", &without]);
    assert_eq!(replicas(), 3);
}

#[track_caller]
fn is_quiet(page: &str) {
    assert!(!page.contains("\nset by "), "{page}");
}

/// Applies on the server with its own field manager.
fn apply_as(namespace: &Namespace, manager: &str, object: &Value) {
    let file = write(manager, object);
    let manager = format!("--field-manager={manager}");
    namespace.run([
        "apply",
        "--server-side",
        "--force-conflicts",
        &manager,
        "-f",
        &file,
    ]);
    namespace.settle();
}

/// Events and field managers have times in seconds: waits, so that what follows is later.
fn next_second() {
    let now = Timestamp::now().as_second();
    eventually("the next second", || {
        (now < Timestamp::now().as_second()).then_some(())
    });
}

fn write(name: &str, object: &Value) -> String {
    let file = cluster().file(&format!("{name}.json"));
    fs::write(&file, object.to_string()).unwrap();
    file.to_str().unwrap().to_owned()
}
