//! Arguments of `kubectl hpa capture`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::{ConnectionArgs, ControllerArgs, SelectionArgs};

/// Arguments of `kubectl hpa capture`.
#[derive(Args, Debug)]
pub struct CaptureArgs {
    /// Which HPAs.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Write to this file, compressed if its name ends in .gz or .zst; - is standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
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
