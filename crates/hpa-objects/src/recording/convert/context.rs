//! Converts the parts of a snapshot that do not affect the decision.

use hpa_engine::model::{ApiRequest, Context, KubeEvent, Origin, Owner, SeenWrites, Target};
use jiff::SignedDuration;

use super::wire;
use crate::recording::{Snapshot, marks};

impl Snapshot {
    /// Everything that a report shows but that does not affect the decision.
    pub fn context(&self) -> Context {
        let surroundings = self.surroundings.as_ref();
        let (surroundings, not_understood) = surroundings
            .map(wire::Surroundings::to_model)
            .unwrap_or_default();
        let not_read = self.not_read.iter().cloned();
        Context {
            is_torn: self.torn,
            events: self.kubernetes_events.iter().map(Into::into).collect(),
            seen_writes: SeenWrites::default(),
            target: self.target.as_ref().map(Into::into),
            surroundings,
            hpa_origin: hpa_origin(&self.hpa.metadata),
            hpa_edited_by: self.hpa_edited_by.clone(),
            hpa_status_written: self.hpa_status_written,
            leader_since: self.leader_since,
            not_read: not_read.chain(not_understood).collect(),
            requests: self.requests.iter().filter_map(request).collect(),
            server_version: self.server_version.clone(),
            inferred: Vec::new(),
        }
    }
}

fn hpa_origin(metadata: &wire::ObjectMeta) -> Origin {
    Origin {
        marks: marks::of(&metadata.labels, &metadata.annotations),
        owner: metadata
            .owner_references
            .iter()
            .find(|owner| owner.controller == Some(true))
            .map(Into::into),
    }
}

impl From<&wire::OwnerReference> for Owner {
    fn from(owner: &wire::OwnerReference) -> Self {
        Self {
            kind: owner.kind.clone(),
            name: owner.name.clone(),
        }
    }
}

impl From<&wire::KubernetesEvent> for KubeEvent {
    fn from(event: &wire::KubernetesEvent) -> Self {
        Self {
            event_type: event.event_type.clone(),
            reason: event.reason.clone(),
            message: event.message.clone(),
            count: event.count.unwrap_or(1),
            first: event.first_timestamp,
            last: event.last_timestamp,
        }
    }
}

impl From<&wire::Target> for Target {
    fn from(target: &wire::Target) -> Self {
        Self {
            kind: target.kind.clone(),
            name: target.name.clone(),
            template_containers: target.template_containers.clone(),
            pod_management_policy: target.pod_management_policy.clone(),
            priority_class: target.priority_class.clone(),
            ready_replicas: target.ready_replicas,
            updated_replicas: target.updated_replicas,
            replicas_written_by: target.replicas_written_by.clone(),
            applied_replicas: target.applied_replicas,
            created: target.created,
            origin: Origin {
                marks: target.marks.clone(),
                owner: target.owner.as_ref().map(Into::into),
            },
            rollout: target.rollout.as_ref().map(Into::into),
            intermediate_owners: target.intermediate_owners.clone(),
        }
    }
}

/// None: its duration is out of range.
fn request(request: &wire::ApiRequest) -> Option<ApiRequest> {
    Some(ApiRequest {
        what: request.what.clone(),
        path: request.path.clone(),
        status: request.status,
        took: seconds(request.took_seconds)?,
    })
}

fn seconds(seconds: f64) -> Option<SignedDuration> {
    SignedDuration::try_from_secs_f64(seconds).ok()
}
