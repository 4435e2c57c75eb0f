//! The past of an HPA on a queue. For an hour there are 60 entries, which need 6 pods at 10 entries for each. The HPA
//! goes from 3 replicas to its `maxReplicas` of 4 and stays there.

use std::fmt::Display;

use serde_json::{Value, json};

use super::{
    fake::{Constant, evaluated},
    history::{TO, World, answer, today},
};

/// Start of the time range, an hour before [`TO`].
pub(super) const FROM: &str = "2026-11-26T00:11:40Z";

/// The pods. The last one comes with the rescale.
pub(super) const PODS: [&str; 4] = [
    "web-5c9f8d7b6c-a",
    "web-5c9f8d7b6c-b",
    "web-5c9f8d7b6c-c",
    "web-5c9f8d7b6c-d",
];

/// [`FROM`] in seconds.
const START: i32 = 1_795_651_900;

/// The number of the last scrape. Scrapes are 15 s apart, and the first one is at the start.
const LAST: i32 = 240;

/// A metric of this type whose target is an average of 10.
pub(super) fn metric(metric_type: &str, metric: &Value) -> Value {
    let field = metric_type.to_lowercase();
    let target = json!({"type": "AverageValue", "averageValue": "10"});
    json!({"type": metric_type, field: {"metric": metric, "target": target}})
}

/// The past with such a metric, and the results of queries.
pub(super) fn past(metric: &Value, results: fn(&str) -> Vec<Constant>) -> World {
    past_with(metric, results, Vec::new())
}

/// The same with more series.
pub(super) fn past_with(
    metric: &Value,
    results: fn(&str) -> Vec<Constant>,
    mut more: Vec<Value>,
) -> World {
    let mut hpa = today()["hpa"].clone();
    hpa["spec"]["metrics"] = json!([metric]);
    hpa["spec"]["maxReplicas"] = json!(4);
    let source = ["external", "pods"].map(|field| &metric[field]["metric"]["name"]);
    let name = source.into_iter().find_map(Value::as_str).unwrap();
    let mut series = series(name);
    series.append(&mut more);
    World::of(&hpa, move |asked| {
        if asked.path.ends_with("/query_range") {
            evaluated(asked, &results(&asked.query["query"]))
        } else {
            answer(&series, asked, &|_, _, value| Some(value.to_owned()))
        }
    })
}

/// The report of the hour in JSON, without a word besides.
pub(super) fn report(world: &World, words: &[&str]) -> Value {
    let hour = ["--from", FROM, "--to", TO, "-o", "json"];
    let run = world.history(&[&hour[..], words].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    serde_json::from_str(&run.stdout).unwrap()
}

/// A series with a value at each scrape, from the scrape with the number `first` on.
pub(super) fn of<T: Display>(
    name: &str,
    mut labels: Value,
    first: i32,
    value: &dyn Fn(i32) -> T,
) -> Value {
    labels["__name__"] = json!(name);
    labels["namespace"] = json!("shop");
    let values: Vec<Value> = (first..=LAST)
        .map(|scrape| json!([START + 15 * scrape, value(scrape).to_string()]))
        .collect();
    json!({"metric": labels, "values": values})
}

/// The metric of which KEDA's operator exports the values.
pub(super) const EXPORTED: &str = "s0-redis";

/// What kube-state-metrics exports, and KEDA's operator.
fn series(metric: &str) -> Vec<Value> {
    let of_hpa = |name: &str, mut labels: Value, value: &dyn Fn(i32) -> i32| {
        labels["horizontalpodautoscaler"] = json!("web");
        let name = format!("kube_horizontalpodautoscaler_{name}");
        of(&name, labels, 0, value)
    };
    let average = json!({"metric_name": metric, "metric_target_type": "average"});
    let at_first =
        |first: i32, then: i32| move |scrape: i32| if scrape == 0 { first } else { then };
    let deployment = json!({"deployment": "web"});
    let mut series = vec![
        of_hpa("status_current_replicas", json!({}), &at_first(3, 4)),
        of_hpa("status_desired_replicas", json!({}), &|_| 4),
        of_hpa("spec_min_replicas", json!({}), &|_| 2),
        of_hpa("spec_max_replicas", json!({}), &|_| 4),
        of_hpa("spec_target_metric", average.clone(), &|_| 10),
        // 60 entries for the replicas that each sync found.
        of_hpa("status_target_metric", average, &at_first(20, 15)),
        of(
            "kube_deployment_spec_replicas",
            deployment.clone(),
            0,
            &|_| 4,
        ),
        of("kube_deployment_status_replicas", deployment, 0, &|_| 4),
    ];
    if metric == EXPORTED {
        let labels = json!({"metric": metric, "scaledObject": "web", "exported_namespace": "shop"});
        let mut one = of("keda_scaler_metrics_value", labels, 0, &|_| 60);
        one["metric"]["namespace"] = json!("keda");
        series.push(one);
    }
    for (index, pod) in PODS.iter().enumerate() {
        let (first, created) = if index == 3 {
            (1, START)
        } else {
            (0, START - 6000)
        };
        let owner = json!({
            "owner_kind": "ReplicaSet", "owner_name": "web-5c9f8d7b6c", "owner_is_controller": "true",
        });
        for (name, mut labels, value) in [
            ("kube_pod_owner", owner, 1),
            ("kube_pod_created", json!({}), created),
            ("kube_pod_start_time", json!({}), created),
            ("kube_pod_status_phase", json!({"phase": "Running"}), 1),
            ("kube_pod_status_ready", json!({"condition": "true"}), 1),
            ("kube_pod_status_ready_time", json!({}), created),
        ] {
            labels["pod"] = json!(pod);
            series.push(of(name, labels, first, &|_| value));
        }
    }
    series
}
