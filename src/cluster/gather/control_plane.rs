//! What is known of the control plane, whatever HPAs are looked at.

use futures::future;
use jiff::Timestamp;

use crate::{
    cluster::{
        client::Client,
        controller_manager::{self, Leader},
        version::ServerVersion,
    },
    model::{ControllerConfig, label_selector::Wording},
    recording::wire::NotRead,
};

/// Version, leader and flags.
#[derive(Clone, Debug)]
pub(in crate::cluster) struct ControlPlane {
    /// Version of the API server, if it could be read.
    pub(in crate::cluster) server: Option<ServerVersion>,
    /// Who leads, if that is known and anybody has to be elected.
    pub(in crate::cluster) leader: Option<Leader>,
    /// Version, flags and gates of the controller.
    pub(in crate::cluster) controller: ControllerConfig,
    /// Wording of selectors in the controller's version.
    pub(in crate::cluster) wording: Wording,
    /// What could not be read, or had to be assumed against the facts.
    pub(in crate::cluster) not_read: Vec<NotRead>,
}

impl ControlPlane {
    /// Reads all of it.
    pub(in crate::cluster) async fn read(client: &Client) -> Self {
        let (server, leader, pods) = future::join3(
            client.read_version(),
            controller_manager::read_leader(client),
            controller_manager::read_pods(client),
        )
        .await;
        let mut not_read = Vec::new();
        let mut note = |reason: NotRead| not_read.push(reason);
        let server = server
            .map_err(|error| {
                note(NotRead {
                    what: "serverVersion".to_owned(),
                    why: error.to_string(),
                    remedy: None,
                });
            })
            .ok();
        let leader = leader.map_err(&mut note).ok().flatten();
        let pods = pods.map_err(&mut note).unwrap_or_default();
        let (controller, notes) =
            controller_manager::config(server.as_ref(), &pods, leader.as_ref());
        not_read.extend(notes);
        Self {
            server,
            leader,
            wording: Wording::of(controller.version.value),
            controller,
            not_read,
        }
    }

    /// Since when the present controller remembers.
    pub(in crate::cluster) fn leader_since(&self) -> Option<Timestamp> {
        self.leader.as_ref()?.since
    }
}
