//! Evaluates one metric: its read, its proposal and its entry in the status. Upstream: `computeReplicasForMetric` and
//! the `computeStatusFor…Metric` functions in `horizontal.go`; each kind of source has a file here.

mod container_resource;
mod external;
mod object;
mod pods;
mod resource;
mod source;
mod status;

pub(crate) use source::MetricContext;
use source::{Invalid, Valid};

use crate::{
    engine::{metric_names as names, replica_calculator::Calculator, tolerance::Tolerances},
    model::{MetricSpec, MetricStatus},
    trace::{MetricEvaluation, MetricOutcome},
};

/// An evaluated metric.
pub(crate) struct Evaluated {
    pub(crate) evaluation: MetricEvaluation,
    /// The controller crashes on this metric.
    pub(crate) crashes: bool,
}

/// Evaluates the metric at `index` of `spec.metrics`.
pub(crate) fn compute_replicas_for_metric(
    context: &MetricContext<'_, '_>,
    index: usize,
    spec: &MetricSpec,
) -> Evaluated {
    let mut calculator = Calculator {
        cx: context.cx,
        current: context.scale.spec_replicas,
        status_replicas: context.scale.status_replicas,
        pods: context.pods,
        tolerances: Tolerances::of(context.cx),
        steps: Vec::with_capacity(8),
    };
    let result = match spec {
        MetricSpec::ContainerResource(source) => {
            container_resource::evaluate(context, &mut calculator, source)
        }
        MetricSpec::External(source) => external::evaluate(context, &mut calculator, index, source),
        MetricSpec::Object(source) => object::evaluate(context, &mut calculator, index, source),
        MetricSpec::Pods(source) => pods::evaluate(context, &mut calculator, index, source),
        MetricSpec::Resource(source) => resource::evaluate(context, &mut calculator, source),
        MetricSpec::Unknown { .. } => Err(Invalid::Failure(names::unknown_type(spec))),
    };
    let crashes = matches!(result, Err(Invalid::Crash(_)));
    let (outcome, status) = match result {
        Ok(Valid {
            replicas,
            name,
            status,
        }) => (MetricOutcome::Proposal { replicas, name }, status),
        Err(Invalid::Crash(failure) | Invalid::Failure(failure)) => {
            (MetricOutcome::Invalid(failure), MetricStatus::Failed)
        }
        Err(Invalid::NotRead(not_read)) => (MetricOutcome::Unknown(not_read), MetricStatus::Failed),
    };
    let evaluation = MetricEvaluation {
        index,
        steps: calculator.steps,
        outcome,
        status,
    };
    Evaluated {
        evaluation,
        crashes,
    }
}
