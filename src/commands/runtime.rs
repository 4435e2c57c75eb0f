//! The async runtime of the commands that talk to a cluster.

use std::{
    future::pending,
    io::{self, IsTerminal as _, Write as _},
    pin::pin,
    time::Duration,
};

use anyhow::{Context as _, bail};
use tokio::{
    runtime::{Builder, Runtime},
    sync::watch,
};

use super::{stop::StopSignal, workflow::say};
use crate::{
    cli::{ConnectionArgs, SelectionArgs},
    cluster::{self, Client, ClusterError, GatherScope, Selection, SnapshotDetail},
    recording::Snapshot,
    render::sanitize::one_line,
};

/// Starts a runtime on this thread: all waiting is for the network, so more threads would only cost start-up time and memory.
pub(super) fn runtime() -> anyhow::Result<Runtime> {
    let start = || {
        // tokio panics where there are no descriptors for its signals.
        let spare: Vec<_> = (0..4).map(|_| io::pipe()).collect::<io::Result<_>>()?;
        drop(spare);
        Builder::new_current_thread().enable_all().build()
    };
    let runtime = start().context("cannot start the async runtime")?;
    #[cfg(unix)]
    survive_size_limits(&runtime).context("cannot listen for signals")?;
    Ok(runtime)
}

/// Makes a write beyond the greatest size of a file (`ulimit -f`) an error like that of a full disk: the signal would end
/// the process without a word. Once it is listened to, it does nothing by itself.
#[cfg(unix)]
fn survive_size_limits(runtime: &Runtime) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let _context = runtime.enter();
    let beyond_size = rustix::process::Signal::XFSZ.as_raw();
    signal(SignalKind::from_raw(beyond_size)).map(drop)
}

/// Waits for `reading`. A person who waits for long should know for what; nothing is lost if that can't be written.
pub(super) async fn noting_slowness<T>(reading: impl Future<Output = T>) -> T {
    noting(PATIENCE, "waiting for the cluster …", reading).await
}

/// Connects. A credential plugin that runs for it ends with this process.
pub(super) async fn connect(args: &ConnectionArgs) -> Result<Client, ClusterError> {
    until_stopped(connecting(args)).await
}

/// Connects to read certain HPAs, in the namespace that their names say.
pub(super) async fn connect_for(
    selection: &SelectionArgs,
    args: &ConnectionArgs,
) -> Result<(Client, Selection), ClusterError> {
    until_stopped(connecting_for(selection, args)).await
}

/// The same for those who listen to the user's wish to stop themselves.
pub(super) async fn connecting_for(
    selection: &SelectionArgs,
    args: &ConnectionArgs,
) -> Result<(Client, Selection), ClusterError> {
    let client = connecting(args).await?;
    Selection::from(selection)
        .resolve(args.namespace.as_deref(), client)
        .await
}

/// Adds to an error that says that the namespace has no HPAs where there are some.
pub(super) async fn with_others<T>(
    client: &Client,
    selection: &Selection,
    result: Result<T, ClusterError>,
) -> Result<T, ClusterError> {
    match result {
        Err(ClusterError::NoHpa(text)) => {
            Err(ClusterError::NoHpa(
                match cluster::hpas_elsewhere(client, selection).await {
                    Some(others) => format!("{text}. {others}"),
                    None => text,
                },
            ))
        }
        result => result,
    }
}

/// Reads the only HPA that is selected, and what is around it. `advice` is for those who select another number of them.
pub(super) async fn only_hpa(
    selection: &SelectionArgs,
    args: &ConnectionArgs,
    advice: &str,
) -> anyhow::Result<(Client, Snapshot)> {
    let (client, selection) = connect_for(selection, args).await?;
    let gathered = cluster::gather(
        &client,
        &selection,
        SnapshotDetail::Redacted,
        GatherScope::Surroundings,
    );
    let gathered = noting_slowness(Box::pin(gathered)).await;
    let snapshots = with_others(&client, &selection, gathered).await?;
    let count = snapshots.len();
    let mut snapshots = snapshots.into_iter();
    let (Some(snapshot), None) = (snapshots.next(), snapshots.next()) else {
        bail!("{count} HPAs are selected: {advice}");
    };
    Ok((client, snapshot))
}

async fn until_stopped<T>(
    connecting: impl Future<Output = Result<T, ClusterError>>,
) -> Result<T, ClusterError> {
    let mut connecting = Box::pin(connecting);
    // A plugin that has only just started ends with a signal, too. On Windows whoever has listened once always listens: there only for
    // a plugin that takes its time.
    let early = cfg!(unix).then(StopSignal::listen).and_then(Result::ok);
    if let Ok(connected) = tokio::time::timeout(Duration::ZERO, &mut connecting).await {
        if let Some(stop) = early {
            stop.let_go();
        }
        return connected;
    }
    let Some(mut stop) = early.or_else(|| StopSignal::listen().ok()) else {
        return connecting.await;
    };
    let connected = tokio::select! {
        connected = connecting => connected,
        () = stop.wait() => Err(ClusterError::Interrupted),
    };
    stop.let_go();
    connected
}

/// The same for those who listen to the user's wish to stop themselves: the plugin ends if this is dropped.
pub(super) async fn connecting(args: &ConnectionArgs) -> Result<Client, ClusterError> {
    const NOTE: &str = "waiting for the credential plugin of the kubeconfig; Ctrl-C ends it";
    noting(PLUGIN_PATIENCE, NOTE, Box::pin(cluster::connect(args))).await
}

/// Waits for `working`, and says meanwhile on standard error why the credentials of `client` are not renewed.
pub(super) async fn telling<T>(client: &Client, working: impl Future<Output = T>) -> T {
    let mut working = pin!(working);
    let mut credential_failures = client.credential_failures();
    loop {
        tokio::select! {
            done = &mut working => return done,
            why = next_failure(&mut credential_failures) => {
                say(&format!("note: {}", one_line(&why)));
            }
        }
    }
}

/// Waits for what the user should know of the credentials.
pub(super) async fn next_failure(credential_failures: &mut watch::Receiver<String>) -> String {
    loop {
        if credential_failures.changed().await.is_err() {
            return pending().await;
        }
        let why = credential_failures.borrow_and_update().clone();
        if !why.is_empty() {
            return why;
        }
    }
}

async fn noting<T>(after: Duration, note: &str, working: impl Future<Output = T>) -> T {
    let mut working = pin!(working);
    if let Ok(done) = tokio::time::timeout(after, &mut working).await {
        return done;
    }
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        let _ = writeln!(stderr, "{note}");
    }
    working.await
}

/// How long nothing is said.
const PATIENCE: Duration = Duration::from_secs(1);
/// The same while a credential plugin runs, which may be what the user sees.
const PLUGIN_PATIENCE: Duration = Duration::from_secs(5);
