//! `lint` of a cluster: the number of requests, and its output without permissions.

use std::{fs, net::TcpListener};

use clap::ValueEnum as _;
use kubectl_hpa::cli::LintFormat;
use serde_json::{Value, json};

use crate::{
    plugin::{Plugin, kubeconfig},
    server::{Answer, Server},
    world::{self, EVENTS, HPAS, POD_METRICS, PODS, forbidden, list},
};

const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/shop/deployments";

/// Gives the namespace this many HPAs, each with a Deployment and a pod.
fn populate(server: &Server, number: usize) {
    let names: Vec<String> = (0..number).map(|index| format!("web-{index}")).collect();
    let each = |item: fn(&str) -> Value| list(names.iter().map(|name| item(name)).collect());
    server
        .set_json(HPAS, &each(hpa))
        .set_json(DEPLOYMENTS, &each(deployment))
        .set_json(PODS, &each(pod))
        .set_json(POD_METRICS, &each(usage));
}

fn hpa(name: &str) -> Value {
    let mut hpa = world::hpa(name);
    hpa["spec"]["scaleTargetRef"]["name"] = json!(name);
    hpa["status"]["currentReplicas"] = json!(1);
    hpa["status"]["desiredReplicas"] = json!(1);
    hpa["status"]["conditions"] = json!([
        {"type": "AbleToScale", "status": "True", "reason": "ReadyForNewScale", "lastTransitionTime": "2026-01-01T00:00:00Z"},
        {"type": "ScalingActive", "status": "True", "reason": "ValidMetricFound", "lastTransitionTime": "2026-01-01T00:00:00Z"},
    ]);
    hpa
}

fn deployment(name: &str) -> Value {
    json!({
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {
            "replicas": 1, "selector": {"matchLabels": {"app": name}},
            "template": {"metadata": {"labels": {"app": name}}, "spec": {"containers": [
                {"name": "main", "resources": {"requests": {"cpu": "100m"}}, "readinessProbe": {}},
            ]}},
        },
        "status": {"replicas": 1, "readyReplicas": 1, "updatedReplicas": 1},
    })
}

fn pod(name: &str) -> Value {
    let mut pod = world::pod(name);
    pod["metadata"]["labels"] = json!({"app": name});
    pod
}

fn usage(name: &str) -> Value {
    let mut usage = world::usage(name, "50m");
    usage["metadata"]["labels"] = json!({"app": name});
    usage
}

fn paths(server: &Server) -> Vec<String> {
    let mut paths: Vec<String> = server.seen().into_iter().map(|seen| seen.path).collect();
    paths.sort();
    paths
}

#[test]
fn requests_do_not_grow_with_the_number_of_hpas() {
    let [few, many] = [5, 500].map(|number| {
        let server = Server::start();
        populate(&server, number);
        let run = Plugin::of(&server).run(&["lint"]);
        assert!(run.code.is_some_and(|code| code < 2), "{run:?}");
        assert!(
            !run.stdout.contains("HPA401") && !run.stdout.contains("HPA801"),
            "{run:?}"
        );
        paths(&server)
    });
    assert_eq!(few, many);
    // Only the leader's lease and the version are read individually.
    assert!(few.len() < 40, "{few:#?}");
    assert!(!few.iter().any(|path| path.contains("/web-")), "{few:#?}");
}

#[test]
fn rules_that_need_what_may_not_be_read_are_named_with_the_missing_right() {
    let server = Server::start();
    populate(&server, 2);
    for (path, what) in [(PODS, "pods"), (EVENTS, "events")] {
        server.set(path, Answer::status(&forbidden(what)));
    }
    let run = Plugin::of(&server).run(&["lint"]);
    assert!(run.code.is_some_and(|code| code < 2), "{run:?}");
    // Notes are wrapped in text output.
    let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for (code, right) in [
        (
            "HPA706",
            "needs permission to list pods in the core API group, namespace shop",
        ),
        (
            "HPA901",
            "needs permission to list events in the core API group, namespace shop",
        ),
    ] {
        let note = text
            .split("note[HPA013 not-evaluated]")
            .find(|note| note.contains(right))
            .unwrap_or_else(|| panic!("no note with {right:?} in {}", run.stdout));
        assert!(note.contains(code), "{note}");
        // What several HPAs lack alike is reported once.
        assert!(!note.contains("web-0"), "{note}");
    }
}

#[test]
fn a_target_that_the_list_does_not_have_is_missing() {
    let server = Server::start();
    populate(&server, 2);
    server.set_json(DEPLOYMENTS, &list(vec![deployment("web-0")]));
    let run = Plugin::of(&server).run(&["lint"]);
    assert_eq!(
        server.count("/apis/apps/v1/namespaces/shop/deployments/web-1/scale"),
        0
    );
    assert_eq!(run.code, Some(1), "{run:?}");
    let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("Deployment/web-1 does not exist in namespace shop"),
        "{text}"
    );
    assert!(!text.contains("Deployment/web-0 is not"), "{text}");
}

