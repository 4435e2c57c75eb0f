//! How long pods may take to become ready, according to their probes.

use crate::world::{PodTemplate, TemplateProbe};

/// The startup time that a probe allows.
pub(super) struct StartBudget {
    /// Seconds.
    pub(super) seconds: i64,
    /// The probe.
    pub(super) path: String,
    /// Whether `seconds` is an upper limit, not a minimum.
    pub(super) is_cap: bool,
}

/// The longest startup that a startup or readiness probe of a container allows. None: no probes.
pub(super) fn longest_start(template: &PodTemplate) -> Option<StartBudget> {
    start_budgets(template).max_by_key(|budget| budget.seconds)
}

/// The startup times that startup and readiness probes allow.
///
/// Only a startup probe ends a startup that fails too often. A container is not ready until its readiness probe has
/// succeeded; the `failureThreshold` of that probe counts failures after a success.
pub(super) fn start_budgets(template: &PodTemplate) -> impl Iterator<Item = StartBudget> {
    let containers = template.containers.iter().enumerate();
    containers.flat_map(|(index, container)| {
        let path = |name: &str| format!("spec.template.spec.containers[{index}].{name}");
        let startup = container.startup_probe.map(|probe| StartBudget {
            seconds: seconds(probe, probe.failure_threshold),
            path: path("startupProbe"),
            is_cap: true,
        });
        let readiness = container.readiness_probe.map(|probe| StartBudget {
            seconds: seconds(probe, probe.success_threshold),
            path: path("readinessProbe"),
            is_cap: false,
        });
        startup.into_iter().chain(readiness)
    })
}

/// The time for `times` runs of the probe, from the start of the container.
fn seconds(probe: TemplateProbe, times: i32) -> i64 {
    let [delay, times, period] =
        [probe.initial_delay_seconds, times, probe.period_seconds].map(i64::from);
    delay + times * period
}
