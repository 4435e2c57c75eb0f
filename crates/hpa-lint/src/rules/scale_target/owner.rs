//! The owner of the scale target.

use hpa_engine::model::{KnownKind, Owner};

use crate::{Cx, HpaSubject, Missing};

/// The controlling owner of the target, if any. Manifests rarely show it, because the creator of an object adds it.
pub(super) fn controlling_owner(cx: &Cx<'_, HpaSubject>) -> Result<Option<Owner>, Missing> {
    let live = cx.subject.hpa.live.as_ref();
    if let Some(target) = live.and_then(|live| live.context.target.as_ref()) {
        return Ok(target.origin.owner.clone());
    }
    if live.is_some_and(|live| live.observation.scale.read().is_none()) {
        // A target that does not exist has no owner; HPA401 reports it.
        return Ok(None);
    }
    let workload = match cx.workload() {
        Ok(workload) => workload,
        Err(not_read @ Missing::NotRead { .. }) => return Err(not_read),
        Err(_) => return Err(Missing::Cluster),
    };
    let mut owners = workload.owners.iter();
    match owners.find(|owner| owner.is_controller) {
        Some(owner) => Ok(Some(Owner {
            kind: owner.kind.clone(),
            name: owner.name.clone(),
        })),
        None if workload.is_stored || cx.world.is_live() => Ok(None),
        None => Err(Missing::Cluster),
    }
}

/// Whether it is the purpose of this kind of owner to set the replicas of its objects.
pub(super) fn sets_replicas(kind: &str) -> bool {
    KnownKind::of(kind).is_scalable()
}
