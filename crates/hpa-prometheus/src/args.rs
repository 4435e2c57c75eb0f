//! Flags for the monitoring server.

use std::path::PathBuf;

use clap::Args;

use crate::{Secret, parse_cluster_label};

/// Flags that say where the past is read.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Prometheus")]
pub struct PrometheusArgs {
    /// Where to read: auto (find it in the cluster), service:NAMESPACE/NAME:PORT (through the API server), or a URL.
    #[arg(long, value_name = "WHERE", default_value = "auto")]
    pub prometheus: Secret,
    /// Send this header, such as 'X-Scope-OrgID: team-a'; may be repeated.
    #[arg(long = "prometheus-header", value_name = "NAME: VALUE")]
    pub headers: Vec<Secret>,
    /// Run a command that prints a bearer token, such as 'oc whoami -t'. Needs a URL.
    #[arg(long, value_name = "COMMAND")]
    pub prometheus_token_command: Option<String>,
    /// Path to a certificate file of the certificate authority of the URL.
    #[arg(long, value_name = "FILE")]
    pub prometheus_certificate_authority: Option<PathBuf>,
    /// Do not check the certificate of the URL: the connection is not secure.
    #[arg(long)]
    pub prometheus_insecure_skip_tls_verify: bool,
    /// Read only series with this label, such as cluster=prod-eu; may be repeated.
    #[arg(long = "cluster-label", value_name = "LABEL=VALUE", value_parser = parse_cluster_label)]
    pub cluster_labels: Vec<(String, String)>,
}
