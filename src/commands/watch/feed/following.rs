//! Follows the selected HPAs.

use std::{collections::VecDeque, time::Duration};

use jiff::Timestamp;

use crate::{
    cli::ControllerArgs,
    cluster::{self, Client, Detail, Error, Scope, Selection},
    commands::controller_flags,
    inference::{Look, LookInput},
    recording::Snapshot,
    watch::{Agreement, Event, HpaKey, Seen},
};

/// What the feed gives.
pub(in crate::commands) enum Fed {
    /// Something for the reducer.
    Event {
        /// What happened.
        event: Event,
        /// When, by the server's clock.
        at: Timestamp,
    },
    /// What a sync of the controller found, with the time of the sync; comes before its `Event::Reconciled`.
    Settled(Box<Snapshot>),
}

/// Follows the selected HPAs.
pub(in crate::commands) struct Feed<'a> {
    client: &'a Client,
    selection: &'a Selection,
    controller: &'a ControllerArgs,
    ready: VecDeque<Fed>,
}

impl<'a> Feed<'a> {
    /// Begins to follow: reads everything once, so that what is wrong with the request is said at once.
    pub(in crate::commands) async fn start(
        client: &'a Client,
        selection: &'a Selection,
        controller: &'a ControllerArgs,
    ) -> anyhow::Result<Self> {
        let mut feed = Self {
            client,
            selection,
            controller,
            ready: VecDeque::new(),
        };
        let snapshots = feed.read().await?;
        feed.take(snapshots)?;
        Ok(feed)
    }

    /// The HPAs that are followed from the start.
    pub(in crate::commands) fn hpas(&self) -> Vec<HpaKey> {
        let hpa = |fed: &Fed| match fed {
            Fed::Event {
                event: Event::Seen(seen) | Event::Reconciled(seen),
                ..
            } => Some(seen.hpa.clone()),
            Fed::Event { .. } | Fed::Settled(_) => None,
        };
        self.ready.iter().filter_map(hpa).collect()
    }

    /// Waits for the next thing. May be dropped while it waits, without loss.
    pub(in crate::commands) async fn next(&mut self) -> Fed {
        loop {
            if let Some(fed) = self.ready.pop_front() {
                return fed;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
            if let Ok(snapshots) = self.read().await {
                let _ = self.take(snapshots);
            }
        }
    }

    async fn read(&self) -> Result<Vec<Snapshot>, Error> {
        cluster::gather(
            self.client,
            self.selection,
            Detail::Redacted,
            Scope::Decision,
        )
        .await
    }

    fn take(&mut self, snapshots: Vec<Snapshot>) -> anyhow::Result<()> {
        for mut snapshot in snapshots {
            controller_flags::apply(self.controller, &mut snapshot)?;
            let observation = snapshot.observation()?;
            let context = snapshot.context();
            let look = Look::new(&LookInput {
                observation: &observation,
                context: &context,
                memory: None,
                now: snapshot.time,
            });
            let at = snapshot.time;
            let seen = Seen {
                hpa: HpaKey {
                    namespace: observation.hpa.namespace.clone(),
                    name: observation.hpa.name.clone(),
                },
                observation,
                context,
                look,
                is_memory_observed: false,
                has_restarted: false,
                agreement: Agreement::Open,
            };
            self.ready.push_back(Fed::Settled(Box::new(snapshot)));
            self.ready.push_back(Fed::Event {
                event: Event::Reconciled(Box::new(seen)),
                at,
            });
        }
        Ok(())
    }
}
