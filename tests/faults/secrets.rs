//! Secrets are planted wherever they could be in a cluster or the settings, and searched in everything that is
//! written.

use std::fs;

use serde_json::{Value, json};

use crate::{
    matrix::world as rich,
    plugin::{Plugin, kubeconfig},
    server::Server,
    watch::{first_line, record, written},
    world::{self, DEPLOYMENTS, HPAS, PODS, TARGET},
};

/// The planted secret.
const CANARY: &str = "hunter2";

/// A world with the secret in environment variables, references, arguments, images, volumes, annotations, and
/// kubectl's last applied configuration.
fn planted() -> Server {
    let server = Server::start();
    server.allow_watches();
    for (path, mut body) in rich::answers() {
        plant(&mut body);
        server.set_json(&path, &body);
    }
    let mut deployment = world::deployment();
    deployment["spec"]["template"]["spec"] = spec();
    plant(&mut deployment);
    server
        .set_json(TARGET, &deployment)
        .set_json(DEPLOYMENTS, &world::list(vec![deployment]));
    let trigger = json!({
        "type": "prometheus", "authenticationRef": {"name": CANARY},
        "metadata": {"serverAddress": "https://eve:hunter2@prometheus.example.com/?token=hunter2", "query": "up", "password": CANARY},
    });
    let scaled = json!({
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"scaleTargetRef": {"name": "web"}, "triggers": [trigger]},
    });
    server.set_json(
        "/apis/keda.sh/v1alpha1/namespaces/shop/scaledobjects",
        &world::list(vec![scaled]),
    );
    server
}

/// A pod spec with the secret everywhere.
fn spec() -> Value {
    json!({
        "serviceAccountName": CANARY, "nodeName": CANARY, "imagePullSecrets": [{"name": CANARY}],
        "volumes": [{"name": CANARY, "secret": {"secretName": CANARY}}, {"name": "b", "configMap": {"name": CANARY}}],
        "containers": [{
            "name": "main", "image": "eve:hunter2@example.com/web", "command": [CANARY], "args": ["--password=hunter2"],
            "env": [
                {"name": "PASSWORD", "value": CANARY},
                {"name": "URL", "value": "https://eve:hunter2@example.com"},
                {"name": "B", "valueFrom": {"secretKeyRef": {"name": CANARY, "key": CANARY}}},
            ],
            "envFrom": [{"configMapRef": {"name": CANARY}}, {"secretRef": {"name": CANARY}}],
            "volumeMounts": [{"name": CANARY, "mountPath": "/hunter2"}],
            "livenessProbe": {"httpGet": {"path": "/?token=hunter2", "httpHeaders": [{"name": "Authorization", "value": CANARY}]}},
            "readinessProbe": {"exec": {"command": [CANARY]}},
            "lifecycle": {"preStop": {"exec": {"command": [CANARY]}}},
            "resources": {"requests": {"cpu": "100m"}},
        }],
    })
}

/// Adds annotations to every object, and the secret to every pod.
fn plant(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(plant),
        Value::Object(fields) => {
            fields.values_mut().for_each(plant);
            if let Some(Value::Object(metadata)) = fields.get_mut("metadata") {
                metadata.insert(
                    "annotations".to_owned(),
                    json!({
                        "example.com/password": CANARY,
                        "hunter2.example.com/a": "b",
                        "kubectl.kubernetes.io/last-applied-configuration": "{\"env\": \"hunter2\"}",
                    }),
                );
            }
            if fields
                .get("spec")
                .is_some_and(|spec| spec["containers"].is_array())
            {
                fields.insert("spec".to_owned(), spec());
            }
        }
        _ => {}
    }
}

