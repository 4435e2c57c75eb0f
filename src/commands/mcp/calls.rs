//! The calls: few run at the same time, some wait for their turn, and all of them can be cancelled.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use crate::process::call::Call;

/// Calls of a kind that run at the same time.
const MOST_LONG: usize = 2;
const MOST_SHORT: usize = 4;

/// Calls that wait for their turn.
const MOST_WAITING: usize = 32;

/// Bytes of the messages of calls that wait.
const MOST_BYTES_WAITING: usize = 32 << 20;

/// All calls.
#[derive(Clone)]
pub(super) struct Calls(Arc<Shared>);

struct Shared {
    /// For calls that compute for long.
    long: Arc<Semaphore>,
    short: Arc<Semaphore>,
    known: Mutex<Known>,
    idle: Notify,
}

#[derive(Default)]
struct Known {
    next: u64,
    running: BTreeMap<u64, Call>,
    waiting: usize,
    bytes_waiting: usize,
}

/// Why a call does not run.
pub(super) enum Refused {
    /// Too many wait already.
    TooMany(usize),
    /// The server ends.
    Ending,
}

impl Calls {
    pub(super) fn new() -> Self {
        Self(Arc::new(Shared {
            long: Arc::new(Semaphore::new(MOST_LONG)),
            short: Arc::new(Semaphore::new(MOST_SHORT)),
            known: Mutex::default(),
            idle: Notify::new(),
        }))
    }

    /// Waits for the turn of a call, whose message has this many bytes.
    pub(super) async fn turn(
        &self,
        call: &Call,
        is_long: bool,
        bytes: usize,
    ) -> Result<Turn, Refused> {
        let place = Place::take(self, bytes)?;
        let turns = if is_long { &self.0.long } else { &self.0.short };
        let permit = Arc::clone(turns).acquire_owned().await;
        drop(place);
        let permit = permit.map_err(|_| Refused::Ending)?;
        let mut known = self.known();
        let number = known.next;
        known.next += 1;
        known.running.insert(number, call.clone());
        Ok(Turn {
            calls: self.clone(),
            number,
            call: call.clone(),
            _permit: permit,
        })
    }

    /// Cancels all calls, and refuses new ones.
    pub(super) fn end(&self) {
        self.0.long.close();
        self.0.short.close();
        self.known().running.values().for_each(Call::cancel);
    }

    /// Whether the server ends.
    pub(super) fn are_ending(&self) -> bool {
        self.0.short.is_closed()
    }

    /// Waits until none is running.
    pub(super) async fn idle(&self) {
        loop {
            let mut idle = std::pin::pin!(self.0.idle.notified());
            idle.as_mut().enable();
            if self.known().running.is_empty() {
                return;
            }
            idle.await;
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of a call that waits.
struct Place<'a> {
    calls: &'a Calls,
    bytes: usize,
}

impl<'a> Place<'a> {
    fn take(calls: &'a Calls, bytes: usize) -> Result<Self, Refused> {
        let mut known = calls.known();
        let total = known.bytes_waiting + bytes;
        if MOST_WAITING <= known.waiting || (0 < known.waiting && MOST_BYTES_WAITING < total) {
            return Err(Refused::TooMany(known.waiting));
        }
        known.waiting += 1;
        known.bytes_waiting = total;
        Ok(Self { calls, bytes })
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut known = self.calls.known();
        known.waiting -= 1;
        known.bytes_waiting -= self.bytes;
    }
}

/// A call that may run, until this is dropped.
pub(super) struct Turn {
    calls: Calls,
    number: u64,
    pub(super) call: Call,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.calls.known().running.remove(&self.number);
        self.calls.0.idle.notify_waiters();
    }
}
