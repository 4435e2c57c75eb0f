//! How long a watch waits after a failure.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher as _, Hasher as _},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use kube::runtime::utils::Backoff;

/// Backoff: short at first, then longer, so that a restarting server is not overrun; long from the start if a
/// permission is missing.
#[derive(Debug)]
pub(super) struct Pause {
    refused: Arc<AtomicBool>,
    prompt: Arc<AtomicBool>,
    next: Duration,
    /// When the last pause ended.
    ended: Option<Instant>,
}

impl Pause {
    /// The state before the first failure. `refused` says whether the last failure was a missing permission. `prompt`
    /// says whether the server needs no rest: the resume version expired (410), or the connection was closed here.
    pub(super) fn new(refused: Arc<AtomicBool>, prompt: Arc<AtomicBool>) -> Self {
        Self {
            refused,
            prompt,
            next: FIRST,
            ended: None,
        }
    }
}

impl Iterator for Pause {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        let now = Instant::now();
        if self.ended.is_some_and(|ended| ended + QUIET < now) {
            self.next = FIRST;
        }
        let pause = if self.refused.load(Ordering::Relaxed) {
            REFUSED
        } else if self.prompt.load(Ordering::Relaxed) {
            // The known state is outdated until everything is listed again.
            FIRST
        } else {
            let pause = self.next;
            self.next = (2 * pause).min(LONGEST);
            pause
        };
        let pause = pause.mul_f64(1.0 + JITTER * random());
        self.ended = Some(now + pause);
        Some(pause)
    }
}

impl Backoff for Pause {
    // kube calls this already at the start of a list, which may fail every time. Only time without failures resets the
    // backoff.
    fn reset(&mut self) {}
}

/// A random number from 0 to 1.
fn random() -> f64 {
    let bits = RandomState::new().build_hasher().finish();
    f64::from(u16::try_from(bits & 0xffff).unwrap_or_default()) / f64::from(u16::MAX)
}

/// The pause after the first failure.
const FIRST: Duration = Duration::from_millis(250);
/// The longest one while the server is down.
const LONGEST: Duration = Duration::from_secs(8);
/// The pause after a missing permission, and between repeated lists without a watch.
pub(super) const REFUSED: Duration = Duration::from_secs(12);
/// The pause is at most this fraction longer: clients that were cut off together should not return together.
const JITTER: f64 = 0.25;
/// After this time without a failure, the next one counts as the first.
const QUIET: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_ten_seconds_but_for_what_is_prompt_and_what_is_refused() {
        let refused = Arc::new(AtomicBool::new(false));
        let prompt = Arc::new(AtomicBool::new(false));
        let mut pause = Pause::new(Arc::clone(&refused), Arc::clone(&prompt));
        let pauses: Vec<Duration> = pause.by_ref().take(9).collect();
        assert!(pauses[0] < Duration::from_millis(400), "{pauses:?}");
        assert!(pauses[8] <= Duration::from_secs(10), "{pauses:?}");
        assert!(Duration::from_secs(8) <= pauses[8], "{pauses:?}");
        prompt.store(true, Ordering::Relaxed);
        assert!(pause.next().unwrap() < Duration::from_millis(400));
        refused.store(true, Ordering::Relaxed);
        assert!(REFUSED <= pause.next().unwrap());
    }
}
