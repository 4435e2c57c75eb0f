//! Infers the controller's version or gate from the messages of its conditions, which change between releases.

use hpa_engine::{
    engine,
    model::{Condition, ControllerConfig, Input, KubeVersion, Memory, Provenance},
    trace::{Trace, may_be},
};

use super::{
    cause::{Cause, Hypothesis},
    cross_check::{Compared, Comparison, ComparisonOutcome, CrossCheck},
    hypotheses::HypothesisEvidence,
};

/// Finds the version or the gate that explains the written messages when everything else agrees. Messages without such
/// an explanation differ for other reasons, such as the name of another pod.
pub(super) fn check_messages(
    check: &mut CrossCheck,
    evidence: HypothesisEvidence<'_>,
    memory: &Memory,
) {
    let differing = differing(evidence, evidence.trace);
    if differing.is_empty() {
        return;
    }
    let comes_to_them = |controller: ControllerConfig| {
        let mut varied = evidence.observation.clone();
        varied.controller = controller;
        let trace = engine::decide(&varied, &mut memory.clone(), evidence.trace.at);
        fits(evidence, &trace)
    };
    let Some(cause) = gate(evidence, comes_to_them).or_else(|| version(evidence, comes_to_them))
    else {
        return;
    };
    check.agreement = ComparisonOutcome::Differs;
    check.compared.extend(
        differing
            .into_iter()
            .map(|(written, recomputed)| Comparison {
                what: Compared::Message(written.condition_type.clone()),
                written: written.message.clone(),
                recomputed: recomputed.message.clone(),
            }),
    );
    check.hypotheses.push(Hypothesis::fitting(cause));
}

/// The gate that decides how many HPAs a message names.
fn gate(
    evidence: HypothesisEvidence<'_>,
    comes_to_them: impl Fn(ControllerConfig) -> bool,
) -> Option<Cause> {
    let mut controller = evidence.observation.controller.clone();
    let gate = &mut controller.feature_gates.hpa_optimized_selector_store;
    if gate.provenance == Provenance::Observed {
        return None;
    }
    gate.value = !gate.value;
    let is_on = gate.value;
    comes_to_them(controller).then_some(Cause::FeatureGate("HPAOptimizedSelectorStore", is_on))
}

/// The version nearest to the assumed one.
fn version(
    evidence: HypothesisEvidence<'_>,
    comes_to_them: impl Fn(ControllerConfig) -> bool,
) -> Option<Cause> {
    let assumed = &evidence.observation.controller;
    let is_sure = matches!(
        assumed.version.provenance,
        Provenance::Observed | Provenance::Given
    );
    if is_sure {
        return None;
    }
    let mut minors: Vec<u32> = (KubeVersion::OLDEST.minor..=KubeVersion::NEWEST.minor).collect();
    minors.sort_by_key(|minor| assumed.version.value.minor.abs_diff(*minor));
    minors.into_iter().skip(1).find_map(|minor| {
        let version = KubeVersion { minor, patch: None };
        let controller = ControllerConfig {
            version: Input::assumed(version),
            ..assumed.clone()
        };
        comes_to_them(controller).then_some(Cause::Version(version))
    })
}

/// The conditions with the same reason but another message, as (written, recomputed).
fn differing<'a>(
    evidence: HypothesisEvidence<'a>,
    trace: &'a Trace,
) -> Vec<(&'a Condition, &'a Condition)> {
    let Some(outcome) = &trace.outcome else {
        return Vec::new();
    };
    evidence
        .observation
        .hpa
        .status
        .conditions
        .iter()
        .filter(|written| !written.message.is_empty())
        .filter_map(|written| {
            let recomputed = outcome.status.condition(&written.condition_type)?;
            let is_same = written.reason == recomputed.reason;
            let is_same_message = may_be(&recomputed.message, &written.message);
            (is_same && !is_same_message).then_some((written, recomputed))
        })
        .collect()
}

/// Whether a version gives each condition that it shares with the assumed one the written reason and message.
fn fits(evidence: HypothesisEvidence<'_>, varied: &Trace) -> bool {
    let reasons = |trace: &Trace| -> Vec<(String, String)> {
        let outcome = trace.outcome.iter();
        let conditions = outcome.flat_map(|outcome| &outcome.status.conditions);
        conditions
            .map(|one| (one.condition_type.clone(), one.reason.clone()))
            .collect()
    };
    reasons(varied) == reasons(evidence.trace) && differing(evidence, varied).is_empty()
}
