//! ReplicaSets.

use prost::Message;

use super::{
    FromProtobuf,
    metadata::{ObjectMetaMessage, all},
};
use crate::replica_sets::{self, SetCondition};

impl FromProtobuf for replica_sets::ReplicaSet {
    type Message = ReplicaSetMessage;

    fn parts(message: &ReplicaSetMessage) -> usize {
        let metadata = message.metadata.iter().map(ObjectMetaMessage::parts);
        let status = message.status.iter().map(|status| status.conditions.len());
        1 + metadata.chain(status).sum::<usize>()
    }

    fn from_message(message: ReplicaSetMessage) -> Self {
        let metadata = message.metadata.unwrap_or_default();
        let status = message.status.unwrap_or_default();
        Self {
            metadata: replica_sets::SetMetadata {
                name: metadata.name,
                namespace: metadata.namespace,
                labels: metadata.labels,
                annotations: metadata.annotations,
                owner_references: all(metadata.owner_references),
            },
            status: replica_sets::SetStatus {
                replicas: status.replicas,
                conditions: status
                    .conditions
                    .into_iter()
                    .map(|condition| SetCondition {
                        condition_type: condition.condition_type,
                        status: condition.status,
                        message: condition.message,
                    })
                    .collect(),
            },
        }
    }
}

/// Upstream: `apps/v1.ReplicaSet`.
#[derive(Clone, PartialEq, Message)]
pub(in super::super) struct ReplicaSetMessage {
    #[prost(message, optional, tag = "1")]
    metadata: Option<ObjectMetaMessage>,
    #[prost(message, optional, tag = "3")]
    status: Option<ReplicaSetStatusMessage>,
}

/// Upstream: `apps/v1.ReplicaSetStatus`.
#[derive(Clone, PartialEq, Message)]
struct ReplicaSetStatusMessage {
    #[prost(int32, tag = "1")]
    replicas: i32,
    #[prost(message, repeated, tag = "6")]
    conditions: Vec<ReplicaSetConditionMessage>,
}

/// Upstream: `apps/v1.ReplicaSetCondition`.
#[derive(Clone, PartialEq, Message)]
struct ReplicaSetConditionMessage {
    #[prost(string, tag = "1")]
    condition_type: String,
    #[prost(string, tag = "2")]
    status: String,
    #[prost(string, tag = "5")]
    message: String,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::protobuf::metadata::tests::of_set;

    /// A ReplicaSetMessage of a Deployment that cannot create pods.
    pub(in super::super) fn whole() -> ReplicaSetMessage {
        ReplicaSetMessage {
            metadata: Some(of_set()),
            status: Some(ReplicaSetStatusMessage {
                replicas: 2,
                conditions: vec![ReplicaSetConditionMessage {
                    condition_type: "ReplicaFailure".to_owned(),
                    status: "True".to_owned(),
                    message: "exceeded quota".to_owned(),
                }],
            }),
        }
    }
}