/// A plugin whose kubeconfig has these contexts; the last one is the current one.
pub(crate) fn plugin_of(contexts: &[(&str, &str)]) -> Plugin {
    let plugin = Plugin::bare();
    let paths: Vec<String> = contexts
        .iter()
        .map(|(name, url)| {
            let path = plugin.write(name, &kubeconfig(name, url));
            path.to_str().unwrap().to_owned()
        })
        .collect();
    plugin.with("KUBECONFIG", &paths.join(":"))
}

/// Context, HPA and fingerprint of each finding of a rule.
fn found(output: &Value, code: &str) -> Vec<[String; 3]> {
    let findings = output["findings"].as_array().unwrap();
    findings
        .iter()
        .filter(|finding| finding["code"] == code)
        .map(|finding| {
            [
                &finding["object"]["context"],
                &finding["object"]["name"],
                &finding["fingerprint"],
            ]
            .map(|value| value.as_str().unwrap().to_owned())
        })
        .collect()
}

#[test]
fn clusters_of_several_contexts_are_judged_each_by_itself() {
    let [eu, us] = [(); 2].map(|()| Server::start());
    for server in [&eu, &us] {
        populate(server, 2);
    }
    // Each cluster lacks what the other one has, so a merged world would lack nothing.
    eu.set_json(DEPLOYMENTS, &list(vec![deployment("web-0")]));
    us.set_json(DEPLOYMENTS, &list(vec![deployment("web-1")]));
    let plugin = plugin_of(&[("eu", &eu.url()), ("us", &us.url())]);
    let run = plugin.run(&["lint", "--contexts", "eu,us", "-o", "json"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let output: Value = serde_json::from_str(&run.stdout).unwrap();
    let missing = found(&output, "HPA401");
    let names: Vec<[&str; 2]> = missing.iter().map(|[a, b, _]| [&**a, &**b]).collect();
    assert_eq!(names, [["eu", "web-1"], ["us", "web-0"]]);
    assert_eq!(output["summary"]["hpas"], 4);
    let notes = output["notes"].as_array().unwrap();
    for context in ["eu", "us"] {
        assert!(notes.iter().any(|note| note["context"] == context));
    }

    let fully_qualified = r#""fullyQualifiedName": "eu/HorizontalPodAutoscaler/shop/web-1#"#;
    for format in LintFormat::value_variants() {
        let named = match format {
            LintFormat::Json => r#""context": "eu""#,
            LintFormat::Sarif => fully_qualified,
            _ => "hpa/web-1 in namespace shop of context eu",
        };
        let format = format.name();
        let run = plugin.run(&["lint", "--all-contexts", "-o", &format]);
        assert!(run.stdout.contains(named), "{format}: {}", run.stdout);
    }

    // A suppression in one cluster does not apply to another.
    let baseline = [
        "lint",
        "--contexts",
        "eu",
        "--write-baseline",
        "accepted.json",
    ];
    let run = plugin.run(&baseline);
    assert_eq!(run.code, Some(0), "{run:?}");
    us.set_json(DEPLOYMENTS, &list(vec![deployment("web-0")]));
    let words = [
        "lint",
        "--contexts=eu,us",
        "--baseline=accepted.json",
        "-ojson",
    ];
    let run = plugin.run(&words);
    let output: Value = serde_json::from_str(&run.stdout).unwrap();
    let names: Vec<String> = found(&output, "HPA401").concat();
    assert_eq!(&names[..2], ["us", "web-1"], "{run:?}");
    assert_eq!(names.len(), 3);

    let run = plugin.run(&["lint", "--contexts", "eu", "--context", "us"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("cannot be used with"), "{run:?}");
}

#[test]
fn a_context_that_is_down_is_an_error_and_the_others_are_still_reported() {
    let server = Server::start();
    populate(&server, 1);
    server.set_json(DEPLOYMENTS, &list(Vec::new()));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let down = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let plugin = plugin_of(&[("eu", &down), ("us", &server.url())]);
    let run = plugin.run(&[
        "lint",
        "--contexts",
        "eu",
        "--contexts",
        "us,ap",
        "-o",
        "json",
    ]);
    assert_eq!(run.code, Some(2), "{run:?}");
    let output: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(found(&output, "HPA401").len(), 1);
    let [eu, ap] = run.stderr.lines().collect::<Vec<_>>()[..] else {
        panic!("{run:?}");
    };
    assert!(
        eu.starts_with("error: context eu: the connection to the server"),
        "{eu}"
    );
    assert!(ap.starts_with("error: context ap: "), "{ap}");

    // A partial baseline would suppress less than it says.
    let words = [
        "lint",
        "--contexts",
        "eu,us",
        "--write-baseline",
        "accepted.json",
    ];
    assert_eq!(plugin.run(&words).code, Some(2));
    assert!(!fs::exists(plugin.path("accepted.json")).unwrap());

    let run = plugin.run(&["lint", "--contexts", "eu", "-o", "json"]);
    assert_eq!((run.code, &*run.stdout), (Some(2), ""), "{run:?}");
}
