//! The settings of the controller.

/// A setting of the controller: its version, a flag of kube-controller-manager, or a feature gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The processor architecture that it runs on.
    Architecture,
    /// `--horizontal-pod-autoscaler-cpu-initialization-period`.
    CpuInitializationPeriod,
    /// `--horizontal-pod-autoscaler-downscale-stabilization`.
    DownscaleStabilization,
    /// A feature gate, by its name.
    FeatureGate(&'static str),
    /// `--horizontal-pod-autoscaler-initial-readiness-delay`.
    InitialReadinessDelay,
    /// `--horizontal-pod-autoscaler-sync-period`.
    SyncPeriod,
    /// `--horizontal-pod-autoscaler-tolerance`.
    Tolerance,
    /// The version of Kubernetes.
    Version,
}
