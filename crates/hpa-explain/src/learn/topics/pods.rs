//! Which pods count, and what they request.

use crate::{
    learn::{
        case::{Case, PodCase, ago, case, pod},
        example::{asks, groups, percent, table},
        picture,
        topic::{Chapter, Shown, Topic, input},
    },
    model::{ConditionStatus, PodPhase},
    trace::{PodReason, Upstream},
};

pub(super) static TOPICS: &[Topic] = &[GROUP_PODS];

const GROUP_PODS: Topic = Topic {
    id: "group-pods",
    title: "Which pods count: ready, unready, missing, ignored",
    answers: "Which of the selected pods count with their sample, which are left out, and which are added back later \
              with a guess?",
    chapter: Chapter::Pods,
    functions: &[
        Upstream::replica_calculator("groupPods"),
        Upstream::replica_calculator("removeMetricsForPods"),
    ],
    part_of: &[],
    inputs: &[
        input(
            "phase, deletionTimestamp, startTime, condition Ready",
            "per pod, times in whole seconds",
            "the pods that the selector of the scale matches",
        ),
        input(
            "sample, its end and its window",
            "milli-units, time, seconds",
            "the metrics API, per pod",
        ),
        input(
            "--horizontal-pod-autoscaler-cpu-initialization-period",
            "duration, default 5 m",
            "a flag of kube-controller-manager",
        ),
        input(
            "--horizontal-pod-autoscaler-initial-readiness-delay",
            "duration, default 30 s",
            "a flag of kube-controller-manager",
        ),
    ],
    formula: "\
for each pod, the first line that fits:
  deletionTimestamp set, or phase Failed           ignored
  phase Pending                                    unready
  no sample                                        missing
  only if the resource is cpu:
    no condition Ready, or no startTime            unready
    now < startTime + cpuInitializationPeriod:
      Ready is False                               unready
      end of sample < Ready's transition + window  unready
    otherwise:
      Ready is False, and its last transition is
      less than initialReadinessDelay after start  unready
  everything else                                  ready",
    remarks: &[
        "Samples of ignored and unready pods are taken out of the sum; those of pods that nobody knows any more stay in.",
        "The readiness rules hold for the resource `cpu` alone: memory, custom and external metrics count a pod that \
         is not ready as soon as it has a sample.",
        "After the first 5 minutes a pod that is not ready counts with its CPU, unless it has never been ready; that \
         is guessed from how soon after the start its condition last changed.",
        "A pod whose phase is Succeeded and that has no sample is missing, not ignored.",
    ],
    picture: || {
        let mut rows = vec![vec![
            "pod".to_owned(),
            "started".to_owned(),
            "Ready".to_owned(),
            "class".to_owned(),
            "reason".to_owned(),
        ]];
        rows.extend(pods_of_the_picture().into_iter().map(|(name, one)| {
            let started = one.pod.started.map_or_else(
                || "no".to_owned(),
                |started| seconds((ago(0) - started).get_seconds()),
            );
            let ready = one.pod.ready.map_or_else(
                || "no condition".to_owned(),
                |ready| {
                    let is_ready = match ready.status {
                        ConditionStatus::True => "yes",
                        ConditionStatus::False => "no",
                        ConditionStatus::Unknown => "unknown",
                    };
                    let since = ready.last_transition.unwrap_or(ago(0));
                    format!("{is_ready} for {}", seconds((ago(0) - since).get_seconds()))
                },
            );
            let trace = case(3).cpu(50).pods([one, pod().uses("50m")]).decide();
            let first = groups(&trace).and_then(|groups| groups.pods.first().copied());
            let (class, reason) = first.map_or(("", ""), |first| {
                (first.class.as_str(), reason(first.reason))
            });
            vec![
                name.to_owned(),
                started,
                ready,
                class.to_owned(),
                reason.to_owned(),
            ]
        }));
        picture::grid(&rows)
    },
    worked: || {
        let base = || case(3).cpu(50).ready(2, "80m");
        let variants: [(&str, Case); 6] = [
            ("a third ready pod, 20m", base().pods([pod().uses("20m")])),
            ("a third pod, Pending", base().pods([pod().pending()])),
            (
                "a third pod, not ready since its start 60 s ago, 90m",
                base().pods([pod().unready().uses("90m")]),
            ),
            ("a third pod without a sample", base().pods([pod()])),
            (
                "a third pod that is being deleted, 20m",
                base().pods([pod().deleted().uses("20m")]),
            ),
            (
                "a third pod, Succeeded, without a sample",
                base().pods([pod().phase(PodPhase::Succeeded)]),
            ),
        ];
        let rows = variants.into_iter().map(|(what, case)| {
            let trace = case.decide();
            let groups = groups(&trace);
            let counts = groups.map_or_else(String::new, |groups| {
                format!(
                    "{} · {} · {} · {}",
                    groups.ready, groups.unready, groups.missing, groups.ignored
                )
            });
            [
                what.to_owned(),
                counts,
                format!("{} %", percent(&trace)),
                asks(&trace),
            ]
        });
        format!(
            "Target 50 % of requests, 3 replicas; two ready pods use 80m of the 100m that each requests.\n\n{}\n\
             The percentage is that of the first look, which the status shows; unready and missing pods are added back \
             afterwards ([second-look](second-look.md)).\n",
            table(
                [
                    "and",
                    "ready · unready · missing · ignored",
                    "first look",
                    "asks for"
                ],
                rows
            )
        )
    },
    differences: &[],
    beliefs: &[
        (
            "A pod that is not ready never counts.",
            "For memory and custom metrics a running pod counts, ready or not. For CPU a pod that is not ready is left out in \
             its first 5 minutes; later it counts, unless it has never been ready.",
        ),
        (
            "Pending pods are ignored.",
            "They are unready: on the way up they count as 0, so a cluster without room looks less loaded than it is.",
        ),
        (
            "Only pods of the Deployment count.",
            "Every pod that the selector matches does, whoever owns it; finished Job pods with the same labels are \
             missing and hold a scale-down back.",
        ),
    ],
    shown: Shown::Own(|| {
        case(4)
            .cpu(50)
            .ready(2, "80m")
            .pods([pod().unready().uses("90m"), pod()])
    }),
    rules: &[
        ("HPA501", "selector-foreign-pods"),
        ("HPA502", "finished-pods-selected"),
        ("HPA503", "no-readiness-probe"),
        ("HPA504", "startup-exceeds-cpu-init"),
        ("HPA505", "non-cpu-startup"),
        ("HPA506", "unready-share-high"),
        ("HPA703", "metrics-stale"),
    ],
};

