//! The command line: only clap types, one file per command.

mod arranged;
mod as_installed;
mod capture;
mod change;
mod completion;
mod contexts;
mod controller;
mod controller_flags;
mod explain;
mod explain_format;
mod export;
mod history;
mod lint;
mod lint_format;
mod list;
#[cfg(feature = "mcp")]
mod mcp;
mod output;
mod replay;
mod rules;
mod selection;
mod simulate;
mod template;
mod unknown_flag;
mod version;
mod watch;

use clap::{Parser, Subcommand};

pub use arranged::arranged;
pub use capture::CaptureArgs;
pub use change::ChangeArgs;
pub use completion::{
    CompletionArgs, CompletionCommand, CompletionInstallArgs, CompletionUninstallArgs, ShellName,
};
pub use contexts::ContextsArgs;
pub use controller::{ControllerArgs, ControllerFlagArgs, GateSetting};
pub use explain::ExplainArgs;
pub use explain_format::ExplainFormat;
pub use export::{ExportArgs, ExportCommand, ExportRulesArgs, RuleFileFormat};
pub use history::{DepthArg, HistoryArgs, HistoryFormat, MetricQuery, Price};
pub use lint::{FailOnArg, LintArgs, LintFileArgs};
pub use lint_format::{LintDestination, LintFormat};
pub use list::ListArgs;
#[cfg(feature = "mcp")]
pub use mcp::McpArgs;
pub use output::{ColorChoice, PagerArgs};
pub use replay::{NoFileArgs, ReplayArgs, ReplayFormat};
pub use rules::{RuleFamily, RuleNeeds, RuleSeverity, RulesArgs, RulesFormat};
pub use selection::SelectionArgs;
pub use simulate::{SimulateArgs, SimulateFormat};
pub use template::TemplateArgs;
pub use unknown_flag::with_commands;
pub use version::{VersionArgs, VersionFormat};
pub use watch::{WatchArgs, WatchFormat};

/// Explains why a HorizontalPodAutoscaler scales, or why it does not.
///
/// Reads the HPA, its pods and its metrics, recomputes the controller's decision with the controller's own
/// algorithm, and prints the derivation. Reads only: nothing in the cluster is changed.
#[derive(Debug, Parser)]
#[command(
    name = "kubectl-hpa",
    bin_name = "kubectl hpa",
    version,
    disable_version_flag = false,
    after_help = "kubectl hpa NAME is short for kubectl hpa explain NAME, kubectl hpa -A for kubectl hpa list -A."
)]
pub struct Cli {
    /// When to use color.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,

    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Explain why an HPA scales, or why it does not.
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(Box<ExplainArgs>),
    /// Save everything an HPA decision is based on, once or over time, for `replay` and `explain -f`.
    Capture(Box<CaptureArgs>),
    /// Set up completion by Tab, for kubectl and for shells.
    Completion(Box<CompletionArgs>),
    /// Serve the verdicts of HPAs as metrics, for Prometheus.
    Export(Box<ExportArgs>),
    /// Show what happened to an HPA and why, from what Prometheus kept.
    History(Box<HistoryArgs>),
    /// Find mistakes in HPAs, in files or in a cluster.
    Lint(Box<LintArgs>),
    /// List HPAs, one line each: verdict, replicas, metric, unmet demand, findings.
    List(Box<ListArgs>),
    /// Serve agents: list, explain, lint, simulate and history as tools of the Model Context Protocol.
    #[cfg(feature = "mcp")]
    Mcp(Box<McpArgs>),
    /// Recompute a recording, sync by sync.
    Replay(Box<ReplayArgs>),
    /// List the rules of `lint`, or print the page of one.
    Rules(Box<RulesArgs>),
    /// Show what an HPA would do: under another load, with another spec, at the next rollout.
    Simulate(Box<SimulateArgs>),
    /// Print the versions of client, server and known controllers.
    Version(Box<VersionArgs>),
    /// Watch what HPAs do, live, with alarms.
    Watch(Box<WatchArgs>),
}

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  kubectl hpa explain web                          one HPA of the namespace
  kubectl hpa explain deploy/web -n shop           the HPA of a workload
  kubectl hpa explain so/mail                      the HPA that KEDA made of a ScaledObject
  kubectl hpa explain shop/web                     an HPA of the namespace shop
  kubectl hpa explain 'web-*'                      names that start with web-
  kubectl hpa explain -A                           all HPAs, most urgent first
  kubectl hpa explain -A -o json                   all HPAs, for a program
  kubectl hpa explain -A -o html > hpas.html       all HPAs, for a browser
  kubectl hpa explain web -o jsonpath='{.verdict.to}'
  kubectl hpa explain web -v                       every pod and every formula
  kubectl hpa explain web --assume-tolerance 0.05  set a flag of the controller
  kubectl hpa explain -f incident.jsonl --at 10:42 a sync of a recording
  kubectl hpa explain --learn                      how the HPA decides
  kubectl hpa explain --learn tolerance            one of these pages

Exit codes: 0 explained, 2 failed.";
