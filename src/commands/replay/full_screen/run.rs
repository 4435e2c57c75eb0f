//! The loop of `replay --tui`.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, bail};
use hpa_engine::model::HpaKey;
use hpa_objects::recording::{ReadError, name_of};
use hpa_playback::Archive;
use hpa_watch::{EntryId, Event, State, reduce};
use hpa_words::program::typed;
use jiff::{Timestamp, tz::TimeZone};
use tokio::{sync::mpsc::Receiver, time::Instant};

use super::loader::{LoaderResult, load};
use crate::{
    cli::{ColorChoice, ReplayArgs},
    commands::full_screen::{ARCHIVE_BUDGET, FullScreen, Happened},
    exit_code::ExitStatus,
    process::{runtime::runtime, stop::StopSignal, terminal},
    screen::{Mode, ScreenOptions, ScreenRequest, Timeline},
};

/// Runs `kubectl hpa replay --tui`.
pub(in crate::commands::replay) fn run(
    args: &ReplayArgs,
    color: ColorChoice,
) -> anyhow::Result<ExitStatus> {
    runtime()?.block_on(replay(args, color))
}

async fn replay(args: &ReplayArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    let mut stop = StopSignal::listen().context("cannot listen for signals")?;
    let file = name_of(args.path());
    let archive = Arc::new(Mutex::new(Archive::new(ARCHIVE_BUDGET)));
    let mut loaded = load(args, &archive)?;
    // Errors at the start are reported without a screen.
    let first = tokio::select! {
        first = loaded.recv() => match first {
            Some(LoaderResult::Events(events)) => events,
            Some(LoaderResult::Failed(error) | LoaderResult::Interrupted(error)) => {
                return Err(error).context(file);
            }
            None => bail!("{file} has no snapshots"),
        },
        () = stop.wait() => return Ok(ExitStatus::Success),
    };
    let style = terminal::style(color);
    let options = ScreenOptions {
        has_color: style.has_color,
        has_unicode: style.has_unicode,
        zone: TimeZone::system(),
        mode: Mode::Replay,
        title: file.clone(),
    };
    let instead = format!(
        "without --tui, `{}` prints a line for each reconcile",
        typed("replay")
    );
    let screen = FullScreen::open(options, style, "--tui", &instead)?.of_recording(args.path());
    let begin = first.last().map_or(Timestamp::UNIX_EPOCH, |(_, at)| *at);
    let mut replaying = Replaying {
        screen,
        archive,
        state: State::default(),
        timeline: Timeline::new(begin),
        read: 0,
        is_cut: false,
    };
    replaying.take(first);
    let failure = replaying.run(loaded, &mut stop).await;
    let saved = replaying.screen.finish(&mut stop).await;
    match failure {
        Some(error) => Err(error).context(file),
        None => Ok(saved),
    }
}

struct Replaying {
    screen: FullScreen,
    archive: Arc<Mutex<Archive>>,
    state: State,
    timeline: Timeline,
    /// Number of snapshots read so far.
    read: usize,
    /// Whether the rest could not be read.
    is_cut: bool,
}

impl Replaying {
    /// Runs until the user leaves. Returns the error after which the file could not be read further.
    async fn run(
        &mut self,
        mut loaded: Receiver<LoaderResult>,
        stop: &mut StopSignal,
    ) -> Option<ReadError> {
        let mut failure = None;
        loop {
            let is_requested = tokio::select! {
                // Keys first: reading a day takes a while.
                biased;
                () = stop.wait() => return failure,
                happened = self.screen.next() => self.happen(happened),
                next = loaded.recv(), if !self.timeline.is_complete() => {
                    match next {
                        Some(LoaderResult::Events(events)) => self.take(events),
                        Some(LoaderResult::Interrupted(error)) => {
                            self.is_cut = true;
                            self.report(&error.to_string());
                        }
                        Some(LoaderResult::Failed(error)) => {
                            self.is_cut = true;
                            self.report(&format!("cannot read the rest: {error}"));
                            failure = Some(error);
                        }
                        None => self.end_loading(),
                    }
                    true
                }
            };
            if !is_requested {
                return failure;
            }
        }
    }

    fn take(&mut self, events: Vec<(Event, Timestamp)>) {
        for (event, at) in events {
            let updates = reduce(&mut self.state, event, at);
            self.timeline.take(&updates, &self.state, at);
        }
        self.read += 1;
        if SHORT < self.read {
            self.screen.reads_on();
        } else {
            self.screen.changed();
        }
    }

    fn end_loading(&mut self) {
        self.timeline.complete();
        self.screen.changed();
        if SHORT < self.read && !self.is_cut {
            self.report(&format!("read: {} snapshots", self.read));
        }
    }

    /// Returns false if the screen should close.
    fn happen(&mut self, happened: Happened) -> bool {
        match happened {
            Happened::Draw => {
                self.timeline.advance(Instant::now());
                if !self.timeline.is_complete() && SHORT < self.read {
                    self.report(&format!("reading: {} snapshots so far", self.read));
                }
                self.screen.screen().show_playback(self.timeline.playback());
                let archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
                let position = self.timeline.position();
                let is_there = self.screen.draw(&self.state, position, &archive);
                drop(archive);
                if self.timeline.is_playing() {
                    self.screen.changed();
                }
                is_there
            }
            Happened::Input(input) => {
                let position = self.timeline.position();
                match self.screen.take(&input, &self.state, position) {
                    Some(request) => self.answer(request),
                    None => true,
                }
            }
            Happened::Suspend => self.screen.suspend(),
            Happened::Done(reported) => {
                self.report(&reported);
                true
            }
            Happened::Closed => false,
        }
    }

    fn answer(&mut self, request: ScreenRequest) -> bool {
        match request {
            ScreenRequest::Quit => return false,
            // The screen has already done it.
            ScreenRequest::Copy { .. } => {}
            ScreenRequest::Suspend => return self.screen.suspend(),
            ScreenRequest::Page { hpa, entry } => self.show_page(&hpa, entry),
            ScreenRequest::Simulate { hpa, at } => {
                let archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
                self.screen.show_ahead(&hpa, at, &archive);
            }
            ScreenRequest::Save { .. } if !self.timeline.is_complete() => {
                self.report("not saved: the recording is still being read");
            }
            ScreenRequest::Save { path } => {
                let archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
                self.screen.save(path, &archive, &self.state.marks);
            }
            ScreenRequest::Mark { note, at } => {
                let at = at.unwrap_or(self.timeline.position());
                let updates = reduce(&mut self.state, Event::Marked { note }, at);
                self.timeline.take(&updates, &self.state, at);
                self.report("marked; saving the recording keeps it");
            }
            ScreenRequest::Play(play) => {
                if let Some(nothing) = self.timeline.play(play, Instant::now()) {
                    self.report(nothing);
                }
                // The next key may come before the next drawing.
                let playback = self.timeline.playback();
                self.screen.screen().show_playback(playback);
            }
        }
        true
    }

    fn show_page(&mut self, hpa: &HpaKey, entry: Option<EntryId>) {
        let known = self.state.hpas.get(hpa);
        let at = entry
            .and_then(|id| Some(known?.history.get(id)?.at))
            .unwrap_or(self.timeline.position());
        let archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        let remedy = format!("`{}` explains it", typed("replay FILE --at TIME"));
        self.screen.show_past(hpa, at, &archive, &remedy);
    }

    fn report(&mut self, text: &str) {
        self.screen.screen().report(text);
    }
}

/// A recording with fewer snapshots is read before progress is needed.
const SHORT: usize = 200;
