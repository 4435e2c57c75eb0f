//! The controller's error of a metric, without its wrappers.

use hpa_engine::trace::MetricFailure;

/// The controller's error without the wrappers that only repeat the metric.
pub fn cause(failure: &MetricFailure) -> String {
    const BEGINNINGS: [&str; 9] = [
        "unable to fetch metrics from ",
        "no metrics returned ",
        "did not receive metrics ",
        "missing request for ",
        "missing pod-level request for ",
        "container ",
        "no pods returned ",
        "unable to get pods ",
        "failed to get container metrics: ",
    ];
    let text = failure.inner.as_str();
    let start = BEGINNINGS
        .iter()
        .filter_map(|beginning| {
            let start = text.find(&format!(": {beginning}"))?;
            Some(start + ": ".len())
        })
        .min();
    text[start.unwrap_or_default()..]
        .trim_end_matches('.')
        .to_owned()
}
