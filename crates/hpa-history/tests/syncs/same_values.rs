//! Values that two syncs have in common: they are rounded, so metrics-server may have read the kubelet in between.

use hpa_engine::model::{Input, Observation};
use hpa_history::{Certainty, Series};
use jiff::SignedDuration;
use serde_json::json;

use super::{counted::counted, decided, each_sync, pods, scrape, series, syncs, today};

/// The pods, and when each was created, in seconds after the start. All are ready after 6 s.
const PODS: [(&str, i64); 4] = [("a", -600), ("b", -600), ("c", -600), ("d", 16)];

/// When the kubelet reads the pods, in seconds after the start: every 11 to 16 s.
const READS: [i64; 10] = [-58, -46, -31, -17, -3, 9, 21, 36, 48, 63];

/// The new pod counts once metrics-server has a sample that began after it was ready, and then the HPA scales.
fn new_pod_counts() -> (Vec<Series>, Observation) {
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
    all.extend(counted(&PODS, 6, &READS.map(|at| at * 1000), 0.075));
    (all, today(Some(json!({"metrics": [metric]}))))
}

#[test]
fn same_values_do_not_show_that_no_sample_is_newer() {
    let (series, today) = new_pod_counts();
    let syncs = each_sync(series, &today, &[], decided);
    for (index, (desired, recomputed)) in syncs.iter().enumerate() {
        if recomputed.certainty == Certainty::Certain {
            assert_eq!(recomputed.likely, *desired, "{index}: {recomputed:?}");
        }
    }
}

/// Today's period need not be that of the past: a controller that syncs once an hour cannot have left all these statuses.
#[test]
fn syncs_are_in_order_if_the_period_of_today_is_much_longer() {
    let (series, mut today) = new_pod_counts();
    today.controller.sync_period = Input::observed(SignedDuration::from_hours(1));
    let times: Vec<_> = syncs(series, &today)
        .into_iter()
        .map(|(at, ..)| at)
        .collect();
    assert!(1 < times.len());
    assert!(times.is_sorted(), "{times:?}");
}
