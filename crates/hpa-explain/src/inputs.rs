//! The inputs of the page: every input that decides, how it is known, and what would make it certain.

use hpa_analysis::{MemoryBasis, gates_that_matter};
use hpa_engine::{
    model::{Direction, Input, Provenance, Reading, Setting},
    trace::PodReason,
};
use hpa_words::{amount::trimmed, clock::duration, program::typed};
use jiff::Timestamp;

use crate::{
    ExplainContext, NoteWeight, TrustView, evidence::evidence, field_name::name_of, setting,
};

/// One input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputView {
    /// The controller setting; none: something that was read, or the recommendation history.
    pub setting: Option<Setting>,
    /// Its name: `tolerance`.
    pub name: String,
    /// Its value.
    pub value: String,
    /// How it is known.
    pub provenance: Provenance,
    /// The evidence that it was inferred from, or that speaks for another value.
    pub evidence: Option<String>,
    /// The flag that sets it here, or the permission that allows reading it.
    pub remedy: Option<String>,
    /// Whether this sync depends on it.
    pub matters: bool,
}

/// All inputs, in the order in which the controller uses them.
pub(super) fn inputs(cx: &ExplainContext<'_>) -> Vec<InputView> {
    let mut inputs = settings(cx);
    inputs.extend(gates(cx));
    inputs.push(memory(cx));
    inputs.extend(readings(cx));
    inputs
}

/// One line about the settings that were inferred.
pub(super) fn inferred(inputs: &[InputView]) -> Option<TrustView> {
    let reported: Vec<(String, bool)> = inputs
        .iter()
        .filter(|input| input.provenance == Provenance::Inferred)
        .filter_map(|input| {
            let evidence = input.evidence.as_ref()?;
            let text = format!("{} {} ({evidence})", input.name, input.value);
            Some((text, input.matters))
        })
        .collect();
    let texts: Vec<&str> = reported.iter().map(|(text, _)| text.as_str()).collect();
    (!reported.is_empty()).then(|| TrustView {
        title: "inferred",
        text: texts.join("; "),
        weight: if reported.iter().any(|(_, matters)| *matters) {
            NoteWeight::Normal
        } else {
            NoteWeight::Detail
        },
    })
}

fn settings(cx: &ExplainContext<'_>) -> Vec<InputView> {
    let controller = &cx.facts.observation.controller;
    let sync_period = cx.facts.observation.sync_period();
    let uses_tolerance = cx
        .facts
        .metrics
        .iter()
        .any(|metric| metric.tolerance.is_some() || metric.adjusted_tolerance.is_some());
    let uses_cpu = cx.facts.metrics.iter().any(|metric| {
        metric.groups.is_some() && metric.unit() == hpa_words::amount::MetricUnit::Cores
    });
    let spec = &cx.facts.observation.hpa.spec;
    let own_tolerances = Direction::BOTH.into_iter().all(|direction| {
        let rules = spec.rules(direction);
        rules.is_some_and(|rules| rules.tolerance.is_some())
    });
    let own_window = spec
        .rules(Direction::Down)
        .is_some_and(|rules| rules.window().is_some());
    [
        (
            Setting::Version,
            controller.version.value.to_string(),
            controller.version.provenance,
            true,
        ),
        (
            Setting::Tolerance,
            trimmed(controller.tolerance.value, 6),
            controller.tolerance.provenance,
            uses_tolerance && !own_tolerances,
        ),
        (
            Setting::DownscaleStabilization,
            duration(controller.downscale_stabilization.value),
            controller.downscale_stabilization.provenance,
            cx.facts.stabilize.is_some() && !own_window,
        ),
        (
            Setting::CpuInitializationPeriod,
            duration(controller.cpu_initialization_period.value),
            controller.cpu_initialization_period.provenance,
            uses_cpu,
        ),
        (
            Setting::InitialReadinessDelay,
            duration(controller.initial_readiness_delay.value),
            controller.initial_readiness_delay.provenance,
            uses_cpu,
        ),
        (
            Setting::SyncPeriod,
            duration(sync_period.value),
            sync_period.provenance,
            false,
        ),
        (
            Setting::Architecture,
            controller.architecture.value.as_str().to_owned(),
            controller.architecture.provenance,
            false,
        ),
    ]
    .into_iter()
    .map(|(setting, value, provenance, matters)| InputView {
        setting: Some(setting),
        name: setting::name(setting),
        value,
        provenance,
        evidence: evidence(cx, setting, provenance),
        remedy: Some(setting::flag(setting)),
        matters,
    })
    .collect()
}

