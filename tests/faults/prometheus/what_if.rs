//! What another spec would have done, in a past that the model reproduces.

use serde_json::{Value, json};

use super::{
    history::TO,
    queue::{FROM, PODS, metric, of, past, past_with, report},
};
use crate::{
    plugin::Plugin,
    world::{self as api, list},
};

/// The load is constant, so all runs of the model agree: each reaches its last replicas with its first sync, within the
/// first 15 s.
#[test]
fn other_specs_have_the_pod_hours_cost_and_unmet_need_of_their_replicas() {
    let world = past(&metric("External", &json!({"name": "queue"})), |_| {
        Vec::new()
    });
    let arguments = [
        "--compare",
        "maxReplicas=10",
        "--compare",
        "maxReplicas=3",
        "--price",
        "0.10/pod-h",
    ];
    let output = report(&world, &arguments);
    let control_run = &output["controlRun"];
    assert_eq!(control_run["trusted"], true, "{control_run}");
    assert_eq!(control_run["reproduced"], 1.0, "{control_run}");
    // One pod is new, and ready when it is created.
    assert_eq!(control_run["startupPods"], 1, "{control_run}");
    assert_eq!(
        control_run["startupSeconds"]["median"], 0.0,
        "{control_run}"
    );
    let names = ["podHours", "hoursAtMax", "unmetPodHours", "rescales"];
    let rows = output["whatIf"].as_array().unwrap().iter().map(|row| {
        let numbers = names.map(|name| {
            let band = &row[name];
            assert_eq!(band["low"], band["high"], "{row}");
            band["median"].as_f64().unwrap()
        });
        (row["name"].as_str().unwrap(), row["cost"].as_f64(), numbers)
    });
    // 6 pods are needed for an hour.
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            ("as it was", Some(0.4), [4.0, 1.0, 2.0, 1.0]),
            (
                "today's spec, in the model",
                Some(0.4),
                [4.0, 1.0, 2.0, 1.0]
            ),
            ("maxReplicas=10", Some(0.6), [6.0, 0.0, 0.0, 1.0]),
            ("maxReplicas=3", Some(0.3), [3.0, 1.0, 3.0, 0.0]),
        ]
    );
}

/// Without them, the model would have another tolerance and other values than the page.
#[test]
fn command_that_a_page_of_the_past_prints_keeps_the_flags_that_change_what_it_computes() {
    let query = "sum by (pod) (queue)";
    let world = past(&metric("Pods", &json!({"name": "queue"})), |_| {
        PODS.map(|pod| (json!({"pod": pod}), 15.0, i32::MAX)).into()
    });
    let metric_query = format!("queue={query}");
    let flags = [
        "--metric-query",
        &metric_query,
        "--kube-version",
        "1.36",
        "--feature-gate",
        "HPAConfigurableTolerance=false",
        "--assume-tolerance",
        "0.2",
        "--assume-downscale-stabilization",
        "2m",
    ];
    let at = ["--from", FROM, "--to", TO, "--at", "2026-11-26T00:40:00Z"];
    let run = world.history(&[&at[..], &flags].concat());
    let expected = format!(
        "kubectl hpa history web -n shop --from {FROM} --to {TO} --prometheus http://prometheus \
         --metric-query 'queue={query}' --time-zone UTC --kube-version 1.36 \
         --feature-gate HPAConfigurableTolerance=false --assume-tolerance 0.2 \
         --assume-downscale-stabilization 2m0s --set maxReplicas=6"
    );
    let mut lines = run.stdout.lines().map(str::trim);
    assert!(lines.any(|line| line == expected), "{expected}: {run:?}");
}

