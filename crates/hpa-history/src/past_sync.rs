//! A sync of the past, and how certain its recomputed result is.

use hpa_engine::{
    model::{Memory, Observation},
    trace::Trace,
};
use jiff::Timestamp;

use crate::scrape::Scrape;

/// How certain a recomputed sync is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Unknown: the metrics failed, or series that the decision needs were not kept.
    Unknown,
    /// An unseen change may have affected it.
    Likely,
    /// Everything that the controller may have read and remembered leads to it.
    Certain,
}

/// Why a sync is not certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// The sync itself was not seen: the next one came before the scrape.
    Unseen,
    /// The decision depends on unseen syncs, or on when they were.
    OtherSyncs,
    /// It depends on pods whose state changed around that time, or on samples of new pods.
    Pods,
    /// The pods were not read.
    NoPods,
    /// The controller's own values are not exported.
    NoValues,
    /// The series start shortly before.
    Begin,
    /// The spec was edited since; `behavior` is today's.
    Edited,
}

/// The recomputed result of a sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recomputed {
    /// The most probable replicas.
    pub likely: i32,
    /// The fewest and the most replicas.
    pub range: (i32, i32),
    /// The recommendation, before any limit.
    pub recommendation: Option<i32>,
    /// How certain it is.
    pub certainty: Certainty,
    /// Why it is not certain.
    pub doubts: Vec<Doubt>,
}

/// One sync of the past.
pub struct PastSync<'a> {
    /// What the scrape after it shows.
    pub scrape: &'a Scrape,
    /// The scrape before it.
    pub before: Option<&'a Scrape>,
    /// The most probable time of the sync.
    pub now: Timestamp,
    /// Whether the scrape shows this sync's status, not that of a later sync.
    pub is_seen: bool,
    /// The recomputed result. None if the sync cannot be recomputed.
    pub recomputed: Option<&'a Recomputed>,
    /// What the controller most probably read, remembered and decided.
    pub details: Option<Details<'a>>,
}

/// What the controller most probably read, remembered and decided.
#[derive(Clone, Copy)]
pub struct Details<'a> {
    /// What it read.
    pub observation: &'a Observation,
    /// What it remembered.
    pub memory: &'a Memory,
    /// What it decided.
    pub trace: &'a Trace,
}
