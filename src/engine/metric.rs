//! One metric: what is read for it, its proposal, its entry in the status. Upstream: `computeReplicasForMetric` and
//! the `computeStatusFor…Metric` functions in `horizontal.go`.

use crate::{
    engine::{
        context::{Cx, SelectedPods},
        metric_names::{self as names, ExternalLayer},
        replica_calculator::{Calculated, Calculator, Failure},
        samples::{self, NoSamples, Samples},
        tolerance::Tolerances,
    },
    model::{
        ContainerResourceSource, MetricSpec, MetricStatus, MetricTarget, MetricValueStatus,
        NotRead, ObjectSource, PodsSource, Quantity, ResourceSource, Scale, Selector,
        quantity::Format,
    },
    trace::{
        MetricEvaluation, MetricFailure, MetricOutcome, MetricStep, Milli, RatioFormula,
        ReadMetric, Upstream, UsageRatio,
    },
};

/// What all metrics of one reconcile share.
pub(crate) struct MetricContext<'c, 'a> {
    pub(crate) cx: &'c Cx<'a>,
    pub(crate) scale: &'c Scale,
    pub(crate) selector: &'c Selector,
    /// The pods that the selector matches, or why they are not known here.
    pub(crate) pods: &'c Result<SelectedPods<'a>, NotRead>,
}

/// A valid metric: its proposal, its name and its entry in the status.
struct Valid {
    replicas: i32,
    name: String,
    status: MetricStatus,
}

/// Why a metric gives no proposal.
enum Invalid {
    Failure(MetricFailure),
    NotRead(NotRead),
}

/// Evaluates the metric at `index` of `spec.metrics`.
pub(crate) fn compute_replicas_for_metric(
    context: &MetricContext<'_, '_>,
    index: usize,
    spec: &MetricSpec,
) -> MetricEvaluation {
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
            container_resource(context, &mut calculator, source)
        }
        MetricSpec::External(source) => external(context, &mut calculator, index, source),
        MetricSpec::Object(source) => object(context, &mut calculator, index, source),
        MetricSpec::Pods(source) => pods(context, &mut calculator, index, source),
        MetricSpec::Resource(source) => resource(context, &mut calculator, source),
        MetricSpec::Unknown { .. } => Err(Invalid::Failure(names::unknown_type(spec))),
    };
    let (outcome, status) = match result {
        Ok(Valid {
            replicas,
            name,
            status,
        }) => (MetricOutcome::Proposal { replicas, name }, status),
        Err(Invalid::Failure(failure)) => (MetricOutcome::Invalid(failure), MetricStatus::Failed),
        Err(Invalid::NotRead(not_read)) => (MetricOutcome::Unknown(not_read), MetricStatus::Failed),
    };
    MetricEvaluation {
        index,
        steps: calculator.steps,
        outcome,
        status,
    }
}

fn resource<'a>(
    context: &MetricContext<'_, 'a>,
    calculator: &mut Calculator<'_, 'a>,
    source: &ResourceSource,
) -> Result<Valid, Invalid> {
    let cx = context.cx;
    let target = &source.metric_target;
    let name = source.name.clone();
    if let Some(average) = &target.average_value {
        let target = average.milli_value(cx.overflow);
        let calculated = read_resource(context, calculator, &source.name, None)
            .and_then(|samples| {
                calculator.plain_metric_replicas(&samples, Some(&source.name), target)
            })
            .map_err(invalid(|error| {
                names::resource_failure(cx, &source.name, "usage", error)
            }))?;
        let current = average_value(resource_quantity(cx, &source.name, &calculated.first_pass));
        return Ok(Valid {
            replicas: calculated.replicas,
            name: names::resource_average(&source.name),
            status: MetricStatus::Resource { name, current },
        });
    }
    let Some(target) = target.average_utilization else {
        return Err(Invalid::Failure(names::resource_without_target(
            cx,
            &source.name,
        )));
    };
    let calculated = read_resource(context, calculator, &source.name, None)
        .and_then(|samples| calculator.resource_replicas(&samples, &source.name, None, target))
        .map_err(invalid(|error| {
            names::resource_failure(cx, &source.name, "utilization", error)
        }))?;
    Ok(Valid {
        replicas: calculated.replicas,
        name: names::resource_utilization(&source.name),
        status: MetricStatus::Resource {
            name,
            current: utilization(cx, &source.name, &calculated),
        },
    })
}

