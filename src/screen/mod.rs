//! The full screen of `watch` and of `replay --tui`: what it shows of a `watch::State`, and what keys and mouse do to
//! it. It draws and answers with requests; reading a cluster, writing files and the terminal itself are not known here.

mod glyphs;
mod header;
mod options;
mod palette;
mod request;
mod rows;
mod scene;
mod status_bar;
mod table;
mod text;
mod verdict;
mod view;

pub use options::{Mode, Options, Playback, Tick, TickKind};
pub use request::{Direction, Play, Request, Stop};
pub use view::Screen;
