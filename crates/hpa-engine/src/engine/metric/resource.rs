//! Resource metrics. Upstream: `computeStatusForResourceMetric` and `computeStatusForResourceMetricGeneric`.

use crate::{
    engine::{metric_names as names, replica_calculator::Calculator},
    model::{MetricStatus, ResourceSource},
};

use super::{
    Invalid, MetricContext, Valid,
    source::{invalid, read_resource},
    status::{average_value, resource_quantity, utilization},
};

pub(super) fn evaluate<'a>(
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
