//! The signals with which the user stops a command.

use std::{
    io, process,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};
#[cfg(unix)]
use std::{io::IsTerminal as _, sync::Arc};

#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlC, ctrl_c};
use tokio::sync::Notify;

use super::runtime::runtime;

/// Wakes all waiters if the process ends for another reason.
static IS_ENDING: Notify = Notify::const_new();

/// Whether somebody takes care of the end since a signal came.
static IS_NOTICED: AtomicBool = AtomicBool::new(false);

/// How long a busy command may take to notice a signal.
const PATIENCE: Duration = Duration::from_secs(1);

/// Ends the process on a signal that the command does not notice because it computes: from a thread of its own. All that
/// a recording has so far can be read, as after a kill.
#[expect(
    clippy::exit,
    reason = "the thread that would return from `main` is busy"
)]
pub(super) fn end_if_busy() -> anyhow::Result<()> {
    let runtime = runtime()?;
    let mut stop = {
        let _context = runtime.enter();
        StopSignal::listen()?
    };
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            runtime.block_on(async {
                stop.received().await;
                tokio::time::sleep(PATIENCE).await;
            });
            if !IS_NOTICED.load(Ordering::Relaxed) {
                process::exit(0);
            }
        })?;
    Ok(())
}

/// Whether the whole process listens until it ends.
#[cfg(unix)]
static IS_FOR_GOOD: AtomicBool = AtomicBool::new(false);

/// Ctrl-C, the signal with which a service manager ends a process, or a closed terminal. While it listens, these
/// signals do not end the process by themselves, and none is lost while the process does something else.
pub(super) struct StopSignal {
    #[cfg(unix)]
    interrupt: Signal,
    #[cfg(unix)]
    terminate: Signal,
    /// `None` if it is ignored, as with `nohup`.
    #[cfg(unix)]
    hangup: Option<Signal>,
    #[cfg(windows)]
    ctrl_c: CtrlC,
}

impl StopSignal {
    /// Starts to listen.
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {
            #[cfg(unix)]
            interrupt: signal(SignalKind::interrupt())?,
            #[cfg(unix)]
            terminate: signal(SignalKind::terminate())?,
            #[cfg(unix)]
            hangup: if is_hangup_ignored() {
                None
            } else {
                Some(signal(SignalKind::hangup())?)
            },
            #[cfg(windows)]
            ctrl_c: ctrl_c()?,
        })
    }

    /// Listens until the process ends: other listeners do not restore the default handling.
    #[cfg(feature = "mcp")]
    pub(super) fn listen_for_good() -> io::Result<Self> {
        #[cfg(unix)]
        IS_FOR_GOOD.store(true, Ordering::Relaxed);
        Self::listen()
    }

    /// Stops all listeners because the process ends for another reason.
    #[cfg(feature = "mcp")]
    pub(super) fn raise() {
        IS_ENDING.notify_waiters();
    }

    /// Stops listening: the signals end the process again.
    pub(super) fn let_go(self) {
        #[cfg(unix)]
        if IS_FOR_GOOD.load(Ordering::Relaxed) {
            return;
        }
        #[cfg(unix)]
        for signal in [SIGINT, SIGTERM]
            .into_iter()
            .chain(self.hangup.map(|_| SIGHUP))
        {
            let always = Arc::new(AtomicBool::new(true));
            // On failure the signal is lost, which is not worth an error.
            let _ = signal_hook::flag::register_conditional_default(signal, always);
        }
    }

    /// Waits for a signal, and takes care of the end.
    pub(super) async fn wait(&mut self) {
        self.received().await;
        IS_NOTICED.store(true, Ordering::Relaxed);
    }

    async fn received(&mut self) {
        #[cfg(unix)]
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            () = received(&mut self.hangup) => {}
            () = IS_ENDING.notified() => {}
        }
        #[cfg(windows)]
        tokio::select! {
            _ = self.ctrl_c.recv() => {}
            () = IS_ENDING.notified() => {}
        }
    }
}

#[cfg(unix)]
async fn received(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}

/// Whether the process should survive its terminal. If the system does not say so: with `nohup`, standard error is not
/// a terminal.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    match ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()) {
        // Signal 1 is the first bit.
        Some(mask) => mask & 1 == 1,
        None => !io::stderr().is_terminal(),
    }
}
