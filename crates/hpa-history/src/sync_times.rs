//! When the controller synced: the pods that it made room for say it to the second, and it syncs at even intervals.

use crate::{look::Look, pods::PodHistory, series::Millis};

/// Syncs whose time is known from the pods that were created by them.
#[derive(Default)]
pub(crate) struct SyncTimes {
    known: Vec<Millis>,
    period: Millis,
}

/// When a sync may have been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyncTime {
    /// Most probably.
    pub(crate) likely: Millis,
    /// At the ends.
    pub(crate) others: Vec<Millis>,
    /// Whether it is so near to the scrape that the scrape may show the one before it.
    pub(crate) is_at_edge: bool,
}

/// The next sync comes a period after the end of the one before, which takes about so long.
const SYNC_LENGTH: Millis = 10;

/// A time of creation is cut to seconds, and comes a little after the sync.
const CREATION: Millis = 1_000;

/// A status takes its time to kube-state-metrics, and a time of creation is cut to seconds.
const EDGE: Millis = 1_500;

/// Over so many syncs the time of one says that of another.
const MOST_SYNCS: Millis = 400;

impl SyncTimes {
    pub(crate) fn new(looks: &[Look], pods: &PodHistory<'_>, period: Millis) -> Self {
        let of_pair = |pair: &[Look]| {
            let (before, look) = (&pair[0], &pair[1]);
            let is_seen = look.current < look.desired && before.desired == look.current;
            let created = pods
                .first_created(before.time, look.time)
                .filter(|_| is_seen)?;
            (before.time < created + CREATION).then_some(created)
        };
        Self {
            known: looks.windows(2).filter_map(of_pair).collect(),
            period,
        }
    }

    /// When the sync was that a scrape shows, given the scrape before it.
    pub(crate) fn of(&self, look: &Look, before: Option<&Look>) -> SyncTime {
        // The scrape shows the last sync before it, and that is not older than a period.
        let oldest = look.time - self.period - self.period / 10;
        let from = before.map_or(oldest, |before| before.time.max(oldest)) + 1;
        let within = |time: Millis| time.clamp(from.min(look.time), look.time);
        let unknown = || SyncTime {
            likely: look.time,
            others: vec![from.min(look.time)],
            is_at_edge: false,
        };
        let step = (self.period + SYNC_LENGTH).max(1);
        let place = self.known.partition_point(|known| *known <= look.time);
        let near = [place.checked_sub(1), Some(place)];
        let near = near
            .into_iter()
            .flatten()
            .filter_map(|index| self.known.get(index));
        let Some(near) = near.min_by_key(|known| (look.time - **known).abs()) else {
            return unknown();
        };
        // The last one of the row that is not after the scrape.
        let count = (look.time - near).div_euclid(step);
        if MOST_SYNCS < count.abs() {
            return unknown();
        }
        let likely = near + count * step;
        let error = CREATION + count.abs() * SYNC_LENGTH;
        SyncTime {
            likely: within(likely),
            others: [likely - error, likely + error].map(within).into(),
            is_at_edge: look.time - likely < EDGE || step - EDGE < look.time - likely,
        }
    }
}
