//! How long pods may take to become ready, as far as their probes tell.

use crate::lint::world::{PodTemplate, Probe};

/// How long a probe lets a container start.
pub(super) struct StartBudget {
    /// Seconds.
    pub(super) seconds: i64,
    /// The probe.
    pub(super) path: String,
}

/// The longest start that a startup or readiness probe of a container allows. None: there are no probes.
pub(super) fn longest_start(template: &PodTemplate) -> Option<StartBudget> {
    let containers = template.containers.iter().enumerate();
    let budgets = containers.flat_map(|(index, container)| {
        let probes = [
            ("startupProbe", container.startup_probe),
            ("readinessProbe", container.readiness_probe),
        ];
        probes.into_iter().filter_map(move |(name, probe)| {
            Some(StartBudget {
                seconds: seconds(probe?),
                path: format!("spec.template.spec.containers[{index}].{name}"),
            })
        })
    });
    budgets.max_by_key(|budget| budget.seconds)
}

fn seconds(probe: Probe) -> i64 {
    let [delay, threshold, period] = [
        probe.initial_delay_seconds,
        probe.failure_threshold,
        probe.period_seconds,
    ]
    .map(i64::from);
    delay + threshold * period
}
