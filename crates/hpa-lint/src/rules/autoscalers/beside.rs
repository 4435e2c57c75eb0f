//! Other autoscalers of an HPA's target, from files and from a snapshot.

use std::{collections::BTreeSet, sync::Arc};

use hpa_engine::model::{self, Autoscaler, Relation, VerticalAutoscaler};
use hpa_objects::recording::AutoscalerKind;
use hpa_words::amount::names_of;
use kubectl_hpa_yaml::YamlNode;

use crate::{
    Cx, HpaSubject, ObjectRef,
    world::{KedaGroup, ScaledObject},
};

/// A ScaledObject that scales the HPA's target.
#[derive(Clone, Debug)]
pub(super) struct KedaBeside {
    /// Its kind, namespace and name.
    pub(super) object: ObjectRef,
    /// Whether it is paused, so that KEDA has deleted its HPA.
    is_paused: bool,
    /// Whether a snapshot shows that it owns the HPA.
    is_owner: bool,
}

/// The ScaledObjects that scale the HPA's target. Thousands of HPAs can share thousands of them.
pub(super) struct KedasBeside<'a> {
    all: &'a [ScaledObject],
    of_world: Arc<KedaGroup>,
    /// Those that only a snapshot has.
    of_snapshot: Vec<KedaBeside>,
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
pub(super) fn scaled_objects<'a>(cx: &Cx<'a, HpaSubject>) -> KedasBeside<'a> {
    let (world, subject) = (cx.world, cx.subject);
    let target = &subject.spec.scale_target;
    let name = (subject.target_group(), &*target.kind, &*target.name);
    let all = &world.scaled_objects;
    let of_world = world.keda_group(subject.object(), name, cx.workload);
    let mut names = BTreeSet::new();
    let of_snapshot = snapshot(cx).filter_map(|other| {
        let scaled_object = other.scaled_object.as_ref()?;
        let is_new = of_world.called(all, &other.name).is_none() && names.insert(&*other.name);
        is_new.then(|| KedaBeside {
            object: reference(cx, other),
            is_paused: model::ScaledObject::is_paused(&scaled_object.annotations),
            is_owner: other.relation == Relation::Owner,
        })
    });
    let of_snapshot = of_snapshot.collect();
    KedasBeside {
        all,
        of_world,
        of_snapshot,
    }
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
            || AutoscalerKind::leaves_replicas(&other.kind);
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

impl<'a> KedasBeside<'a> {
    /// The first for which KEDA creates this HPA, or takes the HPA over.
    pub(super) fn maker(&self, cx: &Cx<'a, HpaSubject>) -> Option<KedaBeside> {
        let labels = cx.subject.manifest.labels();
        let label = labels.get("scaledobject.keda.sh/name");
        let owners = owners(cx).filter(|(kind, _)| *kind == "ScaledObject");
        let names = owners.map(|(_, name)| name);
        let names: Vec<&str> = names.chain(label.map(String::as_str)).collect();
        let of_world = {
            let names = names.iter().copied();
            self.of_world.maker(self.all, names, cx.subject.hpa.name())
        };
        of_world.map(KedaBeside::of).or_else(|| {
            let mut of_snapshot = self.of_snapshot.iter();
            let is_maker = |one: &&KedaBeside| one.is_owner || names.contains(&&*one.object.name);
            of_snapshot.find(is_maker).cloned()
        })
    }

    /// Number of those that are paused, or of all others.
    pub(super) fn count(&self, is_paused: bool) -> usize {
        let of_snapshot = self.of_snapshot_if(is_paused).count();
        self.of_world.part(is_paused).len() + of_snapshot
    }

    /// Names of those that are paused, or of all others, for a message.
    pub(super) fn names(&self, is_paused: bool) -> String {
        let of_world = self.of_world.part(is_paused).by_name(self.all);
        let of_world = of_world.map(|one| &*one.object.name);
        let of_snapshot = self.of_snapshot_if(is_paused);
        let of_snapshot = of_snapshot.map(|one| &*one.object.name);
        first_names(of_world, of_snapshot, self.count(is_paused))
    }

    /// The first of those that are paused, or of all others, as many as a finding names.
    pub(super) fn first(&self, is_paused: bool) -> impl Iterator<Item = ObjectRef> {
        let of_world = self.of_world.part(is_paused).in_order(self.all);
        let of_world = of_world.map(|one| &one.object);
        let of_snapshot = self.of_snapshot_if(is_paused).map(|one| &one.object);
        of_world.chain(of_snapshot).take(MOST_NAMED).cloned()
    }

    fn of_snapshot_if(&self, is_paused: bool) -> impl Iterator<Item = &KedaBeside> {
        let of_snapshot = self.of_snapshot.iter();
        of_snapshot.filter(move |one| one.is_paused == is_paused)
    }
}

impl KedaBeside {
    fn of(one: &ScaledObject) -> Self {
        Self {
            object: one.object.clone(),
            is_paused: one.is_paused(),
            is_owner: false,
        }
    }
}

/// The first of `number` names for a message: of a list that is sorted and of others.
pub(super) fn first_names<'a>(
    sorted: impl Iterator<Item = &'a str>,
    others: impl Iterator<Item = &'a str>,
    number: usize,
) -> String {
    // Instead of "1 more" that one is named.
    let names: BTreeSet<&str> = sorted.take(MOST_NAMED + 1).chain(others).collect();
    names_of(names.iter(), number, MOST_NAMED)
}

/// Those that are no HPAs, of a snapshot.
fn snapshot<'a>(cx: &Cx<'a, HpaSubject>) -> impl Iterator<Item = &'a Arc<Autoscaler>> {
    let live = cx.subject.hpa.live.as_deref();
    live.into_iter()
        .flat_map(|live| live.context.surroundings.autoscalers.besides_hpas())
}

fn reference(cx: &Cx<'_, HpaSubject>, other: &Autoscaler) -> ObjectRef {
    ObjectRef {
        kind: other.kind.clone(),
        namespace: cx.subject.hpa.namespace().to_owned(),
        name: other.name.clone(),
        origin: None,
        context: None,
    }
}

/// More names make no finding clearer: thousands of objects of one target would make messages of megabytes.
pub(super) const MOST_NAMED: usize = 5;