fn container_resource<'a>(
    context: &MetricContext<'_, 'a>,
    calculator: &mut Calculator<'_, 'a>,
    source: &ContainerResourceSource,
) -> Result<Valid, Invalid> {
    let cx = context.cx;
    if cx.switches.container_metrics_disabled {
        return Err(Invalid::Failure(names::container_metrics_disabled()));
    }
    let (resource, container) = (source.name.as_str(), source.container.as_str());
    let target = &source.metric_target;
    let failure =
        |what| invalid(move |error| names::container_failure(cx, resource, container, what, error));
    let status = |current| MetricStatus::ContainerResource {
        name: resource.to_owned(),
        container: container.to_owned(),
        current,
    };
    if let Some(average) = &target.average_value {
        let target = average.milli_value(cx.overflow);
        let calculated = read_resource(context, calculator, resource, Some(container))
            .and_then(|samples| calculator.plain_metric_replicas(&samples, Some(resource), target))
            .map_err(failure("usage"))?;
        let current = average_value(resource_quantity(cx, resource, &calculated.first_pass));
        return Ok(Valid {
            replicas: calculated.replicas,
            name: names::resource_average(resource),
            status: status(current),
        });
    }
    let Some(target) = target.average_utilization else {
        return Err(Invalid::Failure(names::container_without_target(
            cx, container,
        )));
    };
    let calculated = read_resource(context, calculator, resource, Some(container))
        .and_then(|samples| {
            calculator.resource_replicas(&samples, resource, Some(container), target)
        })
        .map_err(failure("utilization"))?;
    Ok(Valid {
        replicas: calculated.replicas,
        name: names::container_utilization(cx, resource),
        status: status(utilization(cx, resource, &calculated)),
    })
}

fn pods<'a>(
    context: &MetricContext<'_, 'a>,
    calculator: &mut Calculator<'_, 'a>,
    index: usize,
    source: &PodsSource,
) -> Result<Valid, Invalid> {
    let cx = context.cx;
    let name = &source.metric.name;
    check_selector(cx, source.metric.selector.as_ref()).map_err(invalid(names::pods_failure))?;
    let target = target_milli(cx, source.metric_target.average_value.as_ref());
    let read = samples::pods_samples(cx, index);
    note_read(
        calculator,
        samples::RAW,
        read.as_ref().map(Samples::len),
        None,
    );
    let calculated = prefix(read, |error| {
        format!("unable to get metric {name}: {error}")
    })
    .and_then(|samples| calculator.plain_metric_replicas(&samples, None, target))
    .map_err(invalid(names::pods_failure))?;
    let current = average_value(decimal(average_of(&calculated.first_pass)));
    Ok(Valid {
        replicas: calculated.replicas,
        name: format!("pods metric {name}"),
        status: MetricStatus::Pods {
            metric: source.metric.clone(),
            current,
        },
    })
}

fn object<'a>(
    context: &MetricContext<'_, 'a>,
    calculator: &mut Calculator<'_, 'a>,
    index: usize,
    source: &ObjectSource,
) -> Result<Valid, Invalid> {
    let cx = context.cx;
    let ObjectSource {
        described_object,
        metric,
        metric_target,
    } = source;
    check_selector(cx, metric.selector.as_ref())
        .map_err(invalid(|error| names::object_failure(None, error)))?;
    let read = |calculator: &mut Calculator<'_, '_>| {
        let read = samples::object_value(cx, index);
        note_read(
            calculator,
            samples::OBJECT,
            read.as_ref().map(|_| 1),
            read.as_ref().ok(),
        );
        prefix(read, |error| names::object_read_error(cx, source, error))
    };
    match object_target(metric_target) {
        Some(ObjectTarget::Value(target)) => {
            let target = target.milli_value(cx.overflow);
            let calculated = read(calculator)
                .and_then(|usage| calculator.value_replicas(usage, target))
                .map_err(invalid(|error| names::object_failure(None, error)))?;
            let current = value(decimal(average_of(&calculated.first_pass)));
            Ok(Valid {
                replicas: calculated.replicas,
                name: format!("{} metric {}", described_object.kind, metric.name),
                status: MetricStatus::Object {
                    described_object: Some(described_object.clone()),
                    metric: metric.clone(),
                    current,
                },
            })
        }
        Some(ObjectTarget::Average(target)) => {
            let target = target.milli_value(cx.overflow);
            let calculated = read(calculator)
                .map(|usage| calculator.per_pod_replicas(usage, target, false))
                .map_err(invalid(|error| {
                    names::object_failure(Some(&metric.name), error)
                }))?;
            let current = average_value(decimal(average_of(&calculated.first_pass)));
            let named = cx.switches.object_average_has_described_object;
            Ok(Valid {
                replicas: calculated.replicas,
                name: names::external(&metric.name, metric.selector.as_ref()),
                status: MetricStatus::Object {
                    described_object: named.then(|| described_object.clone()),
                    metric: metric.clone(),
                    current,
                },
            })
        }
        None => {
            let error = "invalid object metric source: neither a value target nor an average \
                         value target was set";
            Err(Invalid::Failure(names::object_failure(None, error)))
        }
    }
}

