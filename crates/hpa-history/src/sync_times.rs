//! When the controller synced: the pods that it made room for say it to the second, and it syncs at even intervals.

use crate::{pods::PodHistory, scrape::Scrape, series::Millis};

/// Syncs whose time is known from the pods that were created by them.
#[derive(Default)]
pub(crate) struct SyncTimes {
    known: Vec<Known>,
    period: Millis,
}

/// A sync that created pods.
struct Known {
    /// Most probably.
    at: Millis,
    /// It may be that much earlier or later.
    error: Millis,
    /// The scrape that shows it.
    seen: Millis,
}

/// When a sync may have been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyncTime {
    /// Most probably.
    pub(crate) likely: Millis,
    /// At the ends.
    pub(crate) others: Vec<Millis>,
}

/// The next sync comes a period after the end of the one before, which takes about so long.
const SYNC_LENGTH: Millis = 10;

/// A time of creation is cut to seconds.
const CREATION: Millis = 1_000;

/// The pods come a little after the sync.
const LATENESS: Millis = 100;

/// Over so many syncs the time of one says that of another.
const MOST_SYNCS: Millis = 400;

impl SyncTimes {
    pub(crate) fn new(scrapes: &[Scrape], pods: &PodHistory<'_>, period: Millis) -> Self {
        let of_pair = |pair: &[Scrape]| {
            let (before, scrape) = (&pair[0], &pair[1]);
            let is_seen = scrape.current < scrape.desired && before.desired == scrape.current;
            let created = pods
                .first_created(before.time, scrape.time)
                .filter(|_| is_seen)?;
            // It was between the scrapes, too.
            let first = created.max(before.time + 1);
            let last = (created + CREATION - 1).min(scrape.time);
            (first <= last).then_some(Known {
                at: first.midpoint(last),
                error: (last - first + 1) / 2 + LATENESS,
                seen: scrape.time,
            })
        };
        Self {
            known: scrapes.windows(2).filter_map(of_pair).collect(),
            period,
        }
    }

    /// When the sync was that a scrape shows, given the scrape before it.
    pub(crate) fn of(&self, scrape: &Scrape, before: Option<&Scrape>) -> SyncTime {
        // The scrape shows the last sync before it, and that is not older than a period.
        let oldest = scrape.time - self.period - self.period / 10;
        let from = before.map_or(oldest, |before| before.time.max(oldest)) + 1;
        let within = |time: Millis| time.clamp(from.min(scrape.time), scrape.time);
        let unknown = || SyncTime {
            likely: scrape.time,
            others: vec![from.min(scrape.time)],
        };
        let Some((near, count)) = self.near(scrape) else {
            return unknown();
        };
        if MOST_SYNCS < count.abs() {
            return unknown();
        }
        let likely = near.at + count * self.step();
        let error = near.error_after(count);
        let mut others = vec![likely - error, likely + error];
        let is_own = near.seen == scrape.time;
        if !is_own && scrape.time < likely + error {
            others.push(likely - self.step());
        }
        if !is_own && likely + self.step() - error <= scrape.time {
            others.push(likely + self.step());
        }
        let mut others: Vec<Millis> = others.into_iter().map(within).collect();
        others.dedup();
        SyncTime {
            likely: within(likely),
            others,
        }
    }

    /// Whether the last sync of the row before a scrape may have come right after it.
    pub(crate) fn may_be_later(&self, scrape: &Scrape) -> bool {
        self.near(scrape).is_some_and(|(near, count)| {
            scrape.time < near.at + count * self.step() + near.error_after(count)
        })
    }

    /// From sync to sync.
    fn step(&self) -> Millis {
        (self.period + SYNC_LENGTH).max(1)
    }

    /// The sync that a scrape shows, if it created pods.
    fn own(&self, scrape: &Scrape) -> Option<&Known> {
        let place = self
            .known
            .binary_search_by_key(&scrape.time, |known| known.seen);
        self.known.get(place.ok()?)
    }

    /// The nearest sync whose time is known, and how many syncs later the one is that a scrape shows.
    fn near(&self, scrape: &Scrape) -> Option<(&Known, Millis)> {
        // It is not the last one of the row before the scrape: between the scrape and a time that is cut there may be another one.
        if let Some(own) = self.own(scrape) {
            return Some((own, 0));
        }
        let place = self.known.partition_point(|known| known.at <= scrape.time);
        let near = [place.checked_sub(1), Some(place)];
        let near = near
            .into_iter()
            .flatten()
            .filter_map(|index| self.known.get(index));
        let near = near.min_by_key(|known| (scrape.time - known.at).abs())?;
        Some((near, (scrape.time - near.at).div_euclid(self.step())))
    }
}

impl Known {
    /// How far the sync may be from where the row has it that comes so many syncs later, or earlier.
    fn error_after(&self, count: Millis) -> Millis {
        self.error + count.abs() * SYNC_LENGTH
    }
}
