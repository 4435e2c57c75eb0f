//! Keys, typing and the mouse.

use std::path::PathBuf;

use crossterm::event::{
    Event as Input, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::support::{Shown, at, incidents, key, options, playback, with_past};
use crate::{
    screen::{Direction, Mode, Options, Play, Request, Stop},
    watch::{Event, reduce},
};

fn shown() -> Shown {
    Shown::new(with_past(incidents(), "api"), 80, 24)
}

fn replay() -> Shown {
    let options = Options {
        mode: Mode::Replay,
        ..options()
    };
    let mut shown = Shown::with(options, with_past(incidents(), "api"), 80, 24);
    shown.screen.show_playback(playback());
    shown.now = at(-450);
    shown.draw();
    shown
}

/// The name of the chosen HPA.
fn chosen(shown: &Shown) -> String {
    let [line] = shown.lines_with("▸").try_into().unwrap();
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
    let mut shown = shown();
    assert_eq!(chosen(&shown), "api");
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
        shown.press(code);
        assert_eq!(chosen(&shown), expected, "{code:?}");
    }
    shown.assert_has("shop/api → Deployment/api");
}

#[test]
fn chosen_hpa_stays_chosen_when_the_order_changes() {
    let mut shown = shown();
    shown.press(KeyCode::End);
    assert_eq!(chosen(&shown), "web");
    shown.press(KeyCode::Char('s'));
    shown.assert_has("sorted by name");
    assert_eq!(chosen(&shown), "web");
    let names = |shown: &Shown| -> Vec<String> {
        let text = shown.text();
        let rows = text.lines().skip(2).take(4);
        let name = |row: &str| {
            row.chars()
                .skip(4)
                .take_while(|letter| *letter != ' ')
                .collect()
        };
        rows.map(name).collect()
    };
    assert_eq!(names(&shown), ["api", "cart", "web", "worker"]);
    shown.press(KeyCode::Char('S'));
    shown.assert_has("by name, reversed");
    assert_eq!(names(&shown), ["worker", "web", "cart", "api"]);
    shown.write("Ss");
    assert_eq!(names(&shown), ["api", "web", "cart", "worker"]);
    shown.write("s");
    shown.assert_has("sorted by metric against target");
    shown.write("s");
    shown.assert_has("sorted by last change");
    shown.write("s");
    shown.assert_has("sorted by urgency");
    assert_eq!(names(&shown)[0], "api");
}

#[test]
fn filter_is_applied_while_it_is_typed_and_given_up_with_escape() {
    let mut shown = shown();
    shown.write("/w");
    shown.assert_has("filter: w");
    shown.assert_has("2 of 4 HPAs");
    assert_eq!(chosen(&shown), "worker");
    shown.write("eb");
    assert_eq!(chosen(&shown), "web");
    shown.press(KeyCode::Enter);
    shown.assert_has("1 of 4 HPAs, filter \"web\"");
    shown.write("/x");
    shown.assert_has("No HPA matches the filter");
    assert_eq!(shown.press(KeyCode::Esc), None);
    shown.assert_has("filter \"web\"");
    shown.press(KeyCode::Esc);
    shown.assert_has("watch · 4 HPAs ·");
    // Words of rules and alarms count, too.
    shown.write("/second-pass");
    assert_eq!(chosen(&shown), "cart");
    shown.press(KeyCode::Esc);
    shown.write("/! max");
    assert_eq!(chosen(&shown), "api");
    shown.assert_has("1 of 4 HPAs");
}

#[test]
fn enter_asks_for_the_explanation_which_scrolls_and_can_be_searched() {
    let mut shown = shown();
    let page = Request::Page {
        hpa: key("api"),
        moment: None,
    };
    assert_eq!(shown.press(KeyCode::Enter), Some(page.clone()));
    let lines: Vec<String> = (1..=60)
        .map(|line| format!("line {line} of the page"))
        .collect();
    shown.show_page(&lines.join("\n"));
    shown.draw();
    // When it was looked at last, which may be after the last moment that is kept.
    shown.assert_has("shop/api, as seen at 11:32:30");
    shown.assert_has("1-22 of 60");
    shown.press(KeyCode::PageDown);
    shown.assert_has("22-43 of 60");
    shown.press(KeyCode::End);
    shown.assert_has("39-60 of 60");
    shown.write("/LINE 7 ");
    shown.press(KeyCode::Enter);
    shown.assert_has("7-28 of 60");
    shown.write("/nowhere");
    shown.press(KeyCode::Enter);
    shown.assert_has("\"nowhere\" is not on this page");
    shown.write("/line 3");
    shown.press(KeyCode::Enter);
    shown.assert_has("30-51 of 60");
    shown.write("n");
    shown.assert_has("31-52 of 60");
    shown.write("NN");
    shown.assert_has("3-24 of 60");
    shown.press(KeyCode::Right);
    shown.assert_has("the page");
    shown.assert_lacks("line 3");
    // Another width: the same page is asked for again, and stays where it is.
    assert_eq!(shown.resize(100, 24), Some(page.clone()));
    shown.show_page(&lines.join("\n"));
    shown.draw();
    shown.assert_has("3-24 of 60");
    assert_eq!(shown.write("r"), Some(page));
    assert_eq!(shown.write("q"), None);
    shown.assert_has("replicas");
    assert_eq!(shown.resize(80, 24), None);
}

