//! `kubectl hpa lint` on the context of an HPA: nodes, other autoscalers, the metrics pipeline, a status over time.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};

use crate::{
    cluster::{Cluster, cluster, eventually, succeed},
    lint_live::{assert_not_checked, findings, set},
    manifest::{autoscaler_definitions, average, deployment, hpa, kind},
    namespace::{Namespace, free_namespace_in, namespace, namespace_in},
};

#[test]
fn more_than_the_nodes_offer_is_found_and_all_that_they_offer_is_not() {
    let namespace = namespace("lint-nodes");
    // Nodes offer 1000 cores. With its other container a pod takes so many.
    let cores = |name: &str, cores: u32| {
        let cores = json!({"cpu": format!("{}m", cores * 1000 - 100)});
        deployment(name, 1)
            .container("large", cores)
            .pods("cpu", "50m")
            .object()
    };
    let large = |max| hpa("large").bounds(1, max).cpu(60).object();
    let small = |max| hpa("small").bounds(1, max).cpu(60).object();
    namespace.apply([cores("large", 500), cores("small", 250), large(3), small(4)]);
    let select = "--select=HPA112,HPA113";
    let report = namespace.lint([select]);
    assert_eq!(
        findings(&report, |_| true),
        set([("large", "HPA112"), ("large", "HPA113")]),
        "{report:#}"
    );
    let messages = report["findings"].to_string();
    for message in [
        "3 pods need 1500 CPU, but matching nodes offer 1k",
        "all HPAs at maxReplicas need 2500 CPU, but nodes offer 1k",
    ] {
        assert!(messages.contains(message), "{messages}");
    }
    // Together they need all of it.
    namespace.apply([large(1), small(2)]);
    let report = namespace.lint([select]);
    assert_eq!(findings(&report, |_| true), set([]), "{report:#}");
    assert_eq!(report["notes"], json!([]), "{report:#}");

    namespace.explain_as_reader(&json!([
        {"apiGroups": ["autoscaling"], "resources": ["horizontalpodautoscalers"], "verbs": ["list"]},
        {"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ["list"]},
    ]));
    let right = r#"{apiGroups: [""], resources: ["nodes"], verbs: ["list"]}"#;
    let report = namespace.lint([select]);
    assert_not_checked(&report, "HPA112", right);
    assert_not_checked(&report, "HPA113", right);
}

/// A cluster of its own, because of the kinds that only this test has, and of a flag that nobody can read.
#[test]
fn whatever_else_scales_a_workload_is_found_and_a_controller_that_decides_otherwise() {
    let flags = ["--horizontal-pod-autoscaler-tolerance=0.5"];
    let cluster = Cluster::with_hidden_flags("lint-scalers", &flags);
    cluster.apply(&autoscaler_definitions());
    cluster.apply(&[kind(
        "WatermarkPodAutoscaler",
        "watermarkpodautoscalers",
        "datadoghq.com",
        "v1alpha1",
    )]);
    for kind in [
        "scaledobjects.keda.sh",
        "watermarkpodautoscalers.datadoghq.com",
    ] {
        let crd = format!("crd/{kind}");
        succeed(&mut cluster.kubectl(["wait", &crd, "--for=condition=Established"]));
    }
    let namespace = namespace_in(&cluster, "shop");
    let scaled_object = |name: &str, target: &str, trigger: &str, more: Value| {
        let mut trigger = json!({"type": trigger, "metadata": {"value": "60"}});
        if trigger["type"] == "cpu" {
            trigger["metricType"] = json!("Utilization");
        }
        let mut object = json!({
            "apiVersion": "keda.sh/v1alpha1",
            "kind": "ScaledObject",
            "metadata": {"name": name},
            "spec": {"scaleTargetRef": {"name": target}, "triggers": [trigger]},
        });
        for (key, value) in more.as_object().unwrap() {
            object["spec"][key] = value.clone();
        }
        object
    };
    let vertical = |name: &str, mode: &str| {
        json!({
            "apiVersion": "autoscaling.k8s.io/v1",
            "kind": "VerticalPodAutoscaler",
            "metadata": {"name": name},
            "spec": {
                "targetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
                "updatePolicy": {"updateMode": mode},
            },
        })
    };
    let annotated = |mut object: Value, annotations: Value| {
        object["metadata"]["annotations"] = annotations;
        object
    };
    let web = |name: &str| deployment(name, 1).pods("cpu", "50m").object();
    let mut bare = web("bare");
    bare["spec"]["template"]["spec"]["containers"][0]["resources"] = json!({});
    let watermark = json!({
        "apiVersion": "datadoghq.com/v1alpha1",
        "kind": "WatermarkPodAutoscaler",
        "metadata": {"name": "watermark"},
        "spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "watermark"}},
    });
    let names = [
        "keda",
        "vertical",
        "advised",
        "night",
        "day",
        "watermark",
        "tuned",
    ];
    for name in names {
        namespace.apply([web(name), hpa(name).cpu(60).object()]);
    }
    let owned = |name: &str| {
        let mut owned = hpa(name).target("apps/v1", "Deployment", "fine").cpu(60);
        let labels = json!({"scaledobject.keda.sh/name": "fine"});
        owned = owned.bounds(1, 9);
        let mut object = owned.object();
        object["metadata"]["labels"] = labels;
        object
    };
    namespace.apply([
        web("fine"),
        bare,
        scaled_object("fine", "fine", "kafka", json!({"cooldownPeriod": 60})),
        scaled_object("keda", "keda", "kafka", json!({})),
        scaled_object("two-a", "two", "kafka", json!({})),
        scaled_object("two-b", "two", "kafka", json!({})),
        scaled_object("zero", "web", "cpu", json!({})),
        scaled_object("cooled", "cooled", "kafka", json!({"minReplicaCount": 1, "cooldownPeriod": 60})),
        scaled_object("bare", "bare", "cpu", json!({"minReplicaCount": 1})),
        annotated(
            scaled_object("paused", "paused", "kafka", json!({})),
            json!({"autoscaling.keda.sh/paused": "true"}),
        ),
        vertical("vertical", "Recreate"),
        vertical("advised", "Off"),
        annotated(web("night"), json!({"downscaler/uptime": "Mon-Fri 08:00-20:00 UTC"})),
        annotated(
            web("day"),
            json!({"downscaler/uptime": "Mon-Fri 08:00-20:00 UTC", "downscaler/exclude": "true"}),
        ),
        watermark,
        annotated(
            hpa("tuned").cpu(60).object(),
            json!({"argocd.argoproj.io/tracking-id": "shop:tuned", "stormforge.io/last-applied": "1"}),
        ),
        owned("keda-hpa-fine"),
    ]);
    let select = "--select=HPA6";
    let report = namespace.lint([select]);
    let expected = set([
        ("keda", "HPA601"),
        ("two-a", "HPA602"),
        ("two-b", "HPA602"),
        ("keda-hpa-fine", "HPA603"),
        ("zero", "HPA604"),
        ("cooled", "HPA605"),
        ("paused", "HPA606"),
        ("bare", "HPA607"),
        ("vertical", "HPA608"),
        ("night", "HPA609"),
        ("watermark", "HPA610"),
        ("tuned", "HPA611"),
    ]);
    assert_eq!(findings(&report, |_| true), expected, "{report:#}");

    // The controller holds the replicas, and with the usual tolerance it would not.
    let tolerant = free_namespace_in(&cluster, "tolerant");
    tolerant.apply([
        deployment("web", 2).pods("cpu", "80m").object(),
        hpa("web").cpu(60).object(),
    ]);
    let impatient = json!({"rules": {"HPA807": {"syncs": 0}}});
    let config = namespace_file(&tolerant, "impatient.yaml", &impatient);
    let config = format!("--config={}", config.display());
    let words = ["--select=HPA807", &config];
    let report = eventually("the controller has decided otherwise", || {
        let report = tolerant.lint(words);
        (report["findings"] != json!([])).then_some(report)
    });
    let message = &report["findings"][0]["message"];
    assert_eq!(
        message,
        "the recomputed decision is 3 but the status says 2: pods that the last sync counted may be gone, or a setting of the controller differs"
    );
    let report = tolerant.lint([words[0], words[1], "--assume-tolerance=0.5"]);
    assert_eq!(findings(&report, |_| true), set([]), "{report:#}");

    // As KEDA itself writes it.
    namespace.run(["delete", "hpa", "keda-hpa-fine"]);
    let file = namespace_file(&namespace, "owned.json", &owned("keda-hpa-fine"));
    let file = file.to_str().unwrap();
    namespace.run([
        "apply",
        "--server-side",
        "--field-manager=keda-operator",
        "-f",
        file,
    ]);
    let report = namespace.lint([select, "keda-hpa-fine"]);
    assert_eq!(findings(&report, |_| true), set([]), "{report:#}");
}

#[test]
fn a_situation_that_lasts_is_found_after_its_time() {
    let namespace = namespace("lint-lasting");
    let up = json!({"scaleUp": {"policies": [{"type": "Pods", "value": 1, "periodSeconds": 60}]}});
    namespace.apply([
        deployment("fresh", 2).pods("cpu", "60m").object(),
        hpa("fresh").cpu(60).object(),
        deployment("stale", 2)
            .pods("cpu", "60m")
            .pods("metrics-age", "10m")
            .object(),
        hpa("stale").cpu(60).object(),
        deployment("waiting", 2)
            .pods("cpu", "60m")
            .pods("room", "1")
            .object(),
        hpa("waiting").cpu(60).object(),
        deployment("idle", 2).pods("cpu", "10m").object(),
        hpa("idle").bounds(2, 4).cpu(60).down_at_once().object(),
        deployment("slow", 2).pods("cpu", "180m").object(),
        hpa("slow").cpu(60).behavior(up).object(),
        hpa("orphan").cpu(60).object(),
        deployment("partial", 2).pods("cpu", "60m").object(),
        hpa("partial")
            .cpu(60)
            .external("queue_depth", average("10"))
            .object(),
        deployment("blind", 2).object(),
        hpa("blind").external("queue_depth", average("10")).object(),
    ]);
    namespace.stop_settling();
    namespace.pass();
    namespace.pass();
    let select = "--select=HPA703,HPA704,HPA706,HPA8";
    let report = namespace.lint([select]);
    let expected = set([
        ("blind", "HPA802"),
        ("idle", "HPA805"),
        ("orphan", "HPA801"),
        ("partial", "HPA809"),
        ("slow", "HPA806"),
        ("stale", "HPA703"),
    ]);
    assert_eq!(findings(&report, |_| true), expected, "{report:#}");
    let messages = report["findings"].to_string();
    for message in [
        "the newest sample of CPU is 10 min old",
        "the metrics ask for 1 replica but minReplicas is 2",
        "replicas but the scale-up rate limit allows 3 now",
    ] {
        assert!(messages.contains(message), "{message}: {messages}");
    }
    let impatient = json!({"rules": {
        "HPA704": {"hpas": 5},
        "HPA706": {"duration": "0s"},
        "HPA810": {"age": "0s"},
        "HPA811": {"duration": "0s"},
    }});
    let config = namespace_file(&namespace, "impatient.yaml", &impatient);
    let config = format!("--config={}", config.display());
    let report = namespace.lint([select, &config]);
    let of = |code: &str| findings(&report, |one| one["code"] == code);
    assert_eq!(of("HPA704"), set([("blind", "HPA704")]), "{report:#}");
    assert_eq!(of("HPA706"), set([("waiting", "HPA706")]), "{report:#}");
    assert_eq!(of("HPA811"), set([("orphan", "HPA811")]), "{report:#}");
    let messages = report["findings"].to_string();
    for message in [
        "8 HPAs in namespace lint-lasting, so syncs can come late",
        "1 pod cannot be scheduled, so the load stays on fewer pods. 0/1 nodes are available: 1 Insufficient cpu",
    ] {
        assert!(messages.contains(message), "{message}: {messages}");
    }
    // Of those that have a target, only this one has ever been scaled.
    let never = of("HPA810");
    let is_reported = |name: &str| never.contains(&(name.to_owned(), "HPA810".to_owned()));
    assert!(is_reported("fresh") && !is_reported("slow"), "{report:#}");

    // The controller is held, as if it were down.
    namespace.apply([hpa("fresh").bounds(3, 9).cpu(60).object()]);
    let report = eventually("two syncs after the edit", || {
        let report = namespace.lint(["--select=HPA808"]);
        (report["findings"] != json!([])).then_some(report)
    });
    assert_eq!(
        findings(&report, |_| true),
        set([("fresh", "HPA808")]),
        "{report:#}"
    );
}

#[test]
fn replicas_that_another_writer_resets_again_and_again_are_a_fight() {
    let namespace = namespace("lint-fight");
    namespace.metrics(&json!({"external": [{"metric": "queue_depth", "value": 40}]}));
    namespace.apply([
        deployment("web", 2).object(),
        hpa("web").external("queue_depth", average("10")).object(),
    ]);
    let fights = || {
        let report = namespace.lint(["--select=HPA409"]);
        (
            findings(&report, |_| true),
            report["findings"][0]["message"].clone(),
        )
    };
    namespace.pass();
    for _ in 0..2 {
        // Once is not a fight.
        assert_eq!(fights().0, set([]));
        namespace.scale("web", 2);
        namespace.pass();
    }
    let (found, message) = fights();
    assert_eq!(found, set([("web", "HPA409")]));
    let message = message.as_str().unwrap();
    assert!(
        message.ends_with("overwrote spec.replicas 2 times within 1 h after the HPA set it, so the two undo each other"),
        "{message}"
    );
}

/// A file of the test's own.
fn namespace_file(namespace: &Namespace, name: &str, content: &Value) -> PathBuf {
    let file = cluster().file(&format!("{}-{name}", namespace.name()));
    fs::write(&file, content.to_string()).unwrap();
    file
}