/// What the pods of the past request, 750m on average: two containers and a sidecar. An init container ends and does
/// not count.
fn requests() -> Vec<Value> {
    let of_pod = |(index, pod): (usize, &&str)| {
        let main = [0.4, 0.6, 0.5, 0.5][index];
        let requests = "kube_pod_container_resource_requests";
        let init_requests = "kube_pod_init_container_resource_requests";
        let series = [
            (requests, "main", "", main),
            (requests, "exporter", "", 0.1),
            (init_requests, "proxy", "", 0.15),
            (init_requests, "migration", "", 2.0),
            ("kube_pod_init_container_info", "proxy", "Always", 1.0),
            ("kube_pod_init_container_info", "migration", "", 1.0),
        ];
        series.map(|(name, container, restart_policy, value)| {
            let labels = json!({
                "pod": pod, "container": container, "resource": "cpu", "restart_policy": restart_policy,
            });
            of(name, labels, 0, &|_| value)
        })
    };
    PODS.iter().enumerate().flat_map(of_pod).collect()
}

/// A pod of today requests 100m.
#[test]
fn price_of_cpu_is_that_of_the_requests_of_the_pods_of_that_past() {
    let queue = metric("External", &json!({"name": "queue"}));
    let flags = ["--set", "maxReplicas=10", "--price", "0.10/cpu-h"];
    let of_past = past_with(&queue, |_| Vec::new(), requests());
    let of_today = past(&queue, |_| Vec::new());
    let gone = past_with(&queue, |_| Vec::new(), requests());
    gone.server.set_json(api::PODS, &list(Vec::new()));
    for (world, pod_cpu, costs, sentence) in [
        (
            &of_past,
            json!({"cores": 0.75, "pods": "past"}),
            [0.3, 0.3, 0.45],
            "The cost counts 750m of CPU for a pod, the mean of the pods in that time range that request CPU.",
        ),
        (
            &gone,
            json!({"cores": 0.75, "pods": "past"}),
            [0.3, 0.3, 0.45],
            "The cost counts 750m of CPU for a pod, the mean of the pods in that time range that request CPU.",
        ),
        (
            &of_today,
            json!({"cores": 0.1, "pods": "today"}),
            [0.04, 0.04, 0.06],
            "The cost counts 100m of CPU for a pod, the mean of today's pods that request CPU: the requests in that time range are not known.",
        ),
    ] {
        let output = report(world, &flags);
        assert_eq!(output["controlRun"]["podCpu"], pod_cpu);
        let rows = output["whatIf"].as_array().unwrap().iter();
        let found: Vec<f64> = rows.map(|row| row["cost"].as_f64().unwrap()).collect();
        assert_eq!(found, costs, "{output}");
        let run = world.history(&[&["--from", FROM, "--to", TO][..], &flags].concat());
        let words: Vec<&str> = run.stdout.split_whitespace().collect();
        assert!(words.join(" ").contains(sentence), "{run:?}");
    }
    of_today.server.set_json(api::PODS, &list(Vec::new()));
    let run = of_today.history(&[&["--from", FROM, "--to", TO][..], &flags].concat());
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
    let problem = "no CPU request of the pods is known; give the price of a pod";
    assert!(run.stderr.contains(problem), "{run:?}");
}

#[test]
fn price_without_a_number_or_its_unit_is_an_error_that_shows_both_units() {
    for price in [
        "0.10",
        "0.10/h",
        "0.10/gpu-h",
        "/pod-h",
        "cheap/pod-h",
        "-1/pod-h",
        "inf/cpu-h",
    ] {
        let price = format!("--price={price}");
        let run = Plugin::bare().run(&["history", "web", "--set", "maxReplicas=3", &price]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        let problem = "use a price for an hour, such as 0.032/cpu-h or 0.10/pod-h";
        assert!(run.stderr.contains(problem), "{price}: {run:?}");
    }
}

/// The HPA is at its `maxReplicas` of 4 all the time, so the load may have been greater than its pods show.
#[test]
fn hidden_load_is_no_saving_in_any_number_or_line_of_another_spec() {
    let world = past(&metric("External", &json!({"name": "queue"})), |_| {
        Vec::new()
    });
    // At this target, the load that the pods showed needs 3 pods.
    let target = "metrics[0].external.target.averageValue=20";
    let compare = ["--compare", target, "--compare", "maxReplicas=3"];
    let output = report(&world, &[&compare[..], &["--price", "0.10/pod-h"]].concat());
    assert_eq!(output["controlRun"]["hiddenLoadHours"], 1.0, "{output}");
    let rows = output["whatIf"].as_array().unwrap().iter().map(|row| {
        let pod_hours = row["podHours"]["median"].as_f64().unwrap();
        let summary = &row["summary"];
        assert_eq!(summary.is_null(), summary["podHours"].is_null(), "{row}");
        let in_summary = summary["podHours"]["median"].as_f64();
        (pod_hours, row["cost"].as_f64().unwrap(), in_summary)
    });
    // The control run is as the model gives it. A lower maxReplicas is known to save a pod.
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            (4.0, 0.4, None),
            (4.0, 0.4, Some(4.0)),
            (4.0, 0.4, None),
            (3.0, 0.3, None),
        ]
    );

    let hour = ["--from", FROM, "--to", TO, "-o", "html"];
    let compare = [&compare[..], &["--compare", "minReplicas=4"]].concat();
    let run = world.history(&[&hour[..], &compare].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    let line = |variant: &str| {
        let class = format!("class=\"line {variant}\" d=\"");
        let line = run.stdout.split(&class).nth(1).unwrap();
        line.split('"').next().unwrap().to_owned()
    };
    let [four, three, least_four] = ["variant-1", "variant-2", "variant-3"].map(line);
    assert_eq!(four, least_four);
    assert_ne!(four, three);
}

