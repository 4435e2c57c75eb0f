//! Arguments of `kubectl hpa lint`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::{ConnectionArgs, ControllerArgs, LintFormat, SelectionArgs};

/// Arguments of `kubectl hpa lint`.
#[derive(Args, Debug)]
pub struct LintArgs {
    /// Which HPAs of a cluster.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Lint files or the files of directories instead of a cluster; - is standard input. May be repeated.
    #[arg(short, long = "filename", value_name = "PATH", value_delimiter = ',')]
    pub files: Vec<PathBuf>,
    /// Files that others refer to; they are not linted themselves. May be repeated.
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    pub with: Vec<PathBuf>,
    /// Go into the directories of directories.
    #[arg(short = 'R', long)]
    pub recursive: bool,
    /// The given files are the whole desired state: what they don't have does not exist.
    #[arg(long)]
    pub complete: bool,
    /// Warn of a minimum that equals the maximum.
    #[arg(long)]
    pub strict: bool,
    /// Output format.
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    pub output: LintFormat,
    /// What is known of the controller.
    #[command(flatten)]
    pub controller: ControllerArgs,
    /// Connection flags.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}
