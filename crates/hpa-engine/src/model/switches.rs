//! The differences between versions of the controller (docs/dev/controller.md, section 10.1).

use crate::model::{FeatureGates, KubeVersion, quantity::Overflow};

/// The differences between versions of the controller, one switch each.
///
/// [`Switches::of`] derives them from the version. Callers may change any field, because forks and managed clusters can
/// differ from their version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches, as upstream changed them"
)]
pub struct Switches {
    /// The replicas at the start of a period account for events of both directions, scale-ups and scale-downs (1.26).
    pub both_direction_events: bool,
    /// Missing pods are filled with max(100, target) percent of their request before scaling down (1.26).
    pub missing_fill_uses_target_over_100: bool,
    /// An empty set of samples is an error before requests are added up (1.26).
    pub empty_map_before_requests: bool,
    /// Two HPAs that select the same pods both stop scaling (1.26).
    pub ambiguous_selector: bool,
    /// The error for a missing request names container and pod (1.26).
    pub missing_request_names_pod: bool,
    /// Plain metrics leave missing pods out when the ratio is exactly 1 (1.28).
    pub plain_missing_untouched_at_one: bool,
    /// An Object metric whose type names an unset field is an error instead of a crash (1.29, 1.28.3, 1.27.7).
    pub nil_target_is_error: bool,
    /// When metrics fail, `currentMetrics` is written from scratch (1.29).
    pub fresh_metrics_on_failure: bool,
    /// Requests include restartable init containers (1.29).
    pub sidecar_requests: bool,
    /// The controller reads the gate `HPAContainerMetrics`, and it is off (1.27 to 1.29).
    pub container_metrics_disabled: bool,
    /// Condition messages are used as format strings a second time, which garbles `%` (up to 1.31).
    pub garbles_percent: bool,
    /// The tolerance is an interval around 1 instead of a distance from it (1.33).
    pub tolerance_interval_form: bool,
    /// The controller reads `tolerance` of `behavior` (1.35; with the gate from 1.33).
    pub per_hpa_tolerance: bool,
    /// A container that is absent from a pod's metrics makes that pod missing instead of failing the metric (1.33).
    pub container_metric_missing_is_missing_pod: bool,
    /// The status of an Object average names the described object (1.33).
    pub object_average_has_described_object: bool,
    /// Pod-level requests count (1.34).
    pub pod_level_requests: bool,
    /// Pod-level requests include `spec.overhead` (1.34 to 1.37).
    pub pod_level_overhead: bool,
    /// A scale write that fails with a conflict is retried (1.34).
    pub scale_conflict_retries: bool,
    /// Memory averages are written in binary units (1.34).
    pub memory_in_binary: bool,
    /// Sums of External averages are capped (1.34).
    pub external_average_caps: bool,
    /// Object and External values are capped (1.35).
    pub value_caps: bool,
    /// A named container that is absent from a pod's spec fails the metric (1.35).
    pub absent_container_is_error: bool,
    /// The controller leaves zero replicas only if the HPA itself scaled to zero (1.36).
    pub scaled_to_zero_condition: bool,
    /// The gate `HPAScaleToZero` is on in the controller.
    pub scale_to_zero_gate: bool,
    /// `observedGeneration` is written (1.38; in 1.37 with the gate `HPAGeneration`).
    pub observed_generation: bool,
    /// The error for an ambiguous selector names only two HPAs, the first two in a Go map's order (1.37 with the gate
    /// `HPAOptimizedSelectorStore`).
    pub ambiguous_selector_names_two: bool,
    /// Succeeded pods are ignored like failed ones (1.38).
    pub finished_pods_ignored: bool,
    /// Sums of usages and requests are exact, and the utilization is the nearest int32 (1.38).
    pub exact_sums: bool,
    /// Replicas that are rounded up are the nearest int32, on every architecture (1.38).
    pub ceilings_saturate: bool,
    /// Milli-units of a quantity are the nearest int64 (1.38).
    pub quantities_saturate: bool,
    /// At zero replicas, Object and External averages are not compared with the tolerance, and their average is 0 (1.38).
    pub average_from_zero: bool,
    /// Texts of errors and names of metrics.
    pub texts: TextVersion,
}

/// Minor version whose texts are used. They changed in 1.25, 1.26, 1.27, 1.34, 1.35, 1.37 and 1.38.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextVersion(pub u32);

impl Switches {
    /// The behavior of the controller of `version` with these gates.
    pub fn of(version: KubeVersion, gates: &FeatureGates) -> Self {
        let KubeVersion { minor, patch } = version;
        let since = |first: u32| first <= minor;
        Self {
            both_direction_events: since(26),
            missing_fill_uses_target_over_100: since(26),
            empty_map_before_requests: since(26),
            ambiguous_selector: since(26),
            missing_request_names_pod: since(26),
            plain_missing_untouched_at_one: since(28),
            nil_target_is_error: match (minor, patch) {
                (27, Some(patch)) => 7 <= patch,
                (28, Some(patch)) => 3 <= patch,
                _ => since(27),
            },
            fresh_metrics_on_failure: since(29),
            sidecar_requests: since(29),
            container_metrics_disabled: (27..=29).contains(&minor)
                && !gates.hpa_container_metrics.value,
            garbles_percent: match (minor, patch) {
                (29 | 30, Some(patch)) => patch < 14,
                (31, Some(patch)) => patch < 6,
                _ => minor <= 30,
            },
            tolerance_interval_form: since(33),
            per_hpa_tolerance: since(37) || (since(33) && gates.hpa_configurable_tolerance.value),
            container_metric_missing_is_missing_pod: since(33),
            object_average_has_described_object: since(33),
            pod_level_requests: since(34) && gates.pod_level_resources.value,
            pod_level_overhead: (34..=37).contains(&minor),
            scale_conflict_retries: since(34),
            memory_in_binary: since(34),
            external_average_caps: since(34),
            value_caps: since(35),
            absent_container_is_error: since(35),
            scaled_to_zero_condition: since(36),
            scale_to_zero_gate: since(36) && gates.hpa_scale_to_zero.value,
            observed_generation: since(38) || (since(37) && gates.hpa_generation.value),
            ambiguous_selector_names_two: since(37) && gates.hpa_optimized_selector_store.value,
            finished_pods_ignored: since(38),
            exact_sums: since(38),
            ceilings_saturate: since(38),
            quantities_saturate: since(38),
            average_from_zero: since(38),
            texts: TextVersion(minor),
        }
    }

    /// How milli-units of a quantity overflow.
    pub fn overflow(&self) -> Overflow {
        overflow(self.quantities_saturate)
    }

    /// How sums of usages and requests over pods overflow: into the nearest integer of an exact sum, or around.
    pub fn sums(&self) -> Overflow {
        overflow(self.exact_sums)
    }
}

fn overflow(saturates: bool) -> Overflow {
    if saturates {
        Overflow::Saturate
    } else {
        Overflow::Wrap
    }
}
