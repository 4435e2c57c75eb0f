//! Handles the user's input.

use std::path::PathBuf;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseEventKind};
use hpa_watch::State;
use jiff::{SignedDuration, Timestamp};

use super::{
    causes::SharedCause,
    charts::SPANS,
    cx::{DrawContext, HpaRow},
    help, lists,
    options::Mode,
    page::{self, ScreenPage, Scroll},
    palette::ScreenRole,
    pods,
    prompt::{Prompt, Purpose, Typed},
    request::{ReplayStop, ScreenRequest, TimeDirection},
    text::wrap_line,
    view::Screen,
};

impl Screen {
    /// Handles an event of the terminal: keys, mouse, pasted text, a new size. `now` is the controller's clock, in a
    /// replay its position.
    pub fn input(&mut self, input: &Event, state: &State, now: Timestamp) -> Option<ScreenRequest> {
        let options = self.options.clone();
        let cx = self.cx(&options, state, now);
        match input {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                self.message = None;
                self.last_click = None;
                self.is_touched = true;
                self.key(*key, &cx)
            }
            Event::Mouse(mouse) => {
                self.is_touched |= matches!(mouse.kind, MouseEventKind::Down(_));
                self.mouse(*mouse, &cx)
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
                // The page is rendered again for the new width.
                has_changed.then(|| self.page_again(&cx)).flatten()
            }
            _ => None,
        }
    }

    fn key(&mut self, key: KeyEvent, cx: &DrawContext<'_>) -> Option<ScreenRequest> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('c') => return Some(ScreenRequest::Quit),
                KeyCode::Char('z') => return Some(ScreenRequest::Suspend),
                _ => {}
            }
        }
        if let Some(prompt) = &mut self.prompt {
            let typed = prompt.key(key);
            return self.after_typing(typed, cx);
        }
        if key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
        {
            return None;
        }
        if self.page.is_some() {
            return self.key_of_page(key.code, cx);
        }
        self.key_of_table(key, cx)
    }

    fn key_of_page(&mut self, code: KeyCode, cx: &DrawContext<'_>) -> Option<ScreenRequest> {
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
                self.report("nothing found");
            }
            KeyCode::Char('r') => return self.page_again(cx),
            _ => {}
        }
        None
    }

    fn key_of_table(&mut self, key: KeyEvent, cx: &DrawContext<'_>) -> Option<ScreenRequest> {
        let is_shifted = key.modifiers.contains(KeyModifiers::SHIFT);
        match key.code {
            KeyCode::Char('q') => return Some(ScreenRequest::Quit),
            KeyCode::Esc => self.escape(),
            KeyCode::Up | KeyCode::Char('k') => self.move_by(cx, -1),
            KeyCode::Down | KeyCode::Char('j') => self.move_by(cx, 1),
            KeyCode::PageUp => self.move_by(cx, -self.page_of_rows()),
            KeyCode::PageDown => self.move_by(cx, self.page_of_rows()),
            KeyCode::Home | KeyCode::Char('g') => self.move_by(cx, isize::MIN),
            KeyCode::End | KeyCode::Char('G') => self.move_by(cx, isize::MAX),
            KeyCode::Enter => return self.explain(cx),
            KeyCode::Char('/') => {
                let before = self.filter.clone();
                let text = before.clone();
                self.prompt = Some(Prompt::new(Purpose::Filter { before }, text));
            }
            KeyCode::Char('s') => {
                self.sorting.column = self.sorting.column.next();
                self.report(&format!("sorted {}", self.sorting.in_words()));
            }
            KeyCode::Char('S') => {
                self.sorting.is_reversed = !self.sorting.is_reversed;
                self.report(&format!("sorted {}", self.sorting.in_words()));
            }
            KeyCode::Char('o') => {
                self.sorting.is_grouped = !self.sorting.is_grouped;
                self.report(&format!("sorted {}", self.sorting.in_words()));
            }
            KeyCode::Char('t') => {
                self.parts = self.parts.next();
                self.report(self.parts.as_str());
            }
            KeyCode::Char('!') => self.next_alarm(cx),
            KeyCode::Char('f') => return self.simulate(cx),
            KeyCode::Char('p') => self.open_pods(cx),
            KeyCode::Char('y') => match self.paragraph(cx) {
                Some(text) => return Some(ScreenRequest::Copy { text }),
                None => self.report("nothing to copy: this HPA was not seen yet at that time"),
            },
            KeyCode::Tab => self.turn_metric(cx, 1),
            KeyCode::BackTab => self.turn_metric(cx, -1),
            KeyCode::Char('+' | '=') => self.zoom(cx, -1),
            KeyCode::Char('-') => self.zoom(cx, 1),
            KeyCode::Char('e') => self.open_lists(cx),
            KeyCode::Char('?') | KeyCode::F(1) => {
                let lines = help::lines(cx);
                self.page = Some(ScreenPage::new(
                    page::PageKind::Other,
                    "help".to_owned(),
                    lines,
                ));
            }
            KeyCode::Char('m') => {
                self.prompt = Some(Prompt::new(Purpose::Note, String::new()));
            }
            KeyCode::Char('w') => {
                self.prompt = Some(Prompt::new(Purpose::Save, file_name(cx)));
            }
            KeyCode::Char(' ') => return self.pause(cx),
            KeyCode::Left if is_shifted => return self.seek(cx, -1),
            KeyCode::Right if is_shifted => return self.seek(cx, 1),
            KeyCode::Left | KeyCode::Char('[') => return self.step(cx, TimeDirection::Back),
            KeyCode::Right | KeyCode::Char(']') => return self.step(cx, TimeDirection::Forward),
            KeyCode::Char('{') => self.jump_to_change(cx, TimeDirection::Back),
            KeyCode::Char('}') => self.jump_to_change(cx, TimeDirection::Forward),
            KeyCode::Char('n') => {
                return self.jump(cx, ReplayStop::Scaling, TimeDirection::Forward);
            }
            KeyCode::Char('N') => return self.jump(cx, ReplayStop::Scaling, TimeDirection::Back),
            KeyCode::Char('a') => return self.jump(cx, ReplayStop::Alarm, TimeDirection::Forward),
            KeyCode::Char('A') => return self.jump(cx, ReplayStop::Alarm, TimeDirection::Back),
            KeyCode::Char('d') => {
                return self.jump(cx, ReplayStop::Disagreement, TimeDirection::Forward);
            }
            KeyCode::Char('D') => {
                return self.jump(cx, ReplayStop::Disagreement, TimeDirection::Back);
            }
            KeyCode::Char('.') => return self.jump_to_end(),
            KeyCode::Char('0') => return self.jump_to_begin(),
            KeyCode::Char('<' | ',') => return self.speed(-1),
            KeyCode::Char('>') => return self.speed(1),
            _ => {}
        }
        None
    }

    /// Closes what is open, one thing at a time.
    fn escape(&mut self) {
        if self.viewed.is_some() {
            self.viewed = None;
        } else {
            self.filter.clear();
        }
    }

    /// Chooses another row, `rows` further down.
    pub(super) fn move_by(&mut self, cx: &DrawContext<'_>, rows: isize) {
        let row = self.rows(cx);
        let Some(last) = row.len().checked_sub(1) else {
            return;
        };
        let chosen = self.chosen.as_ref();
        let index = row.iter().position(|one| Some(one.key) == chosen);
        let index = index.unwrap_or(0).saturating_add_signed(rows).min(last);
        self.chosen = Some(row[index].key.clone());
    }

    /// Chooses the next HPA with an alarm, wrapping around.
    fn next_alarm(&mut self, cx: &DrawContext<'_>) {
        let rows = self.rows(cx);
        let chosen = rows
            .iter()
            .position(|row| Some(row.key) == self.chosen.as_ref());
        let (before, after) = rows.split_at(chosen.map_or(0, |chosen| chosen + 1));
        let mut others = after.iter().chain(before);
        match others.find(|row| !row.alarms().is_empty()) {
            Some(row) => self.chosen = Some(row.key.clone()),
            None => self.report("no HPA has an alarm"),
        }
    }

    /// Opens a page with the pods that are not ready, and why.
    fn open_pods(&mut self, cx: &DrawContext<'_>) {
        let Some(row) = self.row(cx) else {
            return;
        };
        if !row.is_latest {
            self.report("single pods are not kept for the past: Enter explains this sync");
            return;
        }
        let width = usize::from(self.area.width);
        let lines = pods::not_ready(cx, &row);
        let lines = lines.iter().flat_map(|line| wrap_line(line, width, INDENT));
        let title = cx.clean(&format!("pods of {} that are not ready", row.key));
        self.page = Some(ScreenPage::new(
            page::PageKind::Other,
            title,
            lines.collect(),
        ));
    }

    fn page_of_rows(&self) -> isize {
        let rows = self.hits.rows.height.saturating_sub(1).max(1);
        isize::try_from(rows).unwrap_or(1)
    }

    fn zoom(&mut self, cx: &DrawContext<'_>, by: isize) {
        let minutes = SPANS[self.span];
        let is_all = cx.first_seen.is_some_and(|first| {
            cx.now.duration_since(first) <= SignedDuration::from_mins(minutes)
        });
        if 0 < by && is_all {
            self.report("the charts show all that was seen");
            return;
        }
        self.span = self.span.saturating_add_signed(by).min(SPANS.len() - 1);
        self.has_own_span = true;
    }

    fn turn_metric(&mut self, cx: &DrawContext<'_>, by: isize) {
        let metrics = self
            .row(cx)
            .and_then(|row| row.entry)
            .map_or(0, |entry| entry.metrics.len())
            .max(1);
        self.metric = (self.metric % metrics + metrics).saturating_add_signed(by) % metrics;
    }

    /// The chosen HPA.
    pub(super) fn row<'a>(&self, cx: &DrawContext<'a>) -> Option<HpaRow<'a>> {
        let (key, hpa) = cx.state.hpas.get_key_value(self.chosen.as_ref()?)?;
        Some(cx.row(key, hpa))
    }

    /// Requests the explanation of the chosen HPA at the viewed time.
    pub(super) fn explain(&mut self, cx: &DrawContext<'_>) -> Option<ScreenRequest> {
        let row = self.row(cx)?;
        let hpa = row.key.clone();
        let Some(entry) = row.entry else {
            self.report("this HPA was not seen yet at that time");
            return None;
        };
        let time = |at| cx.clock_now().time(at);
        // A read between two syncs is not an entry of its own unless something has changed.
        let title = if row.is_latest {
            format!("{hpa}, as seen at {}", time(row.hpa.seen_at))
        } else {
            format!("{hpa} in the past, as seen at {}", time(entry.at))
        };
        let entry = (!row.is_latest).then_some(entry.id);
        let kind = page::PageKind::Explanation {
            hpa: hpa.clone(),
            entry,
        };
        self.requested_page = Some((kind, cx.clean(&title)));
        Some(ScreenRequest::Page { hpa, entry })
    }

    /// Requests a simulation of the chosen HPA from the viewed time on.
    fn simulate(&mut self, cx: &DrawContext<'_>) -> Option<ScreenRequest> {
        let row = self.row(cx)?;
        let hpa = row.key.clone();
        let Some(entry) = row.entry else {
            self.report("this HPA was not seen yet at that time");
            return None;
        };
        let at = entry.at;
        let time = cx.clock_now().time(at);
        let title = format!("{hpa}, simulated from {time} on with the load of that time");
        self.requested_page = Some((page::PageKind::Other, cx.clean(&title)));
        Some(ScreenRequest::Simulate { hpa, at })
    }

    /// Requests the open page again, if it is an explanation.
    fn page_again(&mut self, cx: &DrawContext<'_>) -> Option<ScreenRequest> {
        let page = self.page.as_ref()?;
        let page::PageKind::Explanation { hpa, entry } = page.kind.clone() else {
            return None;
        };
        if !cx.state.hpas.contains_key(&hpa) {
            self.report("this HPA is gone: the page is as it was");
            return None;
        }
        self.requested_page = Some((page.kind.clone(), page.title.clone()));
        Some(ScreenRequest::Page { hpa, entry })
    }

    /// Opens a page with everything that needs attention.
    pub(super) fn open_lists(&mut self, cx: &DrawContext<'_>) {
        let mut lines = Vec::new();
        let width = usize::from(self.area.width);
        let chosen = self.row(cx);
        let mut section = |row: &HpaRow<'_>, title: &str, entries: Vec<_>| {
            if entries.is_empty() {
                return;
            }
            let title = format!("{title} of {}", row.key);
            lines.push(cx.span(ScreenRole::Title, &title).into());
            let entries = entries.iter();
            lines.extend(entries.flat_map(|entry| wrap_line(entry, width, INDENT)));
            lines.push("".into());
        };
        let rows = self.rows(cx);
        let shared = SharedCause::all(&rows);
        if let Some(row) = &chosen {
            section(row, "alarms", lists::alarms(cx, row, &[]));
            section(row, "events", lists::events(cx, row));
        }
        for row in &rows {
            if chosen.as_ref().is_none_or(|chosen| chosen.key != row.key) {
                section(row, "alarms", lists::alarms(cx, row, &shared));
            }
        }
        if !shared.is_empty() {
            let mut causes = vec![cx.span(ScreenRole::Title, "alarms of several HPAs").into()];
            let wrapped = shared
                .iter()
                .flat_map(|cause| wrap_line(&cause.line(cx), width, INDENT));
            causes.extend(wrapped);
            causes.push("".into());
            lines.splice(0..0, causes);
        }
        for mark in &cx.state.marks {
            let text = format!("{} {}", cx.clock_now().time(mark.at), mark.note);
            lines.push(cx.span(ScreenRole::Text, &format!("mark {text}")).into());
        }
        if lines.is_empty() {
            let text = "No alarms, no events.";
            lines.push(cx.span(ScreenRole::Text, text).into());
        }
        let title = "alarms and events".to_owned();
        self.page = Some(ScreenPage::new(page::PageKind::Other, title, lines));
    }

    /// Applies a change of the line that is being typed.
    fn typed(&mut self) {
        if let Some(prompt) = &self.prompt
            && matches!(prompt.purpose, Purpose::Filter { .. })
        {
            prompt.text().clone_into(&mut self.filter);
        }
    }

    fn after_typing(&mut self, typed: Typed, cx: &DrawContext<'_>) -> Option<ScreenRequest> {
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
                return Some(ScreenRequest::Mark { note: text, at });
            }
            Purpose::Save if text.trim().is_empty() => self.report("not saved: no name"),
            Purpose::Save => {
                let path = PathBuf::from(text.trim());
                return Some(ScreenRequest::Save { path });
            }
            Purpose::Search => {
                let is_found = self.page.as_mut().is_none_or(|page| page.search(&text));
                if !is_found {
                    self.report(&cx.clean(&format!("\"{text}\" is not on this page")));
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

/// A file name for a recording.
fn file_name(cx: &DrawContext<'_>) -> String {
    let time = cx.now.to_zoned(cx.options.zone.clone());
    let hpas = &cx.state.hpas;
    let name = match hpas.keys().next() {
        Some(hpa) if hpas.len() == 1 => hpa.name.as_str(),
        _ => "hpas",
    };
    let is_safe = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '-';
    let name: String = name.chars().filter(is_safe).take(60).collect();
    format!("{name}-{}.jsonl.zst", time.strftime("%Y%m%d-%H%M%S"))
}

/// Indent of the second and later lines of an alarm or Event.
const INDENT: usize = 4;
