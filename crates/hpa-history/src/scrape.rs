//! What one scrape of kube-state-metrics shows of an HPA: the status of the controller's last sync before it.

use hpa_engine::model::{
    Condition, Direction, Hpa, HpaStatus, MetricSpec, MetricStatus, MetricTarget, MetricValueStatus,
};
use jiff::Timestamp;

use crate::{
    names,
    pods::milli,
    series::{Millis, Series, SeriesSet},
};

/// One scrape.
#[derive(Clone, Debug, PartialEq)]
pub struct Scrape {
    /// When it was made.
    pub time: Millis,
    /// `status.currentReplicas`: the replicas that the sync read.
    pub current: i32,
    /// `status.desiredReplicas`: what it decided.
    pub desired: i32,
    /// The metric values, in the order of the spec. None: the metric failed, or is not exported.
    pub values: Vec<Option<MetricValueStatus>>,
    /// Type and status of each condition.
    pub conditions: Vec<(String, String)>,
    /// Bounds. If `minReplicas` is not exported, today's.
    pub bounds: (i32, i32),
    /// `spec.replicas` and `status.replicas` of the target, if exported.
    pub target: Option<(i32, i32)>,
    /// `metadata.generation`.
    pub generation: Option<i64>,
}

impl Scrape {
    /// All scrapes between two times, oldest first, without those of a new HPA before its first sync.
    pub(crate) fn all(set: &SeriesSet, hpa: &Hpa) -> Vec<Self> {
        let mut times: Vec<Millis> = set
            .of(names::DESIRED)
            .iter()
            .flat_map(|series| series.samples.iter().map(|(at, _)| *at))
            .collect();
        times.sort_unstable();
        times.dedup();
        let unusable = set.unusable(None);
        times.retain(|time| !unusable.contains(time));
        let mut scrapes: Vec<Self> = times
            .into_iter()
            .filter_map(|time| Self::new(set, hpa, time))
            .collect();
        // Where conditions are exported, the first sync writes some.
        let synced = scrapes.iter().position(|one| !one.conditions.is_empty());
        if let Some(synced) = synced
            && scrapes[..synced].iter().all(Self::is_blank)
        {
            scrapes.drain(..synced);
        }
        scrapes
    }

    /// Whether it shows no replicas, as before the first sync.
    fn is_blank(&self) -> bool {
        (self.current, self.desired) == (0, 0)
    }

    fn new(set: &SeriesSet, hpa: &Hpa, time: Millis) -> Option<Self> {
        let whole = |name: &str| set.value(name, time).map(|value| value as i32);
        let value_of = |metric: &MetricSpec| {
            let reach = set.reach(names::VALUES);
            let find = |target_type: &str| {
                let is_of = |one: &&Series| {
                    is_of_metric(set, one, metric) && one.label("metric_target_type") == target_type
                };
                let mut series = set.of(names::VALUES).iter().filter(is_of);
                series.find_map(|one| one.at(time, reach))
            };
            let found = MetricValueStatus {
                value: find("value").map(milli),
                average_value: find("average").map(milli),
                average_utilization: find("utilization").map(|value| value as i32),
            };
            (found != MetricValueStatus::default()).then_some(found)
        };
        let reach = set.reach(names::CONDITION);
        let conditions: Vec<(String, String)> = set
            .of(names::CONDITION)
            .iter()
            .filter(|one| one.at(time, reach) == Some(1.0))
            .map(|one| {
                (
                    one.label("condition").to_owned(),
                    status_of(one.label("status")),
                )
            })
            .collect();
        let target = names::replicas(&hpa.spec.scale_target.kind)
            .and_then(|(spec, status)| Some((whole(spec)?, whole(status)?)));
        let current = whole(names::CURRENT)?;
        let mut scrape = Self {
            time,
            current,
            desired: whole(names::DESIRED)?,
            values: hpa.spec.metrics.iter().map(value_of).collect(),
            conditions,
            bounds: (
                whole(names::MIN).or(hpa.spec.min_replicas).unwrap_or(1),
                whole(names::MAX)?,
            ),
            target,
            generation: set.value(names::GENERATION, time).map(|value| value as i64),
        };
        scrape.hold_if_inactive();
        Some(scrape)
    }

    /// The time of the scrape.
    pub fn timestamp(&self) -> Timestamp {
        Timestamp::from_millisecond(self.time).unwrap_or_default()
    }

    /// The status of a condition.
    pub fn condition(&self, condition_type: &str) -> Option<&str> {
        let mut conditions = self.conditions.iter();
        let (_, status) = conditions.find(|(name, _)| name == condition_type)?;
        Some(status)
    }

    /// Whether the target of each metric at that time is exported, and of today's type.
    pub fn has_targets(&self, set: &SeriesSet, today: &Hpa) -> bool {
        let mut metrics = today.spec.metrics.iter();
        metrics
            .all(|metric| metric.target().is_none() || target_at(set, metric, self.time).is_some())
    }

    /// If the controller cannot compute its metrics, it keeps the desired replicas from before: 0, if it never could.
    pub(crate) fn hold_if_inactive(&mut self) {
        let is_unwritten = self.desired == 0 && 0 < self.bounds.0;
        if is_unwritten || self.condition("ScalingActive") == Some("False") {
            self.desired = self.current;
        }
    }

    /// Whether the controller could not compute its metrics.
    pub fn has_failed(&self) -> bool {
        self.condition("ScalingActive") == Some("False") && 0 < self.current
    }

