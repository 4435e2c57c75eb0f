//! HPAs: every type of metric with every kind of target, with and without behavior.

use std::collections::BTreeMap;

use hpa_engine::model::{
    Behavior, Condition, ContainerResourceSource, Hpa, HpaSpec, HpaStatus, LabelSelector,
    MetricIdentifier, MetricSpec, MetricTarget, ObjectReference, ObjectSource, PodsSource,
    PolicyType, ResourceSource, ScaleTargetRef, ScalingPolicy, ScalingRules, SelectPolicy,
    label_selector::LabelSelectorRequirement,
};
use proptest::{collection::vec, option, prelude::*};

use super::{
    text::{name, quantity, resource},
    time,
};

pub(crate) fn hpa() -> impl Strategy<Value = Hpa> {
    let min = prop_oneof![6 => 0..3_i32, 1 => any::<i32>()];
    let max = prop_oneof![6 => 8..20_i32, 1 => any::<i32>()];
    (
        option::of(min),
        max,
        vec(metric(), 0..4),
        option::of(behavior()),
        vec(condition(), 0..4),
    )
        .prop_map(
            |(min_replicas, max_replicas, metrics, behavior, conditions)| Hpa {
                namespace: "shop".to_owned(),
                name: "web".to_owned(),
                generation: Some(3),
                created: None,
                spec: HpaSpec {
                    scale_target: ScaleTargetRef {
                        api_version: Some("apps/v1".to_owned()),
                        kind: "Deployment".to_owned(),
                        name: "web".to_owned(),
                    },
                    min_replicas,
                    max_replicas,
                    metrics,
                    behavior,
                    sync_period: None,
                },
                status: HpaStatus {
                    conditions,
                    ..HpaStatus::default()
                },
            },
        )
}

fn behavior() -> impl Strategy<Value = Behavior> {
    (option::of(rules()), option::of(rules())).prop_map(|(scale_up, scale_down)| Behavior {
        scale_up,
        scale_down,
    })
}

fn rules() -> impl Strategy<Value = ScalingRules> {
    let seconds = || prop_oneof![0..1800_i32, any::<i32>()];
    let select = prop::sample::select(vec![
        SelectPolicy::Disabled,
        SelectPolicy::Max,
        SelectPolicy::Min,
    ]);
    let policy_type = prop::sample::select(vec![PolicyType::Percent, PolicyType::Pods]);
    let value = prop_oneof![1..400_i32, any::<i32>()];
    let policy =
        (policy_type, value, seconds()).prop_map(|(policy_type, value, period_seconds)| {
            ScalingPolicy {
                policy_type,
                value,
                period_seconds,
            }
        });
    (
        option::of(seconds()),
        option::of(select),
        option::of(vec(policy, 0..4)),
        option::of(quantity()),
    )
        .prop_map(
            |(stabilization_window_seconds, select_policy, policies, tolerance)| ScalingRules {
                stabilization_window_seconds,
                select_policy,
                policies,
                tolerance,
            },
        )
}

fn metric() -> impl Strategy<Value = MetricSpec> {
    let resource_target = || target(&["Utilization", "AverageValue"]);
    prop_oneof![
        6 => (resource(), resource_target()).prop_map(|(name, metric_target)| {
            MetricSpec::Resource(ResourceSource { name, metric_target })
        }),
        4 => (resource(), name(), resource_target()).prop_map(|(name, container, metric_target)| {
            MetricSpec::ContainerResource(ContainerResourceSource { name, container, metric_target })
        }),
        4 => source(&["AverageValue"]).prop_map(MetricSpec::Pods),
        4 => source(&["Value", "AverageValue"]).prop_map(MetricSpec::External),
        4 => source(&["Value", "AverageValue"]).prop_map(|PodsSource { metric, metric_target }| {
            MetricSpec::Object(ObjectSource {
                described_object: ObjectReference {
                    api_version: None,
                    kind: "Ingress".to_owned(),
                    name: "front".to_owned(),
                },
                metric,
                metric_target,
            })
        }),
        1 => ".{0,8}".prop_map(|metric_type| MetricSpec::Unknown { metric_type }),
    ]
}

fn source(types: &'static [&'static str]) -> impl Strategy<Value = PodsSource> {
    (option::weighted(0.1, selector()), target(types)).prop_map(|(selector, metric_target)| {
        PodsSource {
            metric: MetricIdentifier {
                name: "queue".to_owned(),
                selector,
            },
            metric_target,
        }
    })
}

/// Mostly the field that the type names, sometimes another.
fn target(types: &'static [&'static str]) -> impl Strategy<Value = MetricTarget> {
    let percent = prop_oneof![8 => 1..200_i32, 1 => any::<i32>(), 1 => Just(0)];
    (
        prop::sample::select(types),
        quantity(),
        percent,
        option::weighted(0.1, any::<[bool; 3]>()),
    )
        .prop_map(|(target_type, quantity, percent, fields)| {
            let [value, average_value, average_utilization] = fields.unwrap_or([
                target_type == "Value",
                target_type == "AverageValue",
                target_type == "Utilization",
            ]);
            MetricTarget {
                target_type: target_type.to_owned(),
                value: value.then(|| quantity.clone()),
                average_value: average_value.then(|| quantity.clone()),
                average_utilization: average_utilization.then_some(percent),
            }
        })
}

/// Valid and invalid ones.
fn selector() -> impl Strategy<Value = LabelSelector> {
    let key =
        || prop::sample::select(vec!["zone", "not a key", "a/b/c", ""]).prop_map(str::to_owned);
    let operator = prop::sample::select(vec!["In", "NotIn", "Exists", "DoesNotExist", "Near"]);
    let requirement = (key(), operator, vec(".{0,5}", 0..3)).prop_map(|(key, operator, values)| {
        LabelSelectorRequirement {
            key,
            operator: operator.to_owned(),
            values,
        }
    });
    (key(), vec(requirement, 0..2)).prop_map(|(key, match_expressions)| LabelSelector {
        match_labels: BTreeMap::from([(key, "a".to_owned())]),
        match_expressions,
    })
}

fn condition() -> impl Strategy<Value = Condition> {
    let condition_type = prop::sample::select(vec![
        "AbleToScale",
        "ScalingActive",
        "ScalingLimited",
        "ScaledToZero",
        "",
    ]);
    let status = prop::sample::select(vec!["True", "False", "Unknown"]);
    (condition_type, status, option::of(time())).prop_map(
        |(condition_type, status, last_transition_time)| Condition {
            condition_type: condition_type.to_owned(),
            status: status.to_owned(),
            last_transition_time,
            ..Condition::default()
        },
    )
}
