//! Arguments of `kubectl hpa replay`.

use clap::{Args, ValueEnum};

/// Arguments of `kubectl hpa replay`.
#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// Output format.
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    pub output: ReplayFormat,
}

/// Output formats of `kubectl hpa replay`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReplayFormat {
    /// For people.
    Text,
}
