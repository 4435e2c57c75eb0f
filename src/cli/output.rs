//! Output flags that all commands share.

use clap::{Args, ValueEnum};

/// When to use color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Whether a pager shows a long report.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct PagerArgs {
    /// Never use a pager. By default $PAGER (or less) shows a report that does not fit the terminal.
    #[arg(long)]
    pub no_pager: bool,
}
