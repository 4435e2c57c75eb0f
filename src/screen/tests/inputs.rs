//! Keys, typing and the mouse.

use std::path::PathBuf;

use crossterm::event::{
    Event as Input, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use hpa_watch::{Event, reduce};

use super::support::{DrawnScreen, at, incidents, key, options, playback, with_past};
use crate::screen::{Mode, Play, ReplayStop, ScreenOptions, ScreenRequest, TimeDirection};

fn drawn() -> DrawnScreen {
    DrawnScreen::new(with_past(incidents(), "api"), 80, 24)
}

fn replay() -> DrawnScreen {
    let options = ScreenOptions {
        mode: Mode::Replay,
        ..options()
    };
    let mut drawn = DrawnScreen::with(options, with_past(incidents(), "api"), 80, 24);
    drawn.screen.show_playback(playback());
    drawn.now = at(-450);
    drawn.draw();
    drawn
}

/// The name of the chosen HPA.
fn chosen(drawn: &DrawnScreen) -> String {
    let [line] = drawn.lines_with("▸").try_into().unwrap();
    line.split_whitespace().nth(2).unwrap().to_owned()
}

fn mouse(kind: MouseEventKind, column: u16, row: u16) -> Input {
    Input::Mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    })
}

fn click(column: u16, row: u16) -> Input {
    mouse(MouseEventKind::Down(MouseButton::Left), column, row)
}

#[test]
fn keys_choose_another_hpa() {
    let mut drawn = drawn();
    assert_eq!(chosen(&drawn), "api");
    for (code, expected) in [
        (KeyCode::Down, "worker"),
        (KeyCode::Char('j'), "cart"),
        (KeyCode::PageDown, "web"),
        (KeyCode::Down, "web"),
        (KeyCode::Up, "cart"),
        (KeyCode::Char('k'), "worker"),
        (KeyCode::End, "web"),
        (KeyCode::Home, "api"),
        (KeyCode::Char('G'), "web"),
        (KeyCode::PageUp, "api"),
    ] {
        drawn.press(code);
        assert_eq!(chosen(&drawn), expected, "{code:?}");
    }
    drawn.assert_has("shop/api → Deployment/api");
}

#[test]
fn chosen_hpa_stays_chosen_when_the_order_changes() {
    let mut drawn = drawn();
    drawn.press(KeyCode::End);
    assert_eq!(chosen(&drawn), "web");
    drawn.press(KeyCode::Char('s'));
    drawn.assert_has("sorted by name");
    assert_eq!(chosen(&drawn), "web");
    let names = |drawn: &DrawnScreen| -> Vec<String> {
        let text = drawn.text();
        let rows = text.lines().skip(2).take(4);
        let name = |row: &str| {
            row.chars()
                .skip(4)
                .take_while(|letter| *letter != ' ')
                .collect()
        };
        rows.map(name).collect()
    };
    assert_eq!(names(&drawn), ["api", "cart", "web", "worker"]);
    drawn.press(KeyCode::Char('S'));
    drawn.assert_has("by name, reversed");
    assert_eq!(names(&drawn), ["worker", "web", "cart", "api"]);
    drawn.write("Ss");
    assert_eq!(names(&drawn), ["api", "web", "cart", "worker"]);
    drawn.write("s");
    drawn.assert_has("sorted by metric against target");
    drawn.write("s");
    drawn.assert_has("sorted by last change");
    drawn.write("s");
    drawn.assert_has("sorted by urgency");
    assert_eq!(names(&drawn)[0], "api");
}

#[test]
fn filter_is_applied_while_it_is_typed_and_given_up_with_escape() {
    let mut drawn = drawn();
    drawn.write("/w");
    drawn.assert_has("filter: w");
    drawn.assert_has("2 of 4 HPAs");
    assert_eq!(chosen(&drawn), "worker");
    drawn.write("eb");
    assert_eq!(chosen(&drawn), "web");
    drawn.press(KeyCode::Enter);
    drawn.assert_has("1 of 4 HPAs, filter \"web\"");
    drawn.write("/x");
    drawn.assert_has("No HPA matches the filter");
    assert_eq!(drawn.press(KeyCode::Esc), None);
    drawn.assert_has("filter \"web\"");
    drawn.press(KeyCode::Esc);
    drawn.assert_has("watch · 4 HPAs ·");
    // Words of answers, rules and alarms also match.
    drawn.write("/second-pass");
    assert_eq!(chosen(&drawn), "cart");
    drawn.press(KeyCode::Esc);
    drawn.write("/! max");
    assert_eq!(chosen(&drawn), "api");
    drawn.assert_has("1 of 4 HPAs");
}

