//! Pods that fail a metric in percent of requests, in whatever phase they are.

use hpa_engine::{engine::pod_request, model::Pod, trace::RequestGap};
use hpa_words::amount::resource_in_prose;

use crate::{Cx, HpaSubject, rules::metrics::entry::utilizations};

/// What a metric needs and a pod does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MissingRequest<'a> {
    /// Name of the resource that the metric measures.
    resource: &'a str,
    gap: RequestGap,
}

impl MissingRequest<'_> {
    /// `CPU request`, `container app`.
    pub(super) fn what(&self) -> String {
        match &self.gap {
            RequestGap::Absent(container) => format!("container {container}"),
            RequestGap::Container(_) | RequestGap::Pod => {
                format!("{} request", resource_in_prose(self.resource))
            }
        }
    }

    /// The metric that fails: `CPU utilization`.
    pub(super) fn metric(&self) -> String {
        format!("{} utilization", resource_in_prose(self.resource))
    }
}

/// The first metric that the pod fails. The controller adds up the requests of all selected pods, also of those that it
/// ignores otherwise.
pub(super) fn missing_request<'a>(
    cx: &Cx<'a, HpaSubject>,
    pod: &Pod,
) -> Option<MissingRequest<'a>> {
    let switches = cx.switches();
    let mut metrics = utilizations(&cx.subject.spec).into_iter();
    metrics.find_map(|metric| {
        let resource = metric.resource;
        let gap = pod_request(&switches, pod, resource, metric.container).err()?;
        Some(MissingRequest { resource, gap })
    })
}
