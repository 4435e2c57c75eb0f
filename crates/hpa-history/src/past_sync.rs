//! A sync of the past: what was seen of it, and what is recomputed.

use hpa_engine::{
    model::{Memory, Observation},
    trace::Trace,
};
use jiff::Timestamp;

use crate::{certainty::Recomputed, follow::follow_until, scrape::Scrape, sources::Sources};

/// Plays the whole past sync by sync and calls `visit` for each. Returns the scrapes.
pub fn follow(sources: &Sources<'_>, visit: &mut dyn FnMut(&PastSync<'_>)) -> Vec<Scrape> {
    follow_until(sources, visit, &|| false)
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
