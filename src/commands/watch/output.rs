//! The outputs of `watch`.

use std::io::{self, IsTerminal as _, Write as _};

use hpa_objects::recording::visible;
use hpa_render::watch::{jsonl, plain::PlainLines};
use hpa_watch::{State, Update};
use jiff::{Timestamp, tz::TimeZone};

use crate::{
    cli::{ColorChoice, WatchArgs, WatchFormat},
    process::{terminal, workflow},
};

/// An output of `watch`.
pub(super) enum WatchOutput {
    /// Lines for people.
    Plain(Box<PlainLines>),
    /// Lines for programs.
    Jsonl,
}

impl WatchOutput {
    /// The output that the arguments request.
    pub(super) fn new(args: &WatchArgs, color: ColorChoice) -> Self {
        match args.output {
            WatchFormat::Auto | WatchFormat::Plain => {
                let style = terminal::style(color);
                let wrap = io::stdout().is_terminal().then_some(style.width);
                Self::Plain(Box::new(PlainLines::new(style, TimeZone::system(), wrap)))
            }
            WatchFormat::Jsonl => Self::Jsonl,
        }
    }

    /// Shows the updates of an event immediately: a reader may wait for them.
    pub(super) fn show(
        &mut self,
        state: &State,
        updates: &[Update],
        at: Timestamp,
    ) -> io::Result<()> {
        let mut text = String::new();
        for update in updates {
            match self {
                Self::Plain(lines) => text.push_str(&lines.update(update, state, at)),
                Self::Jsonl => {
                    if let Some(line) = jsonl::line(update, state, at) {
                        text.push_str(&visible::json(&line)?);
                        text.push('\n');
                    }
                }
            }
        }
        if let Self::Plain(lines) = self {
            text.push_str(&lines.overdue(state, at));
        }
        write(&text)
    }

    /// Shows what was waiting for something that will not come any more.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(lines) => write(&lines.rest()),
            Self::Jsonl => Ok(()),
        }
    }

    /// Whether a summary line follows at the end.
    pub(super) fn has_summary(&self) -> bool {
        matches!(self, Self::Plain(_))
    }
}

fn write(text: &str) -> io::Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    let mut out = workflow::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}