#[test]
fn enter_asks_for_the_explanation_which_scrolls_and_can_be_searched() {
    let mut drawn = drawn();
    let page = ScreenRequest::Page {
        hpa: key("api"),
        entry: None,
    };
    assert_eq!(drawn.press(KeyCode::Enter), Some(page.clone()));
    let lines: Vec<String> = (1..=60)
        .map(|line| format!("line {line} of the page"))
        .collect();
    drawn.show_page(&lines.join("\n"));
    drawn.draw();
    // The time of its last read, which may be after the last kept entry.
    drawn.assert_has("shop/api, as seen at 11:32:30");
    drawn.assert_has("1-22 of 60");
    drawn.press(KeyCode::PageDown);
    drawn.assert_has("22-43 of 60");
    drawn.press(KeyCode::End);
    drawn.assert_has("39-60 of 60");
    drawn.write("/LINE 7 ");
    drawn.press(KeyCode::Enter);
    drawn.assert_has("7-28 of 60");
    drawn.write("/nowhere");
    drawn.press(KeyCode::Enter);
    drawn.assert_has("\"nowhere\" is not on this page");
    drawn.write("/line 3");
    drawn.press(KeyCode::Enter);
    drawn.assert_has("30-51 of 60");
    drawn.write("n");
    drawn.assert_has("31-52 of 60");
    drawn.write("NN");
    drawn.assert_has("3-24 of 60");
    drawn.press(KeyCode::Right);
    drawn.assert_has("the page");
    drawn.assert_lacks("line 3");
    // With another width the same page is requested again, and keeps its scroll position.
    assert_eq!(drawn.resize(100, 24), Some(page.clone()));
    drawn.show_page(&lines.join("\n"));
    drawn.draw();
    drawn.assert_has("3-24 of 60");
    assert_eq!(drawn.write("r"), Some(page));
    assert_eq!(drawn.write("q"), None);
    drawn.assert_has("replicas");
    assert_eq!(drawn.resize(80, 24), None);
}

#[test]
fn explanation_of_a_past_sync_names_its_time() {
    let mut drawn = drawn();
    drawn.write("[[");
    drawn.assert_has("PAST 11:32:05, 45 s ago");
    let past = ScreenRequest::Page {
        hpa: key("api"),
        entry: Some(57),
    };
    assert_eq!(drawn.press(KeyCode::Enter), Some(past));
    drawn.show_page("as it was");
    drawn.draw();
    drawn.assert_has("shop/api in the past, as seen at 11:32:05");
}

#[test]
fn time_goes_back_through_what_was_seen_and_forward_again() {
    let mut drawn = drawn();
    drawn.press(KeyCode::Left);
    drawn.assert_has("PAST 11:32:20");
    drawn.press(KeyCode::Char(']'));
    drawn.assert_has("PAST 11:32:35");
    drawn.press(KeyCode::Right);
    drawn.assert_lacks("PAST");
    drawn.assert_has("no later sync: this is now");
    drawn.write("N");
    drawn.assert_has("PAST 11:21:35");
    drawn.assert_has("▲ api      18→20");
    drawn.write("N");
    drawn.assert_has("PAST 11:21:20");
    drawn.write("n.");
    drawn.assert_lacks("PAST");
    drawn.write("d");
    drawn.assert_has("no later disagreement: this is now");
    drawn.write("A");
    drawn.assert_has("no earlier alarm was seen");
    drawn.write("{");
    drawn.assert_has("PAST 11:21:50");
    drawn.write("}");
    drawn.assert_lacks("PAST");
    drawn.input(&Input::Key(KeyEvent::new(
        KeyCode::Left,
        KeyModifiers::SHIFT,
    )));
    drawn.assert_has("PAST 11:31:50, 1 min ago");
    drawn.press(KeyCode::Esc);
    drawn.assert_lacks("PAST");
}

