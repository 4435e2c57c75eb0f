//! The pod that a template produces, with the API server's defaults.

use hpa_engine::{
    engine::effective_container_request,
    model::{Container, Pod, PodPhase, Probe, Quantity, ResourceList, Switches, find_resource},
};

use super::{LimitRange, PodTemplate, World, pod_template};
use crate::ObjectRef;

/// A pod from a template, and where its requests come from.
#[derive(Clone, Debug)]
pub struct TemplatePod<'a> {
    /// The pod, as the controller would read it.
    pub pod: Pod,
    /// `resources.limits` of the pod as a whole.
    pub limits: ResourceList,
    template: &'a PodTemplate,
    ranges: Vec<&'a LimitRange>,
}

/// Where a container's request comes from if it is not written.
#[derive(Clone, Copy, Debug)]
pub enum RequestOrigin<'a> {
    /// The container's limit.
    Limit,
    /// A LimitRange of the namespace.
    LimitRange(&'a LimitRange),
}

impl PodTemplate {
    /// The pod from the template as the API server stores it: a limit without a request is also the request. It has no
    /// name and no status.
    fn admit(&self, switches: &Switches, ranges: &[&LimitRange]) -> Pod {
        let containers = |list: &[pod_template::TemplateContainer]| {
            list.iter()
                .map(|container| admitted(container, ranges))
                .collect()
        };
        let mut pod = Pod {
            labels: self.labels.clone().into(),
            phase: PodPhase::Running,
            containers: containers(&self.containers),
            init_containers: containers(&self.init_containers),
            requests: self.requests.clone(),
            overhead: self.overhead.clone(),
            ..Pod::default()
        };
        if switches.pod_level_requests && !self.limits.is_empty() {
            fill_pod_level(&mut pod, &self.limits);
        }
        pod
    }
}

impl World {
    /// The pod that a template produces in the namespace of an object, with the defaults of the known LimitRanges.
    pub fn pod_of<'a>(
        &'a self,
        template: &'a PodTemplate,
        beside: &ObjectRef,
        switches: &Switches,
    ) -> TemplatePod<'a> {
        let ranges: Vec<&LimitRange> = self.limit_ranges_beside(beside).collect();
        TemplatePod {
            pod: template.admit(switches, &ranges),
            limits: template.limits.clone(),
            template,
            ranges,
        }
    }
}

impl<'a> TemplatePod<'a> {
    /// Where a container's request comes from. None: it is written, or there is none.
    pub fn request_origin(&self, container: &str, resource: &str) -> Option<RequestOrigin<'a>> {
        let template = self.template;
        let mut all = template.containers.iter().chain(&template.init_containers);
        let written = all.find(|one| one.name == container)?;
        if find_resource(&written.requests, resource).is_some() {
            return None;
        }
        if written.limit(resource).is_some() {
            return Some(RequestOrigin::Limit);
        }
        let range = self
            .ranges
            .iter()
            .find(|range| find_resource(&range.default_requests, resource).is_some())?;
        Some(RequestOrigin::LimitRange(range))
    }

    /// The highest usage of all running containers together, or of the named one. None if one of them has no limit.
    pub fn limit(&self, resource: &str, container: Option<&str>) -> Option<Quantity> {
        let pod = &self.pod;
        let running = pod
            .containers
            .iter()
            .chain(pod.init_containers.iter().filter(|one| one.is_restartable))
            .filter(|one| container.is_none_or(|name| name == one.name));
        let mut sum: Option<Quantity> = None;
        let mut is_limited = true;
        for container in running {
            match container.limit(resource) {
                Some(limit) => sum = Some(sum.map_or_else(|| limit.clone(), |sum| sum.plus(limit))),
                None => is_limited = false,
            }
        }
        let of_containers = sum.filter(|_| is_limited);
        match (of_containers, find_resource(&self.limits, resource)) {
            (Some(one), Some(other)) if other.cmp_value(&one).is_lt() => Some(other.clone()),
            (Some(one), _) => Some(one),
            (None, other) => other.cloned(),
        }
    }
}

/// A container after creation: a limit without a request becomes the request, then the LimitRanges fill in the rest.
/// Upstream: `SetDefaults_Pod`, then the admission plugin LimitRanger.
fn admitted(container: &pod_template::TemplateContainer, ranges: &[&LimitRange]) -> Container {
    let mut requests = container.requests.clone();
    let mut limits = container.limits.clone();
    fill(&mut requests, &limits);
    for range in ranges {
        fill(&mut limits, &range.default_limits);
        fill(&mut requests, &range.default_requests);
    }
    Container {
        name: container.name.clone(),
        requests,
        limits,
        is_restartable: container.is_restartable,
        readiness_probe: container.readiness_probe.map(|probe| Probe {
            initial_delay_seconds: probe.initial_delay_seconds,
            period_seconds: probe.period_seconds,
        }),
    }
}

/// Fills in pod-level requests from the containers' requests, or else from the pod-level limits. Upstream:
/// `defaultPodRequests`.
fn fill_pod_level(pod: &mut Pod, limits: &ResourceList) {
    for (name, limit) in limits {
        let is_known = find_resource(&pod.requests, name).is_some();
        if !is_known {
            let needed = effective_container_request(pod, name);
            pod.requests
                .push((name.clone(), needed.unwrap_or_else(|| limit.clone())));
        }
    }
}

/// Adds the missing entries.
fn fill(list: &mut ResourceList, from: &ResourceList) {
    for (name, quantity) in from {
        if find_resource(list, name).is_none() {
            list.push((name.clone(), quantity.clone()));
        }
    }
}
