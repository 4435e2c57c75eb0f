//! Init containers that keep running: metrics-server reports their usage, and their requests count.

use hpa_history::Series;
use serde_json::json;

use super::{START, each_sync, labeled, pods, scrape, series, today};

const PODS: [&str; 2] = ["web-5c9f8d7b6c-a", "web-5c9f8d7b6c-b"];

/// A series of a container of each pod, with the times of the scrapes.
fn of_container(name: &str, container: &str, label: (&str, &str), value: f64) -> Vec<Series> {
    let samples = || (0..5).map(|at| (at * 15_000, value));
    let of_pod = |pod| {
        labeled(
            name,
            &[("pod", pod), ("container", container), label],
            samples(),
        )
    };
    PODS.map(of_pod).to_vec()
}

#[test]
fn sidecars_request_and_use_as_other_containers_do() {
    let scrapes: Vec<_> = (0..5)
        .map(|at| scrape(f64::from(at) * 15.0, 2, 2, 50.0))
        .collect();
    let metric = json!({"type": "Resource", "resource": {
        "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60},
    }});
    let today = today(Some(json!({"metrics": [metric]})));
    let mut all = series(&scrapes, ("cpu", "utilization"));
    all.extend(pods(&scrapes, &PODS.map(|pod| (pod, -600, 0))));
    let requests =
        |name, container, cores| of_container(name, container, ("resource", "cpu"), cores);
    let init = |container, policy| {
        let label = ("restart_policy", policy);
        of_container("kube_pod_init_container_info", container, label, 1.0)
    };
    all.extend(requests(
        "kube_pod_container_resource_requests",
        "main",
        0.1,
    ));
    all.extend(of_container(
        "kube_pod_status_ready",
        "",
        ("condition", "true"),
        1.0,
    ));
    let started = (START / 1000 - 590) as f64;
    all.extend(of_container(
        "kube_pod_start_time",
        "",
        ("uid", ""),
        started,
    ));
    all.extend(init("proxy", "Always"));
    all.extend(requests(
        "kube_pod_init_container_resource_requests",
        "proxy",
        0.3,
    ));
    all.extend(init("setup", ""));
    all.extend(requests(
        "kube_pod_init_container_resource_requests",
        "setup",
        5.0,
    ));
    let seen = each_sync(all, &today, &[], |sync| {
        let observation = sync.details.unwrap().observation;
        let pod = &observation.pods.read().unwrap()[0];
        let containers = pod.containers.iter().chain(pod.init_containers.iter());
        let requested =
            containers.map(|one| format!("{} {}", one.name, one.request("cpu").unwrap()));
        let sample = &observation.pod_metrics.read().unwrap()[0];
        let used = sample.containers.iter().map(|one| one.name.clone());
        (requested.collect::<Vec<_>>(), used.collect::<Vec<_>>())
    });
    let (requested, used) = &seen[4];
    assert_eq!(requested, &["main 100m", "proxy 300m"]);
    assert_eq!(used, &["main", "proxy"]);
}
