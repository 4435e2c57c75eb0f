//! Many HPAs, from their own series only.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    course::Course,
    names,
    past_sync::PastSync,
    scrape::Scrape,
    series::{Millis, Series, SeriesSet, at},
};

/// Namespace and name of an HPA.
type Key = (String, String);

/// The conditions in an overview, each with the status that needs attention.
pub const OVERVIEW_CONDITIONS: [(&str, &str); 3] = [
    ("AbleToScale", "false"),
    ("ScalingActive", "false"),
    ("ScalingLimited", "true"),
];

/// Another status of a condition, which needs no attention.
const OTHER_STATUS: &str = "other";

/// The course of each HPA, without details that need its pods and metrics.
pub fn overview(set: &SeriesSet) -> BTreeMap<Key, Course> {
    let mut by_hpa: BTreeMap<Key, Vec<&Series>> = BTreeMap::new();
    for name in [names::DESIRED, names::CURRENT, names::MAX, names::CONDITION] {
        for series in set.of(name) {
            let key = (
                series.label("namespace").to_owned(),
                series.label("horizontalpodautoscaler").to_owned(),
            );
            by_hpa.entry(key).or_default().push(series);
        }
    }
    let spacing = set.reach(names::DESIRED);
    by_hpa
        .into_iter()
        .map(|(key, series)| {
            let unusable = set.unusable(Some(&key));
            let course = course(set, &series, spacing, &unusable);
            (key, course)
        })
        .filter(|(_, course)| !course.points.is_empty())
        .collect()
}

