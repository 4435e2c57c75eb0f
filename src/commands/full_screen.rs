//! Shared by `watch` and `replay --tui`: the terminal, the screen on it, and the screen's requests.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, anyhow, bail};
use crossterm::event::{Event, KeyCode, KeyModifiers};
use hpa_analysis::Assessment;
use hpa_engine::model::HpaKey;
use hpa_explain::{ExplainContext, Page};
use hpa_objects::recording::{Converted, InvalidField};
use hpa_playback::{Archive, Archived, PointInTime, SubjectOrigin};
use hpa_render::{
    Style,
    terminal::{PageDetail, styled_page},
};
use hpa_watch::{Mark, State};
use hpa_words::{
    clock::{Clock, whole_second},
    sanitize::one_line,
};
use jiff::{Timestamp, tz::TimeZone};
use tokio::time::{Instant, sleep_until};

use super::{
    saving::{SaveRequest, Saving},
    simulate,
};
use crate::{
    exit_code::ExitStatus,
    process::{stop::StopSignal, workflow::note},
    screen::{
        Screen, ScreenOptions, ScreenRequest, Signal, Signals, Terminal, TerminalInput, Words,
    },
};

/// The screen on a terminal. The terminal is restored on drop.
pub(crate) struct FullScreen {
    terminal: Terminal,
    input: TerminalInput,
    signals: Signals,
    screen: Screen,
    style: Style,
    zone: TimeZone,
    saving: Saving,
    drawn_at: Option<Instant>,
    /// How long the latest drawing took: with thousands of HPAs, some milliseconds.
    drawing_took: Duration,
    /// Why it must be redrawn; none: it need not be.
    change: Option<RedrawReason>,
    /// The recording that it shows; none: it shows a cluster.
    recording: Option<PathBuf>,
}

/// Why the screen must be redrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RedrawReason {
    /// A long read made progress.
    Reading,
    /// The displayed data changed.
    State,
    /// The user did something, and waits.
    Input,
}

/// An event of the terminal.
#[derive(Debug)]
pub(crate) enum Happened {
    /// Time to draw.
    Draw,
    /// The terminal reports something.
    Input(Event),
    /// The process should be suspended.
    Suspend,
    /// The terminal was closed.
    Closed,
    /// A background task is done.
    Done(String),
}

impl FullScreen {
    /// Opens the screen. `why` names the command that needs one; `instead` says what to do without one.
    pub(crate) fn open(
        options: ScreenOptions,
        style: Style,
        why: &str,
        instead: &str,
    ) -> anyhow::Result<Self> {
        if let Some(missing) = Terminal::is_missing() {
            bail!("{why} needs a terminal, but {missing}: {instead}");
        }
        let zone = options.zone.clone();
        let signals = Signals::listen().context("cannot listen for signals")?;
        Ok(Self {
            terminal: Terminal::enter().context("cannot use the terminal as a full screen")?,
            input: TerminalInput::start(),
            signals,
            screen: Screen::new(options),
            style,
            zone,
            saving: Saving::new(),
            drawn_at: None,
            drawing_took: Duration::ZERO,
            change: Some(RedrawReason::Input),
            recording: None,
        })
    }

    /// The same for a recording.
    pub(crate) fn of_recording(self, path: &Path) -> Self {
        Self {
            recording: Some(path.to_owned()),
            ..self
        }
    }

    /// The screen.
    pub(crate) fn screen(&mut self) -> &mut Screen {
        self.change = self.change.max(Some(RedrawReason::State));
        &mut self.screen
    }

    /// Waits for the next event. Cancel-safe.
    pub(crate) async fn next(&mut self) -> Happened {
        let due = self.due();
        tokio::select! {
            input = self.input.next() => input.map_or(Happened::Closed, Happened::Input),
            signal = self.signals.next() => match signal {
                Signal::Hangup => Happened::Closed,
                Signal::Suspend => Happened::Suspend,
            },
            done = self.saving.next() => Happened::Done(done),
            () = sleep_until(due) => {
                if self.terminal.is_alive() {
                    Happened::Draw
                } else {
                    Happened::Closed
                }
            }
        }
    }

    /// Marks the displayed data as changed.
    pub(crate) fn changed(&mut self) {
        self.change = self.change.max(Some(RedrawReason::State));
    }

