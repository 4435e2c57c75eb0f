//! The pods that an HPA measures: those in a cluster, or else a pod from the template.

use hpa_analysis::selected_pods;
use hpa_engine::{
    engine::{counted_containers, pod_request},
    model::{Container, Pod, Switches},
    trace::RequestGap,
};

use super::entry::Utilization;
use crate::{
    Cx, HpaSubject, Missing,
    world::{TemplatePod, Workload},
};

/// A pod from the target's template.
#[derive(Debug)]
pub(super) struct TargetPod<'a> {
    /// The target, or the workload whose template it uses.
    pub(super) workload: &'a Workload,
    /// Its pod.
    pub(super) template: TemplatePod<'a>,
    /// The version-specific behavior of the controller.
    pub(super) switches: Switches,
}

impl<'a> TargetPod<'a> {
    /// The pod of the HPA's target. An Argo Rollout can use another workload's template.
    pub(super) fn of(cx: &Cx<'a, HpaSubject>) -> Result<Self, Missing> {
        let workload = cx.template_workload()?;
        let switches = cx.switches();
        let template = workload.pod_template()?;
        Ok(Self {
            workload,
            template: cx.world.pod_of(template, cx.subject.object(), &switches),
            switches,
        })
    }

    /// The containers that the metric counts.
    pub(super) fn counted(&self, container: Option<&str>) -> Vec<&Container> {
        counted_containers(&self.switches, &self.template.pod)
            .filter(|one| container.is_none_or(|name| name == one.name))
            .collect()
    }

    /// The pod's request for the metric in milli-units, or why there is none.
    pub(super) fn request(&self, metric: &Utilization<'_>) -> Result<i64, RequestGap> {
        pod_request(
            &self.switches,
            &self.template.pod,
            metric.resource,
            metric.container,
        )
        .map(|request| request.milli)
    }

    /// Whether the pod has a pod-level request that the metric uses.
    pub(super) fn states_requests_as_a_whole(&self, metric: &Utilization<'_>) -> bool {
        pod_request(
            &self.switches,
            &self.template.pod,
            metric.resource,
            metric.container,
        )
        .is_ok_and(|request| request.is_pod_level)
    }

    /// The highest usage of the pod, or of one container, in milli-units. None: no limit. Fails if a limit could come
    /// from an unknown LimitRange.
    pub(super) fn limit(
        &self,
        cx: &Cx<'_, HpaSubject>,
        resource: &str,
        container: Option<&str>,
    ) -> Result<Option<i64>, Missing> {
        match self.template.limit(resource, container) {
            Some(limit) => Ok(Some(limit.milli_value(self.switches.overflow()))),
            None => cx.world.require("LimitRange").map(|()| None),
        }
    }

    /// The path of a container's resources in the workload.
    pub(super) fn resources_path(&self, container: &str) -> String {
        let pod = &self.template.pod;
        let find = |list: &[Container]| list.iter().position(|one| one.name == container);
        let place = find(&pod.containers)
            .map(|index| format!("containers[{index}]"))
            .or_else(|| Some(format!("initContainers[{}]", find(&pod.init_containers)?)));
        match place {
            Some(place) => format!("spec.template.spec.{place}.resources"),
            None => "spec.template.spec".to_owned(),
        }
    }
}

/// The HPA's pods in a cluster. None without a cluster or without pods.
pub(super) fn live_pods<'a>(cx: &Cx<'a, HpaSubject>) -> Option<Vec<&'a Pod>> {
    let live = cx.live().ok()?;
    let pods = selected_pods(&live.observation);
    (!pods.is_empty()).then_some(pods)
}

/// Whether the target's template has a container with this name. If the template is unknown, every container counts as
/// its own.
pub(super) fn is_of_template(cx: &Cx<'_, HpaSubject>, container: &str) -> bool {
    let target = cx.live().ok().and_then(|live| live.context.target.as_ref());
    match target.map(|target| &target.template_containers) {
        Some(names) if !names.is_empty() => names.iter().any(|name| name == container),
        _ => true,
    }
}

/// The containers of a pod without a request, which fail a metric.
pub(super) fn without_request<'a>(
    switches: &Switches,
    pod: &'a Pod,
    metric: &Utilization<'_>,
) -> Vec<&'a Container> {
    match pod_request(switches, pod, metric.resource, metric.container) {
        Err(RequestGap::Container(_)) => counted_containers(switches, pod)
            .filter(|one| metric.container.is_none_or(|name| name == one.name))
            .filter(|one| one.request(metric.resource).is_none())
            .collect(),
        _ => Vec::new(),
    }
}
