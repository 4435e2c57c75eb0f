//! Usage of cpu and memory: `Resource` and `ContainerResource`.

use serde_json::json;

use crate::{
    manifest::{average, deployment, hpa},
    namespace::namespace,
    releases::version,
};

#[test]
fn cpu_above_its_target_scales_up() {
    let namespace = namespace("cpu-above");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
    ]);
    let decision =
        namespace.decides("4 → 6: SucceededRescale ValidMetricFound !DesiredWithinRange");
    decision.page_says(["web", "90%", "60%", "6"]);
}

#[test]
fn cpu_in_millicores_needs_no_request() {
    let namespace = namespace("cpu-average");
    let workload = deployment("web", 2)
        .container("proxy", json!({}))
        .pods("cpu", "150m");
    namespace.apply([
        workload.object(),
        hpa("web").resource("cpu", average("100m")).object(),
    ]);
    namespace.decides("2 → 3: SucceededRescale ValidMetricFound !DesiredWithinRange");
}

#[test]
fn memory_below_its_target_scales_down() {
    let namespace = namespace("memory-below");
    let half = json!({"type": "Utilization", "averageUtilization": 50});
    namespace.apply([
        deployment("web", 4).pods("memory", "50Mi").object(),
        hpa("web").resource("memory", half).down_at_once().object(),
    ]);
    let decision =
        namespace.decides("4 → 2: SucceededRescale ValidMetricFound !DesiredWithinRange");
    assert_eq!(
        decision.status("/currentMetrics/0/resource/current/averageUtilization"),
        25
    );
}

#[test]
fn memory_near_its_average_holds() {
    let namespace = namespace("memory-near");
    namespace.apply([
        deployment("web", 3).pods("memory", "105Mi").object(),
        hpa("web").resource("memory", average("100Mi")).object(),
    ]);
    let decision =
        namespace.decides("3 → 3: ReadyForNewScale ValidMetricFound !DesiredWithinRange");
    let written = if version().minor < 34 {
        "110100480"
    } else {
        "105Mi"
    };
    assert_eq!(
        decision.status("/currentMetrics/0/resource/current/averageValue"),
        written
    );
}

#[test]
fn container_metric_looks_at_its_container_only() {
    let namespace = namespace("container");
    let workload = deployment("web", 4)
        .container("proxy", json!({}))
        .pods("cpu.main", "90m")
        .pods("cpu.proxy", "700m");
    let target = json!({"type": "Utilization", "averageUtilization": 60});
    let source = json!({"name": "cpu", "container": "main", "target": target});
    namespace.apply([
        workload.object(),
        hpa("web")
            .metric("ContainerResource", "containerResource", source)
            .object(),
    ]);
    namespace.decides("4 → 6: SucceededRescale ValidMetricFound !DesiredWithinRange");
}

#[test]
fn sidecar_without_a_request_stops_scaling() {
    let namespace = namespace("missing-request");
    let workload = deployment("web", 1)
        .container("proxy", json!({"memory": "10Mi"}))
        .pods("cpu", "150m");
    namespace.apply([workload.object(), hpa("web").cpu(60).object()]);
    let decision = namespace.decides("1 → 1: SucceededGetScale !FailedGetResourceMetric");
    decision.page_says(["missing request for cpu in container proxy of Pod web-"]);
}

#[test]
fn largest_proposal_of_two_metrics_wins() {
    let namespace = namespace("two-metrics");
    let memory = json!({"type": "Utilization", "averageUtilization": 50});
    namespace.apply([
        deployment("web", 4)
            .pods("cpu", "30m")
            .pods("memory", "150Mi")
            .object(),
        hpa("web")
            .cpu(60)
            .resource("memory", memory)
            .down_at_once()
            .object(),
    ]);
    let decision =
        namespace.decides("4 → 6: SucceededRescale ValidMetricFound !DesiredWithinRange");
    assert_eq!(
        decision.status("/conditions/1/message"),
        "the HPA was able to successfully calculate a replica count from memory resource utilization \
         (percentage of request)"
    );
}
