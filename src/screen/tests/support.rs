//! States to draw, and a screen with an in-memory terminal.

use std::{path::Path, sync::LazyLock};

use crossterm::event::{Event as Input, KeyCode, KeyEvent, KeyModifiers};
use hpa_engine::model::HpaKey;
use hpa_explain::Action;
use hpa_objects::recording::RecordingReader;
use hpa_playback::{Pushed, Session};
use hpa_render::{style::Role, styled::StyledText};
use hpa_watch::{Event, HistoryEntry, MetricPoint, State, reduce};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use ratatui::{Terminal, backend::TestBackend, buffer::Buffer, style::Style};

use crate::screen::{Mode, Playback, Screen, ScreenOptions, ScreenRequest, Tick, TickKind};

/// The end of the incidents in `examples`.
pub(super) fn end() -> Timestamp {
    "2026-11-21T11:32:50Z".parse().unwrap()
}

/// A time before or after [`end`], in seconds.
pub(super) fn at(seconds: i64) -> Timestamp {
    end() + SignedDuration::from_secs(seconds)
}

pub(super) fn key(name: &str) -> HpaKey {
    HpaKey {
        namespace: "shop".to_owned(),
        name: name.to_owned(),
    }
}

/// The recorded incidents of `examples`, under the names given here.
pub(super) fn incidents() -> State {
    static INCIDENTS: LazyLock<State> = LazyLock::new(played);
    INCIDENTS.clone()
}

fn played() -> State {
    let mut state = State::default();
    for (file, name) in [
        ("more-than-max", "api"),
        ("not-ready-pods", "cart"),
        ("broken-metric", "worker"),
        ("held-by-window", "web"),
    ] {
        play(&mut state, file, name);
    }
    reduce(&mut state, Event::Tick, end());
    state
}

/// Plays a recording of `examples` into the state.
fn play(state: &mut State, file: &str, name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/{file}.jsonl"));
    let mut session = Session::of_cluster();
    for line in RecordingReader::open(&path).unwrap() {
        let pushed = session.push(line.unwrap().snapshot).unwrap();
        let Pushed {
            reconcile,
            compared,
            ..
        } = pushed;
        let now = reconcile.time;
        for compared in compared {
            let event = Event::Compared {
                hpa: key(name),
                at: compared.time,
                agreement: compared.verdict.agreement(),
            };
            reduce(state, event, now);
        }
        let mut seen = reconcile.seen();
        seen.hpa = key(name);
        seen.assessment.observation.hpa.name = name.to_owned();
        reduce(state, Event::Reconciled(Box::new(seen)), now);
    }
}

/// Gives an HPA a past: a load that comes and goes in the quarter of an hour before `end`, with a short spike, a
/// rollout that leaves pods not ready, and a metric that fails for a while.
pub(super) fn with_past(mut state: State, name: &str) -> State {
    let hpa = state.hpas.get_mut(&key(name)).unwrap();
    let last = hpa.history.last().unwrap().clone();
    let mut history = hpa_watch::HpaHistory::default();
    let mut current = 4;
    for index in 0..60_u32 {
        let ratio = match index {
            0..10 => 0.95,
            10..25 => 1.0 + f64::from(index - 9) / 10.0,
            30 => 5.0,
            25..45 => 1.02,
            _ => 0.6,
        };
        let proposal = ceil(f64::from(current) * ratio);
        let desired = if index < 45 {
            proposal.clamp(current, 20).min(current * 2)
        } else {
            current
        };
        let is_failed = (50..54).contains(&index);
        let unready = usize::from((26..32).contains(&index)) * 3;
        let mut entry = HistoryEntry {
            id: index.into(),
            at: at(-900 + i64::from(index) * 15),
            action: if current < desired {
                Action::ScaleUp
            } else {
                Action::Hold
            },
            current: Some(current),
            desired: Some(desired),
            proposal: Some(proposal),
            stabilized: Some(proposal.max(current)),
            limits: Some((2, (current * 2).min(20))),
            min: 2,
            max: 20,
            alarms: std::sync::Arc::default(),
            metrics: vec![
                metric("cpu", ratio, is_failed),
                metric("queue_depth", ratio / 2.0, false),
            ],
            ..last.clone()
        };
        entry.pods.all = usize::try_from(current).unwrap();
        entry.pods.ready = entry.pods.all - unready;
        entry.pods.not_ready = unready;
        entry.pods.unscheduled = 0;
        entry.pods.starting = 0;
        history.push(entry, 1_000);
        current = desired;
    }
    hpa.history = history;
    state
}

#[expect(clippy::cast_possible_truncation, reason = "small numbers")]
fn ceil(number: f64) -> i32 {
    number.ceil() as i32
}

fn metric(name: &str, ratio: f64, is_failed: bool) -> MetricPoint {
    MetricPoint {
        name: name.to_owned(),
        ratio: (!is_failed).then_some(ratio),
        tolerance: (!is_failed).then_some((0.9, 1.1)),
        value: Some(format!("{:.0}%", ratio * 60.0)),
        target: Some("60%".to_owned()),
        proposal: Some(ceil(ratio * 8.0)),
        failure: is_failed.then(|| "no metrics returned from resource metrics API".to_owned()),
        is_winner: name == "cpu" && !is_failed,
    }
}

