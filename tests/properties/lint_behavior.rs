//! What the rules claim about behavior is what the engine does, at every edge.

use std::collections::BTreeSet;

use hpa_analysis::{ScalingTime, scaling_time, without_metrics};
use hpa_engine::{
    engine::{AfterMetrics, decide},
    model::{
        ControllerConfig, Direction, ExternalMetricValue, HpaSpec, IndexedAnswer, Input as Given,
        KubeVersion, Memory, MetricIdentifier, MetricSpec, MetricTarget, Observation, PodsSource,
        PolicyType, Quantity, Reading, Scale, ScalingPolicy, ScalingRules, SelectPolicy,
        quantity::Format,
    },
    trace::Decision,
};
use hpa_lint::{LintInput, LintSettings, Reported, Severity, run};
use jiff::{SignedDuration, Timestamp};
use proptest::{collection::vec, option, prelude::*};

const VERSION: KubeVersion = KubeVersion {
    minor: 36,
    patch: None,
};

/// One direction of `behavior`, as written.
#[derive(Clone, Debug)]
struct Written {
    window: Option<i32>,
    select_policy: Option<&'static str>,
    policies: Vec<ScalingPolicy>,
}

impl Written {
    fn yaml(&self) -> String {
        let policies: Vec<String> = self
            .policies
            .iter()
            .map(|policy| {
                format!(
                    "{{type: {}, value: {}, periodSeconds: {}}}",
                    policy.policy_type.as_str(),
                    policy.value,
                    policy.period_seconds
                )
            })
            .collect();
        let window = self
            .window
            .map(|window| format!("stabilizationWindowSeconds: {window}, "));
        let select = self
            .select_policy
            .map(|select| format!("selectPolicy: {select}, "));
        format!(
            "{{{}{}policies: [{}]}}",
            window.unwrap_or_default(),
            select.unwrap_or_default(),
            policies.join(", ")
        )
    }
}

fn policy(periods: &'static [i32]) -> impl Strategy<Value = ScalingPolicy> {
    let of = move |policy_type| {
        move |(value, period_seconds)| ScalingPolicy {
            policy_type,
            value,
            period_seconds,
        }
    };
    let periods = prop::sample::select(periods);
    prop_oneof![
        (1..12_i32, periods.clone()).prop_map(of(PolicyType::Pods)),
        (1..160_i32, periods).prop_map(of(PolicyType::Percent)),
    ]
}

fn written(periods: &'static [i32]) -> impl Strategy<Value = Written> {
    let window = prop::sample::select(&[0, 15, 40, 60, 300][..]);
    let select = prop::sample::select(&["Max", "Min"][..]);
    (
        option::of(window),
        option::of(select),
        vec(policy(periods), 1..4),
    )
        .prop_map(|(window, select_policy, policies)| Written {
            window,
            select_policy,
            policies,
        })
}

fn bounds() -> impl Strategy<Value = (i32, i32)> {
    (1..20_i32, 0..40_i32).prop_map(|(min, more)| (min, min + more))
}

/// An HPA as text, and its findings.
fn input((min, max): (i32, i32), behavior: &str) -> LintInput {
    let mut input = LintInput::default();
    let yaml = format!(
        "apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  minReplicas: {min}
  maxReplicas: {max}
  behavior: {behavior}
"
    );
    input.add_text("web.yaml", &yaml, true);
    input
}

fn findings(input: &LintInput, code: &'static str) -> Vec<Reported> {
    let mut settings = LintSettings::new(Given::given(VERSION));
    settings.enabled = BTreeSet::from([code]);
    run(input, &settings).findings
}

fn spec(input: &LintInput) -> HpaSpec {
    input.hpas[0].spec(&input.sources).unwrap().1
}

pub(crate) fn config() -> ControllerConfig {
    ControllerConfig::defaults(Given::given(VERSION))
}

/// The HPA at `current` replicas with a metric that asks for exactly `proposal`.
pub(crate) fn proposing(spec: &HpaSpec, current: i32, proposal: i32) -> Observation {
    let mut observation = without_metrics(spec, &config());
    observation.hpa.spec.metrics = vec![MetricSpec::External(PodsSource {
        metric: MetricIdentifier {
            name: "demand".to_owned(),
            selector: None,
        },
        metric_target: MetricTarget {
            target_type: "AverageValue".to_owned(),
            average_value: Some(Quantity::from_value(1, Format::DecimalSI)),
            ..MetricTarget::default()
        },
    })];
    observation.scale = Reading::Read(Scale {
        spec_replicas: current,
        // The ratio is infinite, which is never within the tolerance.
        status_replicas: 0,
        selector: "app=web".to_owned(),
    });
    observation.external_metrics = vec![IndexedAnswer {
        index: 0,
        answer: Reading::Read(
            vec![ExternalMetricValue {
                labels: Vec::new(),
                timestamp: None,
                value: Quantity::from_value(proposal.into(), Format::DecimalSI),
            }]
            .into(),
        ),
    }];
    observation
}

