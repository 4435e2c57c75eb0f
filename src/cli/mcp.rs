//! Arguments of `kubectl hpa mcp`.

use clap::Args;
use hpa_cluster::ConnectionArgs;
use hpa_prometheus::PrometheusArgs;

use super::{ContextsArgs, ControllerArgs};

/// Arguments of `kubectl hpa mcp`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
A client starts it, and speaks the Model Context Protocol (MCP) with it over standard input and output. The tools:
  hpa_list       the HPAs of a namespace, each with its verdict
  hpa_explain    why an HPA scales, or why it does not
  hpa_lint       mistakes in manifests, or in the HPAs of a cluster
  hpa_simulate   what an HPA would do under another load or with another spec
  hpa_history    what happened to an HPA, from what Prometheus kept

All of them only read. Without -A, -n or --namespaces they read the namespace of the kubeconfig context.

Examples:
  kubectl hpa mcp                                  the namespace of the context
  kubectl hpa mcp --namespaces shop,search         these two
  kubectl hpa mcp -A --context prod-eu             all namespaces of a cluster
  kubectl hpa mcp -A --contexts 'prod-*'           of several clusters: a call names its context
  kubectl hpa mcp -n shop --prometheus service:monitoring/prometheus-operated:9090

Exit codes: 0 the client closed it or Ctrl-C, 2 failed.")]
pub struct McpArgs {
    /// Let the tools read only these namespaces.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = WHAT, conflicts_with_all = ["all_namespaces", "namespace"])]
    pub namespaces: Vec<String>,
    /// Let the tools read all namespaces.
    #[arg(short = 'A', long, help_heading = WHAT, conflicts_with = "namespace")]
    pub all_namespaces: bool,
    /// The clusters that the tools may read: a call names one.
    #[command(flatten)]
    pub contexts: ContextsArgs,
    /// Settings of the controller.
    #[command(flatten)]
    pub controller: ControllerArgs,
    /// The monitoring server, for `hpa_history`.
    #[command(flatten)]
    pub prometheus: PrometheusArgs,
    /// Connection flags.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}

/// Set on each flag: a heading on the struct would also apply to the flags after it.
const WHAT: &str = "What the tools read";
