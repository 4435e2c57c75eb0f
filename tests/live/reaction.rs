//! How long it takes from a load to ready pods, in seconds from the timestamps of the workload.

use serde_json::{Value, json};

use crate::{
    manifest::{deployment, hpa},
    namespace::namespace,
};

/// The delay called `cause`.
fn delay<'a>(page: &'a Value, cause: &str) -> &'a Value {
    let delays = page["reaction"].as_array().unwrap();
    delays
        .iter()
        .find(|delay| delay["cause"] == cause)
        .unwrap_or_else(|| panic!("no {cause} in {delays:#?}"))
}

/// The pods run a minute after they were made, 12 s of which their image took, and get ready half a minute later; the HPA
/// may add one pod each 90 s. All of that is in timestamps of the cluster.
#[test]
fn every_cause_of_delay_has_its_seconds_and_the_largest_is_named() {
    let namespace = namespace("reaction");
    let mut workload = deployment("web", 2)
        .pods("memory", "180Mi")
        .pods("start-age", "-60s")
        .pods("ready-since", "-90s")
        .pods("metrics-window", "20s")
        .object();
    workload["spec"]["template"]["spec"]["containers"][0]["readinessProbe"] =
        json!({"tcpSocket": {"port": 80}, "initialDelaySeconds": 25, "periodSeconds": 5});
    let slowly =
        json!({"scaleUp": {"policies": [{"type": "Pods", "value": 1, "periodSeconds": 90}]}});
    let memory = json!({"type": "Utilization", "averageUtilization": 30});
    namespace.apply([
        workload,
        hpa("web")
            .resource("memory", memory)
            .behavior(slowly)
            .object(),
        hpa("other").cpu(30).object(),
    ]);
    let pods = namespace.list("pods");
    let pulled = |pod: &Value| {
        let name = &pod["metadata"]["name"];
        json!({
            "apiVersion": "v1", "kind": "Event",
            "metadata": {"name": format!("pulled-{}", name.as_str().unwrap())},
            "involvedObject": {"apiVersion": "v1", "kind": "Pod", "name": name, "namespace": "reaction"},
            "type": "Normal", "reason": "Pulled",
            "message": "Successfully pulled image \"example.com/image\" in 9s (12s including waiting). \
                        Image size: 123 bytes.",
        })
    };
    namespace.apply([pulled(&pods[0]), pulled(&pods[1])]);
    let page = namespace.page("web");
    // 90% / 30% × 2 pods ask for 6; one more pod each 90 s: 3 at once, then three more.
    assert_eq!(page["verdict"]["to"], 3);
    let seconds = |cause: &str| delay(&page, cause)["seconds"].as_f64().unwrap();
    assert!((seconds("sample window") - 20.0).abs() < 1e-6);
    assert!((seconds("sync period") - 1.0).abs() < 1e-6);
    assert!(seconds("stabilization").abs() < 1e-6);
    assert!(seconds("tolerance").abs() < 1e-6);
    assert!((seconds("readiness") - 30.0).abs() < 1e-6);
    assert!((seconds("image pull") - 12.0).abs() < 1e-6);
    let before_it_ran = seconds("scheduling") + seconds("image pull") + seconds("container start");
    assert!((before_it_ran - 60.0).abs() < 1e-6);
    let policies = seconds("policies");
    assert!((269.0..=272.0).contains(&policies), "{policies}");
    let known = |cause: &str, text: &str| {
        let known = delay(&page, cause)["knownFrom"].as_str().unwrap();
        assert!(known.contains(text), "{cause}: {known}");
    };
    known("policies", "6 is reached in 3 more steps at");
    known("sync period", "the controller's flags");
    known("sync period", "2 HPAs in the namespace");
    known("image pull", "its Events Pulled");
    let readiness = delay(&page, "readiness")["shortenedBy"].as_str().unwrap();
    assert!(
        readiness.contains("its readinessProbe (first after 25 s, then every 5 s)"),
        "{readiness}"
    );
    let text = namespace.explain("web", []);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "from the load to ready pods: sample window 20 s,",
        "Slowest: policies (behavior.scaleUp.policies).",
    ] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    // The controller takes the first of these steps, as foretold.
    namespace.pass();
    assert_eq!(namespace.get("deployment", "web")["spec"]["replicas"], 3);
}
