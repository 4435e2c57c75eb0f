//! The async runtime of the commands that talk to a cluster.

use std::{
    io::{self, IsTerminal as _, Write as _},
    pin::pin,
    time::Duration,
};

use anyhow::Context as _;
use tokio::runtime::{Builder, Runtime};

/// Starts a runtime on this thread: all waiting is for the network, so more threads would only cost start-up time and memory.
pub(super) fn runtime() -> anyhow::Result<Runtime> {
    Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the async runtime")
}

/// Waits for `reading`. A person who waits for long should know for what; nothing is lost if that can't be written.
pub(super) async fn noting_slowness<T>(reading: impl Future<Output = T>) -> T {
    let mut reading = pin!(reading);
    if let Ok(read) = tokio::time::timeout(PATIENCE, &mut reading).await {
        return read;
    }
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        let _ = writeln!(stderr, "waiting for the cluster …");
    }
    reading.await
}

/// How long nothing is said.
const PATIENCE: Duration = Duration::from_secs(1);
