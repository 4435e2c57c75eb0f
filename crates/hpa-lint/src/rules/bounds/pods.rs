//! What a pod of the target needs.

use std::collections::BTreeMap;

use hpa_analysis::pod_size;
use hpa_engine::model::Pod;

use crate::{
    Cx, HpaSubject, Missing,
    world::{PodTemplate, TargetingHpa, Workload},
};

/// A pod of the target, from its template.
pub(super) struct TargetPod<'a> {
    pub(super) pod: Pod,
    template: &'a PodTemplate,
}

/// A pod of the HPA's target.
pub(super) fn pod_of_target<'a>(cx: &Cx<'a, HpaSubject>) -> Result<TargetPod<'a>, Missing> {
    let template = cx.pod_template()?;
    let own = cx.subject.object();
    let pod = cx.world.pod_of(template, own, &cx.switches()).pod;
    Ok(TargetPod { pod, template })
}

/// A pod of any HPA's target. None if unknown.
pub(super) fn needs_of(cx: &Cx<'_, HpaSubject>, hpa: &TargetingHpa) -> Option<Pod> {
    let workload = cx.world.target_of(hpa)?;
    let template = cx
        .world
        .template_workload(workload)
        .and_then(Workload::pod_template)
        .ok()?;
    Some(cx.world.pod_of(template, &hpa.object, &cx.switches()).pod)
}

/// Thousandths of a resource as text.
pub(super) fn amount(milli: i128, resource: &str) -> String {
    pod_size::text(milli, resource)
}

impl<'a> TargetPod<'a> {
    /// `priorityClassName`, if written.
    pub(super) fn priority_class(&self) -> Option<&'a str> {
        let class = self.template.priority_class.as_str();
        (!class.is_empty()).then_some(class)
    }

    /// `nodeSelector`.
    pub(super) fn node_selector(&self) -> &'a BTreeMap<String, String> {
        &self.template.node_selector
    }
}
