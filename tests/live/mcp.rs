//! An agent with a real control plane.

use serde_json::{Value, json};

use crate::{
    agent::Agent,
    cluster::cluster,
    manifest::{deployment, hpa},
    namespace::namespace,
};

#[test]
fn agent_reads_a_real_cluster_through_every_tool() {
    let namespace = namespace("agent");
    let other = crate::namespace::namespace("agent-other");
    namespace.apply([
        deployment("web", 2).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
    ]);
    other.apply([
        deployment("hidden", 2).pods("cpu", "90m").object(),
        hpa("hidden").cpu(60).object(),
    ]);
    // No server listens there: the tool says so, and the cluster is not searched.
    let agent =
        Agent::start(namespace.kubectl(["hpa", "mcp", "--prometheus", "http://127.0.0.1:9"]));
    let names: Vec<String> = agent
        .tools()
        .iter()
        .map(|tool| tool.name.to_string())
        .collect();
    assert_eq!(
        names,
        [
            "hpa_list",
            "hpa_explain",
            "hpa_lint",
            "hpa_simulate",
            "hpa_history"
        ]
    );
    assert!(agent.instructions().contains("They only read"));
    let listed = agent.call("hpa_list", json!({}));
    assert_eq!(listed.json()["items"][0]["name"], "web");
    let explained = agent.call("hpa_explain", json!({"name": "web", "detail": "full"}));
    assert_eq!(explained.json()["verdict"]["to"], 3);
    namespace.decides("2 → 3: SucceededRescale ValidMetricFound !DesiredWithinRange");
    let linted = agent.call("hpa_lint", json!({}));
    assert_eq!(linted.json()["summary"]["hpas"], 1);
    let simulated = agent.call(
        "hpa_simulate",
        json!({"name": "web", "load": "x2", "for": "5m", "seeds": 1, "detail": "full"}),
    );
    assert_eq!(simulated.json()["name"], "web");
    let past = agent.call("hpa_history", json!({"name": "web"}));
    assert!(past.error().contains("127.0.0.1:9"), "{past:?}");
    for input in [
        json!({"name": "hidden"}),
        json!({"name": "hidden", "namespace": other.name()}),
        json!({"name": format!("{}/hidden", other.name())}),
    ] {
        let requested = input.to_string().contains(other.name());
        let refused = agent.call("hpa_explain", input);
        // What the agent itself wrote is no secret.
        let quotes = refused.error().contains(other.name());
        assert_eq!(quotes, requested, "{refused:?}");
        assert!(!refused.error().contains("Found"), "{refused:?}");
    }
    for answer in [&listed, &explained, &linted, &simulated] {
        for text in &answer.texts {
            assert!(!text.contains(other.name()), "{text}");
        }
    }
    assert!(agent.end().success());
    let reads = cluster().assert_only_read();
    assert!(10 < reads, "only {reads} requests are in the log");
}

#[test]
fn files_for_argo_cd_are_what_the_api_server_accepts() {
    let namespace = namespace("argo-cd");
    let folder = tempfile::TempDir::new().unwrap();
    let files = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("integrations/argocd");
    for name in ["kustomization.yaml", "pre-sync.yaml"] {
        std::fs::copy(files.join(name), folder.path().join(name)).unwrap();
    }
    let web = hpa("web").cpu(60).object();
    std::fs::write(folder.path().join("web.yaml"), web.to_string()).unwrap();
    let path = folder.path().to_str().unwrap();
    let made = crate::cluster::succeed(&mut namespace.kubectl([
        "apply",
        "--dry-run=server",
        "-o",
        "json",
        "-k",
        path,
    ]));
    let made: Value = serde_json::from_str(&made).unwrap();
    let kinds: Vec<&Value> = made["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["kind"])
        .collect();
    assert_eq!(kinds, ["ConfigMap", "Job"]);
    let job = &made["items"][1];
    let container = &job["spec"]["template"]["spec"]["containers"][0];
    assert_eq!(container["image"], "kubectl-hpa:0.1.0");
}