    /// Whether the sync left everything as the previous one did.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (self.current, self.desired) == (other.current, other.desired)
            && self.values == other.values
            && self.conditions == other.conditions
    }

    /// The status that the sync wrote, as far as it is exported. Reasons, messages and times are not.
    pub fn status(&self, hpa: &Hpa) -> HpaStatus {
        let metrics = hpa.spec.metrics.iter().zip(&self.values);
        HpaStatus {
            current_replicas: self.current,
            desired_replicas: self.desired,
            current_metrics: metrics
                .map(|(metric, value)| match value {
                    Some(value) => MetricStatus::of_spec(metric, value.clone()),
                    None => MetricStatus::Failed,
                })
                .collect(),
            conditions: self
                .conditions
                .iter()
                .map(|(condition_type, status)| Condition {
                    condition_type: condition_type.clone(),
                    status: status.clone(),
                    ..Condition::default()
                })
                .collect(),
            ..HpaStatus::default()
        }
    }
}

/// Today's HPA with the bounds, targets and tolerances of that time.
pub(crate) fn hpa_of(set: &SeriesSet, today: &Hpa, scrape: &Scrape) -> Hpa {
    let mut hpa = today.clone();
    hpa.generation = None;
    hpa.spec.min_replicas = Some(scrape.bounds.0);
    hpa.spec.max_replicas = scrape.bounds.1;
    for metric in &mut hpa.spec.metrics {
        let found = target_at(set, metric, scrape.time);
        if let (Some(target), Some(found)) = (metric.target_mut(), found) {
            *target = found;
        }
    }
    let tolerances = [
        (Direction::Up, names::UP_TOLERANCE),
        (Direction::Down, names::DOWN_TOLERANCE),
    ];
    for (direction, name) in tolerances {
        if let Some(value) = set.value(name, scrape.time) {
            hpa.spec.rules_mut(direction).tolerance = Some(milli(value));
        }
    }
    hpa
}

/// The target of a metric at `time`. None: it is not exported, or had another type than today.
fn target_at(set: &SeriesSet, metric: &MetricSpec, time: Millis) -> Option<MetricTarget> {
    let mut target = metric.target()?.clone();
    let mut is_exported = false;
    let reach = set.reach(names::TARGETS);
    for series in set.of(names::TARGETS) {
        let of_metric = is_of_metric(set, series, metric);
        let Some(value) = series.at(time, reach).filter(|_| of_metric) else {
            continue;
        };
        match series.label("metric_target_type") {
            "utilization" if target.average_utilization.is_some() => {
                target.average_utilization = Some(value as i32);
            }
            "average" if target.average_value.is_some() => {
                target.average_value = Some(milli(value));
            }
            "value" if target.value.is_some() => target.value = Some(milli(value)),
            _ => continue,
        }
        is_exported = true;
    }
    is_exported.then_some(target)
}

/// Whether a series with the labels `metric_name` and `container` belongs to this metric. An empty label counts as
/// absent; Prometheus then fills in the scrape target's own label: the container of kube-state-metrics, on all of its
/// series.
fn is_of_metric(set: &SeriesSet, series: &Series, metric: &MetricSpec) -> bool {
    let container = series.label("container");
    let is_of_scrape = || {
        let own = set.of(names::DESIRED).first();
        own.is_some_and(|own| own.label("container") == container)
    };
    series.label("metric_name") == metric.short_name()
        && match metric.container() {
            Some(own) => own == container,
            None => container.is_empty() || is_of_scrape(),
        }
}

/// The API's spelling of a status.
fn status_of(label: &str) -> String {
    match label {
        "true" => "True",
        "false" => "False",
        _ => "Unknown",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::{HpaSpec, ScaleTargetRef};

    use super::*;

    /// The times of the scrapes of an HPA with these current and desired replicas, and a condition from `synced` on.
    fn times(replicas: &[(Millis, f64)], synced: Option<Millis>) -> Vec<Millis> {
        let conditions: Vec<_> = replicas
            .iter()
            .filter(|(at, _)| synced.is_some_and(|synced| synced <= *at))
            .map(|(at, _)| (*at, 1.0))
            .collect();
        let bound =
            |value: f64| -> Vec<_> { replicas.iter().map(|(at, _)| (*at, value)).collect() };
        let spec = HpaSpec::new(ScaleTargetRef::deployment("web"), 9, Vec::new());
        let able = [("condition", "AbleToScale"), ("status", "true")];
        let set = SeriesSet::new(vec![
            Series::named(names::CURRENT, &[], replicas),
            Series::named(names::DESIRED, &[], replicas),
            Series::named(names::MIN, &[], &bound(2.0)),
            Series::named(names::MAX, &[], &bound(9.0)),
            Series::named(names::CONDITION, &able, &conditions),
        ]);
        let scrapes = Scrape::all(&set, &Hpa::new("shop", "web", spec));
        scrapes.into_iter().map(|one| one.time).collect()
    }

    #[test]
    fn new_hpa_has_no_scrape_before_its_first_sync() {
        let replicas = [(0, 0.0), (30_000, 0.0), (60_000, 2.0), (90_000, 3.0)];
        assert_eq!(times(&replicas, Some(60_000)), [60_000, 90_000]);
        // The first sync found the target at zero.
        assert_eq!(times(&replicas, Some(30_000)), [30_000, 60_000, 90_000]);
        // Conditions are not exported.
        assert_eq!(times(&replicas, None), [0, 30_000, 60_000, 90_000]);
    }
}
