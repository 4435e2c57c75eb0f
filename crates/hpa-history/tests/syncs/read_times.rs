//! When metrics-server read the kubelet: samples of another time lead to other values.

use hpa_history::{Certainty, Recomputed, Series};
use serde_json::json;

use super::{START, counted::counted, decided, each_sync, pods, scrape, series, today};

/// The pods, and when each was created, in seconds after the start. All are ready after 6 s.
const PODS: [(&str, i64); 4] = [("a", -600), ("b", -600), ("c", -600), ("d", 5)];

/// When the kubelet reads the pods, in seconds after the start.
const READS: [i64; 8] = [-46, -35, -23, -9, 4, 17, 27, 39];

/// When the kubelet reads their sidecars.
const SIDECAR_READS: [i64; 8] = [-45, -34, -22, -8, 5, 16, 28, 34];

/// A container of each pod, with what it has used by a time in seconds after the start.
fn container(name: &str, reads: &[i64], used: impl Fn(f64) -> f64) -> Vec<Series> {
    let reads: Vec<i64> = reads.iter().map(|at| at * 1000).collect();
    let mut all = counted(&PODS, 6, &reads, 0.0);
    for one in &mut all {
        if let Some(container) = one.labels.get_mut("container") {
            name.clone_into(container);
        }
        if one.name() == "container_cpu_usage_seconds_total" {
            for (at, value) in &mut one.samples {
                *value = used((*at - START) as f64 / 1000.0);
            }
        }
    }
    all
}

/// 50m, and 80m from 17 s on.
fn main_container() -> Vec<Series> {
    let used = |at: f64| 1000.0 + 0.05 * at + 0.03 * (at - 17.0).max(0.0);
    container("main", &READS, used)
}

/// What the sync 35 s after the start decided, and its recomputed result. The HPA has this target, and scales for this value.
fn last_sync(containers: Vec<Series>, (target, value): (i32, f64)) -> (i32, Recomputed) {
    let scrapes = [
        scrape(-9.0, 3, 3, f64::from(target)),
        scrape(6.0, 3, 4, f64::from(target * 5 / 4)),
        scrape(21.0, 4, 4, f64::from(target)),
        scrape(36.0, 4, 6, value),
    ];
    let metric = json!({"type": "Resource", "resource": {
        "name": "cpu", "target": {"type": "Utilization", "averageUtilization": target},
    }});
    let mut all = series(&scrapes, ("cpu", "utilization"));
    let seen = [0, 0, 0, 1];
    let created = PODS.iter().zip(seen);
    let created = created.map(|((pod, at), first)| (*pod, *at, first));
    all.extend(pods(&scrapes, &created.collect::<Vec<_>>()));
    all.extend(containers);
    let today = today(Some(json!({"metrics": [metric]})));
    each_sync(all, &today, &[], decided).pop().unwrap()
}

/// The sync counts the new pod if metrics-server read the kubelet at 18 s and 33 s, and not if it read it at 14 s and 29 s. The pods
/// used 80m from 17 s to 27 s, and less from 4 s to 27 s.
#[test]
fn values_of_the_controller_show_which_new_pods_had_a_sample() {
    let (desired, recomputed) = last_sync(main_container(), (60, 80.0));
    assert_eq!(recomputed.likely, desired, "{recomputed:?}");
    // They make it probable, not certain.
    assert_eq!(recomputed.certainty, Certainty::Likely);
    assert_eq!(recomputed.range, (4, 6));
}

/// The sidecars use 60m from 28 s on. If metrics-server read the kubelet at 33 s, it did not see that, and has the same samples of the
/// main containers as at 34 s.
#[test]
fn values_include_what_each_container_used() {
    let used = |at: f64| 1000.0 + 0.06 * (at - 28.0).max(0.0);
    let mut containers = main_container();
    containers.extend(container("sidecar", &SIDECAR_READS, used));
    let (desired, recomputed) = last_sync(containers, (30, 40.0));
    assert_eq!(recomputed.likely, desired, "{recomputed:?}");
}
