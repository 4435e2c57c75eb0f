//! Many pods have a node but are not ready.

use hpa_diagnosis::{
    pods_not_ready::{ALARM_PERCENT, START_TAKES},
    pods_not_running::existing_pods,
};
use hpa_engine::model::Pod;

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext, few, most_frequent, pods},
};

/// Holds while at least a quarter of the pods are not ready, for longer than startup usually takes. Pods without a
/// node have an alarm of their own.
pub(super) fn check(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    let counts = cx.hpa.pods;
    let active = counts.all.saturating_sub(counts.ignored);
    let unready = counts.starting + counts.not_ready;
    let percent = (unready * 100).checked_div(active)?;
    if unready == 0 || percent < ALARM_PERCENT {
        return None;
    }
    let is_unready = |pod: &&Pod| pod.has_node() && !pod.is_ready();
    let own = existing_pods(cx.facts.observation, &cx.hpa.latest.assessment.context).into_iter();
    let waiting: Vec<&Pod> = own.filter(is_unready).collect();
    let why = most_frequent(waiting.iter().filter_map(|pod| pod.waiting.as_deref()))
        .map_or_else(String::new, |why| {
            format!(" ({})", why.trim_end_matches('.'))
        });
    let named = match waiting.as_slice() {
        [] => String::new(),
        waiting => format!(": {}", few(waiting)),
    };
    Some(AlarmCondition {
        waits: START_TAKES,
        gist: why.clone(),
        level: u32::try_from(unready).unwrap_or(u32::MAX),
        ..cx.condition_of(
            AlarmKind::UnreadyPods,
            format!(
                "{unready} of {} not ready, {percent}%{why}{named}",
                pods(i32::try_from(active).unwrap_or(i32::MAX))
            ),
        )
    })
}
