//! The total capacity of the nodes.

use std::collections::BTreeMap;

use hpa_analysis::pod_size;
use hpa_engine::model::{Pod, ResourceList};

use crate::{Cx, HpaSubject, Missing};

/// Allocatable resources of the nodes together, in thousandths.
pub(super) struct Capacity(BTreeMap<String, i128>);

/// A resource that the nodes do not have enough of.
pub(super) struct ShortResource<'a> {
    pub(super) resource: &'a str,
    pub(super) need: i128,
    pub(super) offered: i128,
    /// Number of pods that fit.
    fits: i128,
}

impl ShortResource<'_> {
    /// The advice, with the number to write if any pod fits.
    pub(super) fn help(&self) -> String {
        if self.fits < 1 {
            "request less per pod, or add larger nodes".to_owned()
        } else {
            format!("lower maxReplicas to {} or less, or add nodes", self.fits)
        }
    }
}

impl Capacity {
    /// The nodes with these labels that are not cordoned. Files rarely contain nodes; a cluster read includes them
    /// where they matter.
    pub(super) fn of(
        cx: &Cx<'_, HpaSubject>,
        selector: &BTreeMap<String, String>,
    ) -> Result<Self, Missing> {
        let mut sum = Self(BTreeMap::new());
        if !cx.world.nodes.is_empty() {
            let nodes = cx.world.nodes.iter();
            for node in nodes.filter(|node| !node.is_cordoned && node.has_labels(selector)) {
                sum.add(&node.allocatable, 1);
            }
            return Ok(sum);
        }
        cx.world.require("Node")?;
        let downstream = &cx.live()?.context.surroundings.downstream;
        let unread = |why: &str| Missing::NotRead {
            what: "nodes".to_owned(),
            why: why.to_owned(),
        };
        let nodes = downstream.nodes.as_ref();
        let nodes = nodes.ok_or_else(|| unread("they are read only if pods wait for a node"))?;
        if nodes.has_more {
            return Err(unread("the cluster has too many"));
        }
        if !selector.is_empty() {
            return Err(unread("only their sizes are known, not their labels"));
        }
        for shape in nodes.shapes.iter().filter(|shape| !shape.is_cordoned) {
            sum.add(&shape.allocatable, shape.count);
        }
        Ok(sum)
    }

    fn add(&mut self, allocatable: &ResourceList, count: usize) {
        let count = i128::try_from(count).unwrap_or(i128::MAX);
        for (name, quantity) in allocatable {
            let sum = self.0.entry(name.clone()).or_default();
            *sum = sum.saturating_add(pod_size::milli(quantity).saturating_mul(count));
        }
    }

    /// The resources that the nodes have.
    pub(super) fn resources(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Thousandths of a resource on all nodes.
    pub(super) fn offered(&self, resource: &str) -> i128 {
        self.0.get(resource).copied().unwrap_or_default()
    }

    /// Thousandths of a node resource that a pod takes.
    pub(super) fn per_pod(pod: &Pod, resource: &str) -> i128 {
        match resource {
            "pods" => 1000,
            _ => pod_size::request(pod, resource),
        }
    }

    /// The resource with the largest ratio of what `pods` pods need to what the nodes have, if it exceeds 1.
    pub(super) fn short(&self, pod: &Pod, pods: i128) -> Option<ShortResource<'_>> {
        self.0
            .iter()
            .filter_map(|(resource, offered)| {
                let per_pod = Self::per_pod(pod, resource);
                let need = per_pod.saturating_mul(pods);
                (*offered < need).then(|| ShortResource {
                    resource,
                    need,
                    offered: *offered,
                    fits: offered / per_pod.max(1),
                })
            })
            .min_by_key(|short| short.fits)
    }
}
