//! How many such pods the nodes could hold at most.

use hpa_analysis::pod_size;
use hpa_engine::model::{NodeShape, Pod};
use hpa_words::amount::{count, names};

use super::{own_pods::OwnPods, quotas::largest_desired};
use crate::{
    ExplainContext,
    note::{NoteTopic, NoteView, NoteWeight},
    pods::{waits_for_room, what_lacks},
};

/// How many pods like the newest one the nodes could hold if nothing else ran there. Taints and affinity are not
/// considered, so it is an upper bound.
pub(super) fn notes(cx: &ExplainContext<'_>, own: &OwnPods<'_>) -> Vec<NoteView> {
    let nodes = cx.context.surroundings.downstream.nodes.as_ref();
    let (Some(nodes), Some(pod)) = (nodes, own.newest()) else {
        return Vec::new();
    };
    if nodes.has_more {
        let text = "more than 500 nodes: their room for pods was not added up";
        return vec![NoteTopic::Downstream.note("nodes", NoteWeight::Detail, text.to_owned())];
    }
    let count_of = |is_selected: fn(&NodeShape) -> bool| {
        let intended = nodes.shapes.iter().filter(|shape| is_selected(shape));
        intended.fold(0_usize, |sum, shape| sum.saturating_add(shape.count))
    };
    let number = count_of(|_| true);
    if number == 0 {
        return Vec::new();
    }
    let most = nodes.shapes.iter().fold(0_i128, |room, shape| {
        let nodes = i128::try_from(shape.count).unwrap_or(i128::MAX);
        room.saturating_add(nodes.saturating_mul(fits(shape, pod)))
    });
    let size = size(nodes.shapes.first(), pod);
    let each = if size.is_empty() {
        String::new()
    } else {
        format!(" of {}", names(&size, 9))
    };
    let but = match count_of(|shape| shape.is_cordoned) {
        0 => String::new(),
        1 => ", 1 of them cordoned".to_owned(),
        more => format!(", {more} of them cordoned"),
    };
    let (has, they) = if number == 1 {
        ("has", "it")
    } else {
        ("have", "they")
    };
    // The scheduler is the judge: it also knows what else runs there.
    let without_node = own.without_node();
    let mut why = without_node.iter().filter(|pod| waits_for_room(pod));
    let why = why.find_map(|pod| pod.waiting.as_deref());
    let pods = count(usize::try_from(most).unwrap_or(usize::MAX), "pod");
    let room = if let Some(lacks) = why.map(what_lacks) {
        let waiting = count(without_node.len(), "waiting pod");
        // Room for all says nothing beside the scheduler.
        let empty = if i128::from(cx.facts.max()) <= most {
            String::new()
        } else {
            format!("; by requests alone, {they} would hold at most {pods}{each} when empty")
        };
        format!(": none takes the {waiting}, says the scheduler ({lacks}){empty}")
    } else {
        format!(": empty, {they} {has} room for at most {pods}{each}")
    };
    let text = format!(
        "{}{but}{room}; max is {}",
        count(number, "node"),
        cx.facts.max()
    );
    let weight = if most < i128::from(cx.facts.max()) {
        NoteWeight::Warning
    } else if most < i128::from(largest_desired(cx)) || !without_node.is_empty() {
        NoteWeight::Normal
    } else {
        NoteWeight::Detail
    };
    vec![NoteTopic::Downstream.note("nodes", weight, text)]
}

/// How many of these pods an empty node of this size holds.
fn fits(shape: &NodeShape, pod: &Pod) -> i128 {
    let by_resource = shape.allocatable.iter().filter_map(|(name, allocatable)| {
        let per_pod = match name.as_str() {
            "pods" => 1000,
            _ => pod_size::request(pod, name),
        };
        (0 < per_pod).then(|| pod_size::milli(allocatable).max(0) / per_pod)
    });
    by_resource.min().unwrap_or_default()
}

/// What the pod requests of the resources that nodes have: `500m cpu`, `1Gi memory`.
fn size(shape: Option<&NodeShape>, pod: &Pod) -> Vec<String> {
    let names = shape.iter().flat_map(|shape| &shape.allocatable);
    names
        .filter_map(|(name, _)| {
            let milli = pod_size::request(pod, name);
            (0 < milli).then(|| format!("{} {name}", pod_size::text(milli, name)))
        })
        .collect()
}
