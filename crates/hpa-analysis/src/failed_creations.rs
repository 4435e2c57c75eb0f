//! Why pods of the scale target could not be created, as the API server says.

use hpa_engine::model::{Context, Observation, Quantity, ResourceQuota};
use jiff::Timestamp;

use super::pod_size;

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
    /// Whether that is the reason now.
    pub state: RefusalState,
}

/// Whether a refusal is the reason now. The target's controller waits longer and longer before it tries again, and
/// keeps the old message until then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalState {
    /// As far as known: nothing shows that it is over.
    Holds,
    /// It is over: the quota that refused the pods has room for what they request now.
    Over,
    /// Not known: the quotas were not read.
    Unknown,
}

impl FailedCreation<'_> {
    /// Whether what refused the pods is over.
    pub fn is_over(&self) -> bool {
        self.state == RefusalState::Over
    }

    /// Whether a quota refused the pods.
    pub fn is_by_quota(&self) -> bool {
        ResourceQuota::refusal_in(self.message).is_some()
    }
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
                state: refusal_state(set.failure.as_deref()?, context),
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
            state: refusal_state(&event.message, context),
        })
        .collect()
}

/// Whether the quota in a refusal has room now: `… exceeded quota: compute, requested: pods=1, used: pods=17, limited:
/// pods=17`.
fn refusal_state(message: &str, context: &Context) -> RefusalState {
    let Some(refusal) = ResourceQuota::refusal_in(message) else {
        return RefusalState::Holds;
    };
    let Some(quotas) = &context.surroundings.downstream.quotas else {
        return RefusalState::Unknown;
    };
    if has_room(refusal, quotas) {
        RefusalState::Over
    } else {
        RefusalState::Holds
    }
}

fn has_room(refusal: &str, quotas: &[ResourceQuota]) -> bool {
    let parts = refusal
        .split_once(", requested: ")
        .and_then(|(name, rest)| {
            let (requested, _) = rest.split_once(", used: ")?;
            Some((name, requested))
        });
    let Some((name, requested)) = parts else {
        return false;
    };
    let Some(quota) = quotas.iter().find(|quota| quota.name == name) else {
        // It was deleted.
        return true;
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
    use hpa_engine::model::QuotaResource;

    use super::*;

    fn of(hard: &str, used: &str) -> RefusalState {
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
        refusal_state(MESSAGE, &context)
    }

    const MESSAGE: &str = "pods \"web-5d9f-x\" is forbidden: exceeded quota: compute, requested: pods=1, used: \
                           pods=17, limited: pods=17";

    #[test]
    fn refusal_is_over_once_its_quota_has_room() {
        assert_eq!(of("17", "17"), RefusalState::Holds);
        assert_eq!(of("30", "17"), RefusalState::Over);
        assert_eq!(of("17", "16"), RefusalState::Over);
        let unread = Context::default();
        assert_eq!(refusal_state(MESSAGE, &unread), RefusalState::Unknown);
        let other = "the webhook refused it";
        assert_eq!(refusal_state(other, &unread), RefusalState::Holds);
    }
}
