//! The permissions of the manifests in `deploy`: with exactly them everything is read, and each missing one is named.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    process::{Command, Output, Stdio},
    sync::Arc,
};

use serde_json::{Value, json};

use crate::{
    cluster::{Cluster, eventually},
    manifest::{autoscaler_definitions, average, deployment, hpa, kind, widget_definitions},
    namespace::{Namespace, free_namespace_in},
    permissions::{Row, roles, rows},
};

const OF_CLUSTER: &str = include_str!("../../deploy/rbac.yaml");
const OF_NAMESPACE: &str = include_str!("../../deploy/rbac-namespace.yaml");

#[test]
fn everything_is_read_with_exactly_the_manifest_and_each_missing_right_is_named() {
    let cluster = Cluster::of_its_own("rights");
    let namespace = situation(&cluster);
    let [all, control_plane] = &roles(OF_CLUSTER)[..] else {
        panic!("a role for the cluster and one for kube-system")
    };
    // A target of a kind that nobody knows has a right of its own.
    let mut all = all["rules"].clone();
    all.as_array_mut().unwrap().push(json!({
        "apiGroups": ["example.com"], "resources": ["widgets"], "verbs": ["get", "list", "watch"],
    }));
    let all = &all;
    let mut users = Vec::new();
    let rows = rows();
    for (number, row) in rows.iter().enumerate() {
        if row.is_of_control_plane {
            continue;
        }
        users.extend(user(&format!("without-{number}"), &without(all, row)));
    }
    users.extend(user("few", &json!([all[0]])));
    users.extend(user("lists", &without_watching(all)));
    let mut in_namespace = roles(OF_NAMESPACE).remove(0);
    in_namespace["metadata"]["namespace"] = json!("rights");
    users.push(in_namespace);
    users.push(bound("rights", "Role", "kubectl-hpa", "limited"));
    users.push(control_plane.clone());
    users.push(bound("kube-system", "Role", "kubectl-hpa", "controllers"));
    users.extend(user("all", all));
    cluster.apply(&users);
    eventually("the API server knows the roles", || {
        let proposal = [("all", "nodes"), ("limited", "pods"), ("all", "hpa")];
        proposal
            .iter()
            .all(|(user, what)| {
                let ask = ["auth", "can-i", "list", what];
                let mut command = namespace.kubectl(ask);
                command
                    .args(["--as", user])
                    .output()
                    .unwrap()
                    .status
                    .success()
            })
            .then_some(())
    });
    let as_user = |user: &str, arguments: &[&str]| -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
        command
            .args(arguments)
            .args(["--namespace", "rights", "--as", user])
            .args(["--as-group", "system:authenticated"])
            .env("KUBECONFIG", cluster.file("kubeconfig"))
            .env("HOME", cluster.file(""));
        if user != "few" && user != "limited" {
            command.args(["--as-group", "controllers"]);
        }
        command.output().unwrap()
    };

    // With exactly the manifest.
    eventually("everything is read", || {
        let page = json_of(&as_user("all", &["explain", "web", "-o", "json"]));
        (not_read(&page).is_empty() && page["verdict"]["action"] != "unknown").then_some(())
    });
    let listed = json_of(&as_user("all", &["list", "-o", "json"]));
    assert_eq!(
        (&listed["notRead"], &listed["kindsNotRead"]),
        (&json!([]), &json!([]))
    );
    let notes = notes(&as_user("all", &["lint", "-o", "json"]));
    assert!(!notes.contains("needs the right"), "{notes}");
    let captured = json_of(&as_user("all", &["capture", "web"]));
    assert_eq!(captured.get("notRead"), None);

    // Without one of them.
    for (number, row) in rows.iter().enumerate() {
        if row.is_of_control_plane {
            continue;
        }
        let user = format!("without-{number}");
        if row.named_by.contains("explain") {
            let output = as_user(&user, &["explain", "web", "-o", "json"]);
            if row.without.starts_with("nothing works") {
                assert_eq!(output.status.code(), Some(2));
                let printed = String::from_utf8(output.stderr).unwrap();
                assert!(names(&printed, row), "{user} reads {printed}");
            } else {
                let page = json_of(&output);
                let named = not_read(&page);
                let is_named = named.len() == 1 && named.iter().all(|one| names(one, row));
                assert!(is_named, "{user}, {}: {named:?}", row.resource);
                let is_unknown = page["verdict"]["action"] == "unknown";
                let is_lost = row.without.starts_with("no decision");
                assert_eq!(
                    is_unknown, is_lost,
                    "{user}, {}: {}",
                    row.resource, row.without
                );
            }
        }
        if row.named_by.contains("lint") {
            let output = as_user(&user, &["lint", "-o", "json"]);
            let printed = match output.status.code() {
                Some(2) => String::from_utf8(output.stderr).unwrap(),
                _ => self::notes(&output),
            };
            assert!(names(&printed, row), "{user}, {}: {printed}", row.resource);
            let is_of_files = printed.contains("in the given files");
            assert!(!is_of_files, "{user}, {}: {printed}", row.resource);
        }
    }

    // Without all but the HPAs.
    let listed = String::from_utf8(as_user("few", &["list", "-o", "wide"]).stderr).unwrap();
    let asked_only_then = ["horizontalpodautoscalers", "pods", "*"];
    for row in &rows {
        let is_reached = row.is_of_control_plane || !asked_only_then.contains(&&*row.resource);
        if row.named_by.contains("list") && is_reached && row.resource != "nodes" {
            assert!(names(&listed, row), "{}: {listed}", row.resource);
        }
    }
    let captured = json_of(&as_user("few", &["capture", "web"]));
    let named = not_read(&captured);
    for row in &rows {
        if row.named_by.contains("explain")
            && !["horizontalpodautoscalers", "nodes"].contains(&&*row.resource)
            && (row.is_of_control_plane || row.resource != "pods")
            && row.group != "custom.metrics.k8s.io"
        {
            let is_named = named.iter().any(|one| names(one, row));
            assert!(is_named, "{}: {named:?}", row.resource);
        }
    }

    // In one namespace.
    let page = json_of(&as_user("limited", &["explain", "web", "-o", "json"]));
    assert_eq!(page["verdict"]["action"], "hold");
    let named = not_read(&page);
    let expected = ["nodes", "apiservices", "pods", "leases"];
    let is_expected = |one: &String| {
        let named = |what: &&str| one.contains(&format!("resources: [\"{what}\"]"));
        expected.iter().any(named)
    };
    assert!(
        named.len() == 4 && named.iter().all(is_expected),
        "{named:?}"
    );

    watches(&cluster);
}

