//! Arguments of `kubectl hpa capture`.

use std::path::PathBuf;

use clap::Args;
use jiff::SignedDuration;

use crate::cli::{ConnectionArgs, ControllerArgs, SelectionArgs, controller::parse_period};

/// Arguments of `kubectl hpa capture`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  # What the HPA web decides from, now
  kubectl hpa capture web -n shop -o web.json

  # An hour of it, one snapshot for each sync of the controller
  kubectl hpa capture web -n shop --for 1h -o web.jsonl.gz
  kubectl hpa replay web.jsonl.gz

  # All HPAs, until Ctrl-C
  kubectl hpa capture -A --every 15s -o all.jsonl.zst

Nothing secret is kept: no environment variables, no arguments, and of the annotations those alone that say how
the HPA is scaled or deployed (docs/privacy.md names them).
--no-redact keeps the answers of the API server whole.")]
pub struct CaptureArgs {
    /// Which HPAs.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Write to this file, compressed if its name ends in .gz or .zst; - is standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// Record over time: one snapshot at this interval (default: the controller's sync period).
    #[arg(long, value_name = "DURATION", value_parser = parse_period)]
    pub every: Option<SignedDuration>,
    /// Record for so long (default with --every: until Ctrl-C).
    #[arg(long = "for", value_name = "DURATION", value_parser = parse_period)]
    pub length: Option<SignedDuration>,
    /// Keep the answers of the API server whole as well: environment variables, annotations, arguments.
    #[arg(long)]
    pub no_redact: bool,
    /// What is known of the controller.
    #[command(flatten)]
    pub controller: ControllerArgs,
    /// Connection flags.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}
