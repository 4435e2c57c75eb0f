//! One pod's sample is far from those of the others, or impossible.

use hpa_engine::trace::{Milli, PodClass};
use hpa_explain::{MetricFacts, impossible_sample};

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext},
};

/// Holds for each metric with one pod's sample so far above the others that it moves the metric by more than the
/// tolerance; and while a container's sample is far above its limit, which is impossible.
pub(super) fn check(cx: &AlarmContext<'_>) -> Vec<AlarmCondition> {
    let impossible = impossible_sample(cx.facts.observation).map(|text| AlarmCondition {
        subject: "limit".to_owned(),
        waits: cx.period,
        ..cx.condition_of(AlarmKind::OutlierSample, text)
    });
    let far = cx.facts.metrics.iter().filter_map(|metric| {
        let outlier = SampleOutlier::of(metric)?;
        let (unit, name) = (metric.unit(), metric.full_name());
        let (usage, median) = (unit.amount(outlier.usage), unit.amount(outlier.median));
        let pod = &cx.facts.pod(outlier.pod)?.name;
        let text = format!(
            "{pod} has {usage} of {name}, {} times the median of {} pods ({median}): the average is {} instead of {} \
             because of it",
            outlier.times,
            outlier.pods,
            unit.amount(outlier.average),
            unit.amount(outlier.without),
        );
        Some(AlarmCondition {
            subject: name,
            gist: pod.clone(),
            waits: cx.period,
            ..cx.condition_of(AlarmKind::OutlierSample, text)
        })
    });
    impossible.into_iter().chain(far).collect()
}

struct SampleOutlier {
    pod: usize,
    usage: Milli,
    median: Milli,
    times: i64,
    pods: usize,
    average: Milli,
    without: Milli,
}

impl SampleOutlier {
    fn of(metric: &MetricFacts<'_>) -> Option<Self> {
        let mut samples: Vec<(i64, usize)> = metric
            .groups?
            .pods
            .iter()
            .filter(|pod| pod.class == PodClass::Ready)
            .filter_map(|pod| Some((pod.usage?.0, pod.pod)))
            .collect();
        if samples.len() < FEWEST {
            return None;
        }
        samples.sort_unstable();
        let (usage, pod) = *samples.last()?;
        let (median, _) = *samples.get(samples.len() / 2)?;
        let times = usage.checked_div(median)?;
        let sum = samples
            .iter()
            .fold(0_i64, |sum, (usage, _)| sum.saturating_add(*usage));
        let pods = i64::try_from(samples.len()).ok()?;
        let (average, without) = (sum / pods, sum.saturating_sub(usage) / (pods - 1));
        let moves = average.saturating_sub(without).saturating_mul(100);
        let does_matter = without.saturating_mul(LEAST_MOVE_PERCENT) < moves;
        (FAR <= times && does_matter).then_some(Self {
            pod,
            usage: Milli(usage),
            median: Milli(median),
            times,
            pods: samples.len(),
            average: Milli(average),
            without: Milli(without),
        })
    }
}

/// With fewer samples there are no outliers.
const FEWEST: usize = 5;

/// This multiple of the median is an outlier. Load is never even, and a leader may do several times the work.
const FAR: i64 = 5;

/// A sample that moves the average by less than this is within the default tolerance.
const LEAST_MOVE_PERCENT: i64 = 10;
