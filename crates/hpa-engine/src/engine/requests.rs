//! Requests by pod. Upstream: `calculateRequests` and, for pod-level requests, `calculatePodLevelRequests` in
//! `replica_calculator.go`.

use crate::{
    engine::context::{ReconcileContext, SelectedPods},
    model::{Container, Pod, Quantity, Switches, TextVersion, find_resource},
    trace::{Milli, PodRequest, RequestGap, SumRequests},
};

/// The request of one pod for a resource, as the controller counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Milli-units.
    pub milli: i64,
    /// Whether the request is a pod-level request, and this version counts those.
    pub is_pod_level: bool,
}

/// The request of a pod for `resource`: of all counted containers together, or of the named one.
pub fn pod_request(
    switches: &Switches,
    pod: &Pod,
    resource: &str,
    container: Option<&str>,
) -> Result<Request, RequestGap> {
    let is_pod_level =
        switches.pod_level_requests && container.is_none() && pod.has_pod_level_requests();
    let milli = if is_pod_level {
        pod_level_request(switches, pod, resource)
    } else {
        container_requests(switches, pod, resource, container)
    }?;
    Ok(Request {
        milli,
        is_pod_level,
    })
}

/// The containers whose requests count: the regular ones first, then the restartable init containers if this version
/// counts them; from 1.38 on the restartable ones come first. The order decides which gap is named.
pub fn counted_containers<'a>(
    switches: &Switches,
    pod: &'a Pod,
) -> impl Iterator<Item = &'a Container> + use<'a> {
    let counts_sidecars = switches.sidecar_requests;
    let is_sidecar = move |container: &&Container| counts_sidecars && container.is_restartable;
    let sidecars = || pod.init_containers.iter().filter(is_sidecar);
    let are_first = TextVersion(38) <= switches.texts;
    let (before, after) = (are_first.then(sidecars), (!are_first).then(sidecars));
    let (before, after) = (before.into_iter().flatten(), after.into_iter().flatten());
    before.chain(&pod.containers).chain(after)
}

/// Adds up the requests of every selected pod in any phase. The first pod with a gap fails the whole metric.
pub(crate) fn sum_requests(
    cx: &ReconcileContext<'_>,
    pods: &SelectedPods<'_>,
    resource: &str,
    container: Option<&str>,
) -> SumRequests {
    let mut requests = Vec::with_capacity(pods.indices.len());
    let mut failed = None;
    for (index, pod) in pods.iter() {
        match pod_request(cx.switches, pod, resource, container) {
            Ok(request) => {
                requests.push(PodRequest {
                    pod: index,
                    request: Milli(request.milli),
                    is_pod_level: request.is_pod_level,
                });
            }
            Err(gap) => {
                failed = Some((gap.text(cx.switches, pod, resource), gap));
                break;
            }
        }
    }
    let (error, gap) = failed.unzip();
    SumRequests {
        resource: resource.to_owned(),
        container: container.map(str::to_owned),
        requests,
        error,
        gap,
    }
}

impl RequestGap {
    /// The controller's error.
    fn text(&self, switches: &Switches, pod: &Pod, resource: &str) -> String {
        let pod = &pod.name;
        match self {
            Self::Container(container) if switches.missing_request_names_pod => {
                format!("missing request for {resource} in container {container} of Pod {pod}")
            }
            Self::Container(_) => format!("missing request for {resource}"),
            Self::Absent(container) => format!("container {container} not found in Pod {pod}"),
            Self::Pod => format!("missing pod-level request for {resource} in Pod {pod}"),
        }
    }
}

/// The sum over the containers, or the request of the named one, in milli-units. Each request is rounded up separately.
fn container_requests(
    switches: &Switches,
    pod: &Pod,
    resource: &str,
    container: Option<&str>,
) -> Result<i64, RequestGap> {
    let mut sum = 0_i64;
    let mut is_found = container.is_none();
    for candidate in counted_containers(switches, pod) {
        if container.is_some_and(|container| container != candidate.name) {
            continue;
        }
        is_found = true;
        let Some(request) = candidate.request(resource) else {
            return Err(RequestGap::Container(candidate.name.clone()));
        };
        sum = sum.wrapping_add(request.milli_value(switches.overflow()));
    }
    if !is_found && switches.absent_container_is_error {
        let container = container.unwrap_or_default();
        return Err(RequestGap::Absent(container.to_owned()));
    }
    Ok(sum)
}

/// The pod-level request, or else the effective request of the containers, plus the overhead; milli-units.
fn pod_level_request(switches: &Switches, pod: &Pod, resource: &str) -> Result<i64, RequestGap> {
    let own = find_resource(&pod.requests, resource).cloned();
    let base = own.or_else(|| effective_container_request(pod, resource));
    let overhead = find_resource(&pod.overhead, resource).filter(|_| switches.pod_level_overhead);
    let total = match (base, overhead) {
        (Some(base), Some(overhead)) => base.plus(overhead),
        (Some(base), None) => base,
        (None, Some(overhead)) => overhead.clone(),
        (None, None) => return Err(RequestGap::Pod),
    };
    Ok(total.milli_value(switches.overflow()))
}

/// What the scheduler reserves for the containers: the larger of the running containers and the peak of the init
/// sequence. None if no container requests the resource. Upstream: `PodRequests` of `resourcehelper`.
pub fn effective_container_request(pod: &Pod, resource: &str) -> Option<Quantity> {
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