/// `watch` shows everything with the manifest, names what it may not list, and lists what it may not watch.
fn watches(cluster: &Cluster) {
    let reports = [
        ("all", vec!["STAYS AT 3 (maxReplicas)"]),
        (
            "few",
            vec![
                r#"{apiGroups: [""], resources: ["pods"], verbs: ["list"]}"#,
                r#"{apiGroups: [""], resources: ["events"], verbs: ["list"]}"#,
                r#"{apiGroups: ["apps"], resources: ["deployments"], verbs: ["list"]}"#,
                r#"{apiGroups: ["apps"], resources: ["replicasets"], verbs: ["list"]}"#,
                r#"{apiGroups: ["external.metrics.k8s.io"], resources: ["queue_depth"], verbs: ["list"]}"#,
            ],
        ),
        (
            "lists",
            vec![
                "STAYS AT 3 (maxReplicas)",
                r#"{apiGroups: [""], resources: ["pods"], verbs: ["watch"]}; until then listed every 12 s"#,
                r#"{apiGroups: ["autoscaling"], resources: ["horizontalpodautoscalers"], verbs: ["watch"]}"#,
            ],
        ),
    ];
    for (user, expected) in reports {
        let file = cluster.file(&format!("watched-by-{user}.txt"));
        let mut watch = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(["watch", "web", "-o", "plain", "-n", "rights", "--as", user])
            .args(["--as-group", "system:authenticated"])
            .env("KUBECONFIG", cluster.file("kubeconfig"))
            .stdin(Stdio::null())
            .stdout(File::create(&file).unwrap())
            .spawn()
            .unwrap();
        eventually(&format!("watch shows {user} {expected:?}"), || {
            let text = fs::read_to_string(&file).unwrap();
            expected
                .iter()
                .all(|part| text.contains(part))
                .then_some(())
        });
        watch.kill().unwrap();
        watch.wait().unwrap();
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text.contains("cannot be read"), user != "all", "{text}");
    }
}

