//! Counterfactuals compared with the actual decision.

use hpa_analysis::{
    Alteration, Analysis, Goal, Threshold, Today, UsageLevel, Whose, counterfactuals,
};
use hpa_engine::{
    engine::decide,
    model::{Context, Memory, Observation, SyncInput},
    trace::{MetricOutcome, Milli, Trace},
};
use proptest::prelude::*;

use hpa_testing::NOW;

use crate::{
    generate::{memory, observation},
    tolerance::{pods, situation},
};

fn analysis(observation: &Observation, memory: &Memory) -> Analysis {
    Analysis::new(&SyncInput {
        observation: observation.clone(),
        context: Context::default(),
        memory: Some(memory.clone()),
        now: NOW,
    })
}

/// Alterations without an effect.
fn nothing() -> [Alteration; 4] {
    [
        Alteration::Usage {
            goal: Goal::Up,
            levels: Vec::new(),
        },
        Alteration::WithoutPods {
            whose: Whose::Foreign,
            pods: Vec::new(),
        },
        Alteration::WithoutMetrics {
            indices: Vec::new(),
            are_failing: true,
        },
        Alteration::WithoutOtherHpas { hpas: Vec::new() },
    ]
}

/// The replicas that the metric asks for with this total.
fn proposal(
    observation: &Observation,
    trace: &Trace,
    level: &UsageLevel,
    total: i64,
) -> Option<i32> {
    let level = UsageLevel {
        threshold: Threshold {
            total: Milli(total),
            ..level.threshold.clone()
        },
        ..level.clone()
    };
    let index = level.index;
    let usage = Alteration::Usage {
        goal: Goal::Up,
        levels: vec![level],
    };
    let altered = usage.applied_to(observation, trace);
    let trace = decide(&altered, &mut Memory::default(), NOW);
    let mut metrics = trace.metrics();
    match metrics.find(|metric| metric.index == index)?.outcome {
        MetricOutcome::Proposal { replicas, .. } => Some(replicas),
        MetricOutcome::Invalid(_) | MetricOutcome::Unknown(_) => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn world_without_a_change_has_the_decision_of_today(
        observation in observation(false),
        memory in memory(),
    ) {
        let today = decide(&observation, &mut memory.clone(), NOW);
        for alteration in nothing() {
            let same = alteration.applied_to(&observation, &today);
            let trace = decide(&same, &mut memory.clone(), NOW);
            prop_assert_eq!(&trace.decision, &today.decision, "{:?}", alteration);
        }
    }

    /// One thousandth away, the metric asks for another number, on the wrong side of the goal.
    #[test]
    fn usage_of_a_counterfactual_is_the_edge_itself(
        pods in pods(),
        target in 1..200_i32,
        is_average in any::<bool>(),
        minor in 28..=38_u32,
        current in 1..20_i32,
    ) {
        let mut observation = situation(&pods, target, is_average, (minor, 0.1, current));
        observation.hpa.spec.max_replicas = 30;
        let analysis = analysis(&observation, &Memory::default());
        let context = Context::default();
        let today = Today { observation: &observation, context: &context, analysis: &analysis };
        for one in counterfactuals(today, |kind| kind.as_str() == "usage") {
            let Alteration::Usage { goal, levels } = &one.alteration else {
                panic!("not a usage");
            };
            let level = &levels[0];
            let (reaches, beside): (&dyn Fn(i32) -> bool, i64) = match goal {
                Goal::Up => (&|replicas| current < replicas, -1),
                Goal::Max => (&|replicas| 30 <= replicas, -1),
                Goal::Down => (&|replicas| replicas < current, 1),
                Goal::Min => (&|replicas| replicas <= 1, 1),
            };
            let total = level.threshold.total.0;
            let proposal = |total| proposal(&observation, &analysis.trace, level, total);
            prop_assert_eq!(proposal(total), Some(level.threshold.replicas));
            prop_assert!(reaches(level.threshold.replicas), "{:?}", goal);
            if 0 < total {
                let other = proposal(total + beside);
                prop_assert!(other.is_none_or(|replicas| !reaches(replicas)), "{:?} {:?}", goal, other);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_observation_has_its_counterfactuals(
        observation in observation(false),
        memory in memory(),
    ) {
        let analysis = analysis(&observation, &memory);
        let context = Context::default();
        let today = Today { observation: &observation, context: &context, analysis: &analysis };
        for one in counterfactuals(today, |_| true) {
            let again = decide(&one.observation, &mut memory.clone(), NOW);
            prop_assert_eq!(again.decision, one.trace.decision, "{:?}", one.alteration);
        }
    }
}
