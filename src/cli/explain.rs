//! Arguments of `kubectl hpa explain`.

use clap::{Args, ValueEnum};

/// Arguments of `kubectl hpa explain`.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// Output format.
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    pub output: ExplainFormat,
}

/// Output formats of `kubectl hpa explain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExplainFormat {
    /// For people.
    Text,
}
