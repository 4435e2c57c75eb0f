//! The startup of a pod compared with its sample: whether the sample counts, and why.

use hpa_engine::{
    engine,
    model::{ConditionStatus, Pod, PodPhase},
    trace::{ClassifiedPod, PodClass, PodReason},
};
use hpa_words::{
    amount::MetricUnit,
    clock::{Clock, duration},
};
use jiff::{SignedDuration, Timestamp};

use crate::{Facts, MetricFacts};

/// When a pod started, got ready and was measured, and whether its sample counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartupView {
    /// How long ago it was created.
    pub age: Option<SignedDuration>,
    /// From its start to its current condition Ready.
    pub time_to_ready: Option<SignedDuration>,
    /// Since when it is ready.
    pub ready_since: Option<Timestamp>,
    /// `ready_since` in the reader's time.
    pub ready_since_time: Option<String>,
    /// When the interval of its sample began.
    pub sample_from: Option<Timestamp>,
    /// `sample_from` in the reader's time.
    pub sample_from_time: Option<String>,
    /// When the interval of its sample ended.
    pub sample_to: Option<Timestamp>,
    /// Whether the sample counts.
    pub is_counted: bool,
    /// `counted because …`, `not counted because …`.
    pub because: String,
}

/// The startup of a pod compared with its sample, for one metric.
pub(super) fn startup(
    facts: &Facts<'_>,
    metric: &MetricFacts<'_>,
    pod: &Pod,
    classified: &ClassifiedPod,
    clock: &Clock,
) -> StartupView {
    let ready_since = pod
        .ready
        .filter(|ready| ready.status == ConditionStatus::True)
        .and_then(|ready| ready.last_transition);
    let begin = begin(pod);
    let sample_from = classified
        .sampled
        .map(|at| engine::before(at, classified.window));
    let is_counted = classified.class == PodClass::Ready;
    let mut view = StartupView {
        age: begin.map(|at| clock.age(at)),
        time_to_ready: begin
            .zip(ready_since)
            .map(|(begin, ready)| ready.duration_since(begin))
            .filter(|time| !time.is_negative()),
        ready_since,
        ready_since_time: ready_since.map(|at| clock.time(at)),
        sample_from,
        sample_from_time: sample_from.map(|at| clock.time(at)),
        sample_to: classified.sampled,
        is_counted,
        because: String::new(),
    };
    let not = if is_counted { "" } else { "not " };
    let why = why(facts, metric, pod, classified, &view, clock);
    view.because = format!("{not}counted because {why}");
    view
}

/// When a pod began: its creation, or its start if that is earlier.
pub(super) fn begin(pod: &Pod) -> Option<Timestamp> {
    [pod.created, pod.started].into_iter().flatten().min()
}

/// Whether the rules about readiness apply to a metric: CPU of pods or containers.
pub(super) fn is_cpu(metric: &MetricFacts<'_>) -> bool {
    metric.unit() == MetricUnit::Cores
}

fn why(
    facts: &Facts<'_>,
    metric: &MetricFacts<'_>,
    pod: &Pod,
    classified: &ClassifiedPod,
    view: &StartupView,
    clock: &Clock,
) -> String {
    let controller = &facts.observation.controller;
    let period = duration(controller.cpu_initialization_period.value);
    let delay = duration(controller.initial_readiness_delay.value);
    let times = || match (view.sample_from, view.ready_since) {
        (Some(sample), Some(ready)) => Some((clock.time(sample), clock.time(ready))),
        _ => None,
    };
    match classified.reason {
        PodReason::Deleted => "it is terminating".to_owned(),
        PodReason::Failed => "its phase is Failed".to_owned(),
        PodReason::Succeeded => "it has finished".to_owned(),
        PodReason::Pending => "it is Pending".to_owned(),
        PodReason::NoSample if pod.phase == PodPhase::Succeeded => {
            "it has finished and has no metrics".to_owned()
        }
        PodReason::NoSample => "it has no metrics".to_owned(),
        PodReason::NoReadyConditionOrStart => {
            "it has no condition Ready or no start yet".to_owned()
        }
        PodReason::NotReadyInInitialization => {
            format!("it is not ready and started less than {period} ago")
        }
        PodReason::SampleBeforeReady => match times() {
            Some((sample, ready)) => format!(
                "its sample began at {sample}, before it got ready at {ready}, and it started less \
                 than {period} ago"
            ),
            None => "its sample began before it got ready".to_owned(),
        },
        PodReason::NeverReady => {
            format!("it is not ready and was not after the first {delay} either")
        }
        PodReason::CountedThoughNotReady => {
            format!("it started more than {period} ago and was ready later than {delay} after that")
        }
        PodReason::Counted if !is_cpu(metric) => {
            "it has a sample: the startup grace period applies to CPU only".to_owned()
        }
        PodReason::Counted => {
            let is_young = pod.started.is_some_and(|started| {
                let period = controller.cpu_initialization_period.value;
                clock.now < engine::after(started, period)
            });
            match times() {
                Some((sample, ready)) if is_young => {
                    format!("its sample began at {sample}, after it got ready at {ready}")
                }
                _ => format!("it is ready and started more than {period} ago"),
            }
        }
    }
}
