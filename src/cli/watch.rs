//! Arguments of `kubectl hpa watch`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hpa_cluster::ConnectionArgs;
use hpa_watch::WatchGoal;
use jiff::SignedDuration;

use crate::cli::{ControllerArgs, NoFileArgs, SelectionArgs, controller::parse_period};

/// Arguments of `kubectl hpa watch`.
#[derive(Args, Debug, Default)]
#[command(after_help = "\
Examples:
  # The HPA web, full screen
  kubectl hpa watch web -n shop

  # All HPAs of the namespace, a line for each change
  kubectl hpa watch -n shop -o plain

  # In a script: until the replicas are stable, at most 10 min
  kubectl hpa watch web -n shop -o plain --until stable --timeout 10m

  # During an incident: record everything, and notify the chat
  kubectl hpa watch -A --record incident.jsonl.zst --on-alarm ./notify-chat

  # For programs: each sync, each alarm
  kubectl hpa watch web -n shop -o jsonl | jq -c 'select(.type == \"alarm\")'

Exit codes: 0 stopped, or --until reached; 1 --timeout before --until was reached; 2 failed.")]
pub struct WatchArgs {
    /// Which HPAs.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Output format.
    #[arg(short, long, value_name = "FORMAT", default_value = "auto")]
    pub output: WatchFormat,
    /// Exit once every watched HPA has scaled, is stable, has all pods ready, or has this many replicas.
    #[arg(long, value_name = "scaled|stable|ready|REPLICAS")]
    pub until: Option<WatchGoal>,
    /// Exit after this time.
    #[arg(long, value_name = "DURATION", value_parser = parse_period)]
    pub timeout: Option<SignedDuration>,
    /// Record everything to this file, for `replay`; compressed if the name ends in .gz or .zst.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Start a new file when the recording gets this large, such as 64Mi, and keep the one before.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, requires = "record")]
    pub record_max_size: Option<u64>,
    /// Run this command at each alarm, with the alarm as JSON on its standard input.
    #[arg(long, value_name = "COMMAND")]
    pub on_alarm: Option<String>,
    /// Settings of the controller.
    #[command(flatten)]
    pub controller: ControllerArgs,
    /// Connection flags.
    #[command(flatten)]
    pub connection: ConnectionArgs,
    /// These commands read no file.
    #[command(flatten)]
    pub no_file: NoFileArgs,
}

/// Output formats of `kubectl hpa watch`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum WatchFormat {
    /// Full screen on a terminal, else plain.
    #[default]
    Auto,
    /// For people: one line for each change that matters.
    Plain,
    /// For programs: one JSON object for each sync, alarm and failure.
    #[value(alias = "json")]
    Jsonl,
}

/// Parses a number of bytes above zero, with Kubernetes' suffixes.
pub(super) fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let factor: Option<u64> = match &text[digits.len()..] {
        "" => Some(1),
        "k" => Some(1_000),
        "M" => Some(1_000_000),
        "G" => Some(1_000_000_000),
        "Ki" => Some(1 << 10),
        "Mi" => Some(1 << 20),
        "Gi" => Some(1 << 30),
        _ => None,
    };
    let number: Option<u64> = digits.parse().ok();
    number
        .zip(factor)
        .and_then(|(number, factor)| number.checked_mul(factor))
        .filter(|size| 0 < *size)
        .ok_or_else(|| "use a number of bytes above 0, such as 500k, 64Mi or 1Gi".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_suffixes_of_kubernetes() {
        assert_eq!(parse_size("64Mi"), Ok(64 << 20));
        assert_eq!(parse_size("500k"), Ok(500_000));
        assert_eq!(parse_size("7"), Ok(7));
        for bad in ["", "Mi", "0", "-1", "1.5Gi", "64MB", "99999999999Gi"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
