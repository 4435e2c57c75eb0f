//! The full screen of `watch`: shows the cluster and handles the user's input.

use std::path::PathBuf;

use hpa_engine::model::HpaKey;
use hpa_objects::recording::Snapshot;
use hpa_playback::Archive;
use hpa_watch::{EntryId, Event, State};
use hpa_words::program::typed;
use jiff::{Timestamp, tz::TimeZone};

use crate::{
    cli::{ColorChoice, WatchArgs, WatchFormat},
    commands::full_screen::{ARCHIVE_BUDGET, FullScreen, Happened},
    exit_code::ExitStatus,
    process::{stop::StopSignal, terminal},
    screen::{Mode, ScreenOptions, ScreenRequest, Terminal},
};

/// The full screen of `watch`.
pub(super) struct Live {
    screen: FullScreen,
    /// The snapshot of each sync, for pages of the past and for saving.
    archive: Archive,
    is_recorded: bool,
}

/// What remains to do after an event of the terminal.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Nothing.
    Nothing,
    /// Leave.
    Leave,
    /// Set a mark.
    Mark {
        /// The user's text.
        note: String,
        /// Its time; none: now.
        at: Option<Timestamp>,
    },
}

/// Whether `args` request the full screen, and the terminal supports it.
pub(super) fn is_requested(args: &WatchArgs) -> bool {
    args.output == WatchFormat::Auto && Terminal::is_missing().is_none() && !terminal::is_dumb()
}

impl Live {
    /// Opens it.
    pub(super) fn open(args: &WatchArgs, color: ColorChoice) -> anyhow::Result<Self> {
        let style = terminal::style(color);
        let options = ScreenOptions {
            has_color: style.has_color,
            has_unicode: style.has_unicode,
            zone: TimeZone::system(),
            mode: Mode::Live,
            title: title(args),
        };
        Ok(Self {
            screen: FullScreen::open(
                options,
                style,
                "the full screen",
                "use -o plain for a line at each change",
            )?,
            archive: Archive::new(ARCHIVE_BUDGET),
            is_recorded: args.record.is_some(),
        })
    }

    /// Keeps the snapshot of a sync.
    pub(super) fn settled(&mut self, snapshot: &Snapshot) {
        let metadata = &snapshot.hpa.metadata;
        let hpa = HpaKey {
            namespace: metadata.namespace.clone().unwrap_or_default(),
            name: metadata.name.clone(),
        };
        if let Err(error) = self.archive.push(&hpa, snapshot) {
            self.report(&format!("a sync of {hpa} is not kept: {error}"));
        }
    }

    /// Handles an event before the state does.
    pub(super) fn before(&mut self, event: &Event) {
        if let Event::Reconciled(seen) = event {
            let analysis = &seen.assessment.analysis;
            let (memory, basis) = (&analysis.memory, analysis.memory_basis);
            self.archive
                .remember(&seen.hpa, analysis.trace.at, memory, basis);
        }
        if !matches!(event, Event::InformerInput | Event::Tick) {
            self.screen.changed();
        }
    }

    /// Waits for an event of the terminal. Cancel-safe.
    pub(super) async fn next(&mut self) -> Happened {
        self.screen.next().await
    }

    /// Handles an event of the terminal.
    pub(super) fn take(&mut self, happened: Happened, state: &State, now: Timestamp) -> Wish {
        let is_there = match happened {
            Happened::Draw => self.screen.draw(state, now, &self.archive),
            Happened::Input(input) => match self.screen.take(&input, state, now) {
                Some(request) => return self.answer(request, state),
                None => true,
            },
            Happened::Suspend => self.screen.suspend(),
            Happened::Done(reported) => {
                self.report(&reported);
                true
            }
            Happened::Closed => false,
        };
        if is_there { Wish::Nothing } else { Wish::Leave }
    }

    /// Leaves, once all pending saves are done. Fails if something could not be saved.
    pub(super) async fn finish(self, stop: &mut StopSignal) -> ExitStatus {
        self.screen.finish(stop).await
    }

    /// Shows a message in one line.
    pub(super) fn report(&mut self, text: &str) {
        self.screen.screen().report(text);
    }

    fn answer(&mut self, request: ScreenRequest, state: &State) -> Wish {
        match request {
            ScreenRequest::Quit => return Wish::Leave,
            ScreenRequest::Suspend if !self.screen.suspend() => return Wish::Leave,
            ScreenRequest::Mark { note, at } => {
                let reported = if self.is_recorded {
                    "marked, in the recording as well"
                } else {
                    "marked; saving what was seen keeps it"
                };
                self.report(reported);
                return Wish::Mark { note, at };
            }
            ScreenRequest::Page { hpa, entry } => self.show_page(&hpa, entry, state),
            ScreenRequest::Simulate { hpa, at } => self.screen.show_ahead(&hpa, at, &self.archive),
            ScreenRequest::Save { path } => self.save(path, state),
            ScreenRequest::Copy { .. } | ScreenRequest::Play(_) | ScreenRequest::Suspend => {}
        }
        Wish::Nothing
    }

    fn show_page(&mut self, hpa: &HpaKey, entry: Option<EntryId>, state: &State) {
        let known = state.hpas.get(hpa);
        let entry = entry.and_then(|id| known?.history.get(id));
        match entry {
            Some(entry) => {
                let remedy = if self.is_recorded {
                    let command = typed("replay FILE --tui");
                    format!("the recording has it, for `{command}`")
                } else {
                    "--record FILE keeps everything".to_owned()
                };
                self.screen.show_past(hpa, entry.at, &self.archive, &remedy);
            }
            None => self.screen.show_latest(hpa, state),
        }
    }

    fn save(&mut self, path: PathBuf, state: &State) {
        self.screen.save(path, &self.archive, &state.marks);
    }
}

/// The title: what is watched, as in the arguments.
fn title(args: &WatchArgs) -> String {
    let mut words = args.selection.names.clone();
    if args.selection.all_namespaces {
        words.push("-A".to_owned());
    }
    if let Some(namespace) = &args.connection.namespace {
        words.push(format!("-n {namespace}"));
    }
    if let Some(selector) = &args.selection.selector {
        words.push(format!("-l {selector}"));
    }
    if let Some(context) = &args.connection.context {
        words.push(format!("--context {context}"));
    }
    words.join(" ")
}
