//! Version, flags and feature gates of kube-controller-manager. The API does not show them.

use std::{fmt, str::FromStr};

use jiff::SignedDuration;

use crate::model::Input;

/// Version, flags and gates of kube-controller-manager, each with its provenance.
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerConfig {
    /// Version of Kubernetes.
    pub version: Input<KubeVersion>,
    /// Processor architecture. It decides how a float outside int32 is converted.
    pub architecture: Input<Architecture>,
    /// `--horizontal-pod-autoscaler-sync-period`.
    pub sync_period: Input<SignedDuration>,
    /// `--horizontal-pod-autoscaler-downscale-stabilization`.
    pub downscale_stabilization: Input<SignedDuration>,
    /// `--horizontal-pod-autoscaler-tolerance`.
    pub tolerance: Input<f64>,
    /// `--horizontal-pod-autoscaler-cpu-initialization-period`.
    pub cpu_initialization_period: Input<SignedDuration>,
    /// `--horizontal-pod-autoscaler-initial-readiness-delay`.
    pub initial_readiness_delay: Input<SignedDuration>,
    /// Feature gates.
    pub feature_gates: FeatureGates,
}

impl ControllerConfig {
    /// The defaults of `version`. Everything but the version is assumed.
    pub fn defaults(version: Input<KubeVersion>) -> Self {
        Self {
            version,
            architecture: Input::assumed(Architecture::Amd64),
            sync_period: Input::assumed(SignedDuration::from_secs(15)),
            downscale_stabilization: Input::assumed(SignedDuration::from_secs(300)),
            tolerance: Input::assumed(0.1),
            cpu_initialization_period: Input::assumed(SignedDuration::from_secs(300)),
            initial_readiness_delay: Input::assumed(SignedDuration::from_secs(30)),
            feature_gates: FeatureGates::defaults(version.value),
        }
    }
}

/// The feature gates that the controller reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureGates {
    /// `HPAConfigurableTolerance`: on by default from 1.35, always on from 1.37.
    pub hpa_configurable_tolerance: Input<bool>,
    /// `HPAContainerMetrics`: on by default from 1.27; the controller reads it only in 1.27 to 1.29.
    pub hpa_container_metrics: Input<bool>,
    /// `HPAGeneration`: on by default from 1.37, always on from 1.38.
    pub hpa_generation: Input<bool>,
    /// `HPAOptimizedSelectorStore`: on by default from 1.37.
    pub hpa_optimized_selector_store: Input<bool>,
    /// `HPAScaleToZero`: on by default from 1.37; the controller reads it from 1.36 on.
    pub hpa_scale_to_zero: Input<bool>,
    /// `PodLevelResources`: on by default from 1.34; the controller reads it from 1.34 on.
    pub pod_level_resources: Input<bool>,
    /// `StaleControllerConsistencyHPA`: on by default from 1.37. The controller skips a sync until it has seen its own
    /// last write.
    pub stale_controller_consistency_hpa: Input<bool>,
}

impl FeatureGates {
    /// The names of the gates, in the order of the fields.
    pub const NAMES: [&'static str; 7] = [
        "HPAConfigurableTolerance",
        "HPAContainerMetrics",
        "HPAGeneration",
        "HPAOptimizedSelectorStore",
        "HPAScaleToZero",
        "PodLevelResources",
        "StaleControllerConsistencyHPA",
    ];

    /// The defaults of `version`, all assumed: alpha gates off, beta gates on.
    pub fn defaults(version: KubeVersion) -> Self {
        let default = |name| {
            let stage = Self::stage(name, version);
            Input::assumed(matches!(stage, Some(GateStage::Beta | GateStage::Stable)))
        };
        Self {
            hpa_configurable_tolerance: default("HPAConfigurableTolerance"),
            hpa_container_metrics: default("HPAContainerMetrics"),
            hpa_generation: default("HPAGeneration"),
            hpa_optimized_selector_store: default("HPAOptimizedSelectorStore"),
            hpa_scale_to_zero: default("HPAScaleToZero"),
            pod_level_resources: default("PodLevelResources"),
            stale_controller_consistency_hpa: default("StaleControllerConsistencyHPA"),
        }
    }

    /// The minor version in which a gate reached a stage. None if it has not, or if the controller does not read it.
    pub fn since(name: &str, stage: GateStage) -> Option<u32> {
        let [alpha, beta, stable] = match name {
            "HPAConfigurableTolerance" => [33, 35, 37].map(Some),
            "HPAContainerMetrics" => [20, 27, 30].map(Some),
            "HPAGeneration" => [37, 37, 38].map(Some),
            "HPAOptimizedSelectorStore" | "StaleControllerConsistencyHPA" => {
                [Some(37), Some(37), None]
            }
            "HPAScaleToZero" => [Some(16), Some(37), None],
            "PodLevelResources" => [Some(32), Some(34), None],
            _ => return None,
        };
        match stage {
            GateStage::Alpha => alpha,
            GateStage::Beta => beta,
            GateStage::Stable => stable,
        }
    }

    /// The maturity of a gate in `version`. None if that version does not have the gate.
    pub fn stage(name: &str, version: KubeVersion) -> Option<GateStage> {
        let is_reached = |stage: &GateStage| {
            Self::since(name, *stage).is_some_and(|since| since <= version.minor)
        };
        [GateStage::Stable, GateStage::Beta, GateStage::Alpha]
            .into_iter()
            .find(is_reached)
    }

