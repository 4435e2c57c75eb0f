//! Values that two syncs have in common: they are rounded, so metrics-server may have read the kubelet in between.

use hpa_history::{Certainty, Series};
use serde_json::json;

use super::{START, decided, each_sync, pods, scrape, series, today};

/// The pods, and when each was created, in seconds after the start. All are ready after 6 s.
const PODS: [(&str, i64); 4] = [("a", -600), ("b", -600), ("c", -600), ("d", 16)];

/// The series of each pod: its readiness and request, and its CPU as the kubelet read it, every 11 to 16 s.
fn counted() -> Vec<Series> {
    let reads = [-58, -46, -31, -17, -3, 9, 21, 36, 48, 63];
    let of = |name: &str, pod: &str, labels: &[(&str, &str)], value: &dyn Fn(i64) -> f64| {
        let own = [("__name__", name), ("namespace", "shop"), ("pod", pod)];
        let label = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let created = PODS.iter().find(|(known, _)| *known == pod).unwrap().1;
        let times = reads.into_iter().filter(|at| created < *at);
        Series {
            labels: own.iter().chain(labels).map(label).collect(),
            samples: times.map(|at| (START + at * 1000, value(at))).collect(),
        }
    };
    let main = ("container", "main");
    let request = [main, ("resource", "cpu"), ("unit", "core")];
    let all = PODS.iter().flat_map(|(pod, created)| {
        let started = (START / 1000 + created) as f64;
        [
            of("kube_pod_start_time", pod, &[], &|_| started),
            of(
                "kube_pod_status_ready",
                pod,
                &[("condition", "true")],
                &|_| 1.0,
            ),
            of("kube_pod_status_ready_time", pod, &[], &|_| started + 6.0),
            of("kube_pod_container_info", pod, &[main], &|_| 1.0),
            of(
                "kube_pod_container_resource_requests",
                pod,
                &request,
                &|_| 0.1,
            ),
            of("container_cpu_usage_seconds_total", pod, &[main], &|at| {
                1000.0 + 0.075 * at as f64
            }),
        ]
    });
    all.collect()
}

/// The new pod counts once metrics-server has a sample that began after it was ready, and then the HPA scales.
#[test]
fn same_values_do_not_show_that_no_sample_is_newer() {
    let scrapes = [
        scrape(1.0, 3, 3, 60.0),
        scrape(16.5, 3, 4, 75.0),
        scrape(31.5, 4, 4, 75.0),
        scrape(46.5, 4, 4, 75.0),
        scrape(61.5, 4, 5, 75.0),
    ];
    let metric = json!({"type": "Resource", "resource": {
        "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60},
    }});
    let mut all = series(&scrapes, ("cpu", "utilization"));
    let seen = [0, 0, 0, 1];
    let created = PODS
        .iter()
        .zip(seen)
        .map(|((pod, at), first)| (*pod, *at, first));
    all.extend(pods(&scrapes, &created.collect::<Vec<_>>()));
    all.extend(counted());
    let syncs = each_sync(
        all,
        &today(Some(json!({"metrics": [metric]}))),
        &[],
        decided,
    );
    for (index, (desired, recomputed)) in syncs.iter().enumerate() {
        if recomputed.certainty == Certainty::Certain {
            assert_eq!(recomputed.likely, *desired, "{index}: {recomputed:?}");
        }
    }
}
