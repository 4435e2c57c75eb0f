//! The containers of a pod: request, limit and usage of the resource that a metric measures.

use std::collections::BTreeMap;

use hpa_engine::{
    model::{Container, Pod, PodMetrics, Quantity, Target, find_resource, quantity::Overflow},
    trace::Milli,
};
use hpa_words::amount::MetricUnit;

use crate::{Facts, MetricFacts};

/// One container of a pod, as the metric sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase", rename = "Container")
)]
pub struct ContainerView {
    /// Its name.
    pub name: String,
    /// Its request of the metric's resource.
    pub request: Option<String>,
    /// Its limit of that resource.
    pub limit: Option<String>,
    /// Its usage of that resource.
    pub usage: Option<String>,
    /// Whether the metric fails because it has no request.
    pub lacks_request: bool,
    /// Whether it is not in the pod template of the target.
    // It was injected into the pod.
    #[cfg_attr(feature = "serde", serde(rename = "injected"))]
    pub is_injected: bool,
}

/// Which resource a metric measures, and in which containers.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeasuredResource<'a> {
    /// The resource.
    pub(super) resource: &'a str,
    /// The only container that counts; none: all.
    pub(super) container: Option<&'a str>,
    /// Whether usage is divided by requests.
    pub(super) needs_requests: bool,
}

/// The samples by the name of the pod.
#[derive(Debug)]
pub(super) struct MeasuredPods<'a>(BTreeMap<&'a str, &'a PodMetrics>);

impl<'a> MeasuredPods<'a> {
    /// If a pod has two samples, the first counts.
    pub(super) fn new(facts: &Facts<'a>) -> Self {
        let samples = facts.observation.pod_metrics.read().into_iter().flatten();
        let mut by_name = BTreeMap::new();
        for sample in samples {
            by_name.entry(sample.name.as_str()).or_insert(sample);
        }
        Self(by_name)
    }

    fn usage(&self, pod: &Pod, container: &Container, resource: &str) -> Option<&'a Quantity> {
        let sample = self.0.get(pod.name.as_str())?;
        let mut containers = sample.containers.iter();
        let found = containers.find(|one| one.name == container.name)?;
        find_resource(&found.usage, resource)
    }
}

/// What a metric measures in containers; `None` if it does not use containers.
pub(super) fn measured_resource<'a>(metric: &MetricFacts<'a>) -> Option<MeasuredResource<'a>> {
    let spec = metric.spec?;
    let target = spec.target()?;
    Some(MeasuredResource {
        resource: spec.resource()?,
        container: spec.container(),
        needs_requests: target.average_value.is_none() && target.average_utilization.is_some(),
    })
}

/// The containers of a pod that count for a metric, those without a request first.
pub(super) fn containers(
    facts: &Facts<'_>,
    measured: &MeasuredPods<'_>,
    pod: &Pod,
    measured_resource: MeasuredResource<'_>,
    target: Option<&Target>,
) -> Vec<ContainerView> {
    let unit = MetricUnit::of_resource(measured_resource.resource);
    let amount = |quantity: &Quantity| unit.amount(Milli(quantity.milli_value(Overflow::Saturate)));
    let is_pod_level = has_pod_level_requests(facts, pod, measured_resource);
    let mut views: Vec<ContainerView> = counted(facts, pod, measured_resource)
        .map(|container| ContainerView {
            name: container.name.clone(),
            request: container.request(measured_resource.resource).map(amount),
            limit: container.limit(measured_resource.resource).map(amount),
            usage: measured
                .usage(pod, container, measured_resource.resource)
                .map(amount),
            lacks_request: measured_resource.needs_requests
                && !is_pod_level
                && container.request(measured_resource.resource).is_none(),
            is_injected: is_injected(container, target),
        })
        .collect();
    views.sort_by_key(|view| !view.lacks_request);
    views
}

/// The containers whose requests the controller adds up, including this version's rule for restartable init
/// containers.
pub(super) fn counted<'a>(
    facts: &Facts<'_>,
    pod: &'a Pod,
    measured_resource: MeasuredResource<'a>,
) -> impl Iterator<Item = &'a Container> + use<'a> {
    let counts_sidecars = facts.trace.switches.sidecar_requests;
    pod.containers
        .iter()
        .chain(
            pod.init_containers
                .iter()
                .filter(move |container| counts_sidecars && container.is_restartable),
        )
        .filter(move |container| {
            measured_resource
                .container
                .is_none_or(|name| container.name == name)
        })
}

/// Whether the pod has pod-level requests, in a version that uses them instead of those of its containers.
pub(super) fn has_pod_level_requests(
    facts: &Facts<'_>,
    pod: &Pod,
    measured_resource: MeasuredResource<'_>,
) -> bool {
    facts.trace.switches.pod_level_requests
        && measured_resource.container.is_none()
        && pod.has_pod_level_requests()
}

/// Whether a container is not in the template of the target; false if there is no template.
pub(super) fn is_injected(container: &Container, target: Option<&Target>) -> bool {
    target.is_some_and(|target| {
        !target.template_containers.is_empty()
            && !target.template_containers.contains(&container.name)
    })
}
