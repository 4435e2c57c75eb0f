//! The signals with which the user stops a command.

#[cfg(unix)]
use std::{
    collections::BTreeSet,
    io::IsTerminal as _,
    sync::{Arc, LazyLock, Mutex, atomic::AtomicUsize},
};
use std::{
    io, process,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

#[cfg(unix)]
use signal_hook::{
    SigId,
    consts::{SIGHUP, SIGINT, SIGTERM},
};
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlC, ctrl_c};
use tokio::sync::Notify;

use crate::process::runtime::runtime;

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
pub(crate) fn end_if_busy() -> anyhow::Result<()> {
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
pub(crate) struct StopSignal {
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
    pub(crate) fn listen() -> io::Result<Self> {
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
    pub(crate) fn listen_for_good() -> io::Result<Self> {
        #[cfg(unix)]
        IS_FOR_GOOD.store(true, Ordering::Relaxed);
        Self::listen()
    }

    /// Stops all listeners because the process ends for another reason.
    #[cfg(feature = "mcp")]
    pub(crate) fn raise() {
        IS_ENDING.notify_waiters();
    }

    /// Stops listening: the signals end the process again.
    pub(crate) fn let_go(self) {
        #[cfg(unix)]
        if !IS_FOR_GOOD.load(Ordering::Relaxed) {
            let hangup = self.hangup.map(|_| SIGHUP);
            for signal in [SIGINT, SIGTERM].into_iter().chain(hangup) {
                end_by(signal);
            }
        }
    }

    /// Waits for a signal, and takes care of the end.
    pub(crate) async fn wait(&mut self) {
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

/// Signals that end the process later: what is half done is removed or finished first.
pub(crate) struct Deferral {
    /// The signals, and what notes each.
    #[cfg(unix)]
    listeners: Vec<(i32, SigId)>,
    /// The signal that came; 0: none.
    #[cfg(unix)]
    came: Arc<AtomicUsize>,
}

impl Deferral {
    /// Defers every signal that stops a command.
    pub(crate) fn of_all() -> io::Result<Self> {
        #[cfg(unix)]
        {
            let hangup = (!is_hangup_ignored()).then_some(SIGHUP);
            Self::of([SIGINT, SIGTERM].into_iter().chain(hangup))
        }
        #[cfg(not(unix))]
        Ok(Self {})
    }

    /// Defers Ctrl-C, which is for a program that has the terminal.
    pub(crate) fn of_interrupt() -> io::Result<Self> {
        #[cfg(unix)]
        {
            Self::of([SIGINT])
        }
        #[cfg(not(unix))]
        Ok(Self {})
    }

    #[cfg(unix)]
    fn of(signals: impl IntoIterator<Item = i32>) -> io::Result<Self> {
        let came = Arc::default();
        let listen = |signal: i32| {
            let number = usize::try_from(signal).unwrap_or_default();
            let listener = signal_hook::flag::register_usize(signal, Arc::clone(&came), number)?;
            if let Some(ends) = ends(signal) {
                ends.store(false, Ordering::SeqCst);
            }
            Ok((signal, listener))
        };
        let listeners = signals.into_iter().map(listen).collect::<io::Result<_>>()?;
        Ok(Self { listeners, came })
    }

    /// Whether one came.
    pub(crate) fn has_come(&self) -> bool {
        #[cfg(unix)]
        return self.came.load(Ordering::SeqCst) != 0;
        #[cfg(not(unix))]
        false
    }

    /// From now on the signals end the process again, at once if one came.
    pub(crate) fn end(self) {
        #[cfg(unix)]
        {
            for (signal, listener) in self.listeners {
                end_by(signal);
                signal_hook::low_level::unregister(listener);
            }
            let came = self.came.load(Ordering::SeqCst);
            if let Some(signal) = i32::try_from(came).ok().filter(|came| *came != 0) {
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        }
    }
}

/// Whether a signal that was listened to ends the process again.
#[cfg(unix)]
static ENDS: LazyLock<[(i32, Arc<AtomicBool>); 3]> =
    LazyLock::new(|| [SIGHUP, SIGINT, SIGTERM].map(|signal| (signal, Arc::default())));

#[cfg(unix)]
fn ends(signal: i32) -> Option<&'static Arc<AtomicBool>> {
    let known = ENDS.iter().find(|known| known.0 == signal);
    known.map(|(_, ends)| ends)
}

/// Lets a signal end the process that was listened to: its default does not come back by itself.
#[cfg(unix)]
fn end_by(signal: i32) {
    static REGISTERED: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
    let Some(ends) = ends(signal) else {
        return;
    };
    ends.store(true, Ordering::SeqCst);
    let is_new = REGISTERED
        .lock()
        .is_ok_and(|mut registered| registered.insert(signal));
    if is_new {
        // On failure the signal is lost, which is not worth an error.
        let _ = signal_hook::flag::register_conditional_default(signal, Arc::clone(ends));
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
