//! Arguments of `kubectl hpa explain`.

use std::path::PathBuf;

use clap::Args;
use hpa_cluster::ConnectionArgs;
use hpa_playback::PointInTime;

use super::explain_format::{ExplainFormat, FormatParser};
use crate::cli::{ChangeArgs, ControllerArgs, PagerArgs, SelectionArgs, TemplateArgs};

/// Arguments of `kubectl hpa explain`.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct ExplainArgs {
    /// Which HPAs.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Read a snapshot, a recording or ordinary objects from a file instead of a cluster; - is standard input.
    #[arg(short = 'f', long = "filename", alias = "file", value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Follow the HPAs until Ctrl-C, as `kubectl hpa watch` does: a full screen, or a line for each change through a pipe.
    #[arg(
        short,
        long,
        conflicts_with_all = ["file", "at", "what_if", "verbose", "learn", "no_headers", "ignore_not_found", "ChangeArgs", "TemplateArgs"]
    )]
    pub watch: bool,
    /// Explain the last sync at or before this time: local time, with or without a date, or RFC 3339 (default: the last).
    #[arg(long, value_name = "TIME")]
    pub at: Option<PointInTime>,
    /// Output format, or a kubectl template over the JSON: jsonpath='{.verdict.to}', jsonpath-as-json=…, jsonpath-file=FILE, custom-columns=TO:.verdict.to,…, custom-columns-file=FILE.
    #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = FormatParser::EXPLAIN)]
    pub output: ExplainFormat,
    /// Flags that go with templates.
    #[command(flatten)]
    pub template: TemplateArgs,
    /// Print tables without a header.
    #[arg(long)]
    pub no_headers: bool,
    /// Do not fail if an HPA that is named does not exist.
    #[arg(long, conflicts_with = "file")]
    pub ignore_not_found: bool,
    /// Also show every pod with its class and reason, and the controller function of each step.
    #[arg(short, long)]
    pub verbose: bool,
    /// Also show what one difference would change: a load, a pod, a metric, a rule.
    #[arg(long)]
    pub what_if: bool,
    /// Whether a pager shows a long report.
    #[command(flatten)]
    pub pager: PagerArgs,
    /// Print the page about a step of the algorithm, without a cluster; without ID list all steps.
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "")]
    pub learn: Option<String>,
    /// What would be different in the spec.
    #[command(flatten)]
    pub change: ChangeArgs,
    /// Settings of the controller.
    #[command(flatten)]
    pub controller: ControllerArgs,
    /// Connection flags.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use crate::cli::Cli;

    #[test]
    fn w_takes_the_flags_of_watch_and_refuses_all_others() {
        let mut cli = Cli::command();
        cli.build();
        let command = |name: &str| cli.find_subcommand(name).unwrap();
        let (explain, watch) = (command("explain"), command("watch"));
        for flag in explain.get_arguments() {
            let id = flag.get_id();
            let is_taken = watch.get_arguments().any(|one| one.get_id() == id);
            // A pager shows what ends.
            if is_taken || ["watch", "no_pager"].contains(&id.as_str()) {
                continue;
            }
            let name = flag.get_long().unwrap();
            let flag = match (flag.get_action().takes_values(), name) {
                (false, _) => format!("--{name}"),
                (true, "allow-missing-template-keys") => format!("--{name}=false"),
                (true, "at") => format!("--{name}=10:00"),
                (true, _) => format!("--{name}=a=1"),
            };
            let words = ["kubectl-hpa", "explain", "-w", &flag];
            let error = Cli::try_parse_from(words).expect_err(name).to_string();
            assert!(error.contains("'--watch' cannot be used with"), "{error}");
        }
        for flag in ["--no-pager", "-otext", "--kube-version=1.36", "-Alapp=web"] {
            let words = ["kubectl-hpa", "explain", "-w", flag];
            assert!(Cli::try_parse_from(words).is_ok(), "{flag}");
        }
    }
}
