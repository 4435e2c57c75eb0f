//! Arguments of `kubectl hpa version`.

use clap::{Args, ValueEnum};

/// Arguments of `kubectl hpa version`.
#[derive(Args, Debug)]
pub struct VersionArgs {
    /// Output format.
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    pub output: VersionFormat,
}

/// Output formats of `kubectl hpa version`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VersionFormat {
    /// For people.
    Text,
}