    /// The gate named `name`, if the controller reads it.
    pub fn by_name(&self, name: &str) -> Option<&Input<bool>> {
        Some(match name {
            "HPAConfigurableTolerance" => &self.hpa_configurable_tolerance,
            "HPAContainerMetrics" => &self.hpa_container_metrics,
            "HPAGeneration" => &self.hpa_generation,
            "HPAOptimizedSelectorStore" => &self.hpa_optimized_selector_store,
            "HPAScaleToZero" => &self.hpa_scale_to_zero,
            "PodLevelResources" => &self.pod_level_resources,
            "StaleControllerConsistencyHPA" => &self.stale_controller_consistency_hpa,
            _ => return None,
        })
    }

    /// The gate named `name`, for writing.
    pub fn by_name_mut(&mut self, name: &str) -> Option<&mut Input<bool>> {
        Some(match name {
            "HPAConfigurableTolerance" => &mut self.hpa_configurable_tolerance,
            "HPAContainerMetrics" => &mut self.hpa_container_metrics,
            "HPAGeneration" => &mut self.hpa_generation,
            "HPAOptimizedSelectorStore" => &mut self.hpa_optimized_selector_store,
            "HPAScaleToZero" => &mut self.hpa_scale_to_zero,
            "PodLevelResources" => &mut self.pod_level_resources,
            "StaleControllerConsistencyHPA" => &mut self.stale_controller_consistency_hpa,
            _ => return None,
        })
    }
}

/// The maturity of a feature gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateStage {
    /// Off by default.
    Alpha,
    /// On by default.
    Beta,
    /// Always on.
    Stable,
}

/// Version of Kubernetes 1: minor and, where known, patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KubeVersion {
    /// Minor version: 36 of 1.36.3.
    pub minor: u32,
    /// Patch version: 3 of 1.36.3.
    pub patch: Option<u32>,
}

impl KubeVersion {
    /// The oldest supported version.
    pub const OLDEST: Self = Self {
        minor: 23,
        patch: None,
    };
    /// The newest supported version: 1.38, as of the last of [`RECORDED`](Self::RECORDED).
    pub const NEWEST: Self = Self {
        minor: 38,
        patch: None,
    };
    /// The releases whose controller was recorded, one for each minor version, the oldest first: the engine predicts all of
    /// `tests/conformance` exactly.
    pub const RECORDED: [&'static str; 16] = [
        "1.23.17",
        "1.24.17",
        "1.25.0",
        "1.26.1",
        "1.27.7",
        "1.28.3",
        "1.29.6",
        "1.30.14",
        "1.31.14",
        "1.32.13",
        "1.33.13",
        "1.34.4",
        "1.35.4",
        "1.36.3",
        "1.37.2",
        "1.38.0-beta.0",
    ];
    /// The releases whose controller was only read in source, so that nothing shows that the engine follows it.
    pub const READ_IN_SOURCE: [&'static str; 0] = [];

    /// Whether the release came after the newest one that was recorded. A recorded beta does not count: its release can
    /// differ.
    pub fn is_newer_than_recorded(self) -> bool {
        let releases = Self::RECORDED.iter().rfind(|text| !text.contains('-'));
        let newest = releases.and_then(|text| text.parse::<Self>().ok());
        newest.is_none_or(|newest| newest.minor < self.minor)
    }
}

impl fmt::Display for KubeVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "1.{}", self.minor)?;
        self.patch
            .map_or(Ok(()), |patch| write!(formatter, ".{patch}"))
    }
}

/// A text that is not a version of Kubernetes 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid Kubernetes version {0:?}: use 1.MINOR or 1.MINOR.PATCH, such as 1.36")]
pub struct ParseKubeVersionError(pub String);

impl FromStr for KubeVersion {
    type Err = ParseKubeVersionError;

    /// Reads versions such as `1.36`, `v1.36.3`, `1.36+` and `v1.33.5-eks-1234`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || ParseKubeVersionError(text.to_owned());
        let rest = text
            .strip_prefix('v')
            .unwrap_or(text)
            .strip_prefix("1.")
            .ok_or_else(fail)?;
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (minor, rest) = rest.split_at(end);
        let minor = minor.parse().map_err(|_| fail())?;
        let patch = match rest.strip_prefix('.') {
            Some(patch) => {
                let end = patch
                    .find(|c: char| !c.is_ascii_digit())
                    .unwrap_or(patch.len());
                Some(patch[..end].parse().map_err(|_| fail())?)
            }
            None if rest.is_empty() || rest.starts_with(['+', '-']) => None,
            None => return Err(fail()),
        };
        Ok(Self { minor, patch })
    }
}

/// Processor architecture of the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// A float outside the range becomes the smallest integer.
    Amd64,
    /// A float outside the range saturates; NaN becomes 0. Also holds for ppc64le and s390x.
    Arm64,
}

impl Architecture {
    /// Go's name of the architecture.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Amd64 => "amd64",
            Self::Arm64 => "arm64",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_every_distribution_are_read_with_their_patch() {
        for (text, minor, patch) in [
            ("v1.36.3", 36, Some(3)),
            ("1.36", 36, None),
            ("1.27+", 27, None),
            ("v1.27.6+b49f9d1", 27, Some(6)),
            ("v1.30.4+k3s1", 30, Some(4)),
            ("v1.28.9+rke2r1", 28, Some(9)),
            ("v1.29.3-eks-adc7111", 29, Some(3)),
            ("v1.30.2-gke.1587003", 30, Some(2)),
            ("v1.33.0-alpha.1.12+0123abc", 33, Some(0)),
        ] {
            assert_eq!(text.parse(), Ok(KubeVersion { minor, patch }), "{text}");
        }
        for text in ["27+", "v2.0.0", "1.", "v1.x", ""] {
            assert_eq!(
                text.parse::<KubeVersion>(),
                Err(ParseKubeVersionError(text.to_owned()))
            );
        }
    }
}