#[test]
fn pause_keeps_the_sync_while_time_goes_on() {
    let mut drawn = drawn();
    drawn.press(KeyCode::Char(' '));
    drawn.now = at(30);
    reduce(&mut drawn.state, Event::Deleted { hpa: key("api") }, at(10));
    drawn.draw();
    drawn.assert_has("PAST 11:32:50, 30 s ago");
    drawn.assert_lacks("gone");
    drawn.press(KeyCode::Char(' '));
    drawn.assert_lacks("PAST");
    drawn.assert_has("GONE");
    drawn.assert_has("since 11:33:00");
}

#[test]
fn page_of_an_hpa_that_is_gone_is_not_requested_again() {
    let mut drawn = drawn();
    let page = drawn.press(KeyCode::Enter);
    let Some(ScreenRequest::Page { hpa, .. }) = page else {
        panic!("{page:?}")
    };
    drawn.show_page("the page");
    reduce(&mut drawn.state, Event::Deleted { hpa }, at(10));
    reduce(&mut drawn.state, Event::Tick, at(7_200));
    assert_eq!(drawn.press(KeyCode::Char('r')), None);
    drawn.assert_has("this HPA is gone");
}

#[test]
fn prompts_for_marks_and_recordings_show_what_was_typed() {
    let mut drawn = drawn();
    drawn.write("mdeploy 木");
    drawn.input(&Input::Paste("\n2.1\u{1b}[31m".to_owned()));
    drawn.assert_has("note: deploy 木 2.1");
    let mark = |at| ScreenRequest::Mark {
        note: "deploy 木 2.1".to_owned(),
        at,
    };
    assert_eq!(drawn.press(KeyCode::Enter), Some(mark(None)));
    drawn.write("[m");
    drawn.input(&Input::Paste("deploy 木 2.1".to_owned()));
    assert_eq!(drawn.press(KeyCode::Enter), Some(mark(Some(at(-30)))));
    drawn.press(KeyCode::Esc);
    drawn.write("w");
    drawn.assert_has("save to: hpas-20261121-113250.jsonl.zst");
    let path = PathBuf::from("hpas-20261121-113250.jsonl.zst");
    assert_eq!(
        drawn.press(KeyCode::Enter),
        Some(ScreenRequest::Save { path })
    );
    drawn.screen.report("saved hpas-20261121-113250.jsonl.zst");
    drawn.draw();
    drawn.assert_has("saved hpas-");
    drawn.write("w");
    drawn.control('u');
    assert_eq!(drawn.press(KeyCode::Enter), None);
    drawn.assert_has("not saved: no name");
    drawn.write("mx");
    assert_eq!(drawn.press(KeyCode::Esc), None);
    // The marks are on the time lines.
    reduce(
        &mut drawn.state,
        Event::Marked {
            note: "x".to_owned(),
        },
        at(-300),
    );
    drawn.draw();
    assert!(drawn.lines_with("◆").len() == 1, "{}", drawn.text());
    drawn.write("e");
    drawn.assert_has("mark 11:27:50 x");
}

#[test]
fn quit_suspend_and_help() {
    let mut drawn = drawn();
    assert_eq!(drawn.control('z'), Some(ScreenRequest::Suspend));
    drawn.write("?");
    drawn.assert_has("a page of HPAs up, down");
    assert_eq!(drawn.press(KeyCode::Esc), None);
    drawn.assert_has("replicas");
    assert_eq!(drawn.write("q"), Some(ScreenRequest::Quit));
    drawn.write("/");
    assert_eq!(drawn.control('c'), Some(ScreenRequest::Quit));
    assert_eq!(replay().write("q"), Some(ScreenRequest::Quit));
}

