//! Arguments of `kubectl hpa capture`.

use clap::Args;

use crate::cli::ConnectionArgs;

/// Arguments of `kubectl hpa capture`.
#[derive(Args, Debug)]
pub struct CaptureArgs {
    /// Connection flags.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}
