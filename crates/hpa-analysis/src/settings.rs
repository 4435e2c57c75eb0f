//! Finds another setting of the controller under which everything fits, by running the engine with each. Skips settings
//! that the controller's pod shows.

use hpa_engine::{
    engine,
    model::{
        Architecture, ConditionStatus, ControllerConfig, Direction, FeatureGates, Input,
        KubeVersion, Observation, Provenance,
    },
    trace::{MetricStep, Trace},
};
use jiff::SignedDuration;

use super::{
    cause::{Cause, Hypothesis},
    flag::Flag,
    probe::groups,
    replay::Replay,
};

/// The flags and gates that each make the replay fit, the most usual first.
pub(super) fn settings_that_fit(replay: &mut Replay<'_>, trace: &Trace) -> Vec<Hypothesis> {
    let assumed = replay.observation.controller.clone();
    let mut found = Vec::new();
    let edges = tolerance_edges(replay, &assumed);
    found.extend(Flag::TOLERANCE.search(replay, &assumed, edges));
    let edges = window_edges(replay, trace, &assumed);
    found.extend(Flag::WINDOW.search(replay, &assumed, edges));
    let (initialization, readiness) = readiness_edges(&replay.observation, trace);
    found.extend(Flag::INITIALIZATION.search(replay, &assumed, initialization));
    found.extend(Flag::READINESS.search(replay, &assumed, readiness));
    for name in gates_that_matter(&replay.observation) {
        let mut controller = assumed.clone();
        let Some(gate) = controller.feature_gates.by_name_mut(name) else {
            continue;
        };
        if gate.provenance == Provenance::Observed {
            continue;
        }
        gate.value = !gate.value;
        let is_on = gate.value;
        if replay.fits(&controller) {
            found.push(Hypothesis::fitting(Cause::FeatureGate(name, is_on)));
        }
    }
    found
}

/// The versions and architectures that each make the replay fit, the nearest first.
pub(super) fn builds_that_fit(replay: &mut Replay<'_>) -> Vec<Hypothesis> {
    let assumed = replay.observation.controller.clone();
    let mut found = Vec::new();
    let KubeVersion { minor, .. } = assumed.version.value;
    for minor in [minor.saturating_sub(1), minor.saturating_add(1)] {
        let version = KubeVersion { minor, patch: None };
        let is_known = (KubeVersion::OLDEST..=KubeVersion::NEWEST).contains(&version);
        if !is_known || assumed.version.provenance == Provenance::Observed {
            continue;
        }
        let controller = ControllerConfig {
            version: Input::assumed(version),
            feature_gates: FeatureGates::defaults(version),
            ..assumed.clone()
        };
        if replay.fits(&controller) {
            found.push(Hypothesis::fitting(Cause::Version(version)));
        }
    }
    let architecture = match assumed.architecture.value {
        Architecture::Amd64 => Architecture::Arm64,
        Architecture::Arm64 => Architecture::Amd64,
    };
    let mut controller = assumed;
    controller.architecture.value = architecture;
    if replay.fits(&controller) {
        found.push(Hypothesis::fitting(Cause::Architecture(architecture)));
    }
    found
}

/// The distances of all ratios from 1: the tolerances at which a decision changes.
fn tolerance_edges(replay: &mut Replay<'_>, assumed: &ControllerConfig) -> Vec<f64> {
    let mut controller = assumed.clone();
    controller.tolerance.value = 0.0;
    replay
        .decide(&controller)
        .metrics()
        .flat_map(|metric| &metric.steps)
        .filter_map(|step| match step {
            MetricStep::UsageRatio(ratio) => Some((ratio.usage_ratio - 1.0).abs()),
            _ => None,
        })
        .filter(|edge| *edge < NOBODY_TOLERATES)
        .collect()
}

/// The ages of the recommendations in a long window, if the flag decides the window.
fn window_edges(replay: &mut Replay<'_>, trace: &Trace, assumed: &ControllerConfig) -> Vec<f64> {
    let spec = &replay.observation.hpa.spec;
    let has_own = spec
        .rules(Direction::Down)
        .is_some_and(|rules| rules.window().is_some());
    if has_own || trace.stabilize().is_none() {
        return Vec::new();
    }
    let mut controller = assumed.clone();
    controller.downscale_stabilization.value = LONG;
    replay
        .memory_under(&controller)
        .recommendations
        .unwrap_or_default()
        .iter()
        .map(|one| trace.at.duration_since(one.at).as_secs_f64())
        .collect()
}

/// The values at which the CPU initialization period and the initial readiness delay start to exclude a pod: ages of
/// pods whose class depends on them, and the times that pods took for their last change of readiness. Seconds.
fn readiness_edges(observation: &Observation, trace: &Trace) -> (Vec<f64>, Vec<f64>) {
    let pods = observation
        .pods
        .read()
        .map(|pods| pods.as_slice())
        .unwrap_or_default();
    let (mut ages, mut delays) = (Vec::new(), Vec::new());
    let classified = trace
        .metrics()
        .filter(|metric| {
            let spec = observation.hpa.spec.metrics.get(metric.index);
            spec.is_some_and(|spec| spec.is_resource("cpu"))
        })
        .filter_map(groups)
        .flat_map(|groups| &groups.pods);
    for classified in classified {
        let Some(pod) = pods.get(classified.pod) else {
            continue;
        };
        let (Some(ready), Some(started), Some(sampled)) =
            (pod.ready, pod.started, classified.sampled)
        else {
            continue;
        };
        let changed = ready.last_transition.unwrap_or(started);
        let is_false = ready.status == ConditionStatus::False;
        if is_false || sampled < engine::after(changed, classified.window) {
            ages.push(trace.at.duration_since(started).as_secs_f64());
        }
        if is_false {
            delays.push(changed.duration_since(started).as_secs_f64());
        }
    }
    (ages, delays)
}

/// The names of the feature gates that affect this HPA or its pods in this version.
pub fn gates_that_matter(observation: &Observation) -> Vec<&'static str> {
    let spec = &observation.hpa.spec;
    let minor = observation.controller.version.value.minor;
    let has_tolerance = Direction::BOTH
        .into_iter()
        .filter_map(|direction| spec.rules(direction))
        .any(|rules| rules.tolerance.is_some());
    let has_container = spec
        .metrics
        .iter()
        .any(|metric| metric.container().is_some());
    let has_pod_level = observation
        .pods
        .read()
        .is_some_and(|pods| pods.iter().any(|pod| !pod.requests.is_empty()));
    [
        (
            "HPAConfigurableTolerance",
            has_tolerance && (33..37).contains(&minor),
        ),
        (
            "HPAContainerMetrics",
            has_container && (27..30).contains(&minor),
        ),
        ("HPAScaleToZero", 36 <= minor && spec.min_replicas() == 0),
        ("PodLevelResources", has_pod_level && 34 <= minor),
    ]
    .into_iter()
    .filter_map(|(name, matters)| matters.then_some(name))
    .collect()
}

/// Larger tolerances are implausible: such ratios have other causes.
const NOBODY_TOLERATES: f64 = 0.5;

/// The longest window that the API allows.
const LONG: SignedDuration = SignedDuration::from_hours(1);
