//! The async runtime of commands that talk to a cluster.

use std::{
    future::pending,
    io::{self, IsTerminal as _, Write as _},
    pin::pin,
    time::Duration,
};

use anyhow::{Context as _, bail};
use hpa_cluster::{Client, ClusterError, ConnectionArgs, GatherScope, Selection, SnapshotDetail};
use hpa_objects::recording::Snapshot;
use hpa_prometheus::Progress;
use tokio::{
    runtime::{Builder, Runtime},
    sync::watch,
};

use crate::{
    cli::SelectionArgs,
    process::{
        call::{Call, until_cancelled},
        stop::StopSignal,
        workflow::note,
    },
};

/// Starts a runtime on this thread: it only waits for the network, so more threads would only cost startup time and
/// memory.
pub(crate) fn runtime() -> anyhow::Result<Runtime> {
    let start = || {
        // tokio panics if no file descriptors are left for its signals.
        let spare: Vec<_> = (0..4).map(|_| io::pipe()).collect::<io::Result<_>>()?;
        drop(spare);
        Builder::new_current_thread().enable_all().build()
    };
    let runtime = start().context("cannot start the async runtime")?;
    #[cfg(unix)]
    survive_size_limits(&runtime).context("cannot listen for signals")?;
    Ok(runtime)
}

/// Waits for `work` on a runtime of this thread, unless this thread serves a call that is cancelled meanwhile.
pub(crate) fn finish<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    if let Some(call) = Call::served() {
        call.note("reading the cluster");
    }
    runtime()?.block_on(until_cancelled(work))?
}

/// Waits for `reading`, and says how much of it is done: on a terminal, or to the client of the call that this thread
/// serves.
pub(crate) async fn with_progress<T>(progress: &Progress, reading: impl Future<Output = T>) -> T {
    let Some(call) = Call::served() else {
        return hpa_prometheus::with_progress(progress, reading).await;
    };
    let mut reading = pin!(reading);
    loop {
        let (done, total) = (progress.done(), progress.total());
        call.note(format!(
            "{done} of {total} requests to the monitoring server"
        ));
        if let Ok(read) = tokio::time::timeout(INTERVAL, &mut reading).await {
            return read;
        }
    }
}

/// Turns a write beyond the file size limit (`ulimit -f`) into an error like that of a full disk: by default the
/// signal ends the process silently. Once it is listened to, it has no effect of its own.
#[cfg(unix)]
fn survive_size_limits(runtime: &Runtime) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let _context = runtime.enter();
    let beyond_size = rustix::process::Signal::XFSZ.as_raw();
    signal(SignalKind::from_raw(beyond_size)).map(drop)
}

/// Waits for `reading`, and says what it waits for if that takes long. A failed message is ignored.
pub(crate) async fn noting_slowness<T>(reading: impl Future<Output = T>) -> T {
    noting(PATIENCE, "waiting for the cluster …", reading).await
}

/// Connects. The credential plugin ends with this process.
pub(crate) async fn connect(args: &ConnectionArgs) -> Result<Client, ClusterError> {
    until_stopped(connecting(args)).await
}

/// Connects to read certain HPAs, in the namespace in their names.
pub(crate) async fn connect_for(
    selection: &SelectionArgs,
    args: &ConnectionArgs,
) -> Result<(Client, Selection), ClusterError> {
    until_stopped(connecting_for(selection, args)).await
}

/// Like [`connect_for`], for callers that handle the stop signal themselves.
pub(crate) async fn connecting_for(
    selection: &SelectionArgs,
    args: &ConnectionArgs,
) -> Result<(Client, Selection), ClusterError> {
    let client = connecting(args).await?;
    Selection::from(selection)
        .resolve(args.namespace.as_deref(), client)
        .await
}

/// Adds other namespaces with HPAs to the error that the namespace has none.
pub(crate) async fn with_others<T>(
    client: &Client,
    selection: &Selection,
    result: Result<T, ClusterError>,
) -> Result<T, ClusterError> {
    match result {
        Err(ClusterError::NoHpa(text)) => Err(ClusterError::NoHpa(
            match hpa_cluster::hpas_elsewhere(client, selection).await {
                Some(others) => format!("{text}. {others}"),
                None => text,
            },
        )),
        result => result,
    }
}

/// Reads the only selected HPA and its context. `advice` is added to the error for any other number of HPAs.
pub(crate) async fn only_hpa(
    selection: &SelectionArgs,
    args: &ConnectionArgs,
    advice: &str,
) -> anyhow::Result<(Client, Snapshot)> {
    let (client, selection) = connect_for(selection, args).await?;
    let gathered = hpa_cluster::gather(
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

/// Waits for `connecting`, unless a signal ends it.
async fn until_stopped<T>(
    connecting: impl Future<Output = Result<T, ClusterError>>,
) -> Result<T, ClusterError> {
    let connected = unless_stopped(connecting).await;
    connected.unwrap_or(Err(ClusterError::Interrupted))
}

/// Waits for `working`, which runs a program; `None`: a signal to stop came first. What `working` has started ends when
/// it is dropped.
pub(crate) async fn unless_stopped<T>(working: impl Future<Output = T>) -> Option<T> {
    let mut working = Box::pin(working);
    // A program that has only just started must also end with a signal. On Windows a signal handler cannot be removed,
    // so there it is only installed for a slow program.
    let early = cfg!(unix).then(StopSignal::listen).and_then(Result::ok);
    if let Ok(done) = tokio::time::timeout(Duration::ZERO, &mut working).await {
        if let Some(stop) = early {
            stop.let_go();
        }
        return Some(done);
    }
    let Some(mut stop) = early.or_else(|| StopSignal::listen().ok()) else {
        return Some(working.await);
    };
    let done = tokio::select! {
        done = working => Some(done),
        () = stop.wait() => None,
    };
    stop.let_go();
    done
}

/// Like [`connect`], for callers that handle the stop signal themselves: the plugin ends if this is dropped.
pub(crate) async fn connecting(args: &ConnectionArgs) -> Result<Client, ClusterError> {
    const NOTE: &str = "waiting for the credential plugin of the kubeconfig; Ctrl-C ends it";
    noting(PLUGIN_PATIENCE, NOTE, Box::pin(hpa_cluster::connect(args))).await
}

/// Waits for `working`, and reports meanwhile on standard error why the credentials of `client` are not renewed.
pub(crate) async fn telling<T>(client: &Client, working: impl Future<Output = T>) -> T {
    let mut working = pin!(working);
    let mut credential_failures = client.credential_failures();
    loop {
        tokio::select! {
            done = &mut working => return done,
            why = next_failure(&mut credential_failures) => {
                note(&why);
            }
        }
    }
}

/// Waits for the next failure to renew the credentials.
pub(crate) async fn next_failure(credential_failures: &mut watch::Receiver<String>) -> String {
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

/// Interval between notes of progress.
const INTERVAL: Duration = Duration::from_millis(200);
/// The message appears after this time.
const PATIENCE: Duration = Duration::from_secs(1);
/// The same while a credential plugin runs, whose own prompt may be visible.
const PLUGIN_PATIENCE: Duration = Duration::from_secs(5);
