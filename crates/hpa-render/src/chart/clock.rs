//! Round times of day along the axis of a chart.

use hpa_simulation::Millis;
use jiff::{SignedDuration, Timestamp, civil, tz::TimeZone};

use super::{axis::AxisTick, course::ChartClock};

/// Distances between ticks within a day, in seconds.
const STEPS: [i64; 14] = [
    5, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200,
];

/// Distances between ticks in days.
const DAYS: [i64; 7] = [1, 2, 7, 14, 28, 56, 112];

const DAY: i64 = 86_400;

/// Round times from the start on, with at most `most` steps. A tick has a date if the date changes there.
pub(super) fn clock_ticks(clock: &ChartClock, length: Millis, most: usize) -> Vec<AxisTick> {
    let most = i64::try_from(most.max(1)).unwrap_or(i64::MAX);
    let steps = STEPS.into_iter().chain(DAYS.map(|days| days * DAY));
    let step = steps
        .clone()
        .find(|step| length <= step.saturating_mul(1000).saturating_mul(most))
        .or(steps.last())
        .unwrap_or(DAY);
    let Some(times) = round_times(clock, length, step) else {
        return Vec::new();
    };
    let mut date = None;
    times
        .into_iter()
        .map(|(at, time)| {
            let day = time.strftime("%b %-d").to_string();
            let format = if step < 60 { "%H:%M:%S" } else { "%H:%M" };
            let is_new = date.replace(time.date()) != Some(time.date());
            AxisTick {
                at: at as f64,
                text: if step < DAY {
                    time.strftime(format).to_string()
                } else {
                    day.clone()
                },
                below: (step < DAY && is_new).then_some(day),
            }
        })
        .collect()
}

/// Times of day from midnight on, `step` seconds apart, with their positions on the axis.
fn round_times(
    clock: &ChartClock,
    length: Millis,
    step: i64,
) -> Option<Vec<(Millis, civil::DateTime)>> {
    let ChartClock { start, zone } = clock;
    let end = start
        .checked_add(SignedDuration::from_millis(length))
        .ok()?;
    let mut time = start
        .to_zoned(zone.clone())
        .datetime()
        .date()
        .to_datetime(civil::Time::midnight());
    let mut times = Vec::new();
    for _ in 0..MOST_TRIED {
        match place(time, zone) {
            Some(at) if end < at => break,
            Some(at) if *start <= at => {
                times.push((at.as_millisecond() - start.as_millisecond(), time));
            }
            _ => {}
        }
        time = time.checked_add(SignedDuration::from_secs(step)).ok()?;
    }
    Some(times)
}

/// A limit above the number of steps in a day and of ticks on an axis.
const MOST_TRIED: usize = 40_000;

/// When a clock shows this time; `None` if it never does because it is set forward then.
fn place(time: civil::DateTime, zone: &TimeZone) -> Option<Timestamp> {
    let zoned = time.to_zoned(zone.clone()).ok()?;
    (zoned.datetime() == time).then(|| zoned.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(start: &str, zone: &str, minutes: i64, most: usize) -> Vec<String> {
        let clock = ChartClock {
            start: start.parse().unwrap(),
            zone: TimeZone::get(zone).unwrap(),
        };
        let ticks = clock_ticks(&clock, minutes * 60_000, most);
        let texts = ticks.into_iter().map(|tick| match tick.below {
            Some(date) => format!("{} {date}", tick.text),
            None => tick.text,
        });
        texts.collect()
    }

    #[test]
    fn ticks_are_at_round_times_of_the_zone_with_the_date_where_it_changes() {
        assert_eq!(
            ticks("2026-11-20T20:10:00Z", "Europe/Berlin", 480, 5),
            ["22:00 Nov 20", "00:00 Nov 21", "02:00", "04:00"]
        );
        assert_eq!(
            ticks("2026-11-20T20:10:00Z", "Asia/Kathmandu", 180, 4),
            ["02:00 Nov 21", "03:00", "04:00"]
        );
        assert_eq!(
            ticks("2026-11-20T20:59:50Z", "UTC", 1, 5),
            ["21:00:00 Nov 20", "21:00:15", "21:00:30", "21:00:45"]
        );
    }

    #[test]
    fn days_are_dates() {
        assert_eq!(
            ticks("2026-11-20T20:10:00Z", "UTC", 4 * 1440, 6),
            ["Nov 21", "Nov 22", "Nov 23", "Nov 24"]
        );
    }

    /// That night the clocks of Berlin go from 02:00 to 03:00.
    #[test]
    fn a_time_that_no_clock_shows_has_no_tick() {
        assert_eq!(
            ticks("2026-03-28T23:30:00Z", "Europe/Berlin", 240, 5),
            ["01:00 Mar 29", "03:00", "04:00", "05:00"]
        );
    }

    #[test]
    fn lengths_of_any_kind_give_few_ticks() {
        for minutes in [0, 1, 60, 1440, 366 * 1440, 40 * 366 * 1440] {
            assert!(
                ticks("2026-03-28T23:30:00Z", "UTC", minutes, 4).len() <= 200,
                "{minutes}"
            );
        }
    }
}
