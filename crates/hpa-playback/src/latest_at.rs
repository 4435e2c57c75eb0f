//! The syncs of recordings that `--at` selects.

use std::collections::BTreeMap;

use hpa_words::clock::{Clock, whole_second};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use crate::PointInTime;

/// For every recording that was running at a given time, the last sync up to it. Without a time, or for `now`, the
/// last sync.
pub struct LatestAt<K, T> {
    at: Option<PointInTime>,
    zone: TimeZone,
    recordings: BTreeMap<K, OfferedRecording<T>>,
    /// The times of the first and the last sync.
    span: Option<(Timestamp, Timestamp)>,
}

/// An HPA without a line for so many sync periods is no longer recorded.
const MISSING_LINES: i32 = 3;

struct OfferedRecording<T> {
    /// The last sync up to the time.
    last: Option<OfferedReconcile<T>>,
    /// The last sync up to the time, once the recording is known to continue after it.
    chosen: Option<OfferedReconcile<T>>,
    /// When the HPA was deleted, and whether that is recorded. Otherwise it is known only by then.
    gone: Vec<(Timestamp, bool)>,
    /// The latest sync, whether up to the time or not.
    latest: Option<HpaSync>,
}

/// A sync of an HPA.
#[derive(Clone, Copy, Debug)]
pub struct HpaSync {
    /// Its time.
    pub time: Timestamp,
    /// The sync period.
    pub period: SignedDuration,
    /// When the HPA was created, if known: another time means another HPA of the same name.
    pub created: Option<Timestamp>,
}

struct OfferedReconcile<T> {
    time: Timestamp,
    sync_period: SignedDuration,
    it: Box<T>,
}

impl<K: Ord, T> LatestAt<K, T> {
    /// Nothing is chosen yet.
    pub fn new(at: Option<PointInTime>, zone: &TimeZone) -> Self {
        Self {
            at,
            zone: zone.clone(),
            recordings: BTreeMap::new(),
            span: None,
        }
    }

    /// Offers the next sync of a recording.
    pub fn offer(&mut self, key: K, sync: HpaSync, it: T) {
        let HpaSync {
            time,
            period: sync_period,
            ..
        } = sync;
        let (first, last) = self.span.unwrap_or((time, time));
        self.span = Some((first.min(time), last.max(time)));
        let (at, zone) = (self.at, &self.zone);
        let is_up_to = |instant: Option<Timestamp>| {
            instant.is_none_or(|instant| to_precision_of(instant, time) <= instant)
        };
        let recording = self
            .recordings
            .entry(key)
            .or_insert_with(|| OfferedRecording {
                last: None,
                chosen: None,
                gone: Vec::new(),
                latest: None,
            });
        // The recording does not say when the HPA before was deleted; it was not synced again.
        let before = recording.latest.replace(sync);
        let other =
            before.filter(|before| before.created.is_some_and(|own| Some(own) < sync.created));
        recording.gone.extend(other.and_then(|before| {
            let missing = before.time.checked_add(before.period).ok()?;
            let by = sync.created.map_or(missing, |created| created.min(missing));
            Some((by, false))
        }));
        let last = &mut recording.last;
        if let Some(last) = last.take_if(|last| !is_up_to(point(at, last.time, zone))) {
            recording.chosen = Some(last);
        }
        if is_up_to(point(at, time, zone)) {
            recording.last = Some(OfferedReconcile {
                time,
                sync_period,
                it: Box::new(it),
            });
        }
    }

    /// The HPA of a recording was deleted.
    pub fn end(&mut self, key: &K, at: Timestamp) {
        if let Some(recording) = self.recordings.get_mut(key) {
            recording.gone.push((at, true));
        }
    }

    /// The chosen syncs, by the keys of their recordings. If no recording was running at that time: why there are
    /// none.
    pub fn chosen(self) -> Result<impl Iterator<Item = T>, String> {
        let (at, zone, span) = (self.at, self.zone.clone(), self.span);
        let is_running = move |last: &OfferedReconcile<T>| {
            point(at, last.time, &zone).is_none_or(|instant| {
                // While others are still recorded, a line may be missing.
                let is_within = span.is_some_and(|(_, end)| instant <= end);
                let periods = if is_within { MISSING_LINES } else { 1 };
                instant.duration_since(last.time) <= last.sync_period * periods
            })
        };
        let mut gone_at = None;
        let recordings: Vec<OfferedRecording<T>> = self.recordings.into_values().collect();
        let mut chosen = Vec::new();
        for recording in recordings {
            let last = recording.last.filter(&is_running).or(recording.chosen);
            let Some(last) = last else {
                continue;
            };
            let asked = point(at, last.time, &self.zone);
            let is_gone = |gone: &&(Timestamp, bool)| {
                last.time <= gone.0 && asked.is_none_or(|asked| gone.0 <= asked)
            };
            match recording.gone.iter().find(is_gone) {
                Some(gone) => gone_at = gone_at.max(Some((*gone, last.time))),
                None => chosen.push(*last.it),
            }
        }
        let mut chosen = chosen.into_iter().peekable();
        if chosen.peek().is_none()
            && let Some(((gone, is_recorded), last)) = gone_at
        {
            let clock = Clock::new(self.zone, gone);
            let when = if is_recorded {
                format!(" at {}", clock.full(gone))
            } else {
                String::new()
            };
            return Err(format!(
                "the HPA was deleted{when}. Its last sync: --at {}",
                whole_second(last)
            ));
        }
        match self.span {
            Some((first, last)) if chosen.peek().is_none() => {
                let clock = Clock::new(self.zone, last);
                let (first, last) = (clock.full(first), clock.full(last));
                Err(format!("--at is outside the recording ({first} to {last})"))
            }
            _ => Ok(chosen),
        }
    }
}

