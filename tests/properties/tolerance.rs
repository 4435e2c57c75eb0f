//! A ratio within the tolerance changes nothing.

use hpa_engine::{
    engine::decide,
    model::{Memory, Observation, PodPhase},
    trace::{MetricOutcome, MetricStep, Pass, Step, Trace},
};
use hpa_testing::{NOW, average, hpa, pod, utilization};
use proptest::{collection::vec, prelude::*};

/// One pod: its request in thousandths, its usage in percent of the target, and its class.
pub(crate) type PodPlan = (i64, i64, Class);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Class {
    Ready,
    Unready,
    Missing,
    Failed,
}

pub(crate) fn pods() -> impl Strategy<Value = Vec<PodPlan>> {
    let class = prop_oneof![
        8 => Just(Class::Ready),
        1 => Just(Class::Unready),
        1 => Just(Class::Missing),
        1 => Just(Class::Failed),
    ];
    vec((10..4000_i64, 70..140_i64, class), 1..9)
}

/// A cpu metric, of utilization or of usage, over these pods.
pub(crate) fn situation(
    pods: &[PodPlan],
    target: i32,
    is_average: bool,
    (minor, tolerance, current): (u32, f64, i32),
) -> Observation {
    let metric = if is_average {
        average(&format!("{target}m"))
    } else {
        utilization(target)
    };
    let fixtures = pods
        .iter()
        .enumerate()
        .map(|(index, (request, percent, class))| {
            let pod = pod(&format!("web-{index}")).requesting(&format!("{request}m"));
            let pod = match class {
                Class::Unready => pod.phase(PodPhase::Pending),
                Class::Failed => pod.phase(PodPhase::Failed),
                Class::Missing => return pod,
                Class::Ready => pod,
            };
            let target = i64::from(target);
            let on_target = if is_average {
                target
            } else {
                request * target / 100
            };
            pod.cpu(&format!("{}m", on_target * percent / 100))
        });
    hpa("web")
        .min(1)
        .resource("cpu", metric)
        .kube(minor)
        .tolerance(tolerance)
        .with_replicas(current)
        .pods(fixtures)
        .observation
}

/// The first ratio and the proposal; `None` if all pods are missing or left out.
fn ratio_and_proposal(trace: &Trace) -> Option<(f64, i32, usize)> {
    let evaluation = trace.steps.iter().find_map(|step| match step {
        Step::Metric(evaluation) => Some(evaluation),
        _ => None,
    })?;
    let ratio = evaluation.steps.iter().find_map(|step| match step {
        MetricStep::UsageRatio(ratio) if ratio.pass == Pass::First => Some(ratio.usage_ratio),
        _ => None,
    })?;
    let ready = evaluation.steps.iter().find_map(|step| match step {
        MetricStep::GroupPods(group) => Some(group.ready),
        _ => None,
    })?;
    match evaluation.outcome {
        MetricOutcome::Proposal { replicas, .. } => Some((ratio, replicas, ready)),
        _ => None,
    }
}

/// docs/dev/controller.md 3.1, implemented a second time.
fn is_inside(ratio: f64, minor: u32, tolerance: f64) -> bool {
    if minor < 33 {
        (1.0 - ratio).abs() <= tolerance
    } else {
        1.0 - tolerance <= ratio && ratio <= 1.0 + tolerance
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    /// Missing and not-ready pods don't break it: adding them back moves the ratio only toward the other side. Up to
    /// 1.27 they did, for usage at a ratio of exactly 1.
    #[test]
    fn resource_metric_inside_the_tolerance_proposes_the_current_replicas(
        pods in pods(),
        target in 1..200_i32,
        is_average in any::<bool>(),
        minor in 28..=38_u32,
        tolerance in prop_oneof![Just(0.1), 0.0..0.5],
        current in 1..20_i32,
    ) {
        let observation = situation(&pods, target, is_average, (minor, tolerance, current));
        let trace = decide(&observation, &mut Memory::default(), NOW);
        let Some((ratio, proposal, _)) = ratio_and_proposal(&trace) else { return Ok(()) };
        if is_inside(ratio, minor, tolerance) {
            prop_assert_eq!(proposal, current, "ratio {}", ratio);
        }
    }

    #[test]
    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "small numbers")]
    fn resource_metric_of_ready_pods_outside_the_tolerance_proposes_ratio_times_ready(
        pods in vec((10..4000_i64, 1..400_i64, Just(Class::Ready)), 1..9),
        target in 1..200_i32,
        is_average in any::<bool>(),
        minor in 23..=38_u32,
        current in 1..20_i32,
    ) {
        let observation = situation(&pods, target, is_average, (minor, 0.1, current));
        let trace = decide(&observation, &mut Memory::default(), NOW);
        let (ratio, proposal, ready) = ratio_and_proposal(&trace).unwrap();
        prop_assert_eq!(ready, pods.len());
        let expected = if is_inside(ratio, minor, 0.1) { current } else { (ratio * ready as f64).ceil() as i32 };
        prop_assert_eq!(proposal, expected, "ratio {}", ratio);
    }
}
