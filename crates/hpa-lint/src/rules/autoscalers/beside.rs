//! Other autoscalers of an HPA's target, from files and from a snapshot.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    lint::{Cx, HpaSubject, ObjectRef},
    model::{Autoscaler, Relation, VerticalAutoscaler},
    yaml::YamlNode,
};

/// A ScaledObject that scales the HPA's target.
#[derive(Clone, Debug)]
pub(super) struct KedaBeside<'a> {
    /// Its kind, namespace and name.
    pub(super) object: ObjectRef,
    /// Annotations.
    pub(super) annotations: &'a BTreeMap<String, String>,
    /// Name of the HPA that KEDA creates for it, if known.
    pub(super) name_of_hpa: Option<String>,
    /// Whether a snapshot shows that it owns the HPA.
    is_owner: bool,
}

/// A VerticalPodAutoscaler that resizes the HPA's target.
#[derive(Clone, Debug)]
pub(super) struct VerticalBeside<'a> {
    /// Its kind, namespace and name.
    pub(super) object: ObjectRef,
    /// `updateMode`.
    pub(super) mode: &'a str,
    /// What it controls.
    pub(super) policies: &'a VerticalAutoscaler,
}

/// Another autoscaler of the HPA's target.
#[derive(Clone, Debug)]
pub(super) struct ScalerBeside {
    /// Its kind, namespace and name.
    pub(super) object: ObjectRef,
    /// Its API group.
    pub(super) group: String,
}

/// ScaledObjects with the HPA's target.
pub(super) fn scaled_objects<'a>(cx: &Cx<'a, HpaSubject>) -> Vec<KedaBeside<'a>> {
    let (world, subject) = (cx.world, cx.subject);
    let target = &subject.spec.scale_target;
    let same = world.scaled_objects_of(&target.name).filter(|one| {
        one.scales(subject.target_group(), &target.kind, &target.name)
            && is_same_target(cx, &one.object)
    });
    let same = world.nearest_beside(subject.object(), same, |one| &one.object);
    let mut found: Vec<KedaBeside<'a>> = same
        .into_iter()
        .map(|one| KedaBeside {
            object: one.object.clone(),
            annotations: &one.annotations,
            name_of_hpa: Some(one.name_of_hpa()),
            is_owner: false,
        })
        .collect();
    for other in snapshot(cx) {
        let Some(scaled_object) = &other.scaled_object else {
            continue;
        };
        if found.iter().all(|one| one.object.name != other.name) {
            found.push(KedaBeside {
                object: reference(cx, other),
                annotations: &scaled_object.annotations,
                name_of_hpa: None,
                is_owner: other.relation == Relation::Owner,
            });
        }
    }
    found
}

/// VerticalPodAutoscalers with the HPA's target.
pub(super) fn verticals<'a>(cx: &Cx<'a, HpaSubject>) -> Vec<VerticalBeside<'a>> {
    let (world, subject) = (cx.world, cx.subject);
    let target = &subject.spec.scale_target;
    let same = world.verticals_of(&target.name).filter(|one| {
        one.target_group == subject.target_group()
            && one.target_kind == target.kind
            && is_same_target(cx, &one.object)
    });
    let same = world.nearest_beside(subject.object(), same, |one| &one.object);
    let mut found: Vec<VerticalBeside<'a>> = same
        .into_iter()
        .map(|one| VerticalBeside {
            object: one.object.clone(),
            mode: &one.update_mode,
            policies: &one.policies,
        })
        .collect();
    for other in snapshot(cx) {
        let Some(policies) = &other.vertical else {
            continue;
        };
        if found.iter().all(|one| one.object.name != other.name) {
            found.push(VerticalBeside {
                object: reference(cx, other),
                mode: other.mode.as_deref().unwrap_or("Auto"),
                policies,
            });
        }
    }
    found
}