#[test]
fn explanation_of_a_past_moment_names_that_moment() {
    let mut shown = shown();
    shown.write("[[");
    shown.assert_has("PAST 11:32:05, 45 s ago");
    let past = Request::Page {
        hpa: key("api"),
        moment: Some(57),
    };
    assert_eq!(shown.press(KeyCode::Enter), Some(past));
    shown.show_page("as it was");
    shown.draw();
    shown.assert_has("shop/api in the past, as seen at 11:32:05");
}

#[test]
fn time_goes_back_through_what_was_seen_and_forward_again() {
    let mut shown = shown();
    shown.press(KeyCode::Left);
    shown.assert_has("PAST 11:32:20");
    shown.press(KeyCode::Char(']'));
    shown.assert_has("PAST 11:32:35");
    shown.press(KeyCode::Right);
    shown.assert_lacks("PAST");
    shown.assert_has("no later moment: this is now");
    shown.write("N");
    shown.assert_has("PAST 11:21:35");
    shown.assert_has("▲ api      18→20");
    shown.write("N");
    shown.assert_has("PAST 11:21:20");
    shown.write("n.");
    shown.assert_lacks("PAST");
    shown.write("d");
    shown.assert_has("no later disagreement: this is now");
    shown.write("A");
    shown.assert_has("no earlier alarm was seen");
    shown.write("{");
    shown.assert_has("PAST 11:21:50");
    shown.write("}");
    shown.assert_lacks("PAST");
    shown.input(&Input::Key(KeyEvent::new(
        KeyCode::Left,
        KeyModifiers::SHIFT,
    )));
    shown.assert_has("PAST 11:31:50, 1 m ago");
    shown.press(KeyCode::Esc);
    shown.assert_lacks("PAST");
}

#[test]
fn pause_keeps_the_moment_while_time_goes_on() {
    let mut shown = shown();
    shown.press(KeyCode::Char(' '));
    shown.now = at(30);
    reduce(&mut shown.state, Event::Gone { hpa: key("api") }, at(10));
    shown.draw();
    shown.assert_has("PAST 11:32:50, 30 s ago");
    shown.assert_lacks("gone");
    shown.press(KeyCode::Char(' '));
    shown.assert_lacks("PAST");
    shown.assert_has("GONE");
    shown.assert_has("since 11:33:00");
}

#[test]
fn marks_and_recordings_are_asked_for_with_what_was_typed() {
    let mut shown = shown();
    shown.write("mdeploy 木");
    shown.input(&Input::Paste("\n2.1\u{1b}[31m".to_owned()));
    shown.assert_has("note: deploy 木 2.1");
    let mark = |at| Request::Mark {
        note: "deploy 木 2.1".to_owned(),
        at,
    };
    assert_eq!(shown.press(KeyCode::Enter), Some(mark(None)));
    shown.write("[m");
    shown.input(&Input::Paste("deploy 木 2.1".to_owned()));
    assert_eq!(shown.press(KeyCode::Enter), Some(mark(Some(at(-30)))));
    shown.press(KeyCode::Esc);
    shown.write("w");
    shown.assert_has("save to: hpas-20261121-113250.jsonl.zst");
    let path = PathBuf::from("hpas-20261121-113250.jsonl.zst");
    assert_eq!(shown.press(KeyCode::Enter), Some(Request::Save { path }));
    shown.screen.tell("saved hpas-20261121-113250.jsonl.zst");
    shown.draw();
    shown.assert_has("saved hpas-");
    shown.write("w");
    shown.control('u');
    assert_eq!(shown.press(KeyCode::Enter), None);
    shown.assert_has("not saved: no name");
    shown.write("mx");
    assert_eq!(shown.press(KeyCode::Esc), None);
    // The marks are on the lines of time.
    reduce(
        &mut shown.state,
        Event::Marked {
            note: "x".to_owned(),
        },
        at(-300),
    );
    shown.draw();
    assert!(shown.lines_with("◆").len() == 1, "{}", shown.text());
    shown.write("e");
    shown.assert_has("mark 11:27:50 x");
}