/// The requested time; a time of day belongs to the day of `time`. `None` means the end.
pub fn point(at: Option<PointInTime>, time: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    let local = match at? {
        PointInTime::Now => return None,
        PointInTime::At(at) => return Some(at),
        PointInTime::Local(local) => local,
        PointInTime::TimeOfDay(of_day) => time.to_zoned(zone.clone()).date().to_datetime(of_day),
    };
    let zoned = local.to_zoned(zone.clone());
    zoned.ok().map(|zoned| zoned.timestamp())
}

/// Pages show whole seconds, so a time without a fraction means that whole second.
fn to_precision_of(instant: Timestamp, time: Timestamp) -> Timestamp {
    if instant.subsec_nanosecond() == 0 {
        whole_second(time)
    } else {
        time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of the syncs at these times is chosen.
    fn chosen(at: &str, times: &[&str]) -> Result<Vec<Timestamp>, String> {
        let zone = TimeZone::fixed(jiff::tz::offset(1));
        let mut latest_at = LatestAt::new(Some(at.parse().unwrap()), &zone);
        for time in times {
            let time: Timestamp = time.parse().unwrap();
            let sync = HpaSync {
                time,
                period: SignedDuration::from_secs(15),
                created: None,
            };
            latest_at.offer((), sync, time);
        }
        Ok(latest_at.chosen()?.collect())
    }

    #[test]
    fn time_of_day_is_that_of_the_last_day_on_which_the_recording_was_running() {
        let days = [
            "2026-11-20T09:20:00Z",
            "2026-11-20T09:40:00Z",
            "2026-11-20T22:59:55Z",
            "2026-11-20T23:00:10Z",
            "2026-11-21T08:00:00Z",
        ];
        let only = |time: &str| Ok(vec![time.parse().unwrap()]);
        assert_eq!(chosen("10:30", &days), only("2026-11-20T09:20:00Z"));
        assert_eq!(chosen("23:59:59", &days), only("2026-11-20T22:59:55Z"));
        assert_eq!(chosen("00:00:20", &days), only("2026-11-20T23:00:10Z"));
        assert_eq!(chosen("09:00:15", &days), only("2026-11-21T08:00:00Z"));
        assert_eq!(chosen("now", &days), only("2026-11-21T08:00:00Z"));
    }

    #[test]
    fn an_hpa_is_there_while_at_most_three_of_its_lines_are_missing() {
        let at = |second| -> Timestamp {
            let begin: Timestamp = "2026-11-20T09:00:00Z".parse().unwrap();
            begin + SignedDuration::from_secs(second)
        };
        let names = |second: i64| {
            let mut latest_at = LatestAt::new(Some(PointInTime::At(at(second))), &TimeZone::UTC);
            for (name, time) in [("stopped", 0), ("late", 55), ("web", 60), ("web", 90)] {
                let sync = HpaSync {
                    time: at(time),
                    period: SignedDuration::from_secs(15),
                    created: None,
                };
                latest_at.offer(name, sync, name);
            }
            latest_at
                .chosen()
                .map_or_else(|_| Vec::new(), Iterator::collect)
        };
        assert_eq!(names(90), ["late", "web"]);
        assert_eq!(names(101), ["web"]);
        assert_eq!(names(106), [""; 0]);
    }

    #[test]
    fn time_with_a_date_is_on_that_date() {
        let times = ["2026-11-20T09:20:00.4Z", "2026-11-20T09:20:15Z"];
        let first = Ok(vec![times[0].parse().unwrap()]);
        for at in [
            "2026-11-20 10:20",
            "2026-11-20T10:20:00",
            "2026-11-20T09:20:14Z",
        ] {
            assert_eq!(chosen(at, &times), first, "{at}");
        }
        for at in ["2026-11-19 10:20", "2026-11-20T09:20:31Z", "10:19"] {
            assert_eq!(
                chosen(at, &times).unwrap_err(),
                "--at is outside the recording (2026-11-20 10:20:00 +01 to \
                 2026-11-20 10:20:15 +01)",
                "{at}"
            );
        }
    }
}