fn external<'a>(
    context: &MetricContext<'_, 'a>,
    calculator: &mut Calculator<'_, 'a>,
    index: usize,
    source: &PodsSource,
) -> Result<Valid, Invalid> {
    let cx = context.cx;
    let PodsSource {
        metric,
        metric_target,
    } = source;
    let failure =
        |layer| invalid(move |error| names::external_failure(cx, &metric.name, layer, error));
    let name = || names::external(&metric.name, metric.selector.as_ref());
    let status = |current| MetricStatus::External {
        metric: metric.clone(),
        current,
    };
    let read = |calculator: &mut Calculator<'_, '_>, sum: fn(&Cx<'_>, &[i64]) -> i64| {
        check_selector(cx, metric.selector.as_ref())?;
        let values = samples::external_values(cx, index);
        let total = values.as_ref().ok().map(|values| sum(cx, values));
        note_read(
            calculator,
            samples::EXTERNAL,
            values.as_ref().map(Vec::len),
            total.as_ref(),
        );
        prefix(values, |error| {
            names::external_read_error(cx, source, error)
        })
        .map(|values| sum(cx, &values))
    };
    if let Some(target) = &metric_target.average_value {
        let target = target.milli_value(cx.overflow);
        let calculated = read(calculator, sum_for_average)
            .map(|usage| calculator.per_pod_replicas(usage, target, true))
            .map_err(failure(ExternalLayer::Average))?;
        let current = average_value(decimal(average_of(&calculated.first_pass)));
        return Ok(Valid {
            replicas: calculated.replicas,
            name: name(),
            status: status(current),
        });
    }
    if let Some(target) = &metric_target.value {
        let target = target.milli_value(cx.overflow);
        let calculated = read(calculator, sum_for_value)
            .and_then(|usage| calculator.value_replicas(usage, target))
            .map_err(failure(ExternalLayer::Value))?;
        let current = value(decimal(average_of(&calculated.first_pass)));
        return Ok(Valid {
            replicas: calculated.replicas,
            name: name(),
            status: status(current),
        });
    }
    let error = "invalid external metric source: neither a value target nor an average value target was set";
    Err(Invalid::Failure(names::external_failure(
        cx,
        &metric.name,
        ExternalLayer::NoTarget,
        error,
    )))
}

/// Sum of all series for an average: from 1.34 on a negative running sum counts as an overflow.
/// Upstream: `GetExternalPerPodMetricReplicas`.
fn sum_for_average(cx: &Cx<'_>, values: &[i64]) -> i64 {
    let mut sum = 0_i64;
    for value in values {
        sum = sum.wrapping_add(*value);
        if sum < 0 && cx.switches.external_average_caps {
            return i64::MAX;
        }
    }
    sum
}

/// Sum of all series for a value: from 1.35 on capped when it overflows upward.
/// Upstream: `GetExternalMetricReplicas`.
fn sum_for_value(cx: &Cx<'_>, values: &[i64]) -> i64 {
    let mut sum = 0_i64;
    for value in values {
        if cx.switches.value_caps && *value > 0 && sum.checked_add(*value).is_none() {
            return i64::MAX;
        }
        sum = sum.wrapping_add(*value);
    }
    sum
}

/// The target of an Object metric: the field that `type` names, if it is set.
enum ObjectTarget<'a> {
    Average(&'a Quantity),
    Value(&'a Quantity),
}

fn object_target(target: &MetricTarget) -> Option<ObjectTarget<'_>> {
    match target.target_type.as_str() {
        "Value" => target.value.as_ref().map(ObjectTarget::Value),
        "AverageValue" => target.average_value.as_ref().map(ObjectTarget::Average),
        _ => None,
    }
}