/// The kernel throttles in 20% of the periods of half the hour. For 10 min, the memory is at its limit.
#[test]
fn report_says_how_far_limits_held_containers_back() {
    let mut series = Vec::new();
    let periods = "container_cpu_cfs_periods_total";
    let throttled = "container_cpu_cfs_throttled_periods_total";
    let memory = "container_memory_working_set_bytes";
    for pod in &PODS[..3] {
        let labels = json!({"pod": pod, "container": "main"});
        let mut limit = labels.clone();
        limit["resource"] = json!("memory");
        series.extend([
            of(periods, labels.clone(), 0, &|scrape| 150 * scrape),
            of(throttled, labels.clone(), 0, &|scrape| 30 * scrape.min(120)),
            of(memory, labels, 0, &|scrape| {
                if scrape < 40 { 1000 } else { 500 }
            }),
            of("kube_pod_container_resource_limits", limit, 0, &|_| 1000),
        ]);
    }
    let world = past_with(
        &metric("External", &json!({"name": "queue"})),
        |_| Vec::new(),
        series,
    );
    let sentences = [
        "Held at maxReplicas for 1 h: what could not be served is not in the metrics, so the load may have been greater.",
        "The CPU limit held containers back in 10% of their periods: they may have needed more than they used.",
        "Containers used nearly all that their limits allow for 10 min: they may have needed more.",
    ];
    assert_eq!(report(&world, &[])["censored"], json!(sentences));
    let run = world.history(&["--from", FROM, "--to", TO]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let words: Vec<&str> = run.stdout.split_whitespace().collect();
    let text = words.join(" ");
    for sentence in sentences {
        assert!(text.contains(sentence), "{sentence}: {text}");
    }
}

/// As many pods, or as much work, as `simulate` refuses.
#[test]
fn what_ifs_have_the_limits_of_a_simulation() {
    let world = past(&metric("External", &json!({"name": "queue"})), |_| {
        Vec::new()
    });
    let refused = |words: &[&str]| {
        let hour = ["--from", FROM, "--to", TO];
        let run = world.history(&[&hour[..], words].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        run.stderr
    };
    let endless = "minReplicas=2147483647,maxReplicas=2147483647";
    let error = refused(&["--compare", endless]);
    assert!(
        error.contains("minReplicas is 2147483647, and a simulation can have at most 20000 pods"),
        "{error}"
    );
    // Each of them can be simulated, all of them together take too long.
    let many: Vec<String> = (1..=99)
        .map(|index| format!("minReplicas={},maxReplicas=20000", 20_000 - index))
        .collect();
    let words: Vec<&str> = many
        .iter()
        .flat_map(|variant| ["--compare", variant])
        .collect();
    let error = refused(&words);
    assert!(
        error.contains("too much to simulate: 8 runs of 100 specs over")
            && error.contains("Use a shorter time, or fewer --compare"),
        "{error}"
    );
}