#[test]
fn what_is_captured_recorded_and_shown_has_no_secret() {
    let server = planted();
    assert!(server.answer(PODS).contains(CANARY) && server.answer(HPAS).contains(CANARY));
    let plugin = Plugin::of(&server);
    for words in [
        &["capture"][..],
        &["capture", "web", "-o", "captured.jsonl"],
        &[
            "capture",
            "--every=200ms",
            "--for=500ms",
            "-o",
            "recorded.jsonl",
        ],
        &["explain", "web", "-v"],
        &["explain", "web", "-o", "json"],
        &["explain", "web", "-o", "html"],
        &["explain", "worker", "-v"],
        &["list", "-o", "json"],
        &["lint"],
        &["lint", "-o", "json"],
        &["lint", "-o", "sarif"],
        &["version", "-o", "json"],
    ] {
        let run = plugin.run(words);
        assert!(run.code.is_some_and(|code| code < 2), "{words:?}: {run:?}");
        assert!(!run.stdout.is_empty() || words.contains(&"-o"), "{words:?}");
        for text in [&run.stdout, &run.stderr] {
            assert_clean(words, text);
        }
    }
    for name in ["captured.jsonl", "recorded.jsonl"] {
        let text = fs::read_to_string(plugin.path(name)).unwrap();
        assert!(text.contains("\"scaleTargetRef\""), "{name}: {text}");
        assert_clean(&[name], &text);
    }
    // An output that is explicitly unredacted may contain it.
    let whole = plugin.run(&["capture", "--no-redact"]).stdout;
    assert!(whole.contains(CANARY), "{whole}");
}

#[cfg(unix)]
#[test]
fn what_watch_prints_and_records_has_no_secret() {
    let server = planted();
    let mut synced = written(2, 2, 50);
    plant(&mut synced);
    server.report(HPAS, "MODIFIED", &synced);
    let plugin = Plugin::of(&server);
    let words = ["--output=jsonl", "--record=watched.jsonl"];
    let run = record(&plugin, &words, "watched.jsonl");
    assert!(run.stdout.contains("\"web\""), "{run:?}");
    assert_clean(&words, &run.stdout);
    assert_clean(&words, &run.stderr);
    let text = fs::read_to_string(plugin.path("watched.jsonl")).unwrap();
    assert!(text.contains("\"scaleTargetRef\""), "{text}");
    assert_clean(&words, &text);
}

/// A world whose HPA scales an object that must not be read.
fn scaling(kind: &str, resource: &str) -> Server {
    let server = Server::start();
    server.allow_watches();
    let mut hpa = world::hpa("web");
    hpa["metadata"]["resourceVersion"] = json!("1");
    hpa["spec"]["scaleTargetRef"] =
        json!({"apiVersion": "v1", "kind": kind, "name": "db-password"});
    let object = json!({
        "apiVersion": "v1", "kind": kind, "metadata": {"name": "db-password", "namespace": "shop"},
        "data": {"password": CANARY}, "status": {"selector": "app=web"},
    });
    let path = format!("/api/v1/namespaces/shop/{resource}");
    server
        .set_json(HPAS, &world::list(vec![hpa.clone()]))
        .set_json(
            "/apis/autoscaling/v2/horizontalpodautoscalers",
            &world::list(vec![hpa]),
        )
        .set_json(
            "/api/v1",
            &json!({"kind": "APIResourceList", "resources": [
                {"name": resource, "kind": kind, "namespaced": true},
            ]}),
        )
        .set_json(&format!("{path}/db-password"), &object)
        .set_json(
            &format!("/api/v1/{resource}"),
            &world::list(vec![object.clone()]),
        )
        .set_json(&path, &world::list(vec![object]));
    server
}

#[test]
fn secret_or_config_map_that_an_hpa_scales_is_not_read() {
    for (kind, resource) in [("Secret", "secrets"), ("ConfigMap", "configmaps")] {
        let server = scaling(kind, resource);
        let plugin = Plugin::of(&server);
        // As a real API server answers.
        let answer = "\"the server could not find the requested resource\"";
        for words in [
            &["capture", "web", "--no-redact"][..],
            &["explain", "web", "-v"],
            &["explain", "web", "-o", "json"],
            &["list", "-o", "json"],
            &["list", "-A", "-o", "json"],
            &["lint", "-o", "json"],
            &["lint", "-A"],
            &["watch", "web", "-o", "jsonl"],
            &["watch", "-A", "-o", "jsonl"],
        ] {
            let run = match words {
                ["watch", flags @ ..] => first_line(&plugin, flags),
                _ => plugin.run(words),
            };
            assert!(!run.stdout.is_empty(), "{words:?}: {run:?}");
            for text in [&run.stdout, &run.stderr] {
                assert_clean(words, text);
            }
            if words[0] == "capture" || words.ends_with(&["json"]) && words[0] == "explain" {
                assert!(run.stdout.contains(answer), "{words:?}: {run:?}");
            }
        }
        // The server's audit would also show it.
        let seen = server.seen();
        let proposal = seen.iter().find(|seen| seen.path.contains(resource));
        assert!(proposal.is_none(), "{proposal:?}");
    }
}

