//! kubectl's connection flags.

use std::path::PathBuf;

use clap::Args;

/// kubectl's connection flags.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Connection (as in kubectl)")]
pub struct ConnectionArgs {
    /// Path to the kubeconfig file.
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,
    /// Name of the kubeconfig context to use.
    #[arg(long, value_name = "NAME")]
    pub context: Option<String>,
}
