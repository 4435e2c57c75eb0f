//! What the first lines never say, in situations drawn at random.

use std::collections::BTreeSet;

use hpa_analysis::Analysis;
use hpa_diagnosis::pods_not_running::missing_pods;
use hpa_engine::model::{
    Context, ExternalMetricValue, IndexedAnswer, Memory, MetricIdentifier, MetricSpec,
    MetricTarget, Observation, PodsSource, Quantity, Reading, Shared, SyncInput, Target,
};
use hpa_explain::{ExplainContext, FullAnswer, MetricFacts, Overview, metric_names};
use hpa_words::{amount::MetricUnit, clock::Clock};
use jiff::tz::TimeZone;
use proptest::{collection::vec, prelude::*};

use hpa_testing::NOW;

use crate::{
    generate::{memory, observation},
    tolerance::{Class, pods, situation},
};

/// What is said of an observation: the answer, and the few words of a table.
struct Said {
    answer: String,
    words: String,
    /// What the deciding metric counts; none: no metric decides.
    unit: Option<MetricUnit>,
    is_above_target: bool,
    /// Whether the metrics ask for more than there are.
    asks_for_more: bool,
}

fn said(observation: &Observation, context: &Context, memory: Option<Memory>) -> Said {
    let analysis = Analysis::new(&SyncInput {
        observation: observation.clone(),
        context: context.clone(),
        memory,
        now: NOW,
    });
    let clock = Clock::new(TimeZone::UTC, NOW);
    let cx = ExplainContext::new(observation, context, &analysis, &clock);
    let winner = cx.facts.winner();
    let above =
        |metric: &MetricFacts<'_>| metric.ratio.is_some_and(|ratio| 1.0 < ratio.usage_ratio);
    Said {
        answer: FullAnswer::of(&cx).text(),
        words: Overview::new(&cx, false).answer.words().to_owned(),
        unit: winner.map(MetricFacts::unit),
        is_above_target: cx.facts.metrics.iter().any(above),
        asks_for_more: cx.facts.current() < cx.facts.proposal(),
    }
}

fn external(name: &str, target: i64) -> MetricSpec {
    MetricSpec::External(PodsSource {
        metric: MetricIdentifier {
            name: name.to_owned(),
            selector: None,
        },
        metric_target: MetricTarget {
            average_value: Some(Quantity::parse(&target.to_string()).unwrap()),
            ..MetricTarget::default()
        },
    })
}

