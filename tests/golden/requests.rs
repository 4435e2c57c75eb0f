//! docs/dev/controller.md 12.1 and 3.9: requests of a pod. Upstream: `TestCalculateRequests`.

use std::ops::RangeInclusive;

use hpa_engine::trace::{MetricStep, SumRequests};

use crate::support::{all_versions, metric, proposal, since, until};
use hpa_testing::{ContainerFixture, PodFixture, World, container, hpa, pod};

/// The request of the only pod in thousandths, or the error that fails the metric.
#[track_caller]
fn check(versions: RangeInclusive<u32>, hpa: World, pod: PodFixture, expected: Result<i64, &str>) {
    let situation = hpa.with_replicas(1).pods([pod.cpu("100m")]);
    for minor in versions {
        let trace = situation.clone().kube(minor).decide();
        let sum = requests(&metric(&trace).steps);
        let request = sum.requests.first().map(|request| request.request.0);
        assert_eq!(request, expected.ok(), "1.{minor}");
        assert_eq!(sum.error.as_deref(), expected.err(), "1.{minor}");
        assert_eq!(proposal(&trace).is_err(), expected.is_err(), "1.{minor}");
    }
}

fn requests(steps: &[MetricStep]) -> &SumRequests {
    let sum = steps.iter().find_map(|step| match step {
        MetricStep::SumRequests(sum) => Some(sum),
        _ => None,
    });
    sum.expect("requests were added up")
}

fn app(cpu: &str) -> ContainerFixture {
    container("app").requesting("cpu", cpu)
}

fn proxy(cpu: &str) -> ContainerFixture {
    container("proxy").requesting("cpu", cpu)
}

fn cpu() -> World {
    hpa("web").cpu(50)
}

#[test]
fn containers_are_added_up() {
    let both = pod("a").containers([app("100m"), proxy("50m")]);
    check(all_versions(), cpu(), both.clone(), Ok(150));
    check(
        all_versions(),
        hpa("web").container_cpu("app", 50),
        both,
        Ok(100),
    );
}

#[test]
fn container_without_a_request_fails_the_metric() {
    let gap = pod("a").containers([app("100m"), container("proxy")]);
    check(
        until(25),
        cpu(),
        gap.clone(),
        Err("missing request for cpu"),
    );
    check(
        since(26),
        cpu(),
        gap.clone(),
        Err("missing request for cpu in container proxy of Pod a"),
    );
    check(
        all_versions(),
        hpa("web").container_cpu("app", 50),
        gap,
        Ok(100),
    );
}

#[test]
fn sidecars_count_from_1_29_on() {
    let sidecar = pod("a").containers([app("100m")]).init_containers([
        container("migrate").requesting("cpu", "20m"),
        container("mesh").requesting("cpu", "50m").restartable(),
    ]);
    check(until(28), cpu(), sidecar.clone(), Ok(100));
    check(since(29), cpu(), sidecar, Ok(150));
}

#[test]
fn pod_level_request_counts_from_1_34_on_but_not_for_one_container() {
    let both = pod("a")
        .containers([app("100m"), proxy("50m")])
        .pod_level("800m");
    check(until(33), cpu(), both.clone(), Ok(150));
    check(since(34), cpu(), both.clone(), Ok(800));
    check(
        all_versions(),
        hpa("web").container_cpu("app", 50),
        both.clone(),
        Ok(100),
    );
    let with_overhead = both.overhead("30m");
    check(34..=37, cpu(), with_overhead.clone(), Ok(830));
    check(38..=38, cpu(), with_overhead, Ok(800));
}