/// The feature gates; a gate matters if something in this HPA depends on it.
fn gates(cx: &ExplainContext<'_>) -> Vec<InputView> {
    let observation = cx.facts.observation;
    let gates = &observation.controller.feature_gates;
    let minor = observation.controller.version.value.minor;
    let matter = gates_that_matter(observation);
    let listed = [
        "HPAConfigurableTolerance",
        "HPAContainerMetrics",
        "HPAScaleToZero",
        "PodLevelResources",
    ];
    let listed = listed
        .into_iter()
        .filter_map(|name| Some((name, *gates.by_name(name)?)));
    let input = |(name, gate): (&'static str, Input<bool>)| {
        let setting = Setting::FeatureGate(name);
        InputView {
            setting: Some(setting),
            name: setting::name(setting),
            value: if gate.value { "on" } else { "off" }.to_owned(),
            provenance: gate.provenance,
            evidence: evidence(cx, setting, gate.provenance),
            remedy: Some(format!("{}={}", setting::flag(setting), !gate.value)),
            matters: match name {
                // Above zero the decision is the same with and without the gate.
                "HPAScaleToZero" => 36 <= minor && cx.facts.current() == Some(0),
                _ => matter.contains(&name),
            },
        }
    };
    listed.map(input).collect()
}

/// The recommendation history.
fn memory(cx: &ExplainContext<'_>) -> InputView {
    let recommendations = cx
        .analysis
        .memory
        .recommendations
        .as_ref()
        .map_or(0, Vec::len);
    let events =
        cx.analysis.memory.scale_up_events.len() + cx.analysis.memory.scale_down_events.len();
    let has_behavior = cx.facts.observation.hpa.spec.behavior.is_some();
    let (provenance, value) = match cx.analysis.memory_basis {
        MemoryBasis::Inferred => (
            Provenance::Inferred,
            if has_behavior {
                format!(
                    "{recommendations} recommendations and {events} scale events, from status and Events"
                )
            } else {
                format!("{recommendations} recommendations, from status and Events")
            },
        ),
        MemoryBasis::Recorded => (
            Provenance::Observed,
            format!(
                "{recommendations} recommendations and {events} scale events, from the recording"
            ),
        ),
        MemoryBasis::Watched => (
            Provenance::Observed,
            format!(
                "{recommendations} recommendations and {events} scale events, seen while watching"
            ),
        ),
        MemoryBasis::WatchedSince(since) | MemoryBasis::WatchedWithGaps(since) => (
            Provenance::Inferred,
            format!(
                "{recommendations} recommendations and {events} scale events, {}; others from status and Events",
                seen_since(cx, since)
            ),
        ),
    };
    InputView {
        setting: None,
        name: "controller's memory".to_owned(),
        value,
        provenance,
        evidence: None,
        remedy: (provenance == Provenance::Inferred).then(|| typed("capture --every 15s")),
        matters: cx.facts.stabilize.is_some(),
    }
}

/// `seen since 10:37:15`, and whether changes may have been missed.
pub(super) fn seen_since(cx: &ExplainContext<'_>, since: Timestamp) -> String {
    let gaps = match cx.analysis.memory_basis {
        MemoryBasis::WatchedWithGaps(_) => " with gaps",
        _ => "",
    };
    format!("seen since {}{gaps}", cx.clock.time(since))
}

/// What was read, and what was not.
fn readings(cx: &ExplainContext<'_>) -> Vec<InputView> {
    let observation = cx.facts.observation;
    let mut views = Vec::new();
    let mut push = |name: &str, value: String| {
        views.push(InputView {
            setting: None,
            name: name.to_owned(),
            value,
            provenance: Provenance::Observed,
            evidence: None,
            remedy: None,
            matters: true,
        });
    };
    if let Reading::Read(scale) = &observation.scale {
        push(
            "scale",
            format!(
                "spec.replicas {}, status.replicas {}, selector {}",
                scale.spec_replicas, scale.status_replicas, scale.selector
            ),
        );
    }
    if let Some(groups) = cx.facts.groups() {
        let sampled = groups
            .pods
            .iter()
            .filter(|pod| pod.reason != PodReason::NoSample && pod.sampled.is_some());
        let oldest = sampled.filter_map(|pod| pod.sampled).min();
        let age = oldest.map_or_else(String::new, |oldest| {
            format!(", oldest sample {} old", cx.clock.ago(oldest))
        });
        push("pods", format!("{}{age}", groups.pods.len()));
    }
    for not_read in &cx.context.not_read {
        views.push(InputView {
            setting: None,
            name: name_of(&not_read.what),
            value: not_read.why.clone(),
            provenance: Provenance::Assumed,
            evidence: None,
            remedy: not_read.remedy.clone(),
            matters: true,
        });
    }
    views
}