#[test]
fn quit_suspend_and_help() {
    let mut shown = shown();
    assert_eq!(shown.control('z'), Some(Request::Suspend));
    shown.write("?");
    shown.assert_has("a page of HPAs up, down");
    assert_eq!(shown.press(KeyCode::Esc), None);
    shown.assert_has("replicas");
    assert_eq!(shown.write("q"), Some(Request::Quit));
    shown.write("/");
    assert_eq!(shown.control('c'), Some(Request::Quit));
    assert_eq!(replay().write("q"), Some(Request::Quit));
}

#[test]
fn metrics_that_do_not_fit_are_reached_with_tab_and_time_is_zoomed() {
    let mut shown = shown();
    shown.assert_has("cpu  ━");
    shown.assert_lacks("queue_depth  ━");
    shown.press(KeyCode::Tab);
    shown.assert_has("queue_depth  ━");
    shown.press(KeyCode::BackTab);
    shown.assert_has("cpu  ━");
    shown.press(KeyCode::Char('-'));
    shown.assert_has("charts: 30 m");
    shown.assert_has("11:02:50");
    shown.write("+++++");
    shown.assert_has("charts: 2 m");
    shown.assert_has("11:30:50");
}

#[test]
fn mouse_chooses_opens_scrolls_and_points_at_times() {
    let mut shown = shown();
    assert_eq!(shown.input(&click(10, 3)), None);
    assert_eq!(chosen(&shown), "worker");
    shown.input(&mouse(MouseEventKind::ScrollDown, 10, 3));
    assert_eq!(chosen(&shown), "cart");
    shown.input(&mouse(MouseEventKind::ScrollUp, 10, 3));
    assert_eq!(chosen(&shown), "worker");
    shown.now = at(5);
    assert_eq!(shown.input(&click(10, 2)), None);
    let page = Request::Page {
        hpa: key("api"),
        moment: None,
    };
    assert_eq!(shown.input(&click(30, 2)), Some(page));
    shown.show_page(&"line\n".repeat(50));
    shown.input(&mouse(MouseEventKind::ScrollDown, 10, 3));
    shown.assert_has("4-25 of 50");
    shown.press(KeyCode::Esc);
    // Two clicks far apart are no double click.
    assert_eq!(shown.input(&click(10, 2)), None);
    shown.now = at(7);
    assert_eq!(shown.input(&click(10, 2)), None);
    // The middle of a chart is the middle of its time; beyond its end it is now again.
    assert_eq!(shown.input(&click(22, 14)), None);
    shown.assert_has("PAST 11:25:");
    shown.input(&mouse(MouseEventKind::Drag(MouseButton::Left), 30, 14));
    shown.assert_has("PAST 11:29:");
    shown.press(KeyCode::Esc);
    shown.input(&click(10, 21));
    shown.assert_has("alarms of shop/api");
}

#[test]
fn replay_is_steered_with_keys_and_the_line_of_time() {
    let mut shown = replay();
    shown.assert_has("paused 5x");
    shown.assert_has("7 m 30 s of 15 m");
    let jump = |stop, direction| Some(Request::Play(Play::Jump(stop, direction)));
    let seek = |to| Some(Request::Play(Play::Seek(at(to))));
    for (code, expected) in [
        (' ', Some(Request::Play(Play::Toggle))),
        ('>', Some(Request::Play(Play::Speed(10)))),
        ('<', Some(Request::Play(Play::Speed(2)))),
        (']', Some(Request::Play(Play::Step(Direction::Forward)))),
        ('[', Some(Request::Play(Play::Step(Direction::Back)))),
        ('n', jump(Stop::Scaling, Direction::Forward)),
        ('N', jump(Stop::Scaling, Direction::Back)),
        ('d', jump(Stop::Disagreement, Direction::Forward)),
        ('A', jump(Stop::Alarm, Direction::Back)),
        ('0', seek(-900)),
        ('.', seek(0)),
    ] {
        assert_eq!(shown.press(KeyCode::Char(code)), expected, "{code}");
    }
    let line = shown
        .text()
        .lines()
        .position(|line| line.contains("paused 5x"));
    let row = u16::try_from(line.unwrap()).unwrap();
    let Some(Request::Play(Play::Seek(to))) = shown.input(&click(40, row)) else {
        panic!("no seek");
    };
    assert!(at(-900) < to && to < at(0), "{to}");
    // What is still ahead is not shown.
    assert_eq!(shown.lines_with("20/20").len(), 0);
}
