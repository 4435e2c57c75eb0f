//! docs/dev/controller.md 12.2: the classes of pods. Upstream: `TestGroupPods`.

use std::ops::RangeInclusive;

use hpa_engine::{
    model::{ConditionStatus, PodPhase},
    trace::PodClass,
};

use crate::support::{all_versions, grouped, since, until};
use hpa_testing::{PodFixture, World, hpa, pod};

/// Checks the class of `subject`, next to a healthy pod so that the answer is not empty.
#[track_caller]
fn check(hpa: World, subject: PodFixture, class: PodClass) {
    check_in(all_versions(), hpa, subject, class);
}

#[track_caller]
fn check_in(versions: RangeInclusive<u32>, hpa: World, subject: PodFixture, class: PodClass) {
    let situation = hpa
        .with_replicas(2)
        .cpu_readiness("2m", "10s")
        .pods([subject, pod("healthy").cpu("1").memory("1Mi")]);
    for minor in versions {
        let trace = situation.clone().kube(minor).decide();
        let found = grouped(&trace).pods.first().unwrap();
        assert_eq!(found.class, class, "1.{minor}: {:?}", found.reason);
    }
}

fn cpu() -> World {
    hpa("web").average("cpu", "1")
}

fn running() -> PodFixture {
    pod("subject").phase(PodPhase::Running)
}

#[test]
fn readiness_does_not_matter_for_memory() {
    let subject = running().without_ready_condition().memory("1");
    check(
        hpa("web").average("memory", "1Gi"),
        subject,
        PodClass::Ready,
    );
}

#[test]
fn pod_without_ready_condition_is_unready() {
    let subject = running().started("0s").without_ready_condition().cpu("1");
    check(cpu(), subject, PodClass::Unready);
}

#[test]
fn sample_that_began_before_the_pod_was_ready_does_not_count_while_it_starts() {
    let subject = running()
        .started("-1m")
        .ready(ConditionStatus::True, "-30s")
        .cpu("1");
    check(cpu(), subject.clone().sampled("0s", "30s"), PodClass::Ready);
    check(cpu(), subject.sampled("0s", "60s"), PodClass::Unready);
}

#[test]
fn pod_that_has_been_ready_counts_though_it_is_not_ready() {
    for (transition, class) in [
        ("-9m 54s", PodClass::Unready),
        ("-9m 50s", PodClass::Ready),
        ("-9m", PodClass::Ready),
    ] {
        let subject = running()
            .started("-10m")
            .ready(ConditionStatus::False, transition)
            .cpu("1");
        check(cpu(), subject, class);
    }
}

#[test]
fn age_of_a_sample_does_not_matter_once_the_pod_has_started() {
    let subject = running()
        .started("-3m")
        .ready(ConditionStatus::True, "-3m")
        .cpu("1")
        .sampled("-2m", "1m");
    check(cpu(), subject, PodClass::Ready);
}

#[test]
fn pod_without_a_sample_is_missing() {
    let subject = running().started("-3m").without_ready_condition();
    check(cpu(), subject, PodClass::Missing);
}

#[test]
fn pending_pod_is_unready_and_a_terminating_or_failed_one_ignored() {
    check(cpu(), pod("subject").pending(), PodClass::Unready);
    check(cpu(), pod("subject").pending().cpu("1"), PodClass::Unready);
    check(
        cpu(),
        pod("subject").pending().terminating().cpu("1"),
        PodClass::Ignored,
    );
    let failed = pod("subject").phase(PodPhase::Failed).cpu("1");
    check(cpu(), failed, PodClass::Ignored);
}

#[test]
fn finished_pod_is_like_a_running_one_until_1_37_and_ignored_from_1_38_on() {
    let succeeded = || pod("subject").phase(PodPhase::Succeeded);
    check_in(until(37), cpu(), succeeded(), PodClass::Missing);
    check_in(until(37), cpu(), succeeded().cpu("1"), PodClass::Ready);
    check_in(since(38), cpu(), succeeded(), PodClass::Ignored);
    check_in(since(38), cpu(), succeeded().cpu("1"), PodClass::Ignored);
}

#[test]
fn several_pods_fall_into_several_classes() {
    let trace = cpu()
        .with_replicas(3)
        .cpu_readiness("2m", "10s")
        .pods([
            pod("lucretius")
                .started("0s")
                .without_ready_condition()
                .cpu("1"),
            pod("niccolo")
                .started("-3m")
                .ready(ConditionStatus::True, "-3m")
                .cpu("1"),
            pod("epicurus").started("-3m").without_ready_condition(),
        ])
        .decide();
    let group = grouped(&trace);
    let numbers = (group.ready, group.unready, group.missing, group.ignored);
    assert_eq!(numbers, (1, 1, 1, 0));
}
