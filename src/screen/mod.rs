//! The full screen of `watch` and of `replay --tui`: draws a `watch::State`, and handles keys and mouse. It answers
//! with requests, and neither reads a cluster nor writes files. `terminal` is the terminal itself.

mod causes;
mod charts;
mod cx;
mod draw;
mod glyphs;
mod header;
mod help;
mod keys;
mod layout;
mod lists;
mod mouse;
mod options;
mod page;
mod palette;
mod paragraph;
mod pods;
mod prompt;
mod replay_timeline;
mod request;
mod rows;
mod scrubber;
mod status_bar;
mod table;
mod terminal;
#[cfg(test)]
mod tests;
mod text;
mod time_travel;
mod verdict;
mod view;

pub use options::{Mode, Playback, ScreenOptions, Tick, TickKind};
pub use replay_timeline::Timeline;
pub use request::{Play, ReplayStop, ScreenRequest, TimeDirection};
pub use terminal::{Signal, Signals, Terminal, TerminalInput};
pub use verdict::Words;
pub use view::Screen;
