//! Arguments of `kubectl hpa replay`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, builder::UnknownArgumentValueParser};
use hpa_playback::PointInTime;

use crate::cli::ControllerArgs;

/// Arguments of `kubectl hpa replay`.
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  # What happened, one line per sync
  kubectl hpa replay web.jsonl.gz

  # The same on a full screen: play it, jump to what matters
  kubectl hpa replay web.jsonl.gz --tui

  # One sync in full
  kubectl hpa replay web.jsonl.gz --at 14:02:15

  # Fail if the recomputation and the cluster disagree anywhere
  kubectl hpa replay web.jsonl.gz --check

  # For programs, from a pipe
  zcat web.jsonl.gz | kubectl hpa replay - -o jsonl")]
pub struct ReplayArgs {
    /// Recording as `kubectl hpa capture` writes it: plain, .gz or .zst; - is standard input.
    #[arg(value_name = "FILE", required_unless_present = "filename")]
    file: Option<PathBuf>,
    /// The same as FILE, as in `explain` and `lint`.
    #[arg(
        short,
        long,
        alias = "file",
        value_name = "FILE",
        conflicts_with = "file"
    )]
    filename: Option<PathBuf>,
    /// Play the recording on a full screen, back and forth in time, at up to 60 times the speed.
    #[arg(long, conflicts_with_all = ["check", "at", "output"])]
    pub tui: bool,
    /// Exit with 1 if a recomputed sync differs from what the recording shows.
    #[arg(long, conflicts_with = "at")]
    pub check: bool,
    /// Print the report of the last sync at or before this time: local time, with or without a date, or RFC 3339.
    #[arg(long, value_name = "TIME")]
    pub at: Option<PointInTime>,
    /// Output format.
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    pub output: ReplayFormat,
    /// With --at: also show every pod with its class and reason, and the controller function of each step.
    #[arg(short, long, requires = "at")]
    pub verbose: bool,
    /// Settings of the controller.
    #[command(flatten)]
    pub controller: ControllerArgs,
}

impl ReplayArgs {
    /// The recording; `-` is standard input.
    pub fn path(&self) -> &Path {
        let path = self.file.as_deref().or(self.filename.as_deref());
        path.unwrap_or(Path::new("-"))
    }
}

/// `-f FILE` of commands that read only a cluster: an error that names the command for files.
#[derive(Args, Debug, Default)]
pub struct NoFileArgs {
    /// Never set.
    #[arg(
        short = 'f',
        long = "filename",
        value_name = "FILE",
        hide = true,
        value_parser = UnknownArgumentValueParser::suggest("to play a recording, use 'kubectl hpa replay FILE'")
    )]
    filename: Option<String>,
}

/// Output formats of `kubectl hpa replay`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReplayFormat {
    /// For people: one line per sync.
    Text,
    /// For programs: one JSON object per sync.
    Jsonl,
}
