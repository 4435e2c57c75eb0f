//! When metrics-server read the kubelet: samples of another time lead to other values.

use serde_json::json;

use super::{START, counted::counted, decided, each_sync, pods, scrape, series, today};

/// The pods, and when each was created, in seconds after the start. All are ready after 6 s.
const PODS: [(&str, i64); 4] = [("a", -600), ("b", -600), ("c", -600), ("d", 5)];

/// When the kubelet reads the pods, in seconds after the start.
const READS: [i64; 8] = [-46, -35, -23, -9, 4, 17, 27, 39];

/// What a pod has used by a time in seconds after the start: 50m, and 80m from 17 s on.
fn used(at: f64) -> f64 {
    1000.0 + 0.05 * at + 0.03 * (at - 17.0).max(0.0)
}

/// The sync 35 s after the start counts the new pod if metrics-server read the kubelet at 18 s and 33 s, and not if it read it at 14 s
/// and 29 s. The pods used 80m from 17 s to 27 s, and less from 4 s to 27 s.
#[test]
fn values_of_the_controller_show_which_new_pods_had_a_sample() {
    let scrapes = [
        scrape(-9.0, 3, 3, 50.0),
        scrape(6.0, 3, 4, 75.0),
        scrape(21.0, 4, 4, 50.0),
        scrape(36.0, 4, 6, 80.0),
    ];
    let metric = json!({"type": "Resource", "resource": {
        "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60},
    }});
    let mut all = series(&scrapes, ("cpu", "utilization"));
    let seen = [0, 0, 0, 1];
    let created = PODS.iter().zip(seen);
    let created = created.map(|((pod, at), first)| (*pod, *at, first));
    all.extend(pods(&scrapes, &created.collect::<Vec<_>>()));
    let mut counters = counted(&PODS, 6, &READS.map(|at| at * 1000), 0.0);
    for one in &mut counters {
        if one.name() == "container_cpu_usage_seconds_total" {
            for (at, value) in &mut one.samples {
                *value = used((*at - START) as f64 / 1000.0);
            }
        }
    }
    all.extend(counters);
    let today = today(Some(json!({"metrics": [metric]})));
    let syncs = each_sync(all, &today, &[], decided);
    let (desired, recomputed) = syncs.last().unwrap();
    assert_eq!(recomputed.likely, *desired, "{recomputed:?}");
}
