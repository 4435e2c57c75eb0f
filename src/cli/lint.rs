//! Arguments of `kubectl hpa lint`.

use std::path::PathBuf;

use clap::{ArgAction, Args, ValueEnum};
use hpa_cluster::ConnectionArgs;
use hpa_lint::{RuleSelector, Versions};

use super::lint_format::LintDestinationParser;
use crate::cli::{ContextsArgs, ControllerFlagArgs, LintDestination, SelectionArgs};

/// Arguments of `kubectl hpa lint`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct LintArgs {
    /// Which HPAs of a cluster.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Which clusters.
    #[command(flatten)]
    pub contexts: ContextsArgs,
    /// What to read.
    #[command(flatten)]
    pub files: LintFileArgs,
    /// Which rules run.
    #[command(flatten)]
    pub rules: LintRuleArgs,
    /// What is printed, and what the exit code says.
    #[command(flatten)]
    pub report: LintReportArgs,
    /// What becomes of the findings.
    #[command(flatten)]
    pub changes: LintChangeArgs,
    /// Speak the Language Server Protocol on standard input and output, for an editor that runs lint.
    #[arg(long, help_heading = "Editors", conflicts_with_all = NOT_IN_EDITORS)]
    pub lsp: bool,
    /// Some clients add this for standard input and output, which is all there is.
    #[arg(long, hide = true, requires = "lsp")]
    pub stdio: bool,
    /// Versions of Kubernetes: 1.36, or a range such as 1.30-1.36 or 1.33+ (default: the API server's).
    #[arg(long, value_name = "VERSION", help_heading = "Controller")]
    pub kube_version: Option<Versions>,
    /// Flags and gates of the controller.
    #[command(flatten)]
    pub controller: ControllerFlagArgs,
    /// Connection flags.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}

/// What `lint` reads instead of a cluster.
#[derive(Args, Debug)]
#[command(next_help_heading = "Files")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct LintFileArgs {
    /// Lint files or the files of directories instead of a cluster; - is standard input. May be repeated.
    #[arg(
        short = 'f',
        long = "filename",
        alias = "file",
        value_name = "PATH",
        value_delimiter = ',',
        num_args = 1..,
        conflicts_with_all = ["names", "all_namespaces", "selector"],
        conflicts_with_all = ContextsArgs::IDS
    )]
    pub paths: Vec<PathBuf>,
    /// Report and configure standard input (-f -) as this file, such as the unsaved text of an editor.
    #[arg(long, value_name = "PATH")]
    pub stdin_filename: Option<PathBuf>,
    /// Recurse into subdirectories.
    #[arg(short = 'R', long, requires = "paths")]
    pub recursive: bool,
    /// Files that others refer to, which are not linted. May be repeated.
    #[arg(long, value_name = "PATH", value_delimiter = ',', requires = "paths")]
    pub with: Vec<PathBuf>,
    /// The files are the complete desired state: what is not in them does not exist.
    #[arg(long, requires = "paths")]
    pub complete: bool,
    /// The files come from a cluster: objects with their status, pods, metrics, or recordings.
    #[arg(long, requires = "paths", conflicts_with_all = ["complete", "fix", "diff"])]
    pub observed: bool,
    /// Render charts and kustomizations with helm, kustomize or kubectl of the PATH, and lint what they make.
    #[arg(long, requires = "paths", conflicts_with_all = ["observed", "compare", "fix", "diff"])]
    pub render: bool,
    /// Values of the charts that --render renders, as -f of helm. May be repeated.
    #[arg(long, value_name = "FILE", requires = "render")]
    pub values: Vec<PathBuf>,
    /// Compare the files with the HPAs of the same names in the cluster.
    #[arg(long, requires = "paths", conflicts_with_all = ["observed", "fix", "diff"])]
    pub compare: bool,
}

impl LintFileArgs {
    /// The name of standard input.
    pub fn stdin_name(&self) -> String {
        let given = self.stdin_filename.as_ref();
        given.map_or_else(|| "<stdin>".to_owned(), |path| path.display().to_string())
    }
}

/// Which rules run. Rules are named by code, name, family such as HPA3, or ALL.
#[derive(Args, Debug)]
#[command(next_help_heading = "Rules")]
pub struct LintRuleArgs {
    /// Run these rules only: codes, names, families such as HPA3, or ALL.
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = known_rule)]
    pub select: Option<Vec<String>>,
    /// Also run these rules, including rules that are off by default.
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = known_rule)]
    pub extend_select: Vec<String>,
    /// Do not run these rules.
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Warn if minReplicas equals maxReplicas.
    #[arg(long)]
    pub strict: bool,
    /// Configuration file (default: .kubectl-hpa.yaml, searched upwards from each file to the repository root).
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Read no configuration file.
    #[arg(long, conflicts_with = "config")]
    pub no_config: bool,
    /// Report annotations and comments that suppress nothing; each counts as a warning.
    #[arg(long)]
    pub report_unused_suppressions: bool,
}

