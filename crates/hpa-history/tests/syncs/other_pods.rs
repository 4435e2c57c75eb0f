//! A utilization and its average show the mean request of the pods that the controller counted.

use hpa_history::{Doubt, Series};

use super::{Scrape, counted::counted, each_sync, pods, scrape, series, today};

/// The name of each pod, and when it was created, in seconds after the start.
const PODS: [(&str, i64); 3] = [("a", -6000), ("b", -6000), ("c", -6000)];

/// The doubts about the last sync of an HPA on CPU whose replicas stay, with these values of its status: percent, and
/// cores. The pods request 0.1 cores, and `c` requests so many.
fn doubts(
    (utilization, average): (f64, f64),
    [a, b, c]: [(&str, i64); 3],
    request: f64,
) -> Vec<Doubt> {
    let all = [a, b, c];
    let scrapes: Vec<Scrape> = (0..4)
        .map(|sync| scrape(f64::from(sync) * 15.0, 3, 3, utilization))
        .collect();
    let mut series: Vec<Series> = series(&scrapes, ("cpu", "utilization"));
    let is_value = |one: &&Series| one.name().ends_with("status_target_metric");
    let mut averages = series.iter().find(is_value).unwrap().clone();
    let target_type = averages.labels.get_mut("metric_target_type").unwrap();
    "average".clone_into(target_type);
    for (_, value) in &mut averages.samples {
        *value = average;
    }
    series.push(averages);
    series.extend(pods(
        &scrapes,
        &all.map(|(name, created)| (name, created, 0)),
    ));
    // Without the counters it is not known which new pods have a sample.
    let reads: Vec<i64> = (-4..5).map(|count| count * 15_000).collect();
    series.extend(counted(&all, 0, &reads, 0.05));
    series.retain(|one| !one.name().starts_with("container_"));
    let requests = series.iter_mut().filter(|one| {
        one.name() == "kube_pod_container_resource_requests" && one.label("pod") == c.0
    });
    for (_, value) in requests.flat_map(|one| &mut one.samples) {
        *value = request;
    }
    let seen = each_sync(series, &today(None), &[], |sync| {
        sync.recomputed.unwrap().doubts.clone()
    });
    seen.last().unwrap().clone()
}

#[test]
fn sync_whose_values_need_pods_with_other_requests_is_not_certain() {
    let nothing: [Doubt; 0] = [];
    // Both values are cut off: 50% are 150m to 152m of 300m, and an average of 50m is 150m to 152m of 3 pods.
    for fitting in [(50.0, 0.050), (60.0, 0.060), (61.0, 0.061)] {
        assert_eq!(doubts(fitting, PODS, 0.1), nothing, "{fitting:?}");
    }
    for other in [(50.0, 0.049), (50.0, 0.051), (60.0, 0.120)] {
        assert_eq!(doubts(other, PODS, 0.1), [Doubt::OtherPods], "{other:?}");
    }
    // The mean request is 133m: 60% are 240m to 243m of 400m.
    assert_eq!(doubts((60.0, 0.080), PODS, 0.2), nothing);
    assert_eq!(doubts((60.0, 0.081), PODS, 0.2), nothing);
    assert_eq!(doubts((60.0, 0.082), PODS, 0.2), [Doubt::OtherPods]);
}

/// A new pod may not have a sample yet, so with and without it the mean request is another.
#[test]
fn values_that_fit_some_of_the_pods_that_may_have_counted_are_no_doubt() {
    let pods = [PODS[0], PODS[1], ("c", 10)];
    let is_doubted = |values| doubts(values, pods, 0.4).contains(&Doubt::OtherPods);
    for fitting in [(60.0, 0.060), (60.0, 0.120)] {
        assert!(!is_doubted(fitting), "{fitting:?}");
    }
    assert!(is_doubted((60.0, 0.090)));
}
