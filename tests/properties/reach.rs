//! The usage from which a target asks for more replicas, compared with the engine on pods with that usage.

use hpa_engine::{
    engine::{Reach, decide},
    model::{
        Behavior, Input, Memory, MetricSpec, Observation, Quantity, Reading, ScalingRules,
        quantity::Format,
    },
    trace::MetricOutcome,
};
use proptest::prelude::*;

use hpa_testing::NOW;

use crate::tolerance::{Class, situation};

proptest! {
    #[test]
    fn least_utilization_scales_up_and_one_point_less_does_not(
        target in 1..400_i32,
        minor in 23..=38_u32,
        flag in tolerance(),
        own in proptest::option::of(tolerance()),
        gate in any::<bool>(),
        pods in 1..6_usize,
    ) {
        let mut observation = observation(target, false, minor, flag, pods);
        set_tolerance(&mut observation, own, gate);
        let reach = Reach::new(&observation.controller, observation.hpa.spec.behavior.as_ref());
        let least = reach.least_utilization(target).expect("the tolerance is small");
        prop_assert!(needs_more(&mut observation, 10 * i64::from(least)));
        prop_assert!(!needs_more(&mut observation, 10 * i64::from(least) - 1));
    }

    #[test]
    fn least_average_scales_up_and_one_thousandth_less_does_not(
        target in 1..100_000_i32,
        minor in 23..=38_u32,
        flag in tolerance(),
        own in proptest::option::of(tolerance()),
        gate in any::<bool>(),
        pods in 1..6_usize,
    ) {
        let mut observation = observation(target, true, minor, flag, pods);
        set_tolerance(&mut observation, own, gate);
        let reach = Reach::new(&observation.controller, observation.hpa.spec.behavior.as_ref());
        let least = reach.least_average(i64::from(target)).expect("the tolerance is small");
        prop_assert!(needs_more(&mut observation, least));
        prop_assert!(!needs_more(&mut observation, least - 1));
    }
}

/// Ready pods that request one core each.
fn observation(target: i32, is_average: bool, minor: u32, flag: f64, pods: usize) -> Observation {
    let plans = vec![(1000, 100, Class::Ready); pods];
    let current = i32::try_from(pods).expect("few pods");
    situation(&plans, target, is_average, (minor, flag, current))
}

fn tolerance() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(0.1),
        (0..2000_u32).prop_map(|thousandths| f64::from(thousandths) / 1000.0),
    ]
}

fn set_tolerance(observation: &mut Observation, own: Option<f64>, gate: bool) {
    let gates = &mut observation.controller.feature_gates;
    gates.hpa_configurable_tolerance = Input::given(gate);
    let rules = ScalingRules {
        tolerance: own.map(|own| Quantity::parse(&own.to_string()).expect("a decimal")),
        ..ScalingRules::default()
    };
    observation.hpa.spec.behavior = Some(Behavior {
        scale_up: Some(rules),
        scale_down: None,
    });
}

/// Whether the metric asks for more replicas if every pod uses this many thousandths of a core.
fn needs_more(observation: &mut Observation, usage: i64) -> bool {
    assert!(matches!(
        observation.hpa.spec.metrics[..],
        [MetricSpec::Resource(_)]
    ));
    let Reading::Read(samples) = &mut observation.pod_metrics else {
        panic!("the samples were read");
    };
    for sample in &mut *samples {
        sample.containers[0].usage[0].1 = Quantity::from_milli(usage, Format::DecimalSI);
    }
    let pods = i32::try_from(samples.len()).expect("few pods");
    let trace = decide(observation, &mut Memory::default(), NOW);
    let metric = trace.metrics().next().expect("there is a metric");
    match &metric.outcome {
        MetricOutcome::Proposal { replicas, .. } => pods < *replicas,
        other => panic!("{other:?}"),
    }
}