/// An HPA at its maximum with three sorts of metrics, one whose target is of another kind, and every kind of object that
/// the manifest names.
fn situation(cluster: &Arc<Cluster>) -> Namespace {
    let of_others = [
        ("Canary", "canaries", "flagger.app", "v1beta1"),
        (
            "EffectiveHorizontalPodAutoscaler",
            "effectivehorizontalpodautoscalers",
            "autoscaling.crane.io",
            "v1alpha1",
        ),
        (
            "IntelligentHorizontalPodAutoscaler",
            "intelligenthorizontalpodautoscalers",
            "autoscaling.kapacitystack.io",
            "v1alpha1",
        ),
        (
            "CronHorizontalPodAutoscaler",
            "cronhorizontalpodautoscalers",
            "autoscaling.alibabacloud.com",
            "v1beta1",
        ),
        (
            "AdvancedHorizontalPodAutoscaler",
            "advancedhorizontalpodautoscalers",
            "autoscaling.alibabacloud.com",
            "v1beta1",
        ),
        (
            "DatadogPodAutoscaler",
            "datadogpodautoscalers",
            "datadoghq.com",
            "v1alpha2",
        ),
        (
            "WatermarkPodAutoscaler",
            "watermarkpodautoscalers",
            "datadoghq.com",
            "v1alpha1",
        ),
        (
            "MultidimPodAutoscaler",
            "multidimpodautoscalers",
            "autoscaling.gke.io",
            "v1beta1",
        ),
        (
            "PredictiveHorizontalPodAutoscaler",
            "predictivehorizontalpodautoscalers",
            "jamiethompson.me",
            "v1alpha1",
        ),
        (
            "PodAutoscaler",
            "podautoscalers",
            "autoscaling.internal.knative.dev",
            "v1alpha1",
        ),
        ("HTTPRoute", "httproutes", "gateway.networking.k8s.io", "v1"),
        ("GRPCRoute", "grpcroutes", "gateway.networking.k8s.io", "v1"),
        (
            "TCPRoute",
            "tcproutes",
            "gateway.networking.k8s.io",
            "v1alpha2",
        ),
        ("TLSRoute", "tlsroutes", "gateway.networking.k8s.io", "v1"),
        ("Route", "routes", "route.openshift.io", "v1"),
        (
            "PrometheusRule",
            "prometheusrules",
            "monitoring.coreos.com",
            "v1",
        ),
    ];
    let mut definitions: Vec<Value> = of_others
        .iter()
        .map(|(of_kind, plural, group, version)| {
            let mut definition = kind(of_kind, plural, group, version);
            definition["metadata"]["annotations"] =
                json!({"api-approved.kubernetes.io": "unapproved, stands for the real one"});
            definition
        })
        .collect();
    definitions.extend(autoscaler_definitions());
    definitions.extend(widget_definitions());
    cluster.apply(&definitions);
    let namespace = free_namespace_in(cluster, "rights");
    namespace.metrics(&json!({"external": [{"metric": "queue_depth", "value": "95"}]}));
    let requests = json!({"metric": {"name": "requests"}, "target": average("100")});
    namespace.stop_settling();
    namespace.apply([
        deployment("web", 2)
            .pods("cpu", "50m")
            .pods("metric.requests", "150")
            .object(),
        hpa("web")
            .bounds(1, 3)
            .cpu(60)
            .metric("Pods", "pods", requests)
            .external("queue_depth", average("10"))
            .object(),
        hpa("other")
            .target("example.com/v1", "Widget", "other")
            .cpu(60)
            .object(),
    ]);
    eventually("the HPA is at its maximum", || {
        let hpa = namespace.get("hpa", "web");
        let is_at_max = hpa["status"]["currentReplicas"] == 3;
        (is_at_max && hpa["status"]["desiredReplicas"] == 3).then_some(())
    });
    namespace
}

