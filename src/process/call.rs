//! A call of the server for agents, which runs a command on a thread of its own: its client can cancel it, and it may
//! take less than a command that a person waits for.

use std::{
    cell::RefCell,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use anyhow::bail;
use tokio::sync::Notify;

thread_local! {
    /// The call that this thread serves.
    static SERVED: RefCell<Option<Call>> = const { RefCell::new(None) };
}

/// A call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Call(Arc<CallState>);

#[derive(Debug)]
struct CallState {
    begun: Instant,
    is_cancelled: Arc<AtomicBool>,
    cancelled: Notify,
    /// What it does now, for a client that wants to see progress.
    doing: Mutex<String>,
}

impl Default for CallState {
    fn default() -> Self {
        Self {
            begun: Instant::now(),
            is_cancelled: Arc::default(),
            cancelled: Notify::new(),
            doing: Mutex::default(),
        }
    }
}

impl Call {
    /// The call that this thread serves, if it serves one.
    pub(crate) fn served() -> Option<Self> {
        SERVED.with_borrow(Clone::clone)
    }

    /// Serves it on this thread.
    #[cfg(feature = "mcp")]
    pub(crate) fn serve<T>(&self, work: impl FnOnce() -> T) -> T {
        SERVED.set(Some(self.clone()));
        let done = work();
        SERVED.set(None);
        done
    }

    /// Ends its work as soon as it notices.
    #[cfg(feature = "mcp")]
    pub(crate) fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Relaxed);
        self.0.cancelled.notify_waiters();
    }

    /// Whether its work should end.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Relaxed)
    }

    /// Notes what it does from now on, such as `3 of 8 runs`.
    pub(crate) fn note(&self, doing: impl Into<String>) {
        *self.0.doing.lock().unwrap_or_else(PoisonError::into_inner) = doing.into();
    }

    /// What it does now.
    #[cfg(feature = "mcp")]
    pub(crate) fn doing(&self) -> String {
        let doing = self.0.doing.lock();
        doing.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// When its client asked.
    pub(crate) fn begun(&self) -> Instant {
        self.0.begun
    }

    /// What is set when its work should end.
    #[cfg(feature = "mcp")]
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0.is_cancelled)
    }

    /// Waits until its work should end.
    async fn cancelled(&self) {
        let mut cancelled = std::pin::pin!(self.0.cancelled.notified());
        // From now on, it is notified.
        cancelled.as_mut().enable();
        if !self.is_cancelled() {
            cancelled.await;
        }
    }
}

/// Waits for `work`, unless this thread serves a call that is cancelled meanwhile.
pub(crate) async fn until_cancelled<T>(work: impl Future<Output = T>) -> anyhow::Result<T> {
    let Some(call) = Call::served() else {
        return Ok(work.await);
    };
    tokio::select! {
        done = work => Ok(done),
        () = call.cancelled() => bail!(CANCELLED),
    }
}

/// The error of a cancelled call; nobody waits for it.
pub(crate) const CANCELLED: &str = "the call was cancelled";