fn series(values: &[i64]) -> Reading<Shared<ExternalMetricValue>> {
    let one = |(index, value): (usize, &i64)| ExternalMetricValue {
        labels: vec![("queue".to_owned(), format!("q{index}"))],
        timestamp: Some(NOW),
        value: Quantity::parse(&value.to_string()).unwrap(),
    };
    let values: Vec<_> = values.iter().enumerate().map(one).collect();
    Reading::Read(values.into())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn more_replicas_are_never_advised_while_wanted_pods_do_not_exist(
        pods in pods(),
        target in 20..90_i32,
        is_average in any::<bool>(),
        minor in 27..38_u32,
        (wanted, max) in (1..16_i32, 1..16_i32),
        status in 0..16_i32,
        kind in prop::sample::select(vec!["Deployment", "StatefulSet", "Collector"]),
    ) {
        let mut observation = situation(&pods, target, is_average, (minor, 0.1, wanted.min(max)));
        let spec = &mut observation.hpa.spec;
        spec.max_replicas = max;
        kind.clone_into(&mut spec.scale_target.kind);
        if let Reading::Read(scale) = &mut observation.scale {
            scale.status_replicas = status;
        }
        let context = Context::default();
        let said = said(&observation, &context, None);
        if let Some(missing) = missing_pods(&observation, &context) {
            prop_assert!(0 < missing.number());
            prop_assert!(!said.answer.contains("if this load is expected, raise"), "{}", said.answer);
            prop_assert!(!said.answer.contains("simulate"), "{}", said.answer);
            let is_all_clear = said.answer.contains("Nothing to do");
            prop_assert!(!(is_all_clear && said.is_above_target), "{}", said.answer);
        }
    }

    #[test]
    fn replica_of_several_pods_never_gets_an_all_clear_or_an_end(
        pods in pods(),
        target in 20..200_i32,
        minor in 27..38_u32,
        replicas in 1..4_i32,
    ) {
        let mut observation = situation(&pods, target, false, (minor, 0.1, replicas));
        "PodGroupSet".clone_into(&mut observation.hpa.spec.scale_target.kind);
        let all_ready = pods.iter().all(|(_, _, class)| *class == Class::Ready);
        let said = said(&observation, &Context::default(), None);
        if all_ready && said.asks_for_more && 2 * replicas <= i32::try_from(pods.len()).unwrap() {
            prop_assert!(said.answer.contains("not by the"), "{}", said.answer);
            prop_assert!(!said.answer.contains("Nothing to do"), "{}", said.answer);
            prop_assert!(!said.answer.contains("it scales to"), "{}", said.answer);
        }
    }

    #[test]
    fn startup_is_named_only_where_cpu_decides(
        pods in pods(),
        target in 20..90_i32,
        current in 1..9_i32,
        (value, per_replica) in (0..400_i64, 1..40_i64),
        age in 1..600_i64,
    ) {
        let mut observation = situation(&pods, target, false, (36, 0.1, current));
        observation.hpa.spec.metrics.push(external("lag", per_replica));
        observation.external_metrics = vec![IndexedAnswer { index: 1, answer: series(&[value]) }];
        let started = NOW - jiff::SignedDuration::from_secs(age);
        if let Reading::Read(pods) = &mut observation.pods {
            for pod in pods.iter_mut() {
                (pod.created, pod.started) = (Some(started), Some(started));
                if let Some(ready) = &mut pod.ready {
                    ready.last_transition = Some(started);
                }
            }
        }
        let context = Context { target: Some(Target::default()), ..Context::default() };
        let said = said(&observation, &context, None);
        if said.words == "startup CPU as load" || said.answer.contains("their startup") {
            prop_assert!(said.unit == Some(MetricUnit::Cores), "{}", said.answer);
            prop_assert!(age < 180, "{age} s: {}", said.answer);
        }
    }

    #[test]
    fn value_that_nobody_measured_is_never_in_the_first_lines(
        pods in pods(),
        current in 1..9_i32,
        minor in 27..38_u32,
        values in vec(-30..30_i64, 1..4),
        per_replica in 1..40_i64,
    ) {
        let mut observation = situation(&pods, 60, false, (minor, 0.1, current));
        observation.hpa.spec.metrics = vec![external("lag", per_replica)];
        observation.external_metrics = vec![IndexedAnswer { index: 0, answer: series(&values) }];
        let said = said(&observation, &Context::default(), None);
        prop_assert!(!said.answer.contains("9223372036854775"), "{}", said.answer);
        let sums = values.iter().scan(0, |sum, value| { *sum += value; Some(*sum) });
        if 34 <= minor && sums.into_iter().any(|sum| sum < 0) {
            prop_assert!(said.answer.contains("below 0"), "{}", said.answer);
            prop_assert!(!said.answer.contains("Nothing to do"), "{}", said.answer);
        }
    }

    #[test]
    fn no_two_metrics_of_an_hpa_have_the_same_name(observation in observation(true), memory in memory()) {
        let metrics = &observation.hpa.spec.metrics;
        let twice: Vec<MetricSpec> = metrics.iter().chain(metrics).cloned().collect();
        for metrics in [metrics, &twice] {
            let names = metric_names(metrics);
            let short: BTreeSet<&str> = names.iter().map(|name| name.short.as_str()).collect();
            let full: BTreeSet<&str> = names.iter().map(|name| name.full.as_str()).collect();
            prop_assert_eq!(short.len(), metrics.len(), "{:?}", &names);
            prop_assert_eq!(full.len(), metrics.len(), "{:?}", &names);
        }
        // Whatever was read, there is an answer.
        let said = said(&observation, &Context::default(), Some(memory));
        prop_assert!(!said.answer.is_empty());
    }
}
