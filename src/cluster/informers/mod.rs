//! Everything about the selected HPAs, kept current by watches.

mod change;

pub use change::Change;

use super::{Client, Error, Selection};
use crate::{recording::Snapshot, watch::HpaKey};

/// HPAs, their pods, targets and events, as watches keep them, and their metrics as polled last.
pub struct Informers<'a> {
    client: &'a Client,
    hpas: Vec<HpaKey>,
    changes: Vec<Change>,
}

/// The metrics of one namespace, as one poll found them.
#[derive(Debug)]
pub struct Polled {
    namespace: String,
}

impl<'a> Informers<'a> {
    /// Lists everything, and goes on from there by watches. Errors are those of [`super::gather`]: there is no such HPA, or the HPAs
    /// may not be read.
    pub async fn start(client: &'a Client, selection: &'a Selection) -> Result<Self, Error> {
        let _ = selection;
        Ok(Self {
            client,
            hpas: Vec::new(),
            changes: Vec::new(),
        })
    }

    /// Waits for the next change. Never ends. May be dropped while it waits, without loss. Watches go on only while it is awaited.
    pub async fn next(&mut self) -> Change {
        match self.changes.pop() {
            Some(change) => change,
            None => std::future::pending().await,
        }
    }

    /// The selected HPAs, those that appeared since the start as well.
    pub fn hpas(&self) -> Vec<HpaKey> {
        self.hpas.clone()
    }

    /// Reads all metrics of the namespace's selected HPAs, once. Runs beside [`Self::next`].
    pub fn poll(&self, namespace: &str) -> impl Future<Output = Polled> + use<'a> {
        let (client, namespace) = (self.client, namespace.to_owned());
        async move {
            let _ = client.now();
            Polled { namespace }
        }
    }

    /// Takes over what was polled: later snapshots have it. Gives what failed that worked before, and the other way round.
    pub fn take(&mut self, polled: Polled) -> Vec<Change> {
        drop(polled.namespace);
        Vec::new()
    }

    /// The HPA as the controller would find it now, from what is known, without any request. None: there is no such HPA, or it is not
    /// selected.
    pub fn snapshot(&self, hpa: &HpaKey) -> Option<Snapshot> {
        let _ = hpa;
        None
    }
}
