//! Every switch of the engine matters: for each, some situation has another outcome.

use hpa_engine::model::{
    ApiError, HpaStatus, MetricStatus, MetricTarget, PodPhase, Reading, Switches,
};

use hpa_testing::{World, average, container, hpa, pod, quantity, up, value};

/// Names each switch once, with a situation whose outcome it changes. A missing switch does not compile.
macro_rules! decided_by {
    ($($switch:ident: $situation:expr,)*) => {{
        let Switches { $($switch: _,)* texts: _ } = hpa("web").with_replicas(1).switches();
        $(check(stringify!($switch), &$situation, |switches| switches.$switch = !switches.$switch);)*
    }};
}

#[track_caller]
fn check(name: &str, situation: &World, flip: impl Fn(&mut Switches)) {
    let switches = situation.switches();
    let mut flipped = switches;
    flip(&mut flipped);
    let outcome = |switches| format!("{:?}", situation.decide_with(switches).outcome);
    assert_ne!(
        outcome(&switches),
        outcome(&flipped),
        "{name} decides nothing"
    );
}

#[test]
fn every_switch_changes_some_decision() {
    let two_ready = [pod("a").cpu("700m"), pod("b").cpu("700m")];
    let cpu = hpa("web").cpu(50).with_replicas(2);
    let queue = |replicas| hpa("web").external(average("1")).with_replicas(replicas);
    let three_hpas = cpu
        .clone()
        .pods(two_ready.clone())
        .other_hpa("other", "app=web")
        .other_hpa("third", "app=web");
    decided_by! {
        both_direction_events: hpa("web")
            .behavior(up().percent(300, 300))
            .external(average("1"))
            .with_replicas(6)
            .series(&["24"])
            .scaled_up(&[4])
            .scaled_down(&[2]),
        missing_fill_uses_target_over_100: hpa("web")
            .cpu(300)
            .with_replicas(4)
            .pods([pod("a").cpu("100m"), pod("b").cpu("100m"), pod("c").cpu("100m"), pod("d")])
            .remembering(&[]),
        empty_map_before_requests: cpu.clone().pods([
            pod("a").unready().containers([container("app")]).cpu("1"),
        ]),
        ambiguous_selector: three_hpas,
        missing_request_names_pod: cpu.clone().pods([pod("a").containers([container("app")]).cpu("1")]),
        plain_missing_untouched_at_one: hpa("web")
            .requests("20")
            .with_replicas(5)
            .pods([pod("a").value("20"), pod("b").value("20"), pod("c")])
            .remembering(&[]),
        nil_target_is_error: object_with_wrong_type(),
        fresh_metrics_on_failure: failing_after_success(),
        sidecar_requests: cpu.clone().pods(two_ready.clone().map(|pod| {
            pod.init_containers([container("mesh").requesting("cpu", "1").restartable()])
        })),
        container_metrics_disabled: hpa("web").container_cpu("app", 50).with_replicas(2).pods(two_ready.clone()),
        garbles_percent: failing("100% of the metrics are gone"),
        tolerance_interval_form: cpu.clone().pods([pod("a").cpu("550m"), pod("b").cpu("550m")]),
        per_hpa_tolerance: hpa("web")
            .cpu(50)
            .behavior(up().tolerance("10m"))
            .with_replicas(2)
            .pods([pod("a").cpu("520m"), pod("b").cpu("520m")]),
        container_metric_missing_is_missing_pod: hpa("web")
            .container_cpu("app", 50)
            .with_replicas(2)
            .pods([pod("a").cpu("900m"), pod("b").container_usage("proxy", "cpu", "1")]),
        object_average_has_described_object: hpa("web").object(average("1")).with_replicas(2).hits("2"),
        pod_level_requests: cpu.clone().pods(two_ready.clone().map(|pod| pod.pod_level("2"))),
        pod_level_overhead: cpu.clone().pods(two_ready.clone().map(|pod| pod.pod_level("1").overhead("1"))),
        scale_conflict_retries: cpu.clone().pods(two_ready.clone()).at("970ms").refused_write("Conflict", "try again"),
        memory_in_binary: hpa("web")
            .average("memory", "50Mi")
            .with_replicas(1)
            .pods([pod("a").memory("50Mi")]),
        external_average_caps: queue(2).series(&["-5"]),
        value_caps: hpa("web")
            .external(value("1"))
            .with_replicas(2)
            .series(&["5P", "5P"])
            .pods([pod("a"), pod("b")]),
        absent_container_is_error: hpa("web").container_cpu("app", 50).with_replicas(2).pods([
            pod("a").cpu("900m"),
            pod("b").containers([container("old").requesting("cpu", "1")]).container_usage("old", "cpu", "1"),
        ]),
        scaled_to_zero_condition: hpa("web").min(0).object(value("15")).with_replicas(0).hits("20"),
        scale_to_zero_gate: hpa("web")
            .min(0)
            .object(value("15"))
            .condition("ScaledToZero", "True", "ScaledToZero")
            .with_replicas(0)
            .hits("20"),
        observed_generation: queue(2).series(&["4"]),
        ambiguous_selector_names_two: three_hpas,
        finished_pods_ignored: cpu.clone().pods([
            pod("a").cpu("700m"),
            pod("b").cpu("700m"),
            pod("c").phase(PodPhase::Succeeded),
        ]),
        exact_sums: hpa("web")
            .requests("1P")
            .with_replicas(3)
            .pods([pod("a").value("5P"), pod("b").value("5P"), pod("c").value("5P")])
            .remembering(&[]),
        ceilings_saturate: hpa("web").requests("1m").with_replicas(1).pods([pod("a").value("5P")]).remembering(&[]),
        quantities_saturate: queue(2).series(&["10P"]),
        average_from_zero: hpa("web")
            .min(0)
            .object(average("15"))
            .condition("ScaledToZero", "True", "ScaledToZero")
            .with_replicas(0)
            .hits("20")
            .kube(38),
    }
}

/// An Object metric of type Value with only an average.
fn object_with_wrong_type() -> World {
    let target = MetricTarget {
        target_type: "Value".to_owned(),
        average_value: Some(quantity("5")),
        ..MetricTarget::default()
    };
    hpa("web").object(target).with_replicas(2).hits("20")
}

/// A cpu metric whose API fails.
fn failing(message: &str) -> World {
    let mut situation = hpa("web").cpu(50).with_replicas(2);
    situation.observation.pod_metrics = Reading::Failed(ApiError {
        message: message.to_owned(),
        reason: "ServiceUnavailable".to_owned(),
        code: 503,
    });
    situation
}

/// The same, while the status still has a value.
fn failing_after_success() -> World {
    let mut situation = failing("try again");
    situation.observation.hpa.status = HpaStatus {
        current_metrics: vec![MetricStatus::Resource {
            name: "cpu".to_owned(),
            current: hpa_engine::model::MetricValueStatus::default(),
        }],
        ..HpaStatus::default()
    };
    situation
}