    /// Marks a read as in progress: drawing after each step would take longer than reading.
    pub(crate) fn reads_on(&mut self) {
        self.change = self.change.max(Some(RedrawReason::Reading));
    }

    /// Handles an event of the terminal.
    pub(crate) fn take(
        &mut self,
        input: &Event,
        state: &State,
        now: Timestamp,
    ) -> Option<ScreenRequest> {
        self.change = Some(RedrawReason::Input);
        // A terminal that was quickly resized and restored has lost its content, but has its former size.
        if is_redraw(input) || matches!(input, Event::Resize(..)) {
            // If the terminal is closed, the next drawing reports it.
            let _ = self.terminal.redraw();
        }
        if is_redraw(input) {
            return None;
        }
        match self.screen.input(input, state, now)? {
            ScreenRequest::Copy { text } => {
                let reported = match self.terminal.copy(&text) {
                    Ok(()) => {
                        "copied, if this terminal allows it (OSC 52; in tmux: set-clipboard on)"
                    }
                    Err(_) => "not copied: the terminal takes nothing",
                };
                self.screen.report(reported);
                None
            }
            request => Some(request),
        }
    }

    /// Draws; `archive` has the data of past instants. Returns false if the terminal is closed.
    pub(crate) fn draw(&mut self, state: &State, now: Timestamp, archive: &Archive) -> bool {
        if let Some((hpa, at)) = self.screen.wants_words(state, now) {
            let past = archive.get(&hpa, at).and_then(Result::ok);
            let words = past.and_then(|past| assessed(past).ok()).map(|past| {
                let clock = self.clock(past.now);
                Words::of(&ExplainContext::of(&past, &clock), past.now)
            });
            self.screen.show_words(hpa, at, words);
        }
        self.change = None;
        let begun = Instant::now();
        self.drawn_at = Some(begun);
        let screen = &mut self.screen;
        let drawn = self.terminal.draw(|frame| screen.draw(frame, state, now));
        self.drawing_took = begun.elapsed();
        drawn.is_ok()
    }

    /// Suspends the process until the shell continues it. Returns false if the terminal is closed.
    pub(crate) fn suspend(&mut self) -> bool {
        self.change = Some(RedrawReason::Input);
        match self.terminal.suspend() {
            Ok(true) => {}
            Ok(false) => self
                .screen
                .report("nothing is suspended: no shell with job control would continue it"),
            Err(_) => return false,
        }
        true
    }

    /// Shows the current page of an HPA.
    pub(crate) fn show_latest(&mut self, hpa: &HpaKey, state: &State) {
        if let Some(known) = state.hpas.get(hpa) {
            let assessment = &known.latest.assessment;
            let Assessment {
                observation,
                context,
                analysis,
                ..
            } = assessment;
            let clock = self.clock(known.seen_at);
            let with_status = analysis.compared_with_status(observation, context);
            let mut cx = ExplainContext::of(assessment, &clock);
            cx.cross_check = &with_status;
            self.show(&cx);
        }
    }

    /// Shows the page of an HPA at `at`, or at the sync before. `remedy` says how to keep more if that was dropped.
    pub(crate) fn show_past(
        &mut self,
        hpa: &HpaKey,
        at: Timestamp,
        archive: &Archive,
        remedy: &str,
    ) {
        let past = match archive.get(hpa, at) {
            Some(Ok(archived)) => assessed(archived).map_err(|field| field.to_string()),
            Some(Err(error)) => Err(error.to_string()),
            None => {
                let why = if Some(at) <= archive.forgotten_until() {
                    format!("too long ago to be explained in full: {remedy}")
                } else {
                    "the HPA was not there at that time, or no sync of it was seen".to_owned()
                };
                self.screen().report(&why);
                return;
            }
        };
        match past {
            Ok(past) => {
                let at = PointInTime::At(whole_second(past.now));
                let recording = self.recording.as_deref();
                let origin = recording.map(|path| SubjectOrigin::of_file(path, Some(at)));
                let clock = self.clock(past.now);
                let mut cx = ExplainContext::of(&past, &clock);
                cx.file = origin.as_ref().and_then(SubjectOrigin::file);
                self.show(&cx);
            }
            Err(error) => self
                .screen()
                .report(&format!("this sync cannot be explained: {error}")),
        }
    }

