//! Whether a sync would have to write another status.

use hpa_analysis::value_text;
use hpa_engine::{
    model::{HpaStatus, MetricStatus},
    trace::Trace,
};

use crate::SeenHpa;

/// The field that a sync would have to write, if any: `cpu is 85%, the status says 60%`.
pub(crate) fn overdue_field(seen: &SeenHpa) -> Option<String> {
    let written = &seen.assessment.observation.hpa.status;
    let trace: &Trace = &seen.assessment.analysis.trace;
    let current = trace.current()?;
    if current != written.current_replicas {
        return Some(format!(
            "spec.replicas is {current}, the status says {}",
            written.current_replicas
        ));
    }
    let predicted: &HpaStatus = &trace.outcome.as_ref()?.status;
    let metrics = predicted
        .current_metrics
        .iter()
        .zip(&written.current_metrics);
    let is_failed = |one: &MetricStatus| matches!(one, MetricStatus::Failed);
    // The controller may be able to read a metric that cannot be read here, and its value may be unchanged.
    if metrics
        .clone()
        .any(|(new, old)| is_failed(new) || is_failed(old))
    {
        return None;
    }
    metrics
        .filter(|(new, old)| new != old)
        .map(|(new, old)| (value_text(new), value_text(old)))
        .find(|(new, old)| new != old)
        .map(|(new, old)| format!("its metric is {new}, the status says {old}"))
}