/// A screen with an in-memory terminal.
pub(super) struct DrawnScreen {
    pub(super) screen: Screen,
    pub(super) terminal: Terminal<TestBackend>,
    pub(super) state: State,
    pub(super) now: Timestamp,
}

pub(super) fn options() -> ScreenOptions {
    ScreenOptions {
        has_color: true,
        has_unicode: true,
        zone: TimeZone::UTC,
        mode: Mode::Live,
        title: "-n shop".to_owned(),
    }
}

pub(super) fn playback() -> Playback {
    let tick = |seconds, kind| Tick {
        at: at(seconds),
        kind,
    };
    Playback {
        begin: at(-900),
        end: at(0),
        is_complete: true,
        is_playing: false,
        speed: 5,
        ticks: vec![
            tick(-700, TickKind::ScaledUp),
            tick(-400, TickKind::Alarm),
            tick(-200, TickKind::Disagreement),
            tick(-100, TickKind::ScaledDown),
        ],
    }
}

impl DrawnScreen {
    pub(super) fn new(state: State, width: u16, height: u16) -> Self {
        Self::with(options(), state, width, height)
    }

    pub(super) fn with(options: ScreenOptions, state: State, width: u16, height: u16) -> Self {
        let mut drawn = Self {
            screen: Screen::new(options),
            terminal: Terminal::new(TestBackend::new(width, height)).unwrap(),
            state,
            now: end(),
        };
        drawn.draw();
        drawn
    }

    pub(super) fn draw(&mut self) {
        let (screen, state, now) = (&mut self.screen, &self.state, self.now);
        self.terminal
            .draw(|frame| screen.draw(frame, state, now))
            .unwrap();
    }

    /// Shows a page of plain text.
    pub(super) fn show_page(&mut self, text: &str) {
        let mut page = StyledText::default();
        for line in text.lines() {
            page.push_line(Role::Text, line);
        }
        self.screen.show_page(&page);
    }

    pub(super) fn resize(&mut self, width: u16, height: u16) -> Option<ScreenRequest> {
        self.terminal.backend_mut().resize(width, height);
        self.input(&Input::Resize(width, height))
    }

    pub(super) fn input(&mut self, input: &Input) -> Option<ScreenRequest> {
        let request = self.screen.input(input, &self.state, self.now);
        self.draw();
        request
    }

    /// Presses a key.
    pub(super) fn press(&mut self, code: KeyCode) -> Option<ScreenRequest> {
        self.input(&Input::Key(KeyEvent::from(code)))
    }

    /// Presses a letter with the control key.
    pub(super) fn control(&mut self, letter: char) -> Option<ScreenRequest> {
        let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
        self.input(&Input::Key(key))
    }

    /// Types letters; returns the request of the last one.
    pub(super) fn write(&mut self, letters: &str) -> Option<ScreenRequest> {
        let mut last = None;
        for letter in letters.chars() {
            last = self.press(KeyCode::Char(letter));
        }
        last
    }

    pub(super) fn buffer(&self) -> &Buffer {
        self.terminal.backend().buffer()
    }

    /// The screen as text, without trailing blanks.
    pub(super) fn text(&self) -> String {
        text(self.buffer())
    }

    /// The lines that contain a text.
    pub(super) fn lines_with(&self, text: &str) -> Vec<String> {
        let lines = self.text();
        let lines = lines.lines().filter(|line| line.contains(text));
        lines.map(str::to_owned).collect()
    }

    /// Asserts that a text is on the screen.
    #[track_caller]
    pub(super) fn assert_has(&self, text: &str) {
        assert!(
            self.text().contains(text),
            "no {text:?} in\n{}",
            self.text()
        );
    }

    #[track_caller]
    pub(super) fn assert_lacks(&self, text: &str) {
        assert!(!self.text().contains(text), "{text:?} in\n{}", self.text());
    }

    /// The style of the first letter of a text on the screen.
    #[track_caller]
    pub(super) fn style_of(&self, text: &str) -> Style {
        let buffer = self.buffer();
        let area = buffer.area;
        for y in area.top()..area.bottom() {
            let cells: Vec<&str> = (area.left()..area.right())
                .map(|x| buffer[(x, y)].symbol())
                .collect();
            let line = cells.concat();
            if let Some(place) = line.find(text) {
                let mut bytes = 0;
                let x = cells.iter().position(|cell| {
                    bytes += cell.len();
                    place < bytes
                });
                return buffer[(u16::try_from(x.unwrap()).unwrap(), y)].style();
            }
        }
        panic!("no {text:?} in\n{}", self.text());
    }
}

pub(super) fn text(buffer: &Buffer) -> String {
    let area = buffer.area;
    let mut text = String::new();
    for y in area.top()..area.bottom() {
        let mut line = String::new();
        let mut covered = 0;
        for x in area.left()..area.right() {
            let symbol = buffer[(x, y)].symbol();
            if covered == 0 {
                line.push_str(symbol);
                covered = unicode_width::UnicodeWidthStr::width(symbol).saturating_sub(1);
            } else {
                covered -= 1;
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
