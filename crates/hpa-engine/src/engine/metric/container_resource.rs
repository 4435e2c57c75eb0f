//! ContainerResource metrics. Upstream: `computeStatusForContainerResourceMetric`.

use crate::{
    engine::{metric_names as names, replica_calculator::Calculator},
    model::{ContainerResourceSource, MetricStatus},
};

use super::{
    Invalid, MetricContext, Valid,
    source::{invalid, read_resource},
    status::{average_value, resource_quantity, utilization},
};

pub(super) fn evaluate<'a>(
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