fn course(
    set: &SeriesSet,
    series: &[&Series],
    spacing: Millis,
    unusable: &BTreeSet<Millis>,
) -> Course {
    let mut course = Course::new(spacing);
    let of = |name: &'static str| series.iter().filter(move |one| one.name() == name);
    let mut decisions: Vec<(Millis, f64)> = of(names::DESIRED)
        .flat_map(|one| one.samples.iter().copied())
        .collect();
    decisions.sort_by_key(|(time, _)| *time);
    decisions.dedup_by_key(|(time, _)| *time);
    decisions.retain(|(time, _)| !unusable.contains(time));
    let reach = set.reach(names::CONDITION);
    let max_reach = set.reach(names::MAX);
    let current_reach = set.reach(names::CURRENT);
    let mut before: Option<i32> = None;
    for (time, desired) in decisions {
        let max = of(names::MAX).find_map(|one| one.at(time, max_reach));
        let current = of(names::CURRENT).find_map(|one| one.at(time, current_reach));
        // An assumed value of either would show replicas or limits that nothing shows.
        let (Some(max), Some(current)) = (max, current) else {
            continue;
        };
        let conditions = OVERVIEW_CONDITIONS
            .iter()
            .filter_map(|(condition, status)| {
                let value = of(names::CONDITION)
                    .filter(|one| {
                        one.label("condition") == *condition && one.label("status") == *status
                    })
                    .filter_map(|one| one.at(time, reach))
                    .reduce(f64::max)?;
                let status = match (value == 1.0, *status) {
                    (false, _) => OTHER_STATUS,
                    (true, "true") => "True",
                    (true, _) => "False",
                };
                Some(((*condition).to_owned(), status.to_owned()))
            })
            .collect();
        let mut scrape = Scrape {
            time,
            current: current as i32,
            desired: desired as i32,
            values: Vec::new(),
            conditions,
            bounds: (1, max as i32),
            target: None,
            generation: None,
        };
        scrape.hold_if_inactive();
        // Between two scrapes, one sync may have changed the replicas and the next one kept them.
        scrape.current = before.unwrap_or(scrape.current);
        before = Some(scrape.desired);
        course.take(&PastSync {
            scrape: &scrape,
            before: None,
            now: at(time),
            is_seen: true,
            recomputed: None,
            details: None,
        });
    }
    course.finish();
    course
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::IntervalKind;

    /// Time between two scrapes.
    const SCRAPE: Millis = 15_000;

    fn series(name: &str, labels: &[(&str, &str)], values: &[f64]) -> Series {
        let of_hpa = [("namespace", "shop"), ("horizontalpodautoscaler", "web")];
        let samples: Vec<_> = (1..)
            .map(|index| index * SCRAPE)
            .zip(values.iter().copied())
            .collect();
        Series::named(name, &[&of_hpa[..], labels].concat(), &samples)
    }

    /// An HPA with maxReplicas 10 and these replicas at each scrape, whose conditions need no attention.
    fn past(replicas: &[f64]) -> Vec<Series> {
        let mut all = vec![
            series(names::DESIRED, &[], replicas),
            series(names::CURRENT, &[], replicas),
            series(names::MAX, &[], &vec![10.0; replicas.len()]),
        ];
        all.extend(OVERVIEW_CONDITIONS.map(|(condition, status)| {
            let labels = [("condition", condition), ("status", status)];
            series(names::CONDITION, &labels, &vec![0.0; replicas.len()])
        }));
        all
    }

    fn course_of(series: Vec<Series>) -> Option<Course> {
        overview(&SeriesSet::new(series)).into_values().next()
    }

    /// How long each state held, in scrapes: failed, not able, at maxReplicas, flapping.
    fn known(course: &Course) -> [Option<Millis>; 4] {
        [
            IntervalKind::MetricsFailed,
            IntervalKind::NotAbleToScale,
            IntervalKind::AtMax,
            IntervalKind::Flapping,
        ]
        .map(|kind| course.known_time_of(kind).map(|time| time / SCRAPE))
    }

    #[test]
    fn replicas_that_go_up_and_down_in_turns_are_flapping_and_steps_in_one_direction_are_not() {
        let course = course_of(past(&[2.0, 4.0, 2.0, 4.0, 2.0])).unwrap();
        assert_eq!(course.rescales.len(), 4);
        // From the first to the last change.
        assert_eq!(known(&course), [Some(0), Some(0), Some(0), Some(3)]);
        let course = course_of(past(&[2.0, 4.0, 6.0, 8.0, 6.0])).unwrap();
        assert_eq!(course.rescales.len(), 4);
        assert_eq!(known(&course), [Some(0); 4]);
    }

    #[test]
    fn each_condition_shows_its_state() {
        let replicas = [10.0; 5];
        for (number, expected) in [
            (0, [Some(0), Some(2), Some(0), Some(0)]),
            (1, [Some(2), Some(0), Some(0), Some(0)]),
            (2, [Some(0), Some(0), Some(2), Some(0)]),
        ] {
            let mut series = past(&replicas);
            let samples = &mut series[3 + number].samples;
            samples[1].1 = 1.0;
            samples[2].1 = 1.0;
            assert_eq!(known(&course_of(series).unwrap()), expected, "{number}");
        }
    }

    #[test]
    fn state_whose_condition_is_not_exported_is_unknown() {
        let without_conditions = |replicas: &[f64]| {
            let mut series = past(replicas);
            series.retain(|one| one.name() != names::CONDITION);
            course_of(series).unwrap()
        };
        let unknown = [None, None, None, Some(0)];
        assert_eq!(known(&without_conditions(&[10.0; 9])), unknown);
        assert_eq!(known(&without_conditions(&[10.0])), unknown);
        // Below maxReplicas, it cannot be what holds the HPA.
        let below = [None, None, Some(0), Some(0)];
        assert_eq!(known(&without_conditions(&[9.0; 9])), below);
        // A new HPA has no conditions at first.
        for (missing, expected) in [(6, Some(0)), (7, None)] {
            let mut series = past(&[10.0; 20]);
            for one in &mut series[3..] {
                one.samples.drain(..missing);
            }
            let known = known(&course_of(series).unwrap());
            assert_eq!(known, [expected, expected, expected, Some(0)], "{missing}");
        }
    }

    #[test]
    fn no_missing_series_becomes_replicas() {
        // The controller has not decided yet.
        let new = [0.0; 5];
        for name in [names::DESIRED, names::CURRENT, names::MAX] {
            let mut series = past(&new);
            series.retain(|one| one.name() != name);
            assert_eq!(course_of(series), None, "{name}");
        }
        let course = course_of(past(&[2.0])).unwrap();
        assert_eq!(course.pod_hours(), None);
    }
}
