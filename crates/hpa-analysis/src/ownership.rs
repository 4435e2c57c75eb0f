//! Whether a selected pod belongs to the scale target or to another owner.

use hpa_engine::model::{Context, KnownKind, Observation, Owner, Pod, ScaleTargetRef, Target};

/// Who a pod belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Belonging {
    /// It belongs to the scale target.
    Target,
    /// It belongs to another owner, or has none.
    Other,
    /// Unknown: a link of the owner chain was not read.
    Unknown,
}

/// Who a pod belongs to, and its owner chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ownership {
    /// Its controlling owner, the owner of that, and so on as far as they were read.
    pub chain: Vec<Owner>,
    /// Who it belongs to.
    pub belonging: Belonging,
}

/// Follows the owners of a pod to the scale target or to another owner.
pub fn ownership(pod: &Pod, observation: &Observation, context: &Context) -> Ownership {
    let target = &observation.hpa.spec.scale_target;
    belonging_of(
        pod.owner.iter().cloned().collect(),
        target,
        context.target.as_ref(),
    )
}

/// `chain` has at most the controlling owner.
fn belonging_of(
    mut chain: Vec<Owner>,
    target: &ScaleTargetRef,
    read: Option<&Target>,
) -> Ownership {
    if let Some(owner) = chain.first()
        && let Some(above) = owner_of(owner, read)
    {
        chain.push(above);
    }
    let belonging = if chain.iter().any(|owner| is_target(owner, target)) {
        Belonging::Target
    } else {
        stranger(&chain, target)
    };
    Ownership { chain, belonging }
}

/// The owner of a ReplicaSet or similar object, if it was read.
fn owner_of(owner: &Owner, target: Option<&Target>) -> Option<Owner> {
    target?
        .intermediate_owners
        .iter()
        .find(|between| between.kind == owner.kind && between.name == owner.name)
        .filter(|between| !between.owner_kind.is_empty())
        .map(|between| Owner {
            kind: between.owner_kind.clone(),
            name: between.owner_name.clone(),
        })
}

fn is_target(owner: &Owner, target: &ScaleTargetRef) -> bool {
    owner.kind == target.kind && owner.name == target.name
}

/// Who a pod without a known path to the target belongs to. Certain only for kinds whose ownership of pods is known.
fn stranger(chain: &[Owner], target: &ScaleTargetRef) -> Belonging {
    let kind = KnownKind::of(&target.kind);
    let is_unread = |only: &Owner| {
        // A ReplicaSet that was not read. Its name may make it one of the target's: `NAME-HASH`.
        kind.creates_replica_sets()
            && KnownKind::of(&only.kind).is_replica_set()
            && may_be_of(only, target)
    };
    match chain {
        _ if !kind.has_replicas() => Belonging::Unknown,
        [only] if is_unread(only) => Belonging::Unknown,
        _ => Belonging::Other,
    }
}

fn may_be_of(replica_set: &Owner, target: &ScaleTargetRef) -> bool {
    replica_set
        .name
        .strip_prefix(&target.name)
        .and_then(|rest| rest.strip_prefix('-'))
        .is_some_and(|hash| !hash.is_empty() && !hash.contains('-'))
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::IntermediateOwner;

    use super::*;

    fn belonging(target_kind: &str, owner: Option<(&str, &str)>) -> Belonging {
        let target = ScaleTargetRef {
            api_version: None,
            kind: target_kind.to_owned(),
            name: "web".to_owned(),
        };
        let read = Target {
            intermediate_owners: vec![
                between("web-1a", "Deployment", "web"),
                between("web-2b", "Deployment", "web-canary"),
            ],
            ..Target::default()
        };
        let chain: Vec<Owner> = owner
            .map(|(kind, name)| Owner {
                kind: kind.to_owned(),
                name: name.to_owned(),
            })
            .into_iter()
            .collect();
        belonging_of(chain, &target, Some(&read)).belonging
    }

    fn between(name: &str, owner_kind: &str, owner_name: &str) -> IntermediateOwner {
        IntermediateOwner {
            kind: "ReplicaSet".to_owned(),
            name: name.to_owned(),
            owner_kind: owner_kind.to_owned(),
            owner_name: owner_name.to_owned(),
            failure: None,
            revision: None,
        }
    }

    #[test]
    fn owners_are_followed_to_the_target() {
        assert_eq!(
            belonging("Deployment", Some(("ReplicaSet", "web-1a"))),
            Belonging::Target
        );
        assert_eq!(
            belonging("StatefulSet", Some(("StatefulSet", "web"))),
            Belonging::Target
        );
        for owner in [
            Some(("ReplicaSet", "web-2b")),
            Some(("ReplicaSet", "web-canary-3c")),
            Some(("Job", "web-29012345")),
            None,
        ] {
            assert_eq!(
                belonging("Deployment", owner),
                Belonging::Other,
                "{owner:?}"
            );
        }
    }

    #[test]
    fn what_was_not_read_is_not_called_foreign() {
        let unread = Some(("ReplicaSet", "web-9z"));
        assert_eq!(belonging("Deployment", unread), Belonging::Unknown);
        assert_eq!(
            belonging("Widget", Some(("Gear", "web-1"))),
            Belonging::Unknown
        );
    }
}
