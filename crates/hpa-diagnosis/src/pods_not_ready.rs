//! Pods of the target that are not ready: what counts as many, and as long.

use hpa_analysis::Assessment;
use hpa_engine::{
    model::{ConditionStatus, Pod},
    trace::{GroupPods, MetricStep, PodClass},
};
use jiff::{SignedDuration, Timestamp};

/// This percentage of the pods is an alarm.
pub const ALARM_PERCENT: usize = 25;

/// Pods may take this long to get ready before the alarm is raised.
pub const START_TAKES: SignedDuration = SignedDuration::from_secs(60);

/// More than this percentage of the pods is a finding.
pub const FINDING_PERCENT: f64 = 20.0;

/// In seconds: pods that are not ready for so long are a finding.
pub const FINDING_DURATION: f64 = 300.0;

/// The pods that a metric does not count as ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotReadyPods {
    /// The metric that counts the fewest pods: its index in `spec.metrics`.
    pub index: usize,
    /// The pods that it looks at.
    pub all: usize,
    /// How long each has been so, of those for which it is known and longer than asked for.
    pub long: Vec<SignedDuration>,
    /// Those without a sample: a single read does not show since when.
    pub without_sample: usize,
}

impl NotReadyPods {
    /// Those of the metric that counts the fewest pods. None if no metric looks at pods.
    pub fn of(assessment: &Assessment, least: SignedDuration) -> Option<Self> {
        let pods = assessment.observation.pods.read()?;
        let metrics = assessment.analysis.trace.metrics();
        let groups = metrics.filter_map(|metric| {
            let groups = metric.steps.iter().find_map(|step| match step {
                MetricStep::GroupPods(groups) => Some(groups),
                _ => None,
            });
            Some((metric.index, groups?))
        });
        let (index, groups) = groups.max_by_key(|(_, groups)| groups.unready + groups.missing)?;
        let of_class = |class: PodClass| of_class(groups, class);
        let since = of_class(PodClass::Unready).chain(of_class(PodClass::Missing));
        let long = since
            .filter_map(|index| unready_since(pods.get(index)?))
            .map(|since| assessment.now.duration_since(since))
            .filter(|unready| least < *unready);
        Some(Self {
            index,
            all: groups.pods.len().saturating_sub(groups.ignored),
            long: long.collect(),
            without_sample: groups.missing,
        })
    }

    /// Whether so many pods are more than this percentage of all.
    pub fn are_many(&self, pods: usize, percent: f64) -> bool {
        #[expect(clippy::cast_precision_loss, reason = "numbers of pods")]
        let (pods, all) = (pods as f64, self.all as f64);
        percent < pods * 100.0 / all
    }
}

fn of_class(groups: &GroupPods, class: PodClass) -> impl Iterator<Item = usize> {
    let pods = groups.pods.iter().filter(move |pod| pod.class == class);
    pods.map(|pod| pod.pod)
}

fn unready_since(pod: &Pod) -> Option<Timestamp> {
    match pod.ready {
        Some(ready) if ready.status == ConditionStatus::True => None,
        Some(ready) => ready.last_transition.or(pod.created),
        None => pod.created,
    }
}
