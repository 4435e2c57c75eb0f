//! Whether a higher `maxReplicas` would help.

use hpa_analysis::{Assessment, do_others_ask_for_fewer, usage_floor};
use hpa_diagnosis::pods_not_running::{MissingPods, may_pods_follow, missing_pods};
use hpa_words::amount::MetricUnit as Amount;

/// What to do where a higher maximum would not help.
pub(super) fn no_higher_maximum(live: &Assessment) -> Option<String> {
    let (observation, trace) = (&live.observation, &live.analysis.trace);
    let missing = missing_pods(observation, &live.context);
    let missing = missing.filter(|_| !may_pods_follow(observation, &live.context, live.now));
    if let Some(MissingPods { wanted, existing }) = missing {
        return Some(format!(
            "find out why only {existing} of the {wanted} wanted pods exist: a higher maxReplicas adds none"
        ));
    }
    let current = trace.current()?;
    let metrics = observation.hpa.spec.metrics.iter();
    let memory = metrics.enumerate().find_map(|(index, metric)| {
        let is_quiet = do_others_ask_for_fewer(trace, index, current) == Some(true);
        let floor = usage_floor(observation, trace, index).filter(|floor| floor.is_above_target);
        (metric.is_resource("memory") && is_quiet).then_some(floor)?
    })?;
    Some(format!(
        "no maxReplicas meets the memory target: idle pods use {}, above it. Raise the memory request or the target, or drop the metric",
        Amount::Bytes.amount(memory.floor)
    ))
}
