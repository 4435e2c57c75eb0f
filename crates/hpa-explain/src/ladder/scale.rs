//! The read of the scale in words.

use hpa_engine::trace::ReadScale;
use hpa_words::amount::replicas;

use crate::{Facts, StepKind, StepView};

/// The read of the scale in words.
pub(super) fn read_scale(facts: &Facts<'_>, step: &ReadScale) -> StepView {
    let target = &facts.observation.hpa.spec.scale_target;
    let view = match (step.spec_replicas, &step.error) {
        (Some(spec), _) => {
            let status = step.status_replicas.unwrap_or_default();
            let is_settled = spec == status;
            let how = if is_settled {
                format!("spec and status of {target} agree")
            } else {
                format!("{target}: spec.replicas {spec}, status.replicas {status}")
            };
            let outcome = replicas(spec);
            StepView::new(StepKind::ReadScale, "current", outcome, how).quiet_if(is_settled)
        }
        (None, Some(error)) => StepView::new(
            StepKind::ReadScale,
            "current",
            "not readable",
            error.message.clone(),
        )
        .error(),
        (None, None) => StepView::new(
            StepKind::ReadScale,
            "current",
            "unknown",
            "could not be read here",
        ),
    };
    view.upstream(ReadScale::UPSTREAM)
        .value("specReplicas", step.spec_replicas)
        .value("statusReplicas", step.status_replicas)
        .value(
            "error",
            step.error.as_ref().map(|error| error.message.clone()),
        )
}
