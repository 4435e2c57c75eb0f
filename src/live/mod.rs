//! What follows HPAs as they change: `watch` and `export` are fed from here, and `replay --tui` shows the same screen.

pub(crate) mod feed;
pub(crate) mod pulse;
