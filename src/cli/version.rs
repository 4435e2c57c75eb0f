//! Arguments of `kubectl hpa version`.

use clap::{Args, ValueEnum};
use hpa_cluster::ConnectionArgs;

/// Arguments of `kubectl hpa version`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  # Versions of the client, the server and the controllers that it can recompute
  kubectl hpa version

  # Without asking a cluster
  kubectl hpa version --client -o json")]
pub struct VersionArgs {
    /// Only what needs no cluster.
    #[arg(long)]
    pub client: bool,
    /// Output format.
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    pub output: VersionFormat,
    /// Connection flags.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}

/// Output formats of `kubectl hpa version`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VersionFormat {
    /// For programs.
    Json,
    /// For people.
    Text,
    /// For programs, as YAML.
    Yaml,
}
