//! The replicas stay between minimum and maximum.

use hpa_engine::{
    engine::decide,
    model::{
        ExternalMetricValue, IndexedAnswer, MetricIdentifier, MetricSpec, MetricTarget,
        Observation, PodsSource, Quantity, Reading, Scale,
    },
    trace::Decision,
};
use proptest::prelude::*;

use hpa_testing::NOW;

use crate::generate::{memory, observation, quantity};

/// Minimum, maximum and current replicas, small enough to be doubled without overflow.
fn replicas() -> impl Strategy<Value = (i32, i32, i32)> {
    let up_to = |most: i32| [0..=most, 0..=most, 0..=most];
    prop_oneof![4 => up_to(12), 1 => up_to(i32::MAX / 2)].prop_map(|mut replicas| {
        replicas.sort_unstable();
        let [min, current, max] = replicas;
        (min, current, max.max(1))
    })
}

/// Reduces the metrics to one that rarely fails.
fn with_one_metric(observation: &mut Observation, target: Quantity, value: Quantity) {
    observation.hpa.spec.metrics = vec![MetricSpec::External(PodsSource {
        metric: MetricIdentifier {
            name: "queue".to_owned(),
            selector: None,
        },
        metric_target: MetricTarget {
            average_value: Some(target),
            ..MetricTarget::default()
        },
    })];
    observation.external_metrics = vec![IndexedAnswer {
        index: 0,
        answer: Reading::Read(
            vec![ExternalMetricValue {
                labels: Vec::new(),
                timestamp: None,
                value,
            }]
            .into(),
        ),
    }];
}

fn with_scale(observation: &mut Observation, replicas: i32) {
    observation.scale = Reading::Read(Scale {
        spec_replicas: replicas,
        status_replicas: replicas,
        selector: "app=web".to_owned(),
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn decided_replicas_are_within_the_bounds(
        mut observation in observation(true),
        mut memory in memory(),
        (min, current, max) in replicas(),
        (target, value) in (quantity(), quantity()),
    ) {
        observation.hpa.spec.min_replicas = Some(min);
        observation.hpa.spec.max_replicas = max;
        with_scale(&mut observation, current);
        with_one_metric(&mut observation, target, value);
        let decided = match decide(&observation, &mut memory, NOW).decision {
            Decision::Hold { current } => current,
            Decision::Rescale { from, to, .. } => {
                prop_assert_ne!(from, to);
                to
            }
            // Everything is unchanged.
            Decision::Failed { .. } | Decision::Disabled | Decision::Unknown { .. } => return Ok(()),
        };
        prop_assert!(min <= decided && decided <= max, "{min} … {max}: {decided}");
    }

    #[test]
    fn replicas_outside_the_bounds_are_brought_to_the_nearest_bound_at_once(
        mut observation in observation(true),
        mut memory in memory(),
        (min, _, max) in replicas(),
        outside in 1..1000_i32,
        is_above in any::<bool>(),
    ) {
        observation.hpa.spec.min_replicas = Some(min);
        observation.hpa.spec.max_replicas = max;
        // Zero replicas are off, not below the minimum.
        let (current, to) = if is_above || min < 2 {
            (max + outside, max)
        } else {
            (1 + outside % (min - 1), min)
        };
        with_scale(&mut observation, current);
        let trace = decide(&observation, &mut memory, NOW);
        prop_assert_eq!(trace.outcome.unwrap().scale_to, Some(to));
    }
}
