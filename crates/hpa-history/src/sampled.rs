//! Whether series show an input: at all, or at the time of one sync.

use std::collections::BTreeMap;

use hpa_engine::model::ScaleTargetRef;

use crate::{
    names::{self, About, Depth},
    series::{Millis, Series, SeriesSet},
    usage::BEHIND,
};

/// Names without which their input is known all the same: others replace them, or only some pods have them.
const OPTIONAL: [&str; 4] = [
    names::POD_CREATED,
    names::POD_READY_TIME,
    names::POD_DELETED,
    names::CONTAINER,
];

/// Whether all that is needed of an input is sampled at `time`; without a time, at any.
pub fn is_known(set: &SeriesSet, about: About, time: Option<Millis>) -> bool {
    let names = names::names_of(Depth::Usage, &[about]);
    let mut needed = names.into_iter().filter(|name| !OPTIONAL.contains(name));
    needed.all(|name| is_sampled(set, name, time))
}

/// Whether a series of this name has a sample that counts at `time`; without a time, whether it has any.
pub fn is_sampled(set: &SeriesSet, name: &str, time: Option<Millis>) -> bool {
    let series = set.of(name);
    let Some(time) = time else {
        return !series.is_empty();
    };
    // metrics-server can have older samples of containers.
    let is_usage = names::names_of(Depth::Usage, &[About::Usage]).contains(&name);
    let least = if is_usage { BEHIND } else { 0 };
    let reach = set.reach(name).max(least);
    series.iter().any(|one| one.at(time, reach).is_some())
}

/// Kind and name of what the HPA scaled at `time`. None: no sample shows it.
pub fn scale_target_at(set: &SeriesSet, time: Millis) -> Option<(&str, &str)> {
    let reach = set.reach(names::INFO);
    let newest = |one: &&Series| one.up_to(time).last().map(|(at, _)| *at);
    let info = set.of(names::INFO).iter().max_by_key(newest)?;
    info.at(time, reach).and_then(|_| scale_target_of(info))
}

/// Whether the HPA scaled something else than today at `time`.
pub fn had_other_scale_target(set: &SeriesSet, today: &ScaleTargetRef, time: Millis) -> bool {
    scale_target_at(set, time).is_some_and(|scaled| !is_of(scaled, today))
}

/// What else than today's scale target the HPA scaled, as `kind/name`, and when that was last seen.
pub fn other_scale_targets(set: &SeriesSet, today: &ScaleTargetRef) -> BTreeMap<String, Millis> {
    let mut others = BTreeMap::new();
    for info in set.of(names::INFO) {
        if let (Some((kind, name)), Some((_, last))) = (scale_target_of(info), info.span())
            && !is_of((kind, name), today)
        {
            let newest = others.entry(format!("{kind}/{name}")).or_insert(last);
            *newest = last.max(*newest);
        }
    }
    others
}

fn is_of((kind, name): (&str, &str), target: &ScaleTargetRef) -> bool {
    kind == target.kind && name == target.name
}

/// None: the labels were dropped.
fn scale_target_of(info: &Series) -> Option<(&str, &str)> {
    let kind = info.label("scaletargetref_kind");
    let name = info.label("scaletargetref_name");
    (!kind.is_empty() && !name.is_empty()).then_some((kind, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, labels: &[(&str, &str)], times: &[Millis]) -> Series {
        let samples: Vec<_> = times.iter().map(|time| (*time, 1.0)).collect();
        Series::named(name, labels, &samples)
    }

    #[test]
    fn input_is_known_where_all_of_its_series_have_a_sample_at_that_time() {
        let with_min = |times: &[Millis]| {
            let set = SeriesSet::new(vec![
                series(names::MAX, &[], &[0, 15_000, 30_000]),
                series(names::MIN, &[], times),
            ]);
            let at = |time| is_known(&set, About::Bounds, time);
            [at(None), at(Some(15_000)), at(Some(30_000))]
        };
        assert_eq!(with_min(&[0, 15_000, 30_000]), [true, true, true]);
        assert_eq!(with_min(&[0, 15_000]), [true, true, false]);
        assert_eq!(with_min(&[]), [false, false, false]);
    }

    #[test]
    fn scale_target_of_a_time_is_the_newest_that_was_seen_by_then() {
        let target = |name, times: &[Millis]| {
            let kind = ("scaletargetref_kind", "Deployment");
            series(names::INFO, &[kind, ("scaletargetref_name", name)], times)
        };
        let set = SeriesSet::new(vec![
            target("web", &[29_000, 44_000, 59_000]),
            target("old", &[0, 15_000]),
        ]);
        assert_eq!(scale_target_at(&set, 15_000), Some(("Deployment", "old")));
        assert_eq!(scale_target_at(&set, 29_500), Some(("Deployment", "web")));
        assert_eq!(scale_target_at(&set, 90_000), None);
        let today = ScaleTargetRef::deployment("web");
        let had_other = |time| had_other_scale_target(&set, &today, time);
        assert_eq!(
            [15_000, 29_500, 90_000].map(had_other),
            [true, false, false]
        );
        let others = other_scale_targets(&set, &today);
        assert_eq!(
            others,
            BTreeMap::from([("Deployment/old".to_owned(), 15_000)])
        );
    }
}
