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
///
/// Only a startup probe ends a start that fails too often. A container is unready until its readiness probe has succeeded;
/// `failureThreshold` of that one counts failures after a success.
pub(super) fn longest_start(template: &PodTemplate) -> Option<StartBudget> {
    let containers = template.containers.iter().enumerate();
    let budgets = containers.flat_map(|(index, container)| {
        let startup = container
            .startup_probe
            .map(|probe| ("startupProbe", seconds(probe, probe.failure_threshold)));
        let readiness = container
            .readiness_probe
            .map(|probe| ("readinessProbe", seconds(probe, probe.success_threshold)));
        let budgets = startup.into_iter().chain(readiness);
        budgets.map(move |(name, seconds)| StartBudget {
            seconds,
            path: format!("spec.template.spec.containers[{index}].{name}"),
        })
    });
    budgets.max_by_key(|budget| budget.seconds)
}

/// How long `times` looks of the probe take from the container's start.
fn seconds(probe: Probe, times: i32) -> i64 {
    let [delay, times, period] =
        [probe.initial_delay_seconds, times, probe.period_seconds].map(i64::from);
    delay + times * period
}