pub(crate) fn replicas_after(
    observation: &Observation,
    memory: &mut Memory,
    now: Timestamp,
) -> i32 {
    match decide(observation, memory, now).decision {
        Decision::Hold { current } => current,
        Decision::Rescale { to, .. } => to,
        other => panic!("{other:?}"),
    }
}

/// The time from one bound to the other, sync by sync, with whole reconciles.
pub(crate) fn stepped(spec: &HpaSpec, from: i32, to: i32, proposal: i32) -> Option<SignedDuration> {
    let sync = config().sync_period.value;
    let start = Timestamp::UNIX_EPOCH;
    let mut memory = Memory::default();
    replicas_after(&proposing(spec, from, from), &mut memory, start - sync);
    let mut current = from;
    for step in 0..2000 {
        let elapsed = sync * step;
        current = replicas_after(
            &proposing(spec, current, proposal),
            &mut memory,
            start + elapsed,
        );
        if current == to {
            return Some(elapsed);
        }
    }
    None
}

fn rules(spec: &HpaSpec, direction: Direction) -> ScalingRules {
    let behavior = spec.behavior.clone().unwrap();
    let rules = if direction == Direction::Up {
        behavior.scale_up
    } else {
        behavior.scale_down
    };
    rules.unwrap()
}

fn flagged_policies(found: &[Reported]) -> BTreeSet<usize> {
    found
        .iter()
        .map(|one| {
            let index = one.finding.path.split(['[', ']']).nth(1);
            index.unwrap().parse().unwrap()
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn time_from_bound_to_bound_is_what_reconciling_at_every_sync_takes(
        (min, max) in bounds(),
        up in written(&[5, 15, 20, 60, 100, 180]),
        down in written(&[5, 15, 20, 60, 100, 180]),
    ) {
        let input = input((min, max), &format!("{{scaleUp: {}, scaleDown: {}}}", up.yaml(), down.yaml()));
        let spec = spec(&input);
        let time = |direction| match scaling_time(&spec, &config(), direction) {
            ScalingTime::Reached(time) => Some(time),
            ScalingTime::Stops(_) | ScalingTime::LongerThan(_) => None,
        };
        prop_assert_eq!(time(Direction::Up), stepped(&spec, min, max, i32::MAX));
        prop_assert_eq!(time(Direction::Down), stepped(&spec, max, min, 0));
        let is_slow = stepped(&spec, min, max, i32::MAX).is_none_or(|time| 600 < time.as_secs());
        prop_assert_eq!(!findings(&input, "HPA314").is_empty(), is_slow);
    }

    #[test]
    fn time_without_behavior_is_what_reconciling_at_every_sync_takes((min, max) in bounds()) {
        let mut spec = spec(&input((min, max), "{}"));
        spec.behavior = None;
        let time = |direction| scaling_time(&spec, &config(), direction);
        let up = stepped(&spec, min, max, i32::MAX).unwrap();
        let down = stepped(&spec, max, min, 0).unwrap();
        prop_assert_eq!(time(Direction::Up), ScalingTime::Reached(up));
        prop_assert_eq!(time(Direction::Down), ScalingTime::Reached(down));
    }

    #[test]
    fn policies_that_never_decide_can_go_and_the_others_cannot(
        bounds in bounds(),
        side in written(&[60]),
        is_up in any::<bool>(),
    ) {
        let (key, direction) = if is_up {
            ("scaleUp", Direction::Up)
        } else {
            ("scaleDown", Direction::Down)
        };
        let input = input(bounds, &format!("{{{key}: {}}}", side.yaml()));
        let spec = spec(&input);
        let observation = without_metrics(&spec, &config());
        let engine = AfterMetrics::of(&observation);
        let rules = rules(&spec, direction);
        let flagged = flagged_policies(&findings(&input, "HPA310"));
        let without = |deleted: &BTreeSet<usize>| ScalingRules {
            policies: Some(
                (0..).zip(&side.policies)
                    .filter(|(index, _)| !deleted.contains(index))
                    .map(|(_, policy)| *policy)
                    .collect(),
            ),
            ..rules.clone()
        };
        // The bound itself, not limited by min and max.
        let is_same = |deleted: &BTreeSet<usize>| {
            (bounds.0..=bounds.1).all(|start| {
                engine.limit(Some(&without(deleted)), start, direction)
                    == engine.limit(Some(&rules), start, direction)
            })
        };
        prop_assert!(is_same(&flagged), "{flagged:?} of {side:?} decide");
        if bounds.0 < bounds.1 {
            for index in (0..side.policies.len()).filter(|index| !flagged.contains(index)) {
                if flagged.len() + 1 < side.policies.len() {
                    let mut more = flagged.clone();
                    more.insert(index);
                    prop_assert!(!is_same(&more), "{index} of {side:?} does not decide");
                }
            }
        }
    }

    #[test]
    fn policies_of_other_periods_that_never_decide_change_nothing_on_the_way(
        (min, max) in bounds(),
        side in written(&[15, 30, 60, 90]),
        is_up in any::<bool>(),
    ) {
        let (key, direction) = if is_up {
            ("scaleUp", Direction::Up)
        } else {
            ("scaleDown", Direction::Down)
        };
        let with = input((min, max), &format!("{{{key}: {}}}", side.yaml()));
        let flagged = flagged_policies(&findings(&with, "HPA310"));
        prop_assume!(!flagged.is_empty());
        let policies = (0..).zip(&side.policies);
        let kept = Written {
            policies: policies
                .filter(|(index, _)| !flagged.contains(index))
                .map(|(_, policy)| *policy)
                .collect(),
            ..side.clone()
        };
        let without = input((min, max), &format!("{{{key}: {}}}", kept.yaml()));
        prop_assert_eq!(
            scaling_time(&spec(&with), &config(), direction),
            scaling_time(&spec(&without), &config(), direction)
        );
    }

    #[test]
    fn an_instant_scale_down_is_one_that_a_single_reconcile_makes(
        (min, max) in bounds(),
        mut side in written(&[15, 60]),
    ) {
        side.window = Some(0);
        let input = input((min, max), &format!("{{scaleDown: {}}}", side.yaml()));
        let spec = spec(&input);
        let first = replicas_after(&proposing(&spec, max, 0), &mut Memory::default(), Timestamp::UNIX_EPOCH);
        let is_instant = min < max && first == min;
        prop_assert_eq!(!findings(&input, "HPA301").is_empty(), is_instant);
    }

    #[test]
    fn a_policy_without_effect_alone_makes_the_whole_way_in_one_reconcile(
        (min, max) in bounds(),
        policy in policy(&[60]),
        is_up in any::<bool>(),
    ) {
        let side = Written { window: Some(0), select_policy: None, policies: vec![policy] };
        let (key, from, to, proposal) = if is_up {
            ("scaleUp", min, max, i32::MAX)
        } else {
            ("scaleDown", max, min, 0)
        };
        let input = input((min, max), &format!("{{{key}: {}}}", side.yaml()));
        let first = replicas_after(
            &proposing(&spec(&input), from, proposal),
            &mut Memory::default(),
            Timestamp::UNIX_EPOCH,
        );
        prop_assert_eq!(!findings(&input, "HPA311").is_empty(), min < max && first == to);
    }

    #[test]
    fn with_the_scale_down_tolerance_that_is_an_error_no_usage_scales_down(
        tolerance in 1..3000_i32,
        (min, max) in bounds(),
        at in 0..40_i32,
        usage in 0..100_000_i64,
    ) {
        let behavior = format!(
            "{{scaleDown: {{tolerance: {tolerance}m, stabilizationWindowSeconds: 0}}}}"
        );
        let input = input((min, max), &behavior);
        let found = findings(&input, "HPA321");
        let is_error = found.iter().any(|one| one.finding.severity == Severity::Error);
        prop_assert_eq!(is_error, 1000 <= tolerance);
        let current = min + at % (max - min + 1);
        let mut observation = proposing(&spec(&input), current, 0);
        observation.scale = Reading::Read(Scale {
            spec_replicas: current,
            status_replicas: current,
            selector: "app=web".to_owned(),
        });
        if let Reading::Read(values) = &mut observation.external_metrics[0].answer {
            values[0].value = Quantity::from_milli(usage, Format::DecimalSI);
        }
        let after = replicas_after(&observation, &mut Memory::default(), Timestamp::UNIX_EPOCH);
        if is_error {
            prop_assert!(current <= after, "{current} → {after}");
        } else if usage == 0 && min < current {
            prop_assert!(after < current, "{current} → {after}");
        }
    }
}

#[test]
fn a_direction_that_is_disabled_never_gets_anywhere() {
    let behavior = "{scaleUp: {selectPolicy: Disabled}, scaleDown: {selectPolicy: Disabled}}";
    let spec = spec(&input((2, 9), behavior));
    let rules = rules(&spec, Direction::Up);
    assert_eq!(rules.select_policy, Some(SelectPolicy::Disabled));
    let time = |direction| scaling_time(&spec, &config(), direction);
    assert_eq!(time(Direction::Up), ScalingTime::Stops(2));
    assert_eq!(time(Direction::Down), ScalingTime::Stops(9));
    assert_eq!(findings(&input((2, 9), behavior), "HPA308").len(), 1);
}
