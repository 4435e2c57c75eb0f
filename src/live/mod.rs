//! What follows HPAs as they change: `watch`, `list --watch`, `capture` and `export` are fed from here.

pub(crate) mod feed;
pub(crate) mod full_screen;
pub(crate) mod saving;
