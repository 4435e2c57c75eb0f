//! The report on a past.

use hpa_engine::model::{Hpa, MetricTarget, Observation};
use hpa_simulation::{per_pod_unit, tolerated};
use jiff::{Timestamp, tz::TimeZone};

use crate::{
    advising::advice,
    confirmation::Confirmation,
    metric_values::{NotUsed, ValueSource, not_shown, scaled_object},
    names::{About, Depth, Exporter, NAMES, Name, replicas},
    past::{Past, ReadPast},
    pods::needs_replica_set_owners,
    report::{Censored, HistoryReport, MetricReport, SeriesReport, WhatIfReport},
    sampled::other_scale_targets,
    series::{Millis, SeriesSet},
};

/// Throttling in a larger share of the periods is reported.
const MUCH_THROTTLING: f64 = 0.01;

/// The report on a past that was read from one time to another, so deep.
pub fn report(
    read: &ReadPast,
    past: Past,
    what_if: Option<WhatIfReport>,
    (from, to, depth): (Timestamp, Timestamp, Depth),
    zone: &TimeZone,
) -> HistoryReport {
    let hpa = &past.today.hpa;
    let series = series_of_use(&read.set, depth, &past.today);
    let not_used: Vec<String> = past.not_used.iter().map(not_used).collect();
    let period = past.today.sync_period().value.as_millis() as i64;
    let not_shown = not_shown(hpa, &past.courses, &read.metric_values);
    let known = (period, &past.doubts);
    let advice = advice(&read.set, (&series, depth), known, &not_shown);
    let other_targets = other_targets(&read.set, hpa, zone);
    let mut censored = Vec::new();
    if 0 < past.at_max() {
        censored.push(Censored::AtMax(past.at_max()));
    }
    let share = past.held_back.throttled;
    let share = share.filter(|share| MUCH_THROTTLING < *share);
    censored.extend(share.map(Censored::Throttled));
    if 0 < past.held_back.at_limits {
        censored.push(Censored::AtLimits(past.held_back.at_limits));
    }
    HistoryReport {
        hpa: hpa.key(),
        target: hpa.spec.scale_target.to_string(),
        version: past.today.controller.version.value.to_string(),
        from,
        to,
        zone: zone.clone(),
        server: read.server.clone(),
        metric: metric(&past.today),
        advice,
        sources: past.sources.clone(),
        series,
        censored,
        course: past.course,
        trust: past.trust,
        reasons: past.reasons,
        what_if,
        impossible: read.set.impossible().to_vec(),
        warnings: read
            .warnings
            .iter()
            .cloned()
            .chain(other_targets)
            .chain(not_used)
            .collect(),
    }
}

/// Why values of a metric are not used.
fn not_used((source, why): &(ValueSource, NotUsed)) -> String {
    match why {
        NotUsed::Failed(error) => format!("{source} is not used: {error}"),
        NotUsed::Other(Confirmation { compared: 0, .. }) => format!(
            "{source} is not used: no scrape shows the controller's own values to compare it with"
        ),
        NotUsed::Other(Confirmation { matching, compared }) => format!(
            "{source} is not used: in {} of {compared} syncs the controller had another value",
            compared - matching
        ),
    }
}

/// What else the HPA scaled: only the pods of today's scale target are read.
fn other_targets(set: &SeriesSet, hpa: &Hpa, zone: &TimeZone) -> Vec<String> {
    let today = &hpa.spec.scale_target;
    let others = other_scale_targets(set, today).into_iter();
    let sentence = |(other, last): (String, Millis)| {
        let last = Timestamp::from_millisecond(last).unwrap_or_default();
        let last = last.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S");
        format!(
            "The HPA scaled {other} up to {last}, not {today}. Its pods are unknown, so no sync of that time is certain."
        )
    };
    others.map(sentence).collect()
}

/// The first metric of the current spec.
fn metric(today: &Observation) -> Option<MetricReport> {
    let metrics = &today.hpa.spec.metrics;
    let metric = metrics.first()?;
    let target = metric.target();
    let value = target.and_then(MetricTarget::approximate_f64);
    Some(MetricReport {
        name: metric.short_name().to_owned(),
        unit: per_pod_unit(metric),
        is_per_pod: target.is_some_and(|target| target.value.is_none()),
        target: value,
        tolerated: value.map(|value| tolerated(today, value)),
        others: metrics.len() - 1,
    })
}

/// The series names that are useful for this HPA.
pub(crate) fn series_of_use(
    set: &SeriesSet,
    depth: Depth,
    today: &Observation,
) -> Vec<SeriesReport> {
    let kind = today.hpa.spec.scale_target.kind.as_str();
    let of_target = replicas(kind);
    let has_tolerance = |name: &Name| {
        let rules = |direction| today.hpa.spec.rules(direction);
        let mut both = hpa_engine::model::Direction::BOTH
            .into_iter()
            .filter_map(rules);
        name.about != About::Tolerances || both.any(|rules| rules.tolerance.is_some())
    };
    let has_keda = today
        .hpa
        .spec
        .metrics
        .iter()
        .any(|metric| scaled_object(metric).is_some());
    let mut pods = today.pods.read().into_iter().flat_map(|pods| pods.iter());
    let has_sidecar = pods.any(|pod| pod.init_containers.iter().any(|one| one.is_restartable));
    let is_of_use = |name: &&Name| {
        name.depth <= depth
            && (name.about != About::Replicas
                || of_target.is_some_and(|(spec, status)| [spec, status].contains(&name.name)))
            && (name.about != About::ReplicaSets || needs_replica_set_owners(set, kind))
            && (name.about != About::Sidecars || has_sidecar || !set.of(name.name).is_empty())
            && (name.exporter != Exporter::Keda || has_keda)
            && has_tolerance(name)
    };
    NAMES
        .iter()
        .filter(is_of_use)
        .map(|name| SeriesReport {
            name: *name,
            found: set.of(name.name).len(),
            interval: set.interval(name.name),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{series, today};

    #[test]
    fn other_scale_target_is_named_with_the_time_until_when_it_was_seen() {
        let of_set = |set: &SeriesSet| other_targets(set, &today().hpa, &TimeZone::UTC);
        let mut series = series();
        assert_eq!(of_set(&SeriesSet::new(series.clone())), [""; 0]);
        for one in &mut series {
            if let Some(name) = one.labels.get_mut("scaletargetref_name") {
                *name = "old".to_owned();
                one.samples.truncate(2);
            }
        }
        let expected =
            "The HPA scaled Deployment/old up to 2026-11-26 01:01:15, not Deployment/web. ";
        let found = of_set(&SeriesSet::new(series));
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with(expected), "{found:?}");
    }
}
