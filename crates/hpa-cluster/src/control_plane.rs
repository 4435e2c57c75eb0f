//! What is known about the control plane, independent of HPAs.

use futures::future;
use hpa_engine::model::{ControllerConfig, SnapshotField, label_selector::Wording};
use hpa_objects::recording::wire::NotRead;
use jiff::Timestamp;

use crate::{
    client::Client,
    controller_manager::{self, ControllerPod, Leader},
    version::ServerVersion,
};

/// Version, leader and flags.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ControlPlane {
    /// Version of the API server, if it could be read.
    pub(crate) server: Option<ServerVersion>,
    /// The leader, if it is known and leader election is on.
    pub(crate) leader: Option<Leader>,
    /// Version, flags and gates of the controller.
    pub(crate) controller: ControllerConfig,
    /// Wording of selector errors in the controller's version.
    pub(crate) wording: Wording,
    /// What could not be read, or had to be assumed against the facts.
    pub(crate) not_read: Vec<NotRead>,
    /// Whether a part could not be read but may be readable next time; missing permissions stay missing.
    pub(crate) is_incomplete: bool,
    parts: Parts,
}

/// The parts, or why each was not read.
#[derive(Clone, Debug, PartialEq)]
struct Parts {
    server: Result<ServerVersion, NotRead>,
    leader: Result<Option<Leader>, NotRead>,
    pods: Result<Vec<ControllerPod>, NotRead>,
}

impl ControlPlane {
    /// Reads all parts.
    pub(crate) async fn read(client: &Client) -> Self {
        let (server, leader, pods) = future::join3(
            client.read_version(),
            controller_manager::read_leader(client),
            controller_manager::read_pods(client),
        )
        .await;
        let server = server.map_err(|error| NotRead {
            what: SnapshotField::ServerVersion,
            why: error.to_string(),
            remedy: None,
            is_forbidden: false,
        });
        Self::of(Parts {
            server,
            leader,
            pods,
        })
    }

    /// Fills in the parts of `known` that could not be read now.
    pub(crate) fn or_known(self, known: &Self) -> Self {
        let (now, known) = (self.parts, known.parts.clone());
        let plane = Self::of(Parts {
            server: or(now.server, known.server),
            leader: or(now.leader, known.leader),
            pods: or(now.pods, known.pods),
        });
        Self {
            is_incomplete: self.is_incomplete,
            ..plane
        }
    }

    /// Since when the current controller has its recommendation history.
    pub(crate) fn leader_since(&self) -> Option<Timestamp> {
        self.leader.as_ref()?.since
    }

    fn of(parts: Parts) -> Self {
        let Parts {
            server,
            leader,
            pods,
        } = &parts;
        let failures = [
            server.as_ref().err(),
            leader.as_ref().err(),
            pods.as_ref().err(),
        ];
        let mut not_read: Vec<NotRead> = failures.into_iter().flatten().cloned().collect();
        let is_incomplete = not_read.iter().any(|reason| reason.remedy.is_none());
        let server = server.as_ref().ok().cloned();
        let leader = leader.as_ref().ok().cloned().flatten();
        let pods = pods.as_deref().unwrap_or_default();
        let (controller, notes) =
            controller_manager::config(server.as_ref(), pods, leader.as_ref());
        not_read.extend(notes);
        Self {
            server,
            leader,
            wording: Wording::of(controller.version.value),
            controller,
            not_read,
            is_incomplete,
            parts,
        }
    }
}

fn or<T>(now: Result<T, NotRead>, known: Result<T, NotRead>) -> Result<T, NotRead> {
    now.or_else(|reason| known.map_err(|_| reason))
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::KubeVersion;

    use super::*;

    fn failed(remedy: Option<&str>) -> NotRead {
        NotRead {
            what: SnapshotField::Controller,
            why: "not now".to_owned(),
            remedy: remedy.map(str::to_owned),
            is_forbidden: false,
        }
    }

    fn led_by(identity: &str) -> Parts {
        Parts {
            server: Ok(ServerVersion {
                git_version: "v1.30.2".to_owned(),
                ..ServerVersion::default()
            }),
            leader: Ok(Some(Leader {
                since: None,
                identity: identity.to_owned(),
            })),
            pods: Ok(Vec::new()),
        }
    }

    #[test]
    fn what_a_later_read_lacks_stays_known_until_it_can_be_read() {
        let known = ControlPlane::of(led_by("a_1"));
        assert!(!known.is_incomplete);
        let read = ControlPlane::of(Parts {
            server: Err(failed(None)),
            ..led_by("b_2")
        });
        assert_eq!(read.controller.version.value, KubeVersion::NEWEST);
        let both = read.or_known(&known);
        assert_eq!(both.controller, known.controller);
        assert_eq!(both.leader.as_ref().unwrap().identity, "b_2");
        assert_eq!(both.not_read, []);
        assert!(both.is_incomplete, "the version may be another by now");
        let whole = ControlPlane::of(led_by("b_2")).or_known(&both);
        assert!(!whole.is_incomplete);
    }

    #[test]
    fn what_permissions_are_missing_for_is_not_waited_for() {
        let plane = ControlPlane::of(Parts {
            pods: Err(failed(Some("needs permission"))),
            ..led_by("a_1")
        });
        assert!(!plane.is_incomplete);
        assert_eq!(plane.not_read.len(), 1);
    }
}
