//! Ready, unready, missing and ignored pods. Upstream: `groupPods` and `getReadyPodsCount` in
//! `replica_calculator.go`.
//!
//! A comment in upstream's `groupPods` says that pending pods are ignored; the line below it makes them unready. This
//! follows the code.

use crate::{
    engine::{
        context::{ReconcileContext, SelectedPods},
        go_math,
        samples::{Sample, Samples},
    },
    model::{ConditionStatus, Pod, PodPhase, Switches},
    trace::{ClassifiedPod, CountReadyPods, GroupPods, Milli, PodClass, PodReason},
};

/// The pods by class, and the samples left after removing those of ignored and unready pods.
pub(crate) struct Grouped {
    pub(crate) step: GroupPods,
    /// Sample of each ready pod: index of the pod, milli-units.
    pub(crate) counted: Vec<(usize, i64)>,
    /// Samples of pods that are not in the list, milli-units.
    pub(crate) unknown: Vec<i64>,
}

/// Sorts pods into classes. `is_cpu` enables the readiness rules. Upstream: `groupPods` and the two
/// `removeMetricsForPods` after it.
pub(crate) fn group_pods(
    cx: &ReconcileContext<'_>,
    pods: &SelectedPods<'_>,
    samples: &Samples<'_>,
    is_cpu: bool,
) -> Grouped {
    let mut is_of_pod = vec![false; samples.len()];
    let mut hint = usize::MAX;
    let mut step = GroupPods {
        pods: Vec::with_capacity(pods.indices.len()),
        unknown_pods: 0,
        ready: 0,
        unready: 0,
        missing: 0,
        ignored: 0,
    };
    let mut counted = Vec::with_capacity(pods.indices.len());
    for (index, pod) in pods.iter() {
        let found = samples.find(&pod.name, &mut hint);
        if let Some((position, _)) = found
            && let Some(flag) = is_of_pod.get_mut(position)
        {
            *flag = true;
        }
        let sample = found.map(|(_, sample)| sample);
        let (class, reason) = classify(cx, pod, sample, is_cpu);
        let number = match class {
            PodClass::Ready => &mut step.ready,
            PodClass::Unready => &mut step.unready,
            PodClass::Missing => &mut step.missing,
            PodClass::Ignored => &mut step.ignored,
        };
        *number = number.saturating_add(1);
        if class == PodClass::Ready
            && let Some(sample) = sample
        {
            counted.push((index, sample.value));
        }
        step.pods.push(ClassifiedPod {
            pod: index,
            class,
            reason,
            usage: sample.map(|sample| Milli(sample.value)),
            sampled: sample.map(|sample| sample.timestamp),
            window: sample.map(|sample| sample.window).unwrap_or_default(),
        });
    }
    let unknown: Vec<i64> = samples
        .iter()
        .zip(&is_of_pod)
        .filter(|(_, is_of_pod)| !**is_of_pod)
        .map(|(sample, _)| sample.value)
        .collect();
    step.unknown_pods = unknown.len();
    Grouped {
        step,
        counted,
        unknown,
    }
}

/// Counts pods that are Running and Ready, including pods being deleted. Upstream: `getReadyPodsCount`.
pub(crate) fn count_ready_pods(pods: &SelectedPods<'_>) -> CountReadyPods {
    let is_ready = |pod: &Pod| pod.phase == PodPhase::Running && pod.is_ready();
    CountReadyPods {
        selected: pods.indices.len(),
        ready: pods.iter().filter(|(_, pod)| is_ready(pod)).count(),
    }
}

/// Why the controller leaves a pod out, whatever the metric. None: it does not.
pub fn why_ignored(switches: &Switches, pod: &Pod) -> Option<PodReason> {
    match pod.phase {
        _ if pod.deleted.is_some() => Some(PodReason::Deleted),
        PodPhase::Failed => Some(PodReason::Failed),
        PodPhase::Succeeded if switches.finished_pods_ignored => Some(PodReason::Succeeded),
        PodPhase::Other(_) | PodPhase::Pending | PodPhase::Running | PodPhase::Succeeded => None,
    }
}

/// The first rule that matches wins.
fn classify(
    cx: &ReconcileContext<'_>,
    pod: &Pod,
    sample: Option<&Sample<'_>>,
    is_cpu: bool,
) -> (PodClass, PodReason) {
    if let Some(reason) = why_ignored(cx.switches, pod) {
        return (PodClass::Ignored, reason);
    }
    if pod.phase == PodPhase::Pending {
        return (PodClass::Unready, PodReason::Pending);
    }
    let Some(sample) = sample else {
        return (PodClass::Missing, PodReason::NoSample);
    };
    if is_cpu {
        classify_by_cpu_readiness(cx, pod, sample)
    } else {
        (PodClass::Ready, PodReason::Counted)
    }
}

/// Infers from timestamps whether a CPU sample comes from a pod that is still starting.
fn classify_by_cpu_readiness(
    cx: &ReconcileContext<'_>,
    pod: &Pod,
    sample: &Sample<'_>,
) -> (PodClass, PodReason) {
    let (Some(ready), Some(started)) = (pod.ready, pod.started) else {
        return (PodClass::Unready, PodReason::NoReadyConditionOrStart);
    };
    let controller = cx.controller();
    let last_transition = go_math::or_zero_time(ready.last_transition);
    let is_false = ready.status == ConditionStatus::False;
    let initialized = go_math::after(started, controller.cpu_initialization_period.value);
    if cx.now < initialized {
        if is_false {
            return (PodClass::Unready, PodReason::NotReadyInInitialization);
        }
        if sample.timestamp < go_math::after(last_transition, sample.window) {
            return (PodClass::Unready, PodReason::SampleBeforeReady);
        }
    } else if is_false {
        let delayed = go_math::after(started, controller.initial_readiness_delay.value);
        if last_transition < delayed {
            return (PodClass::Unready, PodReason::NeverReady);
        }
        return (PodClass::Ready, PodReason::CountedThoughNotReady);
    }
    (PodClass::Ready, PodReason::Counted)
}
