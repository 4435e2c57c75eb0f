//! Arguments of `kubectl hpa list`.

use std::path::PathBuf;

use clap::Args;
use hpa_cluster::ConnectionArgs;
use hpa_playback::PointInTime;

use super::{
    ContextsArgs, ControllerArgs, ExplainFormat, SelectionArgs, TemplateArgs,
    explain_format::FormatParser,
};

/// Arguments of `kubectl hpa list`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct ListArgs {
    /// Which HPAs.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Which clusters.
    #[command(flatten)]
    pub contexts: ContextsArgs,
    /// Read a snapshot, a recording or ordinary objects from a file instead of a cluster; - is standard input.
    #[arg(
        short = 'f',
        long = "filename",
        alias = "file",
        value_name = "FILE",
        conflicts_with = "watch",
        conflicts_with_all = ContextsArgs::IDS
    )]
    pub file: Option<PathBuf>,
    /// List the last sync at or before this time: local time, with or without a date, or RFC 3339 (default: the last).
    #[arg(long, value_name = "TIME", conflicts_with = "watch", conflicts_with_all = ContextsArgs::IDS)]
    pub at: Option<PointInTime>,
    /// Output format, or a kubectl template over the JSON: jsonpath='{.items..name}', jsonpath-as-json=…, jsonpath-file=FILE, custom-columns=NAME:.name,…, custom-columns-file=FILE.
    #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = FormatParser::LIST)]
    pub output: ExplainFormat,
    /// Flags that go with templates.
    #[command(flatten)]
    pub template: TemplateArgs,
    /// Order: context, name, namespace, urgency, verdict, current, desired, unmet, age, findings, or a JSONPath over an item of the
    /// JSON, such as .verdict.rule (default: namespace; urgency for several clusters).
    #[arg(long, value_name = "KEY")]
    pub sort_by: Option<String>,
    /// After the table, print a line whenever an HPA changes, until Ctrl-C.
    #[arg(short, long, conflicts_with_all = ContextsArgs::IDS)]
    pub watch: bool,
    /// Print only the rows: no header, no summary.
    #[arg(long)]
    pub no_headers: bool,
    /// Add a column with the labels of the HPAs.
    #[arg(long)]
    pub show_labels: bool,
    /// Add a column for each of these labels of the HPAs.
    #[arg(short = 'L', long, value_name = "LABELS", value_delimiter = ',')]
    pub label_columns: Vec<String>,
    /// Do not fail if an HPA that is named does not exist.
    #[arg(long, conflicts_with = "file")]
    pub ignore_not_found: bool,
    /// Settings of the controller.
    #[command(flatten)]
    pub controller: ControllerArgs,
    /// Connection flags.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}

const EXAMPLES: &str = "\
Examples:
  kubectl hpa list                                 the HPAs of the namespace
  kubectl hpa list -A --sort-by urgency            all of them, the most urgent first
  kubectl hpa list -l team=shop -o wide            with rule, pods, selector, findings and the reason
  kubectl hpa list --sort-by=.verdict.rule         ordered by any field of the JSON
  kubectl hpa list -A --contexts prod-eu,prod-us   several clusters, and in what their HPAs differ
  kubectl hpa list -f incident.jsonl               the HPAs of a recording at their last sync
  kubectl hpa list -A -o json | jq '.items[] | select(.unmet.total > 0) | .name'

UNMET counts the replicas that the metrics ask for beyond maxReplicas, and those that are not ready (12+2 if both); ? is unknown.
LINT counts the errors of kubectl hpa lint, without its warnings.

Exit codes: 0 listed, 2 failed.";
