//! The screen: what is open, chosen and looked at, between two drawings.

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use jiff::Timestamp;
use ratatui::{Frame, layout::Rect};

use super::{
    header,
    options::{Options, Playback},
    request::Request,
    rows::{Sorting, rows},
    scene::Scene,
    status_bar, table,
    verdict::{self, Told},
};
use crate::watch::{HpaKey, State};

/// The full screen of `watch` and of `replay --tui`.
///
/// It is drawn from a state and a time, and takes what the terminal reports. What it cannot do itself it asks for.
#[derive(Debug)]
pub struct Screen {
    options: Options,
    playback: Option<Playback>,
    chosen: Option<HpaKey>,
    top: usize,
    sorting: Sorting,
    filter: String,
    viewed: Option<Timestamp>,
    message: Option<String>,
    told: Option<Told>,
    width: u16,
}

impl Screen {
    /// A screen that shows the most urgent HPA, now.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            playback: None,
            chosen: None,
            top: 0,
            sorting: Sorting::default(),
            filter: String::new(),
            viewed: None,
            message: None,
            told: None,
            width: 80,
        }
    }

    /// Takes what the terminal reports: keys, mouse, pasted text, a new size. `now` is the controller's clock, in a
    /// replay the position in it.
    pub fn input(&mut self, input: &Event, state: &State, now: Timestamp) -> Option<Request> {
        let _ = (state, now);
        let Event::Key(key) = input else {
            return None;
        };
        if key.kind == KeyEventKind::Release {
            return None;
        }
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('q') => Some(Request::Quit),
            KeyCode::Char('c') if is_control => Some(Request::Quit),
            _ => None,
        }
    }

    /// Draws `state` as it is `now`.
    pub fn draw(&mut self, frame: &mut Frame<'_>, state: &State, now: Timestamp) {
        let area = frame.area();
        self.width = area.width;
        let at = self.viewed.unwrap_or(now);
        let options = self.options.clone();
        let scene = Scene {
            state,
            now,
            at,
            is_past: self.viewed.is_some(),
            options: &options,
        };
        let rows = rows(&scene, self.sorting, &self.filter);
        if self.chosen.is_none() {
            self.chosen = rows.first().map(|shown| shown.key.clone());
        }
        let chosen = rows
            .iter()
            .find(|shown| Some(shown.key) == self.chosen.as_ref());
        self.told = chosen.map(|shown| Told::of(&scene, shown, self.told.take()));
        let buffer = frame.buffer_mut();
        header::draw(
            &scene,
            buffer,
            Rect {
                height: 1.min(area.height),
                ..area
            },
            &rows,
            &self.filter,
        );
        let part = |y: u16, height: u16| {
            Rect::new(area.x, area.y + y, area.width, height).intersection(area)
        };
        table::draw(
            &scene,
            buffer,
            part(1, 8),
            &rows,
            self.top,
            self.chosen.as_ref(),
        );
        if let Some(shown) = chosen {
            verdict::draw(&scene, buffer, part(10, 5), shown, self.told.as_ref());
        }
        let bottom = area.height.saturating_sub(2);
        status_bar::draw(
            &scene,
            buffer,
            part(bottom, 2),
            chosen,
            self.message.as_deref(),
        );
    }

    /// Opens the page of `explain`, which may have ANSI colors.
    pub fn show_page(&mut self, page: &str) {
        self.message = Some(page.to_owned());
    }

    /// Columns that a page has.
    pub fn page_width(&self) -> usize {
        usize::from(self.width).saturating_sub(2).max(40)
    }

    /// Says something in one line, until the next key.
    pub fn tell(&mut self, message: &str) {
        self.message = Some(message.to_owned());
    }

    /// Says where a replay is.
    pub fn show_playback(&mut self, playback: Playback) {
        self.playback = Some(playback);
    }
}
