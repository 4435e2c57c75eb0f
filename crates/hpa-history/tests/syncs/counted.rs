//! The series of pods whose use of CPU is counted.

use hpa_history::Series;

use super::{START, labeled};

/// For each pod: its name, and when it was created, in seconds after the start. It is ready `starting` seconds later and requests
/// 100m. It uses so many cores, and the kubelet reads that at these times, in milliseconds after the start.
pub(super) fn counted(
    pods: &[(&str, i64)],
    starting: i64,
    reads: &[i64],
    cores: f64,
) -> Vec<Series> {
    let main = ("container", "main");
    let request = [main, ("resource", "cpu"), ("unit", "core")];
    let of_pod = |(pod, created): &(&str, i64)| {
        let of = |name: &str, labels: &[(&str, &str)], value: &dyn Fn(i64) -> f64| {
            let labels = [&[("pod", *pod)], labels].concat();
            let reads = reads.iter().filter(|at| created * 1000 < **at);
            labeled(name, &labels, reads.map(|at| (*at, value(*at))))
        };
        let started = START / 1000 + created;
        let ready = started + starting;
        [
            of("kube_pod_start_time", &[], &|_| started as f64),
            of("kube_pod_status_ready", &[("condition", "true")], &|_| 1.0),
            of("kube_pod_status_ready_time", &[], &|_| ready as f64),
            of("kube_pod_container_info", &[main], &|_| 1.0),
            of("kube_pod_container_resource_requests", &request, &|_| 0.1),
            of("container_cpu_usage_seconds_total", &[main], &|at| {
                1000.0 + cores * at as f64 / 1000.0
            }),
        ]
    };
    pods.iter().flat_map(of_pod).collect()
}
