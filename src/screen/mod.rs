//! The full screen of `watch` and of `replay --tui`: what it shows of a `watch::State`, and what keys and mouse do to
//! it. It draws and answers with requests; reading a cluster and writing files are not known here. `terminal` is the
//! terminal itself.

mod glyphs;
mod header;
mod options;
mod palette;
mod request;
mod rows;
mod scene;
mod status_bar;
mod table;
mod terminal;
mod text;
mod verdict;
mod view;

pub use options::{Mode, Options, Playback, Tick, TickKind};
pub use request::{Direction, Play, Request, Stop};
pub use terminal::{Input, Signal, Signals, Terminal};
pub use view::Screen;