/// Other autoscalers that write the replicas of the HPA's target. Owners of the HPA and dry runs are excluded.
pub(super) fn scalers(cx: &Cx<'_, HpaSubject>) -> Vec<ScalerBeside> {
    let subject = cx.subject;
    let target = &subject.spec.scale_target;
    let same = cx.world.scalers_of(&target.name).filter(|one| {
        one.target
            .is(Some(subject.target_group()), &target.kind, &target.name)
            && is_same_target(cx, &one.object)
            && !one.is_dry_run
            && !is_owned_by(cx, &one.object.kind, &one.object.name)
    });
    let same = cx
        .world
        .nearest_beside(subject.object(), same, |one| &one.object);
    let mut found: Vec<ScalerBeside> = same
        .into_iter()
        .map(|one| ScalerBeside {
            object: one.object.clone(),
            group: one.group.clone(),
        })
        .collect();
    for other in snapshot(cx) {
        let is_same =
            |one: &ScalerBeside| one.object.kind == other.kind && one.object.name == other.name;
        let is_of_another_rule = other.scaled_object.is_some()
            || other.vertical.is_some()
            || matches!(other.kind.as_str(), "Rollout" | "Canary");
        if other.relation == Relation::SameTarget
            && !matches!(other.mode.as_deref(), Some("Preview" | "Off"))
            && !is_of_another_rule
            && !found.iter().any(is_same)
        {
            found.push(ScalerBeside {
                object: reference(cx, other),
                group: other.group().to_owned(),
            });
        }
    }
    found
}

/// Whether the object of another autoscaler means the HPA's target, and not a copy that is nearer to it.
fn is_same_target(cx: &Cx<'_, HpaSubject>, other: &ObjectRef) -> bool {
    let target = &cx.subject.spec.scale_target;
    let group = cx.subject.target_group();
    cx.world
        .is_same_target(cx.workload, other, group, &target.kind, &target.name)
}

/// Whether the HPA names an owner of this kind and name.
pub(super) fn is_owned_by(cx: &Cx<'_, HpaSubject>, kind: &str, name: &str) -> bool {
    owners(cx).any(|(own_kind, own_name)| own_kind == kind && own_name == name)
}

/// Kind and name of each of the HPA's owners.
pub(super) fn owners<'a>(cx: &Cx<'a, HpaSubject>) -> impl Iterator<Item = (&'a str, &'a str)> {
    let owners = cx
        .subject
        .manifest
        .source
        .node
        .at("metadata.ownerReferences");
    let owners = owners.map(YamlNode::items).unwrap_or_default().iter();
    owners.filter_map(|owner| {
        let text = |key: &str| owner.get(key).and_then(YamlNode::as_str);
        Some((text("kind")?, text("name")?))
    })
}

impl KedaBeside<'_> {
    /// Whether KEDA creates this HPA for it, or takes the HPA over.
    pub(super) fn has_made(&self, cx: &Cx<'_, HpaSubject>) -> bool {
        let label = cx.subject.manifest.labels();
        self.is_owner
            || is_owned_by(cx, "ScaledObject", &self.object.name)
            || self.name_of_hpa.as_deref() == Some(cx.subject.name())
            || label.get("scaledobject.keda.sh/name") == Some(&self.object.name)
    }

    /// Whether it is paused, so that KEDA has deleted its HPA.
    pub(super) fn is_paused(&self) -> bool {
        ["paused", "paused-replicas"]
            .iter()
            .any(|name| crate::model::ScaledObject::is_paused_by(self.annotations, name))
    }
}

/// Those that are no HPAs, of a snapshot.
fn snapshot<'a>(cx: &Cx<'a, HpaSubject>) -> impl Iterator<Item = &'a Arc<Autoscaler>> {
    let live = cx.subject.live.as_deref();
    live.into_iter()
        .flat_map(|live| live.context.surroundings.autoscalers.besides_hpas())
}

fn reference(cx: &Cx<'_, HpaSubject>, other: &Autoscaler) -> ObjectRef {
    ObjectRef {
        kind: other.kind.clone(),
        namespace: cx.subject.namespace().to_owned(),
        name: other.name.clone(),
        origin: None,
        context: None,
    }
}

/// More names make no finding clearer: thousands of objects of one target would make messages of megabytes.
pub(super) const MOST_NAMED: usize = 5;
