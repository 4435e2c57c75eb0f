//! Arguments of `kubectl hpa export`.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use hpa_cluster::ConnectionArgs;

use super::{ControllerArgs, SelectionArgs, watch::parse_size};

/// Arguments of `kubectl hpa export`.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  # The HPAs of all namespaces, at http://127.0.0.1:9484/metrics
  kubectl hpa export -A

  # In a container, for Prometheus
  kubectl-hpa export -A --listen 0.0.0.0:9484

  # Keep what happens as well, 1 GiB of it at most
  kubectl hpa export -A --record recordings

  # Rules and dashboard
  kubectl hpa export rules > rules.yaml
  kubectl hpa export rules -o operator | kubectl apply -n monitoring -f -
  kubectl hpa export dashboard > hpa.json

/metrics has the series, /healthz answers while the process runs, /readyz says what cannot be seen.

Exit codes: 0 stopped, or printed; 2 failed."
)]
pub struct ExportArgs {
    /// What to print instead.
    #[command(subcommand)]
    pub command: Option<ExportCommand>,
    /// The HPAs of all namespaces.
    #[arg(short = 'A', long, help_heading = "Which HPAs")]
    pub all_namespaces: bool,
    /// The HPAs whose labels match, such as app=web,tier!=test.
    #[arg(
        short = 'l',
        long,
        value_name = "SELECTOR",
        help_heading = "Which HPAs"
    )]
    pub selector: Option<String>,
    /// Address and port to serve at.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:9484", value_parser = parse_address)]
    pub listen: SocketAddr,
    /// Record everything to files in this folder, for `replay`. The folder must exist.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub record: Option<PathBuf>,
    /// Delete the oldest recordings in that folder when all together get larger than this, such as 500Mi.
    #[arg(long, value_name = "SIZE", default_value = "1Gi", value_parser = parse_size, requires = "record")]
    pub record_max_size: u64,
    /// Settings of the controller.
    #[command(flatten)]
    pub controller: ControllerArgs,
    /// Connection flags.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}

/// What `kubectl hpa export` prints instead of serving.
#[derive(Debug, Subcommand)]
pub enum ExportCommand {
    /// Print recording and alerting rules for Prometheus.
    Rules(ExportRulesArgs),
    /// Print a dashboard for Grafana.
    Dashboard,
}

/// Arguments of `kubectl hpa export rules`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kubectl hpa export rules > rules.yaml
  promtool check rules rules.yaml
  kubectl hpa export rules -o operator | kubectl apply -n monitoring -f -")]
pub struct ExportRulesArgs {
    /// Output format.
    #[arg(short, long, value_name = "FORMAT", default_value = "prometheus")]
    pub output: RuleFileFormat,
}

/// Formats of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RuleFileFormat {
    /// A rule file of Prometheus.
    Prometheus,
    /// A PrometheusRule of the Prometheus operator.
    Operator,
}

impl ExportArgs {
    /// Which HPAs.
    pub fn selection(&self) -> SelectionArgs {
        SelectionArgs {
            names: Vec::new(),
            all_namespaces: self.all_namespaces,
            selector: self.selector.clone(),
            is_confined: false,
        }
    }
}

fn parse_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        "use an IP address and a port, such as 127.0.0.1:9484, or 0.0.0.0:9484 for all addresses"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_an_ip_address_and_a_port() {
        for good in ["127.0.0.1:9484", "0.0.0.0:0", "[::1]:9484"] {
            assert!(parse_address(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "9484",
            ":9484",
            "localhost:9484",
            "127.0.0.1",
            "127.0.0.1:99999",
        ] {
            assert!(parse_address(bad).is_err(), "{bad}");
        }
    }
}
