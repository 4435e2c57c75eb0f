//! The clusters that a command reads: one, or those of several contexts at the same time.

use std::{
    fs,
    io::{self, IsTerminal as _, Write as _},
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use anyhow::{Context as _, bail};
use hpa_cluster::{Client, ClusterError, ConnectionArgs, Selection, is_match, is_pattern};
use hpa_objects::recording::read_at_most;
use hpa_words::{amount::names, sanitize::one_line};
use kubectl_hpa_yaml::decode;
use tokio::{
    sync::{mpsc, watch},
    time::{Instant, sleep_until},
};
use unicode_width::UnicodeWidthStr as _;

use crate::{
    cli::{ContextsArgs, SelectionArgs},
    exit_code::ExitStatus,
    process::{
        runtime::{connect_for, noting_slowness, runtime},
        stop::StopSignal,
        terminal,
        workflow::say,
    },
};

/// The clusters that a command reads.
pub(super) struct Clusters(Vec<ClusterAccess>);

/// The access to one cluster.
pub(super) struct ClusterAccess {
    /// The name of its context in the output; none: the command reads only this cluster.
    context: Option<String>,
    connection: ConnectionArgs,
}

/// The results of reading.
pub(super) enum Reads<T> {
    /// The result of a single cluster.
    One(T),
    /// The results of several contexts, each with its name, in the order of the flags.
    Several(Vec<(String, ClusterOutcome<T>)>),
}

/// The result of reading one of several clusters.
pub(super) enum ClusterOutcome<T> {
    /// It was read.
    Read(T),
    /// It has none of the selected HPAs; the message.
    Nothing(String),
    /// It cannot be read; the reason.
    Failed(String),
}

impl Clusters {
    /// The clusters that the flags name. Fails if they name none; a context that does not exist fails when it is read.
    pub(super) fn of(args: &ContextsArgs, connection: &ConnectionArgs) -> anyhow::Result<Self> {
        if !args.is_given() {
            return Ok(Self(vec![ClusterAccess::alone(connection)]));
        }
        let mut several = Several::new(connection);
        if let Some(folder) = &args.contexts_from {
            several.add_folder(folder)?;
        } else if args.all_contexts {
            let contexts = hpa_cluster::context_names(connection)?;
            if contexts.is_empty() {
                bail!("--all-contexts: the kubeconfig has no context");
            }
            for context in contexts {
                several.add(context.clone(), None, Some(context));
            }
        } else {
            for name in &args.contexts {
                several.add_named(name)?;
            }
        }
        Ok(Self(several.clusters))
    }

    /// The context of each cluster, if several can be read, and the flags that reach it.
    #[cfg(feature = "mcp")]
    pub(super) fn connections(self) -> impl Iterator<Item = (Option<String>, ConnectionArgs)> {
        let clusters = self.0.into_iter();
        clusters.map(|one| (one.context, one.connection))
    }

    /// Reads all clusters in parallel. Fails if there is only one and it fails. Ctrl-C ends the wait for those of
    /// several clusters that are missing.
    pub(super) fn read<T: Send>(
        &self,
        read: impl AsyncFn(&ClusterAccess) -> anyhow::Result<T> + Sync,
    ) -> anyhow::Result<Reads<T>> {
        if let [alone] = &self.0[..]
            && alone.is_alone()
        {
            return Ok(Reads::One(runtime()?.block_on(read(alone))?));
        }
        let reads = self.read_several(&read)?;
        if reads
            .iter()
            .all(|one| matches!(cause(one), Some(ClusterError::Interrupted)))
        {
            return Err(ClusterError::Interrupted.into());
        }
        let has_any = reads.iter().any(Result::is_ok);
        let outcomes = reads
            .into_iter()
            .map(|one| ClusterOutcome::of(one, has_any));
        let names = self.0.iter().filter_map(|one| one.context.clone());
        Ok(Reads::Several(names.zip(outcomes).collect()))
    }

    /// Runs a thread for each cluster: besides the network, decoding and deciding take time, and use all cores.
    fn read_several<T: Send>(
        &self,
        read: &(impl AsyncFn(&ClusterAccess) -> anyhow::Result<T> + Sync),
    ) -> anyhow::Result<Vec<anyhow::Result<T>>> {
        let next = AtomicUsize::new(0);
        let (stop, stopped) = watch::channel(false);
        let (sender, arrived) = mpsc::unbounded_channel();
        let results: Vec<Mutex<Option<anyhow::Result<T>>>> =
            self.0.iter().map(|_| Mutex::new(None)).collect();
        let work = || {
            while let Some((index, one)) = {
                let index = next.fetch_add(1, Ordering::Relaxed);
                self.0.get(index).map(|one| (index, one))
            } {
                let result = one.read_until(stopped.clone(), read);
                if let Some(place) = results.get(index) {
                    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
                }
                // The receiver stops once all have arrived.
                let _ = sender.send(index);
            }
        };
        let waiting = runtime()?;
        thread::scope(|scope| {
            for number in 0..self.0.len().min(MOST_THREADS) {
                let spawned = thread::Builder::new().spawn_scoped(scope, work);
                if number == 0 {
                    spawned.context("cannot start a thread")?;
                }
            }
            waiting.block_on(self.wait(arrived, &stop));
            anyhow::Ok(())
        })?;
        let results = results.into_iter().map(|place| {
            let result = place.into_inner().unwrap_or_else(PoisonError::into_inner);
            result.unwrap_or_else(|| Err(ClusterError::Interrupted.into()))
        });
        Ok(results.collect())
    }

    /// Waits until all have arrived, or until the user stops the wait. On a terminal it shows which are missing.
    async fn wait(&self, mut arrived: mpsc::UnboundedReceiver<usize>, stop: &watch::Sender<bool>) {
        let mut missing: Vec<usize> = (0..self.0.len()).collect();
        let mut signal = StopSignal::listen().ok();
        let mut note = MissingNote::new();
        while !missing.is_empty() {
            let stopped = async {
                match &mut signal {
                    Some(signal) => signal.wait().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                Some(index) = arrived.recv() => missing.retain(|one| *one != index),
                () = stopped => {
                    let _ = stop.send(true);
                    // A second signal ends the process.
                    if let Some(signal) = signal.take() {
                        signal.let_go();
                    }
                }
                () = note.is_due() => {
                    let names: Vec<&str> = missing
                        .iter()
                        .filter_map(|index| self.0.get(*index)?.context.as_deref())
                        .collect();
                    note.write(&names, self.0.len());
                }
            }
        }
        note.clear();
        if let Some(signal) = signal {
            signal.let_go();
        }
    }
}

impl<T> ClusterOutcome<T> {
    /// `has_any`: whether anything was read from the others. A named HPA may be in some of them only.
    fn of(read: anyhow::Result<T>, has_any: bool) -> Self {
        let is_nothing = match cause(&read) {
            Some(ClusterError::NoHpa(_)) => true,
            Some(ClusterError::NotFound(_)) => has_any,
            _ => false,
        };
        match read {
            Ok(read) => Self::Read(read),
            Err(error) if is_nothing => Self::Nothing(error.to_string()),
            Err(error) => Self::Failed(format!("{error:#}")),
        }
    }

    /// The message for a cluster that was not read.
    fn line(&self, context: &str) -> Option<String> {
        let (mark, why) = match self {
            Self::Read(_) => return None,
            Self::Nothing(why) => ("", why),
            Self::Failed(why) => ("error: ", why),
        };
        Some(one_line(&format!("{mark}context {context}: {why}")).into_owned())
    }
}

/// The clusters that were not read.
#[derive(Default)]
pub(super) struct Unread {
    /// A line for each, with the reason.
    pub(super) lines: Vec<String>,
    /// Whether one of them failed.
    pub(super) has_failed: bool,
}

impl Unread {
    /// The clusters among `reads` that were not read.
    pub(super) fn of<T>(reads: &[(String, ClusterOutcome<T>)]) -> Self {
        let lines = reads.iter().filter_map(|(name, read)| read.line(name));
        Self {
            lines: lines.collect(),
            has_failed: reads
                .iter()
                .any(|(_, read)| matches!(read, ClusterOutcome::Failed(_))),
        }
    }

    /// Prints the lines to standard error, and returns the exit status of a command that printed the other clusters.
    pub(super) fn report(&self) -> ExitStatus {
        for line in &self.lines {
            say(line);
        }
        if self.has_failed {
            ExitStatus::Failure
        } else {
            ExitStatus::Success
        }
    }
}

/// Why a cluster could not be read.
fn cause<T>(read: &anyhow::Result<T>) -> Option<&ClusterError> {
    read.as_ref().err()?.downcast_ref()
}

impl ClusterAccess {
    /// The cluster that the connection flags name, read alone.
    pub(super) fn alone(connection: &ConnectionArgs) -> Self {
        Self {
            context: None,
            connection: connection.clone(),
        }
    }

    /// Connects to read certain HPAs, in the namespace in their names, else in that of the context.
    pub(super) async fn connect(
        &self,
        selection: &SelectionArgs,
    ) -> Result<(Client, Selection), ClusterError> {
        if self.is_alone() {
            return connect_for(selection, &self.connection).await;
        }
        // The caller that waits for all clusters handles the signals.
        let client = hpa_cluster::connect(&self.connection).await?;
        let namespace = self.connection.namespace.as_deref();
        Selection::from(selection).resolve(namespace, client).await
    }

    /// Waits for `reading`, and says what it waits for if that takes long. With several clusters, the caller that
    /// waits for all of them does that.
    pub(super) async fn noting_slowness<T>(&self, reading: impl Future<Output = T>) -> T {
        if self.is_alone() {
            noting_slowness(reading).await
        } else {
            reading.await
        }
    }

    /// Whether the command reads only this cluster.
    pub(super) fn is_alone(&self) -> bool {
        self.context.is_none()
    }

    /// Reads the cluster on this thread, until the user stops the wait.
    fn read_until<T>(
        &self,
        mut stopped: watch::Receiver<bool>,
        read: &impl AsyncFn(&Self) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        runtime()?.block_on(async {
            tokio::select! {
                read = Box::pin(read(self)) => read,
                _ = stopped.wait_for(|is_stopped| *is_stopped) => Err(ClusterError::Interrupted.into()),
            }
        })
    }
}

/// The clusters of several contexts, each with a unique name.
struct Several<'a> {
    connection: &'a ConnectionArgs,
    clusters: Vec<ClusterAccess>,
}

impl<'a> Several<'a> {
    fn new(connection: &'a ConnectionArgs) -> Self {
        Self {
            connection,
            clusters: Vec::new(),
        }
    }

    /// Adds a cluster, unless it was already added.
    fn add(&mut self, name: String, kubeconfig: Option<&Path>, context: Option<String>) {
        if self.has(&name) {
            return;
        }
        let mut connection = self.connection.clone();
        if let Some(kubeconfig) = kubeconfig {
            connection.kubeconfig = Some(kubeconfig.to_owned());
        }
        connection.context = context;
        let timeout = &mut connection.request_timeout;
        if timeout.as_ref().is_none_or(String::is_empty) {
            *timeout = Some(TIMEOUT.to_owned());
        }
        self.clusters.push(ClusterAccess {
            context: Some(name),
            connection,
        });
    }

    /// Adds a context, or those of the kubeconfig that match a pattern.
    fn add_named(&mut self, name: &str) -> anyhow::Result<()> {
        if !is_pattern(name) {
            self.add(name.to_owned(), None, Some(name.to_owned()));
            return Ok(());
        }
        let mut contexts = hpa_cluster::context_names(self.connection)?;
        contexts.retain(|context| is_match(name, context));
        if contexts.is_empty() {
            bail!("--contexts: no context of the kubeconfig matches {name:?}");
        }
        for context in contexts {
            self.add(context.clone(), None, Some(context));
        }
        Ok(())
    }

    fn has(&self, name: &str) -> bool {
        let mut names = self.clusters.iter().map(|one| one.context.as_deref());
        names.any(|other| other == Some(name))
    }

    /// Adds the contexts of each kubeconfig in a folder, named after the files: `prod-eu` for `prod-eu.yaml`, or
    /// `prod-eu/admin` and `prod-eu/viewer` if it has two contexts.
    fn add_folder(&mut self, folder: &Path) -> anyhow::Result<()> {
        let place = || format!("--contexts-from {}", folder.display());
        let entries: io::Result<Vec<fs::DirEntry>> =
            fs::read_dir(folder).and_then(Iterator::collect);
        let entries = entries.with_context(place)?;
        let mut files: Vec<_> = entries.iter().map(fs::DirEntry::path).collect();
        files.retain(|path| is_displayed(path) && path.is_file());
        files.sort();
        let stem = |path: &Path| path.file_stem().map(ToOwned::to_owned);
        for path in &files {
            let is_only = files.iter().filter(|one| stem(one) == stem(path)).count() == 1;
            let name = if is_only {
                stem(path)
            } else {
                path.file_name().map(ToOwned::to_owned)
            };
            let name = name.unwrap_or_default().to_string_lossy().into_owned();
            let connection = ConnectionArgs {
                kubeconfig: Some(path.clone()),
                ..ConnectionArgs::default()
            };
            match hpa_cluster::context_names(&connection) {
                Ok(contexts) => {
                    let is_one = contexts.len() == 1;
                    for context in contexts {
                        let name = if is_one {
                            name.clone()
                        } else {
                            format!("{name}/{context}")
                        };
                        self.add(name, Some(path), Some(context));
                    }
                }
                // The error is reported when it is connected to.
                Err(_) if may_be_kubeconfig(path) => self.add(name, Some(path), None),
                Err(_) => {}
            }
        }
        if self.clusters.is_empty() {
            bail!("{}: no file there is a kubeconfig with a context", place());
        }
        Ok(())
    }
}

/// Whether a file is not hidden: editors and mounted Secrets create hidden ones.
fn is_displayed(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    !name.as_encoded_bytes().starts_with(b".")
}

/// Whether a file that cannot be parsed is meant to be a kubeconfig. Certificates and notes are not.
fn may_be_kubeconfig(path: &Path) -> bool {
    let bytes = fs::File::open(path).and_then(|file| read_at_most(file, MOST_MEBIBYTES));
    bytes.map_or(true, |bytes| decode(bytes).text.contains("contexts"))
}

/// The largest kubeconfigs have some thousand clusters.
const MOST_MEBIBYTES: u64 = 64;

/// The terminal line that shows which clusters are missing.
struct MissingNote {
    due: Option<Instant>,
    written: String,
}

impl MissingNote {
    fn new() -> Self {
        let is_terminal = io::stderr().is_terminal();
        Self {
            due: is_terminal.then(|| Instant::now() + PATIENCE),
            written: String::new(),
        }
    }

    async fn is_due(&self) {
        match self.due {
            Some(due) => sleep_until(due).await,
            None => std::future::pending().await,
        }
    }

    fn write(&mut self, missing: &[&str], all: usize) {
        self.due = Some(Instant::now() + INTERVAL);
        let mut text = format!(
            "waiting for {} of {all} contexts (Ctrl-C: without them): {}",
            missing.len(),
            one_line(&names(missing, MOST_NAMES))
        );
        let columns = terminal::columns().unwrap_or(80);
        if columns <= text.width() {
            text = format!("waiting for {} of {all} contexts", missing.len());
        }
        if text != self.written {
            show(&format!("\r\x1b[K{text}"));
            self.written = text;
        }
    }

    fn clear(&self) {
        if !self.written.is_empty() {
            show("\r\x1b[K");
        }
    }
}

/// Writes to the terminal; failures are ignored.
fn show(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "{text}").and_then(|()| stderr.flush());
}

/// At most this many clusters are read at the same time.
const MOST_THREADS: usize = 64;

/// `--request-timeout` of several clusters: one that does not answer must not delay the output of the others.
const TIMEOUT: &str = "30s";

/// The line appears after this time.
const PATIENCE: Duration = Duration::from_secs(1);

/// Interval between updates of the line.
const INTERVAL: Duration = Duration::from_millis(200);

/// At most this many missing contexts are named.
const MOST_NAMES: usize = 5;
