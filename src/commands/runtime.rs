//! The async runtime of the commands that talk to a cluster.

use anyhow::Context as _;
use tokio::runtime::{Builder, Runtime};

/// Starts a runtime on this thread: all waiting is for the network, so more threads would only cost start-up time and memory.
pub(super) fn runtime() -> anyhow::Result<Runtime> {
    Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the async runtime")
}
