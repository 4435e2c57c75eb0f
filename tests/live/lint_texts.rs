//! Which fields are strings, to lint and to a real API server: every field of a full workload and of a full HPA gets a
//! boolean and a number.

use hpa_engine::model::Input as Given;
use hpa_lint::{LintInput, LintSettings, run};
use serde_json::{Value, json};

use crate::{
    lint_judge::{Proxy, collect, full},
    namespace::namespace,
    releases::version,
};

#[test]
fn the_api_server_needs_a_string_exactly_where_lint_says_so() {
    let _namespace = namespace("lint-texts");
    let proxy = Proxy::start();
    let mut differences = Vec::new();
    let mut fields = 0;
    for (resource, manifest) in [
        ("deployments", workload()),
        ("horizontalpodautoscalers", full()),
    ] {
        let (status, body) = proxy.dry_run("lint-texts", resource, &manifest);
        assert_eq!(status, 201, "{body}");
        let mut pointers = Vec::new();
        collect(&manifest, "", &mut pointers);
        pointers.retain(|one| manifest.pointer(one).is_some_and(is_scalar));
        for (pointer, value) in pointers
            .iter()
            .flat_map(|one| [(one, json!(true)), (one, json!(7))])
        {
            let mut changed = manifest.clone();
            *changed.pointer_mut(pointer).unwrap() = value.clone();
            let (_, body) = proxy.dry_run("lint-texts", resource, &changed);
            let is_text = manifest.pointer(pointer).is_some_and(Value::is_string);
            // An integer or a string, as `maxUnavailable` is.
            let takes_integers = body.contains("of type int32");
            let needs_text = is_text && body.contains("cannot unmarshal") && !takes_integers;
            let found = found(&changed);
            if found.len() != usize::from(needs_text) {
                differences.push(format!("{pointer}={value}: {body}: {found:?}"));
            }
            fields += usize::from(needs_text);
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(200 < fields, "{fields}");
}

fn is_scalar(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

fn found(manifest: &Value) -> Vec<String> {
    let mut input = LintInput::default();
    input.add_text("object.json", &manifest.to_string(), true);
    let report = run(&input, &LintSettings::new(Given::given(version())));
    let found = report.findings.into_iter();
    found
        .map(|one| one.finding.message.to_string())
        .filter(|message| message.ends_with("but the field needs a string"))
        .collect()
}

/// A Deployment with every string field that lint knows, and fields of other types next to them.
fn workload() -> Value {
    let selector = json!({
        "matchLabels": {"app": "web"},
        "matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}],
    });
    let handler = json!({"httpGet": {
        "host": "h", "path": "/", "port": "http", "scheme": "HTTP", "httpHeaders": [{"name": "A", "value": "b"}],
    }});
    let probe = |own: Value| {
        let mut probe = own;
        probe["periodSeconds"] = json!(5);
        probe
    };
    let term = json!({
        "labelSelector": selector, "namespaceSelector": selector, "namespaces": ["n"], "topologyKey": "zone",
    });
    let expressions = json!([{"key": "a", "operator": "In", "values": ["b"]}]);
    let node_term = json!({"matchExpressions": expressions, "matchFields": [
        {"key": "metadata.name", "operator": "In", "values": ["b"]},
    ]});
    let env = json!([
        {"name": "A", "value": "b"},
        {"name": "B", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}},
        {"name": "C", "valueFrom": {"resourceFieldRef": {"containerName": "main", "resource": "limits.cpu", "divisor": "1"}}},
        {"name": "D", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k", "optional": true}}},
        {"name": "E", "valueFrom": {"configMapKeyRef": {"name": "s", "key": "k"}}},
    ]);
    let container = json!({
        "name": "main", "image": "i", "imagePullPolicy": "Always", "workingDir": "/w", "tty": true,
        "command": ["c"], "args": ["a", "b"],
        "terminationMessagePath": "/t", "terminationMessagePolicy": "File",
        "env": env,
        "envFrom": [{"prefix": "P", "configMapRef": {"name": "c"}}, {"secretRef": {"name": "s"}}],
        "lifecycle": {"postStart": {"exec": {"command": ["c"]}}, "preStop": {"tcpSocket": {"host": "h", "port": 80}}},
        "ports": [{"containerPort": 80, "name": "http", "protocol": "TCP", "hostIP": "1.2.3.4"}],
        "livenessProbe": probe(handler),
        "readinessProbe": probe(json!({"grpc": {"port": 80, "service": "s"}})),
        "startupProbe": probe(json!({"tcpSocket": {"host": "h", "port": "http"}})),
        "resizePolicy": [{"resourceName": "cpu", "restartPolicy": "NotRequired"}],
        "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "2"}},
        "securityContext": {
            "capabilities": {"add": ["A"], "drop": ["B"]}, "runAsUser": 5,
            "seccompProfile": {"type": "Localhost", "localhostProfile": "p"},
        },
        "volumeDevices": [{"name": "claim", "devicePath": "/d"}],
        "volumeMounts": [
            {"name": "a", "mountPath": "/m", "subPath": "s", "mountPropagation": "None", "readOnly": true},
            {"name": "a", "mountPath": "/n", "subPathExpr": "s"},
        ],
    });
    let init = json!({"name": "init", "image": "i", "restartPolicy": "Always"});
    let weighted = |field: &str, value: &Value| json!([{"weight": 1, field: value}]);
    let pod_affinity = json!({
        "preferredDuringSchedulingIgnoredDuringExecution": weighted("podAffinityTerm", &term),
        "requiredDuringSchedulingIgnoredDuringExecution": [term],
    });
    let mut pod = json!({
                    "affinity": {
                        "nodeAffinity": {
                            "preferredDuringSchedulingIgnoredDuringExecution": weighted("preference", &node_term),
                            "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [node_term]},
                        },
                        "podAffinity": pod_affinity,
                        "podAntiAffinity": pod_affinity,
                    },
                    "containers": [container],
                    "initContainers": [init],
                    "dnsConfig": {"nameservers": ["1.1.1.1"], "searches": ["s"], "options": [{"name": "n", "value": "v"}]},
                    "dnsPolicy": "None",
                    "hostAliases": [{"ip": "1.2.3.4", "hostnames": ["h"]}],
                    "hostname": "h", "subdomain": "s", "nodeName": "n", "hostNetwork": false,
                    "imagePullSecrets": [{"name": "s"}]});
    let others = json!({"nodeSelector": {"a": "b"},
        "preemptionPolicy": "Never", "restartPolicy": "Always", "runtimeClassName": "r",
        "schedulerName": "s", "serviceAccountName": "s", "serviceAccount": "s",
        "securityContext": {
            "fsGroup": 5, "fsGroupChangePolicy": "Always",
            "seccompProfile": {"type": "Localhost", "localhostProfile": "p"},
            "sysctls": [{"name": "kernel.shm_rmid_forced", "value": "1"}],
        },
        "terminationGracePeriodSeconds": 5,
        "tolerations": [{"key": "k", "operator": "Equal", "value": "v", "effect": "NoExecute", "tolerationSeconds": 5}],
        "topologySpreadConstraints": [{
            "maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": selector,
            "matchLabelKeys": ["c"], "nodeAffinityPolicy": "Honor", "nodeTaintsPolicy": "Honor",
        }],
        "volumes": [
            {"name": "a", "configMap": {"name": "c", "defaultMode": 420, "items": [{"key": "k", "path": "p"}]}},
            {"name": "b", "secret": {"secretName": "s", "items": [{"key": "k", "path": "p"}]}},
            {"name": "c", "emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}},
            {"name": "d", "hostPath": {"path": "/p", "type": "Directory"}},
            {"name": "claim", "persistentVolumeClaim": {"claimName": "c", "readOnly": true}},
        ],
    });
    for (field, value) in others.as_object().unwrap() {
        pod[field] = value.clone();
    }
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "name": "web", "labels": {"a": "b"}, "annotations": {"a": "b"}, "finalizers": ["example.com/a"],
        },
        "spec": {
            "replicas": 2,
            "paused": true,
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": "10%"}},
            "selector": {"matchLabels": {"app": "web"}, "matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]},
            "template": {
                "metadata": {"labels": {"app": "web", "a": "b"}, "annotations": {"c": "d"}},
                "spec": pod,
            },
        },
    })
}
