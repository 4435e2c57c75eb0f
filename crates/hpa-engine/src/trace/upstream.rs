//! Where a step happens in the real controller.

/// A function of the HPA controller, in a file below `pkg/controller/podautoscaler/` of kubernetes/kubernetes.
///
/// Names are from Kubernetes 1.37. Making the recordings checks them against that source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Upstream {
    /// File, such as `replica_calculator.go`.
    pub file: &'static str,
    /// Function, such as `groupPods`.
    pub function: &'static str,
}

impl Upstream {
    #[doc(hidden)]
    pub const fn horizontal(function: &'static str) -> Self {
        Self {
            file: "horizontal.go",
            function,
        }
    }

    #[doc(hidden)]
    pub const fn selector_store(function: &'static str) -> Self {
        Self {
            file: "hpa_selector_store.go",
            function,
        }
    }

    #[doc(hidden)]
    pub const fn metrics_client(function: &'static str) -> Self {
        Self {
            file: "metrics/client.go",
            function,
        }
    }

    #[doc(hidden)]
    pub const fn utilization(function: &'static str) -> Self {
        Self {
            file: "metrics/utilization.go",
            function,
        }
    }

    #[doc(hidden)]
    pub const fn replica_calculator(function: &'static str) -> Self {
        Self {
            file: "replica_calculator.go",
            function,
        }
    }
}