fn read_resource<'a>(
    context: &MetricContext<'_, 'a>,
    calculator: &mut Calculator<'_, 'a>,
    resource: &str,
    container: Option<&str>,
) -> Result<Samples<'a>, Failure> {
    let read = samples::resource_samples(context.cx, context.selector, resource, container);
    note_read(
        calculator,
        samples::RESOURCE,
        read.as_ref().map(Samples::len),
        None,
    );
    prefix(read, |error| {
        format!("unable to get metrics for resource {resource}: {error}")
    })
}

fn note_read(
    calculator: &mut Calculator<'_, '_>,
    upstream: Upstream,
    items: Result<usize, &NoSamples>,
    total: Option<&i64>,
) {
    let error = match items {
        Err(NoSamples::Error { api_error, .. }) => api_error.clone(),
        Ok(_) | Err(NoSamples::NotRead(_)) => None,
    };
    calculator.steps.push(MetricStep::ReadMetric(ReadMetric {
        items: items.unwrap_or_default(),
        total: total.copied().map(Milli),
        error,
        upstream,
    }));
}

/// Puts the words of the caller round the error of a read.
fn prefix<T>(read: Result<T, NoSamples>, words: impl FnOnce(&str) -> String) -> Result<T, Failure> {
    read.map_err(|no_samples| match Failure::from(no_samples) {
        Failure::Error(error) => Failure::Error(words(&error)),
        Failure::NotRead(not_read) => Failure::NotRead(not_read),
    })
}

fn invalid(words: impl FnOnce(&str) -> MetricFailure) -> impl FnOnce(Failure) -> Invalid {
    move |failure| match failure {
        Failure::Error(error) => Invalid::Failure(words(&error)),
        Failure::NotRead(not_read) => Invalid::NotRead(not_read),
    }
}

fn check_selector(
    cx: &Cx<'_>,
    selector: Option<&crate::model::LabelSelector>,
) -> Result<(), Failure> {
    match selector.map(|selector| selector.to_selector(cx.wording)) {
        Some(Err(error)) => Err(Failure::Error(error.to_string())),
        Some(Ok(_)) | None => Ok(()),
    }
}

/// A Pods metric without `averageValue` does not pass validation; upstream would crash, here it is 0.
fn target_milli(cx: &Cx<'_>, target: Option<&Quantity>) -> i64 {
    target.map_or(0, |target| target.milli_value(cx.overflow))
}

/// The number of the first pass that goes into the status, in milli-units.
fn average_of(ratio: &UsageRatio) -> i64 {
    match ratio.formula {
        RatioFormula::AveragePerReplica { average, .. }
        | RatioFormula::PodAverage { average, .. }
        | RatioFormula::Utilization { average, .. } => average.0,
        RatioFormula::Value { usage, .. } => usage.0,
    }
}

fn utilization(cx: &Cx<'_>, resource: &str, calculated: &Calculated) -> MetricValueStatus {
    let average_utilization = match calculated.first_pass.formula {
        RatioFormula::Utilization { utilization, .. } => Some(utilization.0),
        RatioFormula::AveragePerReplica { .. }
        | RatioFormula::PodAverage { .. }
        | RatioFormula::Value { .. } => None,
    };
    MetricValueStatus {
        average_utilization,
        ..average_value(resource_quantity(cx, resource, &calculated.first_pass))
    }
}

/// Upstream: `buildQuantity`.
fn resource_quantity(cx: &Cx<'_>, resource: &str, ratio: &UsageRatio) -> Quantity {
    let is_binary = cx.switches.memory_in_binary && resource == "memory";
    let format = if is_binary {
        Format::BinarySI
    } else {
        Format::DecimalSI
    };
    Quantity::from_milli(average_of(ratio), format).as_read_back()
}

fn decimal(milli: i64) -> Quantity {
    Quantity::from_milli(milli, Format::DecimalSI).as_read_back()
}

fn average_value(quantity: Quantity) -> MetricValueStatus {
    MetricValueStatus {
        average_value: Some(quantity),
        ..MetricValueStatus::default()
    }
}

fn value(quantity: Quantity) -> MetricValueStatus {
    MetricValueStatus {
        value: Some(quantity),
        ..MetricValueStatus::default()
    }
}
