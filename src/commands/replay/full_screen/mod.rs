//! `kubectl hpa replay --tui`: the screen of `watch` on a recording.
//!
//! A thread reads and recomputes; what it has so far can already be viewed. The position is a time: the screen shows
//! each HPA as it was then.

mod loader;
mod run;

pub(super) use run::run;