/// The boundary cases of the rules, with their names.
fn pods_of_the_picture() -> Vec<(&'static str, PodCase)> {
    vec![
        ("being deleted", pod().deleted().uses("50m")),
        ("Failed", pod().phase(PodPhase::Failed).uses("50m")),
        ("Pending", pod().pending()),
        ("no sample", pod()),
        ("starting", pod().started(60, false, 60).uses("50m")),
        (
            "ready, old sample",
            pod().started(60, true, 10).sampled(12, 15).uses("50m"),
        ),
        (
            "ready, new sample",
            pod().started(60, true, 40).sampled(12, 15).uses("50m"),
        ),
        ("never ready", pod().started(600, false, 590).uses("50m")),
        ("was ready", pod().started(600, false, 300).uses("50m")),
        ("ready", pod().uses("50m")),
    ]
}

fn seconds(seconds: i64) -> String {
    crate::explain::clock::duration(jiff::SignedDuration::from_secs(seconds))
}

fn reason(reason: PodReason) -> &'static str {
    match reason {
        PodReason::Deleted => "deletionTimestamp",
        PodReason::Failed => "phase Failed",
        PodReason::Pending => "phase Pending",
        PodReason::NoSample => "no sample",
        PodReason::NoReadyConditionOrStart => "no condition or start",
        PodReason::NotReadyInInitialization => "not ready in first 5 m",
        PodReason::SampleBeforeReady => "sample before ready",
        PodReason::NeverReady => "not ready since start",
        PodReason::Counted => "counted",
        PodReason::CountedThoughNotReady => "has been ready",
    }
}