/// What is printed, and what the exit code says.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct LintReportArgs {
    /// Output format; FORMAT=FILE writes to a file, completely or not at all. May be repeated: -o github -o sarif=FILE.
    #[arg(
        short,
        long = "output",
        value_name = "FORMAT[=FILE]",
        default_value = "text",
        value_parser = LintDestinationParser,
        action = ArgAction::Append
    )]
    pub outputs: Vec<LintDestination>,
    /// Write to this file, completely or not at all, as -o FORMAT=FILE does.
    #[arg(long, value_name = "FILE")]
    pub output_file: Option<PathBuf>,
    /// Print only the findings: no notes, no summary, no warnings about the run.
    #[arg(short, long)]
    pub quiet: bool,
    /// Count the findings of each rule instead of printing them.
    #[arg(long)]
    pub statistics: bool,
    /// Lowest severity that makes the exit code 1 (default: warning).
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<FailOnArg>,
    /// Exit with code 0 even with findings.
    #[arg(long, conflicts_with = "fail_on")]
    pub exit_zero: bool,
    /// Exit with code 2 if no HPA and no ScaledObject is found.
    #[arg(long)]
    pub fail_if_no_objects_found: bool,
}

/// What becomes of the findings.
#[derive(Args, Debug)]
#[command(next_help_heading = "Fixes and baseline")]
pub struct LintChangeArgs {
    /// Apply safe fixes to the files; with -f -, print the fixed text.
    #[arg(long, requires = "paths")]
    pub fix: bool,
    /// Print what --fix would change, and change nothing; exit code 1 if that is anything.
    #[arg(long, requires = "paths", conflicts_with_all = ["fix", "statistics", "output_file", "write_baseline"])]
    pub diff: bool,
    /// Accept the findings of this file, which --write-baseline wrote.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the findings to this file, to accept them from now on.
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub write_baseline: Option<PathBuf>,
}

/// Least severity that makes the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOnArg {
    /// Errors only.
    Error,
    /// Warnings and errors.
    Warning,
    /// Every finding.
    Info,
    /// None.
    Never,
}

/// Flags that an editor decides itself, or that read something other than its files. Flags for how files are checked
/// are not among them.
const NOT_IN_EDITORS: [&str; 44] = [
    "names",
    "all_namespaces",
    "selector",
    "contexts",
    "all_contexts",
    "contexts_from",
    "paths",
    "stdin_filename",
    "recursive",
    "with",
    "complete",
    "observed",
    "render",
    "values",
    "compare",
    "outputs",
    "output_file",
    "quiet",
    "statistics",
    "fail_on",
    "exit_zero",
    "fail_if_no_objects_found",
    "fix",
    "diff",
    "write_baseline",
    "kubeconfig",
    "context",
    "cluster",
    "user",
    "namespace",
    "server",
    "token",
    "as_user",
    "as_groups",
    "as_uid",
    "as_user_extra",
    "certificate_authority",
    "client_certificate",
    "client_key",
    "insecure_skip_tls_verify",
    "tls_server_name",
    "request_timeout",
    "cache_dir",
    "disable_compression",
];

const EXAMPLES: &str = "\
Examples:
  # Files, directories, what Helm or Kustomize renders
  kubectl hpa lint -f hpa.yaml
  kubectl hpa lint -R -f manifests/ --complete
  kubectl hpa lint -R -f deploy/ --render
  helm template web ./chart | kubectl hpa lint -f -
  kubectl hpa lint -f hpa.yaml --with deployment.yaml --kube-version 1.30-1.36

  # A cluster: one HPA, a namespace, everything
  kubectl hpa lint web -n shop
  kubectl hpa lint -A -l team=shop
  kubectl hpa lint -A --contexts prod-eu,prod-us

  # Some rules only; more than usual; less
  kubectl hpa lint -f hpa.yaml --select HPA3,min-gt-max
  kubectl hpa lint -f hpa.yaml --extend-select min-unset --ignore HPA010

  # In CI
  kubectl hpa lint -R -f manifests/ -o github -o sarif=hpa.sarif
  kubectl hpa lint -R -f manifests/ --write-baseline hpa-baseline.json
  kubectl hpa lint -R -f manifests/ --baseline hpa-baseline.json --fail-on error

  # In an editor: the unsaved text of a file, and a language server
  kubectl hpa lint -f - --stdin-filename deploy/hpa.yaml < buffer
  kubectl hpa lint --lsp

  # See what can be fixed, and fix it
  kubectl hpa lint -R -f manifests/ --diff
  kubectl hpa lint -R -f manifests/ --fix

Suppressions: annotation kubectl-hpa/ignore: HPA104,memory-only (kubectl-hpa/ignore-reason says why),
or a comment on the line or before it: # kubectl-hpa: ignore HPA104 (reason)

Exit codes: 0 no findings at or above --fail-on, 1 findings, 2 failed.";

/// A misspelt rule to run would pass every file, so it is an error. A misspelt rule to ignore is a warning: it may be
/// a rule of another version.
fn known_rule(name: &str) -> Result<String, String> {
    match RuleSelector::parse(name.trim()) {
        Ok(_) => Ok(name.to_owned()),
        Err(unknown) => Err(unknown.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_flag_is_either_for_editors_or_refused_there() {
        let command = LintArgs::augment_args(clap::Command::new("lint"));
        let flags: BTreeSet<&str> = command
            .get_arguments()
            .map(|one| one.get_id().as_str())
            .collect();
        let refused = BTreeSet::from(NOT_IN_EDITORS);
        let allowed: Vec<&str> = flags.difference(&refused).copied().collect();
        assert_eq!(refused.difference(&flags).count(), 0, "{refused:?}");
        insta::assert_snapshot!(allowed.join(" "), @"assume_architecture assume_cpu_initialization_period assume_downscale_stabilization assume_initial_readiness_delay assume_sync_period assume_tolerance baseline config extend_select feature_gates ignore kube_version lsp no_config report_unused_suppressions select stdio strict");
    }
}
