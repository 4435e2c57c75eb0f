//! Any input gives a trace, and an outcome that carries out the decision unless some input could not be read.

use std::sync::Arc;

use hpa_engine::{
    engine::decide,
    model::{Memory, MetricSpec, Neighbors, Observation, OtherHpa, Reading},
    trace::{Decision, Trace},
};
use proptest::{collection::btree_set, prelude::*};

use hpa_testing::NOW;

use crate::generate::{memory, observation};

/// The trace, which is the same on each run.
fn decide_twice(observation: &Observation, memory: &Memory) -> Result<Trace, TestCaseError> {
    let (mut first, mut second) = (memory.clone(), memory.clone());
    let trace = decide(observation, &mut first, NOW);
    let again = decide(observation, &mut second, NOW);
    // As text, because a ratio may be NaN.
    prop_assert_eq!(format!("{trace:?}"), format!("{again:?}"));
    prop_assert_eq!(first, second);
    Ok(trace)
}

/// The controller writes what was decided, and its events report it.
fn check_outcome(trace: &Trace) -> Result<(), TestCaseError> {
    let Some(outcome) = &trace.outcome else {
        return Err(TestCaseError::fail(format!("no outcome: {trace:?}")));
    };
    let (written, reported) = match trace.decision {
        Decision::Rescale {
            to, succeeds: true, ..
        } => (Some(to), Some("SuccessfulRescale")),
        Decision::Rescale { to, .. } => (Some(to), Some("FailedRescale")),
        _ => (None, None),
    };
    prop_assert_eq!(outcome.scale_to, written);
    let reasons = outcome.events.iter().map(|event| event.reason);
    let rescales: Vec<_> = reasons
        .filter(|reason| reason.ends_with("Rescale"))
        .collect();
    prop_assert_eq!(rescales, Vec::from_iter(reported));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn list_of_hpas_that_all_of_them_share_decides_as_one_of_each(
        mut observation in observation(true),
        memory in memory(),
        names in btree_set("[a-c]{1,2}", 1..5),
        are_alike in any::<bool>(),
    ) {
        let Reading::Read(scale) = &observation.scale else {
            return Ok(());
        };
        let other = |name: &String, is_alike: bool| {
            let selector = if is_alike { scale.selector.clone() } else { "app".to_owned() };
            Arc::new(OtherHpa { name: name.clone(), selector })
        };
        let own = observation.hpa.name.clone();
        let others = names.iter().filter(|name| **name != own);
        let others: Vec<_> = others.map(|name| other(name, are_alike)).collect();
        let itself = other(&own, true);
        observation.other_hpas = others.clone().into();
        let each = decide_twice(&observation, &memory)?;
        let all = others.into_iter().chain([itself]).collect();
        observation.other_hpas = Neighbors::of_each_other(all).without(&own);
        let shared = decide_twice(&observation, &memory)?;
        prop_assert_eq!(format!("{each:?}"), format!("{shared:?}"));
    }

    #[test]
    fn complete_observation_always_has_an_outcome(
        observation in observation(true),
        memory in memory(),
    ) {
        let trace = decide_twice(&observation, &memory)?;
        let is_known = !matches!(trace.decision, Decision::Unknown { .. });
        prop_assert!(is_known, "{:?}", trace.decision);
        check_outcome(&trace)?;
    }

    #[test]
    fn outcome_is_missing_only_where_something_that_decides_was_not_read(
        observation in observation(false),
        memory in memory(),
    ) {
        let trace = decide_twice(&observation, &memory)?;
        match &trace.decision {
            Decision::Unknown { missing, .. } => {
                prop_assert!(trace.outcome.is_none());
                prop_assert!(!missing.is_empty());
                prop_assert!(has_gap(&observation));
            }
            _ => check_outcome(&trace)?,
        }
    }

    #[test]
    fn parts_of_the_spec_may_be_absent(observation in observation(true), memory in memory()) {
        for remove in [without_behavior, without_windows, without_policies, with_empty_policies, without_metrics] {
            let mut changed = observation.clone();
            remove(&mut changed);
            check_outcome(&decide_twice(&changed, &memory)?)?;
        }
    }

    #[test]
    fn trace_has_one_status_for_each_metric_that_was_evaluated(
        observation in observation(true),
        memory in memory(),
    ) {
        let trace = decide_twice(&observation, &memory)?;
        let displayed = trace.outcome.unwrap().status.current_metrics.len();
        let metrics: &[MetricSpec] = &observation.hpa.spec.metrics;
        prop_assert!(displayed == 0 || displayed == metrics.len(), "{displayed} of {}", metrics.len());
    }
}

/// Whether any part of it could not be read.
fn has_gap(observation: &Observation) -> bool {
    matches!(observation.scale, Reading::NotRead(_))
        || !matches!(observation.pods, Reading::Read(_))
        || matches!(observation.pod_metrics, Reading::NotRead(_))
        || observation
            .custom_metrics
            .iter()
            .any(|answer| matches!(answer.answer, Reading::NotRead(_)))
        || observation
            .external_metrics
            .iter()
            .any(|answer| matches!(answer.answer, Reading::NotRead(_)))
}

fn without_behavior(observation: &mut Observation) {
    observation.hpa.spec.behavior = None;
}

fn without_windows(observation: &mut Observation) {
    for rules in rules(observation) {
        rules.stabilization_window_seconds = None;
    }
}

fn without_policies(observation: &mut Observation) {
    for rules in rules(observation) {
        rules.policies = None;
    }
}

fn with_empty_policies(observation: &mut Observation) {
    for rules in rules(observation) {
        rules.policies = Some(Vec::new());
    }
}

fn without_metrics(observation: &mut Observation) {
    observation.hpa.spec.metrics.clear();
}

fn rules(
    observation: &mut Observation,
) -> impl Iterator<Item = &mut hpa_engine::model::ScalingRules> {
    observation
        .hpa
        .spec
        .behavior
        .iter_mut()
        .flat_map(|behavior| [&mut behavior.scale_up, &mut behavior.scale_down])
        .flatten()
}
