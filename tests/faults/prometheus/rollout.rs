//! The past of an HPA on a Rollout: pods belong to its ReplicaSets, as those of a Deployment do, but no series has its
//! replicas.

use serde_json::{Value, json};

use super::history::{World, answer, series, today};

const OWNERS: &str = "kube_replicaset_owner";

/// The world of the Deployment as one of a Rollout, without series of this name.
fn rollout(missing: &'static str) -> World {
    let of_rollout = |one: &Value| {
        let mut one = one.clone();
        let labels = one["metric"].as_object_mut().unwrap();
        for label in ["owner_kind", "scaletargetref_kind"] {
            if labels.get(label) == Some(&json!("Deployment")) {
                labels[label] = json!("Rollout");
            }
        }
        one
    };
    let series: Vec<Value> = series().iter().map(of_rollout).collect();
    let mut hpa = today()["hpa"].take();
    hpa["spec"]["scaleTargetRef"] =
        json!({"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "name": "web"});
    let world = World::of(&hpa, move |asked| {
        answer(&series, asked, &|labels, _, value| {
            (labels["__name__"] != json!(missing)).then(|| value.to_owned())
        })
    });
    let version = json!({"groupVersion": "argoproj.io/v1alpha1", "version": "v1alpha1"});
    let resource = |name: &str, kind: &str| json!({"name": name, "kind": kind, "namespaced": true});
    let resources = [
        resource("rollouts", "Rollout"),
        resource("rollouts/scale", "Scale"),
    ];
    world
        .server
        .set_json(
            "/apis/argoproj.io",
            &json!({"versions": [version], "preferredVersion": version}),
        )
        .set_json(
            "/apis/argoproj.io/v1alpha1",
            &json!({"resources": resources}),
        )
        .set_json(
            "/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/web/scale",
            &today()["scale"],
        );
    world
}

/// How an input is known.
fn provenance<'a>(output: &'a Value, input: &str) -> &'a Value {
    let mut all = output["provenance"].as_array().unwrap().iter();
    &all.find(|one| one["input"] == json!(input)).unwrap()["provenance"]
}

#[test]
fn pods_of_a_rollout_are_found_through_its_replica_sets() {
    let output = rollout("").json();
    assert_eq!(provenance(&output, "pods"), "observed");
    let trust = &output["trust"];
    let count = |key: &str| trust[key].as_u64().unwrap();
    assert!(count("syncs") * 3 / 4 <= count("certain"), "{trust}");
    assert_eq!(count("certain"), count("certainAndRight"), "{trust}");
    assert_eq!(count("exact"), 9, "{trust}");
}

#[test]
fn missing_owners_of_the_replica_sets_of_a_rollout_are_named() {
    let output = rollout(OWNERS).json();
    assert_eq!(provenance(&output, "pods"), "assumed");
    assert_eq!(output["trust"]["certain"], 0, "{}", output["trust"]);
    let series = output["series"].as_array().unwrap();
    let owners = series.iter().find(|one| one["name"] == json!(OWNERS));
    assert_eq!(owners.unwrap()["found"], 0);
    let advice = output["advice"].to_string();
    assert!(advice.contains(OWNERS), "{advice}");
}