    /// Shows what an HPA would do in the next hour if its load stayed as at the last sync up to `at`.
    pub(crate) fn show_ahead(&mut self, hpa: &HpaKey, at: Timestamp, archive: &Archive) {
        let style = self.style.with_width(self.screen.page_width());
        let page = match archive.get(hpa, at) {
            Some(Ok(latest)) => simulate::ahead(latest, style),
            Some(Err(error)) => Err(error.into()),
            None => Err(anyhow!(
                "no sync observed yet: try again after the next sync"
            )),
        };
        match page {
            Ok(page) => self.screen().show_page(&page),
            Err(error) => {
                let text = one_line(&format!("cannot simulate {hpa}: {error:#}")).into_owned();
                self.screen().report(&text);
            }
        }
    }

    /// Saves the archive with the marks in the background, and reports when it is done.
    pub(crate) fn save(&mut self, path: PathBuf, archive: &Archive, marks: &[Mark]) {
        let snapshots = archive.all();
        if snapshots.is_empty() {
            self.screen()
                .report("nothing is saved: no sync of the controller was seen yet");
            return;
        }
        let missing = archive.forgotten_until().map(|until| {
            let until = until.to_zoned(self.zone.clone()).strftime("%H:%M:%S");
            format!("; it begins after {until}, because what is older is forgotten")
        });
        let reported = format!("saving {}", path.display());
        self.screen().report(&reported);
        self.saving.begin(SaveRequest {
            path,
            snapshots,
            marks: marks.to_vec(),
            missing,
        });
    }

    /// Restores the terminal and waits for pending saves, until the user stops the wait. Fails if something could not
    /// be saved without the user having been informed.
    pub(crate) async fn finish(self, stop: &mut StopSignal) -> ExitStatus {
        let Self {
            terminal, saving, ..
        } = self;
        // The terminal is restored before anything is written to it.
        drop(terminal);
        let mut status = ExitStatus::Success;
        for saved in saving.finish(stop.wait()).await {
            if saved.is_err() {
                status = ExitStatus::Failure;
            }
            let (Ok(reported) | Err(reported)) = saved;
            note(&reported);
        }
        status
    }

    fn clock(&self, now: Timestamp) -> Clock {
        Clock::new(self.zone.clone(), now)
    }

    fn show(&mut self, cx: &ExplainContext<'_>) {
        let reported = Page::new(cx);
        let style = self.style.with_width(self.screen.page_width());
        let text = styled_page(&reported, PageDetail::default(), style);
        self.screen().show_page(&text);
    }

    /// When to draw: soon after a key, otherwise at most ten times a second and for at most a fiftieth of the time, and
    /// once a second because times are shown.
    fn due(&self) -> Instant {
        let pause = match self.change {
            Some(RedrawReason::Input) => AFTER_INPUT,
            Some(RedrawReason::State) => {
                AFTER_CHANGE.max(self.drawing_took * 50).min(WITHOUT_CHANGE)
            }
            Some(RedrawReason::Reading) => WHILE_READING,
            None => WITHOUT_CHANGE,
        };
        self.drawn_at
            .map_or_else(Instant::now, |drawn| drawn + pause)
    }
}

/// The assessment of an archived sync.
pub(crate) fn assessed(
    Archived { snapshot, memory }: Archived,
) -> Result<Assessment, InvalidField> {
    let mut input = snapshot.sync_input(&mut Converted::default())?;
    let basis = memory.map(|(memory, basis)| {
        input.memory = Some(memory);
        basis
    });
    let mut past = Assessment::new(input);
    if let Some(basis) = basis {
        past.analysis.memory_basis = basis;
    }
    Ok(past)
}

/// Whether this is Ctrl-L, which redraws.
fn is_redraw(input: &Event) -> bool {
    input
        .as_key_press_event()
        .is_some_and(|key| key.code == KeyCode::Char('l') && key.modifiers == KeyModifiers::CONTROL)
}

/// Interval between drawings after a key: fast enough for the eye.
const AFTER_INPUT: Duration = Duration::from_millis(30);

/// Interval between drawings after a change.
const AFTER_CHANGE: Duration = Duration::from_millis(100);

/// Interval between drawings while a long recording is read.
const WHILE_READING: Duration = Duration::from_millis(500);

/// Interval between drawings if only time has passed.
const WITHOUT_CHANGE: Duration = Duration::from_secs(1);

/// Size of the archive in bytes.
pub(crate) const ARCHIVE_BUDGET: usize = 96 << 20;