#[test]
fn object_that_cannot_be_scaled_is_not_read_but_its_scale_is_requested() {
    let server = scaling("Binding", "bindings");
    let snapshot = Plugin::of(&server).capture(&["web"]);
    assert_eq!(
        snapshot["scaleError"]["message"],
        "the server could not find the requested resource (get bindings db-password)",
        "{snapshot:#}"
    );
    assert!(snapshot["target"].is_null(), "{snapshot:#}");
    let seen = server.seen();
    let proposal = seen.iter().filter(|seen| seen.path.contains("/bindings"));
    let proposal: Vec<&str> = proposal.map(|seen| seen.path.as_str()).collect();
    assert_eq!(
        proposal,
        ["/api/v1/namespaces/shop/bindings/db-password/scale"]
    );
}

#[test]
fn no_message_has_a_secret_of_the_settings() {
    let server = planted();
    let address = server.url().replace("http://", "");
    let with_password = format!("http://eve:hunter2@{address}");
    let closed = "http://eve:hunter2@127.0.0.1:1";
    let plugin = Plugin::bare();
    let user = "{token: hunter2, username: eve, password: hunter2}";
    let config = |server: &str| kubeconfig("test", server).replace("{token: secret-of-test}", user);
    plugin.write("right", &config(&with_password));
    plugin.write("closed", &config(closed));
    plugin.write("broken", &(config(closed) + "  - broken: [\n"));
    plugin.write(
        "shape",
        &config(closed).replace("password: hunter2", "password: {a: hunter2}"),
    );
    plugin.write(
        "key",
        &config(closed).replace(
            "username: eve",
            "client-key-data: hunter2, client-certificate-data: hunter2",
        ),
    );
    plugin.write(
        "proxy",
        &config("http://kube.example.com").replace(
            "server:",
            "proxy-url: \"http://eve:hunter2@127.0.0.1:1\", server:",
        ),
    );
    plugin.write(
        "odd-proxy",
        &config("http://kube.example.com").replace(
            "server:",
            "proxy-url: \"gopher://eve:hunter2@127.0.0.1:1\", server:",
        ),
    );
    plugin.write("odd", &config("ftp://eve:hunter2@127.0.0.1:1"));
    for (file, url) in [
        ("slash", "https://eve:a/hunter2@127.0.0.1:1"),
        ("half", "https:/eve:hunter2@127.0.0.1"),
        ("query", "https://eve:hunter2?b@127.0.0.1:1"),
    ] {
        plugin.write(file, &config(url));
        let proxy = format!("proxy-url: \"{url}\", server:");
        let config = config("http://kube.example.com").replace("server:", &proxy);
        plugin.write(&format!("{file}-proxy"), &config);
    }
    plugin.write(
        "no-scheme-proxy",
        &config("http://kube.example.com").replace(
            "server:",
            "proxy-url: \"//eve:hunter2@127.0.0.1:1\", server:",
        ),
    );
    for file in [
        "right",
        "closed",
        "broken",
        "shape",
        "key",
        "proxy",
        "odd-proxy",
        "odd",
        "slash",
        "half",
        "query",
        "slash-proxy",
        "half-proxy",
        "query-proxy",
        "no-scheme-proxy",
    ] {
        for words in [
            &["list"][..],
            &["capture"],
            &["watch", "-o", "plain", "--timeout=1s"],
            &["lint"],
            &["version"],
            &["list", "--user=other"],
            &["list", "--context=other"],
        ] {
            let mut words = words.to_vec();
            words.extend(["--kubeconfig", file, "--request-timeout=2s"]);
            let run = plugin.run(&words);
            for text in [&run.stdout, &run.stderr] {
                assert_clean(&words, text);
            }
        }
    }
    // Nor in a recording, which contains messages.
    server.set(
        PODS,
        crate::server::Answer::text(200, "text/html", "<html>"),
    );
    let run = plugin.run(&["capture", "web", "--kubeconfig=right"]);
    if run.code == Some(0) {
        assert!(run.stdout.contains("text/html"), "{run:?}");
        assert_clean(&["capture"], &run.stdout);
    }
}

#[track_caller]
fn assert_clean(words: &[&str], text: &str) {
    if let Some(at) = text.find(CANARY) {
        let begin = text[..at]
            .char_indices()
            .rev()
            .nth(100)
            .map_or(0, |(at, _)| at);
        let near: String = text[begin..].chars().take(160).collect();
        panic!("{words:?}: {near:?}");
    }
}
