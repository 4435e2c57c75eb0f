//! What the user says of the controller: version, flags, gates.

use clap::Args;

/// What the user says of the controller. Nothing of it can be read from a cluster with certainty.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Controller")]
pub struct ControllerArgs {
    /// Version of kube-controller-manager, such as 1.36 (default: the API server's).
    #[arg(long, value_name = "VERSION")]
    pub kube_version: Option<crate::model::KubeVersion>,
}
