//! Requests per pod. Upstream: `calculateRequests` and, for pod-level requests, `calculatePodLevelRequests` in
//! `replica_calculator.go`.

use crate::{
    engine::context::{Cx, SelectedPods},
    model::{Container, Pod, Quantity, find_resource},
    trace::{Milli, PodRequest, SumRequests},
};

/// Adds up the requests of every selected pod, whatever its phase. The first pod with a gap fails the whole metric.
pub(crate) fn sum_requests(
    cx: &Cx<'_>,
    pods: &SelectedPods<'_>,
    resource: &str,
    container: Option<&str>,
) -> SumRequests {
    let mut requests = Vec::with_capacity(pods.indices.len());
    let mut error = None;
    for (index, pod) in pods.iter() {
        let is_pod_level =
            cx.switches.pod_level_requests && container.is_none() && has_pod_level_requests(pod);
        let request = if is_pod_level {
            pod_level_request(cx, pod, resource)
        } else {
            container_requests(cx, pod, resource, container)
        };
        match request {
            Ok(request) => {
                requests.push(PodRequest {
                    pod: index,
                    request: Milli(request),
                    is_pod_level,
                });
            }
            Err(text) => {
                error = Some(text);
                break;
            }
        }
    }
    SumRequests {
        resource: resource.to_owned(),
        container: container.map(str::to_owned),
        requests,
        error,
    }
}

/// Sum over the containers, or the request of the named one, in milli-units; each is rounded up on its own.
fn container_requests(
    cx: &Cx<'_>,
    pod: &Pod,
    resource: &str,
    container: Option<&str>,
) -> Result<i64, String> {
    let mut sum = 0_i64;
    let mut is_found = container.is_none();
    for candidate in counted_containers(cx, pod) {
        if container.is_some_and(|container| container != candidate.name) {
            continue;
        }
        is_found = true;
        let Some(request) = candidate.request(resource) else {
            return Err(missing_request(cx, pod, candidate, resource));
        };
        sum = sum.wrapping_add(request.milli_value(cx.overflow));
    }
    if !is_found && cx.switches.absent_container_is_error {
        let container = container.unwrap_or_default();
        return Err(format!(
            "container {container} not found in Pod {}",
            pod.name
        ));
    }
    Ok(sum)
}

/// Containers first, then the restartable init containers where this version counts them.
fn counted_containers<'a>(
    cx: &Cx<'_>,
    pod: &'a Pod,
) -> impl Iterator<Item = &'a Container> + use<'a> {
    let counts_sidecars = cx.switches.sidecar_requests;
    pod.containers.iter().chain(
        pod.init_containers
            .iter()
            .filter(move |container| counts_sidecars && container.is_restartable),
    )
}

fn missing_request(cx: &Cx<'_>, pod: &Pod, container: &Container, resource: &str) -> String {
    if cx.switches.missing_request_names_pod {
        format!(
            "missing request for {resource} in container {} of Pod {}",
            container.name, pod.name
        )
    } else {
        format!("missing request for {resource}")
    }
}

/// Whether the pod states requests as a whole: limits alone don't count.
fn has_pod_level_requests(pod: &Pod) -> bool {
    pod.requests
        .iter()
        .any(|(name, _)| name == "cpu" || name == "memory" || name.starts_with("hugepages-"))
}

/// The pod-level request, or else what the containers need together, plus the overhead; milli-units.
fn pod_level_request(cx: &Cx<'_>, pod: &Pod, resource: &str) -> Result<i64, String> {
    let own = find_resource(&pod.requests, resource).cloned();
    let base = own.or_else(|| effective_container_request(pod, resource));
    let overhead =
        find_resource(&pod.overhead, resource).filter(|_| cx.switches.pod_level_overhead);
    let total = match (base, overhead) {
        (Some(base), Some(overhead)) => base.plus(overhead),
        (Some(base), None) => base,
        (None, Some(overhead)) => overhead.clone(),
        (None, None) => {
            return Err(format!(
                "missing pod-level request for {resource} in Pod {}",
                pod.name
            ));
        }
    };
    Ok(total.milli_value(cx.overflow))
}

/// What the scheduler would reserve for the containers: the larger of the running containers and the neediest moment
/// of the start. None if no container requests the resource. Upstream: `PodRequests` of `resourcehelper`.
fn effective_container_request(pod: &Pod, resource: &str) -> Option<Quantity> {
    let mut running = pod
        .containers
        .iter()
        .filter_map(|container| container.request(resource))
        .fold(None, |sum, request| Some(add(sum, request)));
    let mut sidecars: Option<Quantity> = None;
    let mut start: Option<Quantity> = None;
    for container in &pod.init_containers {
        let request = container.request(resource);
        let need = if container.is_restartable {
            if let Some(request) = request {
                running = Some(add(running, request));
                sidecars = Some(add(sidecars, request));
            }
            sidecars.clone()
        } else {
            match request {
                Some(request) => Some(add(sidecars.clone(), request)),
                None => sidecars.clone(),
            }
        };
        start = larger(start, need);
    }
    larger(running, start)
}

fn add(sum: Option<Quantity>, request: &Quantity) -> Quantity {
    sum.map_or_else(|| request.clone(), |sum| sum.plus(request))
}

fn larger(one: Option<Quantity>, other: Option<Quantity>) -> Option<Quantity> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if one.cmp_value(&other).is_lt() {
            other
        } else {
            one
        }),
        (one, other) => one.or(other),
    }
}
