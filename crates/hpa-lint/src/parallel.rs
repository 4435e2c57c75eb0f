//! Runs work on all cores, with the same result as on one.

use std::{panic, thread};

/// Number of threads that can run in parallel.
pub(super) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A thread's result. Propagates its panic.
pub(super) fn join<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread
        .join()
        .unwrap_or_else(|panic| panic::resume_unwind(panic))
}

/// Applies `work` to every item on all cores. Results are in the order of the items.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let of_share = |_, share: &[T]| share.iter().map(&work).collect::<Vec<R>>();
    shares(items, of_share).into_iter().flatten().collect()
}

/// Like [`map`], for items that `work` consumes.
pub fn map_owned<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let share = items.len().div_ceil(cores()).max(MIN_SHARE);
    if items.len() <= share {
        return items.into_iter().map(work).collect();
    }
    let (mut items, work) = (items.into_iter(), &work);
    thread::scope(|scope| {
        let mut threads = Vec::new();
        while 0 < items.len() {
            let share: Vec<T> = items.by_ref().take(share).collect();
            threads.push(scope.spawn(|| share.into_iter().map(work).collect::<Vec<R>>()));
        }
        threads.into_iter().flat_map(join).collect()
    })
}

/// Applies `work` to slices of the items on all cores: to the index of the slice's first item, and the slice. Results
/// are in order.
pub fn shares<T: Sync, R: Send>(items: &[T], work: impl Fn(usize, &[T]) -> R + Sync) -> Vec<R> {
    let cores = cores();
    if cores == 1 || items.len() < 2 * MIN_SHARE {
        return vec![work(0, items)];
    }
    // Several slices for each core, because some items take longer than others.
    let share = items.len().div_ceil(cores * 8).max(MIN_SHARE);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let shares: Vec<&[T]> = items.chunks(share).collect();
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..cores.min(shares.len()))
            .map(|_| {
                scope.spawn(|| {
                    let mut done = Vec::new();
                    loop {
                        let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        let Some(items) = shares.get(index) else {
                            return done;
                        };
                        done.push((index, work(index * share, items)));
                    }
                })
            })
            .collect();
        threads.into_iter().flat_map(join).collect()
    });
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Below this many items, a thread costs more than it gains.
const MIN_SHARE: usize = 16;
