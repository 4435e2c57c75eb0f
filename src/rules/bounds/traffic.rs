//! Who depends on the pods of the target: Services, what routes to them, PodDisruptionBudgets.

use std::collections::BTreeMap;

use crate::lint::{Cx, HpaSubject, Missing, ObjectRef};

/// The labels of the target's pods.
pub(super) fn workload_pods<'a>(
    cx: &Cx<'a, HpaSubject>,
) -> Result<&'a BTreeMap<String, String>, Missing> {
    cx.pod_labels()
}

/// What sends traffic to the pods: a route if there is one, else a Service.
pub(super) fn routes_to_pods<'a>(
    cx: &Cx<'a, HpaSubject>,
    labels: &'a BTreeMap<String, String>,
) -> Result<Option<&'a ObjectRef>, Missing> {
    cx.world.require("Service")?;
    let namespace = cx.subject.namespace();
    let mut services: Vec<_> = cx.world.services_selecting(namespace, labels).collect();
    services.sort_by(|one, other| one.object.cmp(&other.object));
    Ok(cx
        .world
        .route_to(namespace, &services)
        .map(|route| &route.object)
        .or_else(|| services.first().map(|service| &service.object)))
}

/// What depends on the pods: a route, else a PodDisruptionBudget, else a Service.
pub(super) fn depends_on_pods<'a>(
    cx: &Cx<'a, HpaSubject>,
    labels: &'a BTreeMap<String, String>,
) -> Result<Option<&'a ObjectRef>, Missing> {
    let router = routes_to_pods(cx, labels)?;
    if let Some(route) = router.filter(|router| router.kind != "Service") {
        return Ok(Some(route));
    }
    cx.world.require("PodDisruptionBudget")?;
    let budgets = cx.world.budgets_selecting(cx.subject.namespace(), labels);
    Ok(budgets.map(|budget| &budget.object).min().or(router))
}