#[test]
fn metrics_that_do_not_fit_are_reached_with_tab_and_time_is_zoomed() {
    let mut drawn = drawn();
    drawn.assert_has("cpu  ━");
    drawn.assert_lacks("queue_depth  ━");
    drawn.press(KeyCode::Tab);
    drawn.assert_has("queue_depth  ━");
    drawn.press(KeyCode::BackTab);
    drawn.assert_has("cpu  ━");
    // More time than was observed would be empty.
    drawn.press(KeyCode::Char('-'));
    drawn.assert_has("the charts show all that was seen");
    drawn.assert_has("11:17:50");
    drawn.write("+-");
    drawn.assert_has("charts: 15 min");
    drawn.write("+++++");
    drawn.assert_has("charts: 2 min");
    drawn.assert_has("11:30:50");
}

#[test]
fn mouse_chooses_opens_scrolls_and_points_at_times() {
    let mut drawn = drawn();
    assert_eq!(drawn.input(&click(10, 3)), None);
    assert_eq!(chosen(&drawn), "worker");
    drawn.input(&mouse(MouseEventKind::ScrollDown, 10, 3));
    assert_eq!(chosen(&drawn), "cart");
    drawn.input(&mouse(MouseEventKind::ScrollUp, 10, 3));
    assert_eq!(chosen(&drawn), "worker");
    drawn.now = at(5);
    assert_eq!(drawn.input(&click(10, 2)), None);
    let page = ScreenRequest::Page {
        hpa: key("api"),
        entry: None,
    };
    assert_eq!(drawn.input(&click(30, 2)), Some(page));
    drawn.show_page(&"line\n".repeat(50));
    drawn.input(&mouse(MouseEventKind::ScrollDown, 10, 3));
    drawn.assert_has("4-25 of 50");
    drawn.press(KeyCode::Esc);
    // Two clicks far apart are not a double click.
    assert_eq!(drawn.input(&click(10, 2)), None);
    drawn.now = at(7);
    assert_eq!(drawn.input(&click(10, 2)), None);
    // The middle of a chart is the middle of its time; beyond its end it is now again.
    assert_eq!(drawn.input(&click(22, 14)), None);
    drawn.assert_has("PAST 11:25:");
    drawn.input(&mouse(MouseEventKind::Drag(MouseButton::Left), 30, 14));
    drawn.assert_has("PAST 11:29:");
    drawn.press(KeyCode::Esc);
    drawn.input(&click(10, 21));
    drawn.assert_has("alarms of shop/api");
}

#[test]
fn replay_is_steered_with_keys_and_the_line_of_time() {
    let mut drawn = replay();
    drawn.assert_has("paused 5x");
    drawn.assert_has("7 min 30 s of 15 min");
    let jump = |stop, direction| Some(ScreenRequest::Play(Play::Jump(stop, direction)));
    let seek = |to| Some(ScreenRequest::Play(Play::Seek(at(to))));
    for (code, expected) in [
        (' ', Some(ScreenRequest::Play(Play::Toggle))),
        ('>', Some(ScreenRequest::Play(Play::Speed(10)))),
        ('<', Some(ScreenRequest::Play(Play::Speed(2)))),
        (
            ']',
            Some(ScreenRequest::Play(Play::Step(TimeDirection::Forward))),
        ),
        (
            '[',
            Some(ScreenRequest::Play(Play::Step(TimeDirection::Back))),
        ),
        ('n', jump(ReplayStop::Scaling, TimeDirection::Forward)),
        ('N', jump(ReplayStop::Scaling, TimeDirection::Back)),
        ('d', jump(ReplayStop::Disagreement, TimeDirection::Forward)),
        ('A', jump(ReplayStop::Alarm, TimeDirection::Back)),
        ('0', seek(-900)),
        ('.', seek(0)),
    ] {
        assert_eq!(drawn.press(KeyCode::Char(code)), expected, "{code}");
    }
    let line = drawn
        .text()
        .lines()
        .position(|line| line.contains("paused 5x"));
    let row = u16::try_from(line.unwrap()).unwrap();
    let Some(ScreenRequest::Play(Play::Seek(to))) = drawn.input(&click(40, row)) else {
        panic!("no seek");
    };
    assert!(at(-900) < to && to < at(0), "{to}");
    // Future events are not shown.
    assert_eq!(drawn.lines_with("20/20").len(), 0);
}
