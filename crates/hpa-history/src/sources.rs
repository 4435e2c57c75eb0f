//! What is known of an HPA and its past.

use hpa_engine::model::Observation;
use jiff::Timestamp;

use crate::{
    metric_course::MetricCourse,
    names,
    pods::PodHistory,
    series::{Millis, SeriesSet},
};

/// The current state of the HPA, and the series of its past.
pub struct Sources<'a> {
    /// The series.
    pub set: &'a SeriesSet,
    /// The current HPA with its scale and its controller.
    pub today: &'a Observation,
    /// The values of Pods, Object and External metrics between the scrapes, as far as known.
    pub courses: &'a [MetricCourse],
    /// When the HPA was last edited, to the second, by its `managedFields`.
    pub edited: Option<Timestamp>,
}

/// Whether pods of the scale target were read. Otherwise they are assumed.
pub fn has_pods(sources: &Sources<'_>) -> bool {
    !pods_of(sources).is_empty()
}

/// How long the pods that were created in this past took from their creation until they were ready, in milliseconds.
pub fn startups(sources: &Sources<'_>) -> Vec<Millis> {
    pods_of(sources).startups().collect()
}

/// What a pod of this past requested of a resource, the mean over the time of all pods whose requests the series show.
/// None: they show none.
pub fn mean_request(sources: &Sources<'_>, resource: &str) -> Option<f64> {
    let pods = pods_of(sources);
    let (mut total, mut time) = (0.0, 0.0);
    for (requested, length) in pods.requests(resource) {
        total += requested * length as f64;
        time += length as f64;
    }
    (0.0 < time).then(|| total / time)
}

/// The pods of the scale target.
pub(crate) fn pods_of<'a>(sources: &Sources<'a>) -> PodHistory<'a> {
    let target = &sources.today.hpa.spec.scale_target;
    let scale = sources.today.scale.read();
    PodHistory::new(
        sources.set,
        (&target.kind, &target.name),
        scale.map_or("", |scale| &scale.selector),
        sources.today.pods.read().and_then(|pods| pods.first()),
    )
}

/// Whether the samples of containers have the times at which the kubelet read them. Otherwise they have those of the
/// scrapes, and which of them metrics-server had is not known.
pub fn has_times_of_kubelet(set: &SeriesSet) -> bool {
    ![names::CPU, names::MEMORY]
        .into_iter()
        .any(|name| set.is_even(name))
}
