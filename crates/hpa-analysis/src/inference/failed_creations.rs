//! Why pods of the scale target could not be created, as the API server says.

use jiff::Timestamp;

use super::pod_size;
use crate::model::{Context, Observation, Quantity};

/// A refusal to create pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailedCreation<'a> {
    /// Kind of the object that tried to create them.
    pub kind: &'a str,
    /// Its name.
    pub name: &'a str,
    /// The API server's message.
    pub message: &'a str,
    /// When it last occurred, if an Event has the time.
    pub last: Option<Timestamp>,
    /// Whether the reason is over: the quota that refused the pods has room for what they request now. The target's
    /// controller waits longer and longer before it tries again, and keeps the old message until then.
    pub is_over: bool,
}

/// Finds the refusals: conditions of the target's ReplicaSets, or else Events on the target, newest first.
pub fn failed_creations<'a>(
    observation: &Observation,
    context: &'a Context,
) -> Vec<FailedCreation<'a>> {
    let target = &observation.hpa.spec.scale_target;
    let of_sets: Vec<FailedCreation<'a>> = context
        .target
        .iter()
        .flat_map(|target| &target.intermediate_owners)
        .filter(|set| set.owner_kind == target.kind && set.owner_name == target.name)
        .filter_map(|set| {
            Some(FailedCreation {
                kind: &set.kind,
                name: &set.name,
                message: set.failure.as_deref()?,
                last: None,
                is_over: is_over(set.failure.as_deref()?, context),
            })
        })
        .collect();
    if !of_sets.is_empty() {
        return of_sets;
    }
    let events = context.surroundings.downstream.failed_creates.iter();
    events
        .map(|event| FailedCreation {
            kind: &event.kind,
            name: &event.name,
            message: &event.message,
            last: event.last,
            is_over: is_over(&event.message, context),
        })
        .collect()
}

/// Whether the quota in a refusal has room now: `… exceeded quota: compute, requested: pods=1, used: pods=17, limited:
/// pods=17`. False if that is not known.
fn is_over(message: &str, context: &Context) -> bool {
    let quotas = context.surroundings.downstream.quotas.iter().flatten();
    let refusal = message.split_once("exceeded quota: ");
    let parts = refusal.and_then(|(_, refusal)| {
        let (name, rest) = refusal.split_once(", requested: ")?;
        let (requested, _) = rest.split_once(", used: ")?;
        Some((name, requested))
    });
    let Some((name, requested)) = parts else {
        return false;
    };
    let mut named = quotas.filter(|quota| quota.name == name);
    let Some(quota) = named.next() else {
        // It was deleted, if the quotas could be read at all.
        return context.surroundings.downstream.quotas.is_some();
    };
    requested.split(',').all(|one| {
        let room = one.split_once('=').and_then(|(resource, amount)| {
            let amount = Quantity::parse(amount.trim()).ok()?;
            let mut resources = quota.resources.iter();
            let resource = resources.find(|known| known.name == resource.trim())?;
            let left = pod_size::milli(&resource.hard) - pod_size::milli(&resource.used);
            Some(pod_size::milli(&amount) <= left)
        });
        room.unwrap_or(false)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{QuotaResource, ResourceQuota};

    fn over(hard: &str, used: &str) -> bool {
        let quantity = |text| Quantity::parse(text).unwrap();
        let quota = ResourceQuota {
            name: "compute".to_owned(),
            scopes: Vec::new(),
            resources: vec![QuotaResource {
                name: "pods".to_owned(),
                hard: quantity(hard),
                used: quantity(used),
            }],
        };
        let mut context = Context::default();
        context.surroundings.downstream.quotas = Some(vec![quota]);
        let message = "pods \"web-5d9f-x\" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=17, limited: pods=17";
        is_over(message, &context)
    }

    #[test]
    fn refusal_is_over_once_its_quota_has_room() {
        assert!(!over("17", "17"));
        assert!(over("30", "17"));
        assert!(over("17", "16"));
        assert!(!is_over(
            "exceeded quota: compute, requested: pods=1, used: pods=1, limited: pods=1",
            &Context::default()
        ));
        assert!(!is_over("the webhook refused it", &Context::default()));
    }
}
