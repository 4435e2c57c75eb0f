//! Observations whose metrics recommend a given number: what-ifs that run through the engine.

use hpa_engine::model::{
    ExternalMetricValue, IndexedAnswer, MetricSpec, Observation, Quantity, Reading, Shared,
    quantity::Format,
};

/// The same HPA at `current` replicas, with one metric that recommends exactly `proposal`.
///
/// The metric is External with an average of 1 per replica, and `status.replicas` is 0. The ratio is then infinite and
/// never within tolerance, and the proposal is the metric's value.
pub(super) fn proposing(observation: &Observation, current: i32, proposal: i32) -> Observation {
    let mut hpa = observation.hpa.clone();
    hpa.spec.metrics = {
        let one = Quantity::from_value(1, Format::DecimalSI);
        vec![MetricSpec::external("asked", one)]
    };
    let scale = match &observation.scale {
        Reading::Read(scale) => {
            let mut scale = scale.clone();
            scale.spec_replicas = current;
            scale.status_replicas = 0;
            Reading::Read(scale)
        }
        other => other.clone(),
    };
    Observation {
        controller: observation.controller.clone(),
        hpa,
        scale,
        scale_write_error: None,
        status_write_error: None,
        pods: Reading::Read(Shared::default()),
        pod_metrics: Reading::Read(Shared::default()),
        custom_metrics: Vec::new(),
        external_metrics: vec![IndexedAnswer {
            index: 0,
            answer: Reading::Read(
                vec![ExternalMetricValue {
                    labels: Vec::new(),
                    timestamp: None,
                    value: Quantity::from_value(proposal.into(), Format::DecimalSI),
                }]
                .into(),
            ),
        }],
        other_hpas: hpa_engine::model::Neighbors::default(),
    }
}
