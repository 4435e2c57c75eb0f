//! Flags for a hypothetical change of the HPA's spec.

use std::path::PathBuf;

use clap::Args;
use hpa_change::Assignment;

/// A hypothetical change of the HPA's spec. Nothing is written to the cluster.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Changed spec")]
pub struct ChangeArgs {
    /// Explain as if a field of the spec had that value, such as maxReplicas=30 or
    /// 'metrics[name=cpu].resource.target.averageUtilization=70'; PATH- removes it; may be repeated.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub assignments: Vec<Assignment>,
    /// Explain as if the HPA had the spec that it has in this manifest; - is standard input.
    #[arg(long, value_name = "FILE")]
    pub with: Option<PathBuf>,
}
