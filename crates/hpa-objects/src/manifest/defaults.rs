//! The API server's defaults for an HPA (docs/dev/controller.md, section 1.3). A file may never have passed through an
//! API server.

use crate::recording::wire::{
    HpaSpec, MetricSpec, MetricTarget, ResourceSource, ScalingPolicy, ScalingRules,
};

/// Fills in the defaults. Upstream: `SetDefaults_HorizontalPodAutoscaler`.
pub fn apply(spec: &mut HpaSpec) {
    spec.min_replicas.get_or_insert(1);
    if spec.metrics.is_empty() {
        spec.metrics.push(cpu(DEFAULT_CPU_UTILIZATION));
    }
    if let Some(behavior) = &mut spec.behavior {
        let up = behavior.scale_up.get_or_insert_default();
        up.stabilization_window_seconds.get_or_insert(0);
        apply_rules(up, &[("Pods", 4), ("Percent", 100)]);
        // The scale-down window stays unset: the controller takes it from its flag.
        let down = behavior.scale_down.get_or_insert_default();
        apply_rules(down, &[("Percent", 100)]);
    }
}

/// A CPU metric with a target in percent of requests.
pub(super) fn cpu(utilization: i32) -> MetricSpec {
    MetricSpec {
        metric_type: "Resource".to_owned(),
        resource: Some(Box::new(ResourceSource {
            name: "cpu".to_owned(),
            target: MetricTarget {
                target_type: "Utilization".to_owned(),
                average_utilization: Some(utilization),
                ..MetricTarget::default()
            },
        })),
        ..MetricSpec::default()
    }
}

fn apply_rules(rules: &mut ScalingRules, policies: &[(&str, i32)]) {
    rules.select_policy.get_or_insert_with(|| "Max".to_owned());
    rules.policies.get_or_insert_with(|| {
        policies
            .iter()
            .map(|(policy_type, value)| ScalingPolicy {
                policy_type: (*policy_type).to_owned(),
                value: *value,
                period_seconds: 15,
            })
            .collect()
    });
}

/// Target of an HPA without metrics, in percent. Upstream: `DefaultCPUUtilization`.
const DEFAULT_CPU_UTILIZATION: i32 = 80;
