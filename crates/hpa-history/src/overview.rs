//! Many HPAs, from their own series only.

use std::collections::BTreeMap;

use crate::{
    course::Course,
    names,
    observe::at,
    past_sync::PastSync,
    scrape::Scrape,
    series::{Millis, Series, SeriesSet},
};

/// Namespace and name of an HPA.
type Key = (String, String);

/// The conditions in an overview, each with the status that needs attention.
pub const OVERVIEW_CONDITIONS: [(&str, &str); 3] = [
    ("AbleToScale", "false"),
    ("ScalingActive", "false"),
    ("ScalingLimited", "true"),
];

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
        .map(|(key, series)| (key, course(set, &series, spacing)))
        .filter(|(_, course)| !course.points.is_empty())
        .collect()
}

fn course(set: &SeriesSet, series: &[&Series], spacing: Millis) -> Course {
    let mut course = Course::new(spacing);
    let of = |name: &'static str| series.iter().filter(move |one| one.name() == name);
    let mut decisions: Vec<(Millis, f64)> = of(names::DESIRED)
        .flat_map(|one| one.samples.iter().copied())
        .collect();
    decisions.sort_by_key(|(time, _)| *time);
    decisions.dedup_by_key(|(time, _)| *time);
    let reach = set.reach(names::CONDITION);
    let max_reach = set.reach(names::MAX);
    let current_reach = set.reach(names::CURRENT);
    let mut before: Option<i32> = None;
    for (time, desired) in decisions {
        let Some(max) = of(names::MAX).find_map(|one| one.at(time, max_reach)) else {
            continue;
        };
        let conditions = OVERVIEW_CONDITIONS
            .iter()
            .filter(|(condition, status)| {
                of(names::CONDITION).any(|one| {
                    one.label("condition") == *condition
                        && one.label("status") == *status
                        && one.at(time, reach) == Some(1.0)
                })
            })
            .map(|(condition, status)| {
                let status = if *status == "true" { "True" } else { "False" };
                ((*condition).to_owned(), status.to_owned())
            })
            .collect();
        let current = of(names::CURRENT).find_map(|one| one.at(time, current_reach));
        let mut scrape = Scrape {
            time,
            current: current.unwrap_or(desired) as i32,
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
