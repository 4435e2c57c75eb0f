//! Arguments of `kubectl hpa capture`.

use std::path::PathBuf;

use clap::Args;
use hpa_cluster::ConnectionArgs;
use jiff::SignedDuration;

use crate::cli::{ControllerArgs, SelectionArgs, controller::parse_period};

/// Arguments of `kubectl hpa capture`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  # Everything the decision of the HPA web is based on, now
  kubectl hpa capture web -n shop -o web.json

  # One hour of it, one snapshot per sync
  kubectl hpa capture web -n shop --for 1h -o web.jsonl.gz
  kubectl hpa replay web.jsonl.gz

  # All HPAs, until Ctrl-C
  kubectl hpa capture -A --every 15s -o all.jsonl.zst

No secrets are kept: no environment variables, no arguments, and only the annotations that say how the HPA is
scaled or deployed (docs/privacy.md lists them). --no-redact keeps the full answers of the API server.")]
pub struct CaptureArgs {
    /// Which HPAs.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Write to this file, compressed if its name ends in .gz or .zst; - is standard output (default: - through a pipe, a new
    /// file on a terminal).
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Record over time: one snapshot per interval (default: the sync period of the controller).
    #[arg(long, value_name = "DURATION", value_parser = parse_period)]
    pub every: Option<SignedDuration>,
    /// Record for this long (default with --every: until Ctrl-C).
    #[arg(long = "for", value_name = "DURATION", value_parser = parse_period)]
    pub length: Option<SignedDuration>,
    /// Also keep the full answers of the API server: environment variables, annotations, arguments.
    #[arg(long)]
    pub no_redact: bool,
    /// Settings of the controller.
    #[command(flatten)]
    pub controller: ControllerArgs,
    /// Connection flags.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}
