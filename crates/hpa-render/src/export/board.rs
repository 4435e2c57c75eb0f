//! The state of all HPAs, and whether it is visible.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    sync::{Arc, Mutex},
    time::Duration,
};

use hpa_engine::model::{HpaKey, Source};
use hpa_watch::{Event, State, Update, source_of};
use jiff::Timestamp;

use super::{exposition::ProcessNumbers, record::Record};
use crate::watch::source_name;

/// The state of all HPAs. The loop of `watch` writes it, the server reads it.
#[derive(Debug)]
pub struct Board {
    /// The HPAs.
    pub(super) hpas: BTreeMap<HpaKey, Record>,
    /// Why the HPAs are not watched; none: they are watched.
    waits_for: Option<String>,
    /// Sources that cannot be read, and why.
    pub(super) failing: BTreeMap<Source, String>,
    /// When the API server last answered.
    pub(super) heard_at: Option<Timestamp>,
    /// How often the series were served.
    pub(super) scrapes: u64,
    /// How long that took.
    pub(super) scraping: Duration,
    /// Numbers of the exporter's process.
    pub(super) process: Option<ProcessNumbers>,
}

/// The board, shared by the loop and the server.
pub type SharedBoard = Arc<Mutex<Board>>;

/// Whether everything is visible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readiness {
    /// Whether everything can be read.
    pub is_ready: bool,
    /// The body of the answer.
    pub text: String,
}

impl Default for Board {
    fn default() -> Self {
        Self {
            hpas: BTreeMap::new(),
            waits_for: Some("connecting to the API server".to_owned()),
            failing: BTreeMap::new(),
            heard_at: None,
            scrapes: 0,
            scraping: Duration::ZERO,
            process: None,
        }
    }
}

impl Board {
    /// Records why the HPAs are not watched yet.
    pub fn wait_for(&mut self, why: String) {
        self.waits_for = Some(why);
    }

    /// Records that the HPAs are watched, or that there are none. `heard_at` is when the API server answered.
    pub fn begin(&mut self, heard_at: Timestamp) {
        self.waits_for = None;
        self.heard_at = Some(heard_at);
    }

    /// Records an event before the state processes it.
    pub fn before(&mut self, event: &Event, at: Timestamp) {
        match event {
            Event::Seen(seen) => self.record(&seen.hpa).look(seen, false),
            Event::Reconciled(seen) => self.record(&seen.hpa).look(seen, true),
            Event::Compared { hpa, at, agreement } => {
                if let Some(record) = self.hpas.get_mut(hpa) {
                    record.compare(*at, agreement);
                }
            }
            Event::Deleted { hpa } => {
                self.hpas.remove(hpa);
            }
            Event::InformerInput => self.heard_at = self.heard_at.max(Some(at)),
            Event::Failing { .. }
            | Event::Marked { .. }
            | Event::Recovered { .. }
            | Event::Tick => {}
        }
    }

    /// Records the updates of an event. `about` names the HPA that the event is about; none: it may concern all.
    pub fn after(&mut self, updates: &[Update], state: &State, about: Option<&HpaKey>) {
        for update in updates {
            if let Update::Changed { hpa, changes, .. } | Update::Reconciled { hpa, changes, .. } =
                update
                && let Some(record) = self.hpas.get_mut(hpa)
            {
                record.rescale(changes);
            }
        }
        if let Some(hpa) = about {
            if let Some(record) = self.hpas.get_mut(hpa) {
                record.see(is_visible(state, hpa));
            }
            return;
        }
        for (hpa, record) in &mut self.hpas {
            record.see(is_visible(state, hpa));
        }
        let failures = state.failures.iter();
        self.failing = failures
            .map(|(source, failure)| (source.clone(), failure.why.clone()))
            .collect();
    }

    /// Whether the API server answers and HPAs can be watched.
    pub(super) fn is_up(&self) -> bool {
        self.waits_for.is_none()
            && !self.failing.contains_key(&Source::Server)
            && !self.failing.keys().any(is_of_hpas)
    }

    /// Whether everything can be read, and what cannot.
    pub fn readiness(&self) -> Readiness {
        let unseen = self.hpas.iter().filter(|(_, record)| !record.is_visible);
        let unseen: Vec<&HpaKey> = unseen.map(|(hpa, _)| hpa).collect();
        let is_ready = self.is_up() && unseen.is_empty();
        let mut text = if is_ready {
            format!("ready: HPAs: {}\n", self.hpas.len())
        } else {
            String::from("not ready\n")
        };
        if let Some(why) = &self.waits_for {
            let _ = writeln!(text, "{why}");
        }
        for (source, why) in &self.failing {
            if let Some(source) = source_name(source) {
                let _ = writeln!(text, "cannot read {source}: {why}");
            }
        }
        if !unseen.is_empty() {
            let _ = writeln!(
                text,
                "cannot see {} of {} HPAs:",
                unseen.len(),
                self.hpas.len()
            );
            for hpa in unseen.into_iter().take(MOST_NAMED) {
                let _ = writeln!(text, "  {hpa}");
            }
        }
        Readiness { is_ready, text }
    }

    fn record(&mut self, hpa: &HpaKey) -> &mut Record {
        self.hpas.entry(hpa.clone()).or_default()
    }
}

/// Whether every source that an HPA depends on can be read, and was read again after a failure.
fn is_visible(state: &State, hpa: &HpaKey) -> bool {
    state.hpas.get(hpa).is_some_and(|known| {
        known.deleted_at.is_none()
            && !state.is_old(known)
            && !state.failures.contains_key(&source_of(hpa))
    })
}

fn is_of_hpas(source: &Source) -> bool {
    matches!(source, Source::Watch { resource } if resource == "horizontalpodautoscalers")
}

/// At most this many HPAs are named in an answer.
const MOST_NAMED: usize = 10;