/// A ClusterRole of that name and these rules, and its binding to the user of that name.
pub(crate) fn user(name: &str, rules: &Value) -> [Value; 2] {
    let mut binding = bound("", "ClusterRole", name, name);
    binding["kind"] = json!("ClusterRoleBinding");
    binding["metadata"] = json!({"name": name});
    [
        json!({
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRole",
            "metadata": {"name": name},
            "rules": rules,
        }),
        binding,
    ]
}

/// A role in a namespace, bound to the user and to the group of that name.
fn bound(namespace: &str, kind: &str, role: &str, whom: &str) -> Value {
    let group = "rbac.authorization.k8s.io";
    json!({
        "apiVersion": format!("{group}/v1"),
        "kind": "RoleBinding",
        "metadata": {"name": whom, "namespace": namespace},
        "roleRef": {"apiGroup": group, "kind": kind, "name": role},
        "subjects": [
            {"apiGroup": group, "kind": "User", "name": whom},
            {"apiGroup": group, "kind": "Group", "name": whom},
        ],
    })
}

/// The rules without this resource.
fn without(rules: &Value, row: &Row) -> Value {
    let mut kept = rules.as_array().unwrap().clone();
    let mut found = 0;
    for rule in &mut kept {
        if rule["apiGroups"] == json!([row.group]) {
            let resources = rule["resources"].as_array_mut().unwrap();
            let before = resources.len();
            resources.retain(|resource| *resource != row.resource);
            found += before - resources.len();
        }
    }
    assert_eq!(found, 1, "{} in {}", row.resource, row.group);
    kept.retain(|rule| rule["resources"] != json!([]));
    json!(kept)
}

fn without_watching(rules: &Value) -> Value {
    let mut rules = rules.clone();
    for rule in rules.as_array_mut().unwrap() {
        rule["verbs"]
            .as_array_mut()
            .unwrap()
            .retain(|verb| verb != "watch");
    }
    rules
}

/// Whether the text names the rule that grants one of the rights of the row.
fn names(text: &str, row: &Row) -> bool {
    let (group, resource) = match (&*row.group, &*row.resource) {
        ("*", "*/scale") => ("apps", "deployments/scale"),
        ("custom.metrics.k8s.io", "*") => ("custom.metrics.k8s.io", "pods/requests"),
        ("external.metrics.k8s.io", "*") => ("external.metrics.k8s.io", "queue_depth"),
        other => other,
    };
    row.verbs.iter().any(|verb| {
        text.contains(&format!(
            r#"{{apiGroups: ["{group}"], resources: ["{resource}"], verbs: ["{verb}"]}}"#
        ))
    })
}

/// The remedies of what was not read.
fn not_read(page: &Value) -> BTreeSet<String> {
    let not_read = page["notRead"].as_array().cloned().unwrap_or_default();
    not_read
        .iter()
        .map(|one| {
            format!(
                "{} {}",
                one["why"],
                one["remedy"].as_str().unwrap_or_default()
            )
        })
        .collect()
}

/// What `lint` could not check, and why.
fn notes(output: &Output) -> String {
    let report = json_of(output);
    let notes = report["notes"].as_array().unwrap().iter();
    let notes: Vec<&str> = notes
        .map(|note| note["message"].as_str().unwrap())
        .collect();
    notes.join("\n")
}

#[track_caller]
fn json_of(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr))
    })
}
