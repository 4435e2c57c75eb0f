//! What the user's input does.

use std::path::PathBuf;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseEventKind};
use jiff::Timestamp;

use super::{
    charts::SPANS,
    help, lists,
    options::Mode,
    page::{self, Page, Scroll},
    palette::Role,
    prompt::{Prompt, Purpose, Typed},
    request::{Direction, Request, Stop},
    scene::{Scene, Shown},
    text::wrap_line,
    view::Screen,
};
use crate::watch::State;

impl Screen {
    /// Takes what the terminal reports: keys, mouse, pasted text, a new size. `now` is the controller's clock, in a
    /// replay the position in it.
    pub fn input(&mut self, input: &Event, state: &State, now: Timestamp) -> Option<Request> {
        let options = self.options.clone();
        let scene = self.scene(&options, state, now);
        match input {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                self.message = None;
                self.last_click = None;
                self.is_touched = true;
                self.key(*key, &scene)
            }
            Event::Mouse(mouse) => {
                self.is_touched |= matches!(mouse.kind, MouseEventKind::Down(_));
                self.mouse(*mouse, &scene)
            }
            Event::Paste(text) => {
                if let Some(prompt) = &mut self.prompt {
                    prompt.insert(text);
                    self.typed();
                }
                None
            }
            Event::Resize(width, _) => {
                let has_changed = *width != self.area.width;
                self.area.width = *width;
                // The page is written again for the new width.
                has_changed.then(|| self.page_again()).flatten()
            }
            _ => None,
        }
    }

    fn key(&mut self, key: KeyEvent, scene: &Scene<'_>) -> Option<Request> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('c') => return Some(Request::Quit),
                KeyCode::Char('z') => return Some(Request::Suspend),
                _ => {}
            }
        }
        if let Some(prompt) = &mut self.prompt {
            let typed = prompt.key(key);
            return self.after_typing(typed, scene);
        }
        if key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
        {
            return None;
        }
        if self.page.is_some() {
            return self.key_of_page(key.code);
        }
        self.key_of_table(key, scene)
    }

    fn key_of_page(&mut self, code: KeyCode) -> Option<Request> {
        let page = self.page.as_mut()?;
        match code {
            KeyCode::Esc | KeyCode::Char('q' | '?' | 'e') | KeyCode::Enter => self.page = None,
            KeyCode::Up | KeyCode::Char('k') => page.scroll(Scroll::Lines(-1)),
            KeyCode::Down | KeyCode::Char('j') => page.scroll(Scroll::Lines(1)),
            KeyCode::PageUp | KeyCode::Char('b') => page.scroll(Scroll::Pages(-1)),
            KeyCode::PageDown | KeyCode::Char(' ' | 'f') => page.scroll(Scroll::Pages(1)),
            KeyCode::Left => page.scroll(Scroll::Columns(-8)),
            KeyCode::Right => page.scroll(Scroll::Columns(8)),
            KeyCode::Home | KeyCode::Char('g') => page.scroll(Scroll::Begin),
            KeyCode::End | KeyCode::Char('G') => page.scroll(Scroll::End),
            KeyCode::Char('/') => self.prompt = Some(Prompt::new(Purpose::Search, String::new())),
            KeyCode::Char('n' | 'N') if !page.search_again(code == KeyCode::Char('N')) => {
                self.tell("nothing found");
            }
            KeyCode::Char('r') => return self.page_again(),
            _ => {}
        }
        None
    }

    fn key_of_table(&mut self, key: KeyEvent, scene: &Scene<'_>) -> Option<Request> {
        let is_shifted = key.modifiers.contains(KeyModifiers::SHIFT);
        match key.code {
            KeyCode::Char('q') => return Some(Request::Quit),
            KeyCode::Esc => self.escape(),
            KeyCode::Up | KeyCode::Char('k') => self.move_by(scene, -1),
            KeyCode::Down | KeyCode::Char('j') => self.move_by(scene, 1),
            KeyCode::PageUp => self.move_by(scene, -self.page_of_rows()),
            KeyCode::PageDown => self.move_by(scene, self.page_of_rows()),
            KeyCode::Home | KeyCode::Char('g') => self.move_by(scene, isize::MIN),
            KeyCode::End | KeyCode::Char('G') => self.move_by(scene, isize::MAX),
            KeyCode::Enter => return self.explain(scene),
            KeyCode::Char('/') => {
                let before = self.filter.clone();
                let text = before.clone();
                self.prompt = Some(Prompt::new(Purpose::Filter { before }, text));
            }
            KeyCode::Char('s') => {
                self.sorting.column = self.sorting.column.next();
                self.tell(&format!("sorted {}", self.sorting.in_words()));
            }
            KeyCode::Char('S') => {
                self.sorting.is_reversed = !self.sorting.is_reversed;
                self.tell(&format!("sorted {}", self.sorting.in_words()));
            }
            KeyCode::Tab => self.turn_metric(scene, 1),
            KeyCode::BackTab => self.turn_metric(scene, -1),
            KeyCode::Char('+' | '=') => self.zoom(-1),
            KeyCode::Char('-') => self.zoom(1),
            KeyCode::Char('e') => self.open_lists(scene),
            KeyCode::Char('?') | KeyCode::F(1) => {
                let lines = help::lines(scene);
                self.page = Some(Page::new(page::Kind::Other, "help".to_owned(), lines));
            }
            KeyCode::Char('m') => {
                self.prompt = Some(Prompt::new(Purpose::Note, String::new()));
            }
            KeyCode::Char('w') => {
                self.prompt = Some(Prompt::new(Purpose::Save, file_name(scene)));
            }
            KeyCode::Char(' ') => return self.pause(scene),
            KeyCode::Left if is_shifted => return self.seek(scene, -1),
            KeyCode::Right if is_shifted => return self.seek(scene, 1),
            KeyCode::Left | KeyCode::Char('[') => return self.step(scene, Direction::Back),
            KeyCode::Right | KeyCode::Char(']') => return self.step(scene, Direction::Forward),
            KeyCode::Char('{') => self.jump_to_change(scene, Direction::Back),
            KeyCode::Char('}') => self.jump_to_change(scene, Direction::Forward),
            KeyCode::Char('n') => return self.jump(scene, Stop::Scaling, Direction::Forward),
            KeyCode::Char('N') => return self.jump(scene, Stop::Scaling, Direction::Back),
            KeyCode::Char('a') => return self.jump(scene, Stop::Alarm, Direction::Forward),
            KeyCode::Char('A') => return self.jump(scene, Stop::Alarm, Direction::Back),
            KeyCode::Char('d') => return self.jump(scene, Stop::Disagreement, Direction::Forward),
            KeyCode::Char('D') => return self.jump(scene, Stop::Disagreement, Direction::Back),
            KeyCode::Char('.') => return self.jump_to_end(),
            KeyCode::Char('0') => return self.jump_to_begin(),
            KeyCode::Char('<' | ',') => return self.speed(-1),
            KeyCode::Char('>') => return self.speed(1),
            _ => {}
        }
        None
    }

    /// Closes what is open: one thing at a time.
    fn escape(&mut self) {
        if self.viewed.is_some() {
            self.viewed = None;
        } else {
            self.filter.clear();
        }
    }

    /// Chooses another row, so many further down.
    pub(super) fn move_by(&mut self, scene: &Scene<'_>, rows: isize) {
        let shown = self.rows(scene);
        let Some(last) = shown.len().checked_sub(1) else {
            return;
        };
        let chosen = self.chosen.as_ref();
        let index = shown.iter().position(|one| Some(one.key) == chosen);
        let index = index.unwrap_or(0).saturating_add_signed(rows).min(last);
        self.chosen = Some(shown[index].key.clone());
    }

    fn page_of_rows(&self) -> isize {
        let rows = self.hits.rows.height.saturating_sub(1).max(1);
        isize::try_from(rows).unwrap_or(1)
    }

    fn zoom(&mut self, by: isize) {
        self.span = self.span.saturating_add_signed(by).min(SPANS.len() - 1);
        self.has_own_span = true;
    }

    fn turn_metric(&mut self, scene: &Scene<'_>, by: isize) {
        let metrics = self
            .shown(scene)
            .and_then(|shown| shown.moment)
            .map_or(0, |moment| moment.metrics.len())
            .max(1);
        self.metric = (self.metric % metrics + metrics).saturating_add_signed(by) % metrics;
    }

    /// The chosen HPA.
    pub(super) fn shown<'a>(&self, scene: &Scene<'a>) -> Option<Shown<'a>> {
        let (key, hpa) = scene.state.hpas.get_key_value(self.chosen.as_ref()?)?;
        Some(scene.shown(key, hpa))
    }

    /// Asks for the explanation of the chosen HPA at the time that is looked at.
    pub(super) fn explain(&mut self, scene: &Scene<'_>) -> Option<Request> {
        let shown = self.shown(scene)?;
        let hpa = shown.key.clone();
        let Some(moment) = shown.moment else {
            self.tell("this HPA was not seen yet at that time");
            return None;
        };
        let time = |at| scene.clock_now().time(at);
        // What is seen between two syncs is no moment of its own unless something has changed.
        let title = if shown.is_latest {
            format!("{hpa}, as seen at {}", time(shown.hpa.seen_at))
        } else {
            format!("{hpa} in the past, as seen at {}", time(moment.at))
        };
        let moment = (!shown.is_latest).then_some(moment.id);
        let kind = page::Kind::Explanation {
            hpa: hpa.clone(),
            moment,
        };
        self.asked = Some((kind, scene.clean(&title)));
        Some(Request::Page { hpa, moment })
    }

    /// Asks again for the page that is open, if it is an explanation.
    fn page_again(&mut self) -> Option<Request> {
        let page = self.page.as_ref()?;
        let page::Kind::Explanation { hpa, moment } = page.kind.clone() else {
            return None;
        };
        self.asked = Some((page.kind.clone(), page.title.clone()));
        Some(Request::Page { hpa, moment })
    }

    /// Opens a page with everything that asks for attention.
    pub(super) fn open_lists(&mut self, scene: &Scene<'_>) {
        let mut lines = Vec::new();
        let width = usize::from(self.area.width);
        let chosen = self.shown(scene);
        let mut section = |shown: &Shown<'_>, title: &str, entries: Vec<_>| {
            if entries.is_empty() {
                return;
            }
            let title = format!("{title} of {}", shown.key);
            lines.push(scene.span(Role::Title, &title).into());
            let entries = entries.iter();
            lines.extend(entries.flat_map(|entry| wrap_line(entry, width, INDENT)));
            lines.push("".into());
        };
        if let Some(shown) = &chosen {
            section(shown, "alarms", lists::alarms(scene, shown));
            section(shown, "events", lists::events(scene, shown));
        }
        for shown in self.rows(scene) {
            if chosen.as_ref().is_none_or(|chosen| chosen.key != shown.key) {
                section(&shown, "alarms", lists::alarms(scene, &shown));
            }
        }
        for mark in &scene.state.marks {
            let text = format!("{} {}", scene.clock_now().time(mark.at), mark.note);
            lines.push(scene.span(Role::Text, &format!("mark {text}")).into());
        }
        if lines.is_empty() {
            let text = "There are no alarms and no events.";
            lines.push(scene.span(Role::Text, text).into());
        }
        let title = "alarms and events".to_owned();
        self.page = Some(Page::new(page::Kind::Other, title, lines));
    }

    /// What follows from a change of the line that is typed.
    fn typed(&mut self) {
        if let Some(prompt) = &self.prompt
            && matches!(prompt.purpose, Purpose::Filter { .. })
        {
            prompt.text().clone_into(&mut self.filter);
        }
    }

    fn after_typing(&mut self, typed: Typed, scene: &Scene<'_>) -> Option<Request> {
        if typed == Typed::On {
            self.typed();
            return None;
        }
        let prompt = self.prompt.take()?;
        let text = prompt.text().to_owned();
        if typed == Typed::GivenUp {
            if let Purpose::Filter { before } = prompt.purpose {
                self.filter = before;
            }
            return None;
        }
        match prompt.purpose {
            Purpose::Filter { .. } => text.trim().clone_into(&mut self.filter),
            Purpose::Note => {
                let at = self.viewed;
                return Some(Request::Mark { note: text, at });
            }
            Purpose::Save if text.trim().is_empty() => self.tell("not saved: no name"),
            Purpose::Save => {
                let path = PathBuf::from(text.trim());
                return Some(Request::Save { path });
            }
            Purpose::Search => {
                let is_found = self.page.as_mut().is_none_or(|page| page.search(&text));
                if !is_found {
                    self.tell(&scene.clean(&format!("\"{text}\" is not on this page")));
                }
            }
        }
        None
    }

    /// Whether this is the screen of a replay.
    pub(super) fn is_replay(&self) -> bool {
        self.options.mode == Mode::Replay
    }
}

/// A name for a recording of what was seen.
fn file_name(scene: &Scene<'_>) -> String {
    let time = scene.now.to_zoned(scene.options.zone.clone());
    let hpas = &scene.state.hpas;
    let name = match hpas.keys().next() {
        Some(hpa) if hpas.len() == 1 => hpa.name.as_str(),
        _ => "hpas",
    };
    let is_safe = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '-';
    let name: String = name.chars().filter(is_safe).take(60).collect();
    format!("{name}-{}.jsonl.zst", time.strftime("%Y%m%d-%H%M%S"))
}

/// Columns before the second and later lines of an alarm or event.
const INDENT: usize = 4;
